import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import type { Patch } from '../../../src/api/types/patches.ts';
import { compareContents, comparePatch } from '../../../src/git/comparePatch.ts';
import { repositoryAt } from '../../../src/git/repository.ts';
import { withServedContents } from '../../../src/git/servedContents.ts';
import { versionOf, type PatchVersion } from '../../../src/model/reading/patchVersion.ts';
import { Readings } from '../../../src/model/reading/readings.ts';
import { SinceReadFinder, type Judge } from '../../../src/model/reading/sinceRead.ts';
import { outcomeOf, type VersionPair } from '../../../src/model/reading/outcome.ts';
import { committedPatch, judgeIn } from '../../support/committedPatch.ts';
import { GitRepository } from '../../support/gitRepository.ts';

const stack = { projectId: '1', branchId: 'topic' };
const guard = '  if (!allowed) return;\n';

/** A file of functions that look alike. */
const functions = (count: number, guarded: readonly number[] = [], file = 'f'): string =>
  Array.from({ length: count }, (_, index) => {
    const body = `  begin();\n${guarded.includes(index) ? guard : ''}  work();\n  end();\n`;
    return `function ${file}${index}() {\n${body}}\n\n`;
  }).join('');

describe('what a row says of a patch since it was read', () => {
  let repository: GitRepository;
  let folder: string;
  let failures: unknown[];
  let asked: number;
  let sources: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'patch-stacks-since-'));
    failures = [];
    asked = 0;
    sources = 'the repository';
    repository = GitRepository.create();
    repository.write('a.js', functions(6));
    repository.write('b.js', functions(6, [], 'g'));
    repository.write('c.bin', Buffer.from([0, 1, 2, 3]));
    repository.commit('Start');
    repository.branch('topic');
  });

  afterEach(() => {
    repository.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const inRepository = () => repositoryAt('git', repository.directory);
  const judge = (): Judge => {
    const working = judgeIn(inRepository(), folder);
    return {
      sources: async () => sources,
      judge: async (pairs) => {
        asked += pairs.length;
        return working.judge(pairs);
      },
    };
  };
  const readings = (options: { judge?: Judge; limit?: number } = { judge: judge() }): Readings =>
    new Readings({
      folder,
      limit: () => options.limit ?? 10_000_000,
      onFailure: (error) => failures.push(error),
      ...(options.judge && { judge: options.judge }),
    });

  const patch = (sha = repository.head(), more: Partial<Patch> = {}): Promise<Patch> =>
    committedPatch(inRepository(), sha, more);
  const read = async (of: Patch, by = readings()): Promise<void> =>
    by.note(
      stack,
      of,
      (of.sections ?? []).map(({ code }) => code),
      { seen: true },
    );
  const state = async (of: Patch, by = readings()): Promise<string | undefined> =>
    (await by.states(stack, [of]))[0]?.state;
  /** With contents at hand, and without. */
  const states = async (of: Patch): Promise<(string | undefined)[]> => [
    await state(of),
    await state(of, readings({})),
  ];

  /** Has the topic change something, and its reader read that. */
  async function changed(write: () => void): Promise<void> {
    repository.switch('topic');
    write();
    repository.commit('Change');
    await read(await patch());
  }

  /** Has `main` go on with something, and the topic be rebased on that. */
  function rebased(write: () => void): void {
    repository.switch('main');
    write();
    repository.commit('Go on');
    repository.switch('topic');
    repository.rebase('main');
  }

  function amended(write: () => void): void {
    write();
    repository.git('add', '--all');
    repository.git('commit', '--quiet', '--amend', '--no-edit');
  }

  it('is unchanged where the ids say so, and nobody is asked for contents', async () => {
    await changed(() => repository.write('a.js', functions(6, [2])));
    rebased(() => repository.write('b.js', functions(7, [], 'g')));
    assert.deepEqual(await states(await patch()), ['unchanged', 'unchanged']);
    assert.equal(asked, 0);
  });

  it('is only rebased where the contents say so, and alike as far as the diffs show without them', async () => {
    await changed(() => repository.write('a.js', functions(6, [2])));
    rebased(() => repository.write('a.js', `// First\n${functions(6)}`));
    assert.deepEqual(await states(await patch()), ['rebased', 'alike']);
  });

  it('is changed where the author has moved a line to a place that looks alike', async () => {
    await changed(() => repository.write('a.js', functions(6, [2])));
    amended(() => repository.write('a.js', functions(6, [4])));
    assert.deepEqual(await states(await patch()), ['changed', 'changed']);
    rebased(() => repository.write('a.js', `// First\n${functions(6)}`));
    // The diffs do not tell that; nobody is told that nothing has changed.
    assert.deepEqual(await states(await patch()), ['changed', 'alike']);
  });

  const moved = async (of: Patch, by = readings()): Promise<unknown> =>
    (await by.states(stack, [of]))[0]?.moved;

  it('is moved from one place to another where that is all that its author has changed', async () => {
    await changed(() => repository.write('a.js', functions(6, [2])));
    const was = versionOf(await patch());
    amended(() => repository.write('a.js', functions(6, [4])));
    const from = { path: 'a.js', line: 15 };
    const to = { path: 'a.js', line: 27 };
    assert.deepEqual(await moved(await patch()), [{ from, to }]);
    assert.equal(asked, 0);
    const shown = await comparePatch([], [was, versionOf(await patch())], folder);
    assert.deepEqual(shown.moved, [{ from, to }]);
    assert.equal('moved' in (await comparePatch([], [was, was], folder)), false);
    rebased(() => repository.write('a.js', `// First\n${functions(6)}`));
    assert.deepEqual(await moved(await patch()), [{ from: { ...from, line: 16 }, to: { ...to, line: 28 } }]);
    // Nobody knows it by the diffs alone.
    assert.equal(await moved(await patch(), readings({})), undefined);
  });

  describe('beside a file that was only rebased', () => {
    const other = (...guarded: number[]): string => functions(6, guarded, 'h');
    beforeEach(async () => {
      repository.switch('main');
      repository.write('d.txt', other());
      repository.commit('Add a file');
      repository.git('checkout', '--quiet', '-B', 'topic');
      await changed(() => {
        repository.write('a.js', functions(6, [2]));
        repository.write('d.txt', other(1));
      });
    });
    const rebaseOther = (): void => rebased(() => repository.write('d.txt', `// First\n${other()}`));
    const place = (file: string, line: number) => ({ path: file, line });

    for (const [where, write, to] of [
      ['within its file', () => repository.write('a.js', functions(6, [4])), place('a.js', 27)],
      [
        'to another file',
        () => {
          repository.write('a.js', functions(6));
          repository.write('b.js', functions(6, [3], 'g'));
        },
        place('b.js', 21),
      ],
    ] as const) {
      it(`is moved ${where}`, async () => {
        amended(write);
        rebaseOther();
        const now = await patch();
        assert.deepEqual(await moved(now), [{ from: place('a.js', 15), to }]);
        assert.deepEqual(
          [await state(now, readings({})), await moved(now, readings({}))],
          ['changed', undefined],
        );
      });
    }

    it('is changed without a question for contents, where more than a place is another', async () => {
      amended(() => repository.write('a.js', functions(6, [2]).replace('!allowed', '!known')));
      rebaseOther();
      assert.equal(await state(await patch()), 'changed');
      assert.equal(asked, 0);
    });
  });

  it('is not moved where its author has also changed, added or taken away something', async () => {
    for (const write of [
      () => repository.write('a.js', functions(6, [4]).replace('work', 'rest')),
      () => repository.write('a.js', functions(6, [4, 5])),
      () => repository.write('a.js', functions(6, [4]).replace('  end();\n', '')),
      () => repository.write('a.js', functions(6, [4]).replace('!allowed', '!known')),
      () => {
        repository.write('a.js', functions(6, [4]));
        repository.write('new.js', guard);
      },
    ]) {
      repository.git('checkout', '--quiet', '--force', '-B', 'topic', 'main');
      await changed(() => repository.write('a.js', functions(6, [2])));
      amended(write);
      const now = await patch();
      assert.deepEqual([await state(now), await moved(now)], ['changed', undefined]);
    }
    repository.git('checkout', '--quiet', '--force', '-B', 'topic', 'main');
    await changed(() => repository.write('a.js', functions(6, [2])));
    amended(() => repository.write('a.js', functions(6, [4])));
    const reworded = await patch(repository.head(), { title: 'Another title' });
    assert.deepEqual([await state(reworded), await moved(reworded)], ['changed', undefined]);
  });

  it('is changed where that is in another file that looks alike', async () => {
    await changed(() => repository.write('a.js', functions(6, [2])));
    amended(() => {
      repository.write('a.js', functions(6));
      repository.write('b.js', functions(6, [2], 'g'));
    });
    assert.deepEqual(await states(await patch()), ['changed', 'changed']);
  });

  it('is changed where that is in another file, also where nobody has the commits to ask about the base', async () => {
    const withoutCommit = async (): Promise<Patch> => {
      const of = await patch();
      delete of.commitSha;
      return of;
    };
    repository.switch('topic');
    repository.write('a.js', functions(6, [2]));
    repository.commit('Change');
    await read(await withoutCommit());
    amended(() => {
      repository.write('a.js', functions(6));
      repository.write('b.js', functions(6, [2], 'g'));
    });
    const now = await withoutCommit();
    // The base may as well have moved the file.
    assert.deepEqual([await state(now), await moved(now)], ['changed', undefined]);
  });

  it('is changed where a removal was moved to its twin', async () => {
    repository.switch('main');
    repository.write('a.js', functions(6, [1, 4]));
    repository.commit('Guard');
    repository.switch('topic');
    repository.rebase('main');
    await changed(() => repository.write('a.js', functions(6, [4])));
    amended(() => repository.write('a.js', functions(6, [1])));
    assert.deepEqual(await states(await patch()), ['changed', 'changed']);
  });

  it('is changed where its author has resolved a conflict beside the line, as they would have written it anyway', async () => {
    await changed(() => repository.write('a.js', functions(6, [2])));
    const base = functions(6).replace('function f2() {\n  begin();\n', 'function f2() {\n  start();\n');
    repository.switch('main');
    repository.write('a.js', base);
    repository.commit('Go on');
    repository.git('checkout', '--quiet', '-B', 'topic');
    repository.write('a.js', base.replace('  start();\n', `  start();\n${guard}`));
    repository.commit('Change');
    assert.equal(await state(await patch()), 'changed');
  });

  it('is changed where the bytes of a file are others, whatever its diff says', async () => {
    await changed(() => repository.write('c.bin', Buffer.from([0, 4])));
    amended(() => repository.write('c.bin', Buffer.from([0, 5])));
    const now = await patch();
    const silent = (of: Patch): Patch => ({
      ...of,
      sections: (of.sections ?? []).map((section) =>
        section.sectionType === 'diff' ? { ...section, diffPatch: 'Binary files differ\n' } : section,
      ),
    });
    assert.deepEqual(await states(silent(now)), ['changed', 'changed']);
  });

  it('is not that it was read, where nobody has opened it', async () => {
    await changed(() => repository.write('a.js', functions(6, [2])));
    const copy = await patch(repository.head(), { changeId: 'I2' });
    // The first one is gone, so that its marks are free.
    await read(await patch(repository.head(), { sections: [] }));
    assert.equal(await state(copy), 'partlyRead');
  });

  it('is not known where the version that was read is gone, and the same once it was read anew', async () => {
    await changed(() => repository.write('a.js', functions(6, [2])));
    amended(() => repository.write('a.js', functions(6, [4])));
    for (const name of readdirSync(path.join(folder, 'versions'))) {
      rmSync(path.join(folder, 'versions', name));
    }
    const now = await patch();
    assert.deepEqual(await states(now), ['unknown', 'unknown']);
    await read(now);
    assert.deepEqual(await states(now), ['read', 'read']);
  });

  it('is found out once, and again where there is another place to look for contents', async () => {
    await changed(() => repository.write('a.js', functions(6, [2])));
    rebased(() => repository.write('a.js', `// First\n${functions(6)}`));
    const [one, now] = [readings(), await patch()];
    sources = '';
    assert.equal(await state(now, one), 'alike');
    assert.equal(asked, 0);
    sources = 'the repository';
    assert.equal(await state(now, one), 'rebased');
    assert.equal(await state(now, one), 'rebased');
    assert.equal(asked, 1);
  });

  it('is what the diffs show when contents cannot be compared, until they can be', async () => {
    await changed(() => repository.write('a.js', functions(6, [2])));
    rebased(() => repository.write('a.js', `// First\n${functions(6)}`));
    let isBroken = true;
    const working = judge();
    const one = readings({
      judge: {
        ...working,
        judge: (pairs) => (isBroken ? Promise.reject(new Error('out of memory')) : working.judge(pairs)),
      },
    });
    const now = await patch();
    assert.equal(await state(now, one), 'alike');
    assert.match(String(failures), /out of memory/);
    isBroken = false;
    assert.equal(await state(now, one), 'rebased');
  });

  it('is not known where the version that was read cannot be read, which is told, and found out the next time', async () => {
    const version = { changeId: 'I1', title: 'was', message: '', sections: [], files: [] };
    const told: unknown[] = [];
    let isBroken = true;
    const finder = new SinceReadFinder(
      async () => (isBroken ? Promise.reject(new Error('damaged')) : version),
      undefined,
      (error) => told.push(error),
    );
    const hunks = [{ print: { patch: 'I1', path: '', lines: 'x', before: [], after: [], isTelling: true }, mark: { seen: true, viewed: false } }]; // prettier-ignore
    const known = {
      changeId: 'I1',
      fingerprint: 'was',
      wording: '',
      content: '',
      hunks,
      isPending: false,
      readAt: 0,
    };
    const find = () =>
      finder.find({ patches: [known], elsewhere: [] }, [
        { version: { ...version, title: 'is' }, fingerprint: 'is' },
      ]);
    assert.deepEqual(await find(), [{ since: 'unknown' }]);
    assert.match(String(told), /damaged/);
    isBroken = false;
    assert.deepEqual(
      (await find()).map((found) => found?.since),
      ['changed'],
    );
  });

  it('is told with the contents that the local service gives, where git is not to be run', async () => {
    await changed(() => repository.write('a.js', functions(6, [2])));
    amended(() => repository.write('a.js', functions(6, [4])));
    const moved = await patch();
    repository.git('checkout', '--quiet', '-B', 'topic', 'main');
    repository.write('a.js', functions(6, [2]));
    repository.commit('Change');
    rebased(() => repository.write('a.js', `// First\n${functions(6)}`));
    const [before, now] = [moved, await patch()].map(versionOf) as [PatchVersion, PatchVersion];
    const outcome = async ([pair]: readonly VersionPair[]): Promise<unknown> =>
      pair && outcomeOf((await compareContents([], pair, folder)).comparison);
    const given = await withServedContents([[before, now]], {
      read: async (ids) => {
        assert.equal(ids.length, 4);
        const bytes = await Promise.all(ids.map((id) => inRepository().gitBytes(['cat-file', 'blob', id])));
        return new Map(ids.map((id, index) => [id, bytes[index]!]));
      },
    });
    assert.deepEqual(await outcome([[before, now]]), { since: 'alike', isCertain: false });
    assert.deepEqual(await outcome(given ?? []), {
      since: 'changed',
      isCertain: true,
      moved: [{ from: { path: 'a.js', line: 28 }, to: { path: 'a.js', line: 16 } }],
    });
    assert.equal(await withServedContents([[before, now]], { read: async () => new Map() }), undefined);
  });

  it('is never that nothing has changed, wherever its author has moved what to', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          from: fc.nat(5),
          to: fc.nat(5),
          isOtherFile: fc.boolean(),
          lines: fc.nat(3),
          isBaseChanged: fc.boolean(),
        }),
        async ({ from, to, isOtherFile, lines, isBaseChanged }) => {
          const base = '// First\n'.repeat(lines);
          repository.git('checkout', '--quiet', '-B', 'topic', 'main');
          await changed(() => repository.write('a.js', functions(6, [from])));
          amended(() => {
            repository.write('a.js', functions(6, isOtherFile ? [] : [to]));
            repository.write('b.js', functions(6, isOtherFile ? [to] : [], 'g'));
          });
          if (isBaseChanged && lines > 0) {
            repository.git('checkout', '--quiet', '-B', 'base', 'main');
            repository.write('a.js', base + functions(6));
            repository.write('b.js', base + functions(6, [], 'g'));
            repository.commit('Go on');
            repository.switch('topic');
            repository.rebase('base');
          }
          const isMoved = isOtherFile || from !== to;
          const [certain, withoutContents] = await states(await patch());
          if (isMoved) {
            assert.equal(certain, 'changed');
            assert.ok(withoutContents === 'changed' || withoutContents === 'alike', withoutContents);
          } else {
            assert.ok(certain === 'unchanged' || certain === 'rebased' || certain === 'read', certain);
          }
        },
      ),
      { numRuns: 25 },
    );
  });
});
