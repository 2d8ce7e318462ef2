import * as vscode from 'vscode';
import type { Patch } from '../api/types/patches.ts';
import type { ShownComparison } from '../util/shownComparison.ts';

/**
 * Sums up the changes in a patch, without a full stop: *1 file changed, 6 only rebased*. Undefined when there are none.
 *
 * @param splitOff the number of those files, among the removed ones, that are in other patches now as they were.
 */
export function changeSummary(
  { sections = [] }: Patch,
  { title, message, sections: shown, removed, isFromDiffs }: ShownComparison,
  splitOff = 0,
): string | undefined {
  const isChanged = ({ verdict }: ShownComparison['sections'][number]): boolean =>
    verdict !== 'same' && verdict !== 'rebased';
  const files = shown.filter((_, index) => sections[index]?.sectionType === 'diff');
  const others = shown.filter((_, index) => sections[index]?.sectionType !== 'diff');
  const goneFiles = removed.filter(({ kind }) => kind === 'diff').length;
  const changedFiles = files.filter(isChanged).length + goneFiles - splitOff;
  const changedTexts = others.filter(isChanged).length + removed.length - goneFiles;
  const rebased = files.filter(({ verdict }) => verdict === 'rebased').length;
  const parts = [
    changedFiles > 0 && fileCount(changedFiles),
    splitOff > 0 && splitOffCount(splitOff),
    changedTexts > 0 && textCount(changedTexts),
    shown.some(({ isMoved }) => isMoved) && vscode.l10n.t('sections reordered'),
    title && vscode.l10n.t('title changed'),
    message && vscode.l10n.t('commit message changed'),
    rebased > 0 && rebasedCount(rebased, changedFiles + splitOff > 0),
  ].filter((part) => typeof part === 'string');
  if (parts.length === 0) {
    return undefined;
  }
  const summary = parts.join(', ');
  return isFromDiffs ? vscode.l10n.t('{0} (from the diffs alone)', summary) : summary;
}

function fileCount(count: number): string {
  return count === 1 ? vscode.l10n.t('1 file changed') : vscode.l10n.t('{0} files changed', count);
}

function splitOffCount(count: number): string {
  return count === 1 ? vscode.l10n.t('1 file split off') : vscode.l10n.t('{0} files split off', count);
}

function textCount(count: number): string {
  return count === 1 ? vscode.l10n.t('1 text changed') : vscode.l10n.t('{0} texts changed', count);
}

function rebasedCount(count: number, isAfterFiles: boolean): string {
  if (isAfterFiles) {
    return vscode.l10n.t('{0} only rebased', count);
  }
  return count === 1 ? vscode.l10n.t('1 file only rebased') : vscode.l10n.t('{0} files only rebased', count);
}
