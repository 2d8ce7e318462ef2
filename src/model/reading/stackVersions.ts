/** Finds the versions of a stack that can be compared with one another, and the patches of each. */
import { isApiError } from '../../api/errors.ts';
import type { Patch } from '../../api/types/patches.ts';
import type { PatchStack } from '../../api/types/stacks.ts';
import type { StackRef } from '../../util/patchRef.ts';
import { Turns } from '../../util/turns.ts';
import { fingerprintOf } from '../fingerprint.ts';
import type { Model } from '../model.ts';
import { isRead } from './carryMarks.ts';
import { lastReadOf, versionBefore, type CurrentPatch } from './lastRead.ts';
import { versionOf, type PatchVersion } from './patchVersion.ts';
import type { PatchRecord, ReadVersion } from './readingRecords.ts';
import type { Readings } from './readings.ts';
import type { PlacedVersion } from './stackChanges.ts';
import { stackNameOf } from './stackName.ts';

/** Requests at once: what somebody waits for elsewhere comes first. */
const mostRequests = 4;

/** The versions of a stack. */
export interface StackVersionOffers {
  /** The oldest first: those whose patches the service tells. */
  all: readonly PatchStack[];
  /** The one before the stack in which the person has read last; undefined when there is none. */
  lastRead?: PatchStack;
  /** The one that what is there is compared with unless the person says otherwise. */
  older: PatchStack;
}

/** The places that versions come from. */
export interface StackVersionSources {
  model: Pick<Model, 'stacks' | 'patchUnopened' | 'opinions'>;
  /** The readings of the account that is signed in. */
  readings: Readings | undefined;
}

/** The versions of a stack; undefined when there is none before it. Nothing is asked for that the stack's page has not asked. */
export async function stackVersions(
  { model, readings }: StackVersionSources,
  ref: StackRef & { projectId: string },
  stack: PatchStack,
): Promise<StackVersionOffers | undefined> {
  const { value } = await model.stacks(ref.projectId, 'all', 'atOnce');
  const isOther = ({ uuid, branchId, patches }: PatchStack): boolean =>
    uuid !== stack.uuid && branchId !== undefined && branchId === stack.branchId && patches !== undefined;
  const all = [stack, ...value.filter(isOther)].sort(
    (one, other) =>
      Number(one.version) - Number(other.version) ||
      (one.createdAt ?? '').localeCompare(other.createdAt ?? ''),
  );
  const before = all.slice(0, all.indexOf(stack));
  const previous = before.at(-1);
  if (!previous) {
    return undefined;
  }
  const lastRead = lastReadIn(before, stack, (await readings?.lastRead(stackNameOf(ref))) ?? []);
  return { all, ...(lastRead && { lastRead }), older: lastRead ?? previous };
}

/**
 * The version in which something was read last. Of what is the same in several, the first counts, for nobody can have missed what came
 * before.
 */
function lastReadIn(
  before: readonly PatchStack[],
  stack: PatchStack,
  records: readonly PatchRecord[],
): PatchStack | undefined {
  const placeOf = (changeId: string, number: string | undefined): number =>
    before.findIndex((each) => number !== undefined && summaryIn(each, changeId)?.version === number);
  const isThere = ({ changeId, number }: PatchRecord): boolean =>
    summaryIn(stack, changeId)?.version === number;
  const read = records.filter(({ hunks }) => hunks.some(isRead));
  // Whoever has read what only the stack that is there has may have read all the rest there, too.
  const isStackRead = read.some(
    (record) => isThere(record) && placeOf(record.changeId, record.number) === -1,
  );
  const places = read.map((record) => {
    const { changeId, number } = record;
    const place = isStackRead && isThere(record) ? -1 : placeOf(changeId, number);
    return place === -1 ? placeOf(changeId, record.before?.number) : place;
  });
  return before[Math.max(-1, ...places)];
}

function summaryIn({ patches }: PatchStack, changeId: string): Patch | undefined {
  return patches?.find((patch) => patch.changeId === changeId);
}

/**
 * Loads two versions of a stack, which is not to open their patches.
 *
 * @param isAsRead the older one is what the person has read last, as far as that was kept, which then is not asked for.
 * @throws what the client throws; the signal's reason.
 */
export async function loadVersions(
  { model, readings }: StackVersionSources,
  ref: StackRef,
  { older, newer, isAsRead }: { older: PatchStack; newer: PatchStack; isAsRead: boolean },
  signal: AbortSignal,
): Promise<{ older: PlacedVersion[]; newer: PlacedVersion[] }> {
  const requests = new Turns(mostRequests);
  const records = new Map(
    ((await readings?.lastRead(stackNameOf(ref))) ?? []).map((record) => [record.changeId, record]),
  );
  const current = new Map<string, CurrentPatch>();
  const load = (
    stack: PatchStack,
    readOf: (summary: Patch) => ReadVersion | undefined,
  ): Promise<PlacedVersion[]> =>
    Promise.all(
      (stack.patches ?? []).map((summary) =>
        requests.take(async () => {
          signal.throwIfAborted();
          const read = readOf(summary);
          const asRead = read && (await readings?.keptVersion(read));
          if (asRead) {
            return asRead;
          }
          const { changeId } = summary;
          const patch = await orNone(model.patchUnopened({ stackUuid: stack.uuid, changeId }));
          if (patch) {
            const version = versionOf(patch);
            if (stack === newer) {
              current.set(changeId, { version, fingerprint: fingerprintOf(patch) });
            }
            return version;
          }
          return (await kept(summary)) ?? { ...versionOf(summary), isMissing: true as const };
        }),
      ),
    );
  /** The very commit as the person has read it: its texts may have been others later, so it is the second best. */
  const kept = async ({ changeId, version: number, commitSha }: Patch): Promise<PatchVersion | undefined> => {
    const record = records.get(changeId);
    const read = [record, record?.before, record?.signedOff].find((one) => one && one.number === number);
    const version = read && (await readings?.keptVersion(read));
    return commitSha !== undefined && version?.commitSha === commitSha ? version : undefined;
  };
  const lastRead = ({ changeId }: Patch): ReadVersion | undefined => {
    const [record, now] = [records.get(changeId), current.get(changeId)];
    return record && (now ? lastReadOf(record, now) : versionBefore(record));
  };
  // What was read before it is told by what is there now.
  const now = await load(newer, () => undefined);
  return { older: await load(older, isAsRead ? lastRead : () => undefined), newer: now };
}

/** Undefined for what the service has no more. */
async function orNone<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isApiError(error) && error.kind === 'notFound') {
      return undefined;
    }
    throw error;
  }
}

/** The newest of these versions of which a patch is signed off by the person; undefined when they have not, or requested changes since. */
export function signedIn(
  { model }: Pick<StackVersionSources, 'model'>,
  all: readonly PatchStack[],
  changeId: string,
  record: PatchRecord | undefined,
): PatchStack | undefined {
  for (const stack of all.toReversed()) {
    const summary = summaryIn(stack, changeId);
    const said = summary && model.opinions(summary).mine;
    if (said) {
      return said === 'signedOff' ? stack : undefined;
    }
  }
  const number = record?.signedOff?.number;
  return all.findLast((stack) => number !== undefined && summaryIn(stack, changeId)?.version === number);
}
