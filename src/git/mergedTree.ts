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
  return inScratch(repository, scratch, signal, async (scratched, git) => {
    const tree = async (commit: string | undefined): Promise<string> =>
      commit === undefined ? (await git(['mktree'])).trim() : `${commit}^{tree}`;
    const trees = { base: await tree(base), changed: await tree(changed), onto: await tree(onto) };
    return mergeTrees(scratched, git, trees, paths, signal);
  });
}

/** The ids of a file's content: before and after a change, and on the base that it is put on. */
export interface BlobMove {
  base: string;
  changed: string;
  onto: string;
}

/**
 * Merges files by their contents alone, however many there are: the commits need not be there.
 *
 * @returns what git makes of each, in their order; undefined of all of them when git is too old, or lacks one of the contents.
 * @throws the signal's reason.
 */
export async function mergeBlobs(
  repository: OpenRepository,
  moves: readonly BlobMove[],
  scratch: string,
  signal?: AbortSignal,
): Promise<(GitMerge | undefined)[]> {
  const merges = await inScratch(repository, scratch, signal, async (scratched, git) => {
    const tree = async (side: keyof BlobMove): Promise<string> => {
      const entries = moves.map((move, index) => `100644 blob ${move[side]}\t${index}\n`);
      return (await git(['mktree'], entries.join(''))).trim();
    };
    const trees = { base: await tree('base'), changed: await tree('changed'), onto: await tree('onto') };
    const names = moves.map((_, index) => `${index}`);
    return mergeTrees(scratched, git, trees, names, signal);
  });
  return moves.map((_, index) => merges.get(`${index}`));
}

type RunGit = (args: readonly string[], input?: string) => Promise<string>;

/** Has git merge where what it writes is in a folder of its own, which is deleted again. */
async function inScratch(
  repository: OpenRepository,
  scratch: string,
  signal: AbortSignal | undefined,
  merge: (scratched: OpenRepository, git: RunGit) => Promise<Map<string, GitMerge>>,
): Promise<Map<string, GitMerge>> {
  const objects = await mkdtemp(path.join(scratch, 'merge-'));
  try {
    const own = (await repository.git(['rev-parse', '--git-path', 'objects'], signal)).trim();
    const environment = {
      ...nobody,
      GIT_OBJECT_DIRECTORY: objects,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: path.resolve(repository.root, own),
    };
    const scratched: OpenRepository = {
      ...repository,
      gitBytes: (args, options) => repository.gitBytes(args, { ...options, environment }),
    };
    return await merge(scratched, async (args, input = '') =>
      (await scratched.gitBytes(args, { input, signal })).toString('latin1'),
    );
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

/** Merges trees, and reads what became of some of their files. */
async function mergeTrees(
  repository: OpenRepository,
  git: RunGit,
  trees: Readonly<Record<keyof BlobMove, string>>,
  paths: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Map<string, GitMerge>> {
  const commit = async (of: string, ...parents: string[]): Promise<string> =>
    (await git(['commit-tree', of, ...parents.flatMap((parent) => ['-p', parent])])).trim();
  const root = await commit(trees.base);
  const [ours, theirs] = [await commit(trees.onto, root), await commit(trees.changed, root)];
  const results = new Map<string, GitMerge>();
  const merged = await mergeTree(git, ours, theirs);
  if (!merged) {
    return results;
  }
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
    repository,
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
