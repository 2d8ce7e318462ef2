import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as v from 'valibot';
import {
  answersOf,
  CheckedPeer,
  keptState,
  requestsOf,
  UnfitMessageError,
} from '../../../src/protocol/checked.ts';
import type { RpcChannel, RpcPeer } from '../../../src/protocol/rpc.ts';
import { patchDocumentState } from '../../../src/protocol/schemas/patchDocument.ts';
import { pages, spoilt } from '../../support/pageMessages.ts';

/** The members that may be missing in a message, in any place. */
const optional = new Set([
  'code', 'line', 'message', 'email', 'context', 'log', 'repository', 'ignore', 'data', 'name', 'givenName',
  'familyName', 'locale', 'place', 'version', 'revision', 'channel', 'title', 'description', 'before',
]); // prettier-ignore

interface Schemas {
  requests: Record<string, v.GenericSchema>;
  answers: object;
}

/** An end of a conversation with a page, and what a page can say into it. */
function host(schemas: object, methods: readonly string[]) {
  const called: [method: string, parameters: unknown][] = [];
  const refused: string[] = [];
  const posted: { rpc: string; id: number; message?: string }[] = [];
  let listener: (message: unknown) => void = () => undefined;
  const channel: RpcChannel = {
    post: (message) => void posted.push(message as (typeof posted)[number]),
    listen: (one) => {
      listener = one;
      return { dispose: () => undefined };
    },
  };
  const handlers = Object.fromEntries(
    methods.map((method) => [method, (parameters: unknown) => void called.push([method, parameters])]),
  );
  const peer = new CheckedPeer<never, never>(
    channel,
    schemas as never,
    handlers as never,
    (error) => ({ message: error instanceof UnfitMessageError ? 'unfit' : `other: ${String(error)}` }),
    (line) => refused.push(line),
  );
  const say = async (message: unknown): Promise<void> => {
    listener(message);
    await new Promise(setImmediate);
  };
  return { called, refused, posted, peer, say };
}

describe('what a page says', () => {
  for (const [page, { schemas, examples }] of Object.entries<{ schemas: Schemas; examples: object }>(pages)) {
    describe(`of ${page}`, () => {
      for (const [method, example] of Object.entries<unknown>({ ...examples })) {
        it(`reaches ${method} when it fits`, async () => {
          const { called, refused, say } = host(schemas, Object.keys(examples));
          await say({ rpc: 'request', id: 1, method, parameters: example });
          assert.deepEqual([called, refused], [[[method, example]], []]);
        });

        it(`does not reach ${method} when it does not fit, and is answered with an error`, async () => {
          const { called, refused, posted, say } = host(schemas, Object.keys(examples));
          let id = 0;
          const attempt = async (parameters: unknown): Promise<void> => {
            id += 1;
            await say({ rpc: 'request', id, method, parameters });
            assert.deepEqual(called, [], `${JSON.stringify(parameters)} was acted on`);
            assert.deepEqual(posted.at(-1), { rpc: 'error', id, message: 'unfit' });
            assert.equal(refused.length, id);
          };
          const mandatory = new Set([...optional].filter((key) => !isMandatory(method, key)));
          for (const parameters of spoilt(example, mandatory)) {
            await attempt(parameters);
          }
          assert.ok(id > 5);
          await fc.assert(
            fc.asyncProperty(fc.anything(), async (parameters: unknown) => {
              fc.pre(!v.is(schemas.requests[method]!, parameters));
              await attempt(parameters);
            }),
            { numRuns: 30 },
          );
        });
      }
    });
  }

  it('is no message at all unless it has the form of one', async () => {
    const { called, posted, refused, say } = host(pages.userCard.schemas, ['load', 'copy']);
    const good = { rpc: 'request', id: 1, method: 'copy', parameters: { text: 'x' } };
    let count = 0;
    for (const message of spoilt(good, new Set(['parameters']))) {
      await say(message);
      count += 1;
    }
    await say({ rpc: 'request', id: 2, method: 'constructor', parameters: null });
    assert.deepEqual(called, []);
    assert.ok(posted.every(({ rpc }) => rpc === 'error'));
    assert.ok(refused.length > 20 && count > 20);
    await say(good);
    assert.equal(called.length, 1);
  });

  it('has no part in what the log is told of it', async () => {
    const { refused, say } = host(pages.userCard.schemas, ['copy']);
    await say({ rpc: 'request', id: 1, method: 'copy', parameters: { text: ['typed words'] } });
    await say({ rpc: 'typed words', id: 1 });
    assert.equal(refused.length, 2);
    assert.ok(!refused.join('\n').includes('typed words'), refused.join('\n'));
    assert.match(refused[0] ?? '', /copy.*text should be string/);
  });

  it('is refused as an answer that does not fit', async () => {
    const { peer, posted, say } = host({ requests: {}, answers: { editSection: v.boolean() } }, []);
    const asked = (
      peer as unknown as RpcPeer<object, { editSection: (parameters: null) => boolean }>
    ).request('editSection', null);
    const refusal = assert.rejects(asked, UnfitMessageError);
    await say({ rpc: 'result', id: posted[0]?.id, result: 'yes' });
    await refusal;
    peer.dispose();
  });

  it('is taken from before a reload only as what it should be', () => {
    const good = { serverUrl: 'https://x.test', stackUuid: 'a', changeId: 'b', projectId: 'c' };
    assert.deepEqual(keptState(patchDocumentState, { ...good, more: 1 }), good);
    for (const state of spoilt(good, new Set(['projectId']))) {
      assert.equal(keptState(patchDocumentState, state), undefined);
    }
  });

  it('is changes of a text only as an editor says them', () => {
    const { examples, schemas } = pages.patchDocument;
    const isGood = (changes: unknown): boolean =>
      v.is(schemas.requests.saveTextLocally, { ...examples.saveTextLocally, typed: { after: 1, changes } });
    const good = [[], [0], [3, [2], 4], [[0, 'one', '', 'three'], 1]];
    assert.deepEqual(good.map(isGood), [true, true, true, true]);
    const bad = [[-1], [0.5], ['x'], [[]], [['x']], [[-1, 'x']], [[1, 2]], [[1, ['x']]], {}, 'x', [null]];
    assert.deepEqual(bad.filter(isGood), []);
  });

  it('has a schema that says what the protocol does, or does not compile', () => {
    interface Host {
      one: (parameters: { a: string; b?: number }) => null;
    }
    const a = v.string();
    requestsOf<Host>()({ one: v.object({ a, b: v.exactOptional(v.number()) }) });
    // @ts-expect-error -- a method without one
    requestsOf<Host>()({});
    // @ts-expect-error -- less than the protocol says
    requestsOf<Host>()({ one: v.object({ a }) });
    // @ts-expect-error -- more than the protocol says
    requestsOf<Host>()({ one: v.object({ a, b: v.exactOptional(v.number()), c: v.exactOptional(a) }) });
    // @ts-expect-error -- narrower than the protocol
    requestsOf<Host>()({ one: v.object({ a: v.literal('x'), b: v.exactOptional(v.number()) }) });
    // @ts-expect-error -- an answer of another type
    answersOf<Host>()({ one: v.boolean() });
    assert.ok(answersOf<Host>()({ one: v.null() }));
  });
});

/** True when a field that may be missing in one message has to be there in that of a method. */
function isMandatory(method: string, key: string): boolean {
  switch (method) {
    case 'openChanges':
    case 'retryPending':
    case 'discardPending':
    case 'saveFieldsLocally':
    case 'restoreFields':
    case 'save':
      return false;
    case 'openFile':
      return key !== 'line';
    default:
      return true;
  }
}
