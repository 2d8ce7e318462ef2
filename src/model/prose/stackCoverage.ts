/** The patches of a stack as their author has written them, and how far prose explains them. */
import type { Patch, PatchSection } from '../../api/types/patches.ts';
import { patchOf } from '../pending/subjects.ts';
import type { StackRef } from '../../util/patchRef.ts';
import type { PendingChange } from '../pending/pendingChange.ts';
import { loadUnopened } from '../reading/loadUnopened.ts';
import { coverageOf, prepareCoverage, type Coverage } from './coverage.ts';
import type { TextsOfPatch } from './followNames.ts';
import { writtenSections } from './writtenSections.ts';

/** A patch with its sections as they are written. */
export interface WrittenPatch {
  changeId: string;
  sections: readonly PatchSection[];
}

/** @param changes those of any patch that the service doesn't have yet. */
export function writtenStack(patches: readonly Patch[], changes: readonly PendingChange[]): WrittenPatch[] {
  return patches.map(({ changeId, sections = [] }) => ({
    changeId,
    sections: writtenSections(
      sections,
      // Whichever version they were begun in, they go into the newest.
      changes.filter(({ subject }) => patchOf(subject)?.changeId === changeId),
    ),
  }));
}

/** The same, prepared so that `coverageOf` has what it takes. @param patches with their content. */
export async function preparedStack(
  model: TextsOfPatch['model'],
  stack: StackRef,
  patches: readonly Patch[],
  changes: readonly PendingChange[],
): Promise<WrittenPatch[]> {
  const written = writtenStack(patches, changes);
  for (const [index, { changeId, sections }] of written.entries()) {
    const patch = patches[index];
    if (patch) {
      await prepareCoverage(sections, { model, ref: { ...stack, changeId }, patch });
    }
  }
  return written;
}

/** The numbers of hunks of a patch: all that are to be explained, and those that prose explains. */
export interface Explained {
  hunks: number;
  explained: number;
}

/** Coverage of sections as they came: they don't change. */
const known = new WeakMap<readonly PatchSection[], Coverage>();

/** Reckons how many hunks of each patch of a stack prose explains, by change id; it asks for the content of patches. */
export async function stackCoverage(
  model: TextsOfPatch['model'],
  stack: StackRef,
  patches: readonly Patch[],
  changes: readonly PendingChange[],
): Promise<Map<string, Explained>> {
  const written = await preparedStack(
    model,
    stack,
    await loadUnopened(model, stack.stackUuid, patches),
    changes,
  );
  return new Map(
    written.map(({ changeId, sections }) => {
      const coverage = known.get(sections) ?? coverageOf(sections);
      known.set(sections, coverage);
      const { hunks, unexplained } = coverage;
      return [changeId, { hunks, explained: hunks - unexplained.length }];
    }),
  );
}
