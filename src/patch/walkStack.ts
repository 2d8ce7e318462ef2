/** Goes from one place to the next through the whole stack that a command is for. */
import * as vscode from 'vscode';
import type { Patch } from '../api/types/patches.ts';
import type { PatchStack } from '../api/types/stacks.ts';
import type { CommandRow } from '../contributions.ts';
import type { Model } from '../model/model.ts';
import { loadUnopened } from '../model/reading/loadUnopened.ts';
import type { SectionRef, StackRef } from '../util/patchRef.ts';
import type { PatchPanels } from './patchPanels.ts';
import type { StackPlace, Whereabouts } from './stackPlaces.ts';

/** The documents of a window, with all that they show. */
export interface WalkContext {
  model: Model;
  panels: PatchPanels;
  serverUrl: string;
}

/** The stack to go through, with the content of its patches. */
export interface WalkedStack {
  stack: StackRef;
  patches: readonly Patch[];
}

/** The place that each window's documents were led to last. */
const lastFound = new WeakMap<PatchPanels, StackPlace>();

/**
 * Goes to the place that is found.
 *
 * @param row the stack or patch to begin at.
 * @param find returns the next place from where the person is.
 * @returns false when there is none.
 */
export async function walkStack(
  { model, panels, serverUrl }: WalkContext,
  row: CommandRow | undefined,
  find: (walked: WalkedStack, from: Whereabouts) => Promise<StackPlace | undefined>,
): Promise<boolean> {
  const place = await placeOf(model, row);
  if (!place) {
    throw new Error(vscode.l10n.t('Select a patch stack or a patch.'));
  }
  const { stack, from } = place;
  const patches = await loadUnopened(model, stack.stackUuid, place.patches);
  const before = lastFound.get(panels);
  // A line that the page could not show is passed over, or nobody came any further.
  const isStill = before?.line && !from.line && isSamePlace(before, from);
  const found = await find({ stack, patches }, isStill ? before : from);
  if (found) {
    lastFound.set(panels, found);
    await panels.goTo({ ...stack, serverUrl, ...found });
  }
  return found !== undefined;
}

/** The stack that a command is for, and where in it the person is. */
async function placeOf(
  model: Model,
  row: CommandRow | undefined,
): Promise<{ stack: StackRef; patches: readonly Patch[]; from: Partial<SectionRef> } | undefined> {
  if (!row || 'project' in row) {
    return undefined;
  }
  if ('stack' in row) {
    const { projectId } = row;
    const stack = await newestVersion(model, projectId, row.stack);
    const { value } = await model.patchesOfStack(projectId, stack);
    return {
      stack: { projectId, branchId: stack.branchId, stackUuid: stack.uuid },
      patches: value,
      from: {},
    };
  }
  const { stackUuid, changeId } = row;
  if (stackUuid === undefined || changeId === undefined) {
    return undefined;
  }
  const { projectId, branchId } = model.located({ ...row, stackUuid, changeId });
  const place = await model.stackOfPatch({ projectId, branchId, stackUuid, changeId });
  if (!place) {
    throw new Error(vscode.l10n.t("Couldn't determine which stack this patch belongs to."));
  }
  const newest = projectId === undefined ? undefined : await newestVersion(model, projectId, place.stack);
  return projectId === undefined || !newest || newest.uuid === stackUuid
    ? { stack: { projectId, branchId, stackUuid }, patches: place.patches, from: row }
    : {
        stack: { projectId, branchId, stackUuid: newest.uuid },
        patches: (await model.patchesOfStack(projectId, newest)).value,
        from: row,
      };
}

/** The newest version of a stack, as far as it is known: what was selected or open may be an older one, which nobody has to read. */
async function newestVersion(model: Model, projectId: string, stack: PatchStack): Promise<PatchStack> {
  try {
    const { value } = await model.stacks(projectId, 'active', 'atOnce');
    return value.find(({ branchId }) => branchId !== undefined && branchId === stack.branchId) ?? stack;
  } catch {
    return stack;
  }
}

function isSamePlace(one: StackPlace, other: Partial<SectionRef>): boolean {
  return one.changeId === other.changeId && one.sectionCode === other.sectionCode;
}
