/**
 * Stacks as a plain list of hunks, each at a place of a file and in a patch: what becomes of every hunk when a stack is rewritten
 * is known here, whatever the diffs look like then.
 */
import type { FileChange, FileState } from '../../src/model/reading/fileChange.ts';
import type { PatchVersion, VersionSection } from '../../src/model/reading/patchVersion.ts';
import type { Random } from './random.ts';

/** A change of some lines. Two with the same `id` are the same change in two versions of a stack. */
export interface ModelHunk {
  id: number;
  /** The patch that it is part of. */
  patch: string;
  file: string;
  /** Before which line of the file it is; it replaces so many from there on. */
  at: ModelLine;
  removes: number;
  added: readonly string[];
}

/** A line of what a stack is based on. */
export interface ModelLine {
  text: string;
}

/** A version of a stack. */
export interface ModelStack {
  /** The names of the files, and their lines before the first patch. The last line of each is never removed. */
  files: ReadonlyMap<string, readonly ModelLine[]>;
  /** The change ids in their order. */
  patches: readonly string[];
  titles: ReadonlyMap<string, string>;
  /** A text section of each patch. */
  texts: ReadonlyMap<string, string>;
  hunks: readonly ModelHunk[];
}

/** The ways in which a stack is rewritten. */
export const rewriteKinds = [
  'rebase',
  'rebase elsewhere',
  'reorder',
  'split',
  'squash',
  'rename',
  'edit',
  'remove',
  'add',
  'copy',
  'move',
  'new change ids',
  'reword',
] as const;
export type RewriteKind = (typeof rewriteKinds)[number];

const usual = ['}', '', '  return;', '  }', 'end'];

/** Makes up stacks and rewrites them. */
export class StackMaker {
  readonly #random: Random;
  readonly #variety: number;
  #count = 0;

  /** @param variety how many different lines there are that say something; without it, there is each only once. */
  constructor(random: Random, variety = Infinity) {
    this.#random = random;
    this.#variety = variety;
  }

  /** A stack of several patches, each with some hunks. */
  stack(): ModelStack {
    const random = this.#random;
    const files = new Map(
      Array.from({ length: 2 + random.below(3) }, () => [
        this.#name('file'),
        Array.from({ length: 40 + random.below(80) }, () => this.#line()),
      ]),
    );
    const patches = Array.from({ length: 2 + random.below(6) }, () => this.#name('I'));
    let stack: ModelStack = {
      files,
      patches,
      titles: new Map(patches.map((patch) => [patch, `Title of ${patch}`])),
      texts: new Map(patches.map((patch) => [patch, this.#prose()])),
      hunks: [],
    };
    for (const patch of patches) {
      for (let left = 1 + random.below(5); left > 0; left -= 1) {
        stack = this.#withHunk(stack, patch, this.#added());
      }
    }
    return { ...stack, patches: patches.filter((patch) => stack.hunks.some((hunk) => hunk.patch === patch)) };
  }

  /** A stack in which some of it was rewritten. */
  rewritten(stack: ModelStack, kinds: readonly RewriteKind[] = rewriteKinds): ModelStack {
    let next = stack;
    for (let left = 1 + this.#random.below(5); left > 0; left -= 1) {
      next = this.#rewrite(next, this.#random.pick(kinds) ?? 'rebase');
    }
    return { ...next, patches: next.patches.filter((patch) => next.hunks.some((hunk) => hunk.patch === patch)) };
  } // prettier-ignore

  #rewrite(stack: ModelStack, kind: RewriteKind): ModelStack {
    const random = this.#random;
    const patch = random.pick(stack.patches) ?? '';
    const hunk = random.pick(stack.hunks);
    const others = stack.hunks.filter((each) => each !== hunk);
    switch (kind) {
      case 'rebase':
        return this.#rebased(stack, heldLines(stack));
      case 'rebase elsewhere':
        return this.#rebased(stack, heldLines(stack), true);
      case 'reorder': {
        const rest = stack.patches.filter((each) => each !== patch);
        return { ...stack, patches: rest.toSpliced(random.below(rest.length + 1), 0, patch) };
      }
      case 'split': {
        const part = this.#name('I');
        const hunks = stack.hunks.map((each) =>
          each.patch === patch && random.oneIn(2) ? { ...each, patch: part } : each,
        );
        const patches = stack.patches.toSpliced(stack.patches.indexOf(patch) + 1, 0, part);
        const titles = new Map(stack.titles).set(part, `Part ${part}`);
        return { ...stack, patches, titles, texts: new Map(stack.texts).set(part, this.#prose()), hunks };
      }
      case 'squash': {
        const into = stack.patches[stack.patches.indexOf(patch) - 1];
        return into === undefined
          ? stack
          : {
              ...stack,
              patches: stack.patches.filter((each) => each !== patch),
              hunks: stack.hunks.map((each) => (each.patch === patch ? { ...each, patch: into } : each)),
            };
      }
      case 'rename': {
        const [from, to] = [random.pick([...stack.files.keys()]) ?? '', this.#name('renamed')];
        return {
          ...stack,
          files: new Map([...stack.files].map(([name, lines]) => [name === from ? to : name, lines])),
          hunks: stack.hunks.map((each) => (each.file === from ? { ...each, file: to } : each)),
        };
      }
      case 'edit': {
        const [first = '', ...rest] = hunk?.added ?? [];
        return hunk
          ? { ...stack, hunks: [...others, { ...hunk, id: this.#next(), added: [`${first} edited`, ...rest] }] }
          : stack;
      }
      case 'remove':
        return { ...stack, hunks: others };
      case 'add':
        return this.#withHunk(stack, patch, this.#added());
      case 'copy':
        return this.#withHunk(stack, patch, hunk?.added ?? this.#added());
      case 'move':
        return hunk ? this.#withHunk({ ...stack, hunks: others }, hunk.patch, hunk.added) : stack;
      case 'new change ids': {
        const names = new Map(stack.patches.map((each) => [each, this.#name('I')]));
        const renamed = (map: ReadonlyMap<string, string>): Map<string, string> =>
          new Map([...map].map(([each, value]) => [names.get(each) ?? each, value]));
        return {
          ...stack,
          patches: [...names.values()],
          titles: renamed(stack.titles),
          texts: renamed(stack.texts),
          hunks: stack.hunks.map((each) => ({ ...each, patch: names.get(each.patch) ?? '' })),
        };
      }
      case 'reword': {
        const text = stack.texts.get(patch) ?? '';
        return { ...stack, texts: new Map(stack.texts).set(patch, `${text} reworded ${this.#next()}`) };
      }
    }
  } // prettier-ignore

  /**
   * The base goes on: lines that no hunk is about come, go and change.
   *
   * @param isApart whether it leaves the lines around hunks as they are: then git moves them without asking.
   */
  #rebased(stack: ModelStack, held: ReadonlySet<ModelLine>, isApart = false): ModelStack {
    const random = this.#random;
    const files = [...stack.files].map(([name, lines]): [string, ModelLine[]] => [
      name,
      lines.flatMap((line, index) => {
        if (isApart && lines.slice(Math.max(0, index - 3), index + 4).some((each) => held.has(each))) {
          return [line];
        }
        if (held.has(line) || !random.oneIn(12)) {
          return random.oneIn(25) ? [this.#line(), line] : [line];
        }
        return random.oneIn(2) ? [this.#line()] : [];
      }),
    ]);
    // Hunks that several lines are about must not get others in between.
    const isWhole = (hunk: ModelHunk): boolean => {
      const before = linesAt(stack, hunk);
      const lines = files.find(([name]) => name === hunk.file)?.[1] ?? [];
      const start = lines.indexOf(hunk.at);
      return before.every((line, index) => lines[start + index] === line);
    };
    return stack.hunks.every(isWhole) ? { ...stack, files: new Map(files) } : stack;
  }

  /** The stack with one more hunk, if there is room for it: with a line between it and the others. */
  #withHunk(stack: ModelStack, patch: string, added: readonly string[]): ModelStack {
    const random = this.#random;
    const file = random.pick([...stack.files.keys()]) ?? '';
    const lines = stack.files.get(file) ?? [];
    const start = random.below(lines.length - 4);
    const removes = random.below(4);
    const held = heldLines(stack);
    const around = lines.slice(Math.max(0, start - 1), start + removes + 1);
    const at = lines[start];
    const removed = lines.slice(start, start + removes).map(({ text }) => text);
    const isNothing = removed.join('\n') === added.join('\n');
    return !at || isNothing || around.some((line) => held.has(line))
      ? stack
      : { ...stack, hunks: [...stack.hunks, { id: this.#next(), patch, file, at, removes, added }] };
  } // prettier-ignore

  #line(): ModelLine {
    return { text: this.#random.oneIn(3) ? (this.#random.pick(usual) ?? '') : `  line ${this.#number()};` };
  }

  #added(): string[] {
    const random = this.#random;
    return Array.from({ length: 1 + random.below(4) }, () =>
      random.oneIn(3) ? (random.pick(usual) ?? '') : `  new ${this.#number()};`,
    );
  }

  #prose(): string {
    return Array.from({ length: 12 }, () => `word${this.#next()}`).join(' ');
  }

  #name(prefix: string): string {
    return `${prefix}${this.#next()}`;
  }

  #number(): number {
    return this.#variety === Infinity ? this.#next() : this.#random.below(this.#variety);
  }

  #next(): number {
    this.#count += 1;
    return this.#count;
  }
}

/** The lines that hunks stand on. */
function heldLines(stack: ModelStack): Set<ModelLine> {
  return new Set(stack.hunks.flatMap((hunk) => linesAt(stack, hunk)));
}

/** The lines that a hunk removes, and the one after them. */
function linesAt({ files }: ModelStack, { file, at, removes }: ModelHunk): ModelLine[] {
  const lines = files.get(file) ?? [];
  const start = lines.indexOf(at);
  return lines.slice(start, start + removes + 1);
}

/**
 * The patches of a stack as they look, and the hunks that each of them shows, in the order of its diffs.
 *
 * @param hasContents true when the contents of their files are to be had.
 */
export function shownStack(
  stack: ModelStack,
  hasContents = false,
): { version: PatchVersion; hunks: ModelHunk[] }[] {
  const done = new Set<string>();
  return stack.patches.map((changeId) => {
    const shown: ModelHunk[] = [];
    const files: FileChange[] = [];
    for (const file of [...stack.files.keys()].toSorted()) {
      const own = stack.hunks.filter((hunk) => hunk.file === file && hunk.patch === changeId);
      if (own.length > 0) {
        const { diff, hunks, before, after } = shownFile(stack, file, done, changeId);
        shown.push(...hunks);
        const state = (text: string): FileState => ({
          mode: '100644',
          content: hasContents ? { kind: 'text', text } : { kind: 'missing' },
        });
        files.push({ oldPath: file, path: file, before: state(before), after: state(after), diff });
      }
    }
    done.add(changeId);
    const sections: VersionSection[] = [
      { kind: 'text', code: `text of ${changeId}`, text: stack.texts.get(changeId) ?? '' },
      ...files.map(({ path }): VersionSection => ({ kind: 'diff', path })),
    ];
    const title = stack.titles.get(changeId) ?? '';
    return { version: { changeId, title, message: '', sections, files }, hunks: shown };
  });
}

/** The diff of one file, with three lines around each change. */
function shownFile(
  { files, hunks }: ModelStack,
  file: string,
  done: ReadonlySet<string>,
  changeId: string,
): { diff: string; hunks: ModelHunk[]; before: string; after: string } {
  const byLine = new Map(hunks.flatMap((hunk) => (hunk.file === file ? [[hunk.at, hunk]] : [])));
  const told: string[] = [];
  const shown: ModelHunk[] = [];
  const lines = files.get(file) ?? [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index];
    const hunk = line && byLine.get(line);
    if (hunk && (hunk.patch === changeId || done.has(hunk.patch))) {
      const isOwn = hunk.patch === changeId;
      const removed = lines.slice(index, index + hunk.removes).map(({ text }) => `-${text}`);
      told.push(...(isOwn ? removed : []), ...hunk.added.map((text) => `${isOwn ? '+' : ' '}${text}`));
      index += hunk.removes - 1;
      byLine.delete(line);
      if (isOwn) {
        shown.push(hunk);
      }
    } else {
      told.push(` ${line?.text ?? ''}`);
    }
  }
  const near = (index: number): boolean =>
    told.slice(Math.max(0, index - 3), index + 4).some((each) => !each.startsWith(' '));
  const pieces: string[] = [];
  told.forEach((line, index) => {
    if (near(index)) {
      pieces.push(...(index === 0 || !near(index - 1) ? [`@@ -${index + 1},1 +${index + 1},1 @@`] : []), line);
    }
  });
  const header = [`diff --git a/${file} b/${file}`, 'index 1..2 100644', `--- a/${file}`, `+++ b/${file}`];
  const side = (other: string): string =>
    told.flatMap((line) => (line.startsWith(other) ? [] : `${line.slice(1)}\n`)).join('');
  return { diff: [...header, ...pieces, ''].join('\n'), hunks: shown, before: side('+'), after: side('-') };
} // prettier-ignore
