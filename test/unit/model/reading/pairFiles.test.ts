import assert from 'node:assert/strict';
import type { FileChange, FileState } from '../../../../src/model/reading/fileChange.ts';
import { pairFiles, unpairedPaths } from '../../../../src/model/reading/pairFiles.ts';

const state = (text: string): FileState => ({ mode: '100644', content: { kind: 'text', text } });
const modified = (path: string, oldPath = path): FileChange => ({
  oldPath,
  path,
  before: state('before\n'),
  after: state('after\n'),
});
const added = (path: string, text: string): FileChange => ({ oldPath: path, path, after: state(text) });
const deleted = (path: string): FileChange => ({ oldPath: path, path, before: state('before\n') });
const told = (
  older: readonly FileChange[],
  newer: readonly FileChange[],
  baseRenames?: ReadonlyMap<string, string>,
): string[] =>
  pairFiles(older, newer, baseRenames)
    .map((pair) => `${pair.older?.path ?? '-'} ${pair.newer?.path ?? '-'}${pair.isMoved ? ' moved' : ''}`)
    .sort();

describe('the files of two versions', () => {
  it('are paired by their paths', () => {
    assert.deepEqual(told([modified('a'), modified('b')], [modified('b'), added('c', 'c\n')]), [
      '- c',
      'a -',
      'b b',
    ]);
  });

  it('are the same under the name that the newer base gives them', () => {
    const renames = new Map([['a', 'b']]);
    assert.deepEqual(told([modified('a')], [modified('b')], renames), ['a b']);
    assert.deepEqual(told([modified('c', 'a')], [modified('c', 'b')], renames), ['c c']);
    assert.deepEqual(unpairedPaths([modified('a')], [modified('b')]), { older: ['a'], newer: ['b'] });
  });

  it('are moved when the author gave them another name', () => {
    assert.deepEqual(told([modified('a')], [modified('b', 'a')]), ['a b moved']);
    assert.deepEqual(told([modified('b', 'a')], [modified('c', 'a')]), ['b c moved']);
    assert.deepEqual(told([modified('b', 'a')], [modified('b', 'c')]), ['b b moved']);
    assert.deepEqual(told([added('a', '1\n2\n3\n')], [added('b', '1\n2\n4\n')]), ['a b moved']);
  });

  it('are two when little of an added one is in the other', () => {
    assert.deepEqual(told([added('a', '1\n2\n3\n')], [added('b', '1\n5\n6\n')]), ['- b', 'a -']);
    assert.deepEqual(told([added('a', '')], [added('b', '')]), ['- b', 'a -']);
  });

  it('are renamed in both when only one of them is said to be', () => {
    const split = [deleted('a'), added('b', 'after\n')];
    assert.deepEqual(told([modified('b', 'a')], split), ['b b']);
    assert.deepEqual(told(split, [modified('b', 'a')]), ['b b']);
  });
});
