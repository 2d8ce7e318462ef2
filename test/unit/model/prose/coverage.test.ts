import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { DiffSection, Patch, PatchSection, TextSection } from '../../../../src/api/types/patches.ts';
import { changesOf, coverageOf, prepareCoverage, touches } from '../../../../src/model/prose/coverage.ts';
import { ChangedCode } from '../../../../src/model/prose/changedCode.ts';
import { filesNamedBy } from '../../../../src/model/prose/followNames.ts';
import { textsOf } from '../../../support/patchVersions.ts';

const text = (markdown: string, code = 'text'): TextSection => ({
  sectionType: 'text',
  code,
  identifier: code,
  text: markdown,
});

/** A line that is added for each number, ten lines apart, so that each is a hunk of its own. */
function file(path: string, words: readonly string[], heading = ''): DiffSection {
  const hunks = words.map((word, index) => {
    const line = 10 * (index + 1);
    return `@@ -${line - index},2 +${line},3 @@${heading && ` ${heading}`}\n context\n+${word}\n context\n`;
  });
  return {
    sectionType: 'diff',
    code: path,
    identifier: path,
    oldPath: path,
    newPath: path,
    diffPatch: `--- a/${path}\n+++ b/${path}\n${hunks.join('')}`,
  };
}

/** The lines of the hunks that nothing explains, as `path:line`; of a file as a whole, just its path. */
const unexplained = (...sections: PatchSection[]): string[] =>
  coverageOf(sections).unexplained.map(({ code, place }) => (place ? `${code}:${place.new.start}` : code));

describe('the hunks that no prose explains', () => {
  const [a, b] = [file('src/a.ts', ['one()', 'two()']), file('src/b.ts', ['three()'], 'class Deep {')];

  it('are all when there is no prose, and those of files before the first text', () => {
    assert.deepEqual(unexplained(a, b), ['src/a.ts:11', 'src/a.ts:21', 'src/b.ts:11']);
    assert.deepEqual(unexplained(a, text('Why.'), b), ['src/a.ts:11', 'src/a.ts:21']);
    assert.equal(coverageOf([a, text('Why.'), b]).hunks, 3);
  });

  it('are not those of the file after a text that names nothing, however many texts there are', () => {
    assert.deepEqual(unexplained(text('Why.'), a, b), ['src/b.ts:11']);
    assert.deepEqual(unexplained(text('Why.'), text('And why not.'), a, b), ['src/b.ts:11']);
    assert.deepEqual(unexplained(text('Why.'), text('src/b.ts', 'other'), a, b), []);
    assert.deepEqual(unexplained(text('Why.'), file('yarn.lock', ['x']), a, b), ['src/b.ts:11']);
  });

  it('are those of the file after a text that names something else of the patch', () => {
    for (const name of ['src/b.ts', 'src/b.ts:11', 'About `three`.', 'In `Deep`.']) {
      assert.deepEqual(unexplained(text(name), a, b), ['src/a.ts:11', 'src/a.ts:21'], name);
    }
    // What isn't in the patch is nothing that it could explain.
    for (const other of ['src/other.ts', 'About `four`.']) {
      assert.deepEqual(unexplained(text(other), a, b), ['src/b.ts:11'], other);
    }
  });

  it('are those after a text that says nothing', () => {
    for (const nothing of [
      '',
      ' \n\n',
      '---',
      '<!-- why? -->',
      '<!-- why',
      'Signed-off-by: Ada <ada@example.org>',
      'WIP',
      '_WIP_…',
      'Work in progress.',
      '# TODO',
      'See below:',
      'https://example.org/issues/12',
      '<https://example.org/issues/12>',
      '```ts\nwhy();\n```',
      'See above.\n\nChange-Id: I1234',
    ]) {
      assert.deepEqual(unexplained(text('Why.'), a, text(nothing), b), ['src/b.ts:11'], nothing);
    }
    for (const something of [
      'See below why.',
      'The rest is WIP.',
      '[Why](https://example.org)',
      'Why:\n```\nx\n```',
    ]) {
      assert.deepEqual(unexplained(text(something), a), [], something);
    }
    assert.deepEqual(unexplained(text('Why.\n\nChange-Id: I1234'), a), []);
    assert.deepEqual(unexplained(text('<!-- why? --> Because.'), a), []);
  });

  it('are none of a file that a text names, wherever that stands', () => {
    for (const name of [
      'src/a.ts',
      '`src/a.ts`',
      './src/a.ts',
      'a.ts',
      'See a.ts.',
      '[a](src/a.ts)',
      'src/a.ts, too',
    ]) {
      assert.deepEqual(unexplained(a, b, text(name)), ['src/b.ts:11'], name);
    }
    for (const other of ['https://example.org/src/a.ts', 'src/a.tsx', 'ba.ts', 'lib/src/a.ts', 'src']) {
      assert.equal(unexplained(a, b, text(other)).length, 3, other);
    }
    const twin = file('lib/a.ts', ['four()']);
    assert.equal(unexplained(a, twin, text('In a.ts.')).length, 3);
    assert.deepEqual(unexplained(a, twin, text('In lib/a.ts.')), ['src/a.ts:11', 'src/a.ts:21']);
  });

  it('are those beside the lines that a text names', () => {
    for (const name of [
      'src/a.ts:21',
      'src/a.ts:15-22',
      'a.ts:21.',
      '`src/a.ts#L21`',
      'src/a.ts#L20-L21',
      'a.ts:21:4',
    ]) {
      assert.deepEqual(unexplained(a, text(name)), ['src/a.ts:11'], name);
    }
    assert.equal(unexplained(a, text('src/a.ts:12-20')).length, 2);
    assert.deepEqual(unexplained(a, text('src/a.ts:1-30')), []);
  });

  it('are not those where lines were removed, when the lines next to them are named', () => {
    const removed: DiffSection = { ...a, diffPatch: '@@ -10,3 +10,2 @@\n context\n-gone\n context\n' };
    assert.deepEqual(unexplained(removed, text('src/a.ts:10')), []);
    assert.deepEqual(unexplained(removed, text('src/a.ts:11')), []);
    assert.equal(unexplained(removed, text('src/a.ts:9')).length, 1);
    assert.equal(unexplained(removed, text('src/a.ts:12')).length, 1);
    const { newPath, ...deleted } = removed;
    assert.ok(newPath);
    assert.deepEqual(unexplained(deleted, text('src/a.ts:11')), []);
    assert.equal(unexplained(deleted, text('src/a.ts:10')).length, 1);
  });

  it('are not those of symbols in backticks, nor those in them', () => {
    for (const name of ['`two`', '`two()`', '`two(a, b)`', '`module.two`', '`Module::two()`']) {
      assert.deepEqual(unexplained(a, b, text(name)), ['src/a.ts:11', 'src/b.ts:11'], name);
    }
    assert.deepEqual(unexplained(a, b, text('In `Deep`.')), ['src/a.ts:11', 'src/a.ts:21']);
    for (const other of ['two', '`tw`', '`class`', '`run two`', '```\n`two`\n```', '~~~\n`two`\n~~~']) {
      assert.equal(unexplained(a, b, text(other)).length, 3, other);
    }
  });

  it('are none of files that machines write, and one of a file as a whole', () => {
    const lock = coverageOf([file('package-lock.json', ['x'])]);
    assert.deepEqual([lock.hunks, lock.unexplained], [0, []]);
    const moved: DiffSection = { ...a, code: 'moved', diffPatch: 'old mode 100644\nnew mode 100755\n' };
    assert.deepEqual(unexplained(moved), ['moved']);
    assert.deepEqual(unexplained({ ...moved, diffPatch: '' }), ['moved']);
    assert.deepEqual(unexplained(moved, text('src/a.ts')), []);
  });

  it('are counted for each file, and told with their place among those of it', () => {
    const coverage = coverageOf([a, text('src/a.ts:11'), text(''), b, file('yarn.lock', ['x'])]);
    assert.deepEqual(
      [...coverage.counts],
      [
        ['src/a.ts', 2],
        ['src/b.ts', 1],
      ],
    );
    assert.deepEqual(
      coverage.unexplained.map(({ code, change }) => [code, change]),
      [
        ['src/a.ts', 1],
        ['src/b.ts', 0],
      ],
    );
    assert.equal(changesOf(a), changesOf(a), 'they are found once');
    assert.equal(changesOf(a).length, 2);
  });

  it('are those of symbols that stand too far behind in a long hunk', () => {
    for (const [length, expected] of [
      [49_000, []],
      [51_000, ['long.ts:11']],
    ] as const) {
      assert.deepEqual(
        unexplained(file('long.ts', [`${'x '.repeat(length / 2)} two()`]), text('`two`')),
        expected,
      );
    }
  });

  it('touch the lines from the first to the last that they have, or the two beside what they removed', () => {
    const touched = (start: number, count: number): number[] =>
      [1, 2, 3, 4, 5, 6].filter((line) => touches({ start, count }, { start: line, end: line }));
    assert.deepEqual(touched(3, 2), [3, 4]);
    assert.deepEqual(touched(3, 1), [3]);
    assert.deepEqual(touched(3, 0), [2, 3]);
    assert.ok(touches({ start: 3, count: 1 }, { start: 1, end: 9 }));
  });

  it('are found in turns where the diffs are large, so that nothing else waits, and at once where they were found', async () => {
    const large = [1, 2].map((number) => file(`large${number}.ts`, ['x'.repeat(410_000)]));
    const small = [1, 2].map((number) => file(`small${number}.ts`, ['x'.repeat(190_000)]));
    const hasWaited = async (sections: PatchSection[]): Promise<boolean> => {
      let isNext = false;
      setImmediate(() => (isNext = true));
      await prepareCoverage(
        sections,
        textsOf({ changeId: 'I1', contributors: [], version: '1', sections }, []),
      );
      return !isNext;
    };
    assert.equal(await hasWaited(small), true);
    assert.equal(await hasWaited(large), false);
    assert.equal(await hasWaited(large), true);
  });

  describe('of any patch', () => {
    const words = ['alpha', 'beta', 'gamma', 'delta'];
    const paths = ['src/a.ts', 'src/b.ts', 'lib/c.py', 'README.md'];
    interface Named {
      file?: string;
      start?: number;
      more?: number;
      symbol?: string;
      blank?: true;
      plain?: true;
    }
    /** A text as what it names, so that nobody has to read it to know. */
    const named: fc.Arbitrary<Named> = fc.oneof(
      fc.record({ file: fc.constantFrom(...paths) }),
      fc.record({
        file: fc.constantFrom(...paths),
        start: fc.integer({ min: 1, max: 50 }),
        more: fc.nat(15),
      }),
      fc.record({ symbol: fc.constantFrom(...words) }),
      fc.constant({ blank: true as const }),
      fc.constant({ plain: true as const }),
    );
    const part = fc.oneof(
      fc.array(named, { maxLength: 3 }).map((names) => ({ names: names })),
      fc.record({
        path: fc.constantFrom(...paths),
        words: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 5 }),
      }),
    );
    const patch = fc
      .array(part, { maxLength: 10 })
      .map((parts) =>
        parts.filter(
          (one, index) =>
            'names' in one ||
            parts.findIndex((other) => 'path' in other && other.path === one.path) === index,
        ),
      );
    const write = ({ file, start, more = 0, symbol, blank, plain }: Named): string =>
      file !== undefined
        ? start === undefined
          ? `In ${file}`
          : more === 0
            ? `In ${file}:${start},`
            : `In \`${file}#L${start}-L${start + more}\``
        : symbol !== undefined
          ? `The \`${symbol}\``
          : blank
            ? ' '
            : plain
              ? 'Words'
              : '';

    it('are exactly those that nothing names and no text stands before', () => {
      const counts = { explained: 0, unexplained: 0 };
      fc.assert(
        fc.property(patch, (parts) => {
          const names = parts.flatMap((one) => ('names' in one ? one.names : []));
          const files = parts.flatMap((one) => ('path' in one ? [one] : []));
          const isThere = ({ file: path, symbol }: Named): boolean =>
            files.some((one) => one.path === path || (symbol !== undefined && one.words.includes(symbol)));
          let follows = false;
          const expected = parts.flatMap((one) => {
            if ('names' in one) {
              follows ||= one.names.some(({ blank }) => !blank) && !one.names.some(isThere);
              return [];
            }
            const says = follows;
            follows = false;
            return one.words.flatMap((word, index) => {
              const line = 10 * (index + 1) + 1;
              const isNamed = names.some(
                ({ file, start, more = 0, symbol }) =>
                  symbol === word ||
                  (file === one.path && (start === undefined || (start <= line && line <= start + more))),
              );
              counts[says || isNamed ? 'explained' : 'unexplained'] += 1;
              return says || isNamed ? [] : `${one.path}:${line}`;
            });
          });
          const sections = parts.map((one, index) =>
            'names' in one
              ? text(one.names.map(write).join('\n\n'), `text ${index}`)
              : file(one.path, one.words),
          );
          assert.deepEqual(unexplained(...sections), expected);
        }),
        { numRuns: 1_000 },
      );
      assert.ok(counts.explained > 500 && counts.unexplained > 500, JSON.stringify(counts));
    });
  });
});

describe('lines that a text names', () => {
  const patch = (version: string, ...sections: PatchSection[]): Patch => ({
    changeId: 'I1',
    contributors: [],
    version,
    sections,
  });
  const code = (first: number, ...words: string[]): DiffSection => ({
    ...file('src/a.ts', []),
    diffPatch: words
      .map((word, index) => {
        const line = first + 10 * index;
        return `@@ -${line - index},2 +${line},3 @@\n before ${word}\n+${word}\n after ${word}\n`;
      })
      .join(''),
  });
  const left = async (now: Patch, ...older: Patch[]): Promise<string[]> => {
    const sections = now.sections ?? [];
    await prepareCoverage(sections, textsOf(now, older));
    return unexplained(...sections);
  };
  const says = 'See src/a.ts:11.';

  it('are those of the version in which it was written, wherever they are now', async () => {
    const written = patch('1', code(10, 'one()', 'two()'), text(says));
    // In the new version there are twenty lines more above them; line 11 is something else.
    const now = patch('2', code(10, 'new()', 'newer()', 'one()', 'two()'), text(says));
    assert.deepEqual(await left(now, written), ['src/a.ts:11', 'src/a.ts:21', 'src/a.ts:41']);
  });

  it('are in the file that theirs is called now', async () => {
    const renamed = { ...code(10, 'new()', 'one()'), newPath: 'src/b.ts' };
    const written = patch('1', code(10, 'one()'), text(says));
    assert.deepEqual(await left(patch('2', renamed, text(says)), written), ['src/a.ts:11']);
  });

  it('are the ones that are there where the text was written now, or nobody knows an older one', async () => {
    const now = patch('2', code(10, 'new()', 'one()'), text(says));
    assert.deepEqual(await left(now, patch('1', code(10, 'one()'), text('Other.'))), ['src/a.ts:21']);
    assert.deepEqual(await left(patch('2', code(10, 'new()', 'one()'), text(says))), ['src/a.ts:21']);
  });

  it('are none when they are gone', async () => {
    const written = patch('1', code(10, 'one()'), text(says));
    assert.deepEqual(await left(patch('2', code(10, 'new()'), text(says)), written), ['src/a.ts:11']);
  });

  it('are still those of the version in which the text was written, where that is compared with this one', async () => {
    const written = patch('1', code(10, 'one()'), text(says));
    const now = patch('2', code(10, 'new()'), text(says));
    await prepareCoverage(now.sections ?? [], textsOf(now, [written]));
    const { sections = [] } = now;
    assert.ok(filesNamedBy(sections[1] as TextSection).every(({ path }) => path !== 'src/a.ts'));
    const changed = new ChangedCode(written.sections ?? [], sections).of(sections[1] as TextSection);
    assert.deepEqual(
      changed.map(({ path }) => path),
      ['src/a.ts'],
    );
  });

  it('ask for no older version where there is none, or no text names lines', async () => {
    const asked: string[] = [];
    const older = [patch('1', code(10, 'one()'), text('src/a.ts'))];
    for (const now of [
      patch('2', code(10, 'one()'), text('src/a.ts')),
      patch('1', code(10, 'one()'), text(says)),
    ]) {
      await prepareCoverage(now.sections ?? [], textsOf(now, older, asked));
    }
    assert.deepEqual(asked, []);
  });

  it('are followed once for a text, the first hundred of them', async () => {
    const many = Array.from({ length: 101 }, () => says).join('\n\n');
    const now = patch('2', code(10, 'new()', 'one()'), text(many));
    const asked: string[] = [];
    const texts = textsOf(now, [patch('1', code(10, 'one()'), text(many))], asked);
    await prepareCoverage(now.sections ?? [], texts);
    const lines = (): (number | undefined)[] =>
      filesNamedBy(now.sections?.[1] as TextSection).flatMap(({ path, start }) =>
        path === 'src/a.ts' ? [start] : [],
      );
    assert.deepEqual(lines(), [...Array<number>(100).fill(21), 11]);
    assert.deepEqual(asked, ['0']);
    await prepareCoverage(now.sections ?? [], texts);
    assert.deepEqual([lines().length, asked], [101, ['0']]);
  });

  it('are those that the text says where nobody knows the file, and beside them are files without lines', async () => {
    const words = 'of src/a.ts, src/a.ts:11-12, and lib/other.ts:3.';
    const now = patch('2', code(10, 'new()', 'one()'), text(words));
    await prepareCoverage(now.sections ?? [], textsOf(now, [patch('1', code(10, 'one()'), text(words))]));
    assert.deepEqual(filesNamedBy(now.sections?.[1] as TextSection), [
      { path: 'src/a.ts' },
      { path: 'src/a.ts', start: 21, end: 22 },
      { path: 'lib/other.ts', start: 3, end: 3 },
    ]);
    assert.deepEqual(filesNamedBy(text('of src/a.ts.')), [{ path: 'src/a.ts' }]);
  });

  it('are followed also where the stack cannot be had, and nothing is asked where none are named', async () => {
    const now = patch('2', code(10, 'new()', 'one()'), text(says));
    const texts = textsOf(now, [patch('1', code(10, 'one()'), text(says))]);
    let asked = 0;
    const model = {
      ...texts.model,
      stackOfPatch: async () => {
        asked += 1;
        throw new Error('offline');
      },
    };
    await prepareCoverage([code(10, 'one()'), text('src/a.ts')], { ...texts, model });
    assert.equal(asked, 0);
    await prepareCoverage(now.sections ?? [], { ...texts, model });
    assert.equal(asked, 1);
    assert.deepEqual(unexplained(...(now.sections ?? [])), ['src/a.ts:11']);
  });
});
