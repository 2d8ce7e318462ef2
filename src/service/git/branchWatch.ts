/** Notices that a repository has other branches, or that they are at other commits. */
import { statfsSync, statSync, watch, type FSWatcher } from 'node:fs';
import path from 'node:path';
import type { Disposable } from '../../util/disposable.ts';
import { inBackground } from '../../util/inBackground.ts';
import { Soon } from '../../util/soon.ts';
import { askGit } from './git.ts';
import type { Repository } from './repository.ts';

/** Milliseconds after a sign of git before it is looked at: a commit or a rebase writes several files. */
const settleMs = 300;

/** Milliseconds between two looks where there need not be a sign. */
const lookEveryMs = 5_000;

/** Folders of a Git directory in which something is written when a branch moves, or another one is checked out. */
const folders = ['', 'logs', 'refs', 'refs/heads', 'refs/remotes', 'reftable'];

/** Folders that are watched, at most; with more, the branches are looked at now and then. */
const mostFolders = 500;

/** File systems of Linux that tell nothing of what other computers or systems write: NFS, SMB and CIFS, 9P, FUSE, VirtualBox. */
const silentFileSystems = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x65735546, 0x786f4256,
]);

interface Watched {
  watcher: FSWatcher;
  /** Tells the folder from another one of its name: Git deletes those that are empty, and makes them again. */
  identity: string;
}

/** The branches of a repository. */
interface Branches {
  /** Each with its commit, and which one is checked out, as Git says it. */
  said: string;
  names: readonly string[];
}

/** See the module. */
export class BranchWatch implements Disposable {
  readonly #repository: Repository;
  readonly #onMove: () => Promise<unknown>;
  readonly #stop = new AbortController();
  readonly #soon = new Soon(settleMs, () => inBackground(this.#look()));
  readonly #isSilent: boolean;
  readonly #watched = new Map<string, Watched>();
  #timer: NodeJS.Timeout | undefined;
  #known: string | undefined;
  #isLooking = false;
  #isDue = false;

  /** @param onMove Called at first, and whenever a branch has come, gone or moved, or another one is checked out; never while it runs. */
  constructor(repository: Repository, onMove: () => Promise<unknown>) {
    this.#repository = repository;
    this.#onMove = onMove;
    this.#isSilent = isSilent(repository.gitDirectory);
    this.#watchFolders([]);
    inBackground(this.#look());
  }

  dispose(): void {
    this.#stop.abort();
    this.#soon.dispose();
    clearInterval(this.#timer);
    this.#watched.forEach(({ watcher }) => watcher.close());
    this.#watched.clear();
  }

  /** Watches the folders that branches of these names are in, and no others. True when one is watched that wasn't. */
  #watchFolders(names: readonly string[]): boolean {
    const all = new Set([...folders, ...names.flatMap(foldersAround)]);
    const wanted = new Set([...all].slice(0, mostFolders));
    for (const [folder, { watcher, identity }] of this.#watched) {
      if (!wanted.has(folder) || identityOf(this.#pathOf(folder)) !== identity) {
        watcher.close();
        this.#watched.delete(folder);
      }
    }
    const before = this.#watched.size;
    const areAllWatched = [...wanted].map((folder) => this.#watched.has(folder) || this.#watch(folder));
    this.#lookNowAndThen(this.#isSilent || all.size > wanted.size || areAllWatched.includes(false));
    return this.#watched.size > before;
  }

  #lookNowAndThen(isNeeded: boolean): void {
    if (!isNeeded) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    } else {
      this.#timer ??= setInterval(() => inBackground(this.#look()), lookEveryMs).unref();
    }
  }

  /** False when it can't be watched; a folder that isn't there needn't be. */
  #watch(folder: string): boolean {
    const identity = identityOf(this.#pathOf(folder));
    if (identity === undefined) {
      return true;
    }
    try {
      const watcher = watch(this.#pathOf(folder), { persistent: false }, (_event, name) => {
        // VS Code's own Git writes the index whenever it looks at the working tree.
        if (name?.startsWith('index') !== true) {
          this.#soon.ask();
        }
      });
      watcher.on('error', () => undefined);
      this.#watched.set(folder, { watcher, identity });
      return true;
    } catch {
      // There are too many watches.
      return false;
    }
  }

  #pathOf(folder: string): string {
    return path.join(this.#repository.gitDirectory, folder);
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
        if (this.#stop.signal.aborted) {
          return;
        }
        // What came into a folder before it was watched has left no sign.
        this.#isDue ||= this.#watchFolders(branches.names);
        if (branches.said !== this.#known) {
          this.#known = branches.said;
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

/** The folders that a ref is in, from the outermost to the innermost: `refs/heads/a/b` is in `refs`, `refs/heads`, `refs/heads/a`. */
function foldersAround(ref: string): string[] {
  const parts = ref.split('/').slice(0, -1);
  return parts.map((_part, index) => parts.slice(0, index + 1).join('/'));
}

/** True for a folder of which the system needn't tell what is written in it. */
function isSilent(folder: string): boolean {
  return process.platform === 'linux' && silentFileSystems.has(statfsSync(folder).type);
}

/** By its number and by when it was made: file systems give the number of what was deleted to what is made next. */
function identityOf(folder: string): string | undefined {
  const { ino, birthtimeNs } = statSync(folder, { bigint: true, throwIfNoEntry: false }) ?? {};
  return ino === undefined ? undefined : `${ino} ${birthtimeNs}`;
}

async function branchesOf({ directory }: Repository, signal: AbortSignal): Promise<Branches> {
  const asked = ['for-each-ref', '--format=%(objectname) %(refname) %(HEAD)', 'refs/heads', 'refs/remotes'];
  const said = (await askGit(directory, asked, signal)) ?? '';
  return { said, names: said.split('\n').map((line) => line.split(' ')[1] ?? '') };
}
