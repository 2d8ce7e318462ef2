import type { CommandHandlers } from '../commandTable.ts';
import { patchStatusesViewType, stackPageViewType } from '../contributions.ts';
import type { StackReading } from '../model/reading/stackReading.ts';
import { isNothingOpen } from '../ui/inFront.ts';
import { restorePanels } from '../ui/pagePanel.ts';
import { lazy } from '../util/lazy.ts';
import type { WindowParts } from '../windowParts.ts';
import type { StackFiles } from './stackFiles.ts';
import type { StackDocuments, Stacks, StackView } from './stacks.ts';
import type { StackPanel } from './stackPanel.ts';
import type { TellOutcome } from './tellOutcome.ts';
import type { StatusPanel } from './statusPanel.ts';

interface StacksNeeds {
  view: StackView;
  tellOutcome: TellOutcome;
  reading: StackReading;
  /** The documents of patches, and of whole stacks. */
  panels: () => Promise<StackDocuments>;
}

/** Patch stacks: what can be done with them, and the table of their patches' statuses. */
export function registerStacks(parts: WindowParts, needs: StacksNeeds) {
  const { context, disposables, connection, folders, model, pendingChanges, log } = parts;
  const statusPanel = lazy(async (): Promise<StatusPanel> => {
    const { StatusPanel } = await import('./statusPanel.ts');
    const { extensionUri } = context;
    return disposables.add(new StatusPanel({ extensionUri, connection, model: await model(), log }));
  });
  const stackPanel = lazy(async (): Promise<StackPanel> => {
    const { StackPanel } = await import('./stackPanel.ts');
    return disposables.add(
      new StackPanel({ ...parts, ...needs, extensionUri: context.extensionUri, model: await model() }),
    );
  });
  const files = lazy(async (): Promise<StackFiles> => {
    const { StackFiles } = await import('./stackFiles.ts');
    const { tellOutcome } = needs;
    return disposables.add(new StackFiles({ model, pendingChanges, connection, folders, tellOutcome, log }));
  });
  const stacks = lazy(async (): Promise<Stacks> => {
    const { Stacks } = await import('./stacks.ts');
    return new Stacks({
      ...parts,
      extensionUri: context.extensionUri,
      ...needs,
      model: await model(),
      statuses: await statusPanel(),
      page: await stackPanel(),
      files,
    });
  });
  disposables.add(
    restorePanels(patchStatusesViewType, async (panel, state) => (await statusPanel()).restore(panel, state)),
  );
  disposables.add(
    restorePanels(stackPageViewType, async (panel, state) => (await stackPanel()).restore(panel, state)),
  );
  return {
    /** Patch stacks as files. */
    files,
    /** Opens the page of the stack to begin with, where there is one: of the branch that is checked out. */
    openFirst: async (isWanted: () => boolean) => (await stacks()).openFirst(isWanted),
    /** The same when a window starts: nothing that is open is covered, and nothing is said of a failure, for the view says that. */
    beginWithFirst: async (branch?: string): Promise<void> => {
      try {
        if (isNothingOpen()) {
          await (await stacks()).openFirst(isNothingOpen, branch);
        }
      } catch (error) {
        log.warn(`There was no stack to begin with: ${String(error)}`);
      }
    },
    commands: {
      openStack: async (row) => (await stacks()).open(row),
      createStack: async (row) => (await stacks()).create(row),
      editStack: async (row) => (await stacks()).edit(row),
      closeStack: async (row) => (await stacks()).close(row),
      reopenStack: async (row) => (await stacks()).reopen(row),
      openBranchStack: async (row) => (await stacks()).openBranch(row),
      signOffUnchanged: async (row) => (await stacks()).signOffUnchanged(row),
      openStackAsDocument: async (row) => (await stacks()).openAsDocument(row),
      openStackAsMarkdown: async (row) => (await stacks()).openAsMarkdown(row),
      exportStack: async (row) => (await stacks()).export(row),
      showPatchStatuses: async (row) => (await stacks()).showStatuses(row),
    } satisfies Partial<CommandHandlers>,
  };
}
