/** Decides which patches of a stack may be signed off again, since nothing of them changed after they were signed off. */
import { compareStacks, type ComparedPatch } from './compareStacks.ts';
import { outcomeOf } from './outcome.ts';
import type { PatchVersion } from './patchVersion.ts';

/** Why a patch may be signed off again. */
export type UnchangedReason = 'unchanged' | 'rebased';

/** Why it may not. */
export type ChangedReason =
  /** Something of it changed. */
  | 'changed'
  /** It is a part of one that was signed off. */
  | 'split'
  /** Only diffs are to be had, which do not tell for certain that nothing changed. */
  | 'uncertain'
  /** The version that was signed off is not to be had. */
  | 'lost';

/** The decision on a patch that is there now. */
export type SignOffDecision = { patch: PatchVersion; comparison?: ComparedPatch } & (
  | { kind: 'offered'; reason: UnchangedReason }
  | { kind: 'alreadySigned' }
  | { kind: 'neverSigned' }
  | { kind: 'refused'; reason: ChangedReason }
);

/** A patch as the person has signed it off. */
export interface SignedPatch {
  changeId: string;
  /** Undefined when that version is not to be had any more. */
  version: PatchVersion | undefined;
}

/**
 * Decides about each patch that is there now.
 *
 * @param signed what the person has signed off.
 * @param current the patches that are there now, in their order.
 * @param isSigned whether the version that is there now is signed off already.
 * @param compare what became of the patches; for when more is known of their files than their versions say.
 */
export function decideSignOffs(
  signed: readonly SignedPatch[],
  current: readonly PatchVersion[],
  isSigned: (patch: PatchVersion) => boolean = () => false,
  compare: (
    older: readonly PatchVersion[],
    newer: readonly PatchVersion[],
  ) => ComparedPatch[] = compareStacks,
): SignOffDecision[] {
  const older = signed.flatMap(({ version }) => version ?? []);
  const compared = new Map(
    compare(older, current).flatMap((each) => (each.newer ? [[each.newer, each]] : [])),
  );
  const lost = new Set(signed.flatMap(({ changeId, version }) => (version ? [] : changeId)));
  return current.map((patch): SignOffDecision => {
    const comparison = compared.get(patch);
    const found = { patch, ...(comparison && { comparison }) };
    if (isSigned(patch)) {
      return { ...found, kind: 'alreadySigned' };
    }
    if (lost.has(patch.changeId)) {
      return { ...found, kind: 'refused', reason: 'lost' };
    }
    if (!comparison?.comparison) {
      return comparison?.splitFrom
        ? { ...found, kind: 'refused', reason: 'split' }
        : { ...found, kind: 'neverSigned' };
    }
    const { since } = outcomeOf(comparison.comparison);
    switch (since) {
      case 'unchanged':
      case 'rebased':
        return { ...found, kind: 'offered', reason: since };
      case 'changed':
        return { ...found, kind: 'refused', reason: 'changed' };
      default:
        return { ...found, kind: 'refused', reason: 'uncertain' };
    }
  });
}
