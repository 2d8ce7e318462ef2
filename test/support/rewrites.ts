/**
 * Commits that are moved to other bases, and edited after that: what the comparison of versions has to tell apart. They are
 * made up, or come of the history of a real repository, which stays as it is.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { diffArrays } from 'diff';
import { readChanges, readContents } from '../../src/git/commitChanges.ts';
import { repositoryAt, type OpenRepository } from '../../src/git/repository.ts';
import type { FileChange, FileState } from '../../src/model/reading/fileChange.ts';
import { GitRepository } from './gitRepository.ts';
import type { Random } from './random.ts';

/** A commit, and the same change on another base. */
export interface Move {
  older: string;
  newer: string;
  /** The bases of both. */
  parent: string;
  onto: string;
}

/** An edit of a moved commit; see `editKinds`. */
export interface SeededEdit {
  kind: EditKind;
  older: string;
  newer: string;
  /** The file that was edited, by the names that it may be told under. */
  paths: readonly string[];
}

/** The edits of one file of a commit. */
export const editKinds = [
  'a line',
  'a hunk removed',
  'rename',
  'mode',
  'conflict resolved',
  'change squashed into the parent',
  'binary',
  'CRLF',
  'no final newline',
  'repeated lines',
  'at the edge of a hunk',
] as const;
export type EditKind = (typeof editKinds)[number];

/** What an author does to a hunk so that the commit looks as before. */
export const relocationKinds = [
  'a hunk moved to a place with alike neighbors',
  'a hunk moved to another file',
  'a removal moved to its twin',
  'a conflict beside the line',
] as const;
export type RelocationKind = (typeof relocationKinds)[number];

/** Two versions of a commit, of which the author has moved a hunk of the one for the other; see `relocationKinds`. */
export interface Relocation {
  older: string;
  newer: string;
  /** True where the base has changed as well. */
  isRebased: boolean;
}

/** One file of a commit with its texts. */
interface File {
  change: FileChange;
  before: string | undefined;
  after: string;
  mode: string;
}

/** The results of an edit: the file, and the base. */
interface Edited {
  path?: string;
  mode?: string;
  after?: string;
  /** The file in the base then. */
  base?: string;
}

interface Hunk {
  /** The place in the text before. */
  start: number;
  end: number;
  /** The place in the text after. */
  at: number;
  lines: string[];
}

/** A repository with commits that can be moved. */
export class RewriteRepository {
  readonly open: OpenRepository;
  readonly #repository: GitRepository;
  readonly #candidates: readonly { commit: string; parent: string; onto: string; tree: string }[];

  private constructor(repository: GitRepository, candidates: RewriteRepository['candidates']) {
    this.#repository = repository;
    this.open = repositoryAt('git', repository.directory);
    this.#candidates = candidates;
  }

  /** The history of a repository that is there: each commit may be moved to one of those before it. */
  static of(directory: string, random: Random): RewriteRepository {
    const repository = GitRepository.create();
    const objects = spawnSync('git', ['rev-parse', '--path-format=absolute', '--git-path', 'objects'], {
      cwd: directory,
      encoding: 'utf8',
    }).stdout.trim();
    repository.write('.git/objects/info/alternates', `${objects}\n`);
    const head = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: directory, encoding: 'utf8' }).stdout.trim();
    const commits = repository
      .git('log', '--max-count=20000', '--format=%H %T %P', head)
      .split('\n')
      .map((line) => line.split(' '));
    const known = new Map(commits.map(([commit = '', tree = '', ...parents]) => [commit, { tree, parents }]));
    const candidates = commits.flatMap(([commit = '', , ...parents]) => {
      let [onto] = parents;
      const steps = 2 + random.below(80);
      for (let step = 0; step < steps && onto !== undefined; step += 1) {
        onto = known.get(onto)?.parents[0];
      }
      const tree = onto === undefined ? undefined : known.get(onto)?.tree;
      return onto !== undefined && tree !== undefined && parents.length === 1
        ? [{ commit, parent: parents[0] ?? '', onto, tree }]
        : [];
    });
    return new RewriteRepository(repository, candidates);
  }

  /** So many commits on made-up texts, each with another base that it may be moved to. */
  static generated(count: number, random: Random): RewriteRepository {
    const repository = GitRepository.create();
    const stream = new ImportStream();
    const marks = Array.from({ length: count }, () => {
      const files = new Map(
        Array.from({ length: 3 + random.below(5) }, (_, index) => [
          `folder ${index % 3}/file-${index}.txt`,
          inventText(random),
        ]),
      );
      const base = stream.commit(undefined, fileLines(files));
      const changed = inventEdits(files, 'mine', random);
      const others = inventEdits(files, 'theirs', random);
      return { commit: stream.commit(base, changed), parent: base, onto: stream.commit(base, others) };
    });
    const ids = stream.send(repository);
    const candidates = marks.map(({ commit, parent, onto }) => {
      const id = (mark: string): string => ids.get(mark) ?? '';
      return { commit: id(commit), parent: id(parent), onto: id(onto), tree: `${id(onto)}^{tree}` };
    });
    return new RewriteRepository(repository, candidates);
  }

  get candidates(): readonly { commit: string; parent: string; onto: string; tree: string }[] {
    return this.#candidates;
  }

  /**
   * So many commits, or as many as there are, that git moves without a conflict, and which change as many files as before: where
   * a base has part of the change, there is more to tell than a move.
   */
  async moves(count: number): Promise<Move[]> {
    const moves = this.#merges(count);
    const changes = await readChanges(
      this.open,
      moves.flatMap(({ older, newer }) => [older, newer]),
    );
    const sizeOf = (commit: string): number | undefined => changes.get(commit)?.files.length;
    return moves.filter(({ older, newer }) => sizeOf(older) === sizeOf(newer));
  }

  /** As git would move them, with a few processes for many commits. */
  #merges(count: number): Move[] {
    const git = this.#repository;
    const moves: Move[] = [];
    for (let at = 0; at < this.#candidates.length && moves.length < count; at += mostAtOnce) {
      const some = this.#candidates.slice(at, at + Math.min(mostAtOnce, 2 * (count - moves.length)));
      const trees = git
        .gitWithInput(linesOfInput(some.map(({ tree }) => tree)), 'cat-file', '--batch-check=%(objectname)')
        .split('\n');
      const bases = new ImportStream();
      const ours = some.map(({ parent }, index) => bases.commit(parent, [rootLine(trees[index] ?? '')]));
      const ids = bases.send(git);
      const merges = git.gitWithInput(
        linesOfInput(some.map(({ commit }, index) => `${ids.get(ours[index] ?? '') ?? ''} ${commit}`)),
        ...['merge-tree', '--write-tree', '--no-messages', '--stdin'],
      );
      const merged = [...merges.matchAll(/(?<=^|\0)([01])\0([0-9a-f]{40})(?=\0)/g)];
      const results = new ImportStream();
      const made = some.flatMap((candidate, index) => {
        const [, isClean, tree = ''] = merged[index] ?? [];
        return isClean === '1' && tree !== trees[index]
          ? [{ ...candidate, mark: results.commit(candidate.onto, [rootLine(tree)]) }]
          : [];
      });
      const commits = results.send(git);
      moves.push(
        ...made.map(({ commit, parent, onto, mark }) => {
          return { older: commit, newer: commits.get(mark) ?? '', parent, onto };
        }),
      );
    }
    return moves.slice(0, count);
  }

  /** So many edits of each kind, or as many as there are files for them, each to one file of one of these commits. */
  async edits(moves: readonly Move[], count: number, random: Random): Promise<SeededEdit[]> {
    const changes = await readChanges(
      this.open,
      moves.map(({ newer }) => newer),
    );
    const ids = [...changes.values()].flatMap(({ files }) =>
      files.flatMap(({ before, after }) => [before?.id, after?.id].filter((id) => id !== undefined)),
    );
    const contents = await readContents(this.open, ids);
    const textOf = (state: FileState | undefined): string | undefined => {
      const content = contents.get(state?.id ?? '');
      return content?.kind === 'text' && content.text.length < 500_000 ? content.text : undefined;
    };
    const renames = this.#renames(moves);
    const stream = new ImportStream();
    const made: { kind: EditKind; older: string; mark: string; paths: readonly string[] }[] = [];
    for (const kind of editKinds) {
      let left = count;
      for (let round = 0; round < 20 * Math.ceil(count / moves.length) && left > 0; round += 1) {
        for (const move of moves) {
          const files = changes.get(move.newer)?.files ?? [];
          const change = random.pick(files.filter(({ after }) => after?.mode.startsWith('100')));
          const after = textOf(change?.after);
          if (left === 0 || !change?.after || after === undefined || /["\n]/.test(change.path)) {
            continue;
          }
          const mode = change.after.mode;
          const edited = edits[kind]({ change, before: textOf(change.before), after, mode }, random);
          if (!edited) {
            continue;
          }
          left -= 1;
          const newPath = edited.path ?? change.path;
          const base =
            edited.base === undefined
              ? move.onto
              : stream.commit(move.onto, [
                  lineOf(change.oldPath, change.before?.mode ?? '100644', edited.base),
                ]);
          const others = files.filter((file) => file !== change);
          const lines = [
            ...[...others, change].flatMap((file) => (file.oldPath === file.path && file.after ? [] : [`D ${file.oldPath}\n`])),
            ...(newPath === change.path ? [] : [`D ${change.path}\n`]),
            ...others.flatMap((file) => (file.after ? [`M ${file.after.mode} ${file.after.id} ${file.path}\n`] : [])),
            lineOf(newPath, edited.mode ?? mode, edited.after ?? after),
          ]; // prettier-ignore
          const mark = stream.commit(base, lines);
          made.push({
            kind,
            older: move.older,
            mark,
            paths: [newPath, change.path, change.oldPath, ...(renames.get(move)?.get(change.oldPath) ?? [])],
          });
        }
      }
    }
    const marks = stream.send(this.#repository);
    return made.map(({ kind, older, mark, paths }) => ({
      kind,
      older,
      newer: marks.get(mark) ?? '',
      paths,
    }));
  }

  /** So many commits with a hunk that their author has moved, or as many as there are hunks for that. */
  async relocations(
    kind: RelocationKind,
    moves: readonly Move[],
    count: number,
    random: Random,
  ): Promise<Relocation[]> {
    const changes = await readChanges(
      this.open,
      moves.flatMap(({ older, newer }) => [older, newer]),
    );
    const isEdit = ({ path, oldPath, before, after }: FileChange): boolean =>
      path === oldPath &&
      !/["\n]/.test(path) &&
      before?.mode === after?.mode &&
      (after?.mode.startsWith('100') ?? false);
    const picked = moves.flatMap((move) => {
      const change = random.pick(changes.get(move.newer)?.files.filter(isEdit) ?? []);
      const isInBoth = changes
        .get(move.older)
        ?.files.some((file) => isEdit(file) && file.path === change?.path);
      return change?.before?.id !== undefined && change.after?.id !== undefined && isInBoth
        ? [{ move, change }]
        : [];
    });
    const contents = await readContents(
      this.open,
      picked.flatMap(({ change }) => [change.before?.id ?? '', change.after?.id ?? '']),
    );
    const stream = new ImportStream();
    const made: { older: string; newer: string; isRebased: boolean }[] = [];
    for (let round = 0; round < 10 && made.length < count; round += 1) {
      for (const { move, change } of picked.slice(0, Math.max(0, count - made.length))) {
        const [before, after] = [change.before, change.after].map((state) => contents.get(state?.id ?? ''));
        const mode = change.after?.mode ?? '';
        const isText = before?.kind === 'text' && after?.kind === 'text' && after.text.length < 500_000;
        const moved = isText ? relocated(kind, [before.text, after.text], random) : undefined;
        if (!moved) {
          continue;
        }
        const isRebased = random.oneIn(2);
        const twin = `${change.path}.twin`;
        const write = (texts: readonly string[]): string[] =>
          texts.map((text, index) => lineOf(index === 0 ? change.path : twin, mode, text));
        const others = (commit: string): string[] =>
          (changes.get(commit)?.files ?? [])
            .filter(({ path }) => path !== change.path)
            .flatMap((file) => [
              ...(file.oldPath === file.path && file.after ? [] : [`D ${file.oldPath}\n`]),
              ...(file.after ? [`M ${file.after.mode} ${file.after.id} ${file.path}\n`] : []),
            ]);
        const [was, is] = isRebased ? [move.older, move.newer] : [move.older, move.older];
        const base = stream.commit(move.parent, write(moved.base));
        const onto = stream.commit(isRebased ? move.onto : move.parent, write(moved.onto(isRebased)));
        made.push({
          older: stream.commit(base, [...others(was), ...write(moved.older)]),
          newer: stream.commit(onto, [...others(is), ...write(moved.newer(isRebased))]),
          isRebased,
        });
      }
    }
    const marks = stream.send(this.#repository);
    return made.map(({ older, newer, isRebased }) => ({
      older: marks.get(older) ?? '',
      newer: marks.get(newer) ?? '',
      isRebased,
    }));
  }

  /** The paths in the older base of the files that are elsewhere in the newer one, by what they are called there. */
  #renames(moves: readonly Move[]): Map<Move, Map<string, string[]>> {
    const printed = this.#repository.gitWithInput(
      linesOfInput(moves.map(({ parent, onto }) => `${onto} ${parent}`)),
      ...[
        'diff-tree',
        '-r',
        '--find-renames',
        '--diff-filter=R',
        '--name-status',
        '--always',
        '-z',
        '--stdin',
      ],
    );
    const pieces = printed.split(/[\0\n]/);
    const renames = new Map<Move, Map<string, string[]>>();
    let at = 0;
    for (const move of moves) {
      const found = new Map<string, string[]>();
      assert.equal(pieces[at], move.onto);
      at += 1;
      for (; /^R\d+$/.test(pieces[at] ?? ''); at += 3) {
        const [from = '', to = ''] = pieces.slice(at + 1, at + 3);
        found.set(to, [...(found.get(to) ?? []), from]);
      }
      renames.set(move, found);
    }
    return renames;
  }

  /** The changes of commits, with the diffs alone. */
  async withoutContents(commits: readonly string[]): Promise<Map<string, FileChange[]>> {
    const changes = await readChanges(this.open, commits);
    const printed = await this.open.gitBytes(
      ['diff-tree', '-p', '--root', '--always', '--find-renames', '--full-index', '-r', '--stdin'],
      { input: [...changes.keys()].map((commit) => `${commit}\n`).join('') },
    );
    const diffs = printed.toString('latin1').split(/^(?=diff --git |[0-9a-f]{40}\n)/m);
    const bare = new Map<string, FileChange[]>();
    let left: string[] = [];
    for (const piece of diffs.toReversed()) {
      if (piece.startsWith('diff --git ')) {
        left.unshift(piece);
        continue;
      }
      const commit = piece.slice(0, 40);
      const files = changes.get(commit)?.files ?? [];
      bare.set(
        commit,
        files.map((file, index) => ({
          ...file,
          before: withoutContent(file.before),
          after: withoutContent(file.after),
          diff: left[index],
        })),
      );
      left = [];
    }
    return bare;
  }

  remove(): void {
    this.#repository.remove();
  }
}

/** Commits as `git fast-import` reads them. */
class ImportStream {
  readonly #pieces: string[] = [];
  #marks = 0;

  /** Adds a commit; gives the name that it goes by in this stream. */
  commit(from: string | undefined, lines: readonly string[]): string {
    this.#marks += 1;
    const mark = `:${this.#marks}`;
    this.#pieces.push(
      `commit refs/made/${this.#marks}\nmark ${mark}\ncommitter A <a@example.com> 1000000000 +0000\ndata 4\nMade\n`,
      ...(from === undefined ? [] : [`from ${from}\n`]),
      ...lines,
      '\n',
    );
    return mark;
  }

  /** Has git make them; gives the ids by the names. */
  send(repository: GitRepository): Map<string, string> {
    const file = path.join(repository.directory, '.git', 'made-marks');
    repository.gitWithInput(
      Buffer.from(this.#pieces.join(''), 'latin1'),
      'fast-import',
      '--force',
      '--quiet',
      `--export-marks=${file}`,
    );
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    return new Map(lines.map((line) => line.split(' ') as [string, string]));
  }
}

/** Commits that are moved with one process of git. */
const mostAtOnce = 1000;

function linesOfInput(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

/** Makes all of a commit's tree another one. */
function rootLine(tree: string): string {
  return `M 040000 ${tree} ""\n`;
}

function withoutContent(state: FileState | undefined): FileState | undefined {
  return state && { mode: state.mode, content: { kind: 'missing' } };
}

function lineOf(name: string, mode: string, content: string): string {
  return `M ${mode} inline ${name}\ndata ${content.length}\n${content}\n`;
}

function fileLines(files: ReadonlyMap<string, string>): string[] {
  return [...files].map(([name, text]) => lineOf(name, '100644', text));
}

const words = ['alpha', 'beta', 'gamma', 'delta', 'read', 'write', 'merge', 'stack', 'patch', 'hunk'];
/** Lines that are there many times in any program. */
const usual = ['}\n', '  }\n', '\n', '  return;\n', '    break;\n', '*/\n'];

function inventLine(random: Random): string {
  return random.oneIn(3)
    ? (random.pick(usual) ?? '')
    : `  ${random.pick(words)}(${random.pick(words)}, ${random.below(200)});\n`;
}

function inventText(random: Random): string {
  const lines = Array.from({ length: 20 + random.below(120) }, () => inventLine(random)).join('');
  const ended = random.oneIn(8) ? lines.trimEnd() : lines;
  return random.oneIn(8) ? ended.replaceAll('\n', '\r\n') : ended;
}

/** Changes some of these files as somebody would, or deletes or renames one, or adds one. */
function inventEdits(files: ReadonlyMap<string, string>, who: string, random: Random): string[] {
  const lines: string[] = [];
  const names = [...files.keys()].filter(() => random.oneIn(2));
  for (const name of names.length > 0 ? names : [...files.keys()].slice(0, 1)) {
    const text = files.get(name) ?? '';
    // A change of a mode that both make would be part of the base by then.
    const mayBeProgram = /[02468]\.txt$/.test(name) === (who === 'mine');
    const end = text.includes('\r\n') ? '\r\n' : '\n';
    const changed = linesOf(text);
    for (let times = 1 + random.below(3); times > 0; times -= 1) {
      const added = Array.from({ length: random.below(4) }, () => inventLine(random).replace('\n', end));
      changed.splice(random.below(changed.length), random.below(3), `${who}(${random.below(1e6)});${end}`, ...added);
    } // prettier-ignore
    if (random.oneIn(12)) {
      lines.push(`D ${name}\n`);
    }
    if (!random.oneIn(24)) {
      lines.push(lineOf(random.oneIn(12) ? `${who}/moved-${random.below(100)}` : name, mayBeProgram && random.oneIn(6) ? '100755' : '100644', changed.join('')));
    } // prettier-ignore
  }
  if (random.oneIn(2)) {
    lines.push(lineOf(`${who}/new-${random.below(100)}.txt`, '100644', inventText(random)));
  }
  return lines;
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

function hunksOf(before: string, after: string): Hunk[] {
  const hunks: Hunk[] = [];
  let [start, at] = [0, 0];
  let open: Hunk | undefined;
  for (const { added, removed, value } of diffArrays(linesOf(before), linesOf(after))) {
    if (!added && !removed) {
      open = undefined;
    } else if (!open) {
      open = { start, end: start, at, lines: [] };
      hunks.push(open);
    }
    start += added ? 0 : value.length;
    at += removed ? 0 : value.length;
    if (open) {
      open.end = start;
      open.lines.push(...(added ? value : []));
    }
  }
  return hunks;
}

/** The texts of a file, and of its twin where there is one: in both bases, and in both versions of the commit. */
interface Relocated {
  base: readonly string[];
  older: readonly string[];
  /** @param isRebased whether the base has changed elsewhere in them, too. */
  onto: (isRebased: boolean) => readonly string[];
  newer: (isRebased: boolean) => readonly string[];
}

/** Lines around a hunk that its diff shows, on each side. */
const context = 3;

/** Moves a hunk of a file, as its author would; undefined where that can't be made of it. */
function relocated(
  kind: RelocationKind,
  [before, after]: readonly [before: string, after: string],
  random: Random,
): Relocated | undefined {
  const isEnded = before.endsWith('\n') && after.endsWith('\n');
  const hunk = isEnded ? random.pick(hunksOf(before, after)) : undefined;
  if (!hunk) {
    return undefined;
  }
  const rebased = (isRebased: boolean, texts: readonly string[]): string[] =>
    texts.map((text) => (isRebased ? `the base has this\n${text}` : text));
  const lines = linesOf(before);
  const removed = lines.slice(hunk.start, hunk.end);
  const [base, added] = kind === 'a removal moved to its twin' ? [hunk.lines, []] : [removed, hunk.lines];
  if (kind === 'a removal moved to its twin' && (base.length === 0 || removed.length > 0)) {
    return undefined;
  }
  const [above, below] = [lines.slice(0, hunk.start), lines.slice(hunk.end)];
  const whole = (middle: readonly string[]): string[] => [...above, ...middle, ...below];
  if (kind === 'a conflict beside the line') {
    if (above.length === 0) {
      return undefined;
    }
    const changed = [...above.slice(0, -1), altered(above.at(-1) ?? '')];
    return {
      base: [whole(base).join('')],
      older: [whole(added).join('')],
      onto: (isRebased) => rebased(isRebased, [[...changed, ...base, ...below].join('')]),
      newer: (isRebased) => rebased(isRebased, [[...changed, ...added, ...below].join('')]),
    };
  }
  if (kind === 'a hunk moved to another file') {
    const [without, withIt] = [whole(base).join(''), whole(added).join('')];
    return {
      base: [without, without],
      older: [withIt, without],
      onto: (isRebased) => rebased(isRebased, [without, without]),
      newer: (isRebased) => rebased(isRebased, [without, withIt]),
    };
  }
  const around = (middle: readonly string[]): string[] => [
    ...above.slice(-context),
    ...middle,
    ...below.slice(0, context),
  ];
  const both = (one: readonly string[], other: readonly string[]): string =>
    [...whole(one), '\n', ...around(other)].join('');
  const [older, newer] = [both(added, base), both(base, added)];
  return older === newer
    ? undefined
    : {
        base: [both(base, base)],
        older: [older],
        onto: (isRebased) => rebased(isRebased, [both(base, base)]),
        newer: (isRebased) => rebased(isRebased, [newer]),
      };
}

/** A text with one of its lines made into another one. */
function withLine(text: string, at: number, by: (line: string) => string): string {
  const lines = linesOf(text);
  return lines.map((line, index) => (index === at ? by(line) : line)).join('');
}

const altered = (line: string): string => line.replace(/\r?\n?$/, (end) => ` altered${end}`);

/** The effect of each kind of edit on a file; undefined where it cannot be made. */
const edits: Record<EditKind, (file: File, random: Random) => Edited | undefined> = {
  'a line': ({ after }, random) =>
    after === '' ? undefined : { after: withLine(after, random.below(linesOf(after).length), altered) },
  'a hunk removed': ({ before, after }, random) => {
    const hunk = before === undefined ? undefined : random.pick(hunksOf(before, after));
    return hunk && before !== undefined
      ? {
          after: linesOf(after)
            .toSpliced(hunk.at, hunk.lines.length, ...linesOf(before).slice(hunk.start, hunk.end))
            .join(''),
        }
      : undefined;
  },
  rename: ({ change }) => ({ path: `${change.path}-renamed` }),
  mode: ({ mode }) => ({ mode: mode === '100755' ? '100644' : '100755' }),
  'conflict resolved': ({ before, after }, random) => {
    const replaced = before === undefined ? [] : hunksOf(before, after).filter(({ start, end }) => end > start);
    const hunk = random.pick(replaced);
    return hunk && before !== undefined
      ? {
          base: withLine(before, hunk.start, (line) => `the base has this ${line}`),
          after: linesOf(after).toSpliced(hunk.at, 0, 'somebody resolved this\n').join(''),
        }
      : undefined;
  },
  'change squashed into the parent': ({ before, after }, random) => {
    const hunk = before === undefined ? undefined : random.pick(hunksOf(before, after));
    return hunk && before !== undefined
      ? { base: linesOf(before).toSpliced(hunk.start, hunk.end - hunk.start, ...hunk.lines).join('') }
      : undefined;
  },
  binary: ({ after }) => ({ after: `\0${after}` }),
  CRLF: ({ after }, random) => {
    const ending = linesOf(after).flatMap((line, index) => (/(?<!\r)\n$/.test(line) ? [index] : []));
    if (ending.length === 0) {
      return undefined;
    }
    const toCrlf = (text: string): string => text.replaceAll(/(?<!\r)\n/g, '\r\n');
    return {
      after: random.oneIn(2) ? toCrlf(after) : withLine(after, random.pick(ending) ?? 0, toCrlf),
    };
  },
  'no final newline': ({ after }) =>
    after === '' || after === '\n'
      ? undefined
      : { after: after.endsWith('\n') ? after.slice(0, -1) : `${after}\n` },
  'repeated lines': ({ after }, random) => {
    const lines = linesOf(after);
    const repeated = lines.flatMap((line, index) => (lines.indexOf(line) === index ? [] : [index]));
    const at = random.pick(repeated);
    return at === undefined ? undefined : { after: lines.toSpliced(at, 0, lines[at] ?? '').join('') };
  },
  'at the edge of a hunk': ({ before, after }, random) => {
    const hunk = before === undefined ? undefined : random.pick(hunksOf(before, after));
    const last = linesOf(after).length - 1;
    const edges = hunk ? [hunk.at - 1, hunk.at + hunk.lines.length].filter((at) => at >= 0 && at <= last) : [];
    const at = random.pick(edges);
    return at === undefined ? undefined : { after: withLine(after, at, altered) };
  },
}; // prettier-ignore
