import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { patchStatusesViewType } from '../contributions.ts';
import { watchPlace, type Watching } from '../model/freshness.ts';
import { concerns, type Model } from '../model/model.ts';
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
import { DisposableStore, type Disposable } from '../util/disposable.ts';
import { inBackground } from '../util/inBackground.ts';
import { Soon } from '../util/soon.ts';
import { statusesView } from './statusesView.ts';

interface StatusPanelContext {
  extensionUri: vscode.Uri;
  connection: Connection;
  model: Model;
  log: Log;
}

/** Milliseconds until the table is read again: several changes mostly come together. */
const patienceMs = 200;

/** The table of patch statuses: one panel, which shows the branch that was asked for last. */
export class StatusPanel implements Disposable {
  readonly #context: StatusPanelContext;
  readonly #panel: SinglePanel<PatchStatusesHost, PatchStatusesPage>;
  readonly #disposables = new DisposableStore();
  readonly #watching: Watching;
  readonly #showingSoon = this.#disposables.add(new Soon(patienceMs, () => inBackground(this.#showNow())));
  #branchRef: PatchStatusesState | undefined;
  /** The stack that is shown, as the page has it. */
  #stackUuid = '';
  #shown: PatchStatusesView | undefined;

  constructor(context: StatusPanelContext) {
    this.#context = context;
    const { connection, model } = context;
    const panel = new SinglePanel<PatchStatusesHost, PatchStatusesPage>(context.extensionUri, {
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
      onDidChangeVisibility: () => this.#watching.note(),
    });
    this.#panel = this.#disposables.add(panel);
    this.#watching = this.#disposables.add(
      watchPlace(model.freshness, connection, () => (panel.isVisible ? this.#branchRef : undefined)),
    );
    this.#disposables.add(
      model.onDidChange((change) => {
        const { projectId } = this.#branchRef ?? {};
        // A page that is hidden asks when it is shown.
        if (panel.isVisible && concerns(change, { projectId, stackUuid: this.#stackUuid })) {
          this.#showingSoon.ask();
        }
      }),
    );
  }

  /** Shows the statuses of the latest stack of a branch. */
  async show(branchRef: PatchStatusesState): Promise<void> {
    this.#branchRef = branchRef;
    await this.#panel.openAnew();
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
    this.#disposables.dispose();
  }

  /** Shows what has changed. A failure leaves what is there, with *Refresh*. */
  async #showNow(): Promise<void> {
    const before = this.#shown;
    const view = await this.#load().catch(() => undefined);
    if (view && before && !isDeepStrictEqual(view, before)) {
      // A page that is being closed does not answer.
      await this.#panel.page?.request('show', view).catch(() => undefined);
    }
  }

  async #load(): Promise<PatchStatusesView> {
    const branchRef = this.#branchRef ?? { serverUrl: '', projectId: '', branchId: '' };
    const { connection, model } = this.#context;
    connection.requireServer(branchRef.serverUrl);
    const stack = await model.patchStatuses(branchRef.projectId, branchRef.branchId);
    if (this.#branchRef && branchRef !== this.#branchRef) {
      // Another branch was asked for meanwhile: that one is what the page shows, and what its rows open.
      return this.#load();
    }
    this.#stackUuid = stack.uuid;
    this.#shown = { branchRef, ...statusesView(stack, branchRef.branchId, model.me) };
    return this.#shown;
  }
}
