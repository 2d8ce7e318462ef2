/** Words for how far something was read. */
import * as vscode from 'vscode';
import type { SinceRead } from '../model/reading/outcome.ts';
import type { ReadingSummary, ReadSoFar } from '../model/reading/readSoFar.ts';
import { countsOf, kindOf, type ChangeKind, type StackChange } from '../model/reading/stackChange.ts';
import type { MovedHunk } from '../util/movedHunk.ts';
import { plainText } from '../util/visibleText.ts';

/** Moved hunks that are told one by one. */
const mostMovesTold = 10;

/** Words for a patch's reading state. */
export function readingText({ state, splitFrom, moved = [], part }: ReadSoFar): string {
  switch (state) {
    case 'unread':
    case 'partlyRead':
      return part && part.read > 0 && part.read < part.of
        ? vscode.l10n.t('{0} of {1} read', part.read, part.of)
        : vscode.l10n.t('unread');
    case 'read':
    case 'unchanged':
      return vscode.l10n.t('read');
    case 'rebased':
    case 'alike':
      return sinceText(state);
    case 'changed':
      return moved.length > 0 ? movedText(moved) : vscode.l10n.t('changed since you read it');
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
  const { changed, alike, unknown, rebased, new: split, splitFrom } = summary;
  const unread = summary.unread + summary.partlyRead;
  const read = summary.read + summary.unchanged;
  const others = changed + alike + unknown + rebased + split;
  if (others === 0 && (unread === 0 || read === 0)) {
    return readingText({ state: unread > 0 ? 'unread' : 'read' });
  }
  return [
    changed === 1 && vscode.l10n.t('1 changed since you read it'),
    changed > 1 && vscode.l10n.t('{0} changed since you read them', changed),
    split === 1 && vscode.l10n.t('1 new (split from {0})', sourceText(splitFrom)),
    split > 1 && vscode.l10n.t('{0} new (split from others)', split),
    alike > 0 && vscode.l10n.t('{0} alike as far as the diffs show', alike),
    unknown > 0 && vscode.l10n.t('{0} read in an earlier version', unknown),
    unread > 0 && vscode.l10n.t('{0} unread', unread),
    rebased > 0 && vscode.l10n.t('{0} only rebased', rebased),
    read > 0 && vscode.l10n.t('{0} read', read),
  ]
    .filter((part) => part !== false)
    .join(', ');
}

/** A patch that another one was split from, by its title. */
function sourceText(title = ''): string {
  return title === '' ? vscode.l10n.t('another patch') : `"${plainText(title)}"`;
}

/** Words for what became of a patch that two versions have. */
function sinceText(since: SinceRead): string {
  switch (since) {
    case 'unchanged':
      return vscode.l10n.t('unchanged');
    case 'rebased':
      return vscode.l10n.t('only rebased');
    case 'changed':
      return vscode.l10n.t('changed');
    case 'alike':
      return vscode.l10n.t('alike as far as the diffs show');
    case 'unknown':
      return vscode.l10n.t("can't be compared: no longer available");
  }
}

/** Titles of the patches of two versions of a stack, in their order. */
export interface PatchTitles {
  older: readonly string[];
  newer: readonly string[];
}

/** Words for all that became of a patch between two versions of its stack. */
export function changeText(change: StackChange, titles: PatchTitles): string {
  const { older = 0, newer = 0, outcome, isMoved, splitFrom, joinedInto, joinedFrom } = change;
  const nameIn = (side: readonly string[], place: number): string =>
    vscode.l10n.t('patch {0} "{1}"', place + 1, plainText(side[place] ?? ''));
  const names = (side: readonly string[], places: readonly number[]): string =>
    places.map((place) => nameIn(side, place)).join(', ');
  const kind = kindOf(change);
  return [
    kind === 'split'
      ? vscode.l10n.t('split into {0}', names(titles.newer, intoOf(change)))
      : kind === 'part'
        ? vscode.l10n.t('new (split from {0})', nameIn(titles.older, splitFrom ?? 0))
        : kind === 'joined'
          ? vscode.l10n.t('merged into {0}', nameIn(titles.newer, joinedInto ?? 0))
          : kind === 'dropped'
            ? vscode.l10n.t('dropped')
            : kind === 'new'
              ? vscode.l10n.t('new')
              : sinceText(kind),
    outcome?.isConflict && vscode.l10n.t('conflict resolved'),
    joinedFrom.length > 0 && vscode.l10n.t('merged from {0}', names(titles.older, joinedFrom)),
    ...change.movedFrom.map(({ older: from, lines }) =>
      lines === 1
        ? vscode.l10n.t('1 line moved from {0}', nameIn(titles.older, from))
        : vscode.l10n.t('{0} lines moved from {1}', lines, nameIn(titles.older, from)),
    ),
    isMoved && vscode.l10n.t('reordered (from {0} to {1})', older + 1, newer + 1),
  ]
    .filter((part) => typeof part === 'string')
    .join(', ');
}

/** All that a patch was split into, in their order: what is left of it is one of them. */
function intoOf({ newer, joinedInto, splitInto }: StackChange): number[] {
  return [newer ?? joinedInto ?? [], splitInto].flat().sort((one, other) => one - other);
}

/** The number of patches for each word of what became of them: those that changed come first. */
export function changesSummary(changes: readonly StackChange[]): string {
  const counts = countsOf(changes);
  const texts: Partial<Record<ChangeKind | 'moved', (count: number) => string>> = {
    changed: (count) => vscode.l10n.t('{0} changed', count),
    split: (count) => vscode.l10n.t('{0} split', count),
    joined: (count) => vscode.l10n.t('{0} merged', count),
    dropped: (count) => vscode.l10n.t('{0} dropped', count),
    new: (count) => vscode.l10n.t('{0} new', count),
    moved: (count) => vscode.l10n.t('{0} reordered', count),
    alike: (count) => vscode.l10n.t('{0} alike as far as the diffs show', count),
    unknown: (count) => vscode.l10n.t('{0} not compared', count),
    rebased: (count) => vscode.l10n.t('{0} only rebased', count),
    unchanged: (count) => vscode.l10n.t('{0} unchanged', count),
  };
  return Object.entries(texts)
    .flatMap(([kind, text]) => {
      const count = counts.get(kind as ChangeKind | 'moved');
      return count === undefined ? [] : text(count);
    })
    .join(', ');
}
