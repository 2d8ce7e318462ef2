/** Notices that a repository has other branches, or that they are at other commits. */
import { watch } from 'node:fs';
import path from 'node:path';
import type { Disposable } from '../../util/disposable.ts';
import { inBackground } from '../../util/inBackground.ts';
import { Soon } from '../../util/soon.ts';
import { askGit } from './git.ts';
import type { Repository } from './repository.ts';

/** Milliseconds after a sign of git before it is looked at: a commit or a rebase writes several files. */
const settleMs = 500;

/** Milliseconds between two looks without a sign: file systems of other computers give none, and nested folders aren't watched. */
const lookEveryMs = 60_000;

/** Folders of a Git directory in which something is written when a branch moves, or another one is checked out. */
const folders = ['', 'logs', 'refs/heads', 'refs/remotes/origin'];

/** See the module. */
export class BranchWatch implements Disposable {
  readonly #repository: Repository;
  readonly #onMove: () => Promise<unknown>;
  readonly #stop = new AbortController();
  readonly #soon = new Soon(settleMs, () => inBackground(this.#look()));
  readonly #timer: NodeJS.Timeout;
  #known: string | undefined;
  #isLooking = false;
  #isDue = false;

  /** @param onMove Called at first, and whenever a branch has come, gone or moved, or another one is checked out; never while it runs. */
  constructor(repository: Repository, onMove: () => Promise<unknown>) {
    this.#repository = repository;
    this.#onMove = onMove;
    folders.forEach((folder) => this.#watch(path.join(repository.gitDirectory, folder)));
    this.#timer = setInterval(() => inBackground(this.#look()), lookEveryMs);
    this.#timer.unref();
    inBackground(this.#look());
  }

  dispose(): void {
    this.#stop.abort();
    this.#soon.dispose();
    clearInterval(this.#timer);
  }

  #watch(folder: string): void {
    try {
      watch(folder, { signal: this.#stop.signal, persistent: false }, (_event, name) => {
        // VS Code's own Git writes the index whenever it looks at the working tree.
        if (name?.startsWith('index') !== true) {
          this.#soon.ask();
        }
      }).on('error', () => undefined);
    } catch {
      // It isn't there, or there are too many watches: it's looked at now and then.
    }
  }

  #isDueAgain(): boolean {
    return this.#isDue && !this.#stop.signal.aborted;
  }

  async #look(): Promise<void> {
    if (this.#isLooking) {
      this.#isDue = true;
      return;
    }
    this.#isLooking = true;
    try {
      do {
        this.#isDue = false;
        const branches = await branchesOf(this.#repository, this.#stop.signal);
        if (branches !== this.#known) {
          this.#known = branches;
          await this.#onMove();
        }
      } while (this.#isDueAgain());
    } catch {
      // Git may say later: then all of it is new.
      this.#known = undefined;
    } finally {
      this.#isLooking = false;
    }
  }
}

/** All branches with their commits, and the one that is checked out; undefined while Git can't say. */
async function branchesOf(repository: Repository, signal?: AbortSignal): Promise<string | undefined> {
  return askGit(
    repository.directory,
    ['for-each-ref', '--format=%(HEAD)%(objectname) %(refname)', 'refs/heads', 'refs/remotes'],
    signal,
  );
}
