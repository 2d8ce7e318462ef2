/** Git's merge of a change onto another base: a merge of made-up commits, which leaves nothing behind. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { GitMerge } from '../model/reading/compareFile.ts';
import type { FileState } from '../model/reading/fileChange.ts';
import { contentOf, readContents } from './commitChanges.ts';
import { filesInTree, readObject, writeObject } from './looseObjects.ts';
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
const nobody = 'merge <merge@localhost> 1000000000 +0000';

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
  const sides = [base, changed, onto];
  return inScratch(repository, scratch, signal, async (objects) => {
    const revisions = sides.flatMap((commit) => (commit === undefined ? [] : `${commit}^{tree}`));
    const ids = (await objects.git(['rev-parse', ...revisions])).trim().split('\n');
    const none = objects.write('tree', [], ids[0]?.length);
    const trees = sides.map((commit) => (commit === undefined ? none : (ids.shift() ?? none)));
    return mergeTrees(objects, trees, paths);
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
  // As long as each other, for the files of a tree are sorted.
  const names = moves.map((_, index) => String(index).padStart(9, '0'));
  const sides = ['base', 'changed', 'onto'] as const;
  const idLength = moves[0]?.base.length;
  if (!moves.every((move) => sides.every((side) => move[side].length === idLength))) {
    // Of longer ids than there are in a tree, git would take the rest for names.
    return names.map(() => undefined);
  }
  const merges = await inScratch(repository, scratch, signal, async (objects) => {
    const trees = sides.map((side) => {
      const entries = moves.flatMap((move, index) => [
        `100644 ${names[index]}\0`,
        Buffer.from(move[side], 'hex'),
      ]);
      return objects.write('tree', entries, idLength);
    });
    return mergeTrees(objects, trees, names);
  });
  return names.map((name) => merges.get(name));
}

/** What is written meanwhile, and what of the repository. */
interface ScratchObjects {
  /** Runs git with both; text has one character for each byte. */
  git: (args: readonly string[]) => Promise<string>;
  /** The ids of all files of a tree, by their paths. */
  files: (tree: string) => Promise<ReadonlyMap<string, string>>;
  /** Reads contents of either. */
  read: (ids: readonly string[]) => Promise<ReadonlyMap<string, FileState['content']>>;
  /** Writes an object; see `writeObject`. */
  write: (
    kind: 'commit' | 'tree',
    parts: readonly (string | Uint8Array)[],
    idLength: number | undefined,
  ) => string;
}

/** Has git merge where what it writes is in a folder of its own, which is deleted again. */
async function inScratch(
  repository: OpenRepository,
  scratch: string,
  signal: AbortSignal | undefined,
  merge: (objects: ScratchObjects) => Promise<Map<string, GitMerge>>,
): Promise<Map<string, GitMerge>> {
  // Not by promises: each would wait for its turn longer than this takes.
  const folder = mkdtempSync(path.join(scratch, 'merge-'));
  try {
    const own = await objectsOf(repository, signal);
    const environment = { GIT_OBJECT_DIRECTORY: folder, GIT_ALTERNATE_OBJECT_DIRECTORIES: own };
    const scratched: OpenRepository = {
      ...repository,
      gitBytes: (args, options) => repository.gitBytes(args, { ...options, environment }),
    };
    const git = async (args: readonly string[]): Promise<string> =>
      (await scratched.gitBytes(args, { signal })).toString('latin1');
    const objects: ScratchObjects = {
      git,
      files: async (id) => {
        const tree = readObject(folder, id);
        return (tree && filesInTree(tree, id.length / 2)) ?? listFiles(git, id);
      },
      read: async (ids) => {
        const written = ids.map((id) => [id, readObject(folder, id)] as const);
        const others = await readContents(
          scratched,
          written.flatMap(([id, content]) => (content ? [] : id)),
          signal,
        );
        written.forEach(([id, content]) => content && others.set(id, contentOf(content)));
        return others;
      },
      write: (...object) => writeObject(folder, ...object),
    };
    return await merge(objects);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof Error && 'code' in error) {
      // Git before 2.38 cannot do it, or lacks an object that the merge needs.
      return new Map();
    }
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The folder of a repository's objects. */
async function objectsOf(repository: OpenRepository, signal: AbortSignal | undefined): Promise<string> {
  const usual = path.join(repository.root, '.git', 'objects');
  // Of a working tree beside the first one, or a folder in it, git knows.
  return existsSync(usual)
    ? usual
    : path.resolve(
        repository.root,
        (await repository.git(['rev-parse', '--git-path', 'objects'], signal)).trim(),
      );
}

/**
 * Merges trees, and reads what became of some of their files.
 *
 * @param trees of the base, of the change that is based on it, and of the other base.
 */
async function mergeTrees(
  { git, files, read, write }: ScratchObjects,
  [base = '', changed = '', onto = '']: readonly string[],
  paths: readonly string[],
): Promise<Map<string, GitMerge>> {
  const commit = (tree: string, ...parents: string[]): string => {
    const text = [
      `tree ${tree}\n`,
      ...parents.map((parent) => `parent ${parent}\n`),
      `author ${nobody}\ncommitter ${nobody}\n\n`,
    ];
    return write('commit', text, tree.length);
  };
  const root = commit(base);
  const [ours, theirs] = [commit(onto, root), commit(changed, root)];
  const results = new Map<string, GitMerge>();
  const merged = await mergeTree(git, ours, theirs);
  if (!merged) {
    return results;
  }
  const wanted = paths.filter((file) => !merged.conflicts.has(file));
  paths
    .filter((file) => merged.conflicts.has(file))
    .forEach((file) => results.set(file, { kind: 'conflict' }));
  const ids = await files(merged.tree);
  const contents = await read(wanted.flatMap((file) => ids.get(file) ?? []));
  for (const file of wanted) {
    const content = contents.get(ids.get(file) ?? '');
    if (content?.kind === 'text') {
      results.set(file, { kind: 'clean', text: content.text });
    }
  }
  return results;
}

async function listFiles(git: ScratchObjects['git'], tree: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const line of (await git(['ls-tree', '-r', '-z', tree])).split('\0')) {
    const [, id = '', file = ''] = /^\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
    files.set(file, id);
  }
  return files;
}

/** The tree that a merge comes to, and the files of it that have conflicts; undefined when git cannot merge like that. */
async function mergeTree(
  git: ScratchObjects['git'],
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
