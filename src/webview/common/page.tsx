/** A page that shows one thing which its panel loads: loading, failed with the reason and *Retry*, or shown. */
import * as l10n from '@vscode/l10n';
import { render, type ComponentChildren } from 'preact';
import { RpcError, type RpcPeer, type RpcRemedy } from '../../protocol/rpc.ts';
import type { PanelSettings } from '../../protocol/panel.ts';
import { beginWithFocus, keepFocus } from './focusKeeping.ts';
import type { HostConnection } from './host.ts';
import { inBackground } from '../../util/inBackground.ts';
import { messageOf } from '../../util/messageOf.ts';

interface PageParts<T> {
  loadingText: () => string;
  load: () => Promise<T>;
  /** Draws what was loaded; `loads` counts how often it was. */
  view: (value: T, loads: number) => ComponentChildren;
  /** Gives the focus to where what was loaded begins; left out: to its first field, or its title. */
  begin?: () => void;
}

/** See the module. */
export class Page<T> {
  readonly #parts: PageParts<T>;
  #loads = 0;
  #drawn = false;

  constructor(parts: PageParts<T>) {
    this.#parts = parts;
  }

  /** Loads what the page shows; an answer that a newer load has overtaken is dropped. */
  async load(): Promise<void> {
    const current = ++this.#loads;
    // A page that the extension host has drawn already says more than that.
    if (this.#drawn || document.querySelector('.beginning') === null) {
      this.#draw(
        <main class="notice" aria-busy="true">
          <p role="status">{this.#parts.loadingText()}</p>
        </main>,
      );
    }
    try {
      const value = await this.#parts.load();
      if (current === this.#loads) {
        this.show(value);
        (this.#parts.begin ?? beginWithFocus)();
      }
    } catch (error) {
      if (current === this.#loads) {
        const remedy = error instanceof RpcError ? error.remedy : undefined;
        this.#draw(
          <main class="notice">
            <p role="alert">{messageOf(error)}</p>
            <button
              type="button"
              class="primary"
              onClick={() => inBackground(remedy ? this.#applyRemedy(remedy) : this.load())}
            >
              {remedy?.title ?? l10n.t('Retry')}
            </button>
          </main>,
        );
        beginWithFocus();
      }
    }
  }

  /** Has the extension host put right what kept the page from loading, and loads it then. */
  async #applyRemedy(remedy: RpcRemedy): Promise<void> {
    // A failure is told where it happens, and the button is still there.
    if (await remedy.apply().catch(() => false)) {
      await this.load();
    }
  }

  /** Shows something that came without being asked for. */
  show(value: T): void {
    this.#draw(<>{this.#parts.view(value, this.#loads)}</>);
  }

  #draw(content: ComponentChildren): void {
    if (!this.#drawn) {
      this.#drawn = true;
      document.body.replaceChildren();
    }
    render(content, document.body);
  }
}

type Connection = Pick<HostConnection<never, never>, 'outbox'> & {
  peer: Pick<RpcPeer<never, never>, 'onDidChangeSilence'>;
};

/** A webview shows one page for as long as it lives. */
let started: { load(): Promise<void> } | undefined;

/** Loads the page of this webview again; nothing, as long as none was started. The extension host asks for it. */
export async function reload(): Promise<null> {
  await started?.load();
  return null;
}

/** Takes in the window's language and the settings, then loads the page. */
export async function startPage(
  { peer, outbox }: Connection,
  askSettings: () => Promise<PanelSettings>,
  createPage: (settings: PanelSettings) => { load(): Promise<void> },
): Promise<void> {
  keepFocus();
  // Until the bundle is there, what may have to be said without anybody to ask for it.
  l10n.config({ contents: document.documentElement.dataset['words'] ?? '{}' });
  const asked = askSettings();
  const silence = peer.onDidChangeSilence((isSilent) => {
    if (isSilent && !document.querySelector('main')) {
      document.body.replaceChildren();
      render(<NobodyThere />, document.body);
    }
  });
  const known = await asked.catch((error: unknown) => {
    // Nobody is there to ask again: a tab of an extension host that has ended.
    document.body.replaceChildren();
    render(<NobodyThere reason={messageOf(error)} />, document.body);
    throw error;
  });
  silence.dispose();
  l10n.config({ contents: known.bundle });
  document.documentElement.lang = known.language;
  outbox.forget(known.forgotten ?? []);
  outbox.onDidChangeAccount(() => {
    // Somebody who signs out may have it all deleted. When nobody answers, the next page throws it away.
    askSettings().then(
      ({ forgotten = [] }) => outbox.forget(forgotten),
      () => undefined,
    );
  });
  started = createPage(known);
  await started.load();
}

/** Stands on a page whose extension host says nothing. */
function NobodyThere({ reason }: { reason?: string }) {
  return (
    <main class="notice">
      <p role="alert">{reason ?? l10n.t("VS Code's extension host isn't responding.")}</p>
      <p>
        {l10n.t(
          'If it has stopped, close this tab and open the page again. What you typed is saved locally.',
        )}
      </p>
    </main>
  );
}
