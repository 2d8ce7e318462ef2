/** Finds the version of a patch that somebody has read last, to compare the one that is there with it. */
import { isRead } from './carryMarks.ts';
import { contentOf, wordingOf } from './hunks.ts';
import type { PatchVersion } from './patchVersion.ts';
import type { PatchRecord, ReadVersion } from './readingRecords.ts';

/** A patch as it is now. */
export interface CurrentPatch {
  version: PatchVersion;
  /** See `fingerprintOf`. */
  fingerprint: string;
}

/** Returns true for the version that was read, whatever its commit and its number are. */
export function isSameVersion(known: PatchRecord, { version, fingerprint }: CurrentPatch): boolean {
  return (
    known.fingerprint === fingerprint ||
    (known.content !== '' && known.content === contentOf(version) && known.wording === wordingOf(version))
  );
}

/** The version to compare a new one with: the one read last, unless that was only begun. */
export function versionBefore(known: PatchRecord): ReadVersion | undefined {
  if (!known.hunks.some(isRead) || (known.before && !known.hunks.every(isRead))) {
    return known.before;
  }
  const { fingerprint, number, snapshot } = known;
  return {
    fingerprint,
    ...(number !== undefined && { number }),
    ...(snapshot !== undefined && { snapshot }),
    ...(!known.hunks.every(isRead) && { isPart: true as const }),
  };
}

/** The version to compare a patch with: the one that was read last, before the one that is there. */
export function lastReadOf(known: PatchRecord, current: CurrentPatch): ReadVersion | undefined {
  return isSameVersion(known, current) ? known.before : versionBefore(known);
}
