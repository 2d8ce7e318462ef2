/**
 * Finds the newest version of a branch's patch stack: by the one that the service calls the latest, and by uuid. Times of the
 * service and of this computer are never compared.
 */
import { isApiError } from '../api/errors.ts';
import type { PatchStack } from '../api/types/stacks.ts';
import type { AskService } from './askService.ts';
import type { PatchRef, StackRef } from '../util/patchRef.ts';

/** A version of a patch stack. */
export interface StackVersion {
  uuid: string;
  /** Its number for people. Missing when the service doesn't say. */
  version?: string;
}

/** The relation of the version in which somebody reads a patch to the newest one of its branch. */
export type Standing =
  /** It is the newest one. */
  | { kind: 'newest' }
  /** There is a newer one, which has the same change; `patch` is where. */
  | { kind: 'older'; newest: StackVersion; patch: PatchRef }
  /** There is a newer one, and it has no such change. */
  | { kind: 'gone'; newest: StackVersion }
  /** It cannot be told: the branch is not known, or has no patch stack any more. */
  | { kind: 'unknown' };

/**
 * Asks the service whether a patch stands in the newest version of its patch stack, and which one that is. See
 * `Model.standing` for an address of which the project or the branch may be missing.
 *
 * @throws what the client throws.
 */
export async function standingOf(ask: AskService, patch: PatchRef, signal?: AbortSignal): Promise<Standing> {
  const latest = await latestStackOf(ask, patch, signal);
  if (!latest) {
    return { kind: 'unknown' };
  }
  const { uuid, patches } = latest;
  if (uuid === patch.stackUuid) {
    return { kind: 'newest' };
  }
  const newest = versionOf(latest);
  return patches
    ? standingIn(
        patch,
        newest,
        patches.some(({ changeId }) => changeId === patch.changeId),
      )
    : standingAfter(ask, patch, newest, signal);
}

/**
 * Returns the standing of a patch when the service has named the newest version of its stack, as it does when it refuses to write
 * to an older one.
 *
 * @throws what the client throws.
 */
export async function standingAfter(
  ask: AskService,
  patch: PatchRef,
  newest: StackVersion,
  signal?: AbortSignal,
): Promise<Standing> {
  if (newest.uuid === patch.stackUuid) {
    return { kind: 'newest' };
  }
  try {
    await ask((client) => client.patches.get(newest.uuid, patch.changeId, options(signal)));
    return standingIn(patch, newest, true);
  } catch (error) {
    if (isApiError(error) && error.kind === 'notFound') {
      return standingIn(patch, newest, false);
    }
    throw error;
  }
}

/**
 * The newest version of a patch stack, when it is another one than this.
 *
 * @throws what the client throws.
 */
export async function newerVersion(
  ask: AskService,
  stack: StackRef,
  signal?: AbortSignal,
): Promise<StackVersion | undefined> {
  const latest = await latestStackOf(ask, stack, signal);
  return latest && latest.uuid !== stack.stackUuid ? versionOf(latest) : undefined;
}

/** The newest version that the service has named when it refused to write to an older one. */
export function newestNamedBy(error: unknown): StackVersion | undefined {
  return isApiError(error) && error.kind === 'conflict' ? error.newest : undefined;
}

/** The newest version of a branch's stack in a list of stacks: the active one; undefined for a stack that has no branch. */
export function newestIn(stacks: readonly PatchStack[], branch: string | undefined): PatchStack | undefined {
  return branch === undefined
    ? undefined
    : stacks.find(({ branchId, status }) => branchId === branch && status === 'active');
}

async function latestStackOf(
  ask: AskService,
  { projectId, branchId }: StackRef,
  signal: AbortSignal | undefined,
): Promise<PatchStack | undefined> {
  if (projectId === undefined || branchId === undefined) {
    return undefined;
  }
  try {
    return await ask((client) => client.stacks.latestForBranch(projectId, branchId, options(signal)));
  } catch (error) {
    // The branch is gone: the patch itself may still be there.
    if (isApiError(error) && error.kind === 'notFound') {
      return undefined;
    }
    throw error;
  }
}

function standingIn(patch: PatchRef, newest: StackVersion, isThere: boolean): Standing {
  return isThere
    ? { kind: 'older', newest, patch: { ...patch, stackUuid: newest.uuid } }
    : { kind: 'gone', newest };
}

function versionOf({ uuid, version }: PatchStack): StackVersion {
  return { uuid, ...(version !== undefined && { version }) };
}

function options(signal: AbortSignal | undefined): { signal: AbortSignal } | undefined {
  return signal && { signal };
}
