/** A page that shows one thing which its panel loads: loading, failed with the reason and *Retry*, or shown. */
import * as l10n from '@vscode/l10n';
import { render, type ComponentChildren } from 'preact';
import { RpcError, type RpcRemedy } from '../../protocol/rpc.ts';
import type { PanelSettings } from '../../protocol/panel.ts';

/** What makes one page differ from another. */
export interface PageParts<T> {
  loadingText: () => string;
  load: () => Promise<T>;
  /** Draws what was loaded; `loads` counts how often it was. */
  view: (value: T, loads: number) => ComponentChildren;
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
    // What the extension host has drawn already says more than that.
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
      }
    } catch (error) {
      if (current === this.#loads) {
        const remedy = error instanceof RpcError ? error.remedy : undefined;
        this.#draw(
          <main class="notice">
            <p role="alert">{error instanceof Error ? error.message : String(error)}</p>
            <button
              type="button"
              class="primary"
              onClick={() => void (remedy ? this.#mend(remedy) : this.load())}
            >
              {remedy?.title ?? l10n.t('Retry')}
            </button>
          </main>,
        );
      }
    }
  }

  /** Has the extension host mend what kept the page from loading, and loads it then. */
  async #mend(remedy: RpcRemedy): Promise<void> {
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

/** Takes in the window's language and the settings, then loads the page. */
export async function startPage(
  settings: Promise<PanelSettings>,
  createPage: (settings: PanelSettings) => { load(): Promise<void> },
): Promise<void> {
  const known = await settings.catch((error: unknown) => {
    // Nobody is there to ask again: a tab of an extension host that has ended. Its language is not known either.
    document.body.replaceChildren();
    render(
      <main class="notice">
        <p role="alert">{error instanceof Error ? error.message : String(error)}</p>
        <p>
          {l10n.t(
            'If it has stopped, close this tab and open the page again. What you typed is saved locally.',
          )}
        </p>
      </main>,
      document.body,
    );
    throw error;
  });
  l10n.config({ contents: known.bundle });
  document.documentElement.lang = known.language;
  await createPage(known).load();
}
