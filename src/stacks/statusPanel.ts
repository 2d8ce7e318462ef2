import * as vscode from 'vscode';
import { patchStatusesViewType, runCommand } from '../contributions.ts';
import type { Model } from '../model/model.ts';
import type {
  PatchStatusesHost,
  PatchStatusesPage,
  PatchStatusesState,
  PatchStatusesView,
} from '../protocol/patchStatuses.ts';
import { keptState } from '../protocol/checked.ts';
import type { RpcPeer } from '../protocol/rpc.ts';
import { patchStatusesSchemas, patchStatusesState } from '../protocol/schemas/patchStatuses.ts';
import type { Connection } from '../session/connection.ts';
import type { Log } from '../ui/log.ts';
import { connectToPage, panelOptions, panelSettings, showPage } from '../ui/panelHost.ts';
import type { Disposable } from '../util/disposable.ts';
import { statusesView } from './statusesView.ts';

/** What the table needs of the rest. */
export interface StatusPanelContext {
  extensionUri: vscode.Uri;
  connection: Connection;
  model: Model;
  log: Log;
}

/** The table of patch statuses: one panel, which shows the branch that was asked for last. */
export class StatusPanel implements Disposable {
  readonly #context: StatusPanelContext;
  #open: { panel: vscode.WebviewPanel; page: RpcPeer<PatchStatusesHost, PatchStatusesPage> } | undefined;
  #address: PatchStatusesState | undefined;
  /** The stack that is shown. */
  #stackUuid = '';

  constructor(context: StatusPanelContext) {
    this.#context = context;
  }

  /** Shows the statuses of the latest stack of a branch. */
  show(address: PatchStatusesState): void {
    this.#address = address;
    if (this.#open) {
      this.#open.panel.reveal();
      // A hidden page is thrown away by the editor, and asks again when it is shown.
      this.#open.page.request('reload', null).catch(() => undefined);
      return;
    }
    const panel = vscode.window.createWebviewPanel(patchStatusesViewType, '', vscode.ViewColumn.Active, {
      ...panelOptions(this.#context.extensionUri),
      enableFindWidget: true,
    });
    this.#fill(panel);
  }

  /** Fills a panel that VS Code kept over a reload of the window, if it still knows what it showed. */
  restore(panel: vscode.WebviewPanel, state: unknown): void {
    const kept = keptState(patchStatusesState, state);
    if (!kept || this.#open) {
      panel.dispose();
      return;
    }
    this.#address = kept;
    this.#fill(panel);
  }

  dispose(): void {
    this.#open?.panel.dispose();
  }

  #fill(panel: vscode.WebviewPanel): void {
    const { extensionUri, log } = this.#context;
    panel.title = vscode.l10n.t('Patch Statuses');
    panel.webview.options = panelOptions(extensionUri);
    panel.iconPath = {
      light: vscode.Uri.joinPath(extensionUri, 'media', 'patch-light.svg'),
      dark: vscode.Uri.joinPath(extensionUri, 'media', 'patch-dark.svg'),
    };
    const page = connectToPage<PatchStatusesHost, PatchStatusesPage>(
      panel.webview,
      patchStatusesSchemas,
      {
        settings: () => panelSettings(),
        load: () => this.#load(),
        openPatch: async ({ changeId }) => {
          if (this.#address) {
            await runCommand('openPatch', { ...this.#address, stackUuid: this.#stackUuid, changeId });
          }
          return null;
        },
      },
      log,
    );
    this.#open = { panel, page };
    panel.onDidDispose(() => {
      page.dispose();
      this.#open = undefined;
    });
    showPage(panel.webview, extensionUri, 'patchStatuses');
  }

  async #load(): Promise<PatchStatusesView> {
    const address = this.#address ?? { serverUrl: '', projectId: '', branchId: '' };
    const { connection, model } = this.#context;
    connection.requireServer(address.serverUrl);
    const stack = await model.patchStatuses(address.projectId, address.branchId);
    this.#stackUuid = stack.uuid;
    return { address, ...statusesView(stack, address.branchId, model.me) };
  }
}
