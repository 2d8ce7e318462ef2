/**
 * Holds what the local service says of a repository against git itself: which stacks there are, their patches in order, titles,
 * texts, paths, ids, sizes, counts and diffs, byte by byte; and each patch, applied to its parent, has to give git's tree.
 * Nothing here is shared with the import: git is asked again, one commit at a time.
 */
import { execFile } from 'node:child_process';
import { isUtf8 } from 'node:buffer';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { decodePath } from '../../src/service/git/paths.ts';
import type { ImportSummary } from '../../src/service/service.ts';

/** A service that has imported a repository. */
interface Served {
  url: string;
  token: string;
  imported: ImportSummary;
}

/** The bounds of a run. */
export interface OracleOptions {
  /** The most stacks that are looked at: those with the fewest patches first. */
  stacks?: number | undefined;
  /** The most patches of each of them. */
  patches?: number | undefined;
  onProgress?: (done: string) => void;
}

/** All that was compared, and what was not the same. */
export interface Verdict {
  stacks: number;
  patches: number;
  sections: number;
  /** Files whose diff is no UTF-8: of them the text is compared, line by line. */
  notUtf8: number;
  /** Patches that were applied to their parents. */
  applied: number;
  mismatches: string[];
}

interface ServedSection {
  section_type: string;
  data: string | null;
  identifier: string;
  old_path: string | null;
  new_path: string | null;
  old_size: number | null;
  new_size: number | null;
  hunks: number;
  lines: number;
  deletions: number;
  base_file_sha: string | null;
  new_file_sha: string | null;
  diff_patch: string | null;
  encoding?: string;
}

interface ServedPatch {
  change_id: string;
  commit_sha: string;
  title: string;
  position: number;
  contributors: { email: string }[];
  statistics: { file_count: number; lines: number; deletions: number; files: string[] };
  sections: ServedSection[];
}

interface ServedStack {
  uuid: string;
  branch_id: string;
  stack_size: number;
  patches: ServedPatch[];
}

/** A commit as `git log` has it. */
interface GitCommit {
  sha: string;
  parents: string[];
  /** Of a merge, the files that somebody resolved by hand. */
  files: Set<string> | undefined;
  email: string;
  title: string;
  body: string;
}

/** A file of a commit as `git diff-tree --raw --numstat` has it. */
interface GitFile {
  status: string;
  oldMode: string;
  newMode: string;
  oldId: string;
  newId: string;
  oldPath: Buffer;
  newPath: Buffer;
  /** Undefined for a binary file. */
  added: number | undefined;
  removed: number | undefined;
}

const diffOptions = [
  '--root',
  '-r',
  '--find-renames',
  '-l1000',
  '--full-index',
  '--no-ext-diff',
  '--no-textconv',
];
const submodule = '160000';

/** Compares all that a service has of a repository with what git says of it. */
export async function askOracle(
  repository: string,
  served: Served,
  options: OracleOptions = {},
): Promise<Verdict> {
  const verdict: Verdict = { stacks: 0, patches: 0, sections: 0, notUtf8: 0, applied: 0, mismatches: [] };
  const git = new Git(repository);
  try {
    await new Oracle(git, served, verdict, options).compare();
  } finally {
    git.remove();
  }
  return verdict;
}

/** Asks git; what it writes goes into a folder of its own. */
class Git {
  readonly #repository: string;
  readonly #scratch = mkdtempSync(path.join(tmpdir(), 'patch-stacks-oracle-'));
  #environment: NodeJS.ProcessEnv | undefined;

  constructor(repository: string) {
    this.#repository = repository;
  }

  remove(): void {
    rmSync(this.#scratch, { recursive: true, force: true });
  }

  async bytes(args: readonly string[], input: Buffer | string = ''): Promise<Buffer> {
    const env = (this.#environment ??= await this.#makeEnvironment());
    return this.#run(args, input, env);
  }

  async text(args: readonly string[], input: Buffer | string = ''): Promise<string> {
    return (await this.bytes(args, input)).toString('utf8').replace(/\n$/, '');
  }

  async lines(args: readonly string[]): Promise<string[]> {
    const text = await this.text(args);
    return text === '' ? [] : text.split('\n');
  }

  async #makeEnvironment(): Promise<NodeJS.ProcessEnv> {
    const base = { ...process.env, LC_ALL: 'C', GIT_NO_REPLACE_OBJECTS: '1', GIT_NO_LAZY_FETCH: '1' };
    const objects = await this.#run(
      ['rev-parse', '--path-format=absolute', '--git-path', 'objects'],
      '',
      base,
    );
    const written = path.join(this.#scratch, 'objects');
    mkdirSync(written);
    return {
      ...base,
      GIT_INDEX_FILE: path.join(this.#scratch, 'index'),
      GIT_OBJECT_DIRECTORY: written,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(objects.toString('utf8').trim()),
    };
  }

  async #run(args: readonly string[], input: Buffer | string, env: NodeJS.ProcessEnv): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const child = execFile(
        'git',
        ['-c', 'i18n.logOutputEncoding=UTF-8', '-c', 'core.quotePath=false', ...args],
        { cwd: this.#repository, env, encoding: 'buffer', maxBuffer: 2 ** 30 },
        (error, stdout, stderr) => {
          if (error) {
            reject(new Error(`git ${args.join(' ')}: ${stderr.toString('utf8')}`, { cause: error }));
          } else {
            resolve(stdout);
          }
        },
      );
      // One that needs no input may have ended before it gets any.
      child.stdin?.on('error', () => undefined);
      child.stdin?.end(input);
    });
  }
}

class Oracle {
  readonly #git: Git;
  readonly #served: Served;
  readonly #verdict: Verdict;
  readonly #options: OracleOptions;
  /** The tree that is in the index, as long as that is known. */
  #indexed = '';
  /** The trees of commits. */
  readonly #trees = new Map<string, string>();

  constructor(git: Git, served: Served, verdict: Verdict, options: OracleOptions) {
    this.#git = git;
    this.#served = served;
    this.#verdict = verdict;
    this.#options = options;
  }

  async compare(): Promise<void> {
    const { imported } = this.#served;
    const listed = (await this.#ask(`/patch_stack/${imported.projectId}`)) as ServedStack[];
    const bases = new Map(imported.stacks.map(({ branch, base }) => [branch, base]));
    this.#same(
      'the branches with stacks',
      listed.map(({ branch_id }) => branch_id).toSorted(),
      [...bases.keys()].toSorted(),
    );
    await this.#compareBranches(bases);
    const chosen = listed
      .toSorted((one, other) => one.stack_size - other.stack_size)
      .slice(0, this.#options.stacks ?? Infinity);
    for (const stack of chosen) {
      this.#options.onProgress?.(`${stack.branch_id}: ${stack.stack_size} patches`);
      await this.#compareStack(stack, bases.get(stack.branch_id) ?? '');
    }
  }

  /** A branch without a stack has nothing of its own. */
  async #compareBranches(bases: ReadonlyMap<string, string | undefined>): Promise<void> {
    const branches = await this.#git.lines(['for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads']);
    for (const branch of branches.filter((name) => !bases.has(name))) {
      const own = await this.#git.lines([
        'rev-list',
        '--no-merges',
        '--max-count=1',
        `refs/heads/${branch}`,
        '--not',
        ...this.#served.imported.bases,
        '--',
      ]);
      this.#same(`${branch}: commits of a branch without a stack`, own, []);
    }
  }

  async #compareStack(stack: ServedStack, base: string): Promise<void> {
    this.#verdict.stacks += 1;
    const { branch_id: branch } = stack;
    const format = ['%H', '%P', '%T', '%ae', '%s', '%b'].join('%x00');
    const range = [`refs/heads/${branch}`, `^${base}`, '--'];
    const printed = await this.#git.text([
      'log',
      '-z',
      '--topo-order',
      '--reverse',
      '--no-show-signature',
      `--format=${format}`,
      ...range,
    ]);
    const fields = printed === '' ? [] : printed.split('\0');
    const expected: GitCommit[] = [];
    for (let at = 0; at + 5 < fields.length; at += 6) {
      const [sha = '', names = '', tree = '', email = '', title = '', body = ''] = fields.slice(at, at + 6);
      const parents = names === '' ? [] : names.split(' ');
      this.#trees.set(sha, tree);
      const files = parents.length > 1 ? await this.#resolvedByHand(sha) : undefined;
      if (files?.size !== 0) {
        expected.push({ sha, parents, files, email, title, body });
      }
    }
    this.#same(
      `${branch}: the commits`,
      stack.patches.map(({ commit_sha }) => commit_sha),
      expected.map(({ sha }) => sha),
    );
    this.#same(
      `${branch}: the positions`,
      stack.patches.map(({ position }) => position),
      expected.map((_, index) => index),
    );
    this.#same(`${branch}: the size`, stack.stack_size, expected.length);
    for (const [index, commit] of expected.slice(0, this.#options.patches ?? Infinity).entries()) {
      const listed = stack.patches[index];
      if (listed?.commit_sha === commit.sha) {
        await this.#comparePatch(stack.uuid, listed, commit);
      }
    }
  }

  /** The files of a merge that are like none of its parents. */
  async #resolvedByHand(sha: string): Promise<Set<string>> {
    const printed = await this.#git.bytes([
      'diff-tree',
      '-c',
      '-r',
      '-z',
      '--name-only',
      '--no-commit-id',
      sha,
    ]);
    return new Set(
      printed
        .toString('latin1')
        .split('\0')
        .filter((name) => name !== ''),
    );
  }

  async #comparePatch(uuid: string, listed: ServedPatch, commit: GitCommit): Promise<void> {
    this.#verdict.patches += 1;
    const { sha, parents, files: only, email, title, body } = commit;
    const address = `/patch_stack/${uuid}/patch/${encodeURIComponent(listed.change_id)}`;
    const patch = (await this.#ask(address)) as ServedPatch;
    this.#same(`${sha}: the title`, patch.title, title);
    this.#same(`${sha}: the title in the stack`, listed.title, title);
    this.#same(`${sha}: the author`, patch.contributors[0]?.email, email);
    this.#same(
      `${sha}: the text`,
      patch.sections.filter(({ section_type }) => section_type === 'text').map(({ data }) => data),
      [
        body
          .split('\n')
          .filter((line) => !/^Change-Id:/i.test(line))
          .join('\n')
          .trim(),
      ].filter((text) => text !== ''),
    );
    const trees = parents.length > 1 ? [parents[0] ?? '', sha] : [sha];
    const { files: all, printed } = await this.#filesOf(sha, trees);
    const files = only ? all.filter(({ newPath }) => only.has(newPath.toString('latin1'))) : all;
    const sections = patch.sections.filter(({ section_type }) => section_type === 'diff');
    this.#same(
      `${sha}: the files`,
      sections.map(({ identifier }) => identifier),
      files.map(({ newPath }) => decodePath(newPath)),
    );
    await this.#compareSections(sha, sections, files);
    this.#compareCounts(sha, patch, files);
    if (sections.length === files.length) {
      this.#compareDiffs(sha, printed, sections, files, all);
      if (!only) {
        await this.#apply(sha, parents[0], sections, files);
      }
    }
  }

  /** The files of a commit, and the diff that git prints of all of them. */
  async #filesOf(sha: string, trees: readonly string[]): Promise<{ files: GitFile[]; printed: Buffer }> {
    const all = await this.#git.bytes([
      'diff-tree',
      ...diffOptions,
      '--no-commit-id',
      '-z',
      '--raw',
      '--numstat',
      '--patch',
      ...trees,
    ]);
    // An empty piece is between the lists and the diffs.
    const start = all.indexOf('\0\0diff --git ');
    const pieces = splitAtNul(start === -1 ? all : all.subarray(0, start + 1));
    const printed = start === -1 ? Buffer.alloc(0) : all.subarray(start + 2);
    const files: GitFile[] = [];
    const next = () => pieces.shift() ?? Buffer.alloc(0);
    while (pieces[0]?.[0] === 0x3a) {
      const [, oldMode = '', newMode = '', oldId = '', newId = '', status = ''] =
        /^:(\d+) (\d+) (\w+) (\w+) (\w)/.exec(next().toString('latin1')) ?? [];
      const oldPath = next();
      const newPath = status === 'R' ? next() : oldPath;
      files.push({
        status,
        oldMode,
        newMode,
        oldId,
        newId,
        oldPath,
        newPath,
        added: undefined,
        removed: undefined,
      });
    }
    for (const file of files) {
      const [added = '', removed = '', name = ''] = next().toString('latin1').split('\t');
      // Of a renamed file the two names follow.
      if (name === '') {
        next();
        next();
      }
      if (added !== '-') {
        file.added = Number(added);
        file.removed = Number(removed);
      }
    }
    this.#same(`${sha}: what git printed and nobody has read`, pieces.length, 0);
    return { files, printed };
  }

  async #compareSections(
    sha: string,
    sections: readonly ServedSection[],
    files: readonly GitFile[],
  ): Promise<void> {
    const ids = files.flatMap(({ oldMode, oldId, newMode, newId }) => [
      oldMode === submodule ? '0' : oldId,
      newMode === submodule ? '0' : newId,
    ]);
    const printed = await this.#git.text(
      ['cat-file', '--batch-check=%(objectsize)'],
      ids.map((id) => `${id}\n`).join(''),
    );
    const sizes = printed.split('\n').map((line) => (/^\d+$/.test(line) ? Number(line) : null));
    for (const [index, file] of files.entries()) {
      const section = sections[index];
      const isAdded = file.status === 'A';
      const isDeleted = file.status === 'D';
      this.#verdict.sections += 1;
      // Of a file that only moved, git prints nothing that says so.
      const isBinary = file.added === undefined && file.oldId !== file.newId;
      this.#same(
        `${sha}: ${decodePath(file.newPath)}`,
        section && {
          old_path: section.old_path,
          new_path: section.new_path,
          base_file_sha: section.base_file_sha,
          new_file_sha: section.new_file_sha,
          old_size: section.old_size,
          new_size: section.new_size,
          lines: section.lines,
          deletions: section.deletions,
          isBinary:
            section.diff_patch === null ? isBinary : /^Binary files .* differ$/m.test(section.diff_patch),
        },
        {
          old_path: isAdded ? null : pathAs(section?.old_path, file.oldPath),
          new_path: isDeleted ? null : pathAs(section?.new_path, file.newPath),
          base_file_sha: isAdded ? null : file.oldId,
          new_file_sha: isDeleted ? null : file.newId,
          old_size: isAdded ? 0 : (sizes[2 * index] ?? null),
          new_size: isDeleted ? 0 : (sizes[2 * index + 1] ?? null),
          lines: file.added ?? 0,
          deletions: file.removed ?? 0,
          isBinary,
        },
      );
    }
  }

  #compareCounts(sha: string, patch: ServedPatch, files: readonly GitFile[]): void {
    const { file_count, lines, deletions, files: paths } = patch.statistics;
    this.#same(
      `${sha}: the statistics`,
      { file_count, lines, deletions, paths },
      {
        file_count: files.length,
        lines: files.reduce((sum, { added = 0 }) => sum + added, 0),
        deletions: files.reduce((sum, { removed = 0 }) => sum + removed, 0),
        paths: files.map(({ newPath }, index) => pathAs(paths[index], newPath)),
      },
    );
  }

  #compareDiffs(
    sha: string,
    printed: Buffer,
    sections: readonly ServedSection[],
    files: readonly GitFile[],
    all: readonly GitFile[],
  ): void {
    // A merge is shown in part.
    const isWhole = files.length === all.length;
    if (isWhole && isUtf8(printed) && sections.every(({ diff_patch }) => diff_patch !== null)) {
      const joined = sections.map(({ diff_patch }) => diff_patch).join('');
      this.#same(`${sha}: the diff, byte by byte`, Buffer.from(joined).equals(printed), true);
      return;
    }
    const blocks = printed.toString('latin1').split(/(?<=\n)(?=diff --git )/);
    for (const { status, newPath } of all) {
      // Git prints that a file goes, and that another one comes, where it turns into a link or the like.
      const one = Buffer.from(blocks.splice(0, status === 'T' ? 2 : 1).join(''), 'latin1');
      const section = sections[files.findIndex((file) => file.newPath.equals(newPath))];
      if (section && section.diff_patch !== null) {
        this.#verdict.notUtf8 += Number(!isUtf8(one));
        const isSame = isUtf8(one)
          ? section.diff_patch === one.toString('utf8')
          : saysTheSame(section.diff_patch, section.encoding, one);
        this.#same(`${sha}: the diff of ${section.identifier}`, isSame, true);
      }
    }
    this.#same(`${sha}: diffs of no file`, blocks.length, 0);
  }

  /** Applies what was served to the parent's tree, which has to give the commit's. */
  async #apply(
    sha: string,
    parent: string | undefined,
    sections: readonly ServedSection[],
    files: readonly GitFile[],
  ): Promise<void> {
    const parentTree = parent === undefined ? '' : await this.#treeOf(parent);
    if (this.#indexed === '' || this.#indexed !== parentTree) {
      await this.#git.bytes(['read-tree', ...(parent === undefined ? ['--empty'] : [parent])]);
    }
    this.#indexed = '';
    const texts: string[] = [];
    const others: Buffer[] = [];
    for (const [index, file] of files.entries()) {
      const diff = sections[index]?.diff_patch ?? null;
      if (
        file.added !== undefined &&
        diff !== null &&
        sections[index]?.encoding === undefined &&
        isInUtf8(file)
      ) {
        texts.push(diff);
      } else {
        others.push(...indexLines(file));
      }
    }
    try {
      if (texts.length > 0) {
        await this.#git.bytes(['apply', '--cached', '--whitespace=nowarn', '-'], texts.join(''));
      }
      if (others.length > 0) {
        await this.#git.bytes(['update-index', '-z', '--index-info'], Buffer.concat(others));
      }
      const tree = await this.#git.text(['write-tree', '--missing-ok']);
      this.#same(`${sha}: the tree after applying it`, tree, await this.#treeOf(sha));
      this.#indexed = tree;
      this.#verdict.applied += 1;
    } catch (error) {
      this.#verdict.mismatches.push(
        `${sha}: could not be applied: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }

  async #treeOf(sha: string): Promise<string> {
    const tree = this.#trees.get(sha) ?? (await this.#git.text(['rev-parse', `${sha}^{tree}`]));
    this.#trees.set(sha, tree);
    return tree;
  }

  async #ask(apiPath: string): Promise<unknown> {
    const { url, token } = this.#served;
    const response = await fetch(`${url}${apiPath}`, { headers: { 'X-Auth-Token': token } });
    if (!response.ok) {
      throw new Error(`${apiPath}: ${response.status} ${await response.text()}`);
    }
    return response.json();
  }

  #same(what: string, served: unknown, expected: unknown): void {
    const [one, other] = [JSON.stringify(served), JSON.stringify(expected)];
    if (one !== other) {
      this.#verdict.mismatches.push(`${what}: served ${short(one)}, but git has ${short(other)}`);
    }
  }
}

/** Returns true when each line of a diff says what its bytes do, in UTF-8 or in the declared encoding of the file. */
function saysTheSame(served: string, encoding: string | undefined, printed: Buffer): boolean {
  const expected = printed.toString('latin1').split('\n');
  const lines = served.split('\n');
  const decoders = ['utf8', ...(encoding === undefined || encoding === 'bytes' ? [] : [encoding])].map(
    (name) => new TextDecoder(name),
  );
  return (
    lines.length === expected.length &&
    lines.every((line, index) => {
      const bytes = Buffer.from(expected[index] ?? '', 'latin1');
      const shown = (expected[index] ?? '').replaceAll(
        /[\x80-\xff]/g,
        (byte) => `\\x${byte.charCodeAt(0).toString(16).toUpperCase()}`,
      );
      return (
        !line.includes('\ufffd') && (line === shown || decoders.some((one) => one.decode(bytes) === line))
      );
    })
  );
}

/** The encodings in which a name that is no UTF-8 may be served. */
const encodingsOfNames = ['shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr', 'windows-1252', 'windows-1251'];

/** The path as it was served, where it says what the bytes do; else as git quotes it. */
function pathAs(served: string | null | undefined, bytes: Buffer): string {
  const isSaid =
    typeof served === 'string' &&
    !isUtf8(bytes) &&
    encodingsOfNames.some((name) => new TextDecoder(name).decode(bytes) === served);
  return isSaid ? served : decodePath(bytes);
}

/** Returns true when the names of a file can be part of a text that git reads. */
function isInUtf8({ oldPath, newPath }: GitFile): boolean {
  return isUtf8(oldPath) && isUtf8(newPath);
}

/** The lines by which `git update-index --index-info` makes a file what the commit has. */
function indexLines({ oldMode, oldPath, newMode, newId, newPath, status }: GitFile): Buffer[] {
  const line = (mode: string, id: string, name: Buffer) =>
    Buffer.concat([Buffer.from(`${mode} ${id}\t`), name, Buffer.from('\0')]);
  const gone = line('0', '0'.repeat(newId.length), oldPath);
  return [
    ...(status === 'R' || status === 'D' || oldMode !== newMode ? [gone] : []),
    ...(status === 'D' ? [] : [line(newMode, newId, newPath)]),
  ];
}

function splitAtNul(bytes: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  let start = 0;
  for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0, start)) {
    pieces.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return pieces.filter((piece) => piece.length > 0);
}

function short(text: string | undefined): string {
  return text === undefined ? 'nothing' : text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
