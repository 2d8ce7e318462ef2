import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { changesWithContents } from '../../../src/git/changesWithContents.ts';
import { versionOfCommit } from '../../../src/git/commitVersion.ts';
import { repositoryAt } from '../../../src/git/repository.ts';
import { kindOf, type PlacedVersion, type StackChange } from '../../../src/model/reading/stackChanges.ts';
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
    const stackOn = async (base: string): Promise<PlacedVersion[]> => {
      repository.git('reset', '--quiet', '--hard', start);
      repository.commitFile('b.txt', base, 'Base');
      const versions: PlacedVersion[] = [];
      for (const index of [1, 2, 3]) {
        const sha = repository.commitFile('b.txt', `${base}${'more\n'.repeat(index)}`, `Patch ${index}`);
        versions.push((await versionOfCommit(open, sha, `I${index}`)) ?? assert.fail());
      }
      return versions;
    };
    const [older, newer] = [await stackOn(lines()), await stackOn(lines([3, 'theirs']))];
    const changes = async (of: number): Promise<(string | undefined)[]> =>
      (
        await changesWithContents(
          [counted],
          { older: older.slice(0, of), newer: newer.slice(0, of) },
          tmpdir(),
        )
      ).map(kindOf);
    assert.deepEqual(await changes(1), ['rebased']);
    const once = runs;
    assert.deepEqual(await changes(3), ['rebased', 'rebased', 'rebased']);
    assert.equal(runs - once, once);
  });

  it('is unchanged for the very same commit', async () => {
    const sha = repository.commitFile('a.txt', lines([3, 'mine']), 'Change');
    assert.equal(kindOf(await compare(sha, sha)), 'unchanged');
  });
});
