/**
 * A person without a mouse in VS Code's window: all that they do goes through the keyboard, and they are sent away when they find
 * themselves nowhere. Locators are for looking only.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { BrowserContext, Frame, Locator, Page } from 'playwright-core';
import { until } from './until.ts';
import type { Workbench } from './workbench.ts';

interface Manifest {
  contributes: {
    commands: { command: string; title: string }[];
    keybindings: { command: string; key: string }[];
  };
}

const read = async <T>(name: string): Promise<T> =>
  JSON.parse(await readFile(path.join(import.meta.dirname, '../..', name), 'utf8')) as T;
const { contributes } = await read<Manifest>('package.json');
const words = await read<Record<string, string>>('package.nls.json');
const prefix = 'patchStacks.';

/** Every command that the extension has, without *patchStacks.*. */
export const commands: readonly string[] = contributes.commands.map(({ command }) =>
  command.slice(prefix.length),
);

/** The title of a command without *Patch Stacks:*. */
function titleOf(command: string): string {
  const { title } =
    contributes.commands.find((one) => one.command === prefix + command) ?? assert.fail(command);
  return words[title.slice(1, -1)] ?? title;
}

/** The keys that a command has, each as Playwright calls it: two are pressed one after the other. */
function keysOf(command: string): string[] {
  const { key } =
    contributes.keybindings.find((one) => one.command === prefix + command) ?? assert.fail(command);
  const named: Record<string, string> = {
    ctrl: 'Control',
    up: 'ArrowUp',
    down: 'ArrowDown',
    pageup: 'PageUp',
    pagedown: 'PageDown',
  };
  const nameOf = (part: string): string =>
    named[part] ?? (part.length > 1 ? `${part.charAt(0).toUpperCase()}${part.slice(1)}` : part);
  return key.split(' ').map((one) => one.split('+').map(nameOf).join('+'));
}

/** Keys that a person presses to look for something, at most: nothing is further away. */
const farthest = 90;

/** Milliseconds after which VS Code has taken a message off the screen that came at once. */
const shownForMs = 10_000;

/** The title of the command palette's own box. */
const palette = 'Type the name of a command to run.';

/** Signs of a mouse in any frame, by the browser's events. */
export class MouseGuard {
  /** Signs of a mouse since `take`. */
  readonly seen: string[] = [];

  /** Watches all pages of a context that are opened from now on. */
  static async over(context: BrowserContext): Promise<MouseGuard> {
    const guard = new MouseGuard();
    await context.exposeFunction('noteMouse', (what: string) => guard.seen.push(what));
    await context.addInitScript(watchMouse);
    return guard;
  }

  /** The signs of a mouse since this was asked the last time. */
  take(): string[] {
    return this.seen.splice(0);
  }
}

/** Runs in each frame before anything else does. */
function watchMouse(): void {
  const note = (globalThis as unknown as { noteMouse: (what: string) => void }).noteMouse;
  const watch = (): void => {
    for (const type of ['pointerdown', 'mousedown', 'mouseup', 'click', 'dblclick', 'wheel']) {
      const listener = (event: Event): void => {
        // A key that presses a button makes a click, too: one that nobody has counted.
        if (event.isTrusted && !(type === 'click' && (event as MouseEvent).detail === 0)) {
          note(`${type} in ${location.origin}${location.pathname}`);
        }
      };
      addEventListener(type, listener, { capture: true, passive: true });
    }
  };
  watch();
  // A webview's document is written into a frame that is there already, which takes away whoever listens.
  const open = Reflect.get(Document.prototype, 'open') as (this: Document, ...args: unknown[]) => unknown;
  Document.prototype.open = function (this: Document, ...args: unknown[]): never {
    const opened = open.apply(this, args);
    watch();
    return opened as never;
  };
}

/** VS Code's page that the page of an extension is in. */
const webviewPage = '/webview/browser/pre/index.html';

/** Milliseconds after which the focus does not go on from there by itself. */
const outsideForMs = 5_000;

/** See the module. */
export class Person {
  readonly window: Workbench;
  /** The commands that they have run, without *patchStacks.*. */
  readonly done = new Set<string>();
  /** The number of times that the focus was in VS Code's own parts when a page should have had it. */
  #givenBack = 0;

  constructor(window: Workbench) {
    this.window = window;
  }

  get page(): Page {
    return this.window.page;
  }

  /** Presses keys one after the other, and has the focus somewhere after each. */
  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      await this.page.keyboard.press(key);
      await this.findThemselves();
    }
  }

  /** Types a text where they are. */
  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  /** Replaces what stands where they are. */
  async retype(text: string): Promise<void> {
    await this.press('Control+a');
    await (text === '' ? this.press('Delete') : this.type(text));
  }

  /** Pastes a text in the place of what stands where they are: VS Code's file dialog looks into no folder on the way. */
  async paste(text: string): Promise<void> {
    await this.press('Control+a');
    await this.page.keyboard.insertText(text);
  }

  /** Presses the key that a command has. */
  async byKey(command: string): Promise<void> {
    const keys = keysOf(command);
    // Between the two keys of a chord nothing has changed yet.
    for (const key of keys) {
      await this.page.keyboard.press(key);
    }
    await this.findThemselves();
    this.done.add(command);
  }

  /** Runs a command that offers a list, and takes something from there. */
  async commandAndChoose(command: string, label: string): Promise<void> {
    await this.#commandThatAsks(command, this.window.quickPickRow(label), () => this.goTo(label));
  }

  /** Runs a command of the extension through the palette. */
  async command(command: string): Promise<void> {
    await this.paletteCommand(`Patch Stacks: ${titleOf(command)}`);
    this.done.add(command);
  }

  /** Runs any command through the palette: by its whole title, with its category. */
  async paletteCommand(title: string): Promise<void> {
    const box = this.page.getByPlaceholder(palette).and(this.page.locator(':focus'));
    // A list that opens itself at the same moment takes the focus, and the palette goes: then it is opened again.
    for (let tries = 2; ; tries--) {
      try {
        await this.page.keyboard.press('Control+Shift+P');
        await box.waitFor({ timeout: 5_000 });
        await this.page.keyboard.press('Control+a');
        // At once: the list is searched anew at every letter.
        await this.page.keyboard.insertText(`>${title}`);
        await this.#walkTo(title, 'ArrowDown', 5_000);
        await pressEnterAt(box);
        break;
      } catch (error) {
        if (tries === 0) {
          throw error;
        }
        // In the view, Escape takes away what is selected: only a list that lies over the window is put away.
        if (await this.window.quickInputWidget.isVisible()) {
          await this.page.keyboard.press('Escape');
        }
      }
    }
    await this.findThemselves();
    await this.page.getByPlaceholder(palette).waitFor({ state: 'hidden' });
  }

  /** Chooses from a list that is offered, by the arrow keys. */
  async choose(label: string): Promise<void> {
    await this.goTo(label);
    await this.#enter();
  }

  /** Takes what a list offers first, which is the last thing that it asks: VS Code shows a list a moment before it takes keys. */
  async chooseFirst(): Promise<void> {
    await this.#goToFirst();
    await this.#enter();
    await this.window.quickInputWidget.waitFor({ state: 'hidden' });
  }

  /** Runs a command that offers a list, and takes what is first there. */
  async commandAndChooseFirst(command: string): Promise<void> {
    await this.#commandThatAsks(command, this.window.quickPickRows.nth(1), () => this.#goToFirst());
    await this.window.quickInputWidget.waitFor({ state: 'hidden' });
  }

  /** Runs a command that asks something, and answers the first of its questions. */
  async commandAndAnswer(command: string, prompt: string | RegExp, text?: string): Promise<void> {
    await this.#commandThatAsks(command, this.window.stepOf(prompt), () => this.#fillIn(prompt, text));
  }

  /**
   * Runs a command that asks something, goes to the answer and gives it. VS Code gives a view the focus again when its rows have been drawn
   * anew, also where a list or a box has opened within the hundredth of a second before, and a page that opens takes it: they ask for it
   * again, then, which puts the first one away.
   */
  async #commandThatAsks(command: string, question: Locator, goToAnswer: () => Promise<void>): Promise<void> {
    for (let tries = 2; ; tries--) {
      await this.command(command);
      await question.waitFor();
      try {
        await this.#listOrBox.waitFor({ timeout: 5_000 });
        await goToAnswer();
        await pressEnterAt(this.#listOrBox);
        break;
      } catch (error) {
        // Of a question that is still there, it is the answer that can't be given.
        if (tries === 0 || (await this.#listOrBox.isVisible())) {
          throw error;
        }
      }
    }
    await this.findThemselves();
  }

  /** What has the focus in a list or a box that asks something: the arrow keys are for the rows wherever it is there. */
  get #listOrBox(): Locator {
    return this.window.quickInputWidget.locator(':focus');
  }

  /** Goes to a row of a list that is offered, by the arrow keys. */
  async goTo(label: string): Promise<void> {
    await this.window.quickPickRow(label).waitFor();
    await this.findThemselves(this.#listOrBox);
    await this.#walkTo(label, 'ArrowDown');
  }

  /** Goes to the first row of a list, which has it marked by itself. */
  async #goToFirst(): Promise<void> {
    await this.window.quickPickRows.first().and(this.page.locator('.focused')).waitFor();
    await this.findThemselves(this.#listOrBox);
  }

  /** Answers a question; without a text, with what is suggested. */
  async answer(prompt: string | RegExp, text?: string): Promise<void> {
    await this.#fillIn(prompt, text);
    await this.#enter();
  }

  /** Gives the answer that they have gone to. */
  async #enter(): Promise<void> {
    await pressEnterAt(this.#listOrBox);
    await this.findThemselves();
  }

  async #fillIn(prompt: string | RegExp, text: string | undefined): Promise<void> {
    await this.window.step(prompt);
    await this.findThemselves(this.window.quickInput);
    if (text !== undefined) {
      await this.retype(text);
    }
  }

  /** Presses a button of the dialog over the window. */
  async answerDialog(button: string): Promise<void> {
    const dialog = this.page.locator('.monaco-dialog-box');
    await this.reach(dialog.getByRole('button', { name: button, exact: true }));
    await this.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
  }

  /** Waits until they are told something: a message goes after a while, and the list of all messages has it still. */
  async told(text: string | RegExp): Promise<void> {
    try {
      await this.window.notification(text).first().waitFor({ timeout: shownForMs });
    } catch {
      await this.toldInList(text);
    }
  }

  /** The same of a message that VS Code shows in its list alone, since three others are on the screen. */
  async toldInList(text: string | RegExp): Promise<void> {
    await this.paletteCommand('Notifications: Show Notifications');
    await this.window.notification(text).first().waitFor();
    await this.press('Escape');
  }

  /** Presses a button of a message, in the list of all messages. */
  async answerMessage(text: string | RegExp, button: string): Promise<void> {
    await this.paletteCommand('Notifications: Show Notifications');
    const list = this.page.locator('.notifications-center.visible');
    const row = list.locator('.monaco-list-row').filter({ hasText: text }).first();
    await row.waitFor();
    // Until the list has it, keys go to nothing.
    await list.locator(':focus').first().waitFor();
    await this.#pressUntil(row.and(this.page.locator('.focused')), 'ArrowDown', 'Home');
    await this.reach(row.getByRole('button', { name: button, exact: true }));
    await this.press('Enter');
  }

  /** Goes to the stacks view. */
  async goToView(): Promise<void> {
    const view = this.page.locator('.part.sidebar').getByRole('heading', { name: 'Patch Stacks' });
    if (!(await view.first().isVisible())) {
      await this.paletteCommand('View: Show Patch Stacks');
      await view.first().waitFor();
    }
    // Of a row that is selected and being drawn elsewhere VS Code says that there is no such row, and goes nowhere.
    await this.window.tree.settled();
    await this.press('Control+0');
    await this.page.locator('.part.sidebar :focus').first().waitFor();
  }

  /** Goes to a row of the stacks view with the arrow keys. */
  async goToRow(label: string | RegExp): Promise<void> {
    const { tree } = this.window;
    await tree.row(label).first().waitFor();
    await tree.settled();
    await this.#pressUntil(tree.row(label).first().and(this.page.locator('.focused')), 'ArrowDown', 'Home');
  }

  /** Chooses from the menu of the row that they are at. */
  async chooseFromMenu(command: string): Promise<void> {
    await this.press('Shift+F10');
    const item = this.page.locator('.monaco-menu .action-item').filter({
      has: this.page.locator('.action-label', { hasText: new RegExp(`^${titleOf(command)}$`) }),
    });
    await item.first().waitFor();
    await this.#pressUntil(item.and(this.page.locator('.focused')).first(), 'ArrowDown');
    await this.press('Enter');
    this.done.add(command);
  }

  /** Unfolds a row of the stacks view. */
  async unfold(label: string | RegExp): Promise<void> {
    const { tree } = this.window;
    await this.goToRow(label);
    if (!(await tree.expanded(label).first().isVisible())) {
      await this.press('ArrowRight');
      await tree.expanded(label).first().waitFor();
    }
    await tree.settled();
  }

  /** Goes to something with the Tab key: forwards, or back when it stands before where they are. */
  async reach(target: Locator): Promise<void> {
    await target.first().waitFor();
    const isBefore = await target.first().evaluate((element) => {
      const { activeElement } = element.ownerDocument;
      const where = activeElement?.compareDocumentPosition(element) ?? 0;
      return (where & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
    });
    const { what: from } = await this.#whereTheyAre();
    try {
      await this.#pressUntil(target.first(), isBefore ? 'Shift+Tab' : 'Tab', undefined, isFocused);
    } catch (error) {
      throw new Error(`${String(target)} is not reached ${isBefore ? 'back' : 'on'} from ${from}`, {
        cause: error,
      });
    }
  }

  /** Goes to a button with the Tab key, within its toolbar with the arrow keys, and presses it. */
  async pressButton(button: Locator): Promise<void> {
    await button.first().waitFor();
    const toolbar = button.first().locator('xpath=ancestor::*[@role="toolbar"]');
    if ((await toolbar.count()) > 0) {
      const stop = toolbar.locator('[tabindex="0"]');
      if ((await toolbar.locator(':focus').count()) === 0) {
        await this.reach(stop);
      }
      await this.#pressUntil(button.first(), 'ArrowRight', 'Home', isFocused);
    } else {
      await this.reach(button);
    }
    await this.press('Enter');
  }

  /** Waits until something has the focus that is to be seen: what is given, else anything. */
  async findThemselves(at?: Locator): Promise<void> {
    let found = '';
    let outsideSince: number | undefined;
    try {
      await until(async () => {
        // A page that goes or comes at the moment cannot be asked.
        const where = await this.#whereTheyAre().catch((error: unknown) => ({
          isNowhere: true,
          what: String(error),
        }));
        found = where.what;
        // VS Code now and then gives the focus to its own page around ours, and leaves it there (see `leaveListForPage`), or back to
        // the view as the palette closes, after a page has had it: they go to the editor again.
        const isGivenBack = String(at).includes('iframe.webview') && found.endsWith(' of /');
        const isOutside = isGivenBack || found.endsWith(webviewPage);
        outsideSince = isOutside ? (outsideSince ?? performance.now()) : undefined;
        if (outsideSince !== undefined && performance.now() - outsideSince > outsideForMs) {
          outsideSince = undefined;
          this.#givenBack += isGivenBack ? 1 : 0;
          // Again and again it would be us.
          assert.ok(this.#givenBack <= 2, 'pages have not got the focus');
          await this.page.keyboard.press('Control+1');
        }
        return !where.isNowhere && (at === undefined || (await isFocused(at)));
      });
    } catch {
      assert.fail(`the focus is ${at ? `not at ${String(at)}, but ` : ''}at ${found}`);
    }
  }

  /** The element that has the focus, in whatever frame, and whether it is one that nobody could see. */
  async #whereTheyAre(): Promise<{ isNowhere: boolean; what: string }> {
    let frame: Frame = this.page.mainFrame();
    for (;;) {
      const handle = await frame.evaluateHandle(() => {
        let element = document.activeElement;
        while (element?.shadowRoot?.activeElement) {
          element = element.shadowRoot.activeElement;
        }
        return element;
      });
      const element = handle.asElement();
      const inner = await element?.contentFrame();
      if (inner) {
        frame = inner;
        continue;
      }
      return (
        (await element?.evaluate((one) => {
          const what = `${one.outerHTML.slice(0, 200)} of ${location.pathname}`;
          // VS Code itself gives it to nothing where no editor is open.
          const isEmptyWindow =
            document.querySelector('.monaco-workbench') && !document.querySelector('.tab');
          const isPage = one === document.body || one === document.documentElement;
          return {
            isNowhere: isPage ? !isEmptyWindow : !one.checkVisibility({ visibilityProperty: true }),
            what: document.hasFocus() ? what : `${what}, which is not where keys go`,
          };
        })) ?? { isNowhere: true, what: 'nothing' }
      );
    }
  }

  /** Goes in an open list to a row. */
  async #walkTo(label: string, key: string, timeoutMs = 30_000): Promise<void> {
    const row = this.window.quickPickRow(label);
    await row.waitFor({ timeout: timeoutMs });
    await this.#pressUntil(row.and(this.page.locator('.focused')), key);
  }

  /** Presses a key again and again until they are there. */
  async #pressUntil(
    target: Locator,
    key: string,
    first?: string,
    isThere = (one: Locator) => one.isVisible(),
  ): Promise<void> {
    if (await isThere(target)) {
      return;
    }
    if (first !== undefined) {
      await this.press(first);
    }
    for (let step = 0; step < farthest; step++) {
      if (await isThere(target)) {
        return;
      }
      await this.press(key);
    }
    assert.ok(await isThere(target), `not reached with ${key}: ${String(target)}`);
  }
}

/**
 * Presses Enter where a list or a box still has the focus, or not at all: the page of a tab that opens takes the focus when it is there, and
 * the key would go to that.
 */
async function pressEnterAt(focused: Locator): Promise<void> {
  await focused.press('Enter', { timeout: 5_000 });
}

/** Resolves to true when the element has the focus; false also while it, or the page that it is in, is not there. */
async function isFocused(target: Locator): Promise<boolean> {
  try {
    const [element] = await target.elementHandles();
    const isActive = element?.evaluate((one) => {
      const root = one.getRootNode() as Document | ShadowRoot;
      return one === root.activeElement && document.hasFocus();
    });
    return (await isActive) ?? false;
  } catch {
    return false;
  }
}
