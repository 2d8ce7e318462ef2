/** Notes in the record of a stack what somebody has read of one of its patches. */
import type { Review } from '../../util/review.ts';
import { isRead, type Mark, type MarkedHunk } from './carryMarks.ts';
import { contentOf, wordingOf } from './hunks.ts';
import type { PatchRecord, ReadVersion, StackRecord } from './readingRecords.ts';
import { isSameVersion, versionBefore, type CurrentPatch } from './lastRead.ts';
import type { SinceRead } from './outcome.ts';
import { markedSections } from './readingStates.ts';

/** Patches of a stack whose records are kept, in all its versions. */
const mostPatches = 1_000;

/** Hunks of earlier versions that are kept. */
const mostElsewhere = 5_000;

/** Sections of a patch that a person has just read. */
export interface NewlyRead {
  patch: CurrentPatch;
  /** What became of it since it was read last. */
  since?: SinceRead | undefined;
  /** The number of its version, as the service gives it. */
  number?: string | undefined;
  /** The places of the sections in it that were read. */
  sections: ReadonlySet<number>;
  /** The marks to set; those left out stay as they were. */
  mark: Partial<Mark>;
  /** When that was, in milliseconds since the epoch. */
  at: number;
  /** The key of its snapshot, if one could be kept. */
  snapshot?: string | undefined;
  /** Whatever is different from the version that was read is the person's own writing. */
  isOwnWriting?: boolean | undefined;
}

/**
 * The record with what was read now; the same one when all of that was known.
 *
 * @param others the other patches of the stack as they are now, as far as they are known: what has moved between patches is told by
 * them.
 */
export function withRead(
  record: StackRecord,
  { patch, since, number, sections, mark, at, snapshot, isOwnWriting = false }: NewlyRead,
  others: readonly CurrentPatch[] = [],
): StackRecord {
  const { changeId } = patch.version;
  const known = record.patches.find((one) => one.changeId === changeId);
  const [marked = []] = markedSections(
    record,
    [patch, ...others.filter(({ version }) => version.changeId !== changeId)],
    [since],
  );
  const hunks = marked.flatMap((section, index) =>
    section.map((hunk) => (sections.has(index) ? { ...hunk, mark: { ...hunk.mark, ...mark } } : hunk)),
  );
  const isSame = known !== undefined && isSameVersion(known, patch);
  if (
    known &&
    isSame &&
    hunks.every(({ mark: now }, index) => isSameMark(now, known.hunks[index]?.mark)) &&
    (known.snapshot !== undefined || snapshot === undefined)
  ) {
    return record;
  }
  const kept = isSame ? known.snapshot : undefined;
  const key = kept ?? snapshot;
  const before = known && (isSame || isOwnWriting ? known.before : versionBefore(known));
  const next: PatchRecord = {
    changeId,
    fingerprint: patch.fingerprint,
    ...(number !== undefined && { number }),
    ...(key !== undefined && { snapshot: key }),
    wording: wordingOf(patch.version),
    content: contentOf(patch.version),
    hunks,
    isPending: !hunks.every(isRead),
    readAt: at,
    ...(before && { before }),
    ...(known?.signedOff && { signedOff: known.signedOff }),
  };
  const isHere = new Set(hunks.map(({ print }) => print.lines));
  const gone = isSame
    ? []
    : (known?.hunks ?? []).filter((hunk) => isRead(hunk) && !isHere.has(hunk.print.lines));
  return {
    ...record,
    // Those that were read last are the last: the first are forgotten.
    patches: [...record.patches.filter((one) => one !== known), next].slice(-mostPatches),
    elsewhere: [...record.elsewhere, ...gone].slice(-mostElsewhere),
  };
}

/** A review of a patch that a person has just given. */
export interface NewlySaid extends Omit<NewlyRead, 'sections' | 'mark'> {
  review: Review;
}

/** The record with what was said now; the same one when that was known. Who requests changes has signed nothing off any more. */
export function withReview(record: StackRecord, { review, ...said }: NewlySaid): StackRecord {
  const { patch, number, snapshot } = said;
  const { changeId } = patch.version;
  const known = record.patches.find((one) => one.changeId === changeId);
  const before = known?.signedOff;
  if (review === 'changesRequested') {
    return before ? withSignedOff(record, changeId, undefined) : record;
  }
  if (before?.fingerprint === patch.fingerprint && (before.snapshot ?? snapshot) === before.snapshot) {
    return record;
  }
  const noted = known ? record : withRead(record, { ...said, sections: new Set(), mark: {} });
  return withSignedOff(noted, changeId, {
    fingerprint: patch.fingerprint,
    ...(number !== undefined && { number }),
    ...(snapshot !== undefined && { snapshot }),
  });
}

function withSignedOff(
  record: StackRecord,
  changeId: string,
  signedOff: ReadVersion | undefined,
): StackRecord {
  return {
    ...record,
    patches: record.patches.map((one) => {
      if (one.changeId !== changeId) {
        return one;
      }
      const rest = { ...one };
      delete rest.signedOff;
      return signedOff ? { ...rest, signedOff } : rest;
    }),
  };
}

function isSameMark(one: Mark, other: MarkedHunk['mark'] | undefined): boolean {
  return one.seen === other?.seen && one.viewed === other.viewed;
}
