import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mergeBlobs, mergeWithGit } from '../../../src/git/mergedTree.ts';
import { repositoryAt, type OpenRepository } from '../../../src/git/repository.ts';
import { GitRepository } from '../../support/gitRepository.ts';

const lines = Array.from({ length: 20 }, (_, line) => `line ${line}\n`).join('');

describe("git's merge of a change onto another base", () => {
  let made: GitRepository;
  let repository: OpenRepository;
  let scratch: string;
  let base: string;
  let changed: string;
  let onto: string;

  before(() => {
    scratch = mkdtempSync(path.join(tmpdir(), 'patch-stacks-merge-'));
    made = GitRepository.create();
    for (const name of ['clean.txt', 'conflict.txt', 'kept.txt', 'größe.txt']) {
      made.write(name, lines);
    }
    base = made.commit('Begin');
    made.branch('topic');
    made.replace('clean.txt', 'line 3\n', 'the third\n');
    made.replace('conflict.txt', 'line 3\n', 'mine\n');
    made.replace('größe.txt', 'line 3\n', 'die dritte\n');
    changed = made.commit('Change');
    made.switch('main');
    made.replace('clean.txt', 'line 16\n', 'the sixteenth\n');
    made.replace('conflict.txt', 'line 3\n', 'theirs\n');
    onto = made.commit('Go on');
    repository = repositoryAt('git', made.directory);
  });

  after(() => {
    made.remove();
    rmSync(scratch, { recursive: true });
  });

  afterEach(() => assert.deepEqual(readdirSync(scratch), []));

  const clean = lines.replace('line 3\n', 'the third\n').replace('line 16\n', 'the sixteenth\n');
  const name = Buffer.from('größe.txt').toString('latin1');

  it('gives each file that is asked for: its text, or that there is a conflict', async () => {
    const objects = made.git('count-objects');
    const paths = ['clean.txt', 'conflict.txt', name, 'nowhere.txt'];
    assert.deepEqual(
      await mergeWithGit(repository, { base, changed, onto }, paths, scratch),
      new Map([
        ['conflict.txt', { kind: 'conflict' }],
        ['clean.txt', { kind: 'clean', text: clean }],
        [name, { kind: 'clean', text: lines.replace('line 3\n', 'die dritte\n') }],
      ]),
    );
    assert.deepEqual(await mergeWithGit(repository, { base, changed, onto }, ['kept.txt'], scratch), new Map([
      ['kept.txt', { kind: 'clean', text: lines }],
    ])); // prettier-ignore
    // Nothing of it is left in the repository.
    assert.equal(made.git('count-objects'), objects);
  });

  it('merges without a conflict where there is none', async () => {
    const move = { base, changed, onto: base };
    assert.deepEqual(
      await mergeWithGit(repository, move, ['conflict.txt'], scratch),
      new Map([['conflict.txt', { kind: 'clean', text: lines.replace('line 3\n', 'mine\n') }]]),
    );
  });

  it('takes a missing commit for one without files', async () => {
    const move = { base: undefined, changed: base, onto: undefined };
    assert.deepEqual(
      await mergeWithGit(repository, move, ['kept.txt'], scratch),
      new Map([['kept.txt', { kind: 'clean', text: lines }]]),
    );
  });

  it('gives nothing where git is too old, or lacks a commit', async () => {
    const move = { base, changed, onto };
    assert.deepEqual(
      await mergeWithGit(repository, { ...move, onto: 'f'.repeat(40) }, ['clean.txt'], scratch),
      new Map(),
    );
    const tooOld = (code: number): OpenRepository => ({
      ...repository,
      gitBytes: async (args, options) =>
        args[0] === 'merge-tree'
          ? Promise.reject(
              Object.assign(new Error('usage: git merge-tree'), { code, stdout: Buffer.from('?') }),
            )
          : repository.gitBytes(args, options),
    });
    assert.deepEqual(await mergeWithGit(tooOld(129), move, ['clean.txt'], scratch), new Map());
    // It prints no tree.
    assert.deepEqual(await mergeWithGit(tooOld(1), move, ['clean.txt'], scratch), new Map());
  });

  it('gives files by their contents alone, as many as there are, in their order', async () => {
    const id = (commit: string, file: string): string => made.git('rev-parse', `${commit}:${file}`);
    const move = (file: string) => ({
      base: id(base, file),
      changed: id(changed, file),
      onto: id(onto, file),
    });
    const objects = made.git('count-objects');
    const moves = [move('conflict.txt'), move('clean.txt'), move('kept.txt'), move('clean.txt')];
    assert.deepEqual(await mergeBlobs(repository, moves, scratch), [
      { kind: 'conflict' },
      { kind: 'clean', text: clean },
      { kind: 'clean', text: lines },
      { kind: 'clean', text: clean },
    ]);
    assert.equal(made.git('count-objects'), objects);
    const lost = { ...move('clean.txt'), onto: 'f'.repeat(40) };
    assert.deepEqual(await mergeBlobs(repository, [move('clean.txt'), lost], scratch), [
      undefined,
      undefined,
    ]);
    assert.deepEqual(await mergeBlobs(repository, [], scratch), []);
  });

  it('gives nothing where ids are of several formats, and does not have git read those', async () => {
    const id = made.git('rev-parse', `${base}:clean.txt`);
    const other = { base: id, changed: id, onto: id.padEnd(64, '0') };
    const move = { base: id, changed: id, onto: id };
    const asked: unknown[] = [];
    const watched: OpenRepository = {
      ...repository,
      gitBytes: (args, options) => {
        asked.push(args);
        return repository.gitBytes(args, options);
      },
    };
    assert.deepEqual(await mergeBlobs(watched, [move, other], scratch), [undefined, undefined]);
    assert.deepEqual(asked, []);
  });

  it('merges in a repository of longer ids, too', async () => {
    const longer = GitRepository.create('longer', 'main', 'sha256');
    try {
      const commits: string[] = [];
      for (const text of [lines, lines.replace('line 3\n', 'the third\n')]) {
        longer.write('clean.txt', text);
        commits.push(longer.commit('Change'));
      }
      longer.git('checkout', '--quiet', commits[0] ?? '');
      longer.write('clean.txt', lines.replace('line 16\n', 'the sixteenth\n'));
      commits.push(longer.commit('Go on'));
      const [from = '', to = '', other = ''] = commits;
      const open = repositoryAt('git', longer.directory);
      const merge = { kind: 'clean', text: clean };
      assert.deepEqual(
        await mergeWithGit(open, { base: from, changed: to, onto: other }, ['clean.txt'], scratch),
        new Map([['clean.txt', merge]]),
      );
      const [one = '', two = '', three = ''] = commits.map((commit) =>
        longer.git('rev-parse', `${commit}:clean.txt`),
      );
      const move = { base: one, changed: two, onto: three };
      assert.deepEqual(await mergeBlobs(open, [move], scratch), [merge]);
    } finally {
      longer.remove();
    }
  });

  it('finds what it comes to in the repository, too, where that has it already', async () => {
    const id = (commit: string): string => made.git('rev-parse', `${commit}:clean.txt`);
    const move = { base: id(base), changed: id(changed), onto: id(onto) };
    const blob = made.gitWithInput(clean, 'hash-object', '-w', '--stdin');
    const merge = { kind: 'clean', text: clean };
    assert.deepEqual(await mergeBlobs(repository, [move, move], scratch), [merge, merge]);
    made.gitWithInput(`100644 blob ${blob}\t000000000\n`, 'mktree');
    assert.deepEqual(await mergeBlobs(repository, [move], scratch), [merge]);
  });

  it('merges in another working tree, and in a folder, too', async () => {
    const other = path.join(scratch, 'other');
    made.git('worktree', 'add', '--quiet', '--detach', other, base);
    try {
      for (const folder of [other, path.join(made.directory, 'folder')]) {
        mkdirSync(folder, { recursive: true });
        assert.deepEqual(
          await mergeWithGit(repositoryAt('git', folder), { base, changed, onto }, ['clean.txt'], scratch),
          new Map([['clean.txt', { kind: 'clean', text: clean }]]),
        );
      }
    } finally {
      made.git('worktree', 'remove', '--force', other);
    }
  });

  it('gives more than a hundred files in their order', async () => {
    const id = (commit: string, file: string): string => made.git('rev-parse', `${commit}:${file}`);
    const [conflict, other] = ['conflict.txt', 'clean.txt'].map((file) => ({
      base: id(base, file),
      changed: id(changed, file),
      onto: id(onto, file),
    }));
    assert.ok(conflict && other);
    const moves = Array.from({ length: 120 }, (_, index) => (index % 11 === 0 ? conflict : other));
    const kinds = (await mergeBlobs(repository, moves, scratch)).map((merge) => merge?.kind);
    assert.deepEqual(
      kinds,
      moves.map((move) => (move === conflict ? 'conflict' : 'clean')),
    );
  });

  it('ends with the reason of the signal, and with what is no word of git', async () => {
    const move = { base, changed, onto };
    const controller = new AbortController();
    controller.abort(new Error('enough'));
    await assert.rejects(mergeWithGit(repository, move, [], scratch, controller.signal), /enough/);
    const broken = {
      ...repository,
      gitBytes: async () => Promise.reject(new TypeError('a mistake of ours')),
    };
    await assert.rejects(mergeWithGit(broken, move, [], scratch), /a mistake of ours/);
  });
});
