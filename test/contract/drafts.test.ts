import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ApiClient } from '../../src/api/client.ts';
import type { PatchSection } from '../../src/api/resources/patches.ts';
import type { DraftSubject } from '../../src/model/drafts/draft.ts';
import { Drafts } from '../../src/model/drafts/drafts.ts';
import { FormDraft } from '../../src/model/drafts/formDraft.ts';
import { Model, type AskService, type PatchAddress } from '../../src/model/model.ts';
import { startService, type LocalService } from '../../src/service/service.ts';
import { makeExampleRepository } from '../support/exampleRepository.ts';
import { FaultServer, reply, resetBeforeHeaders, type Fault } from '../support/faultServer.ts';
import { forwardTo, passOn } from '../support/forward.ts';

describe('drafts', function () {
  this.timeout(60_000);
  let directory: string;
  let service: LocalService;
  let client: ApiClient;
  let patch: PatchAddress;
  let folder: string;
  let window: Drafts;
  /** What the window that was opened last knows. */
  let model: Model;
  const opened: Drafts[] = [];
  /** Between the windows and the service. */
  let proxy: FaultServer;
  let throughProxy: ApiClient;

  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'patch-stacks-drafts-'));
    const { directory: repository } = await makeExampleRepository(directory);
    service = await startService({ repository, dataDirectory: path.join(directory, 'data') });
    client = new ApiClient({ serverUrl: service.url, getToken: async () => service.token });
    proxy = await FaultServer.start();
    throughProxy = new ApiClient({ serverUrl: proxy.url, getToken: async () => service.token });
    const [project] = (await client.projects.list()).items;
    const projectId = project!.repositoryId;
    const [stack] = (await client.stacks.list(projectId)).items;
    const { changeId } = stack!.patches![0]!;
    patch = { projectId, branchId: stack!.branchId, stackUuid: stack!.uuid, changeId };
  });

  after(async () => {
    await client.close();
    await throughProxy.close();
    await proxy.stop();
    await service.close();
    await rm(directory, { recursive: true, force: true });
  });

  beforeEach(async () => {
    folder = path.join(await mkdtemp(path.join(directory, 'account-')), 'drafts');
    proxy.use(forwardTo(service.url));
    window = await openWindow();
  });

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((drafts) => drafts.close()));
  });

  async function openWindow(): Promise<Drafts> {
    const ask: AskService = (operation) => operation(throughProxy);
    model = new Model(ask);
    const drafts = new Drafts({ ask, model });
    opened.push(drafts);
    await drafts.activate(folder);
    return drafts;
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

  const idOf = (drafts: Drafts, subject: DraftSubject): string => drafts.find(subject)!.id;

  it('sends a text and forgets it then', async () => {
    const code = await addSection('one\n');
    const subject = { kind: 'sectionText' as const, patch, code };
    window.put(subject, { base: 'one\n', text: 'two\n' }, 'A section');
    await window.flush();
    assert.equal((await readdir(folder)).length, 1);
    assert.deepEqual(await window.send(idOf(window, subject)), { kind: 'sent' });
    assert.equal(await textOf(code), 'two\n');
    assert.deepEqual(await readdir(folder), []);
    assert.deepEqual(window.list(), []);
  });

  it('shows what the service has taken from the moment in which it is a draft no more', async () => {
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
    assert.equal(window.find(subject)?.state, 'conflict');
    window.resolve(idOf(window, subject), 'theirs\n', 'both\n');
    assert.deepEqual(await window.send(idOf(window, subject)), { kind: 'sent' });
    assert.equal(await textOf(code), 'both\n');
  });

  it('follows the patch into a version that is made meanwhile, and stays with an older one that was chosen', async () => {
    const { projectId = '', branchId = '', stackUuid, changeId } = patch;
    const code = await addSection('one\n');
    const subject = { kind: 'sectionText' as const, patch, code };
    window.put(subject, { base: 'one\n', text: 'two\n' }, 'A section');
    const { uuid } = await client.stacks.create({ projectId, branchId, oplogSha: 'a later event' });
    const textIn = async (stack: string): Promise<string | undefined> => {
      const section = await client.patches.getSection(stack, changeId, code);
      return section.sectionType === 'text' ? section.text : undefined;
    };
    try {
      assert.deepEqual(await window.send(idOf(window, subject)), { kind: 'sent' });
      assert.deepEqual([await textIn(stackUuid), await textIn(uuid)], ['one\n', 'two\n']);
      window.put(subject, { base: 'one\n', text: 'three\n' }, 'A section');
      assert.deepEqual(await window.send(idOf(window, subject)), { kind: 'sent' });
      assert.deepEqual([await textIn(stackUuid), await textIn(uuid)], ['three\n', 'two\n']);
    } finally {
      patch = { ...patch, stackUuid: uuid };
    }
  });

  it('signs nothing off that has got another content since, until the person has decided', async () => {
    const { projectId = '', branchId = '', stackUuid, changeId } = patch;
    const isSigned = async (stack: string): Promise<boolean> =>
      ((await client.patches.get(stack, changeId)).review?.signedOff.length ?? 0) > 0;
    const subject = { kind: 'signOff' as const, patch };
    window.put(subject, { base: false, signOff: true }, 'A patch');
    const { uuid } = await client.stacks.create({ projectId, branchId, oplogSha: 'an event after that' });
    try {
      const { code } = await client.patches.createSection(uuid, changeId, { type: 'text', text: 'Unseen\n' });
      const id = idOf(window, subject);
      const outcome = await window.send(id);
      assert.ok(outcome.kind === 'conflict');
      assert.doesNotMatch(outcome.base, /Unseen/);
      assert.match(outcome.theirs, /Unseen/);
      assert.equal((await window.send(id)).kind, 'conflict');
      assert.deepEqual([await isSigned(stackUuid), await isSigned(uuid)], [false, false]);
      window.resolve(id, outcome.theirs, outcome.mine);
      assert.equal((await window.send(id)).kind, 'sent');
      assert.deepEqual([await isSigned(stackUuid), await isSigned(uuid)], [false, true]);
      await client.patches.deleteSection(uuid, changeId, code);
      await client.patches.update(uuid, changeId, { signOff: false });
    } finally {
      patch = { ...patch, stackUuid: uuid };
    }
  });

  it('signs the new version off where it has the content that was signed off', async () => {
    const { projectId = '', branchId = '', changeId } = patch;
    const subject = { kind: 'signOff' as const, patch };
    window.put(subject, { base: false, signOff: true }, 'A patch');
    const { uuid } = await client.stacks.create({ projectId, branchId, oplogSha: 'one more event' });
    try {
      assert.equal((await window.send(idOf(window, subject))).kind, 'sent');
      const { review } = await client.patches.update(uuid, changeId, { signOff: false });
      assert.deepEqual(review?.signedOff, []);
    } finally {
      patch = { ...patch, stackUuid: uuid };
    }
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
    const files = await readdir(folder);
    assert.equal(files.length, 1);
    assert.match(await readFile(path.join(folder, files[0]!), 'utf8'), /three/);
  });

  /** A new section that may or may not be on the service, as its window knows. */
  async function addUnclear(text: string, network: Fault): Promise<string> {
    const subject = { kind: 'newSection' as const, patch, key: text };
    window.put(subject, { text, after: null }, text);
    const id = idOf(window, subject);
    proxy.use(forwardTo(service.url, ({ method }) => (method === 'POST' ? network : undefined)));
    assert.equal((await window.send(id)).kind, 'unsent');
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
    window.decideNewSection(id, true);
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
      window.decideNewSection(id, false);
    }
    assert.deepEqual(asked.sort(), theirs.sort());
    assert.equal((await window.send(id)).kind, 'sent');
    assert.equal((await newSections(known)).length, 3);
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
    let subject: Extract<DraftSubject, { kind: 'stack' }>;

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

  it('of a form say why the service did not take them, until it does', async () => {
    const form = new FormDraft(window, 'createProject', 'Create Project');
    form.write({ name: 'One' });
    await assert.rejects(
      form.send(() => client.projects.create({ name: 'Greetings', slug: 'greetings' })),
      { kind: 'conflict' },
    );
    const [draft] = window.list();
    assert.deepEqual([draft?.state, draft?.failure?.kind], ['unsent', 'conflict']);
    await form.send(() => client.projects.create({ name: 'One', slug: 'one' }));
    assert.deepEqual(window.list(), []);
  });
});
