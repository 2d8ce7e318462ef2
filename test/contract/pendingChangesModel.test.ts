/**
 * A model-based test of the drafts: random histories of two windows of one person, of other people, and of a service that
 * fails in every way, over a real local service. Every edit adds a line of its own, so that one can follow each to its end.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { ApiClient } from '../../src/api/client.ts';
import type { PatchSection } from '../../src/api/resources/patches.ts';
import type { DraftSubject, KnownDraft } from '../../src/model/pending/pendingChange.ts';
import { Drafts } from '../../src/model/pending/pendingChanges.ts';
import { Model, type PatchAddress } from '../../src/model/model.ts';
import { startService, type LocalService } from '../../src/service/service.ts';
import { makeExampleRepository } from '../support/exampleRepository.ts';
import { FaultServer, reply, resetBeforeHeaders, type Fault } from '../support/faultServer.ts';
import { forwardTo, passOn } from '../support/forward.ts';

/** What happens to the requests of a send: to reads as well, or to the write alone. */
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

type TextSubject = Extract<DraftSubject, { kind: 'sectionText' | 'newSection' }>;

/** A window of the person, with what it shows. */
interface Window {
  drafts: Drafts;
  alive: boolean;
}

describe('drafts, whatever happens', function () {
  this.timeout(600_000);
  let directory: string;
  let service: LocalService;
  let proxy: FaultServer;
  let client: ApiClient;
  let patch: PatchAddress;

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
        drafts: new Drafts({
          ask: async (operation) => {
            if (!window.alive) {
              throw new Error('killed');
            }
            return operation(this.client);
          },
          model,
        }),
      };
      await window.drafts.activate(this.folder);
      // As one does that shows the patch.
      proxy.use(forwardTo(service.url));
      await model.patch(patch);
      return window;
    }

    async kill(index: number): Promise<void> {
      const window = this.windows[index]!;
      window.alive = false;
      window.drafts.dispose();
      this.windows[index] = await this.open();
      await Promise.all(this.windows.map(({ drafts }) => drafts.reload()));
    }

    /** Sends a draft through a network that behaves as it is told. */
    async send(index: number, draft: KnownDraft, network: Network): Promise<void> {
      const window = this.windows[index]!;
      const fault: Fault = async (response, request, attempt) => {
        if (network === 'answerLost' || network === 'killedAfterWrite') {
          await passOn(service.url, request);
        }
        if (network === 'killedBeforeWrite' || network === 'killedAfterWrite') {
          window.alive = false;
          window.drafts.dispose();
        }
        const answer = network === 'writeRefused' ? reply(403) : resetBeforeHeaders;
        await answer(response, request, attempt);
      };
      proxy.use(
        forwardTo(service.url, ({ method }) =>
          network === 'down' || (network !== 'up' && method !== 'GET') ? fault : undefined,
        ),
      );
      await window.drafts.send(draft.id);
      if (!window.alive) {
        await this.kill(index);
      } else {
        await Promise.all(this.windows.map(({ drafts }) => drafts.reload()));
      }
    }

    /** What must hold after every step. */
    async check(): Promise<void> {
      const texts = (await sectionsOf()).map(textOf);
      const onService = texts.join('\n').split('\n');
      for (const line of new Set(onService)) {
        const times = onService.filter((other) => other === line).length;
        assert.ok(!line.startsWith('line') || times === 1, `${line} is written ${times} times`);
      }
      const kept = new Set(this.windows.flatMap(({ drafts }) => drafts.list()).flatMap(linesOf));
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
      await Promise.all(this.windows.map(({ drafts }) => drafts.close()));
      await this.client.close();
    }
  }

  function linesOf({ subject, content }: KnownDraft): string[] {
    return subject.kind === 'sectionText' || subject.kind === 'newSection'
      ? (content as { text: string }).text.split('\n')
      : [];
  }

  const isText = (draft: KnownDraft): draft is KnownDraft<TextSubject> =>
    draft.subject.kind === 'sectionText' || draft.subject.kind === 'newSection';

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
  const onDraft = async (
    world: World,
    index: number,
    at: number,
    act: (draft: KnownDraft) => Promise<void>,
  ): Promise<void> => {
    const drafts = world.windows[index]!.drafts.list().filter(({ heldBy }) => heldBy !== 'elsewhere');
    const draft = drafts[at % Math.max(1, drafts.length)];
    if (draft) {
      await act(draft);
    }
  };

  const steps: Record<string, fc.Arbitrary<Step>> = {
    edits: fc.tuple(window, place, place).map(
      ([index, which, at]): Step =>
        (world) =>
          onSection(which, async (section) => {
            const { drafts } = world.windows[index]!;
            const subject = { kind: 'sectionText' as const, patch, code: section.code };
            const text = textOf(section);
            const content = drafts.find(subject)?.content ?? { base: text, text };
            const line = world.line();
            drafts.put(subject, { base: content.base, text: insert(content.text, line, at) }, 'A section');
            await drafts.flush();
            world.mine.add(line);
          }),
    ),
    adds: fc.tuple(window, place).map(([index, which]): Step => async (world) => {
      const { drafts } = world.windows[index]!;
      const sections = await sectionsOf();
      const after = sections[which % (sections.length + 1)]?.code ?? null;
      const lines = [world.line(), world.line()];
      const subject = { kind: 'newSection' as const, patch, key: lines[0]! };
      drafts.put(subject, { text: lines.join('\n'), after }, 'A new section');
      await drafts.flush();
      lines.forEach((line) => world.mine.add(line));
    }),
    goesOn: fc.tuple(window, place, place).map(
      ([index, which, at]): Step =>
        (world) =>
          onDraft(world, index, which, async (draft) => {
            if (!isText(draft)) {
              return;
            }
            const { drafts } = world.windows[index]!;
            const line = world.line();
            // An editor shows the window's own draft, even when there is another one of the same.
            const { content } = drafts.find(draft.subject) ?? draft;
            drafts.put(draft.subject, { ...content, text: insert(content.text, line, at) }, draft.title);
            await drafts.flush();
            world.mine.add(line);
          }),
    ),
    sends: fc.tuple(window, place, fc.constantFrom(...networks)).map(
      ([index, which, network]): Step =>
        (world) =>
          onDraft(world, index, which, (draft) => world.send(index, draft, network)),
    ),
    decides: fc.tuple(window, place).map(
      ([index, which]): Step =>
        (world) =>
          onDraft(world, index, which, async (draft) => {
            const theirs = draft.failure?.theirs;
            if (!isText(draft) || draft.state !== 'conflict' || theirs === undefined) {
              return;
            }
            const mine = draft.content.text.split('\n');
            const rest = mine.filter((line) => !theirs.split('\n').includes(line));
            const { drafts } = world.windows[index]!;
            if (draft.subject.kind === 'newSection') {
              // The person knows their own lines again.
              drafts.decideNewSection(draft.id, rest.length < mine.length);
              await drafts.flush();
              return;
            }
            drafts.resolve(draft.id, theirs, [theirs, ...rest].join('\n'));
            await drafts.flush();
          }),
    ),
    addsAgain: fc.tuple(window, place).map(
      ([index, which]): Step =>
        (world) =>
          onDraft(world, index, which, async (draft) => {
            if (draft.failure?.kind !== 'deleted') {
              return;
            }
            const { drafts } = world.windows[index]!;
            drafts.makeNewSection(draft.id);
            await drafts.flush();
          }),
    ),
    discards: fc.tuple(window, place, fc.boolean()).map(
      ([index, which, andBack]): Step =>
        (world) =>
          onDraft(world, index, which, async (draft) => {
            const bringBack = await world.windows[index]!.drafts.discard(draft.id);
            if (andBack) {
              await bringBack();
            } else {
              linesOf(draft).forEach((line) => world.mine.delete(line));
            }
          }),
    ),
    deletes: fc.tuple(window, place).map(
      ([index, which]): Step =>
        (world) =>
          onSection(which, async (section) => {
            const { drafts } = world.windows[index]!;
            const subject = { kind: 'sectionDeletion' as const, patch, code: section.code };
            drafts.put(subject, { text: textOf(section), after: null }, 'A section');
            await drafts.flush();
            world.excuse(textOf(section));
          }),
    ),
    moves: fc.tuple(window, place, place).map(([index, from, to]): Step => async (world) => {
      const { drafts } = world.windows[index]!;
      const base = (await sectionsOf()).map(({ identifier }) => identifier);
      const order = base.toSpliced(from % base.length, 1);
      order.splice(to % base.length, 0, base[from % base.length]!);
      drafts.put({ kind: 'sectionOrder', patch }, { base, order }, 'A patch');
      await drafts.flush();
    }),
    takesOver: fc
      .tuple(window, place, fc.boolean())
      .map(([index, which, unknowing]): Step => async (world) => {
        const held = world.windows[index]!.drafts.list().filter(({ heldBy }) => heldBy === 'elsewhere');
        const draft = held[which % Math.max(1, held.length)];
        if (!draft) {
          return;
        }
        const { drafts } = world.windows[1 - index]!;
        const taking = world.windows[index]!.drafts.takeOver(draft.id);
        const own = drafts.list().find(({ id, heldBy }) => id === draft.id && heldBy === 'here');
        if (unknowing && own && isText(own)) {
          // Somebody types on in the other window, which does not know yet.
          const line = world.line();
          const { content } = drafts.find(own.subject) ?? own;
          drafts.put(own.subject, { ...content, text: `${content.text}\n${line}` }, own.title);
          world.mine.add(line);
        }
        await taking;
        await drafts.flush();
        await drafts.flush();
        await Promise.all(world.windows.map((each) => each.drafts.reload()));
      }),
    isKilled: window.map(
      (index): Step =>
        (world) =>
          world.kill(index),
    ),
    isReloaded: window.map((index): Step => async (world) => {
      await world.windows[index]!.drafts.close();
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
        const world = new World(path.join(await mkdtemp(path.join(directory, 'account-')), 'drafts'));
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
