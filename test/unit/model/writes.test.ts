import assert from 'node:assert/strict';
import type { ApiClient } from '../../../src/api/client.ts';
import type { Patch } from '../../../src/api/types/patches.ts';
import type { Project } from '../../../src/api/types/projects.ts';
import type { PatchStack, StackUpdate } from '../../../src/api/types/stacks.ts';
import { Model } from '../../../src/model/model.ts';

/** The operations that the model asks of the client in these tests, over lists that they hold themselves. */
class FakeService {
  projects: Project[] = [{ repositoryId: '1', name: 'one', parentProject: { repositoryId: '9' } }];
  stacks: PatchStack[] = [
    { uuid: 'a', status: 'active', title: 'A', contributors: [] },
    { uuid: 'b', status: 'closed', title: 'B', contributors: [] },
  ];
  refusal: Error | undefined;
  /** Runs while a write is on its way. */
  onWrite = async (): Promise<void> => undefined;

  readonly client = {
    news: { isOffered: false },
    projects: {
      iterate: () => this.#list(),
      get: async (id: string) => this.projects.find(({ repositoryId }) => repositoryId === id),
      lookup: async () => '7',
      create: (creation: { name: string }) =>
        this.#write(() => {
          const project = { repositoryId: '2', name: creation.name };
          this.projects = [project, ...this.projects];
          return project;
        }),
      delete: (id: string) =>
        this.#write(() => {
          this.projects = this.projects.filter(({ repositoryId }) => repositoryId !== id);
        }),
      disconnect: () =>
        this.#write(() => {
          this.projects = [{ repositoryId: '1', name: 'one' }];
        }),
    },
    patches: {
      get: async (_stack: string, changeId: string): Promise<Patch> => ({
        changeId,
        title: 'As it was',
        contributors: [],
      }),
    },
    stacks: {
      list: async (_project: string, { status }: { status: string }) => ({
        items: this.stacks.filter((stack) => status === 'all' || stack.status === status),
      }),
      update: (uuid: string, update: StackUpdate) =>
        this.#write(() => {
          this.stacks = this.stacks.map((stack) => (stack.uuid === uuid ? { ...stack, ...update } : stack));
        }),
    },
  };

  /** Runs while a page of projects is on its way. */
  onPage = async (): Promise<void> => undefined;

  async *#list(): AsyncGenerator<Project> {
    yield* this.projects.slice(0, 50);
    if (this.projects.length > 50) {
      await this.onPage();
      yield* this.projects.slice(50);
    }
  }

  async #write<T>(act: () => T): Promise<T> {
    await this.onWrite();
    if (this.refusal) {
      throw this.refusal;
    }
    return act();
  }
}

describe('Model, when somebody changes something', () => {
  let service: FakeService;
  let model: Model;

  beforeEach(() => {
    service = new FakeService();
    model = new Model(async (operation) => operation(service.client as unknown as ApiClient));
  });

  const names = async (): Promise<(string | undefined)[]> =>
    (await model.projects()).value.items.map(({ name }) => name);
  const stacks = async (status: 'active' | 'closed' | 'all'): Promise<string[]> =>
    (await model.stacks('1', status)).value.map(({ uuid, status: is }) => `${uuid} ${is ?? ''}`);
  const first = (): PatchStack => service.stacks[0] ?? assert.fail();

  it('lists a created project, and no deleted one', async () => {
    assert.deepEqual(await names(), ['one']);
    let changes = 0;
    model.onDidChange(() => (changes += 1));
    await model.createProject({ name: 'two' });
    assert.deepEqual(await names(), ['two', 'one']);
    await model.deleteProject('1');
    assert.deepEqual(await names(), ['two']);
    assert.equal(changes, 2);
  });

  it('forgets the organization of a disconnected project', async () => {
    assert.ok((await model.projects()).value.items[0]?.parentProject);
    await model.disconnectProject('1');
    assert.equal((await model.projects()).value.items[0]?.parentProject, undefined);
  });

  it('lists a project that was opened by name before one’s own, once, until it is deleted', async () => {
    const own = service.projects;
    service.projects = [{ repositoryId: '7', name: 'seven' }];
    await model.openProject('ada', 'seven');
    service.projects = own;
    assert.deepEqual(await names(), ['seven', 'one']);
    model.refresh();
    service.projects = [...own, { repositoryId: '7', name: 'seven' }];
    assert.deepEqual(await names(), ['one', 'seven']);
    await model.deleteProject('7');
    assert.deepEqual(await names(), ['one']);
  });

  it('shows a closed stack in the lists it then belongs to, before the service has answered', async () => {
    await Promise.all([stacks('active'), stacks('closed'), stacks('all')]);
    const shown: string[][] = [];
    service.onWrite = async () => {
      shown.push(await stacks('active'), await stacks('closed'), await stacks('all'));
    };
    await model.updateStack('1', first(), { status: 'closed' });
    assert.deepEqual(shown, [[], ['a closed', 'b closed'], ['a closed', 'b closed']]);
    assert.deepEqual(await stacks('active'), []);
  });

  it('takes it back when the service refuses, and says why', async () => {
    await Promise.all([stacks('active'), stacks('closed'), stacks('all')]);
    service.refusal = new Error('No.');
    await assert.rejects(model.updateStack('1', first(), { status: 'closed' }), /^Error: No\.$/);
    assert.deepEqual(await stacks('active'), ['a active']);
    assert.deepEqual(await stacks('closed'), ['b closed']);
    assert.deepEqual(await stacks('all'), ['a active', 'b closed']);
  });

  it('shows what the service has taken in a patch that nobody has opened, too', async () => {
    const ref = { projectId: '1', stackUuid: 'a', changeId: 'I1' };
    await model.patchUnopened(ref);
    model.editPatch(ref, (patch) => ({ ...patch, title: 'As it is now' }));
    assert.equal(model.knownContent(ref)?.title, 'As it is now');
    assert.equal((await model.patchUnopened(ref)).title, 'As it is now');
  });

  it('lists a project once that comes with a later page, too', async () => {
    service.projects = Array.from({ length: 60 }, (_, index) => ({
      repositoryId: `p${index}`,
      name: `${index}`,
    }));
    let isRead = false;
    service.onPage = async () => {
      if (isRead) {
        await model.createProject({ name: 'new' });
        service.projects = [...service.projects.slice(1), service.projects[0]!];
      }
    };
    const before = (await model.projects()).value;
    assert.deepEqual([before.items.length, before.hasMore], [50, true]);
    isRead = true;
    await model.loadMoreProjects();
    const listed = await names();
    assert.equal(listed.filter((name) => name === 'new').length, 1);
    assert.equal(new Set(listed).size, listed.length);
  });

  it('keeps the sections of a patch out of the lists', async () => {
    const patch: Patch = { changeId: 'I1', title: 'As it was', contributors: [] };
    service.stacks = [{ ...first(), patches: [patch] }];
    const ref = { projectId: '1', stackUuid: 'a', changeId: 'I1' };
    await model.patch(ref);
    await model.stacks('1', 'active');
    model.editPatch(ref, (shown) => ({ ...shown, title: 'As it is now', sections: [] }));
    const [stack] = (await model.stacks('1', 'active')).value;
    assert.deepEqual(stack?.patches, [{ ...patch, title: 'As it is now' }]);
    assert.deepEqual(model.knownPatch(ref)?.value.sections, []);
  });
});
