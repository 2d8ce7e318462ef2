/** Decides which patches of a stack may be signed off again, with the contents that git has of their files. */
import { compareStacks } from '../model/reading/compareStacks.ts';
import { comparePatches, type PatchComparison } from '../model/reading/comparePatches.ts';
import { pairPatches } from '../model/reading/pairPatches.ts';
import type { VersionPair } from '../model/reading/outcome.ts';
import type { PatchVersion } from '../model/reading/patchVersion.ts';
import {
  decideSignOffs,
  type ChangedReason,
  type SignedPatch,
  type UnchangedReason,
} from '../model/reading/signOffUnchanged.ts';
import { compareAllContents } from './comparePatch.ts';
import type { OpenRepository } from './repository.ts';

/** The decision on a patch that is there now. */
export type SignOffOutcome = { changeId: string } & (
  | { kind: 'offered'; reason: UnchangedReason }
  | { kind: 'refused'; reason: ChangedReason }
  | { kind: 'alreadySigned' | 'neverSigned' }
);

/** The facts that it is decided by. */
export interface SignOffQuestion {
  /** The patches that the person has signed off. */
  signed: readonly SignedPatch[];
  /** The patches that are there now, in their order. */
  current: readonly PatchVersion[];
  /** The change ids of those that are signed off as they are there now. */
  isSigned: readonly string[];
}

/**
 * See the module.
 *
 * @param repositories without any, the diffs are compared.
 * @param scratch a folder for what git writes meanwhile; nothing stays in it.
 * @throws the signal's reason.
 */
export async function decideWithContents(
  repositories: readonly OpenRepository[],
  { signed, current, isSigned }: SignOffQuestion,
  scratch: string,
  signal?: AbortSignal,
): Promise<SignOffOutcome[]> {
  const before = signed.flatMap(({ version }) => version ?? []);
  const comparisons = new Map<PatchVersion, PatchComparison>();
  const pairs = pairPatches(before, current).flatMap(({ older, newer }): VersionPair[] =>
    older && newer ? [[older, newer]] : [],
  );
  let index = 0;
  for await (const { comparison } of compareAllContents(repositories, pairs, scratch, signal)) {
    const newer = pairs[index++]?.[1];
    if (newer) {
      comparisons.set(newer, comparison);
    }
  }
  const decisions = decideSignOffs(
    signed,
    current,
    ({ changeId }) => isSigned.includes(changeId),
    (older, newer) =>
      compareStacks(older, newer, (one, other) => comparisons.get(other) ?? comparePatches(one, other)),
  );
  return decisions.map((decision): SignOffOutcome => {
    const { changeId } = decision.patch;
    switch (decision.kind) {
      case 'offered':
        return { changeId, kind: decision.kind, reason: decision.reason };
      case 'refused':
        return { changeId, kind: decision.kind, reason: decision.reason };
      default:
        return { changeId, kind: decision.kind };
    }
  });
}
