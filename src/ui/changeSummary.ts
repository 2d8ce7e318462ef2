import * as vscode from 'vscode';
import type { Patch } from '../api/types/patches.ts';
import type { ShownComparison } from '../util/shownComparison.ts';

/**
 * Sums up the changes in a patch, without a full stop: *1 file changed, 6 only rebased*, or *1 new text, 6 files only rebased*. Undefined when there are none.
 *
 * @param splitOff the number of those files, among the removed ones, that are in other patches now as they were.
 */
export function changeSummary(
  { sections = [] }: Patch,
  { title, message, sections: shown, removed, isFromDiffs }: ShownComparison,
  splitOff = 0,
): string | undefined {
  type Shown = ShownComparison['sections'][number];
  const isChanged = ({ verdict }: Shown): boolean => verdict === 'changed' || verdict === 'conflict';
  const isNew = ({ verdict }: Shown): boolean => verdict === 'added';
  const files = shown.filter((_, index) => sections[index]?.sectionType === 'diff');
  const others = shown.filter((_, index) => sections[index]?.sectionType !== 'diff');
  const goneFiles = removed.filter(({ kind }) => kind === 'diff').length;
  const [changedFiles, changedTexts] = [files.filter(isChanged).length, others.filter(isChanged).length];
  const rebased = files.filter(({ verdict }) => verdict === 'rebased').length;
  const told = [
    ...fileCounts(changedFiles, files.filter(isNew).length, goneFiles - splitOff),
    splitOff > 0 && splitOffCount(splitOff),
    ...textCounts(changedTexts, others.filter(isNew).length, removed.length - goneFiles),
    shown.some(({ isMoved }) => isMoved) && vscode.l10n.t('sections reordered'),
    title && vscode.l10n.t('title changed'),
    message && vscode.l10n.t('commit message changed'),
  ];
  const isAfterFiles = changedFiles > 0 && told.filter((part) => typeof part === 'string').length === 1;
  const parts = [...told, rebased > 0 && rebasedCount(rebased, isAfterFiles)].filter(
    (part) => typeof part === 'string',
  );
  if (parts.length === 0) {
    return undefined;
  }
  const summary = parts.join(', ');
  return isFromDiffs ? vscode.l10n.t('{0} (from the diffs alone)', summary) : summary;
}

function fileCounts(changed: number, added: number, removed: number): (string | false)[] {
  return [
    changed > 0 &&
      (changed === 1 ? vscode.l10n.t('1 file changed') : vscode.l10n.t('{0} files changed', changed)),
    added > 0 && (added === 1 ? vscode.l10n.t('1 new file') : vscode.l10n.t('{0} new files', added)),
    removed > 0 &&
      (removed === 1 ? vscode.l10n.t('1 file removed') : vscode.l10n.t('{0} files removed', removed)),
  ];
}

function splitOffCount(count: number): string {
  return count === 1 ? vscode.l10n.t('1 file split off') : vscode.l10n.t('{0} files split off', count);
}

function textCounts(changed: number, added: number, removed: number): (string | false)[] {
  return [
    changed > 0 &&
      (changed === 1 ? vscode.l10n.t('1 text changed') : vscode.l10n.t('{0} texts changed', changed)),
    added > 0 && (added === 1 ? vscode.l10n.t('1 new text') : vscode.l10n.t('{0} new texts', added)),
    removed > 0 &&
      (removed === 1 ? vscode.l10n.t('1 text removed') : vscode.l10n.t('{0} texts removed', removed)),
  ];
}

function rebasedCount(count: number, isAfterFiles: boolean): string {
  if (isAfterFiles) {
    return vscode.l10n.t('{0} only rebased', count);
  }
  return count === 1 ? vscode.l10n.t('1 file only rebased') : vscode.l10n.t('{0} files only rebased', count);
}
