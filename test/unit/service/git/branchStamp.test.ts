import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { stampOf } from '../../../../src/service/git/branchStamp.ts';
import { openRepository, type Repository } from '../../../../src/service/git/repository.ts';
import { GitRepository } from '../../../support/gitRepository.ts';

describe('the stamp of the branches of a repository', () => {
  let clone: GitRepository;
  let repository: Repository;

  beforeEach(async () => {
    clone = GitRepository.withMain('clone');
    clone.git('update-ref', 'refs/remotes/origin/topic/one', 'main');
    repository = await openRepository(clone.directory);
  });

  afterEach(() => clone.remove());

  /** Has all files be of an earlier time: what is written from now on differs. */
  const settle = (): void => {
    execFileSync('find', [
      path.join(clone.directory, '.git'),
      '-exec',
      'touch',
      '-d',
      '2020-01-01',
      '{}',
      '+',
    ]);
  };

  it('is the same where nothing was written', async () => {
    settle();
    const stamp = await stampOf(repository);
    assert.notEqual(stamp.times, undefined);
    clone.git('status');
    assert.equal(await stampOf(repository, stamp), stamp);
    assert.deepEqual(await stampOf(repository), stamp);
  });

  it('is none where something was written just now', async () => {
    settle();
    const stamp = await stampOf(repository);
    clone.git('branch', 'another');
    const now = await stampOf(repository, stamp);
    assert.equal(now.times, undefined);
    assert.notEqual(await stampOf(repository, now), now);
  });

  const changes: Record<string, string[]> = {
    'a branch of a remote has moved': ['update-ref', 'refs/remotes/origin/topic/one', 'HEAD~1'],
    'a branch has come in a folder of its own': ['branch', 'topic/two/three'],
    'a branch is gone': ['update-ref', '-d', 'refs/remotes/origin/topic/one'],
    'all were packed': ['pack-refs', '--all'],
    'a setting has changed': ['config', 'remote.origin.url', '/nowhere'],
  };
  for (const [name, change] of Object.entries(changes)) {
    it(`is another one where ${name}`, async () => {
      clone.commitFile('b.txt', 'b\n', 'Second');
      clone.git('update-ref', 'refs/remotes/origin/topic/one', 'HEAD');
      settle();
      const stamp = await stampOf(repository);
      clone.git(...change);
      // As it is some seconds later.
      execFileSync('find', [path.join(clone.directory, '.git'), '-newermt', '2021-01-01', '-exec', 'touch', '-d', '2022-01-01', '{}', '+']); // prettier-ignore
      const later = await stampOf(repository, stamp);
      assert.notEqual(later.times, undefined);
      assert.notEqual(later.times, stamp.times);
      assert.deepEqual(await stampOf(repository), later);
    });
  }
});
