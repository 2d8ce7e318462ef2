/** What a window shows while others write, and its person does. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ApiClient } from '../../../src/api/client.ts';
import type { Patch } from '../../../src/api/types/patches.ts';
import type { Project } from '../../../src/api/types/projects.ts';
import type { PatchStack, StackUpdate } from '../../../src/api/types/stacks.ts';
import { concerns, Model } from '../../../src/model/model.ts';
import { inBackground } from '../../../src/util/inBackground.ts';

const ref = { projectId: '1', branchId: 'topic', stackUuid: 's', changeId: 'I1' };
const stack: PatchStack = { uuid: 's', branchId: 'topic', status: 'active', contributors: [] };
const user = { id: '7', login: 'ada' };

/** Makes somebody wait: for the way to the service, and for the way back. */
type OnTheWay = () => Promise<unknown>;

/** A service with one patch. */
class Service {
  /** What somebody else has written, and the opinion of the person who is at the window. */
  patch: Patch = {
    changeId: 'I1',
    title: '0',
    contributors: [],
    review: { viewed: [], signedOff: [], rejected: [] },
  };
  #changes = 0;
  readonly #onTheWay: OnTheWay;

  constructor(onTheWay: OnTheWay) {
    this.#onTheWay = onTheWay;
  }

  get project(): Project {
    return { repositoryId: '1', updatedAt: new Date(Date.UTC(2026, 0, 1, 0, this.#changes)).toISOString() };
  }

  get stack(): PatchStack {
    return { ...stack, patches: [this.patch] };
  }

  readonly client = {
    news: { isOffered: false },
    projects: { iterate: () => this.#list() },
    patches: { get: () => this.answer(() => this.patch) },
    stacks: {
      list: () => this.answer(() => ({ items: [this.stack] })),
      update: (_uuid: string, update: StackUpdate) =>
        this.answer(() => {
          this.note();
          return { ...this.stack, ...update };
        }),
    },
  } as unknown as ApiClient;

  /** Notes that something has changed. */
  note(): void {
    this.#changes += 1;
  }

  /** Somebody else writes. */
  write(): void {
    this.patch = { ...this.patch, title: String(Number(this.patch.title) + 1) };
    this.note();
  }

  /** The person signs off, or requests changes. */
  review(isSignOff: boolean): Promise<Patch> {
    return this.answer(() => {
      const [signedOff, rejected] = isSignOff ? [[user], []] : [[], [user]];
      this.patch = { ...this.patch, review: { viewed: [], signedOff, rejected } };
      this.note();
      return this.patch;
    });
  }

  async answer<T>(act: () => T): Promise<T> {
    await this.#onTheWay();
    const answer = act();
    await this.#onTheWay();
    return answer;
  }

  async *#list(): AsyncGenerator<Project> {
    yield await this.answer(() => this.project);
  }
}

/** A window with the list of projects and a patch on the screen. */
class Window {
  readonly #service: Service;
  readonly model: Model;
  #isNew = false;
  #looking: Promise<void> | undefined;
  #sent = Promise.resolve();
  /** The patch as its document shows it, and as its row does. */
  document: Patch | undefined;
  row: Patch | undefined;

  constructor(service: Service) {
    this.#service = service;
    this.model = new Model((operation) => operation(service.client));
    this.model.onDidChange((change) => {
      if (concerns(change, ref)) {
        inBackground(this.#readDocument());
      }
      inBackground(this.#readRow());
      if (change.kind !== 'patch') {
        inBackground(this.model.projects('atOnce'));
      }
    });
  }

  async open(): Promise<void> {
    await this.model.projects();
    await this.#readRow();
    await this.#readDocument();
  }

  /** Is told that there is something new, and looks until there is no more. */
  tell(): void {
    this.#isNew = true;
    this.#looking ??= this.#look();
    inBackground(this.#looking);
  }

  /** Sends an opinion, and shows what the service has of it: one after the other, as what waits to be sent does. */
  review(isSignOff: boolean): Promise<void> {
    this.#sent = this.#sent.then(async () => {
      const { review } = await this.#service.review(isSignOff);
      this.model.editPatch(ref, (shown) => ({ ...shown, ...(review && { review }) }));
    });
    return this.#sent;
  }

  async #readDocument(): Promise<void> {
    await this.model.patch(ref);
    this.document = this.model.knownPatch(ref)?.value;
  }

  async #readRow(): Promise<void> {
    const { value } = await this.model.stacks('1', 'active', 'atOnce');
    this.row = value[0]?.patches?.[0];
  }

  async #look(): Promise<void> {
    while (this.#isNew) {
      this.#isNew = false;
      await this.model.update();
    }
    this.#looking = undefined;
  }
}

describe('what others write', () => {
  it('is shown in the end, whatever the person does meanwhile', async () => {
    const acts = fc.array(
      fc.constantFrom('others write', 'sign off', 'request changes', 'change the stack'),
      {
        maxLength: 6,
      },
    );
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), acts, async (scheduler, wanted) => {
        const service = new Service(() => scheduler.schedule(Promise.resolve()));
        const window = new Window(service);
        await scheduler.waitFor(window.open());
        const act = {
          'others write': async () => {
            service.write();
            window.tell();
          },
          'sign off': () => window.review(true),
          'request changes': () => window.review(false),
          'change the stack': () => window.model.updateStack('1', service.stack, { title: 'Another' }),
        };
        const begun = wanted.map(async (name) => {
          await scheduler.schedule(Promise.resolve(), name);
          await act[name]();
        });
        await scheduler.waitFor(Promise.all(begun));
        await scheduler.waitIdle();
        assert.deepEqual(window.document, service.patch);
        assert.deepEqual(window.row, service.patch);
        window.model.dispose();
      }),
      { numRuns: 1000 },
    );
  });

  it('is told once, also where all was read again because a look had failed', async () => {
    let isDown = false;
    const service = new Service(async () => {
      if (isDown) {
        throw new Error('down');
      }
    });
    const { model } = new Window(service);
    await model.projects();
    const told: string[] = [];
    model.onDidChange(({ kind }) => told.push(kind));
    isDown = true;
    await assert.rejects(model.update(), /down/);
    isDown = false;
    service.write();
    await model.update();
    assert.deepEqual(told, ['projects', 'all']);
    await model.update();
    assert.deepEqual(told, ['projects', 'all']);
    model.dispose();
  });
});
