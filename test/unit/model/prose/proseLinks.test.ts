import assert from 'node:assert/strict';
import type { DiffSection, Patch, PatchSection } from '../../../../src/api/types/patches.ts';
import type { PatchStack } from '../../../../src/api/types/stacks.ts';
import { followReference, type LinesOfFile } from '../../../../src/model/prose/followReference.ts';
import { linesInDiff } from '../../../../src/model/prose/knownLines.ts';
import { targetOfSymbol, targetOfWord } from '../../../../src/model/prose/proseLinks.ts';
import { writtenIn } from '../../../../src/model/prose/writtenIn.ts';
import { wordsIn } from '../../../../src/util/proseNames.ts';

const file = (path: string, diffPatch: string, more: Partial<DiffSection> = {}): DiffSection => ({
  sectionType: 'diff',
  code: path,
  identifier: path,
  newPath: path,
  oldPath: path,
  diffPatch,
  ...more,
});
const text = (markdown: string): PatchSection => ({
  sectionType: 'text',
  code: 'text',
  identifier: 'text',
  text: markdown,
});
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

  it('is one of those who have to do with the stack', () => {
    assert.deepEqual(target('@ada'), { kind: 'person', login: 'ada' });
    assert.deepEqual(target('@emmy'), { kind: 'person', login: 'emmy' });
    assert.deepEqual([target('@media'), target('ada'), target('@')], [undefined, undefined, undefined]);
  });

  it('is the line that defines a symbol, else the first that has it', () => {
    const sections = [
      file('a.ts', '@@ -1,2 +1,4 @@\n context\n+loadIt(other);\n+reload(it);\n+load(it);\n context\n'),
      text('`load`'),
      file('b.ts', '@@ -7,2 +8,3 @@\n context\n-function load() {\n+export function load(it) {\n+load();\n'),
    ];
    assert.deepEqual(targetOfSymbol('load', sections), {
      kind: 'line',
      code: 'b.ts',
      line: 9,
      text: 'export function load(it) {',
    });
    assert.deepEqual(targetOfSymbol('load', sections.slice(0, 1)), {
      kind: 'line',
      code: 'a.ts',
      line: 4,
      text: 'load(it);',
    });
    assert.deepEqual(
      ['nothing', 'context', 'a b', 'it'].map((code) => targetOfSymbol(code, sections)),
      Array(4).fill(undefined),
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
  });

  it('are lost when they are gone, and when nobody knows what they were', async () => {
    const lost = { kind: 'lost', path: 'src/a.ts' };
    assert.deepEqual(await followReference(named(3), version('old'), version('shorter'), git), lost);
    assert.deepEqual(await followReference(named(3), version('unknown'), version('new'), git), lost);
    assert.deepEqual(await followReference(named(3), patch([]), version('new'), nothing), lost);
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
    assert.deepEqual(linesInDiff('--- a/a\n+++ b/a\n@@ -1 +2,2 @@\n-x\n+y\n z\n'), [
      undefined,
      'y',
      'z',
      undefined,
    ]);
  });

  it('are of the oldest version that has the text, as long as all between have it', async () => {
    const older = ['v4', 'v3', 'v2', 'v1'].map((uuid): PatchStack => ({
      uuid,
      branchId: 'topic',
      createdAt: uuid,
      contributors: [],
    }));
    const texts: Record<string, string> = { v3: 'Why.', v2: 'Why.', v1: 'Other.' };
    const model = {
      located: () => ({ projectId: '1', branchId: 'topic', stackUuid: 'v5', changeId: 'I1' }),
      stacks: async () => ({ value: older, asOf: new Date() }),
      patchUnopened: async ({ stackUuid }: { stackUuid: string }) =>
        patch([text(texts[stackUuid] ?? '')], { version: stackUuid }),
    } as unknown as Parameters<typeof writtenIn>[0];
    const now = patch([text('Why.')], { version: 'now' });
    const of = async (createdAt: string) =>
      (await writtenIn(model, { stackUuid: 'v5', changeId: 'I1' }, now, 'Why.', createdAt)).version;
    assert.equal(await of('v3x'), 'v2');
    // The one before it has another text.
    assert.equal(await of('v5'), 'now');
    assert.equal(await of('v0'), 'now');
  });
});
