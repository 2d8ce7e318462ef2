/** Two people save the same thing at the same moment: nothing that either wrote is overwritten without a word. */
import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiClient } from '../../src/api/client.ts';
import type { AskService } from '../../src/model/askService.ts';
import { Model } from '../../src/model/model.ts';
import type { ChangeContent, ChangeSubject } from '../../src/model/pending/kinds/index.ts';
import type { SendOutcome } from '../../src/model/pending/pendingChange.ts';
import { PendingChanges } from '../../src/model/pending/pendingChanges.ts';
import type { PatchRef } from '../../src/util/patchRef.ts';
import { ExampleService } from '../support/exampleService.ts';
import type { Fault, SeenRequest } from '../support/faultServer.ts';
import { forwardTo, passOn } from '../support/forward.ts';
import { isFull } from '../support/full.ts';
import { Random } from '../support/random.ts';

const rounds = isFull ? 200 : 40;

describe('two that save at the same moment', function () {
  this.timeout(120_000);
  let example: ExampleService;
  let author: ApiClient;
  let patch: PatchRef;
  const opened: { pendingChanges: PendingChanges; client: ApiClient; model: Model }[] = [];

  before(async () => {
    example = await ExampleService.start();
    author = example.client;
    const [project] = (await author.projects.list()).items;
    const projectId = project!.repositoryId;
    const [stack] = (await author.stacks.list(projectId)).items;
    const { changeId } = stack!.patches![0]!;
    patch = { projectId, branchId: stack!.branchId, stackUuid: stack!.uuid, changeId };
  });

  after(() => example.stop());

  afterEach(async () => {
    for (const { pendingChanges, client } of opened.splice(0)) {
      await pendingChanges.close();
      await client.close();
    }
  });

  async function openWindow(serverUrl: string): Promise<PendingChanges> {
    const client = new ApiClient({ serverUrl, getToken: async () => example.service.token });
    const ask: AskService = (operation) => operation(client);
    const model = new Model(ask);
    const pendingChanges = new PendingChanges({ ask, model });
    opened.push({ pendingChanges, client, model });
    await pendingChanges.activate(await example.accountFolder());
    return pendingChanges;
  }

  async function twoWindows(serverUrl: string): Promise<[PendingChanges, PendingChanges]> {
    return [await openWindow(serverUrl), await openWindow(serverUrl)];
  }

  /** Has a window know the patch as it is. */
  async function look(window: PendingChanges): Promise<void> {
    await opened.find(({ pendingChanges }) => pendingChanges === window)!.model.refreshPatch(patch);
  }

  async function save<S extends ChangeSubject>(
    window: PendingChanges,
    subject: S,
    content: ChangeContent<S>,
  ): Promise<SendOutcome> {
    window.put(subject, content, 'A section');
    return window.send(window.find(subject)!.id);
  }

  async function addSection(text: string): Promise<string> {
    const { code } = await author.patches.createSection(patch.stackUuid, patch.changeId, {
      type: 'text',
      text,
    });
    return code;
  }

  async function textOf(code: string): Promise<string | undefined> {
    const section = await author.patches.getSection(patch.stackUuid, patch.changeId, code);
    return section.sectionType === 'text' ? section.text : undefined;
  }

  /** Has two writes wait for each other, so that each is made of what there was before both, and the first to come be the first. */
  function together(answerTo: (request: SeenRequest) => Fault | Promise<Fault>): Fault {
    const isThere = Promise.withResolvers<undefined>();
    let writes = 0;
    let before: Promise<void> = Promise.resolve();
    return async (response, request, attempt) => {
      if (request.method === 'GET') {
        await (
          await answerTo(request)
        )(response, request, attempt);
        return;
      }
      writes += 1;
      if (writes === 2) {
        isThere.resolve(undefined);
      }
      await isThere.promise;
      const mine = before.then(async () => (await answerTo(request))(response, request, attempt));
      before = mine;
      await mine;
    };
  }

  /** Passes on also what the service offers beside the contract. */
  const withOffers: (request: SeenRequest) => Fault = (request) => async (response) => {
    const answer = await passOn(example.service.url, request);
    response.writeHead(answer.status, {
      'content-type': answer.headers.get('content-type') ?? '',
      'patch-stacks-offers': answer.headers.get('patch-stacks-offers') ?? '',
    });
    response.end(Buffer.from(await answer.arrayBuffer()));
  };

  it(`keep what both have written into a section, ${rounds} times`, async () => {
    const random = new Random(36);
    const [one, other] = await twoWindows(example.service.url);
    let merged = 0;
    for (let round = 0; round < rounds; round += 1) {
      const base = `first ${round}\n\nmiddle\n\nlast\n`;
      const code = await addSection(base);
      const subject = { kind: 'sectionText' as const, patch, code };
      const turns = random.below(30);
      for (const window of [one, other]) {
        if (random.below(2) === 0) {
          await look(window);
        }
      }
      const outcomes = await Promise.all([
        save(one, subject, { base, text: base.replace('first', 'FIRST') }),
        (async () => {
          for (let turn = 0; turn < turns; turn += 1) {
            await nextTurn();
          }
          return save(other, subject, { base, text: base.replace('last', 'LAST') });
        })(),
      ]);
      assert.equal(await textOf(code), `FIRST ${round}\n\nmiddle\n\nLAST\n`);
      for (const outcome of outcomes) {
        assert.ok(outcome.kind === 'sent' && outcome.replacedUnread === undefined, outcome.kind);
        merged += outcome.merged === undefined ? 0 : 1;
      }
      await author.patches.deleteSection(patch.stackUuid, patch.changeId, code);
    }
    assert.equal(merged, rounds);
  });

  it('are joined when both have read before either writes, and of the same words one is asked', async () => {
    for (const [text, expected] of [
      ['one\n\ntwo\n\nTHREE\n', 'ONE\n\ntwo\n\nTHREE\n'],
      ['uno\n\ntwo\n\nthree\n', undefined],
    ] as const) {
      const base = 'one\n\ntwo\n\nthree\n';
      const code = await addSection(base);
      const subject = { kind: 'sectionText' as const, patch, code };
      example.proxy.use(together(withOffers));
      const [one, other] = await twoWindows(example.proxy.url);
      const outcomes = await Promise.all([
        save(one, subject, { base, text: 'ONE\n\ntwo\n\nthree\n' }),
        save(other, subject, { base, text }),
      ]);
      const now = await textOf(code);
      if (expected === undefined) {
        assert.deepEqual(outcomes.map(({ kind }) => kind).toSorted(), ['conflict', 'sent']);
        const won = outcomes[0].kind === 'sent' ? 'ONE' : 'uno';
        assert.equal(now, `${won}\n\ntwo\n\nthree\n`);
      } else {
        assert.equal(now, expected);
        assert.deepEqual(
          outcomes.map((outcome) => outcome.kind === 'sent' && outcome.replacedUnread),
          [undefined, undefined],
        );
      }
    }
  });

  it('write what they have read before at once, and read again where that is another text by then', async () => {
    const base = 'one\n\ntwo\n\nthree\n';
    const code = await addSection(base);
    const subject = { kind: 'sectionText' as const, patch, code };
    example.proxy.use((response, request, attempt) => withOffers(request)(response, request, attempt));
    const window = await openWindow(example.proxy.url);
    const asked = async (content: ChangeContent<typeof subject>): Promise<[string[], SendOutcome]> => {
      example.proxy.seen.length = 0;
      const outcome = await save(window, subject, content);
      return [example.proxy.seen.map(({ method }) => method), outcome];
    };
    await look(window);
    const text = 'ONE\n\ntwo\n\nthree\n';
    assert.deepEqual(await asked({ base, text }), [['PATCH'], { kind: 'sent' }]);
    // The answer is known, too.
    assert.deepEqual(await asked({ base: text, text: base }), [['PATCH'], { kind: 'sent' }]);
    assert.equal(await textOf(code), base);
    const { stackUuid, changeId } = patch;
    await author.patches.updateSection(stackUuid, changeId, code, { text: 'one\n\ntwo\n\nTHREE\n' });
    await author.patches.updateSection(stackUuid, changeId, code, { text: 'one\n\ntwo\n\nTHREE!\n' });
    const merged = 'ONE\n\ntwo\n\nTHREE!\n';
    assert.deepEqual(await asked({ base, text }), [['PATCH', 'GET', 'PATCH'], { kind: 'sent', merged }]);
    assert.equal(await textOf(code), merged);
    // What was another text in between, and is the same again, was overwritten by nobody.
    await author.patches.updateSection(stackUuid, changeId, code, { text: 'another' });
    await author.patches.updateSection(stackUuid, changeId, code, { text: merged });
    assert.deepEqual(await asked({ base: merged, text }), [['PATCH'], { kind: 'sent' }]);
    await author.patches.deleteSection(stackUuid, changeId, code);
    const [requests, outcome] = await asked({ base: text, text: base });
    assert.deepEqual(requests, ['PATCH']);
    assert.ok(outcome.kind === 'failed' && outcome.failure.kind === 'deleted');
  });

  for (const first of ['PATCH', 'DELETE']) {
    it(`delete nothing that the other has written into at that moment: ${first} comes first`, async () => {
      const base = 'a text\n';
      const code = await addSection(base);
      const [isThere, isDone] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
      example.proxy.use(async (response, request, attempt) => {
        if (request.method === first) {
          await isThere.promise;
        } else if (request.method !== 'GET') {
          isThere.resolve(undefined);
          await isDone.promise;
        }
        await withOffers(request)(response, request, attempt);
        if (request.method === first) {
          isDone.resolve(undefined);
        }
      });
      const [one, other] = await twoWindows(example.proxy.url);
      const [written, deleted] = await Promise.all([
        save(one, { kind: 'sectionText', patch, code }, { base, text: 'a text, and more\n' }),
        save(other, { kind: 'sectionDeletion', patch, code }, { text: base, after: null }),
      ]);
      if (first === 'PATCH') {
        assert.equal(written.kind, 'sent');
        assert.equal(deleted.kind, 'conflict');
        assert.equal(await textOf(code), 'a text, and more\n');
      } else {
        // Its text waits for its writer to decide.
        assert.ok(written.kind === 'failed' && written.failure.kind === 'deleted');
        assert.equal(deleted.kind, 'sent');
      }
    });
  }

  it('keep both titles and descriptions apart, and join two orders', async () => {
    const {
      uuid,
      title = '',
      description = '',
    } = await author.stacks.latestForBranch(patch.projectId!, patch.branchId!);
    example.proxy.use(together(withOffers));
    const stack = { kind: 'stack' as const, projectId: patch.projectId!, stackUuid: uuid };
    const base = { title, description };
    {
      const [one, other] = await twoWindows(example.proxy.url);
      const both = await Promise.all([
        save(one, stack, { base, fields: { title: 'A title' } }),
        save(other, stack, { base, fields: { title: 'Another title' } }),
      ]);
      assert.deepEqual(both.map(({ kind }) => kind).toSorted(), ['conflict', 'sent']);
    }
    const codes = [
      await addSection('1'),
      await addSection('2'),
      await addSection('3'),
      await addSection('4'),
    ];
    const { sections = [] } = await author.patches.get(patch.stackUuid, patch.changeId);
    const order = sections.map(({ identifier }) => identifier);
    const rest = order.filter((identifier) => !codes.includes(identifier));
    const [first, second, third, fourth] = codes as [string, string, string, string];
    example.proxy.use(together(withOffers));
    const [one, other] = await twoWindows(example.proxy.url);
    const moves = await Promise.all([
      save(
        one,
        { kind: 'sectionOrder', patch },
        { base: order, order: [...rest, second, first, third, fourth] },
      ),
      save(
        other,
        { kind: 'sectionOrder', patch },
        { base: order, order: [...rest, first, second, fourth, third] },
      ),
    ]);
    assert.deepEqual(
      moves.map(({ kind }) => kind),
      ['sent', 'sent'],
    );
    const { sections: after = [] } = await author.patches.get(patch.stackUuid, patch.changeId);
    assert.deepEqual(
      after.map(({ identifier }) => identifier),
      [...rest, second, first, fourth, third],
    );
  });

  it('are told of it where the service can’t compare, and that one is asked nothing beside the contract', async () => {
    const base = 'one\n\ntwo\n\nthree\n';
    const code = await addSection(base);
    const subject = { kind: 'sectionText' as const, patch, code };
    example.proxy.use(together(() => forwardTo(example.service.url)));
    const [one, other] = await twoWindows(example.proxy.url);
    const outcomes = await Promise.all([
      save(one, subject, { base, text: 'ONE\n\ntwo\n\nthree\n' }),
      save(other, subject, { base, text: 'one\n\ntwo\n\nTHREE\n' }),
    ]);
    assert.deepEqual(
      outcomes.map((outcome) => outcome.kind === 'sent' && outcome.replacedUnread === true).toSorted(),
      [false, true],
    );
    assert.deepEqual(
      example.proxy.seen.filter(({ headers }) => headers['if-match'] !== undefined),
      [],
    );
    // Of one that is alone nothing is said.
    example.proxy.use(forwardTo(example.service.url));
    const text = (await textOf(code)) ?? '';
    await look(one);
    example.proxy.seen.length = 0;
    const alone = await save(one, subject, { base: text, text: `${text}more\n` });
    assert.deepEqual(alone, { kind: 'sent' });
    // Nor is it trusted to have what is known.
    assert.deepEqual(
      example.proxy.seen.filter(({ url }) => url.endsWith(code)).map(({ method }) => method),
      ['GET', 'PATCH'],
    );
  });

  it('can save also where the service says each time that it has something else', async () => {
    const base = 'one\n';
    const code = await addSection(base);
    let refused = 0;
    example.proxy.use(async (response, request, attempt) => {
      if (request.headers['if-match'] !== undefined) {
        refused += 1;
        response.writeHead(412, { 'content-type': 'application/json' }).end('{"error": "no"}');
        return;
      }
      await withOffers(request)(response, request, attempt);
    });
    const window = await openWindow(example.proxy.url);
    const outcome = await save(window, { kind: 'sectionText', patch, code }, { base, text: 'two\n' });
    assert.deepEqual(outcome, { kind: 'sent' });
    assert.equal(await textOf(code), 'two\n');
    assert.equal(refused, 10);
  });
});
