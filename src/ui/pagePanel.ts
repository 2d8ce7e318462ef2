import * as vscode from 'vscode';
import type { Disposable } from '../util/disposable.ts';
import { PageTurns, type PageTurn } from './pageTurns.ts';

/** Of all pages of the window. */
const turns = new PageTurns();

/**
 * A tab with a page of ours, and the only place that touches `vscode.WebviewPanel`: that throws for whatever is done with it once
 * it is closed, which the person may do at any moment that something is awaited in. This one hears of it first, and then nothing
 * that is set has an effect, and it is neither visible nor active.
 */
export class PagePanel implements Disposable {
  readonly #panel: vscode.WebviewPanel;
  readonly #webview: vscode.Webview;
  #isClosed = false;

  /** @param panel without a listener yet: those that are added here later hear of its end after it. */
  constructor(panel: vscode.WebviewPanel) {
    this.#panel = panel;
    this.#webview = panel.webview;
    panel.onDidDispose(() => (this.#isClosed = true));
    turns.note(panel);
  }

  /** Waits until another tab of a kind may be opened. */
  static turn(viewType: string): Promise<PageTurn> {
    return turns.next(viewType);
  }

  /** Opens a tab where the person is. */
  static open(
    { viewType }: PageTurn,
    title: string,
    options: vscode.WebviewPanelOptions & vscode.WebviewOptions,
  ): PagePanel {
    return new PagePanel(
      vscode.window.createWebviewPanel(viewType, title, vscode.ViewColumn.Active, options),
    );
  }

  /** Gives the tab to a new owner. For this one it is closed from now on: what was still under way here has no effect there. */
  handOn(): PagePanel {
    this.#isClosed = true;
    return new PagePanel(this.#panel);
  }

  /** True from the moment on in which the tab was closed, or handed on. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** True while the page is on the screen. */
  get visible(): boolean {
    return !this.#isClosed && this.#panel.visible;
  }

  /** True while it is the tab that the person is in. */
  get active(): boolean {
    return !this.#isClosed && this.#panel.active;
  }

  /** The group of editors that it is in; undefined for one that is closed, or hidden. */
  get viewColumn(): vscode.ViewColumn | undefined {
    return this.#isClosed ? undefined : this.#panel.viewColumn;
  }

  get title(): string {
    return this.#isClosed ? '' : this.#panel.title;
  }

  set title(title: string) {
    if (!this.#isClosed) {
      this.#panel.title = title;
    }
  }

  /** Shows an icon of the folder media, by its name without the theme. */
  setIcon(extensionUri: vscode.Uri, name: string): void {
    if (!this.#isClosed) {
      const file = (theme: 'light' | 'dark'): vscode.Uri =>
        vscode.Uri.joinPath(extensionUri, 'media', `${name}-${theme}.svg`);
      this.#panel.iconPath = { light: file('light'), dark: file('dark') };
    }
  }

  /** Sets the options of the page, which VS Code does not keep over a reload of the window. */
  setOptions(options: vscode.WebviewOptions): void {
    if (!this.#isClosed) {
      this.#webview.options = options;
    }
  }

  /** Loads a page. @param html makes it, from what names its files. */
  setHtml(html: (names: Pick<vscode.Webview, 'asWebviewUri' | 'cspSource'>) => string): void {
    if (!this.#isClosed) {
      this.#webview.html = html(this.#webview);
    }
  }

  /** Sends the page a message, which no one takes once it is closed. */
  post(message: unknown): void {
    if (!this.#isClosed) {
      this.#webview.postMessage(message).then(undefined, () => undefined);
    }
  }

  /** Calls a listener with each message of the page. */
  onDidReceiveMessage(listener: (message: unknown) => unknown): Disposable {
    return this.#webview.onDidReceiveMessage(listener);
  }

  /** Calls a listener when the tab comes to the front, or is hidden, but not when it is closed. */
  onDidChangeViewState(listener: () => unknown): Disposable {
    return this.#panel.onDidChangeViewState(() => {
      if (!this.#isClosed) {
        listener();
      }
    });
  }

  /** Calls a listener once the tab is closed. */
  onDidClose(listener: () => unknown): Disposable {
    return this.#panel.onDidDispose(listener);
  }

  /** Brings the tab to the front, with the focus. */
  reveal(): void {
    if (!this.#isClosed) {
      this.#panel.reveal();
    }
  }

  /** Closes the tab. */
  dispose(): void {
    if (!this.#isClosed) {
      this.#panel.dispose();
    }
  }
}

/** True for the tab of a page of ours. */
export function isTabOf(viewType: string, { input }: vscode.Tab): boolean {
  // VS Code puts something of its own before it.
  return input instanceof vscode.TabInputWebview && input.viewType.endsWith(viewType);
}

/** Has tabs of a kind filled again after a reload of the window, with the state that their page has kept. */
export function restorePanels(
  viewType: string,
  restore: (panel: PagePanel, state: unknown) => unknown,
): Disposable {
  return vscode.window.registerWebviewPanelSerializer(viewType, {
    deserializeWebviewPanel: async (panel, state) => {
      await restore(new PagePanel(panel), state);
    },
  });
}
