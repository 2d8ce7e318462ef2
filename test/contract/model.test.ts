import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ApiClient } from '../../src/api/client.ts';
import { Model, type ModelChange } from '../../src/model/model.ts';
import { startService, type LocalService } from '../../src/service/service.ts';
import { makeExampleRepository } from '../support/exampleRepository.ts';

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

  it('forgets everything when another account is active', async () => {
    await model.projects();
    model.reset();
    assert.deepEqual(changes, [{ kind: 'all' }]);
    reachable = false;
    await assert.rejects(model.projects(), /out of reach/);
  });
});
