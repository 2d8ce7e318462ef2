/** The branches that the remote has: which there are, at which commits, and whether one of those that are shown has moved. */
import {
  withNewer,
  type BranchList,
  type NewerBranches,
  type RemoteBranches,
} from '../../util/branchBases.ts';
import { readBranchesOf } from '../git/bases.ts';
import { stampOf, type BranchStamp } from '../git/branchStamp.ts';
import { findWanted } from '../git/othersBranches.ts';
import type { Repository } from '../git/repository.ts';
import type { FetchedBranches } from './fetchedBranches.ts';

/** See the module. */
export class BranchesAtRemote {
  readonly #repository: Repository;
  readonly #address: string;
  /** Undefined where the repository lacks some of its history. */
  readonly #fetched: FetchedBranches | undefined;
  readonly #now: () => number;
  /** The branches of the repository, and by what it's seen that they are still the same. */
  #here: { stamp: BranchStamp; branches: BranchList } | undefined;
  #names: ReadonlySet<string> = new Set();
  #tips: ReadonlySet<string> = new Set();

  /** @param address That of the remote, from which is fetched. */
  constructor(
    repository: Repository,
    address: string,
    fetched: FetchedBranches | undefined,
    now: () => number,
  ) {
    this.#repository = repository;
    this.#address = address;
    this.#fetched = fetched;
    this.#now = now;
  }

  get names(): ReadonlySet<string> {
    return this.#names;
  }

  /** The commits that they stand at, and that they stood at before this round: what is shown until then was pushed, too. */
  get tips(): ReadonlySet<string> {
    return this.#tips;
  }

  /** Those that are newer than in the person's repository, or not in it. */
  get newer(): NewerBranches | undefined {
    return this.#fetched?.newer;
  }

  /**
   * Fetches the branches that are shown, of whomever, and those that they are compared with.
   *
   * @param shown Those that are shown until now.
   * @param shared Those of which somebody has shared something.
   * @param isThorough Whether the person's repository is read even where nothing seems to have been written there.
   * @returns Whether one of them has moved, and what went wrong, if something did.
   */
  async fetch(
    shown: RemoteBranches,
    shared: ReadonlySet<string>,
    isThorough: boolean,
    signal: AbortSignal,
  ): Promise<{ haveMoved: boolean; trouble?: unknown }> {
    const { remote } = shown;
    const here = await this.#readHere(isThorough, signal);
    this.#tips = new Set(here.remotes.filter((one) => one.remote === remote).map(({ tip }) => tip));
    const note = (): void => {
      const ofRemote = withNewer(here, { ...shown, newer: this.newer }).remotes.filter(
        (one) => one.remote === remote,
      );
      this.#names = new Set(ofRemote.map(({ branch }) => branch));
      this.#tips = new Set([...this.#tips, ...ofRemote.map(({ tip }) => tip)]);
    };
    note();
    if (!this.#fetched) {
      return { haveMoved: false };
    }
    const wanted = findWanted(here, { ...shown, branches: shared }, this.#now());
    try {
      const haveMoved = await this.#fetched.fetch(this.#address, wanted, signal);
      note();
      return { haveMoved };
    } catch (error) {
      signal.throwIfAborted();
      return { haveMoved: false, trouble: error };
    }
  }

  /** Packs what was fetched, now and then. */
  async tidy(signal: AbortSignal): Promise<void> {
    await this.#fetched?.tidy(signal);
  }

  async #readHere(isThorough: boolean, signal: AbortSignal): Promise<BranchList> {
    const stamp = await stampOf(this.#repository, this.#here?.stamp);
    if (isThorough || stamp.times === undefined || stamp !== this.#here?.stamp) {
      this.#here = { stamp, branches: await readBranchesOf(this.#repository.directory, signal) };
    }
    return this.#here.branches;
  }
}
