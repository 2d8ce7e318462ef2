import { isApiError } from '../../../api/errors.ts';
import { isoTime } from '../../../api/timestamp.ts';
import type { PatchAddress } from '../../model.ts';
import type { Draft, DraftSubject } from '../draft.ts';
import type { Ask } from './sender.ts';

/**
 * Where a change of a patch belongs when the branch got a new version since the change began: in the version that people
 * read from now on. A sign-off stays: it is of what was read.
 *
 * @throws what the client throws.
 */
export async function inNewestVersion({ subject, startedAt }: Draft, read: Ask): Promise<DraftSubject> {
  if (!('patch' in subject) || subject.kind === 'signOff') {
    return subject;
  }
  const patch = await newestVersion(subject.patch, startedAt, read);
  return patch === subject.patch ? subject : { ...subject, patch };
}

/**
 * The version of a patch that its branch has got since a time; the same when there is none. An older version that was one
 * already by then stays.
 *
 * @param since ISO 8601.
 * @throws what the client throws.
 */
export async function newestVersion(patch: PatchAddress, since: string, read: Ask): Promise<PatchAddress> {
  const { projectId, branchId } = patch;
  if (projectId === undefined || branchId === undefined) {
    return patch;
  }
  try {
    const latest = await read((client, options) =>
      client.stacks.latestForBranch(projectId, branchId, options),
    );
    const { uuid, createdAt, patches = [] } = latest;
    const isNewer = createdAt !== undefined && Date.parse(isoTime(createdAt)) > Date.parse(since);
    return uuid !== patch.stackUuid && isNewer && patches.some(({ changeId }) => changeId === patch.changeId)
      ? { ...patch, stackUuid: uuid }
      : patch;
  } catch (error) {
    // The branch is gone: the patch itself may still be there.
    if (isApiError(error) && error.kind === 'notFound') {
      return patch;
    }
    throw error;
  }
}
