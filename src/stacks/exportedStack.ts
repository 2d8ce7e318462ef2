/** A patch stack as it is exported: what the files say of it, in the window's language. */
import * as vscode from 'vscode';
import type { Patch, PatchSection, PatchUser } from '../api/types/patches.ts';
import type { PatchStack } from '../api/types/stacks.ts';
import { opinionsOf, type Me } from '../model/review.ts';
import type { ExportedPatch, ExportedSection, ExportedStack } from '../protocol/stackExport.ts';
import { contributorName, patchLabel, stackLabel } from '../ui/labels.ts';
import { plainText } from '../util/visibleText.ts';
import { reviewerViews } from './reviewerViews.ts';
import { stackFacts } from './stackPageView.ts';

/** See the module. @param patches with their sections. */
export function exportedStack(
  stack: PatchStack,
  patches: readonly Patch[],
  { me, bundle, language }: { me: Me | undefined; bundle: Record<string, string>; language: string },
): ExportedStack {
  const { description } = stack;
  return {
    title: stackLabel(stack),
    facts: stackFacts(stack),
    ...(description !== undefined && description.trim() !== '' && { description: description }),
    patches: patches.map((patch) => exportedPatch(patch, me)),
    bundle,
    language,
  };
}

/** The words that a patch's authors have added to its message: its texts, one after the other. */
export function notesOf({ description, sections = [] }: Patch): string {
  return sections
    .flatMap((section) =>
      section.sectionType === 'text' && section.text !== undefined && !isSame(section.text, description)
        ? [section.text.trim()]
        : [],
    )
    .join('\n\n');
}

function exportedPatch(patch: Patch, me: Me | undefined): ExportedPatch {
  const { changeId, commitSha, contributors, description, sections = [] } = patch;
  const { signedOff, changesRequested } = opinionsOf(patch, me);
  const named = (users: readonly PatchUser[]): string =>
    reviewerViews(users, me)
      .map(({ name }) => name)
      .join(', ');
  const facts = [
    [vscode.l10n.t('Authors'), contributors.map((one) => plainText(contributorName(one))).join(', ')],
    [vscode.l10n.t('Signed off by'), named(signedOff)],
    [vscode.l10n.t('Changes requested by'), named(changesRequested)],
    [vscode.l10n.t('Change'), plainText(changeId)],
    [vscode.l10n.t('Commit'), plainText(commitSha ?? '')],
  ];
  const isSaid = sections.some(
    (section) => section.sectionType === 'text' && isSame(section.text ?? '', description),
  );
  return {
    title: patchLabel(patch),
    changeId,
    facts: facts.flatMap(([label, text]) => (text === '' ? [] : [`${label}: ${text}`])),
    ...(description !== undefined && description.trim() !== '' && !isSaid && { description: description }),
    sections: sections.flatMap(exportedSection),
  };
}

function exportedSection(section: PatchSection): ExportedSection[] {
  switch (section.sectionType) {
    case 'text':
      return [{ type: 'text', text: section.text ?? '' }];
    case 'diff': {
      const { identifier, oldPath, newPath, oldSize, newSize, lines, deletions, diffPatch = '' } = section;
      return [
        {
          type: 'diff',
          path: newPath ?? oldPath ?? identifier,
          ...(oldPath !== undefined && { oldPath }),
          ...(lines !== undefined && { added: lines }),
          ...(deletions !== undefined && { deleted: deletions }),
          ...(oldSize !== undefined && { oldSize }),
          ...(newSize !== undefined && { newSize }),
          diff: diffPatch,
        },
      ];
    }
    case 'unknown':
      return [];
  }
}

function isSame(text: string, description: string | undefined): boolean {
  return text.trim() === description?.trim();
}
