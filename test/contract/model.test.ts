import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ApiClient } from '../../src/api/client.ts';
import { ContentFile } from '../../src/model/keptContent.ts';
import type { AskService } from '../../src/model/askService.ts';
import { Model, type ModelChange } from '../../src/model/model.ts';
import { startService, type LocalService } from '../../src/service/service.ts';
import { makeExampleRepository } from '../support/exampleRepository.ts';
import { FaultServer, reply } from '../support/faultServer.ts';
import { forwardTo } from '../support/forward.ts';
import { until } from '../support/until.ts';

/** A model that is disposed of where it goes out of scope. */
const disposed = (model: Model): Model & Disposable => {
  return Object.assign(model, { [Symbol.dispose]: () => model.dispose() });
};

describe('the model', function () {
  this.timeout(60_000);
  let directory: string;
  let service: LocalService;
  let client: ApiClient;
  let model: Model;
  let reachable: boolean;
  let requests: number;
  let changes: ModelChange[];

  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'patch-stacks-model-'));
    const { directory: repository } = await makeExampleRepository(directory);
    service = await startService({ repository, dataDirectory: path.join(directory, 'data') });
    client = new ApiClient({ serverUrl: service.url, getToken: async () => service.token });
    for (let index = 0; index < 119; index++) {
      await client.projects.create({ name: `Project ${index}` });
    }
  });

  after(async () => {
    await client.close();
    await service.close();
    await rm(directory, { recursive: true, force: true });
  });

  beforeEach(() => {
    reachable = true;
    requests = 0;
    changes = [];
    model = new Model(async (operation) => {
      requests++;
      if (!reachable) {
        throw new Error('out of reach');
      }
      return operation(client);
    });
    model.onDidChange((change) => changes.push(change));
  });

  afterEach(() => model.dispose());

  /** The stack of the example's branch, as a person comes to it. */
  async function exampleStack() {
    for (let known = await model.projects(); ; known = await model.projects()) {
      const project = known.value.items.find(({ name }) => name === 'greetings');
      if (project) {
        const [stack] = (await model.stacks(project.repositoryId, 'active')).value;
        assert.ok(stack);
        return { projectId: project.repositoryId, stack };
      }
      await model.loadMoreProjects();
    }
  }

  it('counts a project that is gone already as deleted', async () => {
    const { repositoryId } = await model.createProject({ name: 'Gone' });
    await client.projects.delete(repositoryId);
    await model.deleteProject(repositoryId);
    const { value } = await model.projects();
    assert.ok(value.items.every((project) => project.repositoryId !== repositoryId));
  });

  it('reads projects in pages, each once, and asks nothing for what it knows', async () => {
    const first = (await model.projects()).value;
    assert.equal(first.items.length, 50);
    assert.equal(first.hasMore, true);
    await Promise.all([model.projects(), model.projects()]);
    assert.equal(requests, 1);
    await model.loadMoreProjects();
    await model.loadMoreProjects();
    const all = (await model.projects()).value;
    assert.equal(new Set(all.items.map(({ repositoryId }) => repositoryId)).size, 120);
    assert.equal(all.items.length, 120);
    assert.equal(all.hasMore, false);
    assert.deepEqual(changes, [{ kind: 'projects' }, { kind: 'projects' }]);
  });

  it('reads on where it failed to', async () => {
    const server = await FaultServer.start();
    let isBroken = false;
    server.use(forwardTo(service.url, () => (isBroken ? reply(422, '{}') : undefined)));
    await using through = new ApiClient({
      serverUrl: `${server.url}/api`,
      getToken: async () => service.token,
    });
    const own = new Model((operation) => operation(through));
    try {
      await own.projects();
      isBroken = true;
      await assert.rejects(own.loadMoreProjects());
      assert.equal((await own.projects()).value.hasMore, true);
      isBroken = false;
      await own.loadMoreProjects();
      await own.loadMoreProjects();
      const { items, hasMore } = (await own.projects()).value;
      assert.equal(hasMore, false);
      assert.equal(new Set(items.map(({ repositoryId }) => repositoryId)).size, 120);
    } finally {
      own.dispose();
      await server.stop();
    }
  });

  it('takes no row away when it refreshes', async () => {
    await model.projects();
    await model.loadMoreProjects();
    model.refresh();
    assert.equal((await model.projects()).value.items.length, 100);
    await model.loadMoreProjects();
    assert.equal((await model.projects()).value.items.length, 120);
  });

  it('knows the patches of a stack, and the place of a patch in it', async () => {
    const { projectId, stack } = await exampleStack();
    const patches = (await model.patchesOfStack(projectId, stack)).value;
    assert.deepEqual(
      patches.map(({ title }) => title),
      [
        'Greet people by name',
        'Call names people',
        'Add a picture',
        patches[3]?.title,
        'Grüße auf 日本語 🎉',
      ],
    );
    const { changeId } = patches[1]!;
    const place = await model.stackOfPatch({ projectId, stackUuid: stack.uuid, changeId });
    assert.equal(place?.stack.uuid, stack.uuid);
    assert.equal(place.patches.length, 5);
    assert.equal(await model.stackOfPatch({ stackUuid: stack.uuid, changeId }), undefined);
    assert.equal(await model.stackOfPatch({ projectId, stackUuid: 'gone', changeId }), undefined);
  });

  it('keeps a patch readable when it cannot be read again, and says why', async () => {
    const { projectId, stack } = await exampleStack();
    const address = { projectId, stackUuid: stack.uuid, changeId: stack.patches![0]!.changeId };
    const before = await model.patch(address);
    assert.ok((before.value.sections?.length ?? 0) > 0);
    reachable = false;
    const kept = await model.refreshPatch(address);
    assert.equal(kept.value, before.value);
    assert.equal(kept.asOf, before.asOf);
    assert.match(String(kept.failure), /out of reach/);
    reachable = true;
    assert.equal((await model.patch(address)).failure, undefined);
  });

  it('asks in one request what has changed, and says which project it was, in its place', async () => {
    const before = (await model.projects()).value.items;
    const { repositoryId } = before[30]!;
    const name = `Renamed ${Date.now()}`;
    await client.projects.update(repositoryId, { name });
    requests = 0;
    await model.update();
    assert.equal(requests, 1);
    assert.deepEqual(changes, [{ kind: 'project', projectId: repositoryId }]);
    const after = (await model.projects()).value.items;
    assert.equal(after[30]?.name, name);
    assert.deepEqual(
      after.map((project) => project.repositoryId),
      before.map((project) => project.repositoryId),
    );
    changes = [];
    await model.update();
    assert.deepEqual(changes, [], 'nothing has changed since');
    assert.equal(requests, 2);
  });

  it('has the stacks of a changed project read again, and no others', async () => {
    const { projectId, stack } = await exampleStack();
    const [other] = (await model.projects()).value.items.filter((one) => one.repositoryId !== projectId);
    await model.stacks(other!.repositoryId, 'active');
    await client.stacks.update(stack.uuid, { status: 'closed' });
    await client.stacks.update(stack.uuid, { status: 'active', title: 'Changed' });
    await model.update();
    requests = 0;
    assert.equal((await model.stacks(projectId, 'active')).value[0]?.title, 'Changed');
    await model.stacks(other!.repositoryId, 'active');
    assert.equal(requests, 1);
  });

  it('learns of what someone else did inside a stack when it asks for changed projects', async () => {
    const { projectId, stack } = await exampleStack();
    const { changeId } = stack.patches![0]!;
    const address = { projectId, stackUuid: stack.uuid, changeId };
    const other = { ...address, changeId: stack.patches![1]!.changeId };
    const text = (await model.patch(address)).value.sections!.find(
      ({ sectionType }) => sectionType === 'text',
    )!;
    await client.patches.updateSection(stack.uuid, changeId, text.code, { text: 'Written meanwhile\n' });
    changes = [];
    requests = 0;
    await model.update();
    assert.equal(requests, 1);
    assert.deepEqual(changes, [{ kind: 'project', projectId }]);
    const { sections = [] } = (await model.patch(address)).value;
    assert.ok(sections.some((section) => 'text' in section && section.text === 'Written meanwhile\n'));

    await client.patches.update(stack.uuid, other.changeId, { signOff: true });
    await model.update();
    const [read] = (await model.stacks(projectId, 'active')).value;
    assert.equal(read?.patches?.[1]?.reviewAll?.signedOff.length, 1);
    await client.patches.update(stack.uuid, other.changeId, { signOff: false });
    // Reading does not count as a change.
    await model.update();
    changes = [];
    await model.patch(other);
    await model.update();
    assert.deepEqual(changes, []);
  });

  it('reads a patch again that is open while the filter hides its stack, and no patch of another project', async () => {
    const { projectId, stack } = await exampleStack();
    const { changeId } = stack.patches![0]!;
    const address = { projectId, stackUuid: stack.uuid, changeId };
    const fresh = new Model(async (operation) => (requests++, operation(client)));
    try {
      const { items } = (await fresh.projects()).value;
      const [other] = items.filter(({ repositoryId }) => repositoryId !== projectId);
      await fresh.stacks(projectId, 'closed');
      await fresh.patch(address);
      const write = async (text: string): Promise<void> => {
        const type = 'text';
        await client.patches.createSection(stack.uuid, changeId, { type, text });
        await fresh.update();
      };
      await write('Written while it is hidden\n');
      const { sections = [] } = (await fresh.patch(address)).value;
      assert.ok(
        sections.some((section) => 'text' in section && section.text === 'Written while it is hidden\n'),
      );
      // What is of another project is as it was.
      await fresh.stacks(projectId, 'active');
      await client.projects.update(other!.repositoryId, { name: `Renamed ${Date.now()}` });
      await fresh.update();
      requests = 0;
      await fresh.patch(address);
      assert.equal(requests, 0);
    } finally {
      fresh.dispose();
    }
  });

  it('puts a new project first, once, also when its page comes', async () => {
    await model.projects();
    const { repositoryId } = await client.projects.create({ name: 'New' });
    await model.update();
    assert.deepEqual(changes, [{ kind: 'projects' }]);
    assert.equal((await model.projects()).value.items[0]?.repositoryId, repositoryId);
    await model.loadMoreProjects();
    await model.loadMoreProjects();
    const ids = (await model.projects()).value.items.map((project) => project.repositoryId);
    assert.equal(new Set(ids).size, ids.length);
    await client.projects.delete(repositoryId);
  });

  it('says that it could not ask, and reads again what may have changed meanwhile', async () => {
    const { projectId } = await exampleStack();
    reachable = false;
    await assert.rejects(model.update(), /out of reach/);
    assert.match(String((await model.projects()).failure), /out of reach/);
    reachable = true;
    changes = [];
    await model.update();
    assert.equal((await model.projects()).failure, undefined);
    assert.deepEqual(changes, [{ kind: 'all' }]);
    requests = 0;
    await model.stacks(projectId, 'active');
    assert.equal(requests, 1);
  });

  it('answers at once with what it knows, and tells when it knows more', async () => {
    const { projectId, stack } = await exampleStack();
    await client.stacks.update(stack.uuid, { description: `It is ${Date.now()}` });
    model.refreshStacks(projectId);
    const old = await model.stacks(projectId, 'active', 'atOnce');
    assert.equal(old.value[0]?.description, stack.description);
    changes = [];
    await new Promise<void>((resolve) => model.onDidChange(() => resolve()));
    assert.deepEqual(changes, [{ kind: 'stacks', projectId }]);
    const now = await model.stacks(projectId, 'active', 'atOnce');
    assert.notEqual(now.value[0]?.description, stack.description);
  });

  it('shows in every list what the service has taken in a patch', async () => {
    const { projectId, stack } = await exampleStack();
    const { changeId } = stack.patches![0]!;
    const address = { projectId, stackUuid: stack.uuid, changeId };
    await model.patch(address);
    changes = [];
    model.editPatch(address, (patch) => ({ ...patch, title: 'Another' }));
    assert.deepEqual(changes, [{ kind: 'patch', patch: address }]);
    const [listed] = (await model.stacks(projectId, 'active')).value;
    assert.equal(listed?.patches?.[0]?.title, 'Another');
    assert.equal(listed.patches[0].sections, undefined);
    assert.equal((await model.patch(address)).value.title, 'Another');
  });

  it('gives the next window what it knew, as of when, until the service is heard of', async () => {
    const folder = path.join(directory, 'kept');
    const store = new ContentFile(folder, (error) => assert.fail(String(error)));
    const ask: AskService = (operation) =>
      reachable ? operation(client) : Promise.reject(new Error('out of reach'));
    const one = new Model(ask, { store });
    const { items } = (await one.projects()).value;
    const { repositoryId } = items.find(({ name }) => name === 'greetings') ?? items[0]!;
    const stacks = (await one.stacks(repositoryId, 'all')).value;
    await store.flush();
    one.dispose();

    reachable = false;
    const next = new Model(ask, { store: new ContentFile(folder, () => undefined) });
    const known = await next.projects('atOnce');
    assert.equal(known.fromBefore, true);
    assert.deepEqual(known.value.items, items);
    assert.deepEqual((await next.stacks(repositoryId, 'all', 'atOnce')).value, stacks);
    await assert.rejects(next.stacks('999', 'all'), /out of reach/);
    reachable = true;
    await next.update();
    assert.equal((await next.projects('atOnce')).fromBefore, undefined);
    next.dispose();
  });

  it('takes no kept content that it cannot read', async () => {
    const folder = path.join(directory, 'broken');
    const file = path.join(folder, 'known.json');
    await mkdir(folder, { recursive: true });
    const isKnown = async (text: string): Promise<boolean> => {
      await writeFile(file, text);
      const store = new ContentFile(folder, () => undefined);
      using next = disposed(new Model((operation) => operation(client), { store }));
      return (await next.projects('atOnce')).fromBefore === true;
    };
    const content = { opened: [], stacks: [], stackPatches: [], patches: [] };
    const projects = { value: { items: [], hasMore: false }, asOf: 0 };
    assert.equal(await isKnown(JSON.stringify({ format: 2, content: { ...content, projects } })), true);
    for (const text of ['', '{', '{"format":2,"content":{"opened":5}}', '{"format":99,"content":{}}']) {
      assert.equal(await isKnown(text), false, text);
    }
  });

  it('gives and keeps nothing of one account for another, not even what was on its way', async () => {
    const folders = ['mine', 'theirs'].map((name) => path.join(directory, name));
    const [mine, theirs] = folders.map((folder) => new ContentFile(folder, assert.ifError));
    let arrive: (() => void) | undefined;
    let account = 'mine';
    const ask: AskService = async (operation) => {
      if (account === 'theirs') {
        throw new Error('out of reach');
      }
      const answer = await operation(client);
      await new Promise<void>((resolve) => (arrive = resolve));
      return answer;
    };
    using one = disposed(new Model(ask, { store: mine }));
    const onItsWay = one.projects();
    await until(async () => arrive !== undefined);
    account = 'theirs';
    one.reset({ store: theirs });
    arrive?.();
    assert.ok((await onItsWay).value.items.length > 0);
    await assert.rejects(one.projects('atOnce'), /out of reach/);
    await theirs!.flush();
    const kept = await new ContentFile(folders[1]!, assert.ifError).read();
    assert.equal(kept?.projects, undefined);
  });

  it('forgets everything when another account is active', async () => {
    await model.projects();
    model.reset();
    assert.deepEqual(changes, [{ kind: 'all' }]);
    reachable = false;
    await assert.rejects(model.projects(), /out of reach/);
  });
});
