/** Goes from one thing that the person has not read to the next, through the whole stack. */
import * as vscode from 'vscode';
import type { Patch } from '../api/types/patches.ts';
import type { PatchStack } from '../api/types/stacks.ts';
import type { CommandRow } from '../contributions.ts';
import type { Model } from '../model/model.ts';
import type { Readings } from '../model/reading/readings.ts';
import type { Direction } from '../protocol/patchDocument.ts';
import { showMessage } from '../ui/notifications.ts';
import type { SectionRef, StackRef } from '../util/patchRef.ts';
import type { PatchPanels } from './patchPanels.ts';
import { nextUnread, type UnreadPlace } from './unread.ts';
import { placesOf } from '../model/reading/hunks.ts';
import { loadUnopened } from '../model/reading/loadUnopened.ts';
import { stackNameOf } from '../model/reading/stackName.ts';

interface UnreadContext {
  model: Model;
  readings: Readings | undefined;
  panels: PatchPanels;
  serverUrl: string;
}

/** The place that each window's documents were led to last. */
const lastFound = new WeakMap<PatchPanels, UnreadPlace>();

/** See the module. @param row the stack or patch to begin at. */
export async function goToUnread(
  { model, readings, panels, serverUrl }: UnreadContext,
  row: CommandRow | undefined,
  direction: Direction,
): Promise<void> {
  const place = await placeOf(model, row);
  if (!readings || !place) {
    throw new Error(vscode.l10n.t('Select a patch stack or a patch.'));
  }
  const { stack, patches, from } = place;
  const loaded = await loadUnopened(model, stack.stackUuid, patches);
  const states = await readings.states(stackNameOf(stack), loaded);
  const toRead = loaded.map((patch, index) => ({
    changeId: patch.changeId,
    codes: (patch.sections ?? []).map(({ code }) => code),
    reading: states[index],
    placesIn: (index: number) => {
      const section = patch.sections?.[index];
      return section?.sectionType === 'diff' ? placesOf(section.diffPatch ?? '') : [];
    },
  }));
  const before = lastFound.get(panels);
  // A line that the page could not show is passed over, or nobody came any further.
  const isStill = before?.line && !from.line && isSamePlace(before, from);
  const found = nextUnread(toRead, isStill ? before : from, direction);
  if (found) {
    lastFound.set(panels, found);
    await panels.goTo({ ...stack, serverUrl, ...found });
  } else {
    void showMessage(vscode.l10n.t("You've read everything in this patch stack."));
  }
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

function isSamePlace(one: UnreadPlace, other: Partial<SectionRef>): boolean {
  return one.changeId === other.changeId && one.sectionCode === other.sectionCode;
}
