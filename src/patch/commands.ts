import * as vscode from 'vscode';
import type { CommandHandlers } from '../commandTable.ts';
import { patchDocumentViewType, type SectionRow } from '../contributions.ts';
import type { PatchAddress } from '../model/patchAddress.ts';
import type { RecentChange } from '../ui/recentChanges.ts';
import { referenceTo } from '../ui/subjects.ts';
import { lazy } from '../util/lazy.ts';
import type { WindowParts } from '../windowParts.ts';
import type { PatchPanels } from './patchPanels.ts';
import type { SectionCommands } from './sectionCommands.ts';
import type { ViewedMarks } from './viewedMarks.ts';
import type { PatchWriting } from './writing/patchWriting.ts';
import { SectionAddresses } from './writing/sectionAddresses.ts';
import { SectionFiles } from './writing/sectionFiles.ts';
import type { Decisions } from './writing/sendChange.ts';

/** The patch documents: reading patches, and changing them. */
export function registerPatches(parts: WindowParts, decisions: Decisions) {
  const { context, disposables, log, connection, folders, atHand, changes, deeds, texts } = parts;
  const { model, pendingChanges } = parts;

  let marks: { account: string; marks: ViewedMarks } | undefined;
  const viewedMarks = async (): Promise<ViewedMarks | undefined> => {
    const session = await connection.session();
    if (session && marks?.account !== session.id) {
      const { ViewedMarks } = await import('./viewedMarks.ts');
      marks = { account: session.id, marks: new ViewedMarks(folders.folder(session).fsPath) };
    }
    return session && marks?.marks;
  };
  const writing = lazy(async (): Promise<PatchWriting> => {
    const { PatchWriting } = await import('./writing/patchWriting.ts');
    return disposables.add(new PatchWriting(await pendingChanges(), await model(), decisions, log));
  });
  const files = disposables.add(
    new SectionFiles({
      addresses: new SectionAddresses(context.workspaceState),
      model,
      texts: async () => (await writing()).texts,
      server: async () => (await connection.session())?.serverUrl,
      log,
    }),
  );
  let openPanels: PatchPanels | undefined;
  const panels = lazy(async (): Promise<PatchPanels> => {
    const { PatchPanels } = await import('./patchPanels.ts');
    openPanels = disposables.add(
      new PatchPanels({
        extensionUri: context.extensionUri,
        connection,
        model: await model(),
        writing: await writing(),
        memory: context.globalState,
        atHand,
        tabMemory: context.workspaceState,
        viewedMarks,
        undo: (change) => changes.undo(change),
        log,
        noteRead: () => deeds.note('read'),
      }),
    );
    return openPanels;
  });
  const sections = lazy(async (): Promise<SectionCommands> => {
    const { SectionCommands } = await import('./sectionCommands.ts');
    return new SectionCommands({ panels: await panels(), writing: await writing(), files });
  });
  disposables.add(
    vscode.window.registerWebviewPanelSerializer(patchDocumentViewType, {
      deserializeWebviewPanel: async (panel, state) => {
        const { restorePatchPanel } = await import('./patchPanels.ts');
        restorePatchPanel(await panels(), panel, state);
      },
    }),
  );
  return {
    panels,
    writing,
    /** Text sections as files. */
    files,
    /** Tells of a change in the document of its patch. False when that is not in view. */
    tell: (patch: PatchAddress, change: RecentChange): boolean => openPanels?.tell(patch, change) ?? false,
    /** The text of a document that the diff editor shows. */
    diffText: async (uri: vscode.Uri): Promise<string> => {
      const { diffDocumentText } = await import('./diffDocuments.ts');
      return diffDocumentText(await model(), uri);
    },
    /** What has the focus in the document that the person looks at. */
    focusedPart: async (): Promise<SectionRow | undefined> => {
      const { code, line } = (await (await panels()).focusedPlace()) ?? {};
      return code === undefined ? undefined : { sectionCode: code, line };
    },
    commands: {
      openPatch: async (patch) => {
        if (!patch) {
          throw new Error(vscode.l10n.t('Select a patch in the Patch Stacks view.'));
        }
        await (await panels()).openByClick(referenceTo(patch));
      },
      keepOpen: async () => (await panels()).keepOpen(),
      nextPatch: async () => (await panels()).openNeighbour('next'),
      previousPatch: async () => (await panels()).openNeighbour('previous'),
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
      openChanges: async (patch) => (await panels()).openChanges(patch),
      openCommit: async (patch) => (await panels()).openCommit(patch),
      openFile: async (file) => {
        if (file) {
          await (await import('./openFile.ts')).openFile(file.commitSha, file.path, file.line);
        }
      },
      findInPatch: async () => (await panels()).find(),
      signOffPatch: async (row) => (await sections()).review(placeOf(row), 'signedOff'),
      requestChanges: async (row) => (await sections()).review(placeOf(row), 'changesRequested'),
      addSection: async (row) => (await sections()).add(placeOf(row)),
      editSection: async (row) => (await sections()).edit(placeOf(row)),
      editSectionInEditor: async (row) => (await sections()).editInEditor(placeOf(row)),
      deleteSection: async (row) => (await sections()).delete(placeOf(row)),
      moveSectionUp: async (row) => (await sections()).moveBy(placeOf(row), -1),
      moveSectionDown: async (row) => (await sections()).moveBy(placeOf(row), 1),
      moveSectionTo: async (row) => (await sections()).moveTo(placeOf(row)),
    } satisfies Partial<CommandHandlers>,
  };
}

/** Where the patch or section of a row is: the row of the view itself goes on to change. */
function placeOf(row: SectionRow | null | undefined): SectionRow | undefined {
  const { serverUrl, stackUuid, changeId } = row ?? {};
  return row && serverUrl !== undefined && stackUuid !== undefined && changeId !== undefined
    ? referenceTo({ ...row, serverUrl, stackUuid, changeId })
    : (row ?? undefined);
}
