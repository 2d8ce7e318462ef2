/**
 * Has the pages of a window wait for its first one, and those of a kind for the first of that kind. VS Code installs a service worker
 * with the first page of an origin, which is that of all pages, or of a kind. The worker takes control of the pages that are there by
 * then. A page whose frame was requested before, and arrives afterwards, waits for good to be controlled: it stays blank.
 */
import { pause } from '../util/pause.ts';
import type { Disposable } from '../util/disposable.ts';

/** Milliseconds for which the first page is waited for. */
const firstPageMs = 5_000;

/** Permission to open a page of a kind. */
export interface PageTurn {
  readonly viewType: string;
}

/** The key of all kinds together. */
const allKinds = '';

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
    for (const kind of [allKinds, page.viewType]) {
      if (!this.#first.has(kind)) {
        // Where it never came, the next one is the first.
        const end = whenOver(page).then((hasTold) => hasTold || this.#first.delete(kind));
        this.#first.set(kind, end);
      }
    }
  }

  /** Waits until another page of a kind may be opened. */
  async next(viewType: string): Promise<PageTurn> {
    await this.#first.get(allKinds);
    await this.#first.get(viewType);
    return { viewType };
  }
}

/** Waits until a page has told something, or can be waited for no longer. @returns whether it has told something. */
async function whenOver(page: LoadingPage): Promise<boolean> {
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
