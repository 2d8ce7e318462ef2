/**
 * The changes that commits make, with the contents before and after: read from git in a few runs, however many commits there are.
 */
import type { FileChange, FileState } from '../model/reading/fileChange.ts';
import type { OpenRepository } from './repository.ts';
import { asWritten } from '../util/bytesText.ts';

/** The changes of a commit against its first parent. */
export interface CommitChanges {
  sha: string;
  /** Undefined for a commit without one. */
  parent: string | undefined;
  files: FileChange[];
}

/** Bytes of the largest file that is compared line by line. */
const largestText = 8 * 1024 * 1024;

/** Bytes at a file's beginning in which git looks for a null byte, to tell binary files. */
const binaryProbe = 8000;

const submodule = '160000';

/** The full id of a commit. @throws what `OpenRepository.git` throws when there is none of that name. */
export async function commitId(
  repository: OpenRepository,
  name: string,
  signal?: AbortSignal,
): Promise<string> {
  const printed = await repository.git(
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`],
    signal,
  );
  return printed.trim();
}

/** Reads what commits change. Contents are not read yet: see `readContents`. @throws what `OpenRepository.git` throws. */
export async function readChanges(
  repository: OpenRepository,
  shas: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, CommitChanges>> {
  const unique = [...new Set(shas)];
  const changes = new Map<string, CommitChanges>();
  if (unique.length === 0) {
    return changes;
  }
  const listed = await repository.gitBytes(['rev-list', '--no-walk=unsorted', '--parents', '--stdin'], {
    input: unique.map((sha) => `${sha}\n`).join(''),
    signal,
  });
  const lines = listed.toString('latin1').trim().split('\n');
  for (const line of lines) {
    const [sha = '', parent] = line.split(' ');
    changes.set(sha, { sha, parent, files: [] });
  }
  const printed = await repository.gitBytes(
    ['-c', 'diff.renameLimit=1000', ...diffTree, '--stdin', '--root', '--always'],
    {
      input: [...changes.values()]
        .map(({ sha, parent }) => `${parent ? `${sha} ${parent}` : sha}\n`)
        .join(''),
      signal,
    },
  );
  let current: CommitChanges | undefined;
  for (const piece of entriesOf(printed)) {
    if (typeof piece === 'string') {
      current = changes.get(piece);
    } else {
      current?.files.push(piece);
    }
  }
  return changes;
}

/**
 * Finds files of one commit that have another path in another one.
 *
 * @param from the paths of those files.
 * @param to the paths that they may have there.
 */
export async function readRenames(
  repository: OpenRepository,
  [one, other]: readonly [string, string],
  from: readonly string[],
  to: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, string>> {
  const renames = new Map<string, string>();
  if (from.length === 0 || to.length === 0) {
    return renames;
  }
  const printed = await repository.gitBytes(
    ['--literal-pathspecs', ...diffTree, one, other, '--', ...from, ...to].map(asWritten),
    { signal },
  );
  for (const piece of entriesOf(printed)) {
    if (typeof piece !== 'string' && piece.oldPath !== piece.path) {
      renames.set(piece.oldPath, piece.path);
    }
  }
  return renames;
}

/** Runs of git that end at a content that a partial clone lacks, after which the rest counts as missing, too. */
const mostRuns = 50;

/**
 * Reads the contents of files, by the ids of their blobs, in one run of git. Those that it does not have are missing; in a partial
 * clone, git ends at each of them.
 */
export async function readContents(
  repository: OpenRepository,
  ids: Iterable<string>,
  signal?: AbortSignal,
): Promise<Map<string, FileState['content']>> {
  const asked = [...new Set(ids)];
  const contents = new Map<string, FileState['content']>();
  const ask = (some: readonly string[], ...options: string[]): Promise<Buffer> =>
    repository.gitBytes(['cat-file', '--batch', ...options], {
      input: some.map((id) => `${id}\n`).join(''),
      signal,
    });
  if (asked.length === 0) {
    return contents;
  }
  try {
    takeContents(await ask(asked, '--buffer'), asked, contents);
    return contents;
  } catch (error) {
    if (partOf(error) === undefined) {
      throw error;
    }
  }
  let rest: readonly string[] = asked;
  for (let run = 0; rest.length > 0 && run < mostRuns; run += 1) {
    try {
      takeContents(await ask(rest), rest, contents);
      rest = [];
    } catch (error) {
      const part = partOf(error);
      if (part === undefined) {
        throw error;
      }
      const taken = takeContents(part, rest, contents);
      contents.set(rest[taken] ?? '', { kind: 'missing' });
      rest = rest.slice(taken + 1);
    }
  }
  rest.forEach((id) => contents.set(id, { kind: 'missing' }));
  return contents;
}

/** What git printed before it ended at an object that a partial clone lacks; undefined of any other failure. */
function partOf(error: unknown): Buffer | undefined {
  const { stdout, stderr } = (error ?? {}) as { stdout?: unknown; stderr?: unknown };
  const isPromised = Buffer.isBuffer(stderr) && stderr.includes('from promisor remote');
  return isPromised && Buffer.isBuffer(stdout) ? stdout : undefined;
}

/** Takes apart what `cat-file --batch` printed. @returns the number of ids of which it printed all. */
function takeContents(
  printed: Buffer,
  ids: readonly string[],
  contents: Map<string, FileState['content']>,
): number {
  let at = 0;
  for (const [index, id] of ids.entries()) {
    const end = printed.indexOf(0x0a, at);
    if (end < 0) {
      return index;
    }
    const [, type, digits] = / (\w+) (\d+)$/.exec(printed.toString('latin1', at, end)) ?? [];
    at = end + 1;
    if (digits === undefined) {
      contents.set(id, { kind: 'missing' });
      continue;
    }
    const size = Number(digits);
    const bytes = printed.subarray(at, at + size);
    if (bytes.length < size) {
      return index;
    }
    at += size + 1;
    // The id may be that of a submodule's commit, or come from a stranger.
    contents.set(id, type === 'blob' ? contentOf(bytes) : { kind: 'missing' });
  }
  return ids.length;
}

/** A file's content as it is compared. */
export function contentOf(bytes: Buffer): FileState['content'] {
  const isText = bytes.length <= largestText && !bytes.subarray(0, binaryProbe).includes(0);
  return isText ? { kind: 'text', text: bytes.toString('latin1') } : { kind: 'binary' };
}

/** Has git tell what commits change, as raw entries. */
export const diffTree = [
  'diff-tree',
  '-z',
  '-r',
  '--raw',
  '--find-renames',
  '--full-index',
  '--no-ext-diff',
  '--no-textconv',
  '--ignore-submodules=none',
];

/** Parses the output of `diff-tree --raw -z`: the ids of commits, and the files that they change. */
function* entriesOf(printed: Buffer): Generator<string | FileChange> {
  // Names of files are bytes: each is one character until it is shown.
  const pieces = printed.toString('latin1').split('\0');
  for (let index = 0; index < pieces.length; index += 1) {
    const piece = pieces[index] ?? '';
    const match = /^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])\d*$/.exec(piece);
    if (!match) {
      if (piece !== '') {
        yield piece;
      }
      continue;
    }
    const [, oldMode = '', newMode = '', oldId = '', newId = '', status = ''] = match;
    index += 1;
    const oldPath = pieces[index] ?? '';
    const isRename = status === 'R' || status === 'C';
    if (isRename) {
      index += 1;
    }
    const path = isRename ? (pieces[index] ?? '') : oldPath;
    const before = stateOf(oldMode, oldId);
    const after = stateOf(newMode, newId);
    yield { oldPath, path, ...(before && { before }), ...(after && { after }) };
  }
}

function stateOf(mode: string, id: string): FileState | undefined {
  if (/^0+$/.test(mode)) {
    return undefined;
  }
  return { mode, id, content: { kind: mode === submodule ? 'binary' : 'missing' } };
}
