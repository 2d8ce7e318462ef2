/**
 * VS Code's window as a person meets it: the palette, the tree, notifications, editors. Nothing here waits for a time to
 * pass: every step waits until the window shows what the next one needs.
 */
import path from 'node:path';
import type { Browser, Frame, FrameLocator, Locator, Page } from 'playwright-core';
import { testFolder } from '../../tools/provision.ts';
import { commandKey, giveKey } from './commandKeys.ts';
import { listenTo } from './ownErrors.ts';
import { slowDown } from './slowPage.ts';
import { patienceMs, until } from './until.ts';
import type { WindowConsole } from './windowConsole.ts';

/** Milliseconds without a change after which rows are taken to stay as they are. */
const settledAfterMs = 300;

/** Milliseconds after which VS Code has taken an information off the screen that came at once. */
const shownForMs = 10_000;

/** Milliseconds from one look of VS Code whether a page has the focus to the next; see `leaveListForPage`. */
const pageFocusLookMs = 250;

export interface WorkbenchOptions {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: 'light' | 'dark';
  readonly locale?: string;
  readonly deviceScaleFactor?: number;
  /** Errors of ours that there may be in it. */
  readonly expectedErrors?: RegExp | undefined;
}

export class Workbench {
  /** What the window has written to its console, and the errors of ours in it and in its pages. */
  readonly console: WindowConsole;
  readonly page: Page;
  private readonly end: () => Promise<void>;

  private constructor(page: Page, end: () => Promise<void>, expectedErrors?: RegExp) {
    this.page = page;
    this.end = end;
    this.console = listenTo(page, expectedErrors);
  }

  /** Everything the window has written to its console: for the message of a test that fails. */
  get consoleLines(): readonly string[] {
    return this.console.lines;
  }

  /** Opens a window and waits until the workbench is there and the extensions are being started. */
  static async open(browser: Browser, url: string, options: WorkbenchOptions = {}): Promise<Workbench> {
    const { width = 1280, height = 800, expectedErrors, ...rest } = options;
    const context = await browser.newContext({ viewport: { width, height }, ...rest });
    const page = await context.newPage();
    const end = async (): Promise<void> => {
      // A page that goes with its context doesn't tell its server: its extension host would work on, beside those of the next windows.
      await page.close();
      await context.close();
    };
    return Workbench.openIn(page, url, end, expectedErrors);
  }

  /** Opens a window in a page that is there already: windows of one context share what the browser keeps. */
  static async openIn(
    page: Page,
    url: string,
    end = () => page.close(),
    expectedErrors?: RegExp,
  ): Promise<Workbench> {
    page.setDefaultTimeout(patienceMs);
    const workbench = new Workbench(page, end, expectedErrors);
    await slowDown(page);
    await page.goto(url);
    await page.locator('.monaco-workbench .part.statusbar').waitFor();
    return workbench;
  }

  async close(): Promise<void> {
    await this.end();
  }

  /**
   * Ends the window as when its browser crashes. A page that is closed may still tell its server, which then ends the extension
   * host, or may have no time to: this one never has.
   */
  async crash(): Promise<void> {
    const session = await this.page.context().newCDPSession(this.page);
    const crashed = this.page.waitForEvent('crash');
    // A page that has crashed doesn't answer.
    await Promise.race([crashed, session.send('Page.crash').then(() => crashed)]);
    await this.end();
  }

  /**
   * Runs a command, through the palette unless the tests' VS Code has a key of its own for it; the title is the whole one, with
   * its category: "Patch Stacks: Refresh".
   */
  async runCommand(title: string): Promise<void> {
    if (commandKey(title) !== undefined) {
      await this.page.keyboard.press('Escape');
      if (await this.#runByKey(title)) {
        return;
      }
    }
    // The palette's list does not learn of commands that extensions register after it was filled, and the palette closes
    // when something else takes the focus, such as a view or a list that shows itself.
    const palette = this.page.getByPlaceholder('Type the name of a command to run.');
    for (const end = Date.now() + patienceMs; ;) {
      try {
        if (!(await palette.isVisible())) {
          await this.page.keyboard.press('Escape');
          await this.page.keyboard.press('Control+Shift+P');
        }
        // Not typed: what takes the focus at that moment would get it, such as an editor.
        for (const text of ['>', `>${title}`]) {
          await palette.evaluate(
            (input: HTMLInputElement, value) => {
              input.value = value;
              input.dispatchEvent(new Event('input', { bubbles: true }));
            },
            text,
            { timeout: 1000 },
          );
        }
        await this.quickPickRow(title).waitFor({ timeout: 1000 });
        // Time enough for a busy machine: a click that has worked and is said not to have would be made twice.
        await this.quickPickRow(title).click({ timeout: 15_000 });
        break;
      } catch (error) {
        if (Date.now() > end) {
          throw error;
        }
      }
    }
  }

  /** The same, but what has the focus and what is selected stays so: Escape takes the selection of a tree away. */
  async runCommandHere(title: string): Promise<void> {
    if (await this.#runByKey(title)) {
      return;
    }
    const palette = this.page.getByPlaceholder('Type the name of a command to run.');
    // VS Code hears no key while it loads a page that is to have the focus.
    for (const end = Date.now() + patienceMs; !(await palette.isVisible());) {
      await this.page.keyboard.press('Control+Shift+P');
      await palette.waitFor({ timeout: 5_000 }).catch((error: unknown) => {
        if (Date.now() > end) {
          throw error;
        }
      });
    }
    await this.runCommand(title);
  }

  /** Returns false when the command has no key, or none yet. */
  async #runByKey(title: string): Promise<boolean> {
    const key = commandKey(title);
    return key !== undefined && (await this.page.evaluate(giveKey, key));
  }

  /** Reloads the window as VS Code itself does, which writes down what is open first. */
  async reload(): Promise<void> {
    const loaded = this.page.waitForEvent('load');
    await this.runCommand('Developer: Reload Window');
    await loaded;
    await this.page.locator('.monaco-workbench .part.statusbar').waitFor();
  }

  /** The box of the palette, of pick lists and of input boxes. */
  get quickInput(): Locator {
    return this.quickInputWidget.locator('.quick-input-box input');
  }

  /** The rows of the list that a command offers. */
  get quickPickRows(): Locator {
    return this.quickInputWidget.locator('.quick-input-list .monaco-list-row');
  }

  quickPickRow(label: string): Locator {
    return this.quickPickRows
      .filter({ has: this.page.locator('.label-name', { hasText: exactly(label) }) })
      .first();
  }

  async pick(label: string): Promise<void> {
    await this.quickPickRow(label).click();
  }

  async type(text: string): Promise<void> {
    await this.quickInput.fill(text);
    await this.acceptInput();
  }

  /** Accepts what stands in the box, also when something else has just taken the focus. */
  async acceptInput(): Promise<void> {
    await this.quickInput.press('Enter');
  }

  /**
   * The widget around the box while it is open: its title, what it asks for, what it says is wrong. One that is put away keeps the
   * rows of its last list, and the next list writes over them: who finds a row there clicks what has come in its place.
   */
  get quickInputWidget(): Locator {
    return this.page.locator('.quick-input-widget:not([style*="display: none"])');
  }

  /**
   * Puts away the list or box that was opened from a page, which gets the focus back. VS Code's frame around the page looks now and
   * then whether the focus is there. When the list is gone before VS Code hears that it wasn't, the focus ends in that frame, and no
   * key reaches the page. A person is hardly that fast.
   */
  async leaveListForPage(): Promise<void> {
    const around = this.page.frameLocator('iframe.webview.ready:visible').locator('body');
    // Of two timers in a frame, the one that ends first is heard first.
    await around.evaluate(
      (_body, ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      pageFocusLookMs + 1,
    );
    await this.page.keyboard.press('Escape');
  }

  /** Waits for the step of a form that asks for this, and says what stands in its box. */
  async step(prompt: string | RegExp): Promise<string> {
    await this.stepOf(prompt).waitFor();
    return this.quickInput.inputValue();
  }

  /** The step of a form that asks for this. */
  stepOf(prompt: string | RegExp): Locator {
    return this.quickInputWidget.getByText(prompt).first();
  }

  /** The tree in the side bar. */
  get tree(): TreeView {
    return new TreeView(this.page);
  }

  /** Takes back what was changed last in these words, from the list of recent changes. */
  async undoRecentChange(what: string): Promise<void> {
    await this.runCommand('Patch Stacks: Show Recent Changes');
    await this.pick(what);
    await this.pick('Undo');
  }

  /** The item of the status bar that shows this text. */
  statusBarItem(text: string): Locator {
    return this.page.locator('.part.statusbar .statusbar-item').filter({ hasText: text });
  }

  /** The messages that are on the screen, by themselves or in VS Code's list of them. */
  get notifications(): Locator {
    return this.page.locator(
      ':is(.notifications-toasts, .notifications-center).visible .notification-list-item',
    );
  }

  notification(text: string | RegExp): Locator {
    return this.notifications.filter({ hasText: text });
  }

  /**
   * Waits until the person is told something. VS Code takes a message off the screen after a while, and neither shows the
   * fourth within a moment nor what has come before `Escape` was pressed: its list has them all until they are answered.
   */
  async told(text: string | RegExp): Promise<void> {
    const message = this.notification(text).first();
    try {
      await message.waitFor({ timeout: shownForMs });
    } catch {
      await this.#showAllMessages();
      await message.waitFor();
    }
  }

  /** The same where four messages may come within 800 ms: VS Code shows three of them, and the others in its list alone. */
  async toldInList(text: string | RegExp): Promise<void> {
    await this.#showAllMessages();
    await this.notification(text).first().waitFor();
    await this.#bell.click();
    await this.#allMessages.waitFor({ state: 'hidden' });
  }

  /** VS Code's list of all messages, while it is on the screen. */
  get #allMessages(): Locator {
    return this.page.locator('.notifications-center.visible');
  }

  /** Shows that list, and puts it away again. */
  get #bell(): Locator {
    return this.page.locator('.statusbar-item[id="status.notifications"]');
  }

  async #showAllMessages(): Promise<void> {
    if (!(await this.#allMessages.isVisible())) {
      await this.#bell.click();
    }
    await this.#allMessages.waitFor();
  }

  /** The element that has the focus in the window, and then in each frame that has it. For the message of a test that fails. */
  async focusedElements(): Promise<string[]> {
    const inFrames = this.page.frames().map(async (frame) => {
      try {
        return await frame.locator('html').evaluate(
          ({ dataset }) => {
            const focused = document.hasFocus() ? document.activeElement : null;
            const [tag] = /^<[^>]{0,200}/.exec(focused?.outerHTML ?? '') ?? [];
            return tag === undefined ? [] : [`${tag}> ${JSON.stringify(dataset)}`];
          },
          undefined,
          { timeout: 2_000 },
        );
      } catch {
        // A frame that is gone or frozen tells nothing.
        return [];
      }
    });
    return (await Promise.all(inFrames)).flat();
  }

  /** The tabs, that in front marked, and how each page begins. For the message of a test that fails. */
  async shownPages(): Promise<string[]> {
    try {
      const tabs = await this.page
        .locator('.tabs-container .tab')
        .evaluateAll((all) =>
          all.map((tab) => `${tab.classList.contains('active') ? 'in front: ' : ''}${tab.ariaLabel ?? ''}`),
        );
      const pages = this.page.frames().filter((frame) => frame.url().includes('/webview/browser/pre/'));
      return [...tabs, ...(await Promise.all(pages.map(beginningOf)))];
    } catch {
      // A window that is gone or frozen tells nothing.
      return [];
    }
  }

  /** The messages that the person has not answered, also when they are off the screen. For the message of a test that fails. */
  async allTold(): Promise<string[]> {
    try {
      if ((await this.notifications.count()) === 0) {
        await this.#bell.click({ timeout: 5_000 });
      }
      const texts = await this.notifications.allInnerTexts();
      await this.page.keyboard.press('Escape');
      return texts.map((text) => text.replaceAll(/\s+/g, ' ').trim());
    } catch {
      // A window that is gone or frozen tells nothing.
      return [];
    }
  }

  /** Presses a button of a notification. */
  async answerNotification(text: string | RegExp, button: string): Promise<void> {
    await this.told(text);
    await this.notification(text).getByRole('button', { name: button }).click();
  }

  editorTab(title: string): Locator {
    return this.page.locator('.tabs-container .tab').filter({ hasText: title });
  }

  /** Takes all messages away, but those of what is still going on. */
  async clearNotifications(): Promise<void> {
    const going = this.page.locator('.monaco-progress-container.active');
    const told = this.notifications.filter({ hasNot: going });
    // One may still come when the others are taken away, and stays then.
    await until(async () => {
      await this.runCommandHere('Notifications: Clear All Notifications');
      await told.first().waitFor({ state: 'hidden', timeout: settledAfterMs });
      return true;
    });
  }

  /** Closes all editors, if there are any. */
  async closeAllEditors(): Promise<void> {
    const tabs = this.editorTab('');
    if ((await tabs.count()) > 0) {
      await this.runCommand('View: Close All Editors');
      await tabs.first().waitFor({ state: 'detached' });
    }
  }

  /** Closes the editor that is shown. */
  async closeEditor(): Promise<void> {
    const shown = this.page.locator('.tabs-container .tab.active');
    const title = await shown.textContent();
    await shown.getByRole('button', { name: /^Close/ }).click();
    await shown.filter({ hasText: title ?? '' }).waitFor({ state: 'detached' });
  }

  /**
   * Reads all of the patch whose document is open: what is on the screen for a second was read, so it is all on the screen for
   * as long as it takes.
   */
  async readAll(title: string): Promise<void> {
    const size = this.page.viewportSize() ?? { width: 1280, height: 800 };
    await this.page.setViewportSize({ ...size, height: 6000 });
    // It may be scrolled further than it need be now.
    await this.webview.locator('h1').first().scrollIntoViewIfNeeded();
    await this.tree.row(title).and(this.page.locator('[aria-label*=", read,"]')).waitFor();
    await this.page.setViewportSize(size);
  }

  /**
   * The extension's document in the webview that is shown: a webview is a frame with VS Code's own page, which holds the
   * frame with the document.
   */
  get webview(): FrameLocator {
    return this.page.frameLocator('iframe.webview.ready:visible').frameLocator('iframe#active-frame');
  }

  /** Opens a walkthrough by its title. @returns its ticked steps. */
  async openWalkthrough(title: string): Promise<Locator> {
    await this.runCommand('Welcome: Open Walkthrough...');
    await this.quickInput.fill(title);
    // By key: the hint of the row comes between it and a mouse that rests there.
    await this.quickPickRow(title).and(this.page.locator('.focused')).waitFor();
    await this.acceptInput();
    const steps = this.page.locator('.getting-started-step');
    return steps.filter({ has: this.page.locator('.codicon-getting-started-step-checked') });
  }

  /** The document of the webview whose editor has this title, brought to the front. */
  async webviewFrame(title: string): Promise<FrameLocator> {
    await this.editorTab(title).first().click();
    return this.webview;
  }

  /**
   * Waits until the patch document that is shown has the focus, and VS Code knows: it gives it that a moment after it has opened it, and
   * learns a moment later than the page where in it that is.
   */
  async focusInPatch(place: 'document' | 'section' = 'document'): Promise<void> {
    const focused = place === 'section' ? '[data-keys="section"]' : '[data-keys]:not([data-keys="none"])';
    await this.webview.locator(`html${focused}`).waitFor();
  }

  /**
   * Presses a key of the patch document that is shown, once VS Code knows that the focus is there.
   *
   * @param place what has to have the focus for the key to act.
   */
  async pressInPatch(key: string, place?: 'document' | 'section'): Promise<void> {
    await this.focusInPatch(place);
    await this.page.keyboard.press(key);
  }

  /**
   * Presses a key until there is a sign that it was heard. While VS Code gives the focus back, such as after a dialog, it hears none, and
   * nothing on the screen tells when it does again.
   */
  async pressUntil(key: string, sign: Locator): Promise<void> {
    for (const end = Date.now() + patienceMs; !(await sign.isVisible());) {
      await this.page.keyboard.press(key);
      await sign.waitFor({ timeout: 5_000 }).catch((error: unknown) => {
        if (Date.now() > end) {
          throw error;
        }
      });
    }
  }

  /**
   * Answers VS Code's dialog for a file. One in which a look into a folder was cut off by another one takes no Enter any more: it is left and
   * opened again, twice at most.
   *
   * @param open opens the dialog, and waits until it has looked into its first folder.
   * @param seen what the dialog shows of the folder of the file.
   */
  async chooseFile(open: () => Promise<unknown>, file: string, seen: Locator): Promise<void> {
    const isLeft = (timeoutMs: number): Promise<boolean> =>
      this.quickInput.waitFor({ state: 'hidden', timeout: timeoutMs }).then(
        () => true,
        () => false,
      );
    for (let triesLeft = 2; ; triesLeft--) {
      await open();
      await this.quickInput.fill(file);
      await seen.waitFor();
      await this.page.keyboard.press('Enter');
      if (await isLeft(10_000)) {
        return;
      }
      if (triesLeft === 0) {
        throw new Error("VS Code's dialog takes no Enter.");
      }
      await this.page.keyboard.press('Escape');
      await isLeft(10_000);
    }
  }

  /** Drags the edge of the side bar to the right. */
  async widenSideBar(pixels: number): Promise<void> {
    const { mouse } = this.page;
    const box = await this.page.locator('.part.sidebar').boundingBox();
    if (box !== null) {
      const [x, y] = [box.x + box.width + 1, box.y + box.height / 2];
      await mouse.move(x, y);
      await mouse.down();
      await mouse.move(x + pixels, y, { steps: 5 });
      await mouse.up();
    }
  }

  async screenshot(name: string, folder?: string): Promise<string> {
    const file = picturePath(name, folder);
    await this.page.screenshot({ path: file });
    return file;
  }
}

class TreeView {
  private readonly page: Page;
  /** The tree itself, which holds the keyboard's focus for its rows. */
  readonly tree: Locator;
  readonly rows: Locator;

  constructor(page: Page) {
    this.page = page;
    this.tree = page.locator('.part.sidebar .customview-tree .monaco-list');
    this.rows = this.tree.locator('.monaco-list-row');
  }

  /** A row by its label: the whole text, or a pattern. */
  row(label: string | RegExp): Locator {
    const pattern = typeof label === 'string' ? exactly(label) : label;
    return this.rows.filter({ has: this.page.locator('.label-name', { hasText: pattern }) });
  }

  /** The labels of the rows that are on screen. */
  async labels(): Promise<string[]> {
    return this.rows.locator('.label-name').allInnerTexts();
  }

  /** The row, while the rows below it are shown. */
  expanded(label: string | RegExp): Locator {
    return this.row(label).and(this.page.locator('[aria-expanded="true"]'));
  }

  /** The row, while the rows below it are hidden. */
  collapsed(label: string | RegExp): Locator {
    return this.row(label).and(this.page.locator('[aria-expanded="false"]'));
  }

  async expand(label: string | RegExp): Promise<void> {
    const row = this.row(label).first();
    const expanded = this.expanded(label).first();
    await row.and(this.page.locator('[aria-expanded]')).waitFor();
    // A row that moves to another place while it is clicked is closed there.
    for (const end = Date.now() + patienceMs; !(await expanded.isVisible());) {
      await row.locator('.monaco-tl-twistie').click();
      await expanded.waitFor({ timeout: 5_000 }).catch((error: unknown) => {
        if (Date.now() > end) {
          throw error;
        }
      });
    }
  }

  /** Opens what the row stands for, as a click does. */
  async open(label: string | RegExp): Promise<void> {
    await this.row(label).first().click();
  }

  /** Waits until nothing of the rows changes any more: while VS Code draws rows again, it does not know those below them. */
  async settled(): Promise<void> {
    await this.page.locator('.part.sidebar .monaco-progress-container.active').waitFor({ state: 'hidden' });
    await this.tree.evaluate(
      (tree, quiet) =>
        new Promise<void>((resolve) => {
          const observer = new MutationObserver(() => {
            clearTimeout(timer);
            timer = setTimeout(end, quiet);
          });
          const end = (): void => {
            observer.disconnect();
            resolve();
          };
          let timer = setTimeout(end, quiet);
          observer.observe(tree, { childList: true, subtree: true, attributes: true, characterData: true });
        }),
      settledAfterMs,
    );
  }

  /** Chooses a command from the context menu of a row. */
  async chooseFromMenu(label: string | RegExp, command: string): Promise<void> {
    // The key that does the same stands beside it.
    const name = this.page.locator('.action-label', { hasText: exactly(command) });
    const items = this.page.locator('.monaco-menu .action-item');
    const item = items.filter({ has: name });
    await this.row(label).first().waitFor();
    for (let triesLeft = 2; ; triesLeft--) {
      await this.settled();
      await this.row(label).first().click({ button: 'right' });
      await items.first().waitFor();
      if (triesLeft === 0 || (await item.first().isVisible())) {
        break;
      }
      // Rows that came above it have put another one under the pointer.
      await this.page.keyboard.press('Escape');
      await items.first().waitFor({ state: 'hidden' });
    }
    // A menu takes no click in its first moments, for it could be the end of the one that opened it; a key it takes.
    await item.first().hover();
    await item.and(this.page.locator('.focused')).waitFor();
    await this.page.keyboard.press('Enter');
  }

  /** Presses a button in the title of the view. */
  async pressInTitle(name: string): Promise<void> {
    await this.page.locator('.part.sidebar .title-actions').getByRole('button', { name }).click();
  }

  /** Drags a row onto another: slowly, for VS Code looks at each place on the way. */
  async drag(label: string | RegExp, target: string | RegExp): Promise<void> {
    const { mouse } = this.page;
    const name = (of: string | RegExp): Locator => this.row(of).first().locator('.label-name');
    await name(label).hover();
    await this.settled();
    await mouse.down();
    const box = await name(target).boundingBox();
    if (box) {
      await mouse.move(box.x + 20, box.y + box.height / 2, { steps: 10 });
      await mouse.move(box.x + 22, box.y + box.height / 2, { steps: 2 });
    }
    await this.row(target).first().and(this.page.locator('.drop-target')).waitFor();
    await mouse.up();
  }

  /** Walks with the arrow keys to a row that is on screen, without opening any. */
  async focusRow(label: string | RegExp): Promise<void> {
    const focused = this.row(label).first().and(this.page.locator('.focused'));
    await this.row(label).first().waitFor();
    await this.tree.focus();
    await this.page.keyboard.press('Home');
    for (let step = await this.rows.count(); step > 0 && !(await focused.isVisible()); step -= 1) {
      await this.page.keyboard.press('ArrowDown');
    }
    await focused.waitFor();
  }

  /** The text shown where there are no rows. */
  get welcome(): Locator {
    return this.page.locator('.part.sidebar .welcome-view-content');
  }
}

/** Where a frame of a page is, which VS Code calls pending until it shows it, and its first words. */
async function beginningOf(frame: Frame): Promise<string> {
  const told = await frame
    .locator('html')
    .evaluate(
      () => {
        const words = document.body.innerText.replaceAll(/\s+/g, ' ').slice(0, 200);
        return `${window.frameElement?.id ?? ''} ${document.readyState}: ${words}`;
      },
      undefined,
      { timeout: 2_000 },
    )
    .catch((error: unknown) => `tells nothing: ${String(error).slice(0, 100)}`);
  return `page ${path.basename(new URL(frame.url()).pathname)} ${told}`;
}

/** The file for a picture; Playwright makes its folder. */
function picturePath(name: string, folder = path.join(testFolder, 'screenshots')): string {
  return path.join(folder, `${name}.png`);
}

function exactly(text: string): RegExp {
  return new RegExp(`^\\s*${text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}\\s*$`);
}
