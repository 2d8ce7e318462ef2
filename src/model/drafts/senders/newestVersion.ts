import { isApiError } from '../../../api/errors.ts';
import { isoTime } from '../../../api/timestamp.ts';
import type { Draft, DraftSubject } from '../draft.ts';
import type { Ask } from './sender.ts';

/**
 * Where a change of a patch belongs when the branch got a new version since the change began: in the version that people
 * read from now on. A change of an older version that was begun when it was one already stays with that.
 *
 * @throws what the client throws.
 */
export async function inNewestVersion({ subject, startedAt }: Draft, read: Ask): Promise<DraftSubject> {
  if (!('patch' in subject)) {
    return subject;
  }
  const { patch } = subject;
  const { projectId, branchId } = patch;
  if (projectId === undefined || branchId === undefined) {
    return subject;
  }
  try {
    const latest = await read((client, options) =>
      client.stacks.latestForBranch(projectId, branchId, options),
    );
    const { uuid, createdAt, patches = [] } = latest;
    const isNewer = createdAt !== undefined && Date.parse(isoTime(createdAt)) > Date.parse(startedAt);
    return uuid !== patch.stackUuid && isNewer && patches.some(({ changeId }) => changeId === patch.changeId)
      ? { ...subject, patch: { ...patch, stackUuid: uuid } }
      : subject;
  } catch (error) {
    // The branch is gone: the patch itself may still be there.
    if (isApiError(error) && error.kind === 'notFound') {
      return subject;
    }
    throw error;
  }
}
