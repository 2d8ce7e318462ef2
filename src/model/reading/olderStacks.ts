import type { PatchStack } from '../../api/types/stacks.ts';
import type { StackRef } from '../../util/patchRef.ts';
import type { Model } from '../model.ts';

/**
 * The other versions of a stack, the newest first. What was known of them when the window was closed last may lack some.
 *
 * @throws when the service has not told of them.
 */
export async function olderStacks(
  model: Pick<Model, 'stacks'>,
  { projectId, branchId, stackUuid }: StackRef,
): Promise<PatchStack[]> {
  if (projectId === undefined || branchId === undefined) {
    return [];
  }
  const { value } = await model.stacks(projectId, { status: 'all', branchId });
  return value
    .filter((stack) => stack.uuid !== stackUuid && stack.branchId === branchId)
    .sort((one, other) => (other.createdAt ?? '').localeCompare(one.createdAt ?? ''));
}
