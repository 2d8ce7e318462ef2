import * as vscode from 'vscode';
import type { PatchStack } from '../api/resources/stacks.ts';
import { runCommand, type PatchReference } from '../contributions.ts';
import type { Model, PatchAddress } from '../model/model.ts';
import type { ReadOnlyReason } from '../protocol/patchDocument.ts';

/** Why the patches of a patch stack can be read only: undefined when they can be changed, or nothing is known of it. */
export function readOnlyReason(stack: PatchStack | undefined): ReadOnlyReason | undefined {
  switch (stack?.status) {
    case 'closed':
      return 'closed';
    case 'inactive':
      return 'superseded';
    default:
      return undefined;
  }
}

/** Why a patch can be read only; what cannot be found out forbids nothing. */
export async function readOnlyReasonOf(
  model: Model,
  patch: PatchAddress,
): Promise<ReadOnlyReason | undefined> {
  const place = await model.stackOfPatch(patch).catch(() => undefined);
  return readOnlyReason(place?.stack);
}

/** Says why a patch can be read only, and what to do about it. */
export function describeReadOnly(reason: ReadOnlyReason): string {
  return reason === 'closed'
    ? vscode.l10n.t(
        'This patch stack is closed: its patches can be read, but not changed. Reopen it to change them.',
      )
    : vscode.l10n.t(
        'This is an earlier version of the patch stack: it can be read, but not changed. Open the newest version to change it.',
      );
}

/** What a button is called that leads to where the patch can be changed. */
export function labelOfLeaving(reason: ReadOnlyReason): string {
  return reason === 'closed' ? vscode.l10n.t('Reopen Patch Stack') : vscode.l10n.t('Open the Newest Version');
}

/** Reopens the patch stack that is closed, or opens the same patch in the newest version of it. */
export async function leaveReadOnly(model: Model, reference: PatchReference): Promise<void> {
  const { projectId } = reference;
  const stack = (await model.stackOfPatch(reference))?.stack;
  if (projectId === undefined || !stack) {
    return;
  }
  if (readOnlyReason(stack) === 'closed') {
    await runCommand('reopenStack', { projectId, stack });
  } else {
    const newest = await model.latestStack(projectId, stack.branchId ?? '');
    await runCommand('openPatch', { ...reference, stackUuid: newest.uuid, sectionCode: undefined });
  }
}

/**
 * Refuses to begin a change of a patch that can be read only. What was begun before can still be sent: nothing is lost.
 *
 * @throws why it cannot be changed.
 */
export async function refuseReadOnly(model: Model, patch: PatchAddress): Promise<void> {
  const reason = await readOnlyReasonOf(model, patch);
  if (reason) {
    throw new Error(describeReadOnly(reason));
  }
}
