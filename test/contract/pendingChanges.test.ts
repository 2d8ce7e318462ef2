import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ApiClient } from '../../src/api/client.ts';
import type { PatchSection } from '../../src/api/types/patches.ts';
import type { ChangeContent, ChangeContents, ChangeSubject } from '../../src/model/pending/kinds/index.ts';
import { PendingChanges } from '../../src/model/pending/pendingChanges.ts';
import { decodeChange } from '../../src/model/pending/journalFile.ts';
import { conflictOf } from '../../src/model/pending/pendingChange.ts';
import { PendingForm } from '../../src/model/pending/pendingForm.ts';
import { fingerprintOf } from '../../src/model/fingerprint.ts';
import type { AskService } from '../../src/model/askService.ts';
import { Model } from '../../src/model/model.ts';
import { opinionsOf } from '../../src/model/review.ts';
import type { LocalService } from '../../src/service/service.ts';
import { ExampleService } from '../support/exampleService.ts';
import type { FaultServer } from '../support/faultServer.ts';
import { reply, resetBeforeHeaders, type Fault, type SeenRequest } from '../support/faultServer.ts';
import { forwardTo, passOn } from '../support/forward.ts';
import { noteBackgroundFailures } from '../../src/util/inBackground.ts';
import type { PatchRef } from '../../src/util/patchRef.ts';

describe('pending changes', function () {
  this.timeout(60_000);
  let example: ExampleService;
  let service: LocalService;
  let client: ApiClient;
  let patch: PatchRef;
  let me: { id: string; login: string };
  let folder: string;
  let window: PendingChanges;
  /** The model of the window that was opened last. */
  let model: Model;
  const opened: PendingChanges[] = [];
  /** Between the windows and the service. */
  let proxy: FaultServer;
  let throughProxy: ApiClient;

  before(async () => {
    example = await ExampleService.start();
    ({ service, proxy, client, throughProxy } = example);
    const { id, login = '' } = await client.users.me();
    me = { id, login };
    const [project] = (await client.projects.list()).items;
    const projectId = project!.repositoryId;
    const [stack] = (await client.stacks.list(projectId)).items;
    const { changeId } = stack!.patches![0]!;
    patch = { projectId, branchId: stack!.branchId, stackUuid: stack!.uuid, changeId };
  });

  after(() => example.stop());

  beforeEach(async () => {
    folder = await example.accountFolder();
    proxy.use(forwardTo(service.url));
    window = await openWindow();
  });

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((pendingChanges) => pendingChanges.close()));
  });

  async function openWindow(): Promise<PendingChanges> {
    const ask: AskService = (operation) => operation(throughProxy);
    model = new Model(ask, { me });
    const pendingChanges = new PendingChanges({ ask, model });
    opened.push(pendingChanges);
    await pendingChanges.activate(folder);
    return pendingChanges;
  }

  /** Adds a section to the patch, as somebody else does. */
  async function addSection(text: string): Promise<string> {
    const section = await client.patches.createSection(patch.stackUuid, patch.changeId, {
      type: 'text',
      text,
    });
    return section.code;
  }

  async function textOf(code: string): Promise<string | undefined> {
    const section = await client.patches.getSection(patch.stackUuid, patch.changeId, code);
    return section.sectionType === 'text' ? section.text : undefined;
  }

  async function sections() {
    return (await client.patches.get(patch.stackUuid, patch.changeId)).sections ?? [];
  }

  const idOf = (pendingChanges: PendingChanges, subject: ChangeSubject): string =>
    pendingChanges.find(subject)!.id;

  /** The names of the pending changes' files. */
  const files = async (): Promise<string[]> =>
    (await readdir(folder)).filter((name) => name.endsWith('.json'));

  it('sends a text and forgets it then', async () => {
    const code = await addSection('one\n');
    const subject = { kind: 'sectionText' as const, patch, code };
    window.put(subject, { base: 'one\n', text: 'two\n' }, 'A section');
    await window.flush();
    assert.equal((await files()).length, 1);
    assert.deepEqual(await window.send(idOf(window, subject)), { kind: 'sent' });
    assert.equal(await textOf(code), 'two\n');
    assert.deepEqual(await files(), []);
    assert.deepEqual(window.list(), []);
  });

  it('are written, and told to all others, also after somebody has failed to hear of one', async () => {
    const { error: logError } = console;
    const failures: string[] = [];
    noteBackgroundFailures((failure) => failures.push(failure));
    try {
      const subject = { kind: 'sectionText' as const, patch, code: await addSection('one\n') };
      window.onDidChange(() => {
        throw new Error('the page is gone');
      });
      let heard = 0;
      window.onDidChange(() => (heard += 1));
      for (const text of ['two\n', 'three\n']) {
        window.put(subject, { base: 'one\n', text }, 'A section');
        await window.flush();
        const [name = ''] = await files();
        const kept = await readFile(path.join(folder, name), 'utf8');
        assert.ok(kept.includes(JSON.stringify(text)), kept);
      }
      assert.ok(heard > 0);
      assert.ok(failures.every((failure) => failure.includes('the page is gone')));
    } finally {
      noteBackgroundFailures((failure) => logError(failure));
    }
  });

  describe('of two versions of a text that people wrote at the same time', () => {
    const other = { id: 'one', text: 'one\n', before: 'was\n', by: 'Grace Hopper' };
    const shown = 'two\n';
    const begin = (code: string): string =>
      window.beginResolving({ kind: 'sharedConflict', patch, code }, { shown, other, title: 'A section' });

    it('have both sides, go on where somebody was, and send what they come to', async () => {
      const code = await addSection(shown);
      const id = begin(code);
      const pending = window.get(id);
      assert.ok(pending);
      const { base, theirs, mine, by } = conflictOf(pending) ?? {};
      assert.deepEqual([base, theirs, mine, by], ['was\n', 'one\n', 'two\n', 'Grace Hopper']);
      window.keepResolution(id, 'both\n');
      assert.equal(begin(code), id);
      assert.equal(window.get(id)?.resolution, 'both\n');
      await window.flush();
      const kept = await readFile(path.join(folder, (await files())[0] ?? ''), 'utf8');
      const read = decodeChange(kept);
      assert.ok(read.kind === 'pending');
      assert.deepEqual([read.pending.failure?.isShared, read.pending.failure?.by], [true, 'Grace Hopper']);
      window.resolve(id, 'one\n', 'both\n');
      assert.deepEqual(await window.send(id), { kind: 'sent' });
      assert.equal(await textOf(code), 'both\n');
      assert.deepEqual(await files(), []);
    });

    it('begin anew with another version as long as nobody has done anything', async () => {
      const code = await addSection(shown);
      const subject = { kind: 'sharedConflict' as const, patch, code };
      const another = { shown: 'else', other: { ...other, text: 'else' }, title: 'A section' };
      const id = window.beginResolving(subject, another);
      assert.equal(begin(code), id);
      assert.equal(window.get(id)?.failure?.theirs, 'one\n');
      window.keepResolution(id, 'both\n');
      window.beginResolving(subject, another);
      assert.equal(window.get(id)?.failure?.theirs, 'one\n');
      await window.discard(id);
    });

    it('go on as any other when somebody else has resolved it meanwhile', async () => {
      const code = await addSection('theirs\n');
      const id = begin(code);
      window.resolve(id, 'one\n', 'mine\n');
      const outcome = await window.send(id);
      assert.ok(outcome.kind === 'conflict');
      assert.deepEqual([outcome.base, outcome.theirs, outcome.mine], [shown, 'theirs\n', 'mine\n']);
      window.resolve(id, outcome.theirs, 'ours\n');
      assert.deepEqual(await window.send(id), { kind: 'sent' });
      assert.equal(await textOf(code), 'ours\n');
    });
  });

  describe('of a text whose page has not heard yet that it was taken', () => {
    const on = (page: string, edition: number) => ({ page, edition });

    /** Sends a text that was typed on a page, while the section is known in the window. */
    async function sendFromPage(): Promise<ChangeSubject & { kind: 'sectionText' }> {
      const code = await addSection('one\n');
      const subject = { kind: 'sectionText' as const, patch, code };
      await model.patch(patch);
      window.put(subject, { base: 'one\n', text: 'two\n' }, 'A section', on('a page', 1));
      assert.deepEqual(await window.send(idOf(window, subject)), {
        kind: 'sent',
        typedOn: on('a page', 1),
      });
      return subject;
    }

    it('take what is typed on as a change of what was taken', async () => {
      const subject = await sendFromPage();
      window.put(subject, { base: 'one\n', text: 'two and on\n' }, 'A section', on('a page', 2));
      assert.deepEqual(window.find(subject)?.content, { base: 'two\n', text: 'two and on\n' });
      const sending = window.send(idOf(window, subject));
      assert.deepEqual(await sending, { kind: 'sent', typedOn: on('a page', 2) });
      assert.equal(await textOf(subject.code), 'two and on\n');
    });

    it('stay where they were typed in the same moment as it was sent', async () => {
      const subject = await sendFromPage();
      window.put(subject, { base: 'two\n', text: 'three\n' }, 'A section', on('a page', 2));
      const sending = window.send(idOf(window, subject));
      window.put(subject, { base: 'two\n', text: 'three and four\n' }, 'A section', on('a page', 3));
      assert.deepEqual(await sending, { kind: 'sent', typedOn: on('a page', 2) });
      assert.equal(await textOf(subject.code), 'three\n');
      assert.deepEqual(window.find(subject)?.content, { base: 'three\n', text: 'three and four\n' });
    });

    it('say how far it was typed when its turn came, which may be further than when that was asked', async () => {
      const subject = await sendFromPage();
      const other = { ...subject, code: await addSection('before\n') };
      window.put(other, { base: 'before\n', text: 'first\n' }, 'A section');
      window.put(subject, { base: 'two\n', text: 'three\n' }, 'A section', on('a page', 2));
      const sendings = [other, subject].map((changed) => window.send(idOf(window, changed)));
      window.put(subject, { base: 'two\n', text: 'three and four\n' }, 'A section', on('a page', 3));
      const [, sent] = await Promise.all(sendings);
      assert.deepEqual(sent, { kind: 'sent', typedOn: on('a page', 3) });
      assert.deepEqual([await textOf(subject.code), window.find(subject)], ['three and four\n', undefined]);
    });

    it('are none where the page says the same once more', async () => {
      const subject = await sendFromPage();
      window.put(subject, { base: 'one\n', text: 'two\n' }, 'A section', on('a page', 2));
      assert.equal(window.find(subject), undefined);
    });

    it('begin where another page says, which has not seen what was taken', async () => {
      const subject = await sendFromPage();
      for (const typedOn of [on('another page', 1), undefined]) {
        window.put(subject, { base: 'one\n', text: 'three\n' }, 'A section', typedOn);
        assert.deepEqual(window.find(subject)?.content, { base: 'one\n', text: 'three\n' });
        await window.discard(idOf(window, subject));
      }
    });

    it('begin where the page says as soon as somebody has put that text back', async () => {
      const subject = await sendFromPage();
      await client.patches.updateSection(patch.stackUuid, patch.changeId, subject.code, { text: 'one\n' });
      await model.refreshPatch(patch);
      window.put(subject, { base: 'one\n', text: 'one more\n' }, 'A section', on('a page', 2));
      assert.deepEqual(window.find(subject)?.content, { base: 'one\n', text: 'one more\n' });
      await window.discard(idOf(window, subject));
    });

    it('begin where the page says when something was sent from elsewhere since', async () => {
      const subject = await sendFromPage();
      window.put(subject, { base: 'two\n', text: 'three\n' }, 'A section');
      await window.send(idOf(window, subject));
      window.put(subject, { base: 'one\n', text: 'one more\n' }, 'A section', on('a page', 2));
      assert.deepEqual(window.find(subject)?.content, { base: 'one\n', text: 'one more\n' });
    });

    it('begin where the page says when it has heard of it', async () => {
      const subject = await sendFromPage();
      window.put(subject, { base: 'two\n', text: 'three\n' }, 'A section', on('a page', 2));
      assert.deepEqual(window.find(subject)?.content, { base: 'two\n', text: 'three\n' });
    });
  });

  it('shows what the service has taken from the moment in which it is a pending change no more', async () => {
    const { value } = await model.patch(patch);
    const base = (value.sections ?? []).map(({ identifier }) => identifier);
    const order = base.toReversed();
    const subject = { kind: 'sectionOrder' as const, patch };
    const shown: string[][] = [];
    window.onDidChange(async () => {
      await Promise.resolve();
      if (!window.find(subject)) {
        shown.push(model.knownPatch(patch)?.value.sections?.map(({ identifier }) => identifier) ?? []);
      }
    });
    window.put(subject, { base, order }, 'A patch');
    await window.send(idOf(window, subject));
    assert.ok(shown.length > 0);
    shown.forEach((identifiers) => assert.deepEqual(identifiers, order));
  });

  it('joins a text with what somebody else wrote', async () => {
    const code = await addSection('one\ntwo\nthree\n');
    const subject = { kind: 'sectionText' as const, patch, code };
    window.put(subject, { base: 'one\ntwo\nthree\n', text: 'one\ntwo\nTHREE\n' }, 'A section');
    await client.patches.updateSection(patch.stackUuid, patch.changeId, code, { text: 'ONE\ntwo\nthree\n' });
    const merged = 'ONE\ntwo\nTHREE\n';
    assert.deepEqual(await window.send(idOf(window, subject)), { kind: 'sent', merged });
    assert.equal(await textOf(code), merged);
  });

  it('sends nothing when both changed the same, until the person has decided', async () => {
    const code = await addSection('one\n');
    const subject = { kind: 'sectionText' as const, patch, code };
    window.put(subject, { base: 'one\n', text: 'mine\n' }, 'A section');
    await client.patches.updateSection(patch.stackUuid, patch.changeId, code, { text: 'theirs\n' });
    const outcome = await window.send(idOf(window, subject));
    assert.deepEqual(outcome, { kind: 'conflict', base: 'one\n', theirs: 'theirs\n', mine: 'mine\n' });
    assert.equal(await textOf(code), 'theirs\n');
    // The text that the person has come to in the merge editor, which saves by itself, is kept, and resolves nothing.
    window.keepResolution(idOf(window, subject), 'mine after all\n');
    assert.equal(window.find(subject)?.state, 'conflict');
    assert.equal(window.find(subject)?.content.text, 'mine\n');
    assert.equal((await window.send(idOf(window, subject))).kind, 'conflict');
    assert.equal(await textOf(code), 'theirs\n');
    window.resolve(idOf(window, subject), 'theirs\n', 'both\n');
    assert.deepEqual(await window.send(idOf(window, subject)), { kind: 'sent' });
    assert.equal(await textOf(code), 'both\n');
  });

  describe('of a review', () => {
    type Review = ChangeContents['signOff']['review'];

    // A review stays until the other is given: each test begins with this.
    beforeEach(() => client.patches.update(patch.stackUuid, patch.changeId, { signOff: false }));

    const subject = (): ChangeSubject & { kind: 'signOff' } => ({ kind: 'signOff', patch });
    /** Says something of the patch as it is on the service now. */
    const say = async (pendingChanges: PendingChanges, review: Review): Promise<string> => {
      const seen = fingerprintOf(await client.patches.get(patch.stackUuid, patch.changeId));
      await pendingChanges.queue(subject(), { review, seen }, 'A patch');
      return idOf(pendingChanges, subject());
    };
    /** The caller's reviews. */
    const marks = async (stackUuid = patch.stackUuid): Promise<string[]> => {
      const { reviewAll } = await client.patches.get(stackUuid, patch.changeId);
      return [
        ...(reviewAll?.signedOff ?? []).map(() => 'signed off'),
        ...(reviewAll?.rejected ?? []).map(() => 'changes requested'),
      ];
    };
    const sent = (): unknown[] =>
      proxy.seen.flatMap(({ method, body }): unknown[] =>
        method === 'PATCH' ? [JSON.parse(String(body))] : [],
      );

    it('is on disk while it waits, and nothing is sent when it is undone', async () => {
      const id = await say(window, 'signedOff');
      assert.equal(window.find(subject())?.state, 'queued');
      assert.equal((await files()).length, 1);
      await window.takeBack(id);
      assert.deepEqual([await files(), await window.send(id)], [[], { kind: 'sent' }]);
      assert.deepEqual([sent(), await marks()], [[], ['changes requested']]);
    });

    it('sends one when the other is said within the wait', async () => {
      await say(window, 'changesRequested');
      const id = await say(window, 'signedOff');
      assert.equal((await window.send(id)).kind, 'sent');
      assert.deepEqual([sent(), await marks()], [[{ sign_off: true }], ['signed off']]);
      assert.equal((await window.send(await say(window, 'changesRequested'))).kind, 'sent');
      assert.deepEqual([sent()[1], await marks()], [{ sign_off: false }, ['changes requested']]);
    });

    it('is not sent when it is what the caller has said already', async () => {
      assert.equal((await window.send(await say(window, 'changesRequested'))).kind, 'sent');
      assert.deepEqual([sent(), await marks()], [[], ['changes requested']]);
    });

    it('waits after the one that is on its way', async () => {
      const id = await say(window, 'signedOff');
      const forward = forwardTo(service.url);
      proxy.use(async (response, request, attempt) => {
        if (request.method === 'PATCH' && attempt < 5) {
          await say(window, 'changesRequested');
        }
        await forward(response, request, attempt);
      });
      await window.send(id);
      const waiting = window.find(subject());
      assert.ok(waiting);
      assert.deepEqual([waiting.state, waiting.content.review], ['queued', 'changesRequested']);
      proxy.use(forward);
      await window.send(id);
      assert.deepEqual(await marks(), ['changes requested']);
    });

    it('is sent once when its answer gets lost', async () => {
      const id = await say(window, 'signedOff');
      proxy.use(async (response, request, attempt) => {
        if (request.method === 'PATCH') {
          await passOn(service.url, request);
        }
        const answer = request.method === 'PATCH' ? resetBeforeHeaders : forwardTo(service.url);
        await answer(response, request, attempt);
      });
      assert.equal((await window.send(id)).kind, 'failed');
      assert.equal(sent().length, 1);
      proxy.use(forwardTo(service.url));
      assert.deepEqual(await window.send(id), { kind: 'sent' });
      assert.deepEqual([sent(), await marks()], [[], ['signed off']]);
    });

    it('of a window that was killed stays, and is sent only when somebody says so', async () => {
      await say(window, 'signedOff');
      const file = (await readdir(folder)).find((name) => name.endsWith('.json')) ?? '';
      const left = await readFile(path.join(folder, file), 'utf8');
      await window.takeBack(idOf(window, subject()));
      // As it lies there when nobody has it any more.
      folder = await example.accountFolder();
      await mkdir(folder, { recursive: true });
      await writeFile(path.join(folder, `${file.slice(0, 36)}.json`), left);
      const next = await openWindow();
      const { state, failure } = next.find(subject()) ?? {};
      assert.deepEqual([state, failure], ['failed', { kind: 'interrupted' }]);
      assert.equal(next.requeue(idOf(next, subject())), false);
      assert.deepEqual(sent(), []);
      assert.equal((await next.send(idOf(next, subject()))).kind, 'sent');
      assert.deepEqual([sent().length, await marks()], [1, ['signed off']]);
    });

    it('of a window that was closed waits again in the next one', async () => {
      await say(window, 'signedOff');
      await window.close();
      const next = await openWindow();
      assert.equal(next.find(subject())?.failure?.kind, 'closed');
      assert.equal(next.requeue(idOf(next, subject())), true);
      assert.equal(next.find(subject())?.state, 'queued');
      assert.deepEqual(sent(), []);
    });

    it('is not sent when the patch has another content by now', async () => {
      const id = await say(window, 'signedOff');
      await addSection('Unseen\n');
      const outcome = await window.send(id);
      assert.ok(outcome.kind === 'failed');
      const { kind, newest, patchVersion } = outcome.failure;
      const { version } = await client.patches.get(patch.stackUuid, patch.changeId);
      assert.deepEqual([kind, newest, patchVersion], ['outdated', undefined, version]);
      assert.deepEqual([sent(), await marks()], [[], ['changes requested']]);
    });

    /** Has the service answer a sign-off in a way of its own. */
    const answerPatchWith = (answer: (request: SeenRequest) => Promise<unknown>): void =>
      proxy.use(
        forwardTo(service.url, (request) =>
          request.method === 'PATCH'
            ? async (...call) => reply(200, JSON.stringify(await answer(request)))(...call)
            : undefined,
        ),
      );
    const passedOn = async (request: SeenRequest): Promise<Record<string, unknown>> =>
      (await (await passOn(service.url, request)).json()) as Record<string, unknown>;
    const failureKind = async (id: string): Promise<string | undefined> => {
      const outcome = await window.send(id);
      return outcome.kind === 'failed' ? outcome.failure.kind : undefined;
    };

    it('is not taken for said when the service says yes and has not done it', async () => {
      const id = await say(window, 'signedOff');
      const before = await client.patches.get(patch.stackUuid, patch.changeId);
      answerPatchWith(async () => ({ change_id: before.changeId }));
      assert.equal(await failureKind(id), 'notTaken');
      const shown = (await model.patch(patch)).value;
      assert.equal(opinionsOf(shown, me).mine, 'changesRequested');
      assert.deepEqual(await marks(), ['changes requested']);
      // The same request again, for a service that has thought better of it.
      proxy.use(forwardTo(service.url));
      assert.deepEqual([await failureKind(id), await marks()], [undefined, ['signed off']]);
    });

    it('is looked up when the answer says nothing of it, or what was before', async () => {
      for (const review of [undefined, { viewed: [], signed_off: [], rejected: [me] }]) {
        const id = await say(window, 'signedOff');
        answerPatchWith(async (request) => ({
          ...(await passedOn(request)),
          review: undefined,
          review_all: review,
        }));
        assert.equal((await window.send(id)).kind, 'sent');
        assert.equal(opinionsOf((await model.patch(patch)).value, me).mine, 'signedOff');
        await client.patches.update(patch.stackUuid, patch.changeId, { signOff: false });
        model.markPatchStale(patch);
      }
    });

    it('says so when somebody changed the patch at the same moment', async () => {
      const id = await say(window, 'signedOff');
      answerPatchWith(async (request) => {
        await addSection('Unseen, too\n');
        return passedOn(request);
      });
      assert.deepEqual([await failureKind(id), await marks()], ['changedMeanwhile', ['signed off']]);
    });

    it('is not sent when there is a newer version, whatever that has in it, and names that', async () => {
      const id = await say(window, 'signedOff');
      const { projectId = '', branchId = '' } = patch;
      const { uuid, version } = await client.stacks.create({ projectId, branchId, oplogSha: randomUUID() });
      const outcome = await window.send(id);
      assert.ok(outcome.kind === 'failed');
      assert.deepEqual([outcome.failure.kind, outcome.failure.newest], ['outdated', { uuid, version }]);
      assert.deepEqual([sent(), await marks(uuid)], [[], ['changes requested']]);
      patch = { ...patch, stackUuid: uuid };
    });
  });

  it('puts nothing in an order that undoes what somebody else has moved, until the person has decided', async () => {
    for (const text of ['a\n', 'b\n', 'c\n', 'd\n']) {
      await addSection(text);
    }
    const { stackUuid, changeId } = patch;
    const order = async (): Promise<string[]> => (await sections()).map(({ identifier }) => identifier);
    const base = await order();
    const rest = base.slice(0, -4);
    const [a, b, c, d] = base.slice(-4) as [string, string, string, string];
    const subject = { kind: 'sectionOrder' as const, patch };
    window.put(subject, { base, order: [...rest, a, c, d, b] }, 'A patch');
    const theirs = [...rest, b, a, c, d];
    await client.patches.update(stackUuid, changeId, { sectionOrder: theirs });
    const id = idOf(window, subject);
    const outcome = await window.send(id);
    assert.ok(outcome.kind === 'conflict');
    assert.match(outcome.base, /a\nb\nc\nd\n$/);
    assert.match(outcome.theirs, /b\na\nc\nd\n$/);
    assert.match(outcome.mine, /a\nc\nd\nb\n$/);
    assert.deepEqual(await order(), theirs);
    window.resolve(id, outcome.theirs, outcome.mine);
    assert.equal((await window.send(id)).kind, 'sent');
    assert.deepEqual(await order(), [...rest, a, c, d, b]);
  });

  it('puts an order, and a section at the end, also where the service leaves the sections out of its answers', async () => {
    await addSection('a\n');
    const last = await addSection('b\n');
    const order = async (): Promise<string[]> => (await sections()).map(({ identifier }) => identifier);
    const base = await order();
    const subject = { kind: 'sectionOrder' as const, patch };
    const added = { kind: 'newSection' as const, patch, key: 'c' };
    window.put(subject, { base, order: base.toReversed() }, 'A patch');
    window.put(added, { text: 'c\n', after: last }, 'A section');
    const withoutSections: Fault = async (response, request, attempt) => {
      const answer = (await (await passOn(service.url, request)).json()) as Record<string, unknown>;
      delete answer['sections'];
      await reply(200, JSON.stringify(answer))(response, request, attempt);
    };
    proxy.use(
      forwardTo(service.url, ({ url }) => (/\/patch\/[^/]+$/.test(url) ? withoutSections : undefined)),
    );
    assert.equal((await window.send(idOf(window, subject))).kind, 'sent');
    assert.deepEqual(await order(), base.toReversed());
    assert.equal((await window.send(idOf(window, added))).kind, 'sent');
    assert.deepEqual((await order()).slice(0, -1), base.toReversed());
    assert.deepEqual(window.list(), []);
  });

  it('finds in a new window what a killed one has left', async () => {
    const code = await addSection('one\n');
    const subject = { kind: 'sectionText' as const, patch, code };
    window.put(subject, { base: 'one\n', text: 'two\n' }, 'A section');
    await window.close();
    const next = await openWindow();
    assert.equal(next.find(subject)?.heldBy, 'nobody');
    assert.deepEqual(next.find(subject)?.content, { base: 'one\n', text: 'two\n' });
    next.put(subject, { base: 'one\n', text: 'three\n' }, 'A section');
    await next.flush();
    const [file = '', ...others] = await files();
    assert.deepEqual(others, []);
    assert.match(await readFile(path.join(folder, file), 'utf8'), /three/);
  });

  /** A new section that may or may not be on the service, as its window knows. */
  async function addUnclear(text: string, network: Fault): Promise<string> {
    const subject = { kind: 'newSection' as const, patch, key: text };
    window.put(subject, { text, after: null }, text);
    const id = idOf(window, subject);
    proxy.use(forwardTo(service.url, ({ method }) => (method === 'POST' ? network : undefined)));
    assert.equal((await window.send(id)).kind, 'failed');
    proxy.use(forwardTo(service.url));
    return id;
  }

  /** Does what is asked, and loses the answer. */
  const answerLost: Fault = async (response, request, attempt) => {
    await passOn(service.url, request);
    await resetBeforeHeaders(response, request, attempt);
  };

  const newSections = async (known: readonly PatchSection[]): Promise<PatchSection[]> =>
    (await sections()).filter(({ code }) => !known.some((other) => other.code === code));

  it('adds a section once, however often the answer gets lost', async () => {
    const known = await sections();
    const id = await addUnclear('A new section\n', answerLost);
    assert.equal((await newSections(known)).length, 1);
    assert.equal((await window.send(id)).kind, 'sent');
    assert.equal((await newSections(known)).length, 1);
    assert.deepEqual(window.list(), []);
  });

  it('goes on with a section that was added as with a change of its text', async () => {
    const subject = { kind: 'newSection' as const, patch, key: 'gone on with' };
    window.put(subject, { text: 'one\n', after: null }, 'A section');
    const outcome = await window.send(idOf(window, subject));
    const code = outcome.kind === 'sent' ? outcome.code : undefined;
    // The editor has not heard of its code yet.
    window.put(subject, { text: 'one\ntwo\n', after: null }, 'A section');
    assert.deepEqual(
      window.list().map(({ subject: { kind }, content }) => [kind, content]),
      [['sectionText', { base: 'one\n', text: 'one\ntwo\n' }]],
    );
    assert.equal((await window.send(idOf(window, subject))).kind, 'sent');
    const added = (await sections()).find((section) => section.code === code);
    assert.equal(added?.sectionType === 'text' && added.text, 'one\ntwo\n');
  });

  it('adds a section once, when another window takes the pending change in the moment in which this one types on', async () => {
    const known = await sections();
    const subject = { kind: 'newSection' as const, patch, key: 'contended' };
    await addUnclear('contended', answerLost);
    await window.close();
    const [one, other] = [await openWindow(), await openWindow()];
    assert.equal(other.find(subject)?.heldBy, 'nobody');
    // The other one has not heard of this yet.
    one.put(subject, { text: 'contended, in one\n', after: null }, 'A section');
    other.put(subject, { text: 'contended\n\nin the other\n', after: null }, 'A section');
    await Promise.all([one.flush(), other.flush()]);
    assert.equal((await other.send(idOf(other, subject))).kind, 'sent');
    assert.equal((await newSections(known)).length, 1);
    assert.equal((await one.send(idOf(one, subject))).kind, 'conflict');
    assert.equal((await newSections(known)).length, 1);
  });

  /** Has this window and another one change the same section. */
  async function changeInTwoWindows(): Promise<{
    subject: { kind: 'sectionText'; patch: PatchRef; code: string };
    title: string;
    other: PendingChanges;
  }> {
    const subject = { kind: 'sectionText' as const, patch, code: await addSection('one\n') };
    const title = 'A section';
    window.put(subject, { base: 'one\n', text: 'one\nmine\n' }, title);
    await window.flush();
    const other = await openWindow();
    other.put(subject, { base: 'one\n', text: 'one\ntheirs\n' }, title);
    await other.flush();
    await window.reload();
    return { subject, title, other };
  }

  /** The texts that this window has, in the order of the alphabet. */
  const textsHere = (): string[] =>
    window
      .list()
      .flatMap(({ content, heldBy }) => (heldBy === 'here' ? [(content as { text: string }).text] : []))
      .sort();

  it('goes on with the text that an editor shows when it takes another one of the same section over, and keeps both', async () => {
    const { subject, title, other } = await changeInTwoWindows();
    assert.ok(await window.takeOver(idOf(other, subject)));
    const shown = window.shown().map(({ content }) => content);
    assert.deepEqual(shown, [{ base: 'one\n', text: 'one\nmine\n' }]);
    window.put(subject, { base: 'one\n', text: 'one\nmine\nmore\n' }, title);
    // Taken back in the moment in which this one types on: that is a pending change of its own, and still the one that is shown.
    await other.reload();
    await other.takeOver(idOf(window, subject));
    window.put(subject, { base: 'one\n', text: 'one\nmine\nmore\nlast\n' }, title);
    await window.flush();
    await window.flush();
    window.put(subject, { base: 'one\n', text: 'one\nmine\nmore\nlast\n!\n' }, title);
    assert.deepEqual(textsHere(), ['one\nmine\nmore\nlast\n!\n', 'one\ntheirs\n']);
  });

  it('overwrites no other change of the same section with what is typed after the one that was shown was taken away', async () => {
    const { subject, title, other } = await changeInTwoWindows();
    const mine = idOf(window, subject);
    assert.ok(await window.takeOver(idOf(other, subject)));
    await other.reload();
    assert.ok(await other.takeOver(mine));
    // The window has learned it, and its page has not yet.
    await window.reload();
    await window.flush();
    assert.equal(window.get(mine)?.heldBy, 'elsewhere');
    for (const typed of ['one\nmine\nmore\n', 'one\nmine\nmore\nlast\n']) {
      window.put(subject, { base: 'one\n', text: typed }, title);
      assert.deepEqual(window.find(subject)?.content, { base: 'one\n', text: typed });
    }
    assert.deepEqual(textsHere(), ['one\nmine\nmore\nlast\n', 'one\ntheirs\n']);
  });

  it('adds a section once when a window sends what it left, and then what it made of it in another', async () => {
    const known = await sections();
    const subject = { kind: 'newSection' as const, patch, key: 'left' };
    window.put(subject, { text: 'left\n', after: null }, 'A section');
    await window.flush();
    const other = await openWindow();
    await model.patch(patch);
    const left = idOf(window, subject);
    assert.ok(await other.takeOver(left));
    window.put(subject, { text: 'left\n\nand more\n', after: null }, 'A section');
    await window.flush();
    await window.flush();
    const mine = idOf(window, subject);
    assert.notEqual(mine, left);
    await other.close();
    await window.reload();
    assert.equal((await window.send(left)).kind, 'sent');
    assert.equal((await window.send(mine)).kind, 'sent');
    const [added, ...more] = await newSections(known);
    assert.equal(added && (await textOf(added.code)), 'left\n\nand more\n');
    assert.deepEqual(more, []);
  });

  it('asks before it adds a section again that somebody may have rewritten since, and goes on with that', async () => {
    const known = await sections();
    const id = await addUnclear('Mine\n\nmore\n', answerLost);
    const { code } = (await newSections(known))[0]!;
    const { stackUuid, changeId } = patch;
    await client.patches.updateSection(stackUuid, changeId, code, { text: 'Theirs\n\nmore\n' });
    // Typed after it was sent.
    window.put(
      { kind: 'newSection', patch, key: 'Mine\n\nmore\n' },
      { text: 'Mine\n\nmore\n\nand more\n', after: null },
      'Mine',
    );
    const outcome = await window.send(id);
    assert.ok(outcome.kind === 'conflict');
    assert.equal(outcome.code, code);
    assert.equal((await newSections(known)).length, 1);
    window.resolveNewSection(id, true);
    assert.equal((await window.send(id)).kind, 'sent');
    assert.equal((await newSections(known)).length, 1);
    assert.equal(await textOf(code), 'Theirs\n\nmore\n\nand more\n');
    assert.deepEqual(window.list(), []);
  });

  it('adds a section when the person says that the one that came since is not it', async () => {
    const known = await sections();
    const id = await addUnclear('Mine\n', resetBeforeHeaders);
    const theirs = [await addSection('Theirs\n'), await addSection('Theirs, too\n')];
    const asked: (string | undefined)[] = [];
    for (let times = theirs.length; times > 0; times -= 1) {
      const outcome = await window.send(id);
      assert.ok(outcome.kind === 'conflict');
      asked.push(outcome.code);
      window.resolveNewSection(id, false);
    }
    assert.deepEqual(asked.sort(), theirs.sort());
    assert.equal((await window.send(id)).kind, 'sent');
    assert.equal((await newSections(known)).length, 3);
  });

  describe('of which a try was', () => {
    /** Publishes the branch again, and says so as the service does. */
    const newest = async (): Promise<string> => {
      const { projectId = '', branchId = '' } = patch;
      const { uuid, version } = await client.stacks.create({ projectId, branchId, oplogSha: randomUUID() });
      patch = { ...patch, stackUuid: uuid };
      return JSON.stringify({ error_code: 'outdated_version', newest: { uuid, version: Number(version) } });
    };
    const answers: [string, Fault, isNoted: boolean][] = [
      ['refused for what has changed meanwhile', reply(412), false],
      ['refused for a newer version', async (...call) => reply(409, await newest())(...call), false],
      ['refused for what is gone', reply(404), false],
      ['refused for what it says', reply(422), false],
      ['refused for who asks', reply(403), false],
      ['refused for its size', reply(413), false],
      ['lost', answerLost, true],
      ['cut', resetBeforeHeaders, true],
      ['answered with a failure', reply(500), true],
    ];
    const changes: [string, () => Promise<[ChangeSubject, ChangeContent]>][] = [
      [
        'a text',
        async () => [
          { kind: 'sectionText', patch, code: await addSection('one\n') },
          { base: 'one\n', text: 'two\n' },
        ],
      ],
      [
        'a new section',
        async () => [
          { kind: 'newSection', patch, key: 'new' },
          { text: 'new\n', after: null },
        ],
      ],
    ];
    for (const [answer, fault, isNoted] of answers) {
      for (const [what, begin] of changes) {
        it(`${answer} ${isNoted ? 'note it, as it may have arrived' : 'note nothing of it'}: ${what}`, async () => {
          const [subject, content] = await begin();
          window.put(subject, content, 'A section');
          let isTried = false;
          // Nothing is heard any more after the first try, so that this is how it stays.
          proxy.use(
            forwardTo(service.url, ({ method }) => {
              const isWrite = method !== 'GET';
              const answered = isTried && !isWrite ? resetBeforeHeaders : isWrite ? fault : undefined;
              isTried ||= isWrite;
              return answered;
            }),
          );
          await window.send(idOf(window, subject));
          assert.ok(isTried);
          const { attempt, state } = window.find(subject)!;
          assert.deepEqual([attempt !== undefined, state], [isNoted, 'failed']);
        });
      }
    }
  });

  it('asks nothing about a section that was refused', async () => {
    const known = await sections();
    const id = await addUnclear('Mine\n', reply(403));
    await addSection('Theirs\n');
    assert.equal((await window.send(id)).kind, 'sent');
    assert.equal((await newSections(known)).length, 2);
  });

  describe('of a patch stack', () => {
    const before = { title: 'Title', description: 'one\n\ntwo\n' };
    let subject: Extract<ChangeSubject, { kind: 'stack' }>;

    beforeEach(async () => {
      const { projectId = '', branchId, stackUuid } = patch;
      subject = { kind: 'stack', projectId, branchId, stackUuid };
      await client.stacks.update(stackUuid, before);
    });

    async function stack(): Promise<{ title?: string; description?: string }> {
      const { title, description } = await client.stacks.latestForBranch(
        subject.projectId,
        subject.branchId ?? '',
      );
      return { ...(title !== undefined && { title }), ...(description !== undefined && { description }) };
    }

    it('are joined with what somebody else has changed meanwhile', async () => {
      window.put(subject, { base: before, fields: { description: 'one\n\nTWO\n' } }, 'Title');
      await client.stacks.update(subject.stackUuid, { title: 'Their title', description: 'ONE\n\ntwo\n' });
      const merged = 'ONE\n\nTWO\n';
      assert.deepEqual(await window.send(idOf(window, subject)), { kind: 'sent', merged });
      assert.deepEqual(await stack(), { title: 'Their title', description: merged });
    });

    it('are decided where both changed the title, and the description is sent as well', async () => {
      window.put(subject, { base: before, fields: { title: 'My title', description: 'mine' } }, 'Title');
      await client.stacks.update(subject.stackUuid, { title: 'Their title' });
      const id = idOf(window, subject);
      assert.deepEqual(await window.send(id), {
        kind: 'conflict',
        base: 'Title',
        theirs: 'Their title',
        mine: 'My title',
        field: 'title',
      });
      assert.deepEqual(await stack(), { ...before, title: 'Their title' });
      window.resolve(id, 'Their title', 'Their title');
      assert.equal((await window.send(id)).kind, 'sent');
      assert.deepEqual(await stack(), { title: 'Their title', description: 'mine' });
      assert.deepEqual(window.list(), []);
    });
  });

  describe('of a form that was discarded on a page which nobody heard', () => {
    const page = '1';
    let form: PendingForm;
    const fields = (): unknown[] =>
      window.list().map(({ content }) => (content as { fields: unknown }).fields);

    beforeEach(async () => {
      form = new PendingForm(window, 'profile', 'Profile');
      form.write({ name: 'Ada' }, { page, edition: 1 });
      assert.ok(await form.written());
    });

    it('are discarded when the next page hears of it, and can be had back for good', async () => {
      let bringBack: (() => Promise<void>) | undefined;
      window.onDidDiscard((discarded) => ({ bringBack } = discarded));
      assert.equal(await form.restore({}, { name: 'Ada' }, { page, edition: 2 }), 'restored');
      assert.deepEqual(fields(), []);
      assert.equal(await form.restore({}, { name: 'Ada' }, { page, edition: 2 }), 'known');

      await bringBack?.();
      assert.equal(await form.restore({}, { name: 'Ada' }, { page, edition: 2 }), 'known');
      assert.deepEqual(fields(), [{ name: 'Ada' }]);
    });

    it('stay back when that page had been heard', async () => {
      let bringBack: (() => Promise<void>) | undefined;
      window.onDidDiscard((discarded) => ({ bringBack } = discarded));
      await form.discard({ page, edition: 2 });
      await bringBack?.();
      assert.equal(await form.restore({}, { name: 'Ada' }, { page, edition: 2 }), 'known');
      assert.deepEqual(fields(), [{ name: 'Ada' }]);
    });

    it('stay as they are when somebody has gone on with them on another page', async () => {
      form.write({ name: 'Ada Lovelace' }, { page: '2', edition: 1 });
      assert.equal(await form.restore({}, { name: 'Ada' }, { page, edition: 2 }), 'known');
      assert.deepEqual(fields(), [{ name: 'Ada Lovelace' }]);
    });
  });

  it('of a form say why the service did not take them, until it does', async () => {
    const form = new PendingForm(window, 'createProject', 'Create Project');
    form.write({ name: 'One' });
    await assert.rejects(
      form.send(() => client.projects.create({ name: 'Greetings', slug: 'greetings' })),
      { kind: 'conflict' },
    );
    const [pending] = window.list();
    assert.deepEqual([pending?.state, pending?.failure?.kind], ['failed', 'conflict']);
    await form.send(() => client.projects.create({ name: 'One', slug: 'one' }));
    assert.deepEqual(window.list(), []);
  });
});
