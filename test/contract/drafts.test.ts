import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ApiClient } from '../../src/api/client.ts';
import type { DraftSubject } from '../../src/model/drafts/draft.ts';
import { Drafts } from '../../src/model/drafts/drafts.ts';
import { Model, type AskService, type PatchAddress } from '../../src/model/model.ts';
import { startService, type LocalService } from '../../src/service/service.ts';
import { makeExampleRepository } from '../support/exampleRepository.ts';

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
  /** What happens to a request of a window instead of being answered. */
  let fault: ((ask: AskService) => AskService) | undefined;

  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'patch-stacks-drafts-'));
    const { directory: repository } = await makeExampleRepository(directory);
    service = await startService({ repository, dataDirectory: path.join(directory, 'data') });
    client = new ApiClient({ serverUrl: service.url, getToken: async () => service.token });
    const [project] = (await client.projects.list()).items;
    const projectId = project!.repositoryId;
    const [stack] = (await client.stacks.list(projectId)).items;
    const { changeId } = stack!.patches![0]!;
    patch = { projectId, branchId: stack!.branchId, stackUuid: stack!.uuid, changeId };
  });

  after(async () => {
    await client.close();
    await service.close();
    await rm(directory, { recursive: true, force: true });
  });

  beforeEach(async () => {
    folder = path.join(await mkdtemp(path.join(directory, 'account-')), 'drafts');
    fault = undefined;
    window = await openWindow();
  });

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((drafts) => drafts.close()));
  });

  async function openWindow(): Promise<Drafts> {
    const ask: AskService = (operation) => operation(client);
    model = new Model(ask);
    const drafts = new Drafts({ ask: (operation) => (fault ? fault(ask) : ask)(operation), model });
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

  it('adds a section once, however often the answer gets lost', async () => {
    const before = (await sections()).length;
    const subject = { kind: 'newSection' as const, patch, key: 'new' };
    window.put(subject, { text: 'A new section\n', after: null }, 'A new section');
    fault = (ask) => async (operation) => {
      await ask(operation);
      throw Object.assign(new Error('reset'), { kind: 'connection' });
    };
    const first = await window.send(idOf(window, subject));
    assert.equal(first.kind, 'unsent');
    fault = undefined;
    assert.equal((await window.send(idOf(window, subject))).kind, 'sent');
    assert.equal((await sections()).length, before + 1);
    assert.deepEqual(window.list(), []);
  });
});
