/** Answers the requests of a patch document's page about the files of the patch. */
import * as vscode from 'vscode';
import type { DiffSection, Patch } from '../api/types/patches.ts';
import { openRepositories } from '../git/repositories.ts';
import type { PatchDocumentHost } from '../protocol/patchDocument.ts';
import type { Handlers } from '../protocol/rpc.ts';
import { fileLines } from './fileLines.ts';
import type { ReadingContext } from './readingHandlers.ts';

type FileMethods = Pick<
  PatchDocumentHost,
  'diff' | 'diffs' | 'generated' | 'moved' | 'fileLines' | 'binary' | 'colors' | 'formulas' | 'fileIcons'
>;

/** Answers the page of whichever patch `patch` gives at the time. */
export function fileHandlers(
  { colors }: Pick<ReadingContext, 'colors'>,
  patch: () => Promise<Patch>,
): Handlers<FileMethods> {
  const file = async (code: string): Promise<DiffSection> => {
    const section = (await patch()).sections?.find((candidate) => candidate.code === code);
    if (section?.sectionType !== 'diff') {
      throw new Error(vscode.l10n.t('This section no longer exists.'));
    }
    return section;
  };
  return {
    diff: async ({ code }) => (await file(code)).diffPatch ?? '',
    diffs: async () =>
      Object.fromEntries(
        ((await patch()).sections ?? []).flatMap((section) =>
          section.sectionType === 'diff' ? [[section.code, section.diffPatch ?? '']] : [],
        ),
      ),
    generated: async (_parameters, signal) => {
      const [read, { generatedFiles }] = await Promise.all([patch(), import('./generatedFiles.ts')]);
      return generatedFiles(read.sections ?? [], await openRepositories(), signal);
    },
    moved: async () => {
      const [read, { movedLines }] = await Promise.all([patch(), import('./movedLines.ts')]);
      return movedLines(read.sections ?? []);
    },
    fileLines: async ({ code }, signal) => fileLines(await patch(), await file(code), signal),
    binary: async ({ code }, signal) => {
      const [read, { binarySides }] = await Promise.all([patch(), import('./binarySides.ts')]);
      const sides = await binarySides(read, await file(code), await openRepositories(), signal);
      return vscode.workspace.isTrusted ? sides : { ...sides, isUntrusted: true };
    },
    colors: (code, signal) => colors.color(code, signal),
    formulas: ({ formulas }) => colors.formulas(formulas),
    fileIcons: (wanted) => colors.icons(wanted),
  };
}
