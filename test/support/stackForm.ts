import type { Locator } from 'playwright-core';
import type { Workbench } from './workbench.ts';

/** The form for the title and the description on the page of a patch stack, as a person uses it. */
export class StackForm {
  readonly #window: Workbench;

  constructor(window: Workbench) {
    this.#window = window;
  }

  get title(): Locator {
    return this.#window.webview.getByRole('textbox', { name: 'Title', exact: true });
  }

  get description(): Locator {
    return this.#window.webview.getByRole('textbox', { name: 'Description (Markdown)' });
  }

  /** Says this, anywhere in the form. */
  says(text: string | RegExp): Locator {
    return this.#window.webview
      .getByRole('region', { name: 'Title and description' })
      .getByText(text)
      .first();
  }

  /** Writes another title. */
  async typeTitle(text: string): Promise<void> {
    await this.title.fill(text);
  }

  /** Writes another description. */
  async typeDescription(text: string): Promise<void> {
    await this.description.click();
    await this.#window.page.keyboard.press('Control+A');
    await this.#window.page.keyboard.insertText(text);
  }

  async save(): Promise<void> {
    await this.#window.webview.getByRole('button', { name: /^Save( Again)?$/ }).click();
  }

  /** Resolves when the title and the description are there to be read again. */
  async closed(): Promise<void> {
    await this.title.waitFor({ state: 'detached' });
  }
}
