import * as vscode from 'vscode';
import { patchStatusesViewType } from '../contributions.ts';
import type { Model } from '../model/model.ts';
import type {
  PatchStatusesHost,
  PatchStatusesPage,
  PatchStatusesState,
  PatchStatusesView,
} from '../protocol/patchStatuses.ts';
import { keptState } from '../protocol/checked.ts';
import { patchStatusesSchemas, patchStatusesState } from '../protocol/schemas/patchStatuses.ts';
import type { Connection } from '../session/connection.ts';
import type { PagePanel } from '../ui/pagePanel.ts';
import { runCommand } from '../ui/commands.ts';
import type { Log } from '../ui/log.ts';
import { panelSettings } from '../ui/panelHost.ts';
import { SinglePanel } from '../ui/singlePanel.ts';
import type { Disposable } from '../util/disposable.ts';
import { statusesView } from './statusesView.ts';

interface StatusPanelContext {
  extensionUri: vscode.Uri;
  connection: Connection;
  model: Model;
  log: Log;
}

/** The table of patch statuses: one panel, which shows the branch that was asked for last. */
export class StatusPanel implements Disposable {
  readonly #context: StatusPanelContext;
  readonly #panel: SinglePanel<PatchStatusesHost, PatchStatusesPage>;
  #branchRef: PatchStatusesState | undefined;
  /** The stack that is shown. */
  #stackUuid = '';

  constructor(context: StatusPanelContext) {
    this.#context = context;
    this.#panel = new SinglePanel<PatchStatusesHost, PatchStatusesPage>(context.extensionUri, {
      viewType: patchStatusesViewType,
      page: 'patchStatuses',
      title: () => vscode.l10n.t('Patch Statuses'),
      icon: 'patch',
      schemas: patchStatusesSchemas,
      handlers: {
        settings: () => panelSettings(),
        load: () => this.#load(),
        openPatch: async ({ changeId }) => {
          if (this.#branchRef) {
            await runCommand('openPatch', { ...this.#branchRef, stackUuid: this.#stackUuid, changeId });
          }
          return null;
        },
      },
      log: context.log,
      options: { enableFindWidget: true },
    });
  }

  /** Shows the statuses of the latest stack of a branch. */
  show(branchRef: PatchStatusesState): void {
    this.#branchRef = branchRef;
    this.#panel.openAnew();
  }

  /** Fills a panel that VS Code kept over a reload of the window, if it still knows what it showed. */
  restore(panel: PagePanel, state: unknown): void {
    const kept = keptState(patchStatusesState, state);
    if (!kept || this.#panel.page) {
      panel.dispose();
      return;
    }
    this.#branchRef = kept;
    this.#panel.restore(panel);
  }

  dispose(): void {
    this.#panel.dispose();
  }

  async #load(): Promise<PatchStatusesView> {
    const branchRef = this.#branchRef ?? { serverUrl: '', projectId: '', branchId: '' };
    const { connection, model } = this.#context;
    connection.requireServer(branchRef.serverUrl);
    const stack = await model.patchStatuses(branchRef.projectId, branchRef.branchId);
    this.#stackUuid = stack.uuid;
    return { branchRef, ...statusesView(stack, branchRef.branchId, model.me) };
  }
}
