/**
 * A model-based test of the pending changes: random histories of two windows of one person, of other people, and of a service that
 * fails in every way, over a real local service. Every edit adds a line of its own, so that one can follow each to its end.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { ApiClient } from '../../src/api/client.ts';
import type { PatchSection } from '../../src/api/types/patches.ts';
import type { ChangeSubject } from '../../src/model/pending/kinds/index.ts';
import type { KnownChange } from '../../src/model/pending/pendingChange.ts';
import { PendingChanges } from '../../src/model/pending/pendingChanges.ts';
import { Model } from '../../src/model/model.ts';
import { startService, type LocalService } from '../../src/service/service.ts';
import { makeExampleRepository } from '../support/exampleRepository.ts';
import { FaultServer, reply, resetBeforeHeaders, type Fault } from '../support/faultServer.ts';
import { forwardTo, passOn } from '../support/forward.ts';
import type { PatchRef } from '../../src/util/patchRef.ts';

/** The fate of a send's requests: of reads as well, or of the write alone. */
const networks = [
  'up',
  'down',
  'writeRefused',
  'writeNeverArrives',
  'answerLost',
  'killedBeforeWrite',
  'killedAfterWrite',
] as const;
type Network = (typeof networks)[number];

type TextSubject = Extract<ChangeSubject, { kind: 'sectionText' | 'newSection' }>;

/** A window of the person, with what it shows. */
interface Window {
  pendingChanges: PendingChanges;
  alive: boolean;
}

describe('pending changes, whatever happens', function () {
  this.timeout(600_000);
  let directory: string;
  let service: LocalService;
  let proxy: FaultServer;
  let client: ApiClient;
  let patch: PatchRef;

  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'patch-stacks-histories-'));
    const { directory: repository } = await makeExampleRepository(directory);
    service = await startService({ repository, dataDirectory: path.join(directory, 'data') });
    proxy = await FaultServer.start();
    client = new ApiClient({ serverUrl: service.url, getToken: async () => service.token });
    const projectId = (await client.projects.list()).items[0]!.repositoryId;
    const [stack] = (await client.stacks.list(projectId)).items;
    patch = { projectId, stackUuid: stack!.uuid, changeId: stack!.patches![0]!.changeId };
  });

  after(async () => {
    await client.close();
    await proxy.stop();
    await service.close();
    await rm(directory, { recursive: true, force: true });
  });

  const sectionsOf = async (): Promise<PatchSection[]> =>
    (await client.patches.get(patch.stackUuid, patch.changeId)).sections ?? [];
  const textOf = (section: PatchSection): string =>
    section.sectionType === 'text' ? (section.text ?? '') : '';

  /** The whole of what one history acts upon. */
  class World {
    readonly windows: Window[] = [];
    readonly folder: string;
    readonly client: ApiClient;
    network: Network = 'up';
    /** The lines that must be on the service or in the journal, those of others on the service. */
    readonly mine = new Set<string>();
    readonly others = new Set<string>();
    #count = 0;

    constructor(folder: string) {
      this.folder = folder;
      this.client = new ApiClient({
        serverUrl: proxy.url,
        getToken: async () => service.token,
        transport: { maxRetries: 0 },
      });
    }

    line(): string {
      return `line ${++this.#count}`;
    }

    async open(): Promise<Window> {
      const model = new Model((operation) => operation(this.client));
      const window: Window = {
        alive: true,
        pendingChanges: new PendingChanges({
          ask: async (operation) => {
            if (!window.alive) {
              throw new Error('killed');
            }
            return operation(this.client);
          },
          model,
        }),
      };
      await window.pendingChanges.activate(this.folder);
      // As one does that shows the patch.
      proxy.use(forwardTo(service.url));
      await model.patch(patch);
      return window;
    }

    async kill(index: number): Promise<void> {
      const window = this.windows[index]!;
      window.alive = false;
      window.pendingChanges.dispose();
      this.windows[index] = await this.open();
      await Promise.all(this.windows.map(({ pendingChanges }) => pendingChanges.reload()));
    }

    /** Sends a pending change through a network that behaves as it is told. */
    async send(index: number, pending: KnownChange, network: Network): Promise<void> {
      const window = this.windows[index]!;
      const fault: Fault = async (response, request, attempt) => {
        if (network === 'answerLost' || network === 'killedAfterWrite') {
          await passOn(service.url, request);
        }
        if (network === 'killedBeforeWrite' || network === 'killedAfterWrite') {
          window.alive = false;
          window.pendingChanges.dispose();
        }
        const answer = network === 'writeRefused' ? reply(403) : resetBeforeHeaders;
        await answer(response, request, attempt);
      };
      proxy.use(
        forwardTo(service.url, ({ method }) =>
          network === 'down' || (network !== 'up' && method !== 'GET') ? fault : undefined,
        ),
      );
      await window.pendingChanges.send(pending.id);
      if (!window.alive) {
        await this.kill(index);
      } else {
        await Promise.all(this.windows.map(({ pendingChanges }) => pendingChanges.reload()));
      }
    }

    /** Checks everything that must hold after every step. */
    async check(): Promise<void> {
      const texts = (await sectionsOf()).map(textOf);
      const onService = texts.join('\n').split('\n');
      for (const line of new Set(onService)) {
        const times = onService.filter((other) => other === line).length;
        assert.ok(!line.startsWith('line') || times === 1, `${line} is written ${times} times`);
      }
      const kept = new Set(
        this.windows.flatMap(({ pendingChanges }) => pendingChanges.list()).flatMap(linesOf),
      );
      for (const line of this.mine) {
        assert.ok(onService.includes(line) || kept.has(line), `${line} is lost`);
      }
      for (const line of this.others) {
        assert.ok(onService.includes(line), `${line}, which somebody else wrote, is lost`);
      }
    }

    /** The lines of a section that is deleted need not be anywhere. */
    excuse(text: string): void {
      for (const line of text.split('\n')) {
        this.mine.delete(line);
        this.others.delete(line);
      }
    }

    async close(): Promise<void> {
      await Promise.all(this.windows.map(({ pendingChanges }) => pendingChanges.close()));
      await this.client.close();
    }
  }

  function linesOf({ subject, content }: KnownChange): string[] {
    return subject.kind === 'sectionText' || subject.kind === 'newSection'
      ? (content as { text: string }).text.split('\n')
      : [];
  }

  const isText = (pending: KnownChange): pending is KnownChange<TextSubject> =>
    pending.subject.kind === 'sectionText' || pending.subject.kind === 'newSection';

  function insert(text: string, line: string, at: number): string {
    const lines = text.split('\n');
    return lines.toSpliced(at % (lines.length + 1), 0, line).join('\n');
  }

  type Step = (world: World) => Promise<void>;

  const window = fc.nat(1);
  const place = fc.nat(9);
  /** A step that is taken with one of the text sections, if there is one. */
  const onSection = async (at: number, act: (section: PatchSection) => Promise<void>): Promise<void> => {
    const sections = (await sectionsOf()).filter(({ sectionType }) => sectionType === 'text');
    const section = sections[at % Math.max(1, sections.length)];
    if (section) {
      await act(section);
    }
  };
  const onPending = async (
    world: World,
    index: number,
    at: number,
    act: (pending: KnownChange) => Promise<void>,
  ): Promise<void> => {
    const pendingChanges = world.windows[index]!.pendingChanges.list().filter(
      ({ heldBy }) => heldBy !== 'elsewhere',
    );
    const pending = pendingChanges[at % Math.max(1, pendingChanges.length)];
    if (pending) {
      await act(pending);
    }
  };

  const steps: Record<string, fc.Arbitrary<Step>> = {
    edits: fc.tuple(window, place, place).map(
      ([index, which, at]): Step =>
        (world) =>
          onSection(which, async (section) => {
            const { pendingChanges } = world.windows[index]!;
            const subject = { kind: 'sectionText' as const, patch, code: section.code };
            const text = textOf(section);
            const content = pendingChanges.find(subject)?.content ?? { base: text, text };
            const line = world.line();
            pendingChanges.put(
              subject,
              { base: content.base, text: insert(content.text, line, at) },
              'A section',
            );
            await pendingChanges.flush();
            world.mine.add(line);
          }),
    ),
    adds: fc.tuple(window, place).map(([index, which]): Step => async (world) => {
      const { pendingChanges } = world.windows[index]!;
      const sections = await sectionsOf();
      const after = sections[which % (sections.length + 1)]?.code ?? null;
      const lines = [world.line(), world.line()];
      const subject = { kind: 'newSection' as const, patch, key: lines[0]! };
      pendingChanges.put(subject, { text: lines.join('\n'), after }, 'A new section');
      await pendingChanges.flush();
      lines.forEach((line) => world.mine.add(line));
    }),
    goesOn: fc.tuple(window, place, place).map(
      ([index, which, at]): Step =>
        (world) =>
          onPending(world, index, which, async (pending) => {
            if (!isText(pending)) {
              return;
            }
            const { pendingChanges } = world.windows[index]!;
            const line = world.line();
            // An editor shows the window's own pending change, even when there is another one of the same.
            const { content } = pendingChanges.find(pending.subject) ?? pending;
            pendingChanges.put(
              pending.subject,
              { ...content, text: insert(content.text, line, at) },
              pending.title,
            );
            await pendingChanges.flush();
            world.mine.add(line);
          }),
    ),
    sends: fc.tuple(window, place, fc.constantFrom(...networks)).map(
      ([index, which, network]): Step =>
        (world) =>
          onPending(world, index, which, (pending) => world.send(index, pending, network)),
    ),
    decides: fc.tuple(window, place).map(
      ([index, which]): Step =>
        (world) =>
          onPending(world, index, which, async (pending) => {
            const theirs = pending.failure?.theirs;
            if (!isText(pending) || pending.state !== 'conflict' || theirs === undefined) {
              return;
            }
            const mine = pending.content.text.split('\n');
            const rest = mine.filter((line) => !theirs.split('\n').includes(line));
            const { pendingChanges } = world.windows[index]!;
            if (pending.subject.kind === 'newSection') {
              // The person knows their own lines again.
              pendingChanges.resolveNewSection(pending.id, rest.length < mine.length);
              await pendingChanges.flush();
              return;
            }
            pendingChanges.resolve(pending.id, theirs, [theirs, ...rest].join('\n'));
            await pendingChanges.flush();
          }),
    ),
    addsAgain: fc.tuple(window, place).map(
      ([index, which]): Step =>
        (world) =>
          onPending(world, index, which, async (pending) => {
            if (pending.failure?.kind !== 'deleted') {
              return;
            }
            const { pendingChanges } = world.windows[index]!;
            pendingChanges.makeNew(pending.id);
            await pendingChanges.flush();
          }),
    ),
    discards: fc.tuple(window, place, fc.boolean()).map(
      ([index, which, andBack]): Step =>
        (world) =>
          onPending(world, index, which, async (pending) => {
            const bringBack = await world.windows[index]!.pendingChanges.discard(pending.id);
            if (andBack) {
              await bringBack();
            } else {
              linesOf(pending).forEach((line) => world.mine.delete(line));
            }
          }),
    ),
    deletes: fc.tuple(window, place).map(
      ([index, which]): Step =>
        (world) =>
          onSection(which, async (section) => {
            const { pendingChanges } = world.windows[index]!;
            const subject = { kind: 'sectionDeletion' as const, patch, code: section.code };
            pendingChanges.put(subject, { text: textOf(section), after: null }, 'A section');
            await pendingChanges.flush();
            world.excuse(textOf(section));
          }),
    ),
    moves: fc.tuple(window, place, place).map(([index, from, to]): Step => async (world) => {
      const { pendingChanges } = world.windows[index]!;
      const base = (await sectionsOf()).map(({ identifier }) => identifier);
      const order = base.toSpliced(from % base.length, 1);
      order.splice(to % base.length, 0, base[from % base.length]!);
      pendingChanges.put({ kind: 'sectionOrder', patch }, { base, order }, 'A patch');
      await pendingChanges.flush();
    }),
    takesOver: fc
      .tuple(window, place, fc.boolean())
      .map(([index, which, unknowing]): Step => async (world) => {
        const held = world.windows[index]!.pendingChanges.list().filter(
          ({ heldBy }) => heldBy === 'elsewhere',
        );
        const pending = held[which % Math.max(1, held.length)];
        if (!pending) {
          return;
        }
        const { pendingChanges } = world.windows[1 - index]!;
        const taking = world.windows[index]!.pendingChanges.takeOver(pending.id);
        const own = pendingChanges.list().find(({ id, heldBy }) => id === pending.id && heldBy === 'here');
        if (unknowing && own && isText(own)) {
          // Somebody types on in the other window, which does not know yet.
          const line = world.line();
          const { content } = pendingChanges.find(own.subject) ?? own;
          pendingChanges.put(own.subject, { ...content, text: `${content.text}\n${line}` }, own.title);
          world.mine.add(line);
        }
        await taking;
        await pendingChanges.flush();
        await pendingChanges.flush();
        await Promise.all(world.windows.map((each) => each.pendingChanges.reload()));
      }),
    isKilled: window.map(
      (index): Step =>
        (world) =>
          world.kill(index),
    ),
    isReloaded: window.map((index): Step => async (world) => {
      await world.windows[index]!.pendingChanges.close();
      await world.kill(index);
    }),
    othersEdit: fc.tuple(place, place).map(
      ([which, at]): Step =>
        (world) =>
          onSection(which, async (section) => {
            const line = world.line();
            const text = insert(textOf(section), line, at);
            await client.patches.updateSection(patch.stackUuid, patch.changeId, section.code, { text });
            world.others.add(line);
          }),
    ),
    othersRewrite: fc.tuple(place, place).map(
      ([which, at]): Step =>
        (world) =>
          onSection(which, async (section) => {
            const lines = textOf(section).split('\n');
            const [replaced] = lines.splice(at % lines.length, 1, world.line());
            const text = lines.join('\n');
            await client.patches.updateSection(patch.stackUuid, patch.changeId, section.code, { text });
            world.excuse(replaced!);
            world.others.add(lines[at % lines.length]!);
          }),
    ),
    othersAdd: fc.constant<Step>(async (world) => {
      const line = world.line();
      await client.patches.createSection(patch.stackUuid, patch.changeId, { type: 'text', text: line });
      world.others.add(line);
    }),
    othersDelete: place.map(
      (which): Step =>
        (world) =>
          onSection(which, async (section) => {
            await client.patches.deleteSection(patch.stackUuid, patch.changeId, section.code);
            world.excuse(textOf(section));
          }),
    ),
    othersMove: place.map((from): Step => async () => {
      const order = (await sectionsOf()).map(({ identifier }) => identifier);
      const [moved] = order.splice(from % order.length, 1);
      await client.patches.update(patch.stackUuid, patch.changeId, { sectionOrder: [moved!, ...order] });
    }),
  };

  /** One step of a history, with a name for the report of a failure. */
  class Command implements fc.AsyncCommand<object, World> {
    readonly name: string;
    readonly step: Step;

    constructor(name: string, step: Step) {
      this.name = name;
      this.step = step;
    }

    check(): boolean {
      return true;
    }

    async run(_model: object, world: World): Promise<void> {
      await this.step(world);
      await world.check();
    }

    toString(): string {
      return this.name;
    }
  }

  it('keeps each text on the service or in the journal, and writes nothing twice', async () => {
    const often: Record<string, number> = {
      sends: 6,
      takesOver: 2,
      edits: 3,
      adds: 2,
      goesOn: 2,
      decides: 2,
      othersEdit: 3,
      othersRewrite: 2,
    };
    const commands = Object.entries(steps).flatMap(([name, arbitrary]) =>
      Array.from({ length: often[name] ?? 1 }, () => arbitrary.map((step) => new Command(name, step))),
    );
    await fc.assert(
      fc.asyncProperty(fc.commands(commands, { maxCommands: 40, size: 'max' }), async (history) => {
        for (const section of await sectionsOf()) {
          if (section.sectionType === 'text') {
            await client.patches.deleteSection(patch.stackUuid, patch.changeId, section.code);
          }
        }
        for (const text of ['top\nmiddle\nbottom', 'alpha\nbeta']) {
          await client.patches.createSection(patch.stackUuid, patch.changeId, { type: 'text', text });
        }
        const world = new World(path.join(await mkdtemp(path.join(directory, 'account-')), 'pending'));
        world.windows.push(await world.open(), await world.open());
        try {
          await fc.asyncModelRun(async () => ({ model: {}, real: world }), history);
        } finally {
          await world.close();
        }
      }),
      { numRuns: Number(process.env['PATCH_STACKS_HISTORIES'] ?? 60) },
    );
  });
});
