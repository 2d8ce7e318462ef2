import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { BranchWatch } from '../../../src/service/git/branchWatch.ts';
import { openRepository } from '../../../src/service/git/repository.ts';
import { GitRepository } from '../../support/gitRepository.ts';

describe('the watch of branches', () => {
  let repository: GitRepository;
  const watches: BranchWatch[] = [];

  beforeEach(() => {
    repository = GitRepository.withMain();
  });

  afterEach(() => {
    watches.splice(0).forEach((watch) => watch.dispose());
    repository.remove();
  });

  /** Watches, and waits for the look at the beginning. */
  async function watch(onMove: () => Promise<unknown>): Promise<BranchWatch> {
    const moves = new EventEmitter();
    const begun = once(moves, 'move');
    const opened = await openRepository(repository.directory);
    const started = new BranchWatch(opened, async () => {
      moves.emit('move');
      await onMove();
    });
    watches.push(started);
    await begun;
    return started;
  }

  it('tells of a move only when what was done for the one before has ended', async () => {
    const calls = new EventEmitter();
    const release: (() => void)[] = [];
    let running = 0;
    let most = 0;
    await watch(async () => {
      running += 1;
      most = Math.max(most, running);
      calls.emit('call');
      await new Promise<void>((resolve) => release.push(resolve));
      running -= 1;
    });
    release.shift()?.();
    const called = once(calls, 'call');
    repository.git('branch', 'one');
    await called;
    // The second comes while the first is still being seen to.
    const witness = new EventEmitter();
    await watch(async () => void witness.emit('seen'));
    const seen = once(witness, 'seen');
    repository.git('branch', 'two');
    await seen;
    assert.equal(most, 1);
    const again = once(calls, 'call');
    release.shift()?.();
    await again;
    release.shift()?.();
    assert.equal(most, 1);
  });

  describe('hears at once', () => {
    const moves = new EventEmitter();

    beforeEach(async () => {
      repository.git('branch', 'deep/er/one');
      await watch(async () => void moves.emit('moved'));
    });

    async function moved(work: () => unknown): Promise<void> {
      const heard = once(moves, 'moved');
      work();
      await heard;
    }

    it('of branches in folders, also in one that is new, or was deleted and made again', async () => {
      await moved(() => repository.commitFile('a.txt', 'a\n', 'One'));
      const [head, before] = [repository.git('rev-parse', 'HEAD'), repository.git('rev-parse', 'HEAD~1')];
      await moved(() => repository.git('update-ref', 'refs/heads/deep/er/one', head));
      await moved(() => {
        repository.git('branch', '-D', 'deep/er/one');
        repository.git('branch', 'deep/er/one', before);
      });
      await moved(() => repository.git('update-ref', 'refs/heads/deep/er/one', head));
      await moved(() => repository.git('branch', 'new/folder/one'));
      await moved(() => repository.git('update-ref', 'refs/heads/new/folder/one', before));
    });

    it('of the branches of every remote, packed ones, and ones that another working tree commits to', async () => {
      await moved(() => repository.git('update-ref', 'refs/remotes/upstream/feature/x', 'main'));
      repository.git('pack-refs', '--all');
      await moved(() => repository.commitFile('a.txt', 'a\n', 'One'));
      await moved(() => repository.git('update-ref', 'refs/remotes/upstream/feature/x', 'main'));
      const other = `${repository.directory}-other`;
      await moved(() => repository.git('worktree', 'add', '--quiet', '-b', 'elsewhere', other));
      await moved(() => repository.git('-C', other, 'commit', '--quiet', '--allow-empty', '-m', 'There'));
    });
  });

  it('tells nothing any more once it has ended', async () => {
    let calls = 0;
    const ended = await watch(async () => (calls += 1));
    const witness = new EventEmitter();
    await watch(async () => void witness.emit('seen'));
    ended.dispose();
    // By the second time, the first would have been told of by both.
    for (const name of ['one', 'two']) {
      const seen = once(witness, 'seen');
      repository.git('branch', name);
      await seen;
    }
    assert.equal(calls, 1);
  });
});
