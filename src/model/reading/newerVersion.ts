/** Finds out whether there is a newer version of a stack than the one that somebody reads, and what became of the patches in that. */
import type { Patch } from '../../api/types/patches.ts';
import type { PatchStack } from '../../api/types/stacks.ts';
import type { StackRef } from '../../util/patchRef.ts';
import type { Model } from '../model.ts';
import type { Readings } from './readings.ts';
import { isQuiet, type StackChange } from './stackChange.ts';
import type { PlacedVersion } from './stackChanges.ts';

/** The collaborators of `NewerVersion`. */
export interface NewerVersionContext {
  model: Pick<Model, 'newerVersion' | 'stacks' | 'patchUnopened' | 'opinions'>;
  /** The readings of the account that is signed in; undefined when none is. */
  readings: () => Promise<Readings | undefined>;
  compareStacks: (
    versions: { older: PlacedVersion[]; newer: PlacedVersion[] },
    signal: AbortSignal,
  ) => Promise<StackChange[]>;
  log: { debug: (text: string) => void };
}

/** A newer version than the one that is read. */
export interface Newer {
  newest: PatchStack;
  /** What became of the patches; undefined while that isn't known, and where there are too many of them. */
  changes: readonly StackChange[] | undefined;
  /** The change ids of the patches that have something new to read, base to tip. */
  changed: readonly string[];
}

/** A place in the newest version. */
export interface NewerPlace {
  stackUuid: string;
  /** Undefined when there is no patch to go to. */
  changeId: string | undefined;
  /** The version that it is to be compared with; undefined for a patch that wasn't there. */
  comparedWith: string | undefined;
}

interface Found extends Omit<Newer, 'newest'> {
  read: string | undefined;
  newest: string;
}

/** Patches that are compared without anybody asking for it. */
const mostCompared = 100;

/** See the module. It is found out while the document is shown already. */
export class NewerVersion {
  readonly #context: NewerVersionContext;
  readonly #onFound: () => void;
  readonly #stop = new AbortController();
  #found: Found | undefined;

  /** @param onFound told when more is known. */
  constructor(context: NewerVersionContext, onFound: () => void) {
    this.#context = context;
    this.#onFound = onFound;
  }

  /**
   * Undefined when the version is the newest one, as far as it is known.
   *
   * @param isGone true when the service no longer has the version that is read.
   */
  of(ref: StackRef, isGone = false): Newer | undefined {
    const newer = this.#context.model.newerVersion(ref, isGone);
    if (!newer) {
      return undefined;
    }
    const { read, newest } = newer;
    if (this.#found?.newest !== newest.uuid || this.#found.read !== read?.uuid) {
      this.#found = { read: read?.uuid, newest: newest.uuid, changes: undefined, changed: [] };
      this.#lookAt(this.#found, read, newest).catch((error: unknown) =>
        // That there is one is said all the same.
        this.#context.log.debug(`A newer version of a stack could not be compared: ${String(error)}`),
      );
    }
    const { changes, changed } = this.#found;
    return { newest, changes, changed };
  }

  /**
   * Where the person reads on: in the patch that they read, unless that has nothing new to read, and another one has.
   *
   * @param changeId the patch that they read.
   * @returns undefined when there is no newer version.
   */
  placeAfter(ref: StackRef, changeId: string | undefined, isGone = false): NewerPlace | undefined {
    const newer = this.of(ref, isGone);
    if (!newer) {
      return undefined;
    }
    const { newest, changed } = newer;
    const isThere = changeId !== undefined && hasPatch(newest, changeId);
    const wanted =
      isThere && changed.includes(changeId) ? changeId : (changed[0] ?? (isThere ? changeId : undefined));
    const read = this.#context.model.newerVersion(ref, isGone)?.read;
    const wasThere = wanted !== undefined && read !== undefined && hasPatch(read, wanted);
    return {
      stackUuid: newest.uuid,
      changeId: wanted,
      comparedWith: wasThere ? read.uuid : undefined,
    };
  }

  dispose(): void {
    this.#stop.abort();
  }

  async #lookAt(found: Found, read: PatchStack | undefined, newest: PatchStack): Promise<void> {
    const { signal } = this.#stop;
    const patches = Math.max(read?.patches?.length ?? 0, newest.patches?.length ?? 0);
    if (!read?.patches || !newest.patches || patches > mostCompared) {
      return;
    }
    const [{ loadVersions }, readings] = await Promise.all([
      import('./stackVersions.ts'),
      this.#context.readings(),
    ]);
    const sources = { model: this.#context.model, readings };
    const wanted = { older: read, newer: newest, isAsRead: false };
    const versions = await loadVersions(sources, { stackUuid: newest.uuid }, wanted, signal);
    const changes = await this.#context.compareStacks(versions, signal);
    if (!signal.aborted) {
      found.changes = changes;
      found.changed = changes.flatMap((change) =>
        change.newer === undefined || isQuiet(change) ? [] : (versions.newer[change.newer]?.changeId ?? []),
      );
      this.#onFound();
    }
  }
}

function hasPatch({ patches }: PatchStack, changeId: string): boolean {
  return patches?.some((patch: Patch) => patch.changeId === changeId) === true;
}
