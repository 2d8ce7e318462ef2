import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { contentOfPatch } from '../../../src/git/binaryPatch.ts';
import { Random } from '../../support/random.ts';

describe('the content of a binary diff', () => {
  let folder: string;
  before(() => (folder = mkdtempSync(path.join(tmpdir(), 'binary-patch-'))));
  after(() => rmSync(folder, { recursive: true }));

  /** The diff that git itself makes of a new file. */
  const diffOf = (content: Uint8Array): string => {
    const file = path.join(folder, 'file.bin');
    writeFileSync(file, content);
    try {
      return execFileSync('git', ['diff', '--no-index', '--binary', '/dev/null', file], { encoding: 'utf8' });
    } catch (error) {
      // Git says by its exit that they differ.
      return (error as { stdout: string }).stdout;
    }
  };

  it('is what git wrote', () => {
    const random = new Random(85);
    for (const size of [1, 3, 4, 5, 51, 52, 53, 4_000]) {
      const content = Buffer.from([0, ...Array.from({ length: size - 1 }, () => random.below(256))]);
      const diff = diffOf(content);
      assert.deepEqual(contentOfPatch(diff, size), content, diff);
      assert.equal(contentOfPatch(diff, size - 1), undefined);
    }
  });

  it('is what the file was, too, where git wrote that', () => {
    const before = Buffer.from([0, 255, 1, 2]);
    const after = Buffer.from([0, 3, 254]);
    const [back, here] = [before, after].map((content) => diffOf(content).split('GIT binary patch\n')[1]!);
    const diff = `GIT binary patch\n${here!.split('\n\n')[0]}\n\n${back!.split('\n\n')[0]}\n\n`;
    for (const text of [diff, diff.replaceAll('\n', '\r\n')]) {
      assert.deepEqual(contentOfPatch(text, 10), after);
      assert.deepEqual(contentOfPatch(text, 10, 'before'), before);
    }
    assert.deepEqual(contentOfPatch(diffOf(after), 10, 'before'), Buffer.alloc(0));
  });

  it('is not known of anything else', () => {
    const diff = diffOf(Buffer.from([0, 1, 2, 3]));
    for (const other of [
      '',
      'Binary files differ\n',
      'GIT binary patch\ndelta 4\nLc${@@@\n\n',
      'GIT binary patch\nliteral 4\n\n',
      diff.replace('literal 4', 'literal 3'),
      diff.replace('literal 4', 'literal 5'),
      diff.replace(/(literal 4\n.)./, '$1"'),
      diff.replace(/(literal 4\n)./, '$1~'),
      'GIT binary patch\nliteral 4\nD~~~~~\n\n',
    ]) {
      assert.equal(contentOfPatch(other, 1_000), undefined, other);
    }
  });
});
