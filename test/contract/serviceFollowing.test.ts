import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
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
    await followed(() => repository.commitFile('b.txt', 'b\n', 'Two'));
    assert.equal(told.length, 1);
  });

  it('reads nothing of a rebase until it has ended', async () => {
    repository.git('switch', '--quiet', 'main');
    repository.commitFile('first.txt', '0\n', 'Other');
    repository.git('switch', '--quiet', 'topic');
    assert.throws(() => repository.git('rebase', '--quiet', 'main'));
    await followed(() => repository.git('branch', 'sign', 'topic'));
    assert.deepEqual([told.length, await stacks()], [1, ['sign 2', 'topic 2']]);
    assert.equal(told[0]?.stacks.find(({ branch }) => branch === 'topic')?.result, 'unchanged');
    await followed(() => {
      repository.write('first.txt', '2\n');
      repository.git('add', 'first.txt');
      repository.git('-c', 'core.editor=true', 'rebase', '--continue');
    });
    assert.equal(told.length, 2);
    assert.equal(told[1]?.stacks.find(({ branch }) => branch === 'topic')?.result, 'new version');
  });

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
