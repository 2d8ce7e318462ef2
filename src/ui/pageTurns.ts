/**
 * Has the pages of a window wait for its first one, and those of a kind for the first of that kind. With it, VS Code installs a service
 * worker (one for all in a browser that knows a single origin for pages, else one for each kind), which takes charge of the pages that
 * are there by then. A page whose frame was requested before, and arrives afterwards, waits for it for good: it stays blank.
 */
import { pause } from '../util/pause.ts';
import type { Disposable } from '../util/disposable.ts';

/** Milliseconds for which the first page is waited for. */
const firstPageMs = 5_000;

/** Allows to open a page of a kind. */
export interface PageTurn {
  readonly viewType: string;
}

/** Stands for all kinds. */
const any = '';

/** What there is to be known of a `vscode.WebviewPanel`. */
interface LoadingPage {
  readonly viewType: string;
  readonly visible: boolean;
  readonly webview: { readonly onDidReceiveMessage: (listener: () => void) => Disposable };
  readonly onDidDispose: (listener: () => void) => Disposable;
  readonly onDidChangeViewState: (listener: () => void) => Disposable;
}

/** See the module. */
export class PageTurns {
  /** The first page of each kind: resolves once nobody has to wait for it any more. */
  readonly #first = new Map<string, Promise<unknown>>();

  /** Notes a page that VS Code begins to load. */
  note(page: LoadingPage): void {
    for (const kind of [any, page.viewType]) {
      if (!this.#first.has(kind)) {
        this.#first.set(
          kind,
          isLoaded(page).then((is) => is || this.#first.delete(kind)),
        );
      }
    }
  }

  /** Waits until another page of a kind may be opened. */
  async next(viewType: string): Promise<PageTurn> {
    await this.#first.get(any);
    await this.#first.get(viewType);
    return { viewType };
  }
}

/** Resolves once a page has told something; with false if it is on the screen no more by then, or has had its time. */
async function isLoaded(page: LoadingPage): Promise<boolean> {
  const over = new AbortController();
  let hasTold = false;
  const subscriptions = [
    page.webview.onDidReceiveMessage(() => {
      hasTold = true;
      over.abort();
    }),
    page.onDidDispose(() => over.abort()),
    page.onDidChangeViewState(() => page.visible || over.abort()),
  ];
  await pause(firstPageMs, over.signal);
  subscriptions.forEach((subscription) => subscription.dispose());
  return hasTold;
}
