/** Finds what somebody has signed off last of each patch of a stack: here, or, as far as the service tells, elsewhere. */
import { isApiError } from '../../api/errors.ts';
import type { Patch } from '../../api/types/patches.ts';
import type { PatchStack } from '../../api/types/stacks.ts';
import type { StackRef } from '../../util/patchRef.ts';
import { Turns } from '../../util/turns.ts';
import { fingerprintOf } from '../fingerprint.ts';
import type { Model } from '../model.ts';
import { versionOf, type PatchVersion } from './patchVersion.ts';
import type { ReadVersion } from './readingRecords.ts';
import type { Readings } from './readings.ts';
import { olderStacks } from './olderStacks.ts';
import { stackNameOf } from './stackName.ts';

/** Requests at once: what somebody waits for comes first. */
const mostRequests = 4;

/** A version of a patch that somebody has signed off. */
export interface SignedVersion {
  changeId: string;
  /** Its number, as the service gives it. */
  number?: string;
  fingerprint?: string;
  /** Undefined when it is not to be had any more. */
  version: PatchVersion | undefined;
}

/** The sources that know of sign-offs. */
export interface SignedSources {
  model: Pick<Model, 'stacks' | 'patchUnopened' | 'opinions'>;
  readings: Readings;
}

/** The service's answer: which version of a patch was signed off, and in which version of the stack it is. */
interface Told {
  stackUuid: string;
  summary: Patch;
}

/** See the module. */
export class SignedVersions {
  readonly #sources: SignedSources;
  readonly #requests = new Turns(mostRequests);

  constructor(sources: SignedSources) {
    this.#sources = sources;
  }

  /**
   * Finds the versions of a stack's patches that were signed off before.
   *
   * @param stack the version of the stack that is there now, with its project and its branch.
   * @param current its patches.
   * @param only the change ids of the patches that are wanted; all that there are or were, when left out.
   * @throws when the service, which may have one of them, has not answered.
   */
  async of(stack: StackRef, current: readonly Patch[], only?: readonly string[]): Promise<SignedVersion[]> {
    const { model, readings } = this.#sources;
    const here = await readings.signedOff(stackNameOf(stack));
    const untold: unknown[] = [];
    const stacks = await olderStacks(model, stack).catch((error: unknown) => {
      untold.push(error);
      return [];
    });
    const olderIds = stacks.flatMap(({ patches = [] }) => patches.map(({ changeId }) => changeId));
    const ids = new Set(only ?? [...current.map(({ changeId }) => changeId), ...here.keys(), ...olderIds]);
    const found = await Promise.all(
      [...ids].map(async (changeId): Promise<SignedVersion | undefined> => {
        const now = current.find((patch) => patch.changeId === changeId);
        const isRejected = now !== undefined && model.opinions(now).mine === 'changesRequested';
        const told = isRejected ? 'changesRequested' : lastSaid(model, stacks, changeId);
        const signed =
          told === 'changesRequested'
            ? undefined
            : await this.#find(stack, changeId, here.get(changeId), told);
        if (signed && !signed.version && untold.length > 0) {
          throw untold[0];
        }
        return signed;
      }),
    );
    return found.filter((one) => one !== undefined);
  }

  async #find(
    stack: StackRef,
    changeId: string,
    read: ReadVersion | undefined,
    told: Told | undefined,
  ): Promise<SignedVersion | undefined> {
    const { readings } = this.#sources;
    if (read && !(told && isLater(told.summary.version, read.number))) {
      const { fingerprint, number } = read;
      const kept = await readings.keptVersion(read);
      const there = kept || !told ? undefined : await this.#ask(told);
      // Texts of that version may have been written anew since: then it is not what was signed off.
      const isIt = there && fingerprintOf(there) === fingerprint;
      const version = kept ?? (isIt ? versionOf(there) : undefined);
      return { changeId, fingerprint, ...(number !== undefined && { number }), version };
    }
    if (!told) {
      return undefined;
    }
    const there = await this.#ask(told);
    if (!there) {
      return { changeId, ...numberOf(told.summary), version: undefined };
    }
    await readings.noteReview(stackNameOf(stack), there, 'signedOff');
    return { changeId, ...numberOf(there), fingerprint: fingerprintOf(there), version: versionOf(there) };
  }

  /** Undefined when the service has it no more. */
  async #ask({ stackUuid, summary: { changeId } }: Told): Promise<Patch | undefined> {
    try {
      return await this.#requests.take(() => this.#sources.model.patchUnopened({ stackUuid, changeId }));
    } catch (error) {
      if (isApiError(error) && error.kind === 'notFound') {
        return undefined;
      }
      throw error;
    }
  }
}

/** The person's last review of a patch in these versions, as far as the service tells. */
function lastSaid(
  model: SignedSources['model'],
  stacks: readonly PatchStack[],
  changeId: string,
): Told | 'changesRequested' | undefined {
  for (const { uuid: stackUuid, patches = [] } of stacks) {
    const summary = patches.find((patch) => patch.changeId === changeId);
    const said = summary && model.opinions(summary).mine;
    if (said) {
      return said === 'signedOff' ? { stackUuid, summary } : said;
    }
  }
  return undefined;
}

function isLater(one: string | undefined, other: string | undefined): boolean {
  return Number(one) > Number(other);
}

function numberOf({ version }: Patch): { number?: string } {
  return version === undefined ? {} : { number: version };
}
