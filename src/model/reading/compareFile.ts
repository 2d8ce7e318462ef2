/** Tells what an author changed in a file between two versions of a commit from what only the base changed. */
import { isSameDiff } from './compareDiffs.ts';
import type { FileChange, FileState, Verdict } from './fileChange.ts';
import { editsBetween, mergeLines } from './mergeLines.ts';

/** The verdict on a file, and the grounds for it. */
export interface FileComparison {
  verdict: Exclude<Verdict, 'added' | 'removed'>;
  /**
   * `ids`: contents were not to be had, and the ids of the blobs decide. `diffs`: neither do those, and `same` only says that the
   * diffs are alike: the file may have been rebased, and its change be in another place that looks alike.
   */
  basis: 'contents' | 'ids' | 'diffs';
  /**
   * The file as the older version would have left it on the newer base: what differs from it the author changed. Undefined
   * when that is not to be told.
   */
  expected?: string;
  /** Part of the change is in the newer base: it may have been moved into a commit before this one. */
  isPartlyInBase?: true;
  /** Nobody knows whether part of it is: that takes the number of changed lines, and there are too many to be compared here. */
  isSizeUnknown?: true;
}

/** The lines that a change removes from a file, and those that it adds. */
export interface ChangedLines {
  removed: number;
  added: number;
}

/** Knowledge about a file that the two changes alone don't give. */
export interface ComparisonContext {
  /** True when the author has moved the file: then it changed, whatever else is found. */
  isMoved?: boolean;
  /** Git's merge of the older change onto the newer base, if git was asked; see `mayBeRebased`. */
  gitMerge?: GitMerge | undefined;
  /** The lines that both versions change, counted by git; see `isSizeUnknown`. */
  changedLines?: Readonly<Record<'older' | 'newer', ChangedLines>>;
  /** True when the newer base is older than the other one: the part of the change that it has wasn't moved there since. */
  isBaseOlder?: boolean | undefined;
}

/** Git's answer to a merge. It is asked when our own merge doesn't come to the text of the newer version. */
export type GitMerge = { kind: 'clean'; text: string } | { kind: 'conflict' };

/** Compares what two versions of a commit do to one file. */
export function compareFile(
  older: FileChange,
  newer: FileChange,
  context: ComparisonContext = {},
): FileComparison {
  const compared = compareStates(older, newer, context);
  const isSame = compared.verdict === 'same' || compared.verdict === 'rebased';
  return context.isMoved && isSame ? { ...compared, verdict: 'changed' } : compared;
}

/** Returns true when git's merge may say more about a file: the base changed it, with another result than expected. */
export function mayBeRebased(
  older: FileChange,
  newer: FileChange,
  { verdict, basis }: FileComparison,
): boolean {
  return (
    (verdict === 'changed' || verdict === 'conflict') &&
    basis === 'contents' &&
    !isSameState(older.before, newer.before) &&
    [older.before, older.after, newer.before, newer.after].every((state) => state?.content.kind === 'text')
  );
}

/** Returns true when a file that git has merged could be told otherwise if the newer base were the older one. */
export function mayBeOfOlderBase(comparison: FileComparison | undefined): boolean {
  return (
    comparison?.verdict === 'changed' &&
    (comparison.expected === undefined || comparison.isPartlyInBase === true)
  );
}

function compareStates(older: FileChange, newer: FileChange, context: ComparisonContext): FileComparison {
  const states = [older.before, older.after, newer.before, newer.after].filter(
    (state) => state !== undefined,
  );
  const isMissing = states.some(({ content }) => content.kind === 'missing');
  const basis = isMissing ? 'ids' : 'contents';
  if (isSameState(older.before, newer.before) && isSameState(older.after, newer.after)) {
    return { verdict: 'same', basis };
  }
  const hasBoth = !older.before === !newer.before && !older.after === !newer.after;
  if (!hasBoth || !isExpectedMode(older, newer, context)) {
    return { verdict: 'changed', basis };
  }
  if (isMissing) {
    return isSameState(older.before, newer.before) && isOtherBlob(older.after, newer.after)
      ? { verdict: 'changed', basis }
      : compareWithoutContents(older, newer);
  }
  const isText = states.every(({ content }) => content.kind === 'text');
  if (isSameState(older.before, newer.before)) {
    return { verdict: 'changed', basis: 'contents', ...(isText && { expected: textOf(older.after) }) };
  }
  if (!isText) {
    // Git could not have merged what both versions make the same of something else.
    return { verdict: isSameState(older.after, newer.after) ? 'conflict' : 'changed', basis: 'contents' };
  }
  return compareTexts(
    { before: textOf(older.before), after: textOf(older.after) },
    { before: textOf(newer.before), after: textOf(newer.after) },
    newer.after !== undefined,
    context,
  );
}

interface Texts {
  before: string;
  after: string;
}

function compareTexts(
  older: Texts,
  newer: Texts,
  isThere: boolean,
  { gitMerge, isBaseOlder = false, changedLines }: ComparisonContext,
): FileComparison {
  if (!isThere) {
    // Git does not delete by itself what the base has changed.
    return { verdict: 'conflict', basis: 'contents' };
  }
  const own = mergeLines(older.before, newer.before, older.after);
  // Of lines that are alike, ours and git's can differ: what people get is git's.
  const merge = gitMerge ?? own;
  if (merge.kind !== 'clean') {
    return { verdict: merge.kind === 'conflict' ? 'conflict' : 'changed', basis: 'contents' };
  }
  const expected = merge.text;
  if (expected !== newer.after) {
    return { verdict: 'changed', basis: 'contents', expected };
  }
  const isWhole = own.kind === 'clean' && own.text === expected && !own.isShared;
  if (isWhole || isBaseOlder) {
    return { verdict: 'rebased', basis: 'contents', expected };
  }
  const lines = changedLines ?? { older: changedLinesOf(older), newer: changedLinesOf(newer) };
  if (!lines.older || !lines.newer) {
    return { verdict: 'changed', basis: 'contents', isSizeUnknown: true };
  }
  // Of another size, part of it is in the newer base.
  return lines.older.removed === lines.newer.removed && lines.older.added === lines.newer.added
    ? { verdict: 'rebased', basis: 'contents', expected }
    : { verdict: 'changed', basis: 'contents', expected, isPartlyInBase: true };
}

/** Undefined when there are too many to be compared here. */
function changedLinesOf({ before, after }: Texts): ChangedLines | undefined {
  const edits = editsBetween(before, after);
  return (
    edits && {
      removed: edits.reduce((sum, { start, end }) => sum + end - start, 0),
      added: edits.reduce((sum, { lines }) => sum + lines.length, 0),
    }
  );
}

function compareWithoutContents(older: FileChange, newer: FileChange): FileComparison {
  const [one, other] = [older.diff, newer.diff];
  return {
    verdict: one !== undefined && other !== undefined && isSameDiff(one, other) ? 'same' : 'changed',
    basis: 'diffs',
  };
}

function isSameState(one: FileState | undefined, other: FileState | undefined): boolean {
  if (!one || !other) {
    return one === other;
  }
  if (one.mode !== other.mode) {
    return false;
  }
  if (one.id !== undefined && other.id !== undefined) {
    return one.id === other.id;
  }
  return (
    one.content.kind === 'text' && other.content.kind === 'text' && one.content.text === other.content.text
  );
}

/** True when it is known that the contents differ. */
function isOtherBlob(one: FileState | undefined, other: FileState | undefined): boolean {
  return one?.id !== undefined && other?.id !== undefined && one.id !== other.id;
}

/** True when the newer version changes the mode as the older one does, or its base is older and has that mode already. */
function isExpectedMode(
  older: FileChange,
  newer: FileChange,
  { isBaseOlder = false }: ComparisonContext,
): boolean {
  const isInBase = newer.before?.mode === older.after?.mode && newer.after?.mode === older.after?.mode;
  return modeChangeOf(older) === modeChangeOf(newer) || (isBaseOlder && isInBase);
}

/** A change of a file's mode, as a string to compare; that of an added or deleted file counts as well. */
function modeChangeOf({ before, after }: FileChange): string {
  return before?.mode === after?.mode ? '' : `${before?.mode ?? ''} ${after?.mode ?? ''}`;
}

function textOf(state: FileState | undefined): string {
  return state?.content.kind === 'text' ? state.content.text : '';
}
