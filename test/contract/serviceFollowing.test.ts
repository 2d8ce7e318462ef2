import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { BranchWatch } from '../../src/service/git/branchWatch.ts';
import { openRepository } from '../../src/service/git/repository.ts';
import type { ImportSummary } from '../../src/service/service.ts';
import { GitRepository } from '../support/gitRepository.ts';
import { RunningService } from '../support/runningService.ts';

describe('service: following a repository', function () {
  this.timeout(60_000);
  let repository: GitRepository;
  let running: RunningService;
  let told: ImportSummary[];
  const news = new EventEmitter();

  beforeEach(async () => {
    told = [];
    repository = GitRepository.withMain();
    repository.branch('topic');
    repository.commitFile('a.txt', 'a\n', 'One');
    running = await RunningService.start({
      repository: repository.directory,
      onFollowed: (imported) => {
        told.push(imported);
        news.emit('followed');
      },
    });
    // It looks once when it begins; from here on only where git has left a sign.
    await followed(() => repository.commitFile('first.txt', '1\n', 'First'));
    told = [];
  });

  afterEach(async () => {
    await running.stop();
    repository.remove();
  });

  /** Waits until what was done has come to the service by itself. */
  async function followed(work: () => unknown): Promise<void> {
    const heard = once(news, 'followed');
    work();
    await heard;
  }

  async function stacks(): Promise<string[]> {
    const project = String(running.service.imported?.projectId);
    const { list } = await running.call('GET', `/patch_stack/${project}`);
    const active = list.filter(({ status }) => status === 'active');
    return active.map(({ branch_id, stack_size }) => `${branch_id} ${stack_size}`).sort();
  }

  it('has commits, amended ones, and branches that come and go, without anybody asking', async () => {
    assert.deepEqual(await stacks(), ['topic 2']);
    await followed(() => repository.commitFile('b.txt', 'b\n', 'Two'));
    assert.deepEqual(await stacks(), ['topic 3']);
    await followed(() => repository.amend('Two, amended'));
    const project = String(running.service.imported?.projectId);
    const { body } = await running.call('GET', `/patch_stack/${project}/topic`);
    assert.deepEqual(
      body.patches.map(({ title }) => title),
      ['One', 'First', 'Two, amended'],
    );
    await followed(() => repository.git('branch', 'other'));
    assert.deepEqual(await stacks(), ['other 3', 'topic 3']);
    await followed(() => repository.git('branch', '-D', 'other'));
    assert.deepEqual(await stacks(), ['topic 3']);
  });

  it('tells nothing of what changes no stack', async () => {
    repository.write('unsaved.txt', 'x\n');
    repository.git('add', 'unsaved.txt');
    repository.git('tag', 'tagged');
    repository.git('reset', '--quiet');
    const opened = await openRepository(repository.directory);
    const begun = once(news, 'moved');
    const witness = new BranchWatch(opened, async () => void news.emit('moved'));
    await begun;
    // By the second time, the first would have been told of.
    for (const branch of ['main', 'topic']) {
      const moved = once(news, 'moved');
      repository.switch(branch);
      await moved;
    }
    witness.dispose();
    await followed(() => repository.commitFile('b.txt', 'b\n', 'Two'));
    assert.equal(told.length, 1);
  });

  it('has what is reset, renamed, packed, and committed in another working tree', async () => {
    await followed(() => repository.git('reset', '--quiet', '--hard', 'HEAD~1'));
    assert.deepEqual(await stacks(), ['topic 1']);
    await followed(() => repository.git('branch', '--move', 'topic', 'renamed'));
    assert.deepEqual(await stacks(), ['renamed 1']);
    repository.git('pack-refs', '--all', '--prune');
    await followed(() => repository.git('branch', '--copy', 'packed'));
    // Its only place is the file of all packed ones.
    await followed(() => {
      repository.git('pack-refs', '--all', '--prune');
      repository.git('branch', '-D', 'packed');
    });
    assert.deepEqual(await stacks(), ['renamed 1']);
    const other = `${repository.directory}-other`;
    await followed(() => repository.git('worktree', 'add', '--quiet', '-b', 'elsewhere', other));
    await followed(() => repository.git('-C', other, 'commit', '--quiet', '--allow-empty', '-m', 'There'));
    assert.deepEqual(await stacks(), ['elsewhere 2', 'renamed 1']);
  });

  it("has what is fetched: a colleague's new version, and commits that were merged", async () => {
    const colleague = GitRepository.withMain();
    try {
      colleague.branch('theirs');
      colleague.commitFile('b.txt', 'b\n', 'Theirs');
      repository.git('remote', 'add', 'origin', colleague.directory);
      await followed(() => repository.git('fetch', '--quiet', 'origin', 'theirs:theirs'));
      assert.deepEqual(await stacks(), ['theirs 1', 'topic 2']);
      colleague.amend('Theirs, amended');
      await followed(() => repository.git('fetch', '--quiet', 'origin', '+theirs:theirs'));
      const project = String(running.service.imported?.projectId);
      const { body } = await running.call('GET', `/patch_stack/${project}/theirs`);
      assert.deepEqual([body.version, body.patches.map(({ title }) => title)], [2, ['Theirs, amended']]);
      // No branch of one's own is moved by it: only what the others are compared with.
      colleague.git('fetch', '--quiet', repository.directory, 'topic');
      colleague.git('update-ref', 'refs/heads/main', 'FETCH_HEAD~1');
      await followed(() => repository.git('fetch', '--quiet', 'origin', '+main:refs/remotes/origin/main'));
      assert.deepEqual(await stacks(), ['theirs 1', 'topic 1']);
    } finally {
      colleague.remove();
    }
  });

  for (const [stop, begin, goOn] of [
    ['at a conflict', ['rebase', '--quiet', 'main'], ['add', '3.txt']],
    [
      'to edit a commit',
      ['-c', 'sequence.editor=sed -i.bak 5s/^pick/edit/', 'rebase', '-i', 'main'],
      ['commit', '--quiet', '--all', '--amend', '-m', 'Edited'],
    ],
  ] as const) {
    it(`serves nothing of ten commits that are rebased while that has stopped ${stop}`, async () => {
      await followed(() => {
        for (let number = 1; number <= 8; number++) {
          repository.commitFile(`${number}.txt`, `${number}\n`, `Change ${number}`);
        }
        repository.switch('main');
        repository.commitFile(stop === 'at a conflict' ? '3.txt' : 'other.txt', '0\n', 'Other');
        repository.switch('topic');
      });
      const project = String(running.service.imported?.projectId);
      const served = async () => (await running.call('GET', `/patch_stack/${project}/topic`)).body;
      const before = await served();
      told = [];
      try {
        repository.git(...begin);
      } catch {
        // A conflict.
      }
      assert.match(repository.git('status'), /rebase in progress/);
      repository.write('3.txt', 'edited\n');
      repository.git(...goOn);
      await followed(() => repository.git('branch', 'sign', 'topic'));
      assert.deepEqual(await served(), before);
      const results = told.map((one) => one.stacks.map(({ branch, result }) => `${branch} ${result}`).sort());
      assert.deepEqual(results, [['sign new', 'topic unchanged']]);
      await followed(() => repository.git('rebase', '--continue'));
      assert.deepEqual(await stacks(), ['sign 10', 'topic 10']);
      assert.equal((await served()).version, before.version + 1);
    });
  }

  it('goes on after a moment in which Git could not be asked', async () => {
    const head = repository.git('symbolic-ref', 'HEAD');
    await followed(() => {
      repository.git('symbolic-ref', 'HEAD', 'refs/heads/nothing');
      repository.git('symbolic-ref', 'HEAD', head);
      repository.commitFile('b.txt', 'b\n', 'Two');
    });
    assert.deepEqual(await stacks(), ['topic 3']);
  });
});
