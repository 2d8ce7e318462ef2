import * as vscode from 'vscode';
import { patchDocumentViewType, runCommand, type PatchReference } from '../contributions.ts';
import type { Known, Model } from '../model/model.ts';
import type { Patch } from '../api/resources/patches.ts';
import type {
  Direction,
  PatchDocumentHost,
  PatchDocumentState,
  PatchDocumentView,
  PatchView,
} from '../protocol/patchDocument.ts';
import type { RpcPeer } from '../protocol/rpc.ts';
import { connectToPage, panelOptions, panelSettings, showPage } from '../ui/panelHost.ts';
import { DisposableStore, type Disposable } from '../util/disposable.ts';
import { patchView } from './patchView.ts';

/** The open patch documents: at most one for each patch. */
export class PatchPanels implements Disposable {
  readonly #extensionUri: vscode.Uri;
  readonly #model: Model;
  readonly #activeServer: () => string | undefined;
  readonly #panels = new Set<PatchPanel>();
  #active: PatchPanel | undefined;

  constructor(extensionUri: vscode.Uri, model: Model, activeServer: () => string | undefined) {
    this.#extensionUri = extensionUri;
    this.#model = model;
    this.#activeServer = activeServer;
  }

  /** Opens a patch as a document, or shows the document that is open already. */
  async open(reference: PatchReference): Promise<void> {
    if (!this.#showOpen(reference)) {
      const panel = vscode.window.createWebviewPanel(patchDocumentViewType, '', vscode.ViewColumn.Active, {
        ...panelOptions(this.#extensionUri),
        enableFindWidget: true,
      });
      this.restore(panel, reference);
    }
  }

  /** Fills a panel: a new one, or one that VS Code kept over a reload of the window. */
  restore(panel: vscode.WebviewPanel, reference: PatchReference): void {
    const opened = new PatchPanel(panel, this.#extensionUri, this.#model, reference, this.#activeServer);
    this.#panels.add(opened);
    panel.onDidChangeViewState(() => this.#noteActive(opened, panel.active));
    panel.onDidDispose(() => {
      this.#panels.delete(opened);
      this.#noteActive(opened, false, true);
      opened.dispose();
    });
    this.#noteActive(opened, panel.active);
  }

  /** Opens the patch before or after the one that was looked at last. */
  async openNeighbour(direction: Direction): Promise<void> {
    if (!this.#active) {
      throw new Error(vscode.l10n.t('No patch is open. Open one from the Patch Stacks view.'));
    }
    await this.#openNeighbour(this.#active, direction);
  }

  dispose(): void {
    for (const panel of [...this.#panels]) {
      panel.close();
    }
  }

  #noteActive(panel: PatchPanel, active: boolean, closed = false): void {
    if (active) {
      this.#active = panel;
    } else if (closed && this.#active === panel) {
      this.#active = undefined;
    }
  }

  #showOpen(reference: PatchReference): boolean {
    const open = [...this.#panels].find((panel) => panel.shows(reference));
    open?.bringToFront(reference.sectionCode);
    return open !== undefined;
  }

  /** Reading on stays in the same tab, unless the neighbour has one of its own. */
  async #openNeighbour(panel: PatchPanel, direction: Direction): Promise<void> {
    const neighbour = await panel.neighbour(direction);
    if (!neighbour) {
      throw new Error(
        direction === 'next'
          ? vscode.l10n.t('This is the last patch of the stack.')
          : vscode.l10n.t('This is the first patch of the stack.'),
      );
    }
    if (!this.#showOpen(neighbour)) {
      await panel.navigate(neighbour);
    }
  }
}

/** One patch document: a panel and its conversation with the page. */
class PatchPanel implements Disposable {
  readonly #panel: vscode.WebviewPanel;
  readonly #model: Model;
  readonly #activeServer: () => string | undefined;
  readonly #page: RpcPeer<PatchDocumentHost, PatchDocumentView>;
  readonly #disposables = new DisposableStore();
  #reference: PatchReference;
  #sectionToReveal: string | undefined;

  constructor(
    panel: vscode.WebviewPanel,
    extensionUri: vscode.Uri,
    model: Model,
    reference: PatchReference,
    activeServer: () => string | undefined,
  ) {
    this.#panel = panel;
    this.#model = model;
    this.#reference = reference;
    this.#activeServer = activeServer;
    this.#sectionToReveal = reference.sectionCode;
    panel.title = vscode.l10n.t('Patch');
    panel.iconPath = {
      light: vscode.Uri.joinPath(extensionUri, 'media', 'patch-light.svg'),
      dark: vscode.Uri.joinPath(extensionUri, 'media', 'patch-dark.svg'),
    };
    panel.webview.options = panelOptions(extensionUri);
    this.#page = this.#disposables.add(
      connectToPage<PatchDocumentHost, PatchDocumentView>(panel.webview, {
        settings: () => panelSettings(),
        patch: ({ fresh }) => this.#load(fresh),
        sectionToReveal: () => this.#takeSectionToReveal(),
        diff: ({ code }) => this.#diff(code),
        // Through commands, which tell the person what went wrong; this document is the active one when they click in it.
        openNeighbour: async ({ direction }) => {
          await runCommand(direction === 'next' ? 'nextPatch' : 'previousPatch');
          return null;
        },
        showUser: async ({ login }) => {
          await runCommand('showUser', login);
          return null;
        },
        copy: async ({ text }) => {
          await vscode.env.clipboard.writeText(text);
          return null;
        },
      }),
    );
    this.#disposables.add(
      model.onDidChange((change) => {
        if (
          change.kind === 'all' ||
          (change.kind === 'patch' && isSamePatch(change.address, this.#reference))
        ) {
          void this.#update();
        }
      }),
    );
    showPage(panel.webview, extensionUri, 'patchDocument');
  }

  /** Whether this is the document of a patch. */
  shows(reference: PatchReference): boolean {
    return reference.serverUrl === this.#reference.serverUrl && isSamePatch(reference, this.#reference);
  }

  /** Brings the panel to the front, at a section if one is named. */
  bringToFront(sectionCode: string | undefined): void {
    const wasVisible = this.#panel.visible;
    this.#panel.reveal();
    if (wasVisible && sectionCode !== undefined) {
      // A page that is being closed does not answer: then there is nothing to scroll.
      this.#page.request('reveal', { code: sectionCode }).catch(() => undefined);
    } else {
      this.#sectionToReveal = sectionCode;
    }
  }

  /** Shows another patch in the same tab. */
  async navigate(reference: PatchReference): Promise<void> {
    const { value, ...rest } = await this.#model.patch(reference);
    this.#reference = reference;
    await this.#page.request('show', await this.#view({ value, ...rest }));
  }

  /** The patch before or after this one in its stack. */
  async neighbour(direction: Direction): Promise<PatchReference | undefined> {
    const place = await this.#model.stackOfPatch(this.#reference);
    if (!place) {
      throw new Error(vscode.l10n.t('It is not known which stack this patch belongs to.'));
    }
    const index = place.patches.findIndex((patch) => patch.changeId === this.#reference.changeId);
    const neighbour = index < 0 ? undefined : place.patches[index + (direction === 'next' ? 1 : -1)];
    return neighbour && { ...this.#reference, changeId: neighbour.changeId, sectionCode: undefined };
  }

  /** Closes the tab. */
  close(): void {
    this.#panel.dispose();
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  async #load(fresh: boolean): Promise<PatchView> {
    const { serverUrl } = this.#reference;
    if (serverUrl !== this.#activeServer()) {
      throw new Error(vscode.l10n.t('This patch is on {0}. Sign in to that server to read it.', serverUrl));
    }
    return this.#view(
      await (fresh ? this.#model.refreshPatch(this.#reference) : this.#model.patch(this.#reference)),
    );
  }

  async #view(known: Known<Patch>): Promise<PatchView> {
    const { serverUrl, projectId, branchId, stackUuid, changeId } = this.#reference;
    // The place in the stack is an extra: the patch is worth reading without it.
    const place = await this.#model.stackOfPatch(this.#reference).catch(() => undefined);
    const view = patchView(
      {
        serverUrl,
        ...(projectId !== undefined && { projectId }),
        ...(branchId !== undefined && { branchId }),
        stackUuid,
        changeId,
      },
      known.value,
      place,
      known.failure ? known.asOf : undefined,
    );
    this.#panel.title = view.title;
    return view;
  }

  /** Shows what the model knows now. A failure leaves what is on the page: it is told when the page asks itself. */
  async #update(): Promise<void> {
    if (!this.#panel.visible) {
      // A hidden page is thrown away by the editor, and asks again when it is shown.
      return;
    }
    try {
      await this.#page.request('show', await this.#load(false));
    } catch {
      return;
    }
  }

  #takeSectionToReveal(): string | null {
    const code = this.#sectionToReveal;
    this.#sectionToReveal = undefined;
    return code ?? null;
  }

  async #diff(code: string): Promise<string> {
    const { value } = await this.#model.patch(this.#reference);
    const section = value.sections?.find((candidate) => candidate.code === code);
    if (section?.sectionType !== 'diff') {
      throw new Error(vscode.l10n.t('The section no longer exists.'));
    }
    return section.diffPatch ?? '';
  }
}

/** Fills a panel that VS Code kept over a reload of the window, if it still knows which patch it showed. */
export function restorePatchPanel(panels: PatchPanels, panel: vscode.WebviewPanel, state: unknown): void {
  const { serverUrl, stackUuid, changeId, ...rest } = (state ?? {}) as Partial<PatchDocumentState>;
  if (serverUrl === undefined || stackUuid === undefined || changeId === undefined) {
    panel.dispose();
    return;
  }
  panels.restore(panel, { ...rest, serverUrl, stackUuid, changeId });
}

function isSamePatch(
  a: { stackUuid: string; changeId: string },
  b: { stackUuid: string; changeId: string },
): boolean {
  return a.stackUuid === b.stackUuid && a.changeId === b.changeId;
}
