import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { changesWithContents } from '../../../src/git/changesWithContents.ts';
import { versionOfCommit } from '../../../src/git/commitVersion.ts';
import { repositoryAt } from '../../../src/git/repository.ts';
import { kindOf, type StackChange } from '../../../src/model/reading/stackChange.ts';
import type { PlacedVersion } from '../../../src/model/reading/stackChanges.ts';
import { GitRepository } from '../../support/gitRepository.ts';

const lines = (...others: [at: number, text: string][]): string =>
  Array.from(
    { length: 20 },
    (_, at) => `${others.find(([place]) => place === at)?.[1] ?? `line ${at}`}\n`,
  ).join('');

describe('what became of the patches of a stack, with the contents of their files', () => {
  let repository: GitRepository;

  beforeEach(() => {
    repository = GitRepository.create();
    repository.commitFile('a.txt', lines(), 'Start');
  });

  afterEach(() => repository.remove());

  async function compare(older: string, newer: string, hasGit = true): Promise<StackChange> {
    const open = repositoryAt('git', repository.directory);
    const versionOf = async (sha: string): Promise<PlacedVersion> =>
      (await versionOfCommit(open, sha, 'I1')) ?? assert.fail();
    const versions = { older: [await versionOf(older)], newer: [await versionOf(newer)] };
    const [change, ...more] = await changesWithContents(hasGit ? [open] : [], versions, tmpdir());
    assert.ok(change && more.length === 0);
    return change;
  }

  /** A commit, and one on a base that has another line at this place. */
  function rebased(at: number, resolved: string, title = 'Change'): [older: string, newer: string] {
    const start = repository.head();
    const older = repository.commitFile('a.txt', lines([3, 'mine']), 'Change');
    repository.git('reset', '--quiet', '--hard', start);
    repository.commitFile('a.txt', lines([at, 'theirs']), 'Base');
    return [older, repository.commitFile('a.txt', resolved, title)];
  }

  it('is only rebased where the base changed elsewhere, and nobody had a conflict to resolve', async () => {
    const change = await compare(...rebased(15, lines([3, 'mine'], [15, 'theirs'])));
    assert.deepEqual([kindOf(change), change.outcome?.isConflict], ['rebased', undefined]);
  });

  it('tells that a conflict was resolved', async () => {
    const change = await compare(...rebased(3, lines([3, 'mine and theirs'])));
    assert.deepEqual([kindOf(change), change.outcome?.isConflict], ['changed', true]);
    // Whatever else is certain to have changed.
    const reworded = await compare(...rebased(3, lines([3, 'both']), 'Another title'));
    assert.equal(reworded.outcome?.isConflict, true);
  });

  it('is changed without a conflict where the author changed more', async () => {
    const change = await compare(...rebased(15, lines([3, 'mine'], [9, 'more'], [15, 'theirs'])));
    assert.deepEqual([kindOf(change), change.outcome?.isConflict], ['changed', undefined]);
  });

  it('says no more than the diffs show where git is not to be had', async () => {
    const change = await compare(...rebased(15, lines([3, 'mine'], [15, 'theirs'])), false);
    assert.deepEqual([kindOf(change), change.outcome?.isCertain], ['alike', false]);
  });

  it('takes as few runs of git for many patches as for one', async () => {
    const open = repositoryAt('git', repository.directory);
    let runs = 0;
    const counted: typeof open = {
      ...open,
      gitBytes: (...args) => {
        runs += 1;
        return open.gitBytes(...args);
      },
    };
    const start = repository.head();
    const stackOn = async (base: string, ...patches: string[]): Promise<PlacedVersion[]> => {
      repository.git('reset', '--quiet', '--hard', start);
      repository.commitFile('b.txt', base, 'Base');
      const versions: PlacedVersion[] = [];
      for (const [index, text] of patches.entries()) {
        const sha = repository.commitFile(index === 0 ? 'c.txt' : 'b.txt', text, `Patch ${index}`);
        versions.push((await versionOfCommit(open, sha, `I${index}`)) ?? assert.fail());
      }
      return versions;
    };
    const older = await stackOn(lines(), 'new\n', lines([9, 'one']), lines([9, 'one'], [15, 'two']));
    const theirs: [number, string] = [3, 'theirs'];
    const newer = await stackOn(
      lines(theirs),
      'new\n',
      lines(theirs, [9, 'one']),
      lines(theirs, [9, 'one'], [15, 'two'], [18, 'three']),
    );
    const changes = async (from: number, to: number): Promise<(string | undefined)[]> => {
      const versions = { older: older.slice(from, to), newer: newer.slice(from, to) };
      return (await changesWithContents([counted], versions, tmpdir())).map(kindOf);
    };
    assert.deepEqual(await changes(2, 3), ['changed']);
    const once = runs;
    assert.deepEqual(await changes(0, 3), ['unchanged', 'rebased', 'changed']);
    assert.equal(runs - once, once);
  });

  it('is unchanged for the very same commit', async () => {
    const sha = repository.commitFile('a.txt', lines([3, 'mine']), 'Change');
    assert.equal(kindOf(await compare(sha, sha)), 'unchanged');
  });
});
