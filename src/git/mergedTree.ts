/** Git's merge of a change onto another base: a merge of made-up commits, which leaves nothing behind. */
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import type { GitMerge } from '../model/reading/compareFile.ts';
import { readContents } from './commitChanges.ts';
import type { OpenRepository } from './repository.ts';
import { isObject } from '../util/isObject.ts';

/** The change that is put on another base. */
export interface Move {
  /** The commits that the change begins from and ends with; a missing one has no files. */
  base: string | undefined;
  changed: string;
  onto: string | undefined;
}

/** Commits need names; nobody ever sees these. */
const nobody = {
  GIT_AUTHOR_NAME: 'merge',
  GIT_AUTHOR_EMAIL: 'merge@localhost',
  GIT_AUTHOR_DATE: '1000000000 +0000',
  GIT_COMMITTER_NAME: 'merge',
  GIT_COMMITTER_EMAIL: 'merge@localhost',
  GIT_COMMITTER_DATE: '1000000000 +0000',
};

/**
 * Merges as git does. What it writes is in a folder of its own, which is deleted again.
 *
 * @param paths the files that are asked for.
 * @param scratch a folder for what git writes meanwhile, which has in it what is in the files.
 * @returns what git makes of each; nothing of those that the merge does not leave there, and nothing at all when git is too old.
 * @throws the signal's reason.
 */
export async function mergeWithGit(
  repository: OpenRepository,
  { base, changed, onto }: Move,
  paths: readonly string[],
  scratch: string,
  signal?: AbortSignal,
): Promise<Map<string, GitMerge>> {
  const objects = await mkdtemp(path.join(scratch, 'merge-'));
  try {
    const own = (await repository.git(['rev-parse', '--git-path', 'objects'], signal)).trim();
    const environment = {
      ...nobody,
      GIT_OBJECT_DIRECTORY: objects,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: path.resolve(repository.root, own),
    };
    const git = async (args: readonly string[], input = ''): Promise<string> =>
      (await repository.gitBytes(args, { environment, input, signal })).toString('latin1');
    const tree = async (commit: string | undefined): Promise<string> =>
      commit === undefined ? (await git(['mktree'])).trim() : `${commit}^{tree}`;
    const commit = async (of: string | undefined, ...parents: string[]): Promise<string> =>
      (await git(['commit-tree', await tree(of), ...parents.flatMap((parent) => ['-p', parent])])).trim();
    const root = await commit(base);
    const [ours, theirs] = [await commit(onto, root), await commit(changed, root)];
    const merged = await mergeTree(git, ours, theirs);
    if (!merged) {
      return new Map();
    }
    const results = new Map<string, GitMerge>();
    const wanted = paths.filter((file) => !merged.conflicts.has(file));
    paths
      .filter((file) => merged.conflicts.has(file))
      .forEach((file) => results.set(file, { kind: 'conflict' }));
    const ids = new Map<string, string>();
    for (const line of (await git(['ls-tree', '-r', '-z', merged.tree])).split('\0')) {
      const [, id = '', file = ''] = /^\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
      ids.set(file, id);
    }
    const contents = await readContents(
      { ...repository, gitBytes: (args, options) => repository.gitBytes(args, { ...options, environment }) },
      wanted.flatMap((file) => ids.get(file) ?? []),
      signal,
    );
    for (const file of wanted) {
      const content = contents.get(ids.get(file) ?? '');
      if (content?.kind === 'text') {
        results.set(file, { kind: 'clean', text: content.text });
      }
    }
    return results;
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof Error && 'code' in error) {
      // Git before 2.38 cannot do it, or lacks an object that the merge needs.
      return new Map();
    }
    throw error;
  } finally {
    await rm(objects, { recursive: true, force: true });
  }
}

/** The tree that a merge comes to, and the files of it that have conflicts; undefined when git cannot merge like that. */
async function mergeTree(
  git: (args: readonly string[]) => Promise<string>,
  ours: string,
  theirs: string,
): Promise<{ tree: string; conflicts: Set<string> } | undefined> {
  let printed: string;
  try {
    printed = await git(['merge-tree', '--write-tree', '--no-messages', '-z', ours, theirs]);
  } catch (error) {
    // Conflicts are told by this exit code, and what was printed is whole.
    if (!isObject(error) || error['code'] !== 1 || !Buffer.isBuffer(error['stdout'])) {
      throw error;
    }
    printed = error['stdout'].toString('latin1');
  }
  const [tree = '', ...entries] = printed.split('\0');
  if (!/^[0-9a-f]{40,64}$/.test(tree)) {
    return undefined;
  }
  return { tree, conflicts: new Set(entries.map((entry) => entry.replace(/^\d+ [0-9a-f]+ \d\t/, ''))) };
}
