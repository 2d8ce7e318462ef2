/** The texts that describe a comparison. */
import * as l10n from '@vscode/l10n';
import type {
  ComparedWith,
  ComparisonView,
  SectionComparison,
  SectionView,
} from '../../../protocol/patchDocument.ts';
import type { MovedHunk } from '../../../util/movedHunk.ts';
import { plainText } from '../../../util/visibleText.ts';

/** Moved hunks that are told one by one. */
const mostMovesTold = 10;

/** The outcome for a section, in a few words. */
export function comparedText({ type, compared }: SectionView): string {
  if (!compared) {
    return '';
  }
  const { verdict, isMoved, wasRead, both, isFromDiffs } = compared;
  const found = ((): string => {
    if (isUnread(compared)) {
      return l10n.t('unread');
    }
    switch (verdict) {
      case 'same':
        return isFromDiffs
          ? l10n.t('alike as far as the diffs show')
          : wasRead
            ? l10n.t('read')
            : l10n.t('unchanged');
      case 'rebased':
        return l10n.t('only rebased');
      case 'conflict':
        return l10n.t('conflict resolved, read this');
      case 'added':
        return l10n.t('new since then');
      case 'changed':
        return !wasRead && type === 'diff' && !both && compared.diff === undefined
          ? l10n.t('changed, unread')
          : l10n.t('changed since then');
    }
  })();
  return isMoved ? l10n.t('{0}, moved', found) : found;
}

/** Names the version that a patch is compared with. */
export function baselineText({ kind, number }: ComparedWith): string {
  switch (kind) {
    case 'lastRead':
      return number === undefined
        ? l10n.t('Compared with what you last read.')
        : l10n.t('Compared with version {0}, which you last read.', number);
    case 'signedOff':
      return number === undefined
        ? l10n.t('Compared with what you signed off on.')
        : l10n.t('Compared with version {0}, which you signed off on.', number);
    case 'version':
      return number === undefined
        ? l10n.t('Compared with an older version.')
        : l10n.t('Compared with version {0}.', number);
  }
}

/** The number of sections by outcome, those to be read first. */
export function summaryText(comparison: ComparisonView): string {
  const { sections, removed, verdict, isFromDiffs, moved = [] } = comparison;
  const all = Object.values(sections);
  const count = (isIt: (section: SectionComparison) => boolean): number => all.filter(isIt).length;
  const is =
    (...verdicts: SectionComparison['verdict'][]) =>
    (section: SectionComparison): boolean =>
      verdicts.includes(section.verdict);
  const facts: [number, (number: number) => string][] = [
    [count(is('conflict')), (number) => l10n.t('{0} with a resolved conflict', number)],
    [count(is('changed')), (number) => l10n.t('{0} changed', number)],
    [count(is('added')), (number) => l10n.t('{0} new', number)],
    [removed.length, (number) => l10n.t('{0} removed', number)],
    [count((section) => section.isMoved), (number) => l10n.t('{0} moved', number)],
    [count(isUnread), (number) => l10n.t('{0} unread', number)],
    [
      count((section) => section.isFolded && is('rebased')(section)),
      (number) => l10n.t('{0} only rebased', number),
    ],
    [count((section) => isUnchanged(section) && section.wasRead), (number) => l10n.t('{0} read', number)],
    [
      count((section) => isUnchanged(section) && !section.wasRead),
      (number) => l10n.t('{0} unchanged', number),
    ],
    [
      count((section) => section.isFromDiffs === true && !section.isMoved),
      (number) => l10n.t('{0} alike as far as the diffs show', number),
    ],
  ];
  const told = facts.flatMap(([number, text]) => (number > 0 ? [text(number)] : []));
  switch (verdict) {
    case 'unchanged':
      return isFromDiffs ? l10n.t('Alike as far as the diffs show.') : l10n.t('Nothing changed.');
    case 'rebased':
      return isFromDiffs
        ? l10n.t('Alike as far as the diffs show. Sections: {0}.', told.join(', '))
        : l10n.t('Nothing changed but the base. Sections: {0}.', told.join(', '));
    case 'changed':
      return [...movedTexts(moved), l10n.t('Sections: {0}.', told.join(', '))].join(' ');
  }
}

/** True for one of which nothing changed, and which was never read: that is all there is to say of it. */
function isUnread({ verdict, isFolded }: SectionComparison): boolean {
  return !isFolded && (verdict === 'same' || verdict === 'rebased');
}

function isUnchanged({ verdict, isFolded, isMoved, isFromDiffs }: SectionComparison): boolean {
  return isFolded && verdict === 'same' && !isMoved && !isFromDiffs;
}

/** Says where hunks were moved from and to, where that is all that changed. */
function movedTexts(moved: readonly MovedHunk[]): string[] {
  const placeText = ({ path, line }: MovedHunk['from']): string => `${plainText(path)}:${line}`;
  const told = moved
    .slice(0, mostMovesTold)
    .map(({ from, to }) => l10n.t('from {0} to {1}', placeText(from), placeText(to)));
  const more = moved.length > told.length ? ['…'] : [];
  return told.length > 0 ? [l10n.t('Only moved: {0}.', [...told, ...more].join(', '))] : [];
}
