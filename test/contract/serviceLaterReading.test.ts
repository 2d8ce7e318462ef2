import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { GitInPath } from '../support/gitInPath.ts';
import { ada, GitRepository, grace } from '../support/gitRepository.ts';
import { RunningService, type Answer, type Fields } from '../support/runningService.ts';
import { everySeconds, Teammate } from '../support/teammate.ts';
import { until } from '../support/until.ts';

/** Longer than what is read at once. */
const count = 250;

/** A `git` that tells no diff before it is let. */
class HeldGit extends GitInPath {
  constructor() {
    super(
      (git, folder) => `case "$*" in
  *diff-tree*)
    while [ -d '${folder}' ] && ! [ -e '${folder}/let' ]; do
      sleep 0.01
    done
esac
exec '${git}' "$@"
`,
    );
  }

  /** Lets it go on. */
  let(): void {
    writeFileSync(path.join(this.folder, 'let'), '');
  }
}

describe('service: a long stack whose changes are not read yet', function () {
  this.timeout(60_000);
  let repository: GitRepository;
  let git: HeldGit;
  let running: RunningService;

  beforeEach(async () => {
    repository = GitRepository.withMain();
    repository.addCommits('topic', count, 'main');
    repository.switch('topic');
    git = new HeldGit();
    running = await RunningService.start({ repository: repository.directory, readyWhen: 'readable' });
  });

  afterEach(async () => {
    git.let();
    await running.stop();
    git.remove();
    repository.remove();
  });

  async function stack(): Promise<Fields> {
    const { body } = await running.call('GET', '/user');
    const project = body.projects[0]?.repository_id ?? '';
    return (await running.call('GET', `/patch_stack/${project}/topic`)).body;
  }

  /** Asks for something of the stack's last patch: whether it was answered, and the answer. */
  async function askOfTip(
    method: string,
    what = '',
    json?: unknown,
  ): Promise<{ isAnswered: () => boolean; answer: Promise<Answer> }> {
    const { uuid, patches } = await stack();
    let isAnswered = false;
    const address = `/patch_stack/${uuid}/patch/${patches.at(-1)?.change_id}${what}`;
    const answer = running.call(method, address, json === undefined ? {} : { json }).finally(() => {
      isAnswered = true;
    });
    // Whatever doesn't wait is answered before this is.
    for (let asked = 0; asked < 3; asked++) {
      await stack();
    }
    return { isAnswered: () => isAnswered, answer };
  }

  it('is listed without the sizes of its patches, which come when they are known', async () => {
    const listed = await stack();
    assert.deepEqual([listed.status, listed.stack_size], ['active', count]);
    assert.equal(listed.patches.at(-1)?.title, `Change ${count - 1} of topic`);
    assert.ok(listed.patches.every((patch) => !('statistics' in patch)));
    git.let();
    await running.service.importing;
    const read = await stack();
    assert.equal(read.uuid, listed.uuid);
    assert.ok(read.patches.every((patch) => 'statistics' in patch));
    const names = ({ patches }: Fields) => patches.map(({ change_id, title }) => [change_id, title]);
    assert.deepEqual(names(read), names(listed));
  });

  it('answers for a patch once that is read, and not before', async () => {
    const { isAnswered, answer } = await askOfTip('GET');
    assert.equal(isAnswered(), false);
    git.let();
    const { status, body } = await answer;
    assert.equal(status, 200);
    assert.deepEqual(
      body.sections.map(({ section_type }) => section_type),
      ['text', 'diff'],
    );
  });

  it('has what is written meanwhile wait as well, and keeps it', async () => {
    const text = await askOfTip('POST', '/section', { type: 'text', text: 'Mine.' });
    const review = await askOfTip('PATCH', '', { sign_off: true });
    assert.deepEqual([text.isAnswered(), review.isAnswered()], [false, false]);
    git.let();
    assert.deepEqual([(await text.answer).status, (await review.answer).status], [201, 200]);
    await running.service.importing;
    const { body } = await (await askOfTip('GET')).answer;
    assert.deepEqual(
      body.sections.map(({ section_type, data }) => (section_type === 'text' ? data : section_type)),
      [`Why ${count - 1}.`, 'diff', 'Mine.'],
    );
    assert.equal(body.review.signed_off.length, 1);
  });

  it('does not wait for a patch that is not there', async () => {
    const { uuid } = await stack();
    assert.equal((await running.call('GET', `/patch_stack/${uuid}/patch/none`)).status, 404);
  });

  it('says so when it ends without having read it, and reads it at the next start', async () => {
    const { uuid } = await stack();
    const { answer } = await askOfTip('GET');
    const stopped = running.stop({ keepData: true });
    const { status, body } = await answer;
    assert.deepEqual([status, body.error_code], [503, 'not_read']);
    await stopped;
    git.let();
    const { dataDirectory } = running;
    running = await RunningService.start({ repository: repository.directory, dataDirectory });
    const read = await stack();
    assert.deepEqual([read.uuid, read.version], [uuid, 1]);
    assert.ok(read.patches.every((patch) => 'statistics' in patch));
  });

  it('is read on for whoever asks for a patch, where the import was broken off', async () => {
    await running.stop();
    const stop = new AbortController();
    running = await RunningService.start({
      repository: repository.directory,
      readyWhen: 'readable',
      signal: stop.signal,
    });
    stop.abort(new Error('Enough.'));
    await assert.rejects(running.service.importing!, /Enough/);
    git.let();
    assert.ok((await stack()).patches.every((patch) => !('statistics' in patch)));
    assert.equal((await (await askOfTip('GET')).answer).status, 200);
  });

  it('tells windows when its sizes are known', async () => {
    const { text: mark } = await running.call('GET', '/news');
    const next = running.call('GET', `/news?after=${(JSON.parse(mark) as { mark: string }).mark}`);
    git.let();
    assert.notEqual((await next).text, mark);
    await until(async () => (await stack()).patches.every((patch) => 'statistics' in patch));
  });
});

describe('service: a long stack that is shared', function () {
  this.timeout(60_000);
  const remote = GitRepository.remote();
  const folder = mkdtempSync(path.join(tmpdir(), 'patch-stacks-team-'));
  const ann = new Teammate(path.join(folder, 'ann'), remote.directory, ada);
  const bob = new Teammate(path.join(folder, 'bob'), remote.directory, grace);
  let git: HeldGit | undefined;

  after(async () => {
    git?.let();
    await Promise.all([ann.remove(), bob.remove()]);
    git?.remove();
    remote.remove();
    rmSync(folder, { recursive: true });
  });

  it('takes in what others say of it once its changes are read, in the places that they chose', async () => {
    ann.clone.commitFile('README.md', '# Example\n', 'Start');
    ann.clone.git('branch', '--move', 'main');
    ann.clone.addCommits('feature', count, 'main');
    ann.clone.git('push', '--quiet', 'origin', 'main', 'feature');
    await ann.start();
    const tip = count - 1;
    const { path: apiPath } = await ann.patch(tip);
    await ann.call('POST', `${apiPath}/section`, { type: 'text', text: 'Between.', position: 1 });
    await ann.call('PATCH', apiPath, { sign_off: true });
    await ann.share();

    bob.clone.git('fetch', '--quiet');
    bob.clone.git('branch', 'main', 'origin/main');
    bob.clone.git('checkout', '--quiet', '-b', 'feature', 'origin/feature');
    git = new HeldGit();
    let rounds = 0;
    const onRound = () => (rounds += 1);
    await bob.start(false, {
      readyWhen: 'readable',
      share: { remote: 'origin', everySeconds, afterWritesMs: 0, onRound },
    });
    const { body } = await bob.running.call('GET', '/user');
    const list = async (): Promise<Fields> =>
      (await bob.call('GET', `/patch_stack/${body.projects[0]?.repository_id}/feature`)).body;
    const { uuid, patches } = await list();
    // Somebody writes: otherwise that is shared soon after.
    await bob.call('PATCH', `/patch_stack/${uuid}`, { title: 'Mine' });
    let isShared = false;
    const sharing = bob.running.service.shareNow().then(() => (isShared = true));
    for (let asked = 0; asked < 300; asked++) {
      await list();
    }
    assert.deepEqual([isShared, rounds], [false, 0]);
    git.let();
    await sharing;
    const told = await bob.call('GET', `/patch_stack/${uuid}/patch/${patches[tip]?.change_id}`);
    assert.deepEqual(
      told.body.sections.map(({ section_type, data }) => (section_type === 'text' ? data : section_type)),
      [`Why ${tip}.`, 'Between.', 'diff'],
    );
    assert.deepEqual(
      told.body.review_all.signed_off.map(({ email }) => email),
      [ada.email],
    );
  });
});
