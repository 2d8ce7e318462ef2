import type * as vscode from 'vscode';
import type { PageSchemas } from '../protocol/checked.ts';
import type { Handlers, Methods, RpcPeer } from '../protocol/rpc.ts';
import type { Disposable } from '../util/disposable.ts';
import { inBackground } from '../util/inBackground.ts';
import { ifInTime } from './beginnings.ts';
import type { Log } from './log.ts';
import { PagePanel } from './pagePanel.ts';
import { connectToPage, panelOptions, showPage } from './panelHost.ts';
import { closeUnfilled } from './unfilledTabs.ts';

interface SinglePage {
  /** Begins anew: it is to show something else, or the same as it is now. */
  reload: (parameters: null) => null;
}

export interface SinglePanelParts<Host extends Methods<Host>, Page extends Methods<Page>> {
  viewType: string;
  /** The page of dist/webview. */
  page: string;
  title: () => string;
  /** The name of its icon in media, without the theme. */
  icon: string;
  schemas: PageSchemas<Host, Page>;
  handlers: Handlers<Host>;
  log: Log;
  /** VS Code's options for it; without them, it keeps the page while another tab is in front. */
  options?: vscode.WebviewPanelOptions;
  /** Draws what a new panel begins with, as HTML that is safe to show; undefined where that can't be had yet. */
  beginning?: () => Promise<string | undefined> | undefined;
  /** Called when the person turns to it. */
  onActive?: () => void;
  /** Called when it may be on the screen now, or no longer. */
  onDidChangeVisibility?: () => void;
  /** Called when it is closed. */
  onClose?: () => void;
}

/** A panel of which there is at most one. */
export class SinglePanel<
  Host extends Methods<Host>,
  Page extends SinglePage & Methods<Page>,
> implements Disposable {
  readonly #extensionUri: vscode.Uri;
  readonly #parts: SinglePanelParts<Host, Page>;
  #open: { panel: PagePanel; page: RpcPeer<Host, Page> } | undefined;

  constructor(extensionUri: vscode.Uri, parts: SinglePanelParts<Host, Page>) {
    this.#extensionUri = extensionUri;
    this.#parts = parts;
  }

  /** The page, while the panel is open. */
  get page(): RpcPeer<Host, Page> | undefined {
    return this.#open?.page;
  }

  /** True while the person looks at it. */
  get isActive(): boolean {
    return this.#open?.panel.active === true;
  }

  /** True while it is on the screen. */
  get isVisible(): boolean {
    return this.#open?.panel.visible === true;
  }

  /** Opens the panel, or shows the one that is open. @returns whether it was open. */
  async open(): Promise<boolean> {
    const { viewType, title, options = { retainContextWhenHidden: true } } = this.#parts;
    const turn = await PagePanel.turn(viewType);
    if (this.#open) {
      this.#open.panel.reveal();
      return true;
    }
    inBackground(closeUnfilled(viewType));
    const panel = PagePanel.open(turn, title(), {
      ...panelOptions(this.#extensionUri),
      ...options,
    });
    this.#fill(panel, this.#parts.beginning?.());
    return false;
  }

  /** Opens the panel for something else than before: a page that is open begins anew. */
  async openAnew(): Promise<void> {
    if (await this.open()) {
      this.reload();
    }
  }

  /** Has the page begin anew. */
  reload(): void {
    if (this.#open) {
      this.#open.panel.title = this.#parts.title();
      const page = this.#open.page as RpcPeer<Host, SinglePage>;
      // A page that is being closed does not answer, and one that the editor threw away asks again when it is shown.
      page.request('reload', null).catch(() => undefined);
    }
  }

  /** Says what the page shows. */
  setTitle(title: string): void {
    if (this.#open) {
      this.#open.panel.title = title;
    }
  }

  /** Fills a panel: a new one, or one that VS Code kept over a reload of the window. */
  restore(panel: PagePanel): void {
    this.#fill(panel, undefined);
  }

  dispose(): void {
    this.#open?.panel.dispose();
  }

  #fill(panel: PagePanel, beginning: Promise<string | undefined> | undefined): void {
    this.#open?.panel.dispose();
    const { title, icon, schemas, handlers, log, onActive, onDidChangeVisibility, onClose } = this.#parts;
    panel.title = title();
    panel.setIcon(this.#extensionUri, icon);
    panel.setOptions(panelOptions(this.#extensionUri));
    const open = { panel, page: connectToPage<Host, Page>(panel, schemas, handlers, log) };
    this.#open = open;
    let hasBeginning = false;
    panel.onDidChangeViewState(() => {
      if (panel.active) {
        onActive?.();
      }
      onDidChangeVisibility?.();
      if (!panel.visible && hasBeginning) {
        // By the time that it is shown again, another one would be right.
        hasBeginning = false;
        this.#showPage(panel);
      }
    });
    panel.onDidClose(() => {
      open.page.dispose();
      if (this.#open === open) {
        this.#open = undefined;
        onClose?.();
        onDidChangeVisibility?.();
      }
    });
    onDidChangeVisibility?.();
    if (!beginning) {
      this.#showPage(panel);
      return;
    }
    inBackground(
      ifInTime(beginning).then((html) => {
        if (this.#open === open) {
          hasBeginning = html !== undefined;
          this.#showPage(panel, html);
        }
      }),
    );
  }

  #showPage(panel: PagePanel, beginning?: string): void {
    showPage(panel, this.#extensionUri, this.#parts.page, beginning);
  }
}
