import assert from 'node:assert/strict';
import type { DiffSection, Patch, PatchSection } from '../../../../src/api/types/patches.ts';
import type { PatchStack } from '../../../../src/api/types/stacks.ts';
import { followReference, type LinesOfFile } from '../../../../src/model/prose/followReference.ts';
import { LineLinks } from '../../../../src/model/prose/lineLinks.ts';
import { hunksIn, linesInDiff } from '../../../../src/model/prose/knownLines.ts';
import { targetOfWord } from '../../../../src/model/prose/proseLinks.ts';
import { WrittenVersions } from '../../../../src/model/prose/writtenIn.ts';
import { ProseLinks, startOfLines, type LinkTarget } from '../../../../src/util/proseLink.ts';
import { paragraphsOf } from '../../../../src/util/paragraphs.ts';
import { namedPlaces, wordsIn } from '../../../../src/util/proseNames.ts';
import { diffSection as file, textSection } from '../../../support/patchSections.ts';

const text = (markdown: string): PatchSection => textSection('text', markdown);
const patch = (sections: PatchSection[], more: Partial<Patch> = {}): Patch => ({
  changeId: 'I1',
  contributors: [],
  sections,
  ...more,
});

describe('the words of a text', () => {
  for (const [markdown, ...expected] of [
    ['In src/a.ts:12-20, as ever.', 'In', 'src/a.ts:12-20', 'as', 'ever'],
    ['See (src/a.ts#L3-L9).', 'See', 'src/a.ts#L3-L9'],
    ['`src/a.ts:12`: why', 'src/a.ts:12', 'why'],
    ['./a.ts and a.ts.', './a.ts', 'and', 'a.ts'],
    ['https://example.org/a.ts:3', 'https'],
    ['@ada 4f77d42', '@ada', '4f77d42'],
    ['größe/日本.txt:1', 'größe/日本.txt:1'],
    ['a.ts(12), a.ts(12,5) and a.ts(3-5).', 'a.ts(12)', 'a.ts(12,5)', 'and', 'a.ts(3-5)'],
    ['run(3), a.ts(x), a.ts(3', 'run', '3', 'a.ts', 'x', 'a.ts', '3'],
    ['[a.ts](12)', 'a.ts', '12'],
    [String.raw`In src\a.ts:3 and .\src\a.ts.`, 'In', String.raw`src\a.ts:3`, 'and', String.raw`.\src\a.ts`],
    [String.raw`C:\src\a.ts:3, \\host\a\b.ts`, 'C'],
    [String.raw`\alpha`, 'alpha'],
    [String.raw`\@ada a\_b \*c\*`, '@ada', 'a', '_b', 'c'],
    ['a.ts:12345678901', 'a.ts', '12345678901'],
  ] as const) {
    it(`are those of "${markdown}"`, () => {
      const words = wordsIn(markdown);
      assert.deepEqual(
        words.map((word) => word.text),
        expected,
      );
      assert.ok(words.every((word) => markdown.startsWith(word.text, word.index)));
    });
  }
});

it('the lines and the path of a file are the same however they are written', () => {
  for (const markdown of [
    'src/a.ts:3',
    'src/a.ts#L3',
    'src/a.ts(3)',
    'src/a.ts(3,14)',
    String.raw`src\a.ts:3`,
    String.raw`.\src\a.ts(3)`,
    './src/a.ts:3-3',
  ]) {
    const [{ name, start, end } = assert.fail(), ...others] = wordsIn(markdown);
    assert.deepEqual([name, start, end, others], ['src/a.ts', 3, 3, []], markdown);
  }
  assert.equal(wordsIn('a.ts(3-5)')[0]?.end, 5);
});

describe('the places of known names in a text', () => {
  for (const [markdown, names, ...expected] of [
    ['See a.ts:3, and a.ts:31.', ['a.ts:3'], [4, 'a.ts:3']],
    ['`  run(a.ts) ` a.ts #12', ['run(a.ts)', 'a.ts', '#12'], [3, 'run(a.ts)'], [15, 'a.ts'], [20, '#12']],
    ['```\n`run` a.ts\n```\n`run`', ['run', 'a.ts'], [20, 'run']],
    ['run', ['other']],
  ] as [string, string[], ...[number, string][]][]) {
    it(`are those of ${JSON.stringify(markdown)}`, () => {
      const found = namedPlaces(markdown, new Set(names));
      assert.deepEqual(
        found.map(({ index, text: name }) => [index, name]),
        expected,
      );
      assert.ok(found.every(({ index, text: name }) => markdown.startsWith(name, index)));
    });
  }
});

describe('what a text names', () => {
  const ada = { user: { login: 'ada' } };
  const places = {
    patch: patch([], { contributors: [ada] }),
    patches: [
      patch([], {
        changeId: 'I2',
        title: 'Two',
        commitSha: '4f77d4251042',
        reviewAll: { viewed: [], signedOff: [{ login: 'emmy' }], rejected: [] },
      }),
    ],
  };
  const target = (name: string) => targetOfWord({ name, text: name, index: 0 }, places);

  it('is a patch of the stack, by its change or its commit', () => {
    const two = { kind: 'patch', changeId: 'I2', title: 'Two' };
    assert.deepEqual(['I2', '4f77d42', '4f77d4251042'].map(target), [two, two, two]);
    assert.deepEqual(['I3', '4f77d4', '4f77d43', '', '4f77d42510420'].map(target), Array(5).fill(undefined));
    assert.equal(targetOfWord({ name: 'I2', text: 'I2:3', index: 0, start: 3, end: 3 }, places), undefined);
  });

  it('is no patch where several begin with the same id', () => {
    const stack = ['a', 'b', 'c'].map((end) =>
      patch([], { changeId: `I${end}`, commitSha: `4f77d42${end}${'0'.repeat(32)}` }),
    );
    const [first = assert.fail()] = stack;
    const of = (name: string) =>
      targetOfWord({ name, text: name, index: 0 }, { patch: first, patches: stack });
    assert.equal(of('4f77d42'), undefined);
    assert.deepEqual(of('4f77d42a'), { kind: 'patch', changeId: 'Ia', title: '' });
  });

  it('is one of those who have to do with the stack', () => {
    assert.deepEqual(target('@ada'), { kind: 'person', login: 'ada' });
    assert.deepEqual(target('@emmy'), { kind: 'person', login: 'emmy' });
    assert.deepEqual([target('@media'), target('ada'), target('@')], [undefined, undefined, undefined]);
  });
});

describe('those who have to do with a stack', () => {
  const nobody = { viewed: [], signedOff: [], rejected: [] };
  const isNamed = (more: Partial<Patch>, login = 'ada'): boolean =>
    targetOfWord(
      { name: `@${login}`, text: `@${login}`, index: 0 },
      { patch: patch([]), patches: [patch([], { changeId: 'I2', ...more })] },
    ) !== undefined;

  it('are those who wrote, viewed, signed off or rejected a patch, for themselves or for all', () => {
    for (const whose of ['review', 'reviewAll'] as const) {
      for (const mark of ['viewed', 'signedOff', 'rejected'] as const) {
        const marks = { ...nobody, [mark]: [{ login: 'emmy' }, { login: 'ada' }] };
        assert.ok(isNamed({ [whose]: marks }), `${whose} ${mark}`);
        assert.ok(!isNamed({ [whose]: marks }, 'grace'), `${whose} ${mark}`);
      }
    }
    assert.ok(isNamed({ contributors: [{}, { user: { login: 'ada' } }] }));
    assert.ok(!isNamed({ review: nobody, contributors: [{}] }));
    assert.ok(!isNamed({ contributors: [{ user: { login: 'ada' } }] }, ''));
  });

  it('have patches that a word names by its beginning, if that is long enough and of a commit', () => {
    const of = (name: string, more: Partial<Patch>) =>
      targetOfWord({ name, text: name, index: 0 }, { patch: patch([], more), patches: [] });
    const commitSha = 'abcdef0'.repeat(10);
    const found = { kind: 'patch', changeId: 'I1', title: '' };
    for (const [length, expected] of [
      [6, undefined],
      [7, found],
      [64, found],
      [65, undefined],
    ] as const) {
      assert.deepEqual(of(commitSha.slice(0, length), { commitSha }), expected, String(length));
    }
    assert.equal(of('bcdef0a', { commitSha }), undefined);
    assert.equal(of('ABCDEF0', { commitSha: 'ABCDEF0' }), undefined);
    assert.equal(of('abcdefgh', { commitSha: 'abcdefgh' }), undefined);
    assert.equal(of('abcdef0', {}), undefined);
  });
});

describe('links to lines', () => {
  it('are counted where they lead somewhere, and known by their words and their paragraph', () => {
    const links = new LineLinks();
    const target: LinkTarget = { kind: 'lost', path: 'a.ts' };
    links.add('a.ts:3', { paragraph: 'See a.ts:3', index: 5, target });
    links.add('a.ts:3', { paragraph: 'See a.ts:3', index: 50, target: undefined });
    assert.equal(links.size, 1);
    assert.deepEqual(
      [
        ['a.ts:3', 5],
        ['a.ts:3', 50],
        ['a.ts:3', 6],
        ['a.ts:4', 5],
      ].map(([words, index]) => links.has(String(words), Number(index))),
      [true, true, false, false],
    );
  });
});

describe('lines that a text names', () => {
  const lines = (...names: string[]): string[] => names;
  const older = lines('one', 'two', 'three', 'four');
  const contents: Record<string, readonly string[]> = {
    old: older,
    new: lines('zero', ...older),
    shorter: lines('one', 'two', 'four'),
  };
  /** A repository that has all contents. */
  const git: LinesOfFile = async (_patch, _path, file) => contents[file?.newFileSha ?? ''];
  const nothing: LinesOfFile = async () => undefined;
  const version = (newFileSha: string, path = 'src/a.ts', more: Partial<DiffSection> = {}): Patch =>
    patch([file(path, '', { newFileSha, ...more })]);
  const named = (start: number, end = start, path = 'src/a.ts') => ({ path, start, end });

  it('are where they were, in the version that they were written in', async () => {
    const now = version('old');
    assert.deepEqual(await followReference(named(2, 3), now, now, git), {
      kind: 'file',
      path: 'src/a.ts',
      start: 2,
      end: 3,
      lines: ['two', 'three'],
    });
    assert.deepEqual(await followReference(named(5), now, now, git), { kind: 'lost', path: 'src/a.ts' });
    assert.deepEqual(await followReference(named(0), now, now, git), { kind: 'lost', path: 'src/a.ts' });
    assert.equal(await followReference(named(1, 1, 'gone.ts'), now, now, git), undefined);
  });

  it('are where they have come to in a newer version, also of a file with another name', async () => {
    const found = { kind: 'file', path: 'src/a.ts', start: 4, end: 4, lines: ['three'] };
    assert.deepEqual(await followReference(named(3), version('old'), version('new'), git), found);
    const renamed = version('new', 'src/b.ts', { oldPath: 'src/a.ts' });
    assert.deepEqual(await followReference(named(3), version('old'), renamed, git), {
      ...found,
      path: 'src/b.ts',
    });
    assert.deepEqual(await followReference(named(3, 3, 'a.ts'), version('old'), version('new'), git), found);
    // Another file ends with that name.
    const { sections = [] } = renamed;
    const two = { ...renamed, sections: [file('other/src/a.ts', ''), ...sections] };
    assert.deepEqual(await followReference(named(3), version('old'), two, git), {
      ...found,
      path: 'src/b.ts',
    });
  });

  it('are shown with a sign when there are more than are shown', () => {
    const lines = ['one', 'two'];
    assert.equal(startOfLines({ kind: 'file', path: 'a.ts', start: 3, end: 5, lines }), 'one\ntwo\n…');
    assert.equal(startOfLines({ kind: 'file', path: 'a.ts', start: 3, end: 4, lines }), 'one\ntwo');
  });

  it('are shown as far as twelve of them', async () => {
    const long = Array.from({ length: 20 }, (_value, index) => `line ${index + 1}`);
    const now = version('long');
    const found = await followReference(named(3, 18), now, now, async () => long);
    assert.deepEqual(found, { kind: 'file', path: 'src/a.ts', start: 3, end: 18, lines: long.slice(2, 14) });
    const few = await followReference(named(19, 20), now, now, async () => long);
    assert.deepEqual(few?.kind === 'file' && few.lines, long.slice(18));
    for (const [start, end] of [
      [19, 21],
      [4, 3],
    ] as const) {
      assert.deepEqual(await followReference(named(start, end), now, now, async () => long), {
        kind: 'lost',
        path: 'src/a.ts',
      });
    }
  });

  it('are lost behind the only line of a file', async () => {
    const now = version('one');
    assert.deepEqual(await followReference(named(2), now, now, async () => ['one']), {
      kind: 'lost',
      path: 'src/a.ts',
    });
  });

  it('are known from a diff also where its hunks are long, and stand in what that says', () => {
    const diff = '--- a/a.ts\n+++ b/a.ts\n@@ -10,12 +30,14 @@ fn a() {\n one\n-@@ gone\n+two\n';
    assert.deepEqual(hunksIn(diff), [
      {
        heading: 'fn a() {',
        lines: [
          { line: 30, text: 'one', isAdded: false },
          { line: 31, text: 'two', isAdded: true },
        ],
      },
    ]);
  });

  it('are looked for in the same contents once, and in none where the patch has no sections', async () => {
    const asked: (string | undefined)[] = [];
    const noting: LinesOfFile = async (_patch, path, file) => {
      asked.push(`${path} ${file?.newFileSha}`);
      return older;
    };
    const found = { kind: 'file', path: 'src/a.ts', start: 2, end: 2, lines: ['two'] };
    assert.deepEqual(await followReference(named(2), version('old'), version('old'), noting), found);
    assert.deepEqual(asked, ['src/a.ts old']);
    const empty: Patch = { changeId: 'I1', contributors: [] };
    assert.deepEqual(await followReference(named(2), empty, empty, noting), found);
    assert.equal(await followReference(named(2), empty, empty, nothing), undefined);
  });

  it('are known from a diff as far as its hunks have them', () => {
    assert.deepEqual(linesInDiff(''), [undefined]);
    assert.deepEqual(linesInDiff('+++ b/a\n no hunk'), [undefined]);
    assert.deepEqual(linesInDiff('+++ b/a\n@@ -0,0 +1 @@ @@ -9 +9 @@\n+a\n\\ No newline at end of file\n'), [
      'a',
      undefined,
    ]);
    assert.deepEqual(linesInDiff('@@ -1,2 +1 @@\n-a\n b\n@@ -12 +11,2 @@\n c\n+d\n').slice(9), [
      undefined,
      'c',
      'd',
      undefined,
    ]);
  });

  it('are lost when they are gone, and when nobody knows what they were', async () => {
    const lost = { kind: 'lost', path: 'src/a.ts' };
    assert.deepEqual(await followReference(named(3), version('old'), version('shorter'), git), lost);
    assert.deepEqual(await followReference(named(3), version('unknown'), version('new'), git), lost);
    assert.deepEqual(await followReference(named(3), patch([]), version('new'), nothing), lost);
  });

  it('are not taken for the same where nobody knows the contents: zeros name none', async () => {
    const newFileSha = '0'.repeat(40);
    const before = patch([file('src/a.ts', '@@ -10,2 +10,3 @@\n first\n+second\n third\n', { newFileSha })]);
    const after = patch([file('src/a.ts', '@@ -12,2 +12,3 @@\n first\n+second\n third\n', { newFileSha })]);
    const found = await followReference(named(11), before, after, nothing);
    assert.deepEqual(found, { kind: 'file', path: 'src/a.ts', start: 13, end: 13, lines: ['second'] });
  });

  it('are followed by the diffs alone as far as those show them', async () => {
    const before = patch([file('src/a.ts', '@@ -10,2 +10,3 @@\n first\n+second\n third\n')]);
    const after = patch([file('src/a.ts', '@@ -12,2 +12,3 @@\n first\n+second\n third\n')]);
    assert.deepEqual(await followReference(named(11), before, after, nothing), {
      kind: 'file',
      path: 'src/a.ts',
      start: 13,
      end: 13,
      lines: ['second'],
    });
    assert.deepEqual(await followReference(named(20), before, after, nothing), {
      kind: 'lost',
      path: 'src/a.ts',
    });
    // Of the same version nothing need be known.
    assert.deepEqual(await followReference(named(50), before, before, nothing), {
      kind: 'file',
      path: 'src/a.ts',
      start: 50,
      end: 50,
      lines: [],
    });
    // Nor are lines shown that nobody knows, as if they were empty.
    for (const [start, end, lines] of [
      [1, 12, []],
      [11, 14, ['second', 'third']],
    ] as const) {
      assert.deepEqual(await followReference(named(start, end), before, before, nothing), {
        kind: 'file',
        path: 'src/a.ts',
        start,
        end,
        lines,
      });
    }
    assert.deepEqual(linesInDiff('--- a/a\n+++ b/a\n@@ -1 +2,2 @@\n-x\n+y\n z\n'), [
      undefined,
      'y',
      'z',
      undefined,
    ]);
  });

  const stacks = ['v4', 'v3', 'v2', 'v1'].map((uuid): PatchStack => ({
    uuid,
    branchId: 'topic',
    createdAt: uuid,
    contributors: [],
  }));
  const versionsOf = (texts: Record<string, string>, now: string, createdAt: string) => {
    const model = {
      located: () => ({ projectId: '1', branchId: 'topic', stackUuid: 'v5', changeId: 'I1' }),
      stacks: async () => ({ value: stacks, asOf: new Date() }),
      patchUnopened: async ({ stackUuid }: { stackUuid: string }) =>
        patch([text(texts[stackUuid] ?? '')], { version: stackUuid }),
    } as unknown as ConstructorParameters<typeof WrittenVersions>[0];
    const shown = patch([text(now)], { version: 'now' });
    return new WrittenVersions(model, { stackUuid: 'v5', changeId: 'I1' }, shown, createdAt);
  };

  it('are of the oldest version that has the text, as long as all between have it', async () => {
    const texts: Record<string, string> = { v3: 'Why.', v2: 'Why.', v1: 'Other.' };
    const of = async (createdAt: string) =>
      (await versionsOf(texts, 'Why.', createdAt).of('Why.')).patch.version;
    assert.equal(await of('v3x'), 'v2');
    // The one before it has another text.
    assert.equal(await of('v5'), 'now');
    assert.equal(await of('v0'), 'now');
  });

  it('are of the version of their paragraph, whatever else of the text is written anew', async () => {
    const versions = versionsOf({ v4: 'In a.ts:3.\n \nThen', v3: 'In a.ts:3.\n' }, 'In a.ts:3.\n\nNow', 'v5');
    const of = async (passage: string) => (await versions.of(passage)).stackUuid;
    assert.deepEqual([await of('In a.ts:3.'), await of('Now'), await of('Then')], ['v3', undefined, 'v4']);
  });

  describe('by the same words in several paragraphs', () => {
    const markdown = 'In a.ts:3\nit is.\n\nNow in a.ts:3.\n\nAs a.ts:3.\n';
    const at = (start: number): LinkTarget => ({ kind: 'file', path: 'a.ts', start, end: start });
    const linksTo = (...targets: readonly (LinkTarget | undefined)[]): ProseLinks => {
      const found = new LineLinks();
      for (const [number, { text: paragraph, index }] of paragraphsOf(markdown).entries()) {
        found.add('a.ts:3', { paragraph, index, target: targets[number] });
      }
      return new ProseLinks([...found.linksOf(markdown)]);
    };
    const targetsOf = (links: ProseLinks): unknown[] =>
      [0, 1, 3, 5, undefined].map((line) => {
        const target = links.at('a.ts:3', line);
        return target?.kind === 'file' ? target.start : target?.kind;
      });

    it('are the same everywhere when they are', () => {
      assert.deepEqual(targetsOf(linksTo(at(4), at(4), at(4))), [4, 4, 4, 4, 4]);
    });

    it('are others where the paragraph is of another version, and none where nobody knows which it is', () => {
      assert.deepEqual(targetsOf(linksTo(at(5), at(3), at(5))), [5, 5, 3, 5, undefined]);
      const lost = { kind: 'lost', path: 'a.ts' } as const;
      assert.deepEqual(targetsOf(linksTo(lost, at(3), undefined)), ['lost', 'lost', 3, undefined, undefined]);
    });
  });
});
