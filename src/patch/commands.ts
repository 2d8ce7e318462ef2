import * as vscode from 'vscode';
import type { CommandHandlers } from '../commandTable.ts';
import { patchDocumentViewType, type CommandRow } from '../contributions.ts';
import type { StackReading } from '../model/reading/stackReading.ts';
import type { Direction } from '../protocol/patchDocument.ts';
import { restorePanels } from '../ui/pagePanel.ts';
import type { RecentChange } from '../ui/recentChanges.ts';
import { lazy, type Lazy } from '../util/lazy.ts';
import type { WindowParts } from '../windowParts.ts';
import type { PatchPanels } from './patchPanels.ts';
import type { SectionCommands } from './sectionCommands.ts';
import type { PatchWriting } from './writing/patchWriting.ts';
import type { SectionFiles } from './writing/sectionFiles.ts';
import type { PendingActions } from './writing/sendChange.ts';
import { isPatch, refOf, type PatchRef, type SectionRef } from '../util/patchRef.ts';

/** The patch documents: reading patches, and changing them. */
export function registerPatches(parts: WindowParts, actions: PendingActions, stackReading: StackReading) {
  const { context, disposables, log, connection, atHand, changes, deeds } = parts;
  const { model, readings, pendingChanges } = parts;
  const writing = lazy(async (): Promise<PatchWriting> => {
    const { PatchWriting } = await import('./writing/patchWriting.ts');
    return disposables.add(new PatchWriting(await pendingChanges(), await model(), readings, actions, log));
  });
  const files = lazy(async (): Promise<SectionFiles> => {
    const [{ SectionFiles }, { SectionProse }, { SectionUris }] = await Promise.all([
      import('./writing/sectionFiles.ts'),
      import('./writing/sectionProse.ts'),
      import('./writing/sectionUris.ts'),
    ]);
    const uris = new SectionUris(parts.workspaceMemory);
    disposables.add(new SectionProse({ ...parts, uris, onDidConfirm: (await panels()).onDidConfirm }));
    return disposables.add(
      new SectionFiles({
        uris,
        model,
        texts: async () => (await writing()).texts,
        server: async () => (await connection.session())?.serverUrl,
        log,
      }),
    );
  });
  let openPanels: PatchPanels | undefined;
  const panels = lazy(async (): Promise<PatchPanels> => {
    const { PatchPanels } = await import('./patchPanels.ts');
    openPanels = disposables.add(
      new PatchPanels({
        extensionUri: context.extensionUri,
        connection,
        model: await model(),
        writing: await writing(),
        colors: await parts.colors(),
        memory: parts.memory,
        atHand,
        tabMemory: parts.workspaceMemory,
        readings,
        stackReading,
        compareVersions: parts.compareVersions,
        compareStacks: parts.compareStacks,
        contentSources: parts.contentSources,
        undo: (change) => changes.undo(change),
        log,
        noteDeed: (deed) => deeds.note(deed),
      }),
    );
    return openPanels;
  });
  const sections = lazy(async (): Promise<SectionCommands> => {
    const { SectionCommands } = await import('./sectionCommands.ts');
    return new SectionCommands({ panels: await panels(), writing: await writing(), files: await files() });
  });
  disposables.add(
    restorePanels(patchDocumentViewType, async (panel, state) => {
      const { restorePatchPanel } = await import('./patchPanels.ts');
      restorePatchPanel(await panels(), panel, state);
    }),
  );
  return {
    panels,
    writing,
    /** Text sections as files. */
    files,
    /** Tells of a change in the document of its patch. False when that is not in view. */
    tell: (patch: PatchRef, change: RecentChange): boolean => openPanels?.tell(patch, change) ?? false,
    /** The text of a document that the diff editor shows. */
    diffText: async (uri: vscode.Uri): Promise<string> => {
      const { diffDocumentText } = await import('./diffDocuments.ts');
      return diffDocumentText(await model(), uri);
    },
    /** The part of the document in front that has the focus. */
    focusedPart: async (): Promise<Partial<SectionRef> | undefined> => {
      const { code, line } = (await (await panels()).focusedPlace()) ?? {};
      return code === undefined ? undefined : { sectionCode: code, line };
    },
    commands: patchCommands(parts, panels, sections),
  };
}

function patchCommands(
  { context, connection, model, readings, texts, pendingChanges }: WindowParts,
  panels: Lazy<PatchPanels>,
  sections: Lazy<SectionCommands>,
) {
  const goToUnread = async (row: CommandRow | undefined, direction: Direction): Promise<void> =>
    (await import('./goToUnread.ts')).goToUnread(
      {
        model: await model(),
        readings: await readings(),
        panels: await panels(),
        serverUrl: connection.requireServer(),
      },
      row,
      direction,
    );
  return {
    openPatch: async (patch) => {
      if (!patch) {
        throw new Error(vscode.l10n.t('Select a patch in the Patch Stacks view.'));
      }
      await (await panels()).openByClick({ ...refOf(patch), line: patch.line });
    },
    keepOpen: async () => (await panels()).keepOpen(),
    nextPatch: async () => (await panels()).openNeighbor('next'),
    previousPatch: async () => (await panels()).openNeighbor('previous'),
    nextUnread: async (row) => goToUnread(row, 'next'),
    previousUnread: async (row) => goToUnread(row, 'previous'),
    nextUnexplained: async (row) =>
      (await import('./goToUnexplained.ts')).goToUnexplained(
        {
          model: await model(),
          changes: await pendingChanges(),
          panels: await panels(),
          serverUrl: connection.requireServer(),
        },
        row,
      ),
    nextChange: async () => (await panels()).go('change', 'next'),
    previousChange: async () => (await panels()).go('change', 'previous'),
    nextFile: async () => (await panels()).go('file', 'next'),
    previousFile: async () => (await panels()).go('file', 'previous'),
    nextSection: async () => (await panels()).go('section', 'next'),
    previousSection: async () => (await panels()).go('section', 'previous'),
    showAccessibleView: async () => {
      const { text, ...place } = await (await panels()).asText();
      await (await texts()).show(text, place);
    },
    showAccessibilityHelp: async () => {
      const { accessibilityHelp } = await import('./accessibilityHelp.ts');
      const title = vscode.l10n.t('Accessibility Help');
      await (await texts()).show(accessibilityHelp(context.extension), { title, line: 0 });
    },
    closeAccessibleView: async () => vscode.commands.executeCommand('workbench.action.closeActiveEditor'),
    compareVersions: async (row) => {
      const patch = placeOf(row);
      await (await panels()).compareVersions(isPatch(patch) ? patch : undefined);
    },
    openChanges: async (patch) => (await panels()).openChanges(patch),
    openCommit: async (patch) => (await panels()).openCommit(patch),
    openFile: async (place) => place && (await import('./openFile.ts')).openFile(place),
    findInPatch: async () => (await panels()).find(),
    signOffPatch: async (row) => (await sections()).review(placeOf(row), 'signedOff'),
    signOffAndNext: async (row) => (await sections()).review(placeOf(row), 'signedOff', { goesOn: true }),
    signOffAnyway: async (row) => (await sections()).review(placeOf(row), 'signedOff', { anyway: true }),
    requestChanges: async (row) => (await sections()).review(placeOf(row), 'changesRequested'),
    addSection: async (row) => (await sections()).add(placeOf(row)),
    addSectionHere: async (row) => (await sections()).addHere(placeOf(row)),
    editSection: async (row) => (await sections()).edit(placeOf(row)),
    editSectionInEditor: async (row) => (await sections()).editInEditor(placeOf(row)),
    confirmText: async (row) => (await sections()).confirm(placeOf(row)),
    deleteSection: async (row) => (await sections()).delete(placeOf(row)),
    moveSectionUp: async (row) => (await sections()).moveBy(placeOf(row), -1),
    moveSectionDown: async (row) => (await sections()).moveBy(placeOf(row), 1),
    moveSectionTo: async (row) => (await sections()).moveTo(placeOf(row)),
  } satisfies Partial<CommandHandlers>;
}

/** The place of a row's patch or section, copied because the view's own row changes later. */
function placeOf(row: Partial<SectionRef> | null | undefined): Partial<SectionRef> | undefined {
  return isPatch(row) ? refOf(row) : (row ?? undefined);
}
