import assert from 'node:assert/strict';
import { commitOfRevision, tagNames } from '../../../src/git/revisions.ts';
import { repositoryAt } from '../../../src/git/repository.ts';
import { GitRepository } from '../../support/gitRepository.ts';

describe('commits of an open repository', () => {
  let repository: GitRepository;
  let head: string;

  before(() => {
    repository = GitRepository.withMain();
    repository.write('a.txt', 'a\n');
    head = repository.commit('Grüße | with\ttabs');
    repository.git('tag', 'v1.0.0');
    repository.git('tag', '--annotate', '--message', 'A tag with words', 'v1.1.0');
  });

  after(() => repository.remove());

  const find = (revision: string) => commitOfRevision(repositoryAt('git', repository.directory), revision);

  it('are found by branch, tag, short SHA and anything else that git knows', async () => {
    const found = { sha: head, subject: 'Grüße | with\ttabs', pushed: false };
    for (const revision of [
      'HEAD',
      'main',
      'v1.0.0',
      'v1.1.0',
      head.slice(0, 7),
      head,
      'main~0',
      ':/Grüße',
    ]) {
      assert.deepEqual(await find(revision), found, revision);
    }
  });

  it('are not found where there is none, and never make git do something else', async () => {
    for (const revision of ['nothing', '', '--all', '-h', 'HEAD~99', 'HEAD:a.txt', 'a b', '0'.repeat(40)]) {
      assert.equal(await find(revision), undefined, revision);
    }
  });

  it('are pushed when a branch of a remote has them', async () => {
    repository.git('update-ref', 'refs/remotes/origin/main', 'HEAD~1');
    assert.equal((await find('HEAD'))?.pushed, false);
    assert.equal((await find('HEAD~1'))?.pushed, true);
  });

  it('have tags', async () => {
    assert.deepEqual(await tagNames(repositoryAt('git', repository.directory)), ['v1.0.0', 'v1.1.0']);
  });

  it('end with the signal, and say when Git is not there', async () => {
    const here = repositoryAt('git', repository.directory);
    await assert.rejects(commitOfRevision(here, 'HEAD', AbortSignal.abort()));
    await assert.rejects(commitOfRevision(repositoryAt('no-such-git', repository.directory), 'HEAD'));
  });
});
