/** Finds the versions that a patch may be compared with: what this computer has kept, what the service has, what git has. */
import { isApiError } from '../../api/errors.ts';
import type { Patch } from '../../api/types/patches.ts';
import type { PatchStack } from '../../api/types/stacks.ts';
import type { PatchRef } from '../../util/patchRef.ts';
import { fingerprintOf } from '../fingerprint.ts';
import type { Model } from '../model.ts';
import { versionOf, type PatchVersion } from './patchVersion.ts';
import type { ReadVersion } from './readingRecords.ts';
import type { EarlierVersions, Readings } from './readings.ts';
import { olderStacks } from './olderStacks.ts';
import { stackNameOf } from './stackName.ts';

/** The version that a patch is compared with. */
export type Baseline =
  | { kind: 'lastRead' | 'signedOff' }
  /** The same patch in an older version of its stack. */
  | { kind: 'version'; stackUuid: string };

/** A version that may be had. */
export interface VersionOffer {
  baseline: Baseline;
  /** Its number, as the service gives it. */
  number?: string;
  createdAt?: string;
  /**
   * False when it is known to be gone. Of those that the service has, that is known only once they are asked for; and it is not
   * known of what can't be asked for now.
   */
  isThere: boolean;
}

/** A version that was found. */
export interface FoundVersion {
  version: PatchVersion;
  number?: string;
  /** Git knows nothing of texts and their order. */
  from: 'kept' | 'service' | 'git';
}

/** The places that versions come from. */
export interface VersionSources {
  model: Pick<Model, 'located' | 'stacks' | 'patchUnopened'>;
  /** The readings of the account that is signed in. */
  readings: Readings | undefined;
  /** A version as the workspace's git has its commit. */
  ofCommit: (sha: string, changeId: string) => Promise<PatchVersion | undefined>;
}

/** Versions of a stack that are asked for one after the other to find one that was read. */
const mostAsked = 20;

/** See the module. */
export class Versions {
  readonly #sources: VersionSources;

  constructor(sources: VersionSources) {
    this.#sources = sources;
  }

  /** Everything that a patch can be compared with, what the person has read first, then the newest first. */
  async offers(ref: PatchRef, patch: Patch): Promise<VersionOffer[]> {
    const { lastRead, signedOff } = await this.#earlier(ref, patch);
    const offer = async (kind: 'lastRead' | 'signedOff', read: ReadVersion): Promise<VersionOffer> => ({
      baseline: { kind },
      ...(read.number !== undefined && { number: read.number }),
      isThere: await this.#findRead(ref, patch, read).then(
        (version) => version !== undefined,
        () => true,
      ),
    });
    const own = await Promise.all([
      ...(lastRead ? [offer('lastRead', lastRead)] : []),
      ...(signedOff ? [offer('signedOff', signedOff)] : []),
    ]);
    // Something that this computer has kept is there all the same while the service cannot be reached.
    const older = (await this.#older(ref).catch(() => [])).map((stack): VersionOffer => {
      const { version = stack.version, createdAt = stack.createdAt } = summaryIn(stack, patch) ?? {};
      return {
        baseline: { kind: 'version', stackUuid: stack.uuid },
        ...(version !== undefined && { number: version }),
        ...(createdAt !== undefined && { createdAt }),
        isThere: !stack.patches || summaryIn(stack, patch) !== undefined,
      };
    });
    return [...own, ...older];
  }

  /**
   * The version that is meant; undefined when it is not to be had any more.
   *
   * @throws when the service, which may have it, has not answered.
   */
  async find(ref: PatchRef, patch: Patch, baseline: Baseline): Promise<FoundVersion | undefined> {
    if (baseline.kind === 'version') {
      const stack = (await this.#older(ref)).find(({ uuid }) => uuid === baseline.stackUuid);
      return stack && this.#findAmong([stack], patch, () => true, stack);
    }
    const read = (await this.#earlier(ref, patch))[baseline.kind];
    return read && this.#findRead(ref, patch, read);
  }

  /** The version that the person read last, if this computer has kept it: then no one waits for the service. */
  async findKept(ref: PatchRef, patch: Patch): Promise<FoundVersion | undefined> {
    const { lastRead } = await this.#earlier(ref, patch);
    return lastRead && this.#findKept(lastRead);
  }

  async #earlier(ref: PatchRef, patch: Patch): Promise<EarlierVersions> {
    const { model, readings } = this.#sources;
    return (await readings?.earlierVersions(stackNameOf(model.located(ref)), patch)) ?? {};
  }

  #older(ref: PatchRef): Promise<PatchStack[]> {
    const { model } = this.#sources;
    return olderStacks(model, model.located(ref));
  }

  async #findKept(read: ReadVersion): Promise<FoundVersion | undefined> {
    const version = await this.#sources.readings?.keptVersion(read);
    return version && { version, ...(read.number !== undefined && { number: read.number }), from: 'kept' };
  }

  async #findRead(ref: PatchRef, patch: Patch, read: ReadVersion): Promise<FoundVersion | undefined> {
    const kept = await this.#findKept(read);
    if (kept) {
      return kept;
    }
    const isNumbered = (stack: PatchStack): boolean =>
      read.number === undefined || (summaryIn(stack, patch)?.version ?? stack.version) === read.number;
    const stacks = (await this.#older(ref)).filter(isNumbered).slice(0, mostAsked);
    const [only, ...more] = stacks;
    return this.#findAmong(
      stacks,
      patch,
      // Texts of that version may have been written anew since.
      (there) => fingerprintOf(there) === read.fingerprint,
      more.length === 0 && read.number !== undefined ? only : undefined,
    );
  }

  /**
   * A patch as the first of these stacks has it for which that is so.
   *
   * @param inGit the stack that is meant, whose commit git may still have.
   * @throws why the service could not be asked, when it may have it.
   */
  async #findAmong(
    stacks: readonly PatchStack[],
    patch: Patch,
    isIt: (there: Patch) => boolean,
    inGit: PatchStack | undefined,
  ): Promise<FoundVersion | undefined> {
    const failures: unknown[] = [];
    for (const { uuid: stackUuid } of stacks) {
      try {
        const there = await this.#sources.model.patchUnopened({ stackUuid, changeId: patch.changeId });
        if (isIt(there)) {
          return found(there);
        }
      } catch (error) {
        if (!isApiError(error) || error.kind !== 'notFound') {
          failures.push(error);
        }
      }
    }
    const version = inGit && (await this.#ofGit(inGit, patch));
    if (!version && failures.length > 0) {
      throw failures[0];
    }
    return version;
  }

  async #ofGit(stack: PatchStack, patch: Patch): Promise<FoundVersion | undefined> {
    const { commitSha, version: number } = summaryIn(stack, patch) ?? {};
    const version = commitSha && (await this.#sources.ofCommit(commitSha, patch.changeId));
    return version
      ? {
          version: withSectionsOf(version, versionOf(patch)),
          ...(number !== undefined && { number }),
          from: 'git',
        }
      : undefined;
  }
}

function summaryIn({ patches }: PatchStack, { changeId }: Patch): Patch | undefined {
  return patches?.find((patch) => patch.changeId === changeId);
}

function found(patch: Patch): FoundVersion {
  const { version: number } = patch;
  return { version: versionOf(patch), ...(number !== undefined && { number }), from: 'service' };
}

/** A version of which only the files are known, with the texts and the order of another: nobody knows what those were. */
function withSectionsOf(known: PatchVersion, { sections, message }: PatchVersion): PatchVersion {
  const paths = new Set(known.files.map(({ path }) => path));
  const told = new Set(sections.flatMap((section) => (section.kind === 'diff' ? section.path : [])));
  return {
    ...known,
    message,
    sections: [
      ...sections.filter((section) => section.kind !== 'diff' || paths.has(section.path)),
      ...[...paths].filter((path) => !told.has(path)).map((path) => ({ kind: 'diff' as const, path })),
    ],
  };
}
