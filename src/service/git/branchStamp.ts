/** Tells whether a repository has the branches and settings that it had, by when its files were written: asking git takes much more. */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Repository } from './repository.ts';

/** Milliseconds in which file systems may give two writes the same time. */
const settleMs = 2_000;

/** What git writes when a branch or a setting of the repository changes; in a folder, each file is put in place as a new one. */
const files = ['config', 'config.worktree', 'packed-refs', 'reftable'];
const folders = ['refs/heads', 'refs/remotes'];

/** What a repository's branches and settings are known by. */
export interface BranchStamp {
  /** Undefined where something was written just now, and what is written next may leave no trace. */
  times: string | undefined;
  /** The folders that there were. */
  folders: readonly string[];
}

/**
 * @param before The one of the last time.
 * @returns That one where branches, and the repository's own settings, have not changed since. Settings elsewhere, such as the person's, are not
 * looked at.
 */
export async function stampOf({ gitDirectory }: Repository, before?: BranchStamp): Promise<BranchStamp> {
  // A folder that has another one in it by now has another time, too.
  if (before?.times !== undefined && (await timesOf(gitDirectory, before.folders)) === before.times) {
    return before;
  }
  const all = await Promise.all(folders.map(async (folder) => below(path.join(gitDirectory, folder))));
  const found = all.flat();
  return { times: await timesOf(gitDirectory, found), folders: found };
}

/** The times of some folders, and of what is beside them. */
async function timesOf(gitDirectory: string, some: readonly string[]): Promise<string | undefined> {
  const newest = Date.now() - settleMs;
  const times = await Promise.all(
    [...files.map((file) => path.join(gitDirectory, file)), ...some].map(async (file) => {
      const { mtimeNs = 0n, ino = 0n } = (await stat(file, { bigint: true }).catch(() => undefined)) ?? {};
      return { file, mtimeNs, ino };
    }),
  );
  return times.some(({ mtimeNs }) => mtimeNs / 1_000_000n > newest)
    ? undefined
    : times.map(({ file, mtimeNs, ino }) => `${file} ${mtimeNs} ${ino}`).join();
}

/** A folder, and all that are in it. */
async function below(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return [
    folder,
    ...entries
      .filter((entry) => entry.isDirectory())
      .map(({ parentPath, name }) => path.join(parentPath, name)),
  ];
}
