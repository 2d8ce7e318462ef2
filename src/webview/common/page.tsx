/** A page that shows one thing which its panel loads: loading, failed with the reason and *Retry*, or shown. */
import * as l10n from '@vscode/l10n';
import { render, type ComponentChildren } from 'preact';
import type { PanelSettings } from '../../protocol/panel.ts';

/** What makes one page differ from another. */
export interface PageParts<T> {
  /** What is said while it loads. */
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
        this.#draw(
          <main class="notice">
            <p role="alert">{error instanceof Error ? error.message : String(error)}</p>
            <button type="button" class="primary" onClick={() => void this.load()}>
              {l10n.t('Retry')}
            </button>
          </main>,
        );
      }
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
  const known = await settings;
  l10n.config({ contents: known.bundle });
  document.documentElement.lang = known.language;
  await createPage(known).load();
}
