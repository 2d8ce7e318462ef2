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
      /changed +größe\.txt\n {2}@@ -8,7 \+8,7 @@\n(?:.*\n)*? {2}-line 10\n {2}\+and more\n/,
    );
    assert.match(stdout, /changed +new\.txt \(was old\.txt\)\n {2}moved, and otherwise unchanged\n/);
    assert.match(stdout, /\nsame +kept\.txt\n$/);
    assert.doesNotMatch(stdout, /[+-]mine/);
  });

  it('says what is wrong with what it was told', () => {
    for (const [args, sentence] of [
      [[older], /^Name two commits/],
      [[older, 'nowhere'], /^Couldn't find commit "nowhere" in /],
      [['--repo', path.join(repository.directory, 'none'), older, newer], /^Couldn't find the folder .*none/],
      [['--colour', older, newer], /colour/],
    ] as const) {
      const { status, stdout, stderr } = compare(...args);
      assert.deepEqual([status, stdout], [2, '']);
      assert.match(stderr, sentence);
    }
    assert.match(compare('--help').stdout, /^Tells what .*\n\nUsage: /);
  });
});
