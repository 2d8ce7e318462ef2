/** A round of sharing in which nothing is new costs next to nothing, and hides nothing. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { encodeBatch, pathOf, personOf, type Operation } from '../../src/service/sharing/operations.ts';
import { grace } from '../support/gitRepository.ts';
import { plantLog } from '../support/plantedLog.ts';
import { RawRemote } from '../support/rawRemote.ts';
import { GitInPath } from '../support/gitInPath.ts';
import { TeamOfTwo, type Teammate } from '../support/teammate.ts';
import { until } from '../support/until.ts';

/** The ref that each push of a log moves. */
const moved = 'refs/patch-stacks/v1_moved';
/** Rounds after which all logs are looked at whatever that says. */
const mostRounds = 10;

/** A `git` that notes with what it is run. */
class NotingGit extends GitInPath {
  constructor() {
    super(
      (git, folder) => `echo "$*" >>'${folder}/runs'
'${git}' "$@"
code=$?
case "$*" in
  *'refs/patch-stacks/v1/*:'*)
    if [ -e '${folder}/plan' ]; then
      sh '${folder}/plan'
      rm '${folder}/plan'
    fi
esac
exit $code
`,
    );
  }

  /** Has a script run once, right after all logs were fetched. */
  afterLogs(script: string): void {
    writeFileSync(path.join(this.folder, 'plan'), script);
  }

  /** What it was run with meanwhile. */
  async during(work: () => Promise<unknown>): Promise<string[]> {
    writeFileSync(path.join(this.folder, 'runs'), '');
    await work();
    return readFileSync(path.join(this.folder, 'runs'), 'utf8').split('\n').filter(Boolean);
  }
}

describe('service: a usual round of sharing', function () {
  // Each step is some runs of git.
  this.timeout(180_000);
  const team = new TeamOfTwo((who) => who.pushFeature(['a.txt', 'a\n', 'First']));
  const { remote, ann, bob } = team;

  beforeEach(() => team.begin());
  afterEach(() => team.end());
  after(() => team.remove());

  const usual = (who: Teammate) => who.running.service.shareNow(false);
  const add = async (who: Teammate, text: string): Promise<void> => {
    await who.call('POST', `${(await who.patch()).path}/section`, { type: 'text', text });
  };
  const has = async (who: Teammate, text: string): Promise<boolean> => (await who.page()).includes(text);
  /** Has somebody say something as a version that doesn't know the ref. */
  const addUntold = async (text: string): Promise<void> => {
    const before = remote.git('for-each-ref', '--format=%(objectname)', moved);
    await add(bob, text);
    await usual(bob);
    remote.git('update-ref', ...(before === '' ? ['-d', moved] : [moved, before]));
  };
  const hook = (name: string, script: string): void => {
    const folder = path.join(remote.directory, '.git', 'hooks');
    mkdirSync(folder, { recursive: true });
    const file = path.join(folder, name);
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
  };
  const shared = { state: 'shared', waiting: 0, problems: [] };

  it('asks for one ref and the branches that are shown where nothing is new, and runs git for nothing else', async () => {
    bob.clone.age();
    await usual(bob);
    const git = new NotingGit();
    try {
      const runs = await git.during(async () => assert.deepEqual(await usual(bob), shared));
      assert.equal(runs.length, 2, runs.join('\n'));
      assert.ok(
        runs.every((run) => run.includes(' fetch ')),
        runs.join('\n'),
      );
      assert.deepEqual(
        runs.filter((run) => run.includes(moved)).map((run) => run.split(' ').slice(-2)),
        [[`+${moved}*:refs/moved/refs*`, '+refs/heads/patch-stacks/v1_moved*:refs/moved/branches*']],
      );
      // Somebody has asked for it.
      const asked = await git.during(async () => bob.share());
      assert.ok(
        asked.some((run) => run.includes('+refs/patch-stacks/v1/*:')),
        asked.join('\n'),
      );
    } finally {
      git.remove();
    }
  });

  it('brings what somebody has pushed, and takes the ref by which it is seen for no log', async () => {
    await add(bob, 'Of Bob.');
    await usual(bob);
    assert.deepEqual(await usual(ann), shared);
    assert.ok(await has(ann, 'Of Bob.'));
    assert.equal(
      remote.git('rev-parse', moved),
      remote.git('for-each-ref', '--format=%(objectname)', `refs/patch-stacks/v1/${personOf(grace.email)}`),
    );
  });

  it('brings what was pushed without moving that ref after some rounds, and then at once', async () => {
    await addUntold('Untold.');
    let rounds = 0;
    while (!(await has(ann, 'Untold.')) && rounds <= mostRounds) {
      await usual(ann);
      rounds++;
    }
    assert.ok(rounds > 1 && rounds <= mostRounds, `${rounds} rounds`);
    await addUntold('Untold again.');
    await usual(ann);
    assert.ok(await has(ann, 'Untold again.'));
  });

  it('brings what is pushed right after the logs were fetched', async () => {
    const [log = ''] = remote.git('for-each-ref', '--format=%(refname)', `refs/patch-stacks/v1/${personOf(grace.email)}`).split('\n'); // prettier-ignore
    const before = [log, moved].map((ref) => [ref, remote.git('rev-parse', ref)] as const);
    await add(bob, 'In between.');
    await usual(bob);
    const tip = remote.git('rev-parse', log);
    before.forEach(([ref, earlier]) => remote.git('update-ref', ref, earlier));
    const git = new NotingGit();
    try {
      git.afterLogs(
        [log, moved].map((ref) => `git -C '${remote.directory}' update-ref ${ref} ${tip}\n`).join(''),
      );
      await ann.share();
      assert.ok(!(await has(ann, 'In between.')));
      assert.equal(remote.git('rev-parse', moved), tip);
      await usual(ann);
      assert.ok(await has(ann, 'In between.'));
    } finally {
      git.remove();
    }
  });

  it('brings what is pushed at the same time as something else, which has moved that ref first', async () => {
    const before = remote.git('rev-parse', moved);
    await add(bob, 'Of Bob.');
    await usual(bob);
    await usual(bob);
    const first = remote.git('rev-parse', moved);
    remote.git('update-ref', moved, before);
    hook('pre-receive', `env -u GIT_QUARANTINE_PATH git update-ref ${moved} ${first}; rm "$0"`);
    await add(ann, 'Of Ann.');
    assert.deepEqual(await usual(ann), shared);
    await usual(bob);
    assert.ok(await has(bob, 'Of Ann.'));
  });

  it('looks again at a log that Git does not take', async () => {
    const writer = { person: personOf('carl@example.com'), device: 'c'.repeat(16) };
    const log = `refs/patch-stacks/v1/${pathOf(writer)}`;
    const said = (content: Operation): string =>
      encodeBatch(writer, [{ id: '', writer, seq: 1, clock: [Date.now() - 60_000, 0], content }]);
    const blob = remote.gitWithInput(said({ type: 'stack', branch: 'feature', title: 'Of Carl' }), 'hash-object', '-w', '--stdin'); // prettier-ignore
    const raw = new RawRemote(path.join(remote.directory, '.git'));
    raw.ref(log, raw.commit(raw.tree(['40000', '.git', raw.tree()], ['100644', 'operations', blob])));
    assert.equal((await ann.share()).problems.length, 1);
    remote.git('update-ref', '--no-deref', log, raw.commit(raw.tree(['100644', 'operations', blob])));
    assert.deepEqual(await usual(ann), shared);
    assert.equal((await ann.stack()).title, 'Of Carl');
  });

  it('brings all where the remote has no such ref, or something that Git does not take', async () => {
    await addUntold('Where there is none.');
    remote.git('update-ref', '-d', moved);
    await usual(ann);
    assert.ok(await has(ann, 'Where there is none.'));
    await addUntold('Where there still is none.');
    await usual(ann);
    assert.ok(await has(ann, 'Where there still is none.'));
    await add(bob, 'Where it is in the way.');
    await usual(bob);
    await usual(ann);
    remote.git('update-ref', `${moved}x/x`, 'main');
    await addUntold('Beside it.');
    remote.git('update-ref', '-d', moved);
    await usual(ann);
    assert.ok(await has(ann, 'Beside it.'));
  });

  const refusals: Record<string, () => void> = {
    'the host refuses the ref': () => hook('update', `case $1 in *v1_moved) exit 1; esac`),
    'the host takes nothing that is pushed with the ref': () => hook('pre-receive', '! grep -q v1_moved'),
    'the host takes nothing that is forced': () =>
      hook('update', `[ $2 = ${'0'.repeat(40)} ] || git merge-base --is-ancestor $2 $3`),
  };
  for (const [name, refuse] of Object.entries(refusals)) {
    it(`shares all the same where ${name}`, async () => {
      // What bob pushes doesn't follow on this.
      remote.git('update-ref', moved, 'main');
      const before = remote.git('rev-parse', moved);
      refuse();
      for (const text of ['One.', 'Two.']) {
        await add(bob, text);
        assert.deepEqual(await usual(bob), shared);
      }
      const git = new NotingGit();
      try {
        await add(bob, 'Three.');
        const runs = await git.during(async () => assert.deepEqual(await usual(bob), shared));
        assert.equal(runs.filter((run) => run.includes(' push ')).length, 1, 'what is refused is remembered');
      } finally {
        git.remove();
      }
      assert.equal(remote.git('rev-parse', moved), before);
      assert.deepEqual(await ann.share(), shared);
      assert.ok((await has(ann, 'One.')) && (await has(ann, 'Three.')));
    });
  }

  it('moves the ref again once the host takes it, where it took the log beside it', async () => {
    hook('update', `case $1 in *v1_moved) exit 1; esac`);
    await add(bob, 'Refused.');
    await usual(bob);
    hook('update', 'exit 0');
    await usual(ann);
    await add(bob, 'Taken.');
    await usual(bob);
    await usual(ann);
    assert.ok(await has(ann, 'Taken.'));
    assert.equal(
      remote.git('rev-parse', moved),
      remote.git('for-each-ref', '--format=%(objectname)', `refs/patch-stacks/v1/${personOf(grace.email)}`),
    );
  });

  it('takes in a very long log bit by bit, says whose that is, and goes on by itself', async () => {
    const writer = { person: personOf('carl@example.com'), device: 'c'.repeat(16) };
    const many = Array.from({ length: 20_000 }, () => ({ type: 'x' }));
    const carl = { type: 'person', name: 'Carl', email: 'carl@example.com' };
    plantLog(remote.directory, writer, [carl, ...many], many, [
      { type: 'stack', branch: 'feature', title: 'At last' },
    ]);
    await add(bob, 'Of Bob.');
    await bob.running.service.shareNow();
    const { unfinished, problems } = await ann.share();
    assert.deepEqual([unfinished, problems], [[{ log: pathOf(writer), who: 'Carl' }], []]);
    assert.ok(await has(ann, 'Of Bob.'));
    await until(async () => (await ann.stack()).title === 'At last');
    assert.deepEqual(await ann.share(), shared);
  });

  it('pushes once where the remote is gone after the logs were fetched', async () => {
    await add(bob, 'Of Bob.');
    const git = new NotingGit();
    try {
      git.afterLogs(`mv '${remote.directory}' '${remote.directory}-away'\n`);
      const runs = await git.during(async () => assert.equal((await bob.share()).state, 'offline'));
      assert.equal(runs.filter((run) => run.includes(' push ')).length, 1, runs.join('\n'));
    } finally {
      git.remove();
      renameSync(`${remote.directory}-away`, remote.directory);
    }
    assert.deepEqual(await bob.share(), shared);
    await ann.share();
    assert.ok(await has(ann, 'Of Bob.'));
  });

  it('tells what the host refuses of the log itself', async () => {
    hook('update', 'echo no >&2; exit 1');
    await add(bob, 'Of Bob.');
    const { state, waiting, trouble } = await usual(bob);
    assert.deepEqual([state, waiting > 0, trouble], ['refused', true, 'hook']);
    hook('update', 'exit 0');
    assert.deepEqual(await usual(bob), shared);
    await usual(ann);
    assert.ok(await has(ann, 'Of Bob.'));
  });

  it('sees what goes among the branches, where the host takes nothing else', async () => {
    for (const key of ['receive.hideRefs', 'uploadpack.hideRefs']) {
      remote.git('config', key, 'refs/patch-stacks');
    }
    remote.git('for-each-ref', '--format=delete %(refname)', 'refs/patch-stacks').split('\n').forEach((line) => remote.gitWithInput(`${line}\n`, 'update-ref', '--stdin')); // prettier-ignore
    await ann.running.service.pushAgain();
    await bob.running.service.pushAgain();
    await ann.share(bob, ann, bob);
    await add(bob, 'Of Bob.');
    assert.deepEqual(await usual(bob), shared);
    const git = new NotingGit();
    try {
      await usual(ann);
      await usual(ann);
      assert.ok(await has(ann, 'Of Bob.'));
      const runs = await git.during(async () => usual(ann));
      assert.ok(!runs.some((run) => run.includes('v1/*')), runs.join('\n'));
    } finally {
      git.remove();
    }
  });

  it('shares what was pushed just now from the clone', async () => {
    await usual(ann);
    ann.clone.write('a.txt', 'A\n');
    ann.clone.git('commit', '--quiet', '--all', '--amend', '--no-edit');
    await ann.running.service.importRepository();
    await add(ann, 'Of the new one.');
    await usual(ann);
    ann.clone.git('push', '--quiet', '--force', 'origin', 'feature');
    await usual(ann);
    await bob.share();
    assert.ok(await has(bob, 'Of the new one.'));
  });

  it('loses nothing where its own log is gone from this computer', async () => {
    const folder = path.join(bob.running.dataDirectory, 'sharing');
    const [name = ''] = readdirSync(folder).filter((one) => !one.endsWith('-branches'));
    const git = (...args: string[]): string =>
      execFileSync('git', ['-C', path.join(folder, name), ...args], { encoding: 'utf8' }).trim();
    await usual(bob);
    git('update-ref', '-d', git('for-each-ref', '--format=%(refname)', 'refs/patch-stacks/v1'));
    await add(bob, 'Of Bob.');
    assert.deepEqual(await usual(bob), shared);
    await usual(ann);
    assert.ok(await has(ann, 'Of Bob.'));
  });
});
