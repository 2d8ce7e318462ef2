import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDisputed, type ToldPatch } from '../../../tools/compareStacks.ts';
import { describeStacks } from '../../../tools/compareText.ts';
import { GitRepository } from '../../support/gitRepository.ts';

const program = fileURLToPath(new URL('../../../tools/compare.ts', import.meta.url));

describe('npm run compare', () => {
  let repository: GitRepository;
  let older: string;
  let newer: string;

  before(() => {
    repository = GitRepository.create();
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}\n`);
    repository.write('kept.txt', lines.join(''));
    repository.write('größe.txt', lines.join(''));
    repository.commit('Start');
    repository.write('kept.txt', lines.with(3, 'mine\n').join(''));
    repository.write('größe.txt', lines.with(3, 'mine\n').join(''));
    repository.write('old.txt', 'a\nb\nc\n');
    older = repository.commit('Change things');
    repository.write('größe.txt', lines.with(3, 'mine\n').with(10, 'and more\n').join(''));
    repository.git('mv', 'old.txt', 'new.txt');
    newer = repository.amend('Change more things');
  });

  after(() => repository.remove());

  const compare = (...args: string[]): { status: number | null; stdout: string; stderr: string } =>
    spawnSync(process.execPath, [program, ...args], { cwd: repository.directory, encoding: 'utf8' });

  it('gives each file of either version its verdict', () => {
    const { stdout } = compare('--repo', repository.directory, older, newer, '--json');
    assert.deepEqual(JSON.parse(stdout), {
      files: [
        { path: 'größe.txt', verdict: 'changed' },
        { path: 'kept.txt', verdict: 'same' },
        { path: 'new.txt', oldPath: 'old.txt', verdict: 'changed' },
      ],
      state: 'changed',
    });
  });

  it('tells a person what changed, and no more than that', () => {
    const { stdout } = compare(older.slice(0, 12), 'HEAD');
    assert.match(
      stdout,
      /^older {2}[0-9a-f]{10} {2}Change things\nnewer {2}[0-9a-f]{10} {2}Change more things\n/,
    );
    assert.match(
      stdout,
      /^In the stacks view: changed since you read it\.\nFiles: 2 changed, 1 unchanged\.$/m,
    );
    assert.doesNotMatch(stdout, /something else/);
    assert.match(stdout, /The message changed\n.*\n {2}-Change things\n {2}\+Change more things\n/);
    assert.match(
      stdout,
      /changed +größe\.txt\n {2}@@ -8,7 \+8,7 @@ line 6\n(?:.*\n)*? {2}-line 10\n {2}\+and more\n/,
    );
    assert.match(stdout, /changed +new\.txt \(was old\.txt\)\n {2}moved, and otherwise unchanged\n/);
    assert.match(stdout, /\nsame +kept\.txt\n$/);
    assert.doesNotMatch(stdout, /[+-]mine/);
  });

  it('says who a file and a commit are of, when those are others', () => {
    repository.git('switch', '--quiet', '--detach', older);
    repository.git('rm', '--quiet', '--cached', 'old.txt');
    repository.write('new.txt', 'new\n');
    repository.git('add', 'new.txt');
    repository.git('commit', '--quiet', '--amend', '--no-edit', '--author=Grace <grace@example.com>');
    const { stdout } = compare(older, 'HEAD');
    assert.match(stdout, /^Files: 1 newly changed, 1 no longer changed, 2 unchanged\.$/m);
    assert.match(
      stdout,
      /^The author changed\n {2}Ada Lovelace <ada@example\.com> → Grace <grace@example\.com>$/m,
    );
    assert.match(stdout, /^added +new\.txt\nThe older version leaves this file as it is\.\n.*\n {2}\+new$/m);
    assert.match(
      stdout,
      /^removed +old\.txt\nThe newer version leaves this file as it is\. The older one:\n/m,
    );
    repository.git('clean', '--quiet', '--force');
    repository.git('switch', '--quiet', 'main');
  });

  it('tells of a conflict what is another now, without what the base alone has changed', () => {
    repository.git('switch', '--quiet', '--detach', `${older}~1`);
    repository.replace('kept.txt', 'line 3\n', 'of the base\n');
    repository.replace('kept.txt', 'line 17\n', 'of the base, too\n');
    repository.commit('Go on');
    repository.replace('kept.txt', 'of the base\n', 'mine and of the base\n');
    const { stdout } = compare(older, repository.commit('Change things'));
    assert.match(
      stdout,
      /^What is another now .*\n {2}@@ .*\n(?: {3}.*\n)* {2}-mine\n {2}\+mine and of the base\n/m,
    );
    assert.match(stdout, /^All of the newer version:\n(?: {2}[@ ].*\n)* {2}-of the base\n {2}\+mine and/m);
    assert.doesNotMatch(stdout, /^ {2}[+-].*of the base, too/m);
    repository.git('switch', '--quiet', 'main');
  });

  it('shows the ends of lines, and has nothing of a file act on the terminal', () => {
    repository.write('kept.txt', 'line 0\r\n\u001b[2J\u202eright to left\n');
    const { stdout } = compare(older, repository.amend());
    assert.match(stdout, /^ {2}\+line 0␍\n {2}\+␛\[2J<U\+202E>right to left$/m);
    assert.doesNotMatch(stdout.replaceAll('\n', ''), /[\u0000-\u001f\u202e]/);
  });

  describe('of stacks', () => {
    let stacks: GitRepository;
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index}\n`);
    const write = (edits: Record<number, string>): void =>
      stacks.write('a.txt', lines.map((line, index) => edits[index] ?? line).join(''));

    before(() => {
      stacks = GitRepository.create();
      write({});
      stacks.commit('Start');
      stacks.branch('was');
      stacks.commitFile('b.txt', 'one\ntwo\nthree\n', 'Rebase nothing');
      write({ 3: 'mine\n' });
      stacks.commit('Rebase only');
      write({ 3: 'mine\n', 20: 'then\n' });
      stacks.commit('Change');
      stacks.commitFile('c.txt', 'gone\naltogether\n', 'Drop');
      stacks.switch('main');
      write({ 29: 'the base\n' });
      stacks.commit('Go on');
      stacks.branch('is');
      write({ 3: 'mine\n', 29: 'the base\n' });
      stacks.commit('Rebase only');
      write({ 3: 'mine\n', 20: 'then\n', 21: 'and more\n', 29: 'the base\n' });
      stacks.commit('Change');
      stacks.commitFile('b.txt', 'one\ntwo\nthree\n', 'Rebase nothing');
      stacks.commitFile('d.txt', 'nobody\nhas\nread\nthis\n', 'Add');
    });

    after(() => stacks.remove());

    const compareIn = (...args: string[]): { status: number | null; stdout: string; stderr: string } =>
      spawnSync(process.execPath, [program, '--repo', stacks.directory, ...args], { encoding: 'utf8' });

    it('says of each patch what its row says, and what became of its files', () => {
      const { status, stdout } = compareIn('main~1..was', 'main..is');
      assert.deepEqual(stdout.replaceAll(/[0-9a-f]{10}/g, 'SHA').split('\n\n'), [
        '  2:  SHA →   1:  SHA  Rebase only\n      In the stacks view: only rebased.\n      Files: 1 only rebased.',
        '  3:  SHA →   2:  SHA  Change\n      In the stacks view: changed since you read it.\n      Files: 1 changed.',
        '  1:  SHA →   3:  SHA  Rebase nothing\n      In the stacks view: read.\n      Reordered.\n      Files: 1 unchanged.',
        '  -:  ---------- →   4:  SHA  Add\n      In the stacks view: unread.',
        '  4:  SHA →   -:  ----------  Drop\n      No longer there.',
        'Rows that say what the files do: 3 of 3.\n',
      ]);
      assert.equal(status, 0);
    });

    it('takes what git range-diff takes', () => {
      const { stdout } = compareIn('is..was', 'was..is');
      assert.match(stdout, / Go on\n/);
      assert.equal(compareIn('was...is').stdout, stdout);
      assert.match(compareIn('main~1', 'was', 'was').stdout, /what the files do: 4 of 4\.\n$/);
      for (const [args, sentence] of [
        [['main..was', 'is'], /^Name two commits/],
        [['main..was'], /^Name two commits/],
        [['main..was', 'nowhere..is'], /nowhere/],
      ] as const) {
        const { status, stdout: printed, stderr } = compareIn(...args);
        assert.deepEqual([status, printed], [2, '']);
        assert.match(stderr, sentence);
      }
    });

    it('gives programs the state of each row, and the verdict of each file', () => {
      const { patches } = JSON.parse(compareIn('main~1..was', 'main..is', '--json').stdout) as {
        patches: object[];
      };
      assert.deepEqual(
        patches.map((patch) => ({ ...patch, older: 'older' in patch, newer: 'newer' in patch })),
        [
          { older: true, newer: true, state: 'rebased', files: [{ path: 'a.txt', verdict: 'rebased' }] },
          { older: true, newer: true, state: 'changed', files: [{ path: 'a.txt', verdict: 'changed' }] },
          { older: true, newer: true, state: 'unchanged', files: [{ path: 'b.txt', verdict: 'same' }] },
          { older: false, newer: true, state: 'unread' },
          { older: true, newer: false },
        ],
      );
    });

    it('ends with 1 where a row says something else than the files', () => {
      stacks.switch('main');
      stacks.git('mv', 'a.txt', 'moved.txt');
      stacks.commit('Move');
      stacks.branch('moved');
      stacks.replace('moved.txt', 'line 3\n', 'mine\n');
      const newer = stacks.commit('Rebase only');
      const older = stacks.git('rev-parse', 'was~2');
      assert.equal(compareIn(older, newer).status, 0);
      // The row alone asks git like that whether the base has moved a file.
      const folder = mkdtempSync(path.join(tmpdir(), 'patch-stacks-git-'));
      const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
      const deaf = `#!/bin/sh\ncase "$*" in *ls-tree*--name-only*) exit 1;; esac\nexec '${git}' "$@"\n`;
      writeFileSync(path.join(folder, 'git'), deaf, { mode: 0o755 });
      const env = { ...process.env, PATH: `${folder}${path.delimiter}${process.env['PATH'] ?? ''}` };
      const { status, stdout } = spawnSync(
        process.execPath,
        [program, '--repo', stacks.directory, older, newer],
        { encoding: 'utf8', env },
      );
      rmSync(folder, { recursive: true });
      assert.match(
        stdout,
        /^In the stacks view: changed since you read it\.\nThe files say something else: rebased\.\nFiles: 1 only rebased\.$/m,
      );
      assert.equal(status, 1);
    });

    it('says plainly where a row says something else than the files', () => {
      const version = {
        changeId: 'I1',
        commitSha: 'a'.repeat(40),
        title: 'Told wrong',
        message: '',
        sections: [],
        files: [],
      };
      const told = (outcome: 'changed' | 'rebased'): ToldPatch => ({
        older: version,
        newer: version,
        isMoved: false,
        row: { state: 'rebased' },
        commits: { files: [], outcome },
      });
      const text = (...patches: ToldPatch[]): string =>
        describeStacks(
          [[version], [version]],
          patches,
          ({ state }) => state,
          (_, words) => words,
        );
      const disputed = text(told('changed'), told('rebased'));
      assert.match(disputed, /In the stacks view: rebased\.\n +The files say something else: changed\.\n/);
      assert.match(disputed, /\n\nRows that say something else than the files: 1 of 2\.\n$/);
      assert.doesNotMatch(text(told('rebased')), /something else/);
      assert.equal(isDisputed({ ...told('changed'), row: { state: 'read' } }), true);
      assert.equal(isDisputed({ older: version, isMoved: false }), false);
    });
  });

  it('says what is wrong with what it was told', () => {
    for (const [args, sentence] of [
      [[older], /^Name two commits/],
      [[older, 'nowhere'], /^Couldn't find commit "nowhere" in /],
      [['--repo', path.join(repository.directory, 'none'), older, newer], /^Couldn't find the folder .*none/],
      [['--color', older, newer], /color/],
    ] as const) {
      const { status, stdout, stderr } = compare(...args);
      assert.deepEqual([status, stdout], [2, '']);
      assert.match(stderr, sentence);
    }
    assert.match(compare('--help').stdout, /^Tells what .*\n\nUsage: /);
  });
});
