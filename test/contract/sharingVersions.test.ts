/** What others push arrives by itself where a project is shared, without moving anything in the person's own repository. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ada, grace } from '../support/gitRepository.ts';
import { until } from '../support/until.ts';
import { TeamOfTwo, type Teammate } from '../support/teammate.ts';

describe('service: new versions from the remote', function () {
  // Each step is some runs of git.
  this.timeout(180_000);
  const team = new TeamOfTwo((who) => who.pushFeature(['a.txt', 'a\n', 'First'], ['b.txt', 'b\n', 'Second']));
  const { remote, ann, bob } = team;

  beforeEach(() => team.begin());
  afterEach(() => team.end());
  after(() => team.remove());

  const commits = async (who: Teammate): Promise<string[]> =>
    (await who.stack()).patches.map((patch) => (patch as unknown as { commit_sha: string }).commit_sha);
  const pushed = (branch = 'feature'): string[] =>
    remote.git('rev-list', '--reverse', `main..${branch}`).split('\n');
  const amend = async (text: string): Promise<void> => {
    ann.clone.write('b.txt', text);
    ann.clone.git('commit', '--quiet', '--all', '--amend', '--no-edit');
    ann.clone.git('push', '--quiet', '--force', 'origin', 'feature');
    await ann.running.service.importRepository();
  };
  const own = (): string => {
    const folder = path.join(bob.running.dataDirectory, 'sharing');
    const [name = ''] = readdirSync(folder).filter((one) => one.endsWith('-branches'));
    return path.join(folder, name);
  };
  const branches = async (): Promise<string[]> => {
    const project = String(bob.running.service.imported?.projectId);
    return (await bob.call('GET', `/patch_stack/${project}`)).list.map(({ branch_id }) => branch_id).sort();
  };

  it('come with the next round, with what is said of them, and the clone stays as it is', async () => {
    const before = bob.clone.git('for-each-ref');
    await amend('B\n');
    await ann.call('POST', `${(await ann.patch(1)).path}/section`, { type: 'text', text: 'Of the new one.' });
    await ann.call('PATCH', (await ann.patch(1)).path, { sign_off: true });
    await ann.share(bob);
    assert.deepEqual(await commits(bob), pushed());
    assert.equal((await bob.stack()).version, 2);
    assert.deepEqual(await bob.page(1), ['b.txt', 'Of the new one.']);
    assert.deepEqual(await bob.review(1), { signedOff: [ada.email], rejected: [] });
    assert.match((await bob.patch(1)).sections[0]!.diff_patch, /^\+B$/m);
    assert.equal(bob.clone.git('for-each-ref'), before);
    assert.throws(() => bob.clone.git('cat-file', '-e', pushed()[1]!));
    // What is said there arrives, too.
    await bob.call('PATCH', (await bob.patch(1)).path, { sign_off: true });
    await bob.share(ann);
    assert.deepEqual((await ann.review(1)).signedOff, [ada.email, grace.email]);
  });

  it('come after what was said of the version before is told', async () => {
    // One that was fetched: nothing in the clone names its commits.
    await amend('A\n');
    await bob.share();
    await bob.call('PATCH', (await bob.patch(1)).path, { sign_off: true });
    await bob.call('POST', `${(await bob.patch(1)).path}/section`, { type: 'text', text: 'Of Bob.' });
    await amend('B\n');
    const before = remote.git('for-each-ref', 'refs/patch-stacks/v1');
    await bob.share();
    assert.deepEqual(await bob.review(1), { signedOff: [], rejected: [] });
    assert.deepEqual(await bob.page(1), ['b.txt', 'Of Bob.']);
    assert.notEqual(remote.git('for-each-ref', 'refs/patch-stacks/v1'), before);
    const said = remote
      .git('log', '--all', '--format=%H', '--author', grace.email)
      .split('\n')
      .map((sha) => remote.git('show', `${sha}:operations`))
      .join('\n');
    assert.match(said, /"says":"signed_off"/);
  });

  it('keep what somebody has decided between versions of a text, also before it was told', async () => {
    interface Section {
      code: string;
      data: string;
      versions?: { others: { id: string }[] };
    }
    const text = async (who: Teammate): Promise<Section> =>
      ((await who.patch(1)).sections as unknown as Section[]).at(-1)!;
    const write = async (who: Teammate, data: string, resolves?: string[]): Promise<void> => {
      const sectionPath = `${(await who.patch(1)).path}/section/${(await text(who)).code}`;
      await who.call('PATCH', sectionPath, { text: data, ...(resolves && { resolves }) });
    };
    await ann.call('POST', `${(await ann.patch(1)).path}/section`, { type: 'text', text: 'Before.' });
    await ann.share(bob);
    await write(ann, 'Of Ann.');
    await write(bob, 'Of Bob.');
    await ann.share(bob, ann);
    const others = (await text(ann)).versions?.others ?? [];
    assert.equal(others.length, 1);
    await write(
      ann,
      'Decided.',
      others.map(({ id }) => id),
    );
    await amend('B\n');
    assert.deepEqual([(await ann.stack()).version, (await text(ann)).data], [2, 'Decided.']);
    assert.equal((await text(bob)).data, 'Of Bob.');
    await ann.share(bob);
    for (const who of [ann, bob]) {
      const { data, versions } = await text(who);
      assert.deepEqual([data, versions], ['Decided.', undefined]);
    }
  });

  it('keep both texts that two have written in one section whose commit is squashed into another', async () => {
    const textOf = async (who: Teammate, patch: number, data?: string): Promise<{ code: string }> =>
      (await who.patch(patch)).sections.findLast((section) => data === undefined || section.data === data)!;
    const write = async (who: Teammate, patch: number, data: string): Promise<void> => {
      const { code } = await textOf(who, patch);
      await who.call('PATCH', `${(await who.patch(patch)).path}/section/${code}`, { text: data });
    };
    await ann.call('POST', `${(await ann.patch(1)).path}/section`, { type: 'text', text: 'Before.' });
    await ann.share(bob);
    await write(ann, 1, 'Of Ann.');
    await write(bob, 1, 'Of Bob.');
    await ann.share(bob, ann);
    ann.clone.git('reset', '--quiet', '--soft', 'HEAD~1');
    ann.clone.git('commit', '--quiet', '--amend', '--no-edit');
    ann.clone.git('push', '--quiet', '--force', 'origin', 'feature');
    await ann.running.service.importRepository();
    await ann.share(bob, ann);
    const page = await ann.page();
    assert.deepEqual(page.toSorted(), ['Of Ann.', 'Of Bob.', 'a.txt', 'b.txt']);
    assert.deepEqual(await bob.page(), page);
    // Whoever joins them does so for both.
    const { code } = await textOf(bob, 0, 'Of Ann.');
    await bob.call('DELETE', `${(await bob.patch()).path}/section/${code}`);
    await bob.share(ann, bob);
    assert.deepEqual((await ann.page()).toSorted(), ['Of Bob.', 'a.txt', 'b.txt']);
    assert.deepEqual(await bob.page(), await ann.page());
  });

  it('make no further version where nothing is new, nor when the service starts again, shared or not', async () => {
    await amend('B\n');
    await bob.share(bob);
    const { uuid } = await bob.stack();
    for (const share of [true, false, true]) {
      await bob.stop();
      await bob.start(share);
      assert.equal((await bob.stack()).uuid, uuid, `shared: ${share}`);
    }
    await bob.share();
    assert.equal((await bob.stack()).uuid, uuid);
    assert.deepEqual(await commits(bob), pushed());
  });

  it('stay when the sharing is turned off while the service runs', async () => {
    await amend('B\n');
    await bob.share();
    const { uuid } = await bob.stack();
    await bob.running.service.stopSharing();
    await bob.running.service.importRepository();
    assert.equal((await bob.stack()).uuid, uuid);
    await bob.stop();
    await bob.start(false);
    assert.equal((await bob.stack()).uuid, uuid);
  });

  it("give way to what the person fetches themself, and don't come back", async () => {
    await amend('B\n');
    await bob.share();
    await amend('C\n');
    bob.clone.git('fetch', '--quiet');
    await bob.running.service.importRepository();
    assert.deepEqual(await commits(bob), pushed());
    await bob.share();
    assert.deepEqual(await commits(bob), pushed());
    assert.equal((await bob.stack()).version, 3);
  });

  it('are compared with the base as it is there, too', async () => {
    ann.clone.git('push', '--quiet', 'origin', 'feature~1:main');
    await bob.share();
    assert.deepEqual(
      (await bob.stack()).patches.map(({ title }) => title),
      ['Second'],
    );
  });

  it('come of a branch that the clone has never seen, once somebody shares it', async () => {
    assert.deepEqual(await branches(), ['feature']);
    ann.clone.branch('another');
    ann.clone.commitFile('d.txt', 'd\n', 'Third');
    ann.clone.git('push', '--quiet', 'origin', 'another');
    await ann.running.service.importRepository();
    await ann.share(bob, bob);
    assert.deepEqual(await branches(), ['another', 'feature']);
    assert.equal(bob.clone.git('for-each-ref', 'refs/remotes/origin/another'), '');
  });

  it('leave a branch alone that the person has here', async () => {
    bob.clone.git('branch', 'feature', 'origin/feature');
    await bob.running.service.importRepository();
    const before = await commits(bob);
    await amend('B\n');
    await bob.share(bob);
    assert.deepEqual(await commits(bob), before);
  });

  it('come though another branch is gone there, or has no name that git takes', async () => {
    ann.clone.branch('another');
    ann.clone.commitFile('d.txt', 'd\n', 'Third');
    ann.clone.git('push', '--quiet', 'origin', 'another');
    await ann.running.service.importRepository();
    await ann.share(bob);
    ann.clone.git('push', '--quiet', 'origin', ':another');
    ann.clone.git('switch', '--quiet', 'feature');
    await amend('B\n');
    const status = await bob.share();
    assert.deepEqual([status.state, await commits(bob)], ['shared', pushed()]);
    await amend('C\n');
    await bob.share();
    assert.deepEqual(await commits(bob), pushed());
  });

  it('stay where their branch is deleted there, and go once it is merged', async () => {
    await amend('B\n');
    await bob.share();
    const before = pushed();
    ann.clone.git('push', '--quiet', 'origin', ':feature');
    await bob.share(bob);
    assert.deepEqual(await commits(bob), before);
    ann.clone.git('push', '--quiet', 'origin', 'feature:main');
    await bob.share();
    assert.deepEqual(await branches(), []);
  });

  it('come though what was fetched before is damaged', async () => {
    await amend('B\n');
    await bob.share();
    for (const folder of readdirSync(path.join(own(), 'objects')).filter((name) => name !== 'info')) {
      rmSync(path.join(own(), 'objects', folder), { recursive: true });
    }
    await amend('C\n');
    const status = await bob.share();
    assert.deepEqual([status.state, await commits(bob)], ['shared', pushed()]);
  });

  it('come though the folder that they are fetched into is deleted, whenever that is', async () => {
    await amend('B\n');
    await bob.share();
    for (const [text, folder] of Object.entries({ C: own(), D: path.join(own(), 'objects'), E: own() })) {
      rmSync(folder, { recursive: true });
      await ann.call('POST', `${(await ann.patch()).path}/section`, { type: 'text', text });
      await amend(`${text}\n`);
      const { state } = await ann.share(bob);
      assert.deepEqual([state, await commits(bob), (await bob.page()).at(-1)], ['shared', pushed(), text]);
    }
    // Those that are there already are fetched again.
    const { uuid } = await bob.stack();
    rmSync(own(), { recursive: true });
    await bob.share();
    bob.clone.branch('of-bob');
    bob.clone.commitFile('e.txt', 'e\n', 'Of Bob');
    await bob.running.service.importRepository();
    assert.deepEqual([(await bob.stack()).uuid, await branches()], [uuid, ['feature', 'of-bob']]);
    await bob.stop();
    rmSync(own(), { recursive: true });
    await bob.start();
    await amend('F\n');
    await bob.share();
    assert.deepEqual(await commits(bob), pushed());
  });

  it('keep the service from nothing while what was fetched is deleted', async () => {
    const both = ['main', 'develop'];
    ann.clone.git('push', '--quiet', 'origin', 'main:develop');
    bob.clone.git('fetch', '--quiet');
    for (const branch of both) {
      ann.clone.git('switch', '--quiet', '--create', `of-${branch}`, 'main');
      ann.clone.commitFile(`${branch}.txt`, 'x\n', 'Pushed');
      ann.clone.git('push', '--quiet', 'origin', `of-${branch}:${branch}`);
    }
    const commit = async (): Promise<void> => {
      bob.clone.branch('of-bob');
      bob.clone.commitFile('e.txt', 'e\n', 'Of Bob');
      await bob.running.service.importRepository();
      assert.deepEqual(await branches(), ['feature', 'of-bob']);
      bob.clone.git('switch', '--quiet', 'main');
      bob.clone.git('branch', '-D', 'of-bob');
    };
    await bob.share();
    rmSync(own(), { recursive: true });
    await commit();
    await bob.share();
    await bob.stop();
    rmSync(own(), { recursive: true });
    await bob.start();
    await bob.share();
    await commit();
    await bob.running.service.stopSharing();
    rmSync(own(), { recursive: true });
    await commit();
  });

  it('go back to those in the clone where they are lost, and no longer at the remote', async () => {
    const before = await commits(bob);
    await amend('B\n');
    await bob.share();
    ann.clone.git('push', '--quiet', 'origin', ':feature');
    rmSync(own(), { recursive: true });
    const { state } = await bob.share();
    assert.deepEqual([state, await commits(bob)], ['shared', before]);
  });

  it('keep nothing else back where they fail to come, and why is told once', async () => {
    const told: string[] = [];
    await bob.stop();
    await bob.start(true, { onDefect: (error) => told.push(String(error)) });
    await bob.share();
    const ref = path.join(own(), 'refs/branches/of-nobody');
    writeFileSync(ref, `${bob.clone.git('rev-parse', 'origin/main')}\n`);
    // It can't be deleted, nor can its lock.
    mkdirSync(`${ref}.lock`);
    const before = await commits(bob);
    await amend('B\n');
    for (const [text, reason] of [
      ['One.', /of-nobody\.lock/],
      ['Two.', /of-nobody\.lock/],
      ['Three.', undefined],
    ] as const) {
      await ann.call('POST', `${(await ann.patch()).path}/section`, { type: 'text', text });
      await bob.call('PATCH', (await bob.patch(1)).path, { sign_off: text !== 'Two.' });
      const status = await ann.share(bob);
      assert.deepEqual([status, await commits(bob)], [{ state: 'shared', waiting: 0, problems: [] }, before]);
      assert.equal((await bob.page()).at(-1), text);
      const why = told.splice(0);
      assert.deepEqual([why.length, reason?.test(why.join())], [reason ? 1 : 0, reason && true], why.join());
    }
    rmSync(`${ref}.lock`, { recursive: true });
    await bob.share();
    assert.deepEqual([await commits(bob), told], [pushed(), []]);
  });

  it('that were only put on another base take along what was said of them', async () => {
    const numbers = Array.from({ length: 20 }, (_, index) => String(index));
    const onMain = async (first: string): Promise<void> => {
      ann.clone.switch('main');
      ann.clone.commitFile('long.txt', [first, ...numbers, ''].join('\n'), 'Go on');
      ann.clone.switch('feature');
      ann.clone.rebase('main');
    };
    const push = async (): Promise<void> => {
      ann.clone.git('push', '--quiet', '--force', 'origin', 'main', 'feature');
      await ann.running.service.importRepository();
      await ann.share(bob);
      assert.deepEqual(await commits(bob), pushed());
    };
    await onMain('first');
    ann.clone.commitFile('long.txt', ['first', ...numbers, 'last', ''].join('\n'), 'Third');
    await push();
    await bob.call('PATCH', (await bob.patch(2)).path, { sign_off: true });
    // Git has to merge contents that are nowhere but in what was fetched.
    await onMain('FIRST');
    await push();
    assert.deepEqual((await bob.review(2)).signedOff, [grace.email]);
  });

  it('are packed with the first round where they have become many files, and logs are, too', async () => {
    await bob.stop();
    const logs = own().slice(0, -'-branches'.length);
    const files = Array.from(
      { length: 3000 },
      (_, index) => `M 644 inline ${index}\ndata <<E\n${index}\nE\n`,
    );
    const input = `commit refs/of-test\ncommitter A <a@example.com> 0 +0000\ndata <<E\nx\nE\n${files.join('')}`;
    const loose = (folder: string): number =>
      Number(/^\d+/.exec(execFileSync('git', ['-C', folder, 'count-objects'], { encoding: 'utf8' }))?.[0]);
    for (const folder of [own(), logs]) {
      const args = ['-C', folder, '-c', 'fastimport.unpackLimit=100000', 'fast-import', '--quiet'];
      execFileSync('git', args, { input });
      assert.ok(loose(folder) > 3000);
    }
    // It shares by itself for the first time.
    await bob.start();
    await until(async () => Promise.resolve([own(), logs].every((folder) => loose(folder) === 0)));
  });

  it('take along what was said of commits that were not pushed yet', async () => {
    const said = (): string =>
      remote
        .git('log', '--glob=refs/patch-stacks', '--format=%H')
        .split('\n')
        .map((sha) => remote.git('show', `${sha}:operations`))
        .join('\n');
    ann.clone.write('b.txt', 'B\n');
    ann.clone.git('commit', '--quiet', '--all', '--amend', '--no-edit');
    await ann.running.service.importRepository();
    const add = async (index: number, text: string): Promise<void> => {
      await ann.call('POST', `${(await ann.patch(index)).path}/section`, { type: 'text', text });
    };
    await add(0, 'Of a commit there.');
    await add(1, 'Of one here.');
    await ann.call('PATCH', (await ann.patch(1)).path, { sign_off: true });
    const status = await ann.share(bob);
    assert.deepEqual(status, { state: 'shared', waiting: 0, problems: [] });
    assert.deepEqual([await bob.page(0), await bob.page(1)], [['a.txt', 'Of a commit there.'], ['b.txt']]);
    assert.doesNotMatch(said(), /Of one here|signed_off/);
    ann.clone.git('push', '--quiet', '--force', 'origin', 'feature');
    await ann.share(bob);
    assert.deepEqual(await bob.page(1), ['b.txt', 'Of one here.']);
    assert.deepEqual(await bob.review(1), { signedOff: [ada.email], rejected: [] });
  });

  it("don't come where the clone lacks some of its history, and all else does", async () => {
    await bob.stop();
    writeFileSync(
      path.join(bob.clone.directory, '.git/shallow'),
      `${bob.clone.git('rev-parse', 'origin/main')}\n`,
    );
    await bob.start();
    const before = await commits(bob);
    await ann.call('POST', `${(await ann.patch()).path}/section`, { type: 'text', text: 'Of the first.' });
    await amend('B\n');
    await ann.share(bob);
    assert.deepEqual(await commits(bob), before);
    assert.deepEqual(await bob.page(), ['a.txt', 'Of the first.']);
    bob.clone.git('fetch', '--quiet');
    await bob.running.service.importRepository();
    assert.deepEqual(await commits(bob), pushed());
  });
});
