/** Words for how far something was read. */
import * as vscode from 'vscode';
import type { ReadingSummary, ReadSoFar } from '../model/reading/readSoFar.ts';
import type { MovedHunk } from '../util/movedHunk.ts';
import { plainText } from '../util/visibleText.ts';

/** Moved hunks that are told one by one. */
const mostMovesTold = 10;

/** Words for a patch's reading state. */
export function readingText({ state, splitFrom, moved = [] }: ReadSoFar): string {
  switch (state) {
    case 'unread':
      return vscode.l10n.t('unread');
    case 'partlyRead':
      return vscode.l10n.t('partly read');
    case 'read':
      return vscode.l10n.t('read');
    case 'unchanged':
      return vscode.l10n.t('unchanged');
    case 'changed':
      return moved.length > 0 ? movedText(moved) : vscode.l10n.t('changed since you read it');
    case 'rebased':
      return vscode.l10n.t('only rebased');
    case 'alike':
      return vscode.l10n.t('alike as far as the diffs show');
    case 'unknown':
      return vscode.l10n.t('earlier version read');
    case 'new':
      return vscode.l10n.t('new (split from {0})', sourceText(splitFrom));
  }
}

function movedText([only, ...more]: readonly MovedHunk[]): string {
  return only && more.length === 0
    ? vscode.l10n.t('changed (moved from {0} to {1})', placeText(only.from), placeText(only.to))
    : vscode.l10n.t('changed (moved in {0} places)', more.length + 1);
}

/** Lines that say where each hunk of a patch was moved from, and where to. */
export function movedLines(moved: readonly MovedHunk[]): string[] {
  return moved
    .slice(0, mostMovesTold)
    .map(({ from, to }) => vscode.l10n.t('Moved from {0} to {1}', placeText(from), placeText(to)))
    .concat(moved.length > mostMovesTold ? '…' : []);
}

function placeText({ path, line }: MovedHunk['from']): string {
  return `${plainText(path)}:${line}`;
}

/** Words for the reading states of a stack's patches: those with something to read come first. */
export function summaryText(summary: ReadingSummary): string {
  const {
    changed,
    alike,
    unknown,
    partlyRead,
    unread,
    rebased,
    unchanged,
    read,
    new: split,
    splitFrom,
  } = summary;
  const all = changed + alike + unknown + partlyRead + unread + rebased + unchanged + read + split;
  const only = (['unread', 'unchanged', 'read'] as const).find((state) => summary[state] === all);
  if (only) {
    return readingText({ state: only });
  }
  return [
    changed > 0 && vscode.l10n.t('{0} changed since you read them', changed),
    split === 1 && vscode.l10n.t('1 new (split from {0})', sourceText(splitFrom)),
    split > 1 && vscode.l10n.t('{0} new (split from others)', split),
    alike > 0 && vscode.l10n.t('{0} alike as far as the diffs show', alike),
    unknown > 0 && vscode.l10n.t('{0} read in an earlier version', unknown),
    partlyRead > 0 && vscode.l10n.t('{0} partly read', partlyRead),
    unread > 0 && vscode.l10n.t('{0} unread', unread),
    rebased > 0 && vscode.l10n.t('{0} only rebased', rebased),
    unchanged > 0 && vscode.l10n.t('{0} unchanged', unchanged),
    read > 0 && vscode.l10n.t('{0} read', read),
  ]
    .filter((part) => part !== false)
    .join(', ');
}

/** A patch that another one was split from, by its title. */
function sourceText(title = ''): string {
  return title === '' ? vscode.l10n.t('another patch') : `"${plainText(title)}"`;
}
