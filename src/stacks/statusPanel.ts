import * as vscode from 'vscode';
import { patchStatusesViewType, runCommand } from '../contributions.ts';
import type { Model } from '../model/model.ts';
import type { PatchStatusesHost, PatchStatusesPage, PatchStatusesView } from '../protocol/patchStatuses.ts';
import type { RpcPeer } from '../protocol/rpc.ts';
import { connectToPage, panelOptions, panelSettings, showPage } from '../ui/panelHost.ts';
import type { Disposable } from '../util/disposable.ts';
import { statusesView } from './statusesView.ts';

/** Of which branch the statuses are shown. */
export interface StatusAddress {
  serverUrl: string;
  projectId: string;
  branchId: string;
}

/** The table of patch statuses: one panel, which shows the branch that was asked for last. */
export class StatusPanel implements Disposable {
  readonly #extensionUri: vscode.Uri;
  readonly #model: Model;
  #open: { panel: vscode.WebviewPanel; page: RpcPeer<PatchStatusesHost, PatchStatusesPage> } | undefined;
  #address: StatusAddress | undefined;
  /** The stack that is shown. */
  #stackUuid = '';

  constructor(extensionUri: vscode.Uri, model: Model) {
    this.#extensionUri = extensionUri;
    this.#model = model;
  }

  /** Shows the statuses of the latest stack of a branch. */
  show(address: StatusAddress): void {
    this.#address = address;
    if (this.#open) {
      this.#open.panel.reveal();
      // A hidden page is thrown away by the editor, and asks again when it is shown.
      this.#open.page.request('reload', null).catch(() => undefined);
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      patchStatusesViewType,
      vscode.l10n.t('Patch Statuses'),
      vscode.ViewColumn.Active,
      { ...panelOptions(this.#extensionUri), enableFindWidget: true },
    );
    panel.iconPath = {
      light: vscode.Uri.joinPath(this.#extensionUri, 'media', 'patch-light.svg'),
      dark: vscode.Uri.joinPath(this.#extensionUri, 'media', 'patch-dark.svg'),
    };
    const page = connectToPage<PatchStatusesHost, PatchStatusesPage>(panel.webview, {
      settings: () => panelSettings(),
      load: () => this.#load(),
      openPatch: async ({ changeId }) => {
        if (this.#address) {
          await runCommand('openPatch', { ...this.#address, stackUuid: this.#stackUuid, changeId });
        }
        return null;
      },
    });
    this.#open = { panel, page };
    panel.onDidDispose(() => {
      page.dispose();
      this.#open = undefined;
    });
    showPage(panel.webview, this.#extensionUri, 'patchStatuses');
  }

  dispose(): void {
    this.#open?.panel.dispose();
  }

  async #load(): Promise<PatchStatusesView> {
    const { projectId, branchId } = this.#address ?? { projectId: '', branchId: '' };
    const stack = await this.#model.patchStatuses(projectId, branchId);
    this.#stackUuid = stack.uuid;
    return statusesView(stack, branchId);
  }
}
