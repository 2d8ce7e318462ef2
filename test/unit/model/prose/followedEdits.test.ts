/** Lines of real files are found again after an edit of which the outcome is known, or they are lost: no other line is taken for them. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { followLines } from '../../../../src/model/prose/followLines.ts';
import { Random } from '../../../support/random.ts';

/** A line that is still the same one when it says something else. */
interface Line {
  text: string;
  origin: object;
}

/** Lines from a place on. */
interface Block {
  at: number;
  count: number;
}

/** Edits a file. @returns what became of it. */
type Edit = (lines: readonly Line[], block: Block, random: Random) => Line[];

const newLine = (text: string): Line => ({ text, origin: {} });
const copied = (lines: readonly Line[]): Line[] => lines.map(({ text }) => newLine(text));
const saysSomething = ({ text }: Line): boolean => /[\p{L}\p{N}]/u.test(text);

const parts = (lines: readonly Line[], { at, count }: Block): [Line[], Line[], Line[]] => [
  lines.slice(0, at),
  lines.slice(at, at + count),
  lines.slice(at + count),
];

const indent: Edit = (lines, block, random) => {
  const [before, within, after] = parts(lines, block);
  const by = random.pick(['  ', '    ', '\t']) ?? '';
  const isWrapped = random.oneIn(2);
  return [
    ...before,
    ...(isWrapped ? [newLine('if (isWrapped) {')] : []),
    ...within.map((line) => (line.text === '' ? line : { ...line, text: by + line.text })),
    ...(isWrapped ? [newLine('}')] : []),
    ...after,
  ];
};

const insert: Edit = (lines, block, random) => {
  const [before, , after] = parts(lines, { ...block, count: 0 });
  const others = Array.from({ length: block.count }, (_, index) =>
    newLine(random.oneIn(3) ? (random.pick(['', '}', '  }', '  return;']) ?? '') : `  added(${index});`),
  );
  return [...before, ...others, ...after];
};

const remove: Edit = (lines, block) => {
  const [before, , after] = parts(lines, block);
  return [...before, ...after];
};

const change: Edit = (lines, { at }) =>
  lines.map((line, index) =>
    index === at && saysSomething(line)
      ? { ...line, text: line.text.replace(/[\p{L}\p{N}_]+/u, '$&Changed') }
      : line,
  );

const move: Edit = (lines, block, random) => {
  const [before, within, after] = parts(lines, block);
  const rest = [...before, ...after];
  const to = random.below(rest.length + 1);
  const moved = [...rest.slice(0, to), ...within, ...rest.slice(to)];
  // Past others that say the same, nobody could tell that anything was moved.
  return moved.some(({ text }, index) => text.trim() !== lines[index]?.text.trim()) ? moved : [...lines];
};

/** The edits, with the share of lines that are to be found after them: of a block that is there twice, none need be. */
const edits: Record<string, { edit: Edit; least: number }> = {
  'is indented': { edit: indent, least: 0.85 },
  'is inserted': { edit: insert, least: 0.8 },
  'is removed': { edit: remove, least: 0.6 },
  'is changed': { edit: change, least: 0.85 },
  'is moved': { edit: move, least: 0.7 },
  'is written again below it': {
    edit: (lines, block) => {
      const [before, within, after] = parts(lines, block);
      return [...before, ...within, ...copied(within), ...after];
    },
    least: 0,
  },
  'is written again above it': {
    edit: (lines, block) => {
      const [before, within, after] = parts(lines, block);
      return [...before, ...copied(within), ...within, ...after];
    },
    least: 0,
  },
  'is written again elsewhere': {
    edit: (lines, block, random) => {
      const to = random.below(lines.length + 1);
      const [, within] = parts(lines, block);
      return [...lines.slice(0, to), ...copied(within), ...lines.slice(to)];
    },
    least: 0.7,
  },
  'is written again below it, and changed there': {
    edit: (lines, block, random) => {
      const [before, within, after] = parts(lines, block);
      const copy = copied(within);
      return [
        ...before,
        ...within,
        ...change(copy, { at: random.below(copy.length), count: 1 }, random),
        ...after,
      ];
    },
    least: 0,
  },
  'is indented, and written again elsewhere as it was': {
    edit: (lines, block, random) => {
      const [, within] = parts(lines, block);
      const newer = indent(lines, block, random);
      const isAbove = random.oneIn(2);
      return isAbove ? [...copied(within), ...newer] : [...newer, ...copied(within)];
    },
    least: 0,
  },
  'is changed, and another one too': {
    edit: (lines, block, random) => {
      const elsewhere = { at: random.below(lines.length), count: 1 + random.below(8) };
      const first = random.pick([indent, insert, remove, change]) ?? indent;
      const second = random.pick([indent, insert, remove, change]) ?? indent;
      const once = first(lines, block, random);
      return second(once, { ...elsewhere, at: Math.min(elsewhere.at, Math.max(0, once.length - 1)) }, random);
    },
    least: 0.75,
  },
};

/** The code in a folder, without what was installed or built there. It need not be a repository, and is none where mistakes are planted. */
function filesOf(folder: string): string[][] {
  const paths = globSync('**/*.{js,jsx,ts,tsx,py,rs,css}', {
    cwd: folder,
    exclude: (name) => /(?:^|[\\/])(?:node_modules|dist|target)$/.test(name),
  }).toSorted();
  const random = new Random(7);
  // As many of them as are enough to have all kinds of code.
  const some = paths
    .map((path) => ({ path, by: random.below(2 ** 30) }))
    .sort((one, other) => one.by - other.by);
  return some
    .slice(0, 60)
    .map(({ path }) => readFileSync(join(folder, path), 'utf8').split('\n').slice(0, 2_000))
    .filter((lines) => lines.length > 20);
}

interface Outcome {
  /** Lines that are still there. */
  there: number;
  followed: number;
  wrong: string[];
}

function outcomeOf(files: readonly string[][], edit: Edit, count: number): Outcome {
  const random = new Random(count);
  const outcome: Outcome = { there: 0, followed: 0, wrong: [] };
  for (let round = 0; round < count; round++) {
    const older = (random.pick(files) ?? []).map(newLine);
    const length = random.oneIn(20) ? 200 + random.below(200) : 1 + random.below(30);
    const at = random.below(older.length - 1);
    const block = { at, count: Math.min(length, older.length - at) };
    const newer = edit(older, block, random);
    // Mostly one of the block, or next to it.
    const line = random.oneIn(4)
      ? random.below(older.length)
      : Math.max(0, Math.min(older.length - 1, at - 2 + random.below(block.count + 4)));
    const truth = newer.findIndex(({ origin }) => origin === older[line]?.origin);
    const found = followLines(
      older.map(({ text }) => text),
      newer.map(({ text }) => text),
      { start: line + 1, end: line + 1 },
    );
    outcome.there += truth >= 0 ? 1 : 0;
    outcome.followed += found?.start === truth + 1 ? 1 : 0;
    if (found && found.start !== truth + 1) {
      outcome.wrong.push(
        `${round}: ${older[line]?.text} (${line} of ${at}+${block.count} to ${found.start - 1} for ${truth})`,
      );
    }
  }
  return outcome;
}

describe('a line of a file', () => {
  // Of any folder: PATCH_STACKS_TEST_REPOSITORIES=path:path
  const repositories = (process.env['PATCH_STACKS_TEST_REPOSITORIES'] ?? '')
    .split(':')
    .filter((at) => at !== '');
  for (const [repository, count] of [['.', 200], ...repositories.map((at) => [at, 2_000])] as [
    string,
    number,
  ][]) {
    describe(`of ${repository}`, function () {
      this.timeout(120_000);
      let files: string[][];
      before(() => {
        files = filesOf(repository);
      });
      for (const [name, { edit, least }] of Object.entries(edits)) {
        it(`is found or lost, and never another one, where a block ${name}`, () => {
          const { there, followed, wrong } = outcomeOf(files, edit, count);
          if (process.env['PATCH_STACKS_TEST_REPOSITORIES'] !== undefined) {
            console.log(`        ${followed} of ${there} followed, ${wrong.length} wrong`);
          }
          assert.ok(followed >= least * there, `${followed} of ${there}`);
          assert.deepEqual(wrong.slice(0, 10), [], `${wrong.length} of ${count}`);
        });
      }
    });
  }
});
