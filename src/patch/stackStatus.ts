import * as vscode from 'vscode';
import type { PatchStack } from '../api/types/stacks.ts';
import type { Model } from '../model/model.ts';
import type { SettledStatus } from '../protocol/patchDocument.ts';
import { runCommand } from '../ui/commands.ts';
import type { PatchRef, SectionRef } from '../util/patchRef.ts';

/** The status of a patch stack that is not the one to work on; undefined for all others, and when nothing is known of it. */
export function settledStatus(stack: PatchStack | undefined): SettledStatus | undefined {
  return stack?.status === 'closed' || stack?.status === 'inactive' ? stack.status : undefined;
}

/** The status of the patch stack of a patch, like `settledStatus`; what cannot be found out forbids nothing. */
async function settledStatusOf(model: Model, patch: PatchRef): Promise<SettledStatus | undefined> {
  const place = await model.stackOfPatch(patch).catch(() => undefined);
  return settledStatus(place?.stack);
}

/** Closed alone: what is written into an inactive stack goes to the newest version. */
export async function isReadOnly(model: Model, patch: PatchRef): Promise<boolean> {
  return (await settledStatusOf(model, patch)) === 'closed';
}

/** Says why a patch can be read only, and what to do about it. */
export function describeReadOnly(): string {
  return vscode.l10n.t('This patch stack is closed and read-only. Reopen it to make changes.');
}

/** Reopens the patch stack that is closed, or opens the same patch in the newest version of it. */
export async function goToActive(model: Model, ref: SectionRef): Promise<void> {
  const { projectId } = ref;
  const stack = (await model.stackOfPatch(ref))?.stack;
  if (projectId === undefined || !stack) {
    return;
  }
  if (settledStatus(stack) === 'closed') {
    await runCommand('reopenStack', { projectId, stack });
  } else {
    const newest = await model.latestStack(projectId, stack.branchId ?? '');
    await runCommand('openPatch', { ...ref, stackUuid: newest.uuid, sectionCode: undefined });
  }
}

/**
 * Refuses to begin a change of a patch that can be read only. What was begun before can still be sent: nothing is lost.
 *
 * @throws why it cannot be changed.
 */
export async function refuseReadOnly(model: Model, patch: PatchRef): Promise<void> {
  if (await isReadOnly(model, patch)) {
    throw new Error(describeReadOnly());
  }
}
