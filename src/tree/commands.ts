import type { CommandHandlers } from '../commandTable.ts';
import type { WindowParts } from '../windowParts.ts';
import { chosenRow, rowOfButton, type RowArguments } from './commandRow.ts';
import { ReadingMarks } from './readingMarks.ts';
import type { ReorderSections } from './sectionDragAndDrop.ts';
import type { SharedProjects } from './stacksTree.ts';
import { StacksView } from './stacksView.ts';
import { refOf } from '../util/patchRef.ts';

interface TreeNeeds {
  /** Waits for a sign-in that is under way when the window starts: rows before it would be nobody's. */
  untilSignedIn: () => Promise<void>;
  reorderSections: ReorderSections;
  sharing: SharedProjects;
}

/** The stacks view, and what can be done with a row whatever it is of. */
export function registerTree(parts: WindowParts, { untilSignedIn, reorderSections, sharing }: TreeNeeds) {
  const { disposables, connection, model, readings, repositories, contentSources, atHand, log } = parts;
  const reading = disposables.add(new ReadingMarks({ model, readings }));
  disposables.add(contentSources.onDidChange(() => reading.reckonAgain()));
  const view = disposables.add(
    new StacksView({
      account: {
        get activeServer() {
          return connection.activeServer;
        },
        session: async () => {
          await untilSignedIn();
          return connection.session();
        },
      },
      model,
      memory: parts.workspaceMemory,
      repositories,
      reading,
      sharing,
      reorderSections: (patch, codes) => reorderSections(refOf(patch), codes),
      atHand,
      log,
    }),
  );
  return {
    view,
    reading,
    /** The rows that commands are for. */
    rows: { rowOf: (args: RowArguments<unknown>) => view.rowFor(args), rowOfButton },
    commands: {
      copyId: async (row) => (await import('./copyRow.ts')).copyId(chosenRow(row)),
      copyLink: async (row) =>
        (await import('./copyRow.ts')).copyLink(chosenRow(row), connection.activeServer ?? ''),
      openInBrowser: async (row) => (await import('./copyRow.ts')).openInBrowser(chosenRow(row)),
      editRow: async (...args) => view.editRow(await view.rowFor(args)),
      deleteRow: async (...args) => view.deleteRow(await view.rowFor(args)),
      filterStacks: () => view.chooseFilter(),
      collapseAll: () => view.collapseAll(),
      refresh: (row, what) => view.refresh(what === 'below' ? row : undefined),
      loadMore: async () => (await model()).loadMoreProjects(),
    } satisfies Partial<CommandHandlers>,
  };
}
