import type { Patch } from '../../api/types/patches.ts';
import { Turns } from '../../util/turns.ts';
import type { Model } from '../model.ts';

/** Requests at once: what somebody waits for elsewhere comes first. */
const mostRequests = 4;

/**
 * Loads patches of a stack with their content, which is not to open them.
 *
 * @throws what the client throws.
 */
export function loadUnopened(
  model: Pick<Model, 'patchUnopened'>,
  stackUuid: string,
  patches: readonly Patch[],
): Promise<Patch[]> {
  const requests = new Turns(mostRequests);
  return Promise.all(
    patches.map(({ changeId }) => requests.take(() => model.patchUnopened({ stackUuid, changeId }))),
  );
}
