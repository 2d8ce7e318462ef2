/**
 * Changes that are made on a page that shows an older version of a patch stack, over a real local service: whatever the clock
 * of this computer says, they go into the newest version, or wait with the reason.
 */
import assert from 'node:assert/strict';
import { appendFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { ApiClient } from '../../src/api/client.ts';
import type { ChangeContent, ChangeSubject } from '../../src/model/pending/kinds/index.ts';
import type { SendOutcome } from '../../src/model/pending/pendingChange.ts';
import { PendingChanges, type SentChange } from '../../src/model/pending/pendingChanges.ts';
import type { AskService } from '../../src/model/askService.ts';
import { Model } from '../../src/model/model.ts';
import type { LocalService } from '../../src/service/service.ts';
import { git } from '../support/exampleRepository.ts';
import { ExampleService } from '../support/exampleService.ts';
import type { FaultServer } from '../support/faultServer.ts';
import { reply } from '../support/faultServer.ts';
import { forwardTo } from '../support/forward.ts';
import type { PatchRef } from '../../src/util/patchRef.ts';

const hour = 3_600_000;

describe('an older version of a patch stack', function () {
  this.timeout(60_000);
  let example: ExampleService;
  let repository: string;
  let service: LocalService;
  let proxy: FaultServer;
  let client: ApiClient;
  let throughProxy: ApiClient;
  /** The patch in the version that the page shows. */
  let old: PatchRef;
  let folder: string;
  const opened: PendingChanges[] = [];
  const sent: SentChange[] = [];
  /** Milliseconds that the clock of this computer is ahead of the service's. */
  let ahead = 0;

  before(async () => {
    example = await ExampleService.start();
    ({ repository, service, proxy, client, throughProxy } = example);
  });

  after(() => example.stop());

  beforeEach(async () => {
    ahead = 0;
    sent.length = 0;
    folder = await example.accountFolder();
    proxy.use(forwardTo(service.url));
    const projectId = (await client.projects.list()).items[0]!.repositoryId;
    const [stack] = (await client.stacks.list(projectId)).items;
    const { changeId } = stack!.patches![0]!;
    old = { projectId, branchId: stack!.branchId, stackUuid: stack!.uuid, changeId };
  });

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((pendingChanges) => pendingChanges.close()));
  });

  async function openWindow(
    ask: AskService = (operation) => operation(throughProxy),
  ): Promise<{ pendingChanges: PendingChanges; model: Model }> {
    const model = new Model(ask);
    const pendingChanges = new PendingChanges({ ask, model, now: () => new Date(Date.now() + ahead) });
    pendingChanges.onDidSend((change) => sent.push(change));
    opened.push(pendingChanges);
    await pendingChanges.activate(folder);
    return { pendingChanges, model };
  }

  const addSection = async (text: string, stackUuid = old.stackUuid): Promise<string> =>
    (await client.patches.createSection(stackUuid, old.changeId, { type: 'text', text })).code;

  /** Publishes the branch again: from then on `old` is in an older version. */
  async function publish(): Promise<{ uuid: string; version?: string }> {
    const { projectId = '', branchId = '' } = old;
    const oplogSha = `event ${Math.random()}`;
    const { uuid, version } = await client.stacks.create({ projectId, branchId, oplogSha });
    return { uuid, ...(version !== undefined && { version }) };
  }

  async function texts(stackUuid: string): Promise<string[]> {
    const { sections = [] } = await client.patches.get(stackUuid, old.changeId);
    return sections.flatMap((section) => (section.sectionType === 'text' ? [section.text ?? ''] : []));
  }

  async function textOf(stackUuid: string, code: string): Promise<string | undefined> {
    const section = await client.patches.getSection(stackUuid, old.changeId, code);
    return section.sectionType === 'text' ? section.text : undefined;
  }

  async function write<S extends ChangeSubject>(
    pendingChanges: PendingChanges,
    subject: S,
    content: ChangeContent<S>,
  ): Promise<SendOutcome> {
    pendingChanges.put(subject, content, 'A change');
    return pendingChanges.send(pendingChanges.find(subject)!.id);
  }

  for (const [clock, difference] of [
    ['an hour fast', hour],
    ['an hour slow', -hour],
    ['right', 0],
  ] as const) {
    it(`takes no text, which goes into the newest one instead, when this computer's clock is ${clock}`, async () => {
      ahead = difference;
      const code = await addSection('one\ntwo\nthree\n');
      const newest = await publish();
      await client.patches.updateSection(newest.uuid, old.changeId, code, { text: 'one\ntwo\nTHREE\n' });
      const { pendingChanges } = await openWindow();
      const outcome = await write(
        pendingChanges,
        { kind: 'sectionText', patch: old, code },
        { base: 'one\ntwo\nthree\n', text: 'ONE\ntwo\nthree\n' },
      );
      const merged = 'ONE\ntwo\nTHREE\n';
      assert.deepEqual(outcome, { kind: 'sent', merged, newest });
      assert.deepEqual(
        [await textOf(old.stackUuid, code), await textOf(newest.uuid, code)],
        ['one\ntwo\nthree\n', merged],
      );
      assert.deepEqual(pendingChanges.list(), []);
      // The file that shows that this window lives stays.
      assert.deepEqual(await readdir(folder), ['windows']);
      assert.deepEqual(
        sent.map(({ moved }) => moved),
        [{ begunIn: old, newest }],
      );
    });

    it(`keeps what is typed into the newest one there, when this computer's clock is ${clock}`, async () => {
      ahead = difference;
      const code = await addSection('one\n');
      const { pendingChanges } = await openWindow();
      const outcome = await write(
        pendingChanges,
        { kind: 'sectionText', patch: old, code },
        { base: 'one\n', text: 'two\n' },
      );
      assert.deepEqual(outcome, { kind: 'sent' });
      assert.equal(await textOf(old.stackUuid, code), 'two\n');
    });
  }

  it('is looked for by the service itself where that refuses older ones, but for a sign-off', async () => {
    const looks: PropertyKey[] = [];
    const stacks = new Proxy(client.stacks, {
      get: (target, key) => {
        if (key === 'latestForBranch') {
          looks.push(key);
        }
        const member: unknown = Reflect.get(target, key, target);
        return typeof member === 'function' ? (member.bind(target) as unknown) : member;
      },
    });
    const counting = new Proxy(client, {
      get: (target, key): unknown => (key === 'stacks' ? stacks : Reflect.get(target, key, target)),
    });
    const code = await addSection('one\n');
    const newest = await publish();
    const { pendingChanges } = await openWindow((operation) => operation(counting));
    const current: PatchRef = { ...old, stackUuid: newest.uuid };
    const text = { kind: 'sectionText', patch: current, code } as const;
    assert.deepEqual(await write(pendingChanges, text, { base: 'one\n', text: 'two\n' }), { kind: 'sent' });
    assert.equal(await textOf(newest.uuid, code), 'two\n');
    assert.deepEqual(looks, []);
    const signOff = { kind: 'signOff', patch: current } as const;
    await write(pendingChanges, signOff, { review: 'signedOff', seen: 'as it was' });
    assert.notEqual(looks.length, 0);
  });

  it('goes on taking changes of one window in the newest one, one after the other', async () => {
    const code = await addSection('one\ntwo\n');
    const newest = await publish();
    const { pendingChanges } = await openWindow();
    const subject = { kind: 'sectionText' as const, patch: old, code };
    await write(pendingChanges, subject, { base: 'one\ntwo\n', text: 'ONE\ntwo\n' });
    await write(pendingChanges, subject, { base: 'one\ntwo\n', text: 'one\nTWO\n' });
    assert.equal(await textOf(newest.uuid, code), 'ONE\nTWO\n');
  });

  it('does not decide between two texts: the change waits where it was begun', async () => {
    const code = await addSection('one\n');
    const newest = await publish();
    await client.patches.updateSection(newest.uuid, old.changeId, code, { text: 'theirs\n' });
    const { pendingChanges } = await openWindow();
    const subject = { kind: 'sectionText' as const, patch: old, code };
    const outcome = await write(pendingChanges, subject, { base: 'one\n', text: 'mine\n' });
    assert.deepEqual(outcome, {
      kind: 'conflict',
      base: 'one\n',
      theirs: 'theirs\n',
      mine: 'mine\n',
      newest,
    });
    const waiting = pendingChanges.find(subject)!;
    assert.deepEqual([waiting.state, waiting.failure?.newest], ['conflict', newest]);
    pendingChanges.resolve(waiting.id, 'theirs\n', 'both\n');
    assert.deepEqual(await pendingChanges.send(waiting.id), { kind: 'sent', newest });
    assert.deepEqual(
      [await textOf(old.stackUuid, code), await textOf(newest.uuid, code)],
      ['one\n', 'both\n'],
    );
  });

  it('has its section deleted, its order changed and a section added in the newest one', async () => {
    const codes = [await addSection('a\n'), await addSection('b\n'), await addSection('c\n')];
    const [a, b, c] = codes as [string, string, string];
    const base = (await client.patches.get(old.stackUuid, old.changeId)).sections!.map(
      ({ identifier }) => identifier,
    );
    const before = await texts(old.stackUuid);
    const newest = await publish();
    const { pendingChanges } = await openWindow();
    const rest = base.filter((identifier) => !codes.includes(identifier));
    const outcomes = [
      await write(pendingChanges, { kind: 'sectionOrder', patch: old }, { base, order: [...rest, c, a, b] }),
      await write(
        pendingChanges,
        { kind: 'sectionDeletion', patch: old, code: b },
        { text: 'b\n', after: a },
      ),
      await write(
        pendingChanges,
        { kind: 'newSection', patch: old, key: 'new' },
        { text: 'new\n', after: c },
      ),
    ];
    for (const outcome of outcomes) {
      assert.deepEqual(outcome.kind === 'sent' && outcome.newest, newest);
    }
    assert.deepEqual((await texts(newest.uuid)).slice(-3), ['c\n', 'new\n', 'a\n']);
    assert.deepEqual(await texts(old.stackUuid), before);
    assert.deepEqual(
      sent.map(({ moved }) => moved?.newest),
      [newest, newest, newest],
    );
  });

  it('has its title changed in the newest one', async () => {
    const { projectId = '', branchId, stackUuid } = old;
    const before = { title: 'Title', description: 'Words' };
    await client.stacks.update(stackUuid, before);
    const newest = await publish();
    const { pendingChanges } = await openWindow();
    const subject = { kind: 'stack' as const, projectId, branchId, stackUuid };
    const outcome = await write(pendingChanges, subject, {
      base: before,
      fields: { title: 'Another title' },
    });
    assert.deepEqual(outcome, { kind: 'sent', newest });
    const { title } = await client.stacks.latestForBranch(projectId, branchId!);
    assert.equal(title, 'Another title');
  });

  it('keeps a text whose section the newest one no longer has, and which section it may be where it has several', async () => {
    const code = await addSection('one\n');
    const newest = await publish();
    await client.patches.deleteSection(newest.uuid, old.changeId, code);
    const { pendingChanges } = await openWindow();
    const subject = { kind: 'sectionText' as const, patch: old, code };
    const gone = await write(pendingChanges, subject, { base: 'one\n', text: 'mine\n' });
    assert.deepEqual(gone.kind === 'failed' && gone.failure, {
      kind: 'deleted',
      newest,
    });
    const { id } = pendingChanges.find(subject)!;
    const twins = [await addSection('one\n', newest.uuid), await addSection('one\n', newest.uuid)];
    const unclear = await pendingChanges.send(id);
    assert.equal(unclear.kind === 'failed' && unclear.failure.kind, 'ambiguous');
    assert.deepEqual(pendingChanges.find(subject)?.content, { base: 'one\n', text: 'mine\n' });
    await client.patches.deleteSection(newest.uuid, old.changeId, twins[0]!);
    // The only section with its text is it, as in a service that gives sections new codes with each version.
    assert.equal((await pendingChanges.send(id)).kind, 'sent');
    assert.equal(await textOf(newest.uuid, twins[1]!), 'mine\n');
  });

  it('keeps every kind of change of a patch that the newest one no longer has', async () => {
    const code = await addSection('one\n');
    const { pendingChanges } = await openWindow();
    const head = git(repository, 'rev-parse', 'HEAD').trim();
    // The same branch without its first commit.
    git(repository, 'reset', '--quiet', '--hard', 'origin/main');
    await appendFile(path.join(repository, 'other.txt'), 'other\n');
    git(repository, 'add', '--all');
    git(repository, 'commit', '--quiet', '-m', 'Something else altogether');
    await service.importRepository();
    try {
      const changes: [ChangeSubject, ChangeContent][] = [
        [
          { kind: 'sectionText', patch: old, code },
          { base: 'one\n', text: 'mine\n' },
        ],
        [
          { kind: 'newSection', patch: old, key: 'new' },
          { text: 'new\n', after: code },
        ],
        [
          { kind: 'sectionOrder', patch: old },
          { base: ['a', 'b'], order: ['b', 'a'] },
        ],
        [
          { kind: 'sectionDeletion', patch: old, code: 'another' },
          { text: 'b\n', after: null },
        ],
        [
          { kind: 'signOff', patch: old },
          { review: 'signedOff', seen: 'as it was' },
        ],
      ];
      for (const [subject, content] of changes) {
        const outcome = await write(pendingChanges, subject, content);
        assert.equal(outcome.kind === 'failed' && outcome.failure.kind, 'patchGone', subject.kind);
        assert.deepEqual(pendingChanges.find(subject)?.content, content);
      }
    } finally {
      git(repository, 'reset', '--quiet', '--hard', head);
      await service.importRepository();
    }
  });

  it('refuses writes, naming the newest one', async () => {
    const { stackUuid, changeId } = old;
    const code = await addSection('one\n');
    const { uuid, version } = await publish();
    const writes: (() => Promise<unknown>)[] = [
      () => client.patches.updateSection(stackUuid, changeId, code, { text: 'two\n' }),
      () => client.patches.deleteSection(stackUuid, changeId, code),
      () => client.patches.createSection(stackUuid, changeId, { type: 'text', text: 'new\n' }),
      () => client.patches.update(stackUuid, changeId, { sectionOrder: [code] }),
      () => client.patches.update(stackUuid, changeId, { signOff: true }),
      () => client.stacks.update(stackUuid, { title: 'Title' }),
    ];
    for (const refused of writes) {
      await assert.rejects(refused, { kind: 'conflict', status: 409, newest: { uuid, version } });
    }
    const response = await fetch(`${service.url}/patch_stack/${stackUuid}`, {
      method: 'PATCH',
      headers: { 'X-Auth-Token': service.token, 'Content-Type': 'application/json' },
      body: '{"title": "Title"}',
    });
    const body = (await response.json()) as Record<string, unknown>;
    assert.equal(response.status, 409);
    assert.equal(body['error_code'], 'outdated_version');
    assert.deepEqual(body['newest'], { uuid, version: Number(version) });
    assert.ok(String(body['error']).includes(uuid));
  });

  it('is left for the newest one when only the refusal tells of that', async () => {
    const code = await addSection('one\n');
    const newest = await publish();
    const { pendingChanges } = await openWindow();
    // As where the new version comes between the question and the write, or an address does not say its branch.
    const unknown = { stackUuid: old.stackUuid, changeId: old.changeId };
    const subject = { kind: 'sectionText' as const, patch: unknown, code };
    const outcome = await write(pendingChanges, subject, { base: 'one\n', text: 'two\n' });
    assert.deepEqual(outcome, { kind: 'sent', newest });
    assert.deepEqual(
      [await textOf(old.stackUuid, code), await textOf(newest.uuid, code)],
      ['one\n', 'two\n'],
    );
    const key = { kind: 'newSection' as const, patch: unknown, key: 'new' };
    assert.equal(
      (await write(pendingChanges, key, { text: 'only the refusal\n', after: code })).kind,
      'sent',
    );
    assert.equal((await texts(newest.uuid)).filter((text) => text === 'only the refusal\n').length, 1);
  });

  it('is told from the newest one by the model, by uuid and whatever times the service writes', async () => {
    const { model } = await openWindow();
    assert.deepEqual(await model.standing(old), { kind: 'newest' });
    const newest = await publish();
    const patch = { ...old, stackUuid: newest.uuid };
    assert.deepEqual(await model.standing(old), { kind: 'older', newest, patch });
    assert.deepEqual(await model.standing(patch), { kind: 'newest' });
    const { stackUuid, changeId } = old;
    assert.deepEqual(await model.standing({ stackUuid, changeId }), { kind: 'unknown' });
    await model.stacks(old.projectId!, 'all');
    assert.deepEqual(await model.standing({ stackUuid, changeId }), { kind: 'older', newest, patch });
    const { uuid, version } = newest;
    const gone = { kind: 'gone', newest };
    const stack = { uuid, version: Number(version), created_at: '1970-01-01T00:00:00Z', patches: [] };
    proxy.use(reply(200, JSON.stringify(stack)));
    assert.deepEqual(await model.standing(old), gone);
  });
});
