import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readContents } from '../../../src/git/commitChanges.ts';
import { versionOfCommit } from '../../../src/git/commitVersion.ts';
import { mergeFile } from '../../../src/git/mergeFile.ts';
import { compareAllContents, comparePatch } from '../../../src/git/comparePatch.ts';
import { compareCommits } from '../../../src/git/compareCommits.ts';
import { repositoryAt } from '../../../src/git/repository.ts';
import type { VersionPair } from '../../../src/model/reading/outcome.ts';
import type { PatchVersion, VersionSection } from '../../../src/model/reading/patchVersion.ts';
import type { ShownComparison, ShownSection } from '../../../src/util/shownComparison.ts';
import { numberedLines } from '../../support/author.ts';
import { GitRepository } from '../../support/gitRepository.ts';

describe('two versions of a patch, with what git has of their files', () => {
  let repository: GitRepository;
  let scratch: string;

  beforeEach(() => {
    scratch = mkdtempSync(path.join(tmpdir(), 'patch-stacks-scratch-'));
    repository = GitRepository.create();
    repository.write('a.txt', numberedLines('line'));
    repository.write('b.txt', numberedLines('other'));
    repository.commit('Start');
    repository.branch('topic');
  });

  afterEach(() => {
    assert.deepEqual(readdirSync(scratch), []);
    repository.remove();
    rmSync(scratch, { recursive: true, force: true });
  });

  const replace = (...change: [file: string, from: string, to: string]): void =>
    repository.replace(...change);
  const inRepository = () => repositoryAt('git', repository.directory);

  /** The version that a commit is, with a section for each file after its texts. */
  async function version(sha: string, texts: readonly string[] = []): Promise<PatchVersion> {
    const found = await versionOfCommit(inRepository(), sha, 'I1');
    assert.ok(found);
    const sections: VersionSection[] = [
      ...texts.map((text) => ({ kind: 'text' as const, code: text, text })),
      ...found.files.map((file) => ({ kind: 'diff' as const, path: file.path })),
    ];
    return { ...found, sections };
  }

  async function compare(
    older: PatchVersion,
    newer: PatchVersion,
    repositories = [inRepository()],
  ): Promise<ShownComparison & { file: (name: string) => ShownSection | undefined }> {
    const shown = await comparePatch(repositories, [older, newer], scratch);
    const file = (name: string): ShownSection | undefined =>
      shown.sections[newer.sections.findIndex((section) => section.kind === 'diff' && section.path === name)];
    return { ...shown, file };
  }

  /** Has `main` go on, and the topic on top of that. @param amend what its author changes then. */
  function rebaseOn(base: () => void, amend: () => void = () => undefined): string {
    repository.switch('main');
    base();
    repository.commit('Go on');
    repository.switch('topic');
    repository.rebase('main');
    amend();
    repository.git('add', '--all');
    repository.git('commit', '--quiet', '--amend', '--no-edit');
    return repository.head();
  }

  /** A patch that changes two files as it was read, and as it is on what `main` has become. */
  async function changedAndRebased(
    ...rebased: Parameters<typeof rebaseOn>
  ): Promise<[older: PatchVersion, newer: PatchVersion]> {
    replace('a.txt', 'line 20\n', 'mine\n');
    replace('b.txt', 'other 3\n', 'mine\n');
    const older = await version(repository.commit('Change'));
    return [older, await version(rebaseOn(...rebased))];
  }

  it('shows what the author changed against what was read, and marks what the base changed nearby', async () => {
    const [older, newer] = await changedAndRebased(
      () => {
        replace('a.txt', 'line 0\n', 'line 0\nmore of the base\n');
        replace('a.txt', 'line 24\n', 'of the base\n');
        replace('a.txt', 'line 28\nline 29\n', '');
        replace('b.txt', 'other 30\n', 'of the base\n');
      },
      () => replace('a.txt', 'line 26\n', 'grüße\n'),
    );
    const shown = await compare(older, newer);
    assert.equal(shown.verdict, 'changed');
    assert.deepEqual(shown.file('b.txt'), { verdict: 'rebased', isMoved: false, older: 1 });
    const { diff = '', baseLines, baseRemovals, verdict } = shown.file('a.txt') ?? {};
    assert.equal(verdict, 'changed');
    assert.deepEqual(diff.split('\n').slice(2), [
      '@@ -25,7 +25,7 @@',
      ' line 23',
      ' of the base',
      ' line 25',
      '-line 26',
      '+grüße',
      ' line 27',
      ' line 30',
      ' line 31',
      '',
    ]);
    assert.deepEqual(baseRemovals, [{ before: 30, count: 2 }]);
    assert.deepEqual(baseLines, [
      [2, 2],
      [26, 26],
    ]);
    assert.ok(!diff.includes('mine'), 'what was read is shown again');
  });

  it('says that a conflict was resolved, and has both diffs read', async () => {
    replace('a.txt', 'line 20\n', 'mine\n');
    const older = await version(repository.commit('Change'));
    repository.switch('main');
    replace('a.txt', 'line 20\n', 'of the base\n');
    repository.commit('Go on');
    repository.branch('again');
    replace('a.txt', 'of the base\n', 'mine and of the base\n');
    const shown = await compare(older, await version(repository.commit('Change')));
    const { verdict, both } = shown.file('a.txt') ?? {};
    assert.deepEqual([verdict, both?.reason], ['conflict', 'conflict']);
    assert.match(both?.olderDiff ?? '', /^\+mine$/m);
  });

  it("takes git's word where its own merge is more careful", async () => {
    const text = (words: string): string => words.replaceAll(' ', '\n');
    repository.switch('main');
    repository.commitFile('few.txt', text('a c x c b a b } b y y b '), 'Add few lines');
    repository.switch('topic');
    repository.rebase('main');
    const changed = text('a mine c b a b } b y } y b ');
    const older = await version(repository.commitFile('few.txt', changed, 'Change'));
    const newer = await version(rebaseOn(() => repository.write('few.txt', text('a c x c a b } b y y b '))));
    assert.equal((await compare(older, newer)).file('few.txt')?.verdict, 'rebased');
  });

  describe('of a single file', () => {
    /** The verdict on a file that is changed, and put on another base. */
    async function verdictOf(
      texts: Readonly<Record<'base' | 'changed' | 'onto' | 'moved', string>>,
      isBaseOlder = false,
    ): Promise<(string | undefined)[]> {
      const { base, changed, onto, moved } = texts;
      repository.write('a.txt', onto);
      const before = repository.commit('One base');
      repository.write('a.txt', base);
      const after = repository.commit('Another base');
      repository.write('a.txt', changed);
      const older = repository.commit('Change');
      repository.git('checkout', '--quiet', isBaseOlder ? before : after);
      repository.write('a.txt', onto);
      repository.commit('Go on');
      if (isBaseOlder) {
        repository.git('checkout', '--quiet', before);
      }
      repository.write('a.txt', moved);
      const newer = repository.commit('Change');
      const [files] = await compareCommits(inRepository(), [{ older, newer }], scratch);
      const shown = await compare(await version(older), await version(newer));
      return [shown.file('a.txt')?.verdict, files?.[0]?.verdict];
    }

    it('takes it for what git rebases it to, with the diffs that git makes then', async () => {
      const text = (lines: string): string => `${lines.replaceAll(' ', '\n')}\n`;
      const texts = {
        base: text('} a c L6 { a a a d L5 a L8 L9'),
        changed: text('} a c L6 { a a a N4 d L5 a L8 L9'),
        onto: text('} a c L6 { N1 a a d d a L8 L9'),
        moved: text('} a c L6 { N1 a a N4 d d a L8 L9'),
      };
      // A merge of three files makes others.
      assert.deepEqual(await mergeFile(inRepository(), { ...texts }, scratch), { kind: 'conflict' });
      assert.deepEqual(await verdictOf(texts), ['rebased', 'rebased']);
    });

    it('takes it for a conflict where git would not have rebased it, whatever three files alone are merged to', async () => {
      const texts = {
        base: 'c\nc\na\nc\na\n',
        changed: 'c\nc\nmine\nc\na\n',
        onto: 'first\nc\na\nc\nlast\n',
        moved: 'first\nc\nmine\nc\nlast\n',
      };
      assert.equal((await mergeFile(inRepository(), texts, scratch))?.kind, 'clean');
      assert.deepEqual(await verdictOf(texts), ['conflict', 'conflict']);
    });

    it('says of none that part of it was moved to the base where that is an older one', async () => {
      const lines = (edits: Readonly<Record<number, string>>): string =>
        numberedLines('line').replace(/^line (\d+)$/gm, (line, at) => edits[Number(at)] ?? line);
      const texts = {
        base: lines({}),
        changed: lines({ 3: 'back again', 20: 'mine' }),
        onto: lines({ 3: 'back again' }),
        moved: lines({ 3: 'back again', 20: 'mine' }),
      };
      assert.deepEqual(await verdictOf(texts, true), ['rebased', 'rebased']);
      assert.deepEqual(await verdictOf(texts), ['changed', 'changed']);
    });
  });

  it('compares many patches with as few runs of git as one, and as each of them alone', async () => {
    let runs = 0;
    const open = inRepository();
    const counted: typeof open = {
      ...open,
      git: (...args) => {
        runs += 1;
        return open.git(...args);
      },
      gitBytes: (...args) => {
        runs += 1;
        return open.gitBytes(...args);
      },
    };
    const shas = Array.from({ length: 4 }, (_, index) => {
      replace('a.txt', `line ${index + 10}\n`, 'mine\n');
      return repository.commit(`Change ${index}`);
    });
    repository.switch('main');
    replace('a.txt', 'line 3\n', 'of the base\n');
    repository.commit('Go on');
    repository.switch('topic');
    repository.rebase('main');
    const rebased = repository.git('rev-list', '--reverse', 'main..topic').split('\n');
    const pairs: VersionPair[] = [];
    for (const [index, sha] of shas.entries()) {
      pairs.push([await version(sha), await version(rebased[index] ?? '')]);
    }
    const verdicts = async (some: readonly VersionPair[], from = counted): Promise<string[]> => {
      const found = [];
      for await (const { newer, comparison } of compareAllContents([from], some, scratch)) {
        assert.equal(newer.commitSha, some[found.length]?.[1].commitSha);
        found.push(comparison.verdict);
      }
      return found;
    };
    assert.deepEqual(await verdicts(pairs.slice(0, 1)), ['rebased']);
    const once = runs;
    assert.deepEqual(await verdicts([...pairs, [pairs[0]![0], pairs[1]![1]]]), [
      ...pairs.map(() => 'rebased'),
      'changed',
    ]);
    // Reading contents is one; merging those that might be rebased takes two more, however many there are.
    assert.deepEqual([once, runs - once], [1, 3]);
    // What can't be read of one of them is no matter to the others.
    const [, [large]] = [pairs[0]!, pairs[1]!];
    const id = large.files[0]?.before?.id ?? '';
    const tooLarge: typeof open = {
      ...open,
      gitBytes: (args, options) =>
        String(options?.input).includes(id)
          ? Promise.reject(new Error('too much'))
          : open.gitBytes(args, options),
    };
    const [first, second, third] = await verdicts([pairs[3]!, pairs[1]!, pairs[3]!], tooLarge);
    assert.deepEqual([first, third], ['rebased', 'rebased']);
    assert.equal(second, 'unchanged');
  });

  it('says the same of many files as of each of them alone', async () => {
    const names = Array.from({ length: 9 }, (_, index) => `${index}.txt`);
    repository.switch('main');
    names.forEach((name) => repository.write(name, numberedLines('line')));
    repository.commit('Files');
    repository.switch('topic');
    repository.rebase('main');
    names.forEach((name) => replace(name, 'line 20\n', 'mine\n'));
    const older = await version(repository.commit('Change'));
    repository.switch('main');
    // Right beside the change, at it, and far from it.
    names.forEach((name, index) => replace(name, `line ${[19, 20, 3][index % 3]}\n`, 'of the base\n'));
    repository.commit('Go on');
    repository.git('checkout', '--quiet', '-B', 'topic', 'main');
    for (const [index, name] of names.entries()) {
      const from = index % 3 === 1 ? 'of the base\n' : 'line 20\n';
      replace(name, from, index < 6 ? 'mine\n' : 'mine, and changed\n');
    }
    const newer = await version(repository.commit('Change'));
    const all = await compare(older, newer);
    for (const name of names) {
      const only = (of: PatchVersion): PatchVersion => ({
        ...of,
        files: of.files.filter((file) => file.path === name),
        sections: of.sections.filter((section) => section.kind === 'diff' && section.path === name),
      });
      const alone = await compare(only(older), only(newer));
      // But for its place among the others.
      assert.deepEqual({ ...all.file(name), older: 0 }, { ...alone.file(name), older: 0 }, name);
    }
    assert.deepEqual(
      names.map((name) => all.file(name)?.verdict),
      [
        'conflict',
        'conflict',
        'rebased',
        'conflict',
        'conflict',
        'rebased',
        'conflict',
        'conflict',
        'changed',
      ],
    );
  });

  it('needs no commits: the contents may have come by others, and lie in several repositories', async () => {
    const [older, newer] = await changedAndRebased(
      () => {
        replace('a.txt', 'line 0\n', 'of the base\n');
        replace('b.txt', 'other 30\n', 'of the base\n');
      },
      () => replace('a.txt', 'mine\n', 'mine again\n'),
    );
    const others = [GitRepository.create(), GitRepository.create()];
    const ids = [older, newer].flatMap(({ files }) =>
      files.flatMap(({ before, after }) => [before?.id ?? [], after?.id ?? []].flat()),
    );
    for (const [index, id] of [...new Set(ids)].entries()) {
      const blob = `${repository.git('cat-file', 'blob', id)}\n`;
      assert.equal(others[index % 2]?.gitWithInput(blob, 'hash-object', '-w', '--stdin'), id);
    }
    const open = others.map(({ directory }) => repositoryAt('git', directory));
    const shown = await compare(older, newer, open);
    assert.deepEqual([shown.file('a.txt')?.verdict, shown.file('b.txt')?.verdict], ['changed', 'rebased']);
    assert.match(shown.file('a.txt')?.diff ?? '', /^-mine\n\+mine again$/m);
    // With a part of them it is the diffs that are compared, of the files that lack something.
    assert.ok((await compare(older, newer, open.slice(1))).isFromDiffs);
    others.forEach((other) => other.remove());
  });

  it('takes nothing for a conflict of which git makes nothing', async () => {
    const merge = (base: string, changed: string, onto: string): Promise<unknown> =>
      mergeFile(inRepository(), { base, changed, onto }, scratch);
    assert.deepEqual(await merge('a\n', 'mine\n', 'of the base\n'), { kind: 'conflict' });
    assert.equal(await merge('a\0\n', 'mine\0\n', 'of the base\0\n'), undefined);
  });

  it('says of diffs alone that nobody knows what was rebased', async () => {
    const [older, newer] = await changedAndRebased(
      () => replace('b.txt', 'other 30\n', 'of the base\n'),
      () => replace('a.txt', 'mine\n', 'mine again\n'),
    );
    const shown = await compare(older, newer, []);
    assert.ok(shown.isFromDiffs);
    // The base of this one is the same, by its id.
    assert.equal(shown.file('a.txt')?.both?.reason, 'notAvailable');
    assert.deepEqual([shown.file('b.txt')?.verdict, shown.file('b.txt')?.isFromDiffs], ['same', true]);
  });

  it('tells texts that were changed, added, moved and removed, and the title and the message', async () => {
    replace('a.txt', 'line 20\n', 'mine\n');
    const sha = repository.commit('Change\n\nAs it was.');
    const older = await version(sha, ['One two three.', 'Stays.', 'Goes away, all of it.']);
    const newer: PatchVersion = {
      ...(await version(sha, ['Stays.', 'One two four.', 'Brand new words here.'])),
      title: 'Change it',
      message: 'As it is.',
    };
    const shown = await compare(older, newer);
    assert.deepEqual(
      shown.sections.map(({ verdict, isMoved, textBefore }) => [verdict, isMoved, textBefore]),
      [
        ['same', false, undefined],
        ['changed', true, 'One two three.'],
        ['added', false, undefined],
        ['same', false, undefined],
      ],
    );
    assert.deepEqual(shown.removed, [{ after: 0, kind: 'text', text: 'Goes away, all of it.' }]);
    assert.deepEqual(
      [shown.title, shown.message].map((words) => words?.filter(({ kind }) => kind !== 'same')),
      [
        [{ kind: 'added', text: ' it' }],
        [
          { kind: 'removed', text: 'was' },
          { kind: 'added', text: 'is' },
        ],
      ],
    );
  });

  it('tells files that came, went, and were renamed by the base or by the author', async () => {
    replace('a.txt', 'line 20\n', 'mine\n');
    replace('b.txt', 'other 3\n', 'mine\n');
    repository.write('gone.txt', 'gone\n');
    repository.write('name.txt', numberedLines('named', {}, 10));
    const older = await version(repository.commit('Change'));
    const newer = await version(
      rebaseOn(
        () => repository.git('mv', 'b.txt', 'c.txt'),
        () => {
          repository.git('rm', '--quiet', 'gone.txt');
          repository.git('mv', 'name.txt', 'other.txt');
          repository.write('new.txt', 'new\n');
        },
      ),
    );
    const shown = await compare(older, newer);
    assert.deepEqual(
      newer.files.map(({ path: name }) => [name, shown.file(name)?.verdict]),
      [
        ['a.txt', 'same'],
        ['c.txt', 'rebased'],
        ['new.txt', 'added'],
        ['other.txt', 'changed'],
      ],
    );
    assert.equal(shown.file('other.txt')?.olderPath, 'name.txt');
    assert.equal(shown.file('other.txt')?.both?.reason, 'noLines');
    assert.deepEqual(
      shown.removed.map((each) => each.kind === 'diff' && each.path),
      ['gone.txt'],
    );
  });

  it('asks git for nothing but ids of blobs, whatever the service says', async () => {
    replace('a.txt', 'line 20\n', 'mine\n');
    const sha = repository.commit('Change');
    const newer = await version(sha);
    const named = (id: string): PatchVersion => ({
      ...newer,
      files: newer.files.map((file) => ({ ...file, after: { ...file.after!, id } })),
    });
    const asked: string[] = [];
    const open = inRepository();
    const watched: typeof open = {
      ...open,
      gitBytes: (args, options) => {
        asked.push(String(options?.input ?? ''));
        return open.gitBytes(args, options);
      },
    };
    for (const id of ['HEAD:b.txt', `${sha}:a.txt`, '--help', 'f'.repeat(41)]) {
      const shown = await compare(named(id), newer, [watched]);
      assert.equal(shown.file('a.txt')?.both?.reason, 'notAvailable', id);
    }
    assert.ok(asked.length > 0 && asked.every((lines) => /^([0-9a-f]{40}\n)*$/.test(lines)), asked.join());
  });

  it('takes what is no file for missing, and reads on behind it', async () => {
    const commit = repository.head();
    const blob = repository.git('rev-parse', 'HEAD:a.txt');
    const contents = await readContents(inRepository(), [commit, blob]);
    assert.equal(contents.get(commit)?.kind, 'missing');
    assert.deepEqual(contents.get(blob), { kind: 'text', text: numberedLines('line') });
  });
});
