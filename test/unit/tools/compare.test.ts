import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
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
    });
  });

  it('tells a person what changed, and no more than that', () => {
    const { stdout } = compare(older.slice(0, 12), 'HEAD');
    assert.match(
      stdout,
      /^older {2}[0-9a-f]{10} {2}Change things\nnewer {2}[0-9a-f]{10} {2}Change more things\n/,
    );
    assert.match(stdout, /^Files: 2 changed, 1 unchanged\.$/m);
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
