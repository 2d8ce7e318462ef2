import * as vscode from 'vscode';
import type { CommandHandlers } from '../commandTable.ts';
import { patchStatusesViewType } from '../contributions.ts';
import { lazy } from '../util/lazy.ts';
import type { WindowParts } from '../windowParts.ts';
import type { Stacks, StackView, TellOutcome } from './stacks.ts';
import type { StatusPanel } from './statusPanel.ts';

/** What patch stacks need of other features. */
export interface StacksNeeds {
  view: StackView;
  tellOutcome: TellOutcome;
}

/** Patch stacks: what can be done with them, and the table of their patches' statuses. */
export function registerStacks(parts: WindowParts, needs: StacksNeeds) {
  const { context, disposables, connection, model, log } = parts;
  const statusPanel = lazy(async (): Promise<StatusPanel> => {
    const { StatusPanel } = await import('./statusPanel.ts');
    const { extensionUri } = context;
    return disposables.add(new StatusPanel({ extensionUri, connection, model: await model(), log }));
  });
  const stacks = lazy(async (): Promise<Stacks> => {
    const { Stacks } = await import('./stacks.ts');
    return new Stacks({ ...parts, ...needs, model: await model(), statuses: await statusPanel() });
  });
  disposables.add(
    vscode.window.registerWebviewPanelSerializer(patchStatusesViewType, {
      deserializeWebviewPanel: async (panel, state) => (await statusPanel()).restore(panel, state),
    }),
  );
  return {
    commands: {
      createStack: async (row) => (await stacks()).create(row),
      editStack: async (row) => (await stacks()).edit(row),
      closeStack: async (row) => (await stacks()).close(row),
      reopenStack: async (row) => (await stacks()).reopen(row),
      openBranchStack: async (row) => (await stacks()).openBranch(row),
      showPatchStatuses: async (row) => (await stacks()).showStatuses(row),
    } satisfies Partial<CommandHandlers>,
  };
}
