import assert from 'node:assert/strict';
import { SharedRepositories } from '../../../src/accounts/sharing/sharedRepositories.ts';
import { MemoryMemento } from '../../support/memento.ts';

describe('the repositories whose reviews are shared', () => {
  let repositories: SharedRepositories;

  beforeEach(() => {
    repositories = new SharedRepositories(new MemoryMemento());
  });

  it('are remembered with their remotes until somebody stops it, each by itself', async () => {
    assert.equal(repositories.remoteOf('/a'), undefined);
    await repositories.remember('/a', 'origin');
    await repositories.remember('/b', 'upstream');
    await repositories.remember('/a', 'fork');
    assert.deepEqual(['/a', '/b', '/c'].map((folder) => repositories.remoteOf(folder)), [
      'fork',
      'upstream',
      undefined,
    ]); // prettier-ignore
    await repositories.remember('/a', undefined);
    assert.deepEqual([repositories.remoteOf('/a'), repositories.remoteOf('/b')], [undefined, 'upstream']);
  });

  it('are offered once', async () => {
    assert.equal(repositories.wasOffered('/a'), false);
    await repositories.noteOffered('/a');
    await repositories.noteOffered('/b');
    await repositories.noteOffered('/a');
    assert.deepEqual(
      ['/a', '/b', '/c'].map((folder) => repositories.wasOffered(folder)),
      [true, true, false],
    );
  });

  it('keep the problems that the person has hidden, until others are', async () => {
    assert.deepEqual(repositories.hiddenIn('/a'), []);
    await repositories.hide('/a', ['one', 'two']);
    await repositories.hide('/b', ['three']);
    await repositories.hide('/a', ['four']);
    assert.deepEqual([repositories.hiddenIn('/a'), repositories.hiddenIn('/b')], [['four'], ['three']]);
  });
});
