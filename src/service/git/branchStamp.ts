/** Tells whether a repository has the branches and settings that it had, by when its files were written: asking git takes much more. */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Repository } from './repository.ts';

/** Milliseconds in which file systems may give two writes the same time. */
const settleMs = 2_000;

/** What git writes when a branch or a setting of the repository changes; in a folder, each file is put in place as a new one. */
const files = ['config', 'config.worktree', 'packed-refs', 'reftable'];
const folders = ['refs/heads', 'refs/remotes'];

/**
 * @returns Something else whenever branches, or the repository's own settings, may have changed; undefined where something was written just now, and
 * what is written next may leave no trace. Settings elsewhere, such as the person's, are not looked at.
 */
export async function stampOf({ gitDirectory }: Repository): Promise<string | undefined> {
  const all = (
    await Promise.all(folders.map(async (folder) => below(path.join(gitDirectory, folder))))
  ).flat();
  const before = Date.now() - settleMs;
  const times = await Promise.all(
    [...files.map((file) => path.join(gitDirectory, file)), ...all].map(async (file) => {
      const { mtimeNs = 0n, ino = 0n } = (await stat(file, { bigint: true }).catch(() => undefined)) ?? {};
      return { file, mtimeNs, ino };
    }),
  );
  return times.some(({ mtimeNs }) => mtimeNs / 1_000_000n > before)
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
