import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { inspect } from 'node:util';
import { ApiClient, type TransportOptions } from '../../src/api/client.ts';
import { isApiError, type ApiErrorKind } from '../../src/api/errors.ts';
import {
  FaultServer,
  closedPort,
  first,
  gzipBomb,
  hugeJson,
  hugeLength,
  lyingLength,
  nested,
  oneByteChunks,
  reply,
  resetBeforeHeaders,
  resetMidBody,
  slowDrip,
  stalledBody,
  stalledHeaders,
  type Fault,
} from '../support/faultServer.ts';
import { loginTokenCanary, operations, type Operation } from '../support/operations.ts';

/** A token that must never show up anywhere but in the header that carries it. */
const canary = 'canary-7f3a9c-token';

/** The outcome that a fault must have for an operation: a result or a kind of error, after so many requests. */
interface Expected {
  outcome: 'ok' | ApiErrorKind;
  requests: number;
}

interface FaultCase {
  name: string;
  serve: (operation: Operation, good: string) => Fault;
  expect: (operation: Operation) => Expected;
  /** Limits under which the fault shows quickly; all others are far away. */
  limits?: TransportOptions;
  /** True where the fault says how time passes, and not the clock, which a busy machine is too slow for. */
  passesTime?: boolean;
  /** More to check of the error. */
  check?: (error: unknown) => void;
}

/** Only what can be done twice may be sent again, and only GET after a response has begun; see repeats.test.ts. */
const repeatable = ({ method, name }: Operation) =>
  method === 'GET' || method === 'DELETE' || name === 'users.updateMe' || name === 'projects.update';
const tries = (operation: Operation) => (repeatable(operation) ? 3 : 1);
const readTries = ({ method }: Operation) => (method === 'GET' ? 3 : 1);
const always =
  (outcome: Expected['outcome'], requests = 1) =>
  () => ({ outcome, requests });

/** An answer with nothing in it is enough where the contract shows no response, and for an empty list. */
const emptyAnswer = ({ shape }: Operation): Expected => ({
  outcome: shape === 'record' ? 'unreadable' : 'ok',
  requests: 1,
});

/** JSON in which nothing is what it should be: above all, what cannot be read is no empty list. */
const strangeAnswer = ({ shape }: Operation): Expected => ({
  outcome: shape === 'record' || shape === 'poll' || shape === 'list' ? 'unreadable' : 'ok',
  requests: 1,
});

/** While no one has confirmed a login, services refuse in these ways. */
const unlessPolling =
  (outcome: ApiErrorKind) =>
  ({ shape }: Operation): Expected => ({ outcome: shape === 'poll' ? 'ok' : outcome, requests: 1 });

/** An error body that gives away whatever it knows. */
const tellTale = JSON.stringify({
  message: `<b>No</b> ${canary} ${encodeURIComponent(canary)} ${Buffer.from(canary).toString('base64')} ${loginTokenCanary}`,
  error_code: 'nope',
  errors: [{ field: 'name', message: `is ${canary}` }],
});

const faults: readonly FaultCase[] = [
  {
    name: 'reset before headers',
    serve: () => resetBeforeHeaders,
    expect: (op) => ({ outcome: 'connection', requests: tries(op) }),
  },
  {
    name: 'reset mid-body',
    serve: (_op, good) => resetMidBody(good),
    expect: (op) => ({ outcome: 'connection', requests: readTries(op) }),
  },
  {
    name: 'stalled headers',
    limits: { headersTimeoutMs: 50, bodyTimeoutMs: 50 },
    serve: () => stalledHeaders,
    expect: (op) => ({ outcome: 'timeout', requests: readTries(op) }),
  },
  {
    name: 'stalled body',
    limits: { headersTimeoutMs: 50, bodyTimeoutMs: 50 },
    serve: (_op, good) => stalledBody(good),
    expect: (op) => ({ outcome: 'timeout', requests: readTries(op) }),
  },
  {
    name: 'slow drip',
    limits: { totalTimeoutMs: 1_000 },
    passesTime: true,
    serve: () => slowDrip(() => mock.timers.tick(100)),
    expect: always('timeout'),
  },
  { name: '1-byte chunks', serve: (_op, good) => oneByteChunks(good), expect: always('ok') },
  {
    name: 'truncated JSON',
    serve: () => reply(200, `{"id": "${canary}", "na`),
    expect: always('unreadable'),
  },
  {
    name: 'JSON labelled as HTML',
    serve: (_op, good) => reply(200, good, { 'content-type': 'text/html' }),
    expect: always('ok'),
  },
  {
    name: 'HTML page with 200',
    serve: () =>
      reply(200, `<html><title>Log in to the WLAN ${canary}</title>`, { 'content-type': 'text/html' }),
    expect: always('unreadable'),
  },
  {
    name: 'HTML error page',
    serve: () =>
      reply(500, `<!doctype html><html><head><title>Broken &amp; sorry</title><body>${canary}`, {
        'content-type': 'text/html',
      }),
    expect: always('server'),
    check: (error) => assert.equal(isApiError(error) && error.serviceMessage, 'Broken & sorry'),
  },
  { name: 'empty 200', serve: () => reply(200), expect: emptyAnswer },
  { name: '204', serve: () => (response) => void response.writeHead(204).end(), expect: emptyAnswer },
  { name: '202 without a body', serve: () => reply(202), expect: emptyAnswer },
  {
    name: '3xx to another origin',
    serve: () => reply(302, '', { location: `http://localhost:9/?token=${canary}` }),
    expect: always('redirect'),
  },
  { name: '3xx without a location', serve: () => reply(307), expect: always('redirect') },
  {
    name: '3xx loop',
    serve: () => (response, request) => void response.writeHead(302, { location: request.url }).end(),
    expect: ({ method }) => ({ outcome: 'redirect', requests: method === 'GET' ? 6 : 1 }),
  },
  { name: '401', serve: () => reply(401, tellTale), expect: unlessPolling('unauthorized') },
  { name: '403', serve: () => reply(403, tellTale), expect: unlessPolling('forbidden') },
  { name: '404', serve: () => reply(404, tellTale), expect: unlessPolling('notFound') },
  { name: '409', serve: () => reply(409, tellTale), expect: always('conflict') },
  { name: '413', serve: () => reply(413, tellTale), expect: always('tooLarge') },
  {
    name: '422',
    serve: () => reply(422, tellTale),
    expect: ({ upload }) => ({ outcome: 'invalid', requests: upload ? 2 : 1 }),
    check: (error) =>
      assert.deepEqual(isApiError(error) && error.kind === 'invalid' && error.fields, [
        { field: 'name', message: 'is ***' },
      ]),
  },
  {
    name: '429 with a short Retry-After',
    serve: () => reply(429, tellTale, { 'retry-after': '0.001' }),
    expect: (op) => ({ outcome: 'rateLimited', requests: tries(op) }),
    check: (error) =>
      assert.equal(isApiError(error) && error.kind === 'rateLimited' && error.retryAfterMs, 1),
  },
  {
    name: '429 with a long Retry-After',
    serve: () => reply(429, tellTale, { 'retry-after': '3600' }),
    expect: always('rateLimited'),
    check: (error) =>
      assert.equal(isApiError(error) && error.kind === 'rateLimited' && error.retryAfterMs, 3_600_000),
  },
  {
    name: '429 without Retry-After',
    serve: () => reply(429, tellTale),
    expect: (op) => ({ outcome: 'rateLimited', requests: tries(op) }),
    check: (error) =>
      assert.equal(isApiError(error) && error.kind === 'rateLimited' && error.retryAfterMs, undefined),
  },
  { name: '500', serve: () => reply(500, tellTale), expect: always('server') },
  {
    name: '502',
    serve: () => reply(502, tellTale),
    expect: (op) => ({ outcome: 'server', requests: tries(op) }),
  },
  {
    name: '503 then good',
    serve: (_op, good) => first(1, reply(503, tellTale), reply(200, good)),
    expect: (op) => (repeatable(op) ? { outcome: 'ok', requests: 2 } : { outcome: 'server', requests: 1 }),
  },
  { name: '100 MB of JSON', serve: () => hugeJson(100_000_000), expect: always('tooLarge') },
  { name: '100 MB said before', serve: () => hugeLength(100_000_000), expect: always('tooLarge') },
  { name: '100 MB when decompressed', serve: () => gzipBomb(100_000_000), expect: always('tooLarge') },
  {
    name: 'Content-Length too long',
    serve: (_op, good) => lyingLength(good, Buffer.byteLength(good) + 10),
    expect: (op) => ({ outcome: 'connection', requests: readTries(op) }),
  },
  {
    name: 'Content-Length too short',
    serve: (_op, good) => lyingLength(`${good}        `.replace('}', ' }'), 1),
    expect: always('unreadable'),
  },
  {
    name: 'broken gzip',
    serve: (_op, good) => reply(200, good, { 'content-encoding': 'gzip' }),
    expect: always('unreadable'),
  },
  {
    name: 'unknown encoding',
    serve: (_op, good) => reply(200, good, { 'content-encoding': 'lzma' }),
    expect: always('unreadable'),
  },
  {
    name: 'not HTTP',
    serve: () => (response) => void response.socket?.end(`${canary} SMTP ready\r\n\r\n`),
    expect: always('unreadable'),
  },
  {
    name: 'invalid UTF-8',
    serve: () => reply(200, Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])),
    expect: always('unreadable'),
  },
  {
    name: 'NUL bytes',
    serve: (_op, good) => reply(200, good.replace(/[}\]]$/, '\0$&')),
    expect: always('unreadable'),
  },
  {
    name: 'duplicate keys',
    serve: (_op, good) => reply(200, good.replaceAll(/"(\w+)":/g, '"$1":0,"$1":')),
    expect: always('ok'),
  },
  {
    name: '10,000-deep nesting',
    serve: () => reply(200, nested(10_000)),
    expect: strangeAnswer,
  },
  {
    name: 'records without what names them',
    serve: () => reply(200, '[{"title":"A"},{"title":"B"},null]'),
    expect: strangeAnswer,
  },
  {
    name: '10,000-deep nesting beside what is needed',
    serve: (_op, good) =>
      reply(200, good.replace(/\}(\]?)$/, `${good.endsWith('{}') ? '' : ','}"deep":${nested(10_000)}}$1`)),
    expect: always('ok'),
  },
];

describe('every operation × every fault', () => {
  let server: FaultServer;
  let refusedPort: number;
  const rejections: unknown[] = [];
  const onRejection = (reason: unknown) => rejections.push(reason);

  before(async () => {
    server = await FaultServer.start();
    refusedPort = await closedPort();
    process.on('unhandledRejection', onRejection);
  });
  after(async () => {
    process.off('unhandledRejection', onRejection);
    await server.stop();
  });

  it('covers all 29 operations of the contract', () => {
    assert.equal(new Set(operations.map(({ contract }) => contract)).size, 29);
  });

  for (const fault of faults) {
    describe(fault.name, () => {
      afterEach(() => mock.timers.reset());

      for (const operation of operations) {
        it(operation.name, async () => {
          const good = JSON.stringify(operation.good);
          server.use(fault.serve(operation, good));
          if (fault.passesTime === true) {
            mock.timers.enable({ apis: ['setTimeout'] });
          }
          const { error, result } = await callOnce(server.url, operation, { limits: fault.limits });
          await server.idle();

          const expected = fault.expect(operation);
          assert.equal(outcomeOf(error), expected.outcome, inspect(error ?? result));
          assert.equal(server.seen.length, expected.requests, 'requests that reached the server');
          for (const seen of server.seen) {
            assert.equal(`${seen.method} ${seen.url}`, `${operation.method} /api${operation.url}`);
            assert.equal(seen.headers['x-auth-token'], canary);
          }
          assert.ok(server.bytesWritten < 40_000_000, 'a response that is too large is not read to its end');
          if (error !== undefined) {
            fault.check?.(error);
          }
        });
      }
    });
  }

  describe('refused', () => {
    for (const operation of operations) {
      it(operation.name, async () => {
        const { error } = await callOnce(`http://127.0.0.1:${refusedPort}`, operation);
        assert.equal(outcomeOf(error), 'connection');
        assert.equal(isApiError(error) && error.code, 'ECONNREFUSED');
      });
    }
  });

  describe('aborted by the caller', () => {
    for (const operation of operations) {
      it(operation.name, async () => {
        const controller = new AbortController();
        server.use(() => controller.abort(new Error(canary)));
        const { error } = await callOnce(server.url, operation, { signal: controller.signal });
        await server.idle();
        assert.equal(outcomeOf(error), 'aborted');
        assert.equal(server.seen.length, 1);
      });
    }
  });

  /** Calls an operation on a fresh client, closes it, and looks for what it left behind and gave away. */
  async function callOnce(
    url: string,
    operation: Operation,
    { limits, signal }: { limits?: TransportOptions | undefined; signal?: AbortSignal } = {},
  ) {
    const log: string[] = [];
    const keep = (text: string) => void log.push(text);
    // The test runner's own timer starts when the test has returned its promise.
    await Promise.resolve();
    const before = activeTimers();
    const client = new ApiClient({
      serverUrl: url,
      getToken: async () => canary,
      logger: { debug: keep, info: keep, warn: keep, error: keep },
      transport: { maxResponseSize: 1_000_000, retryDelayMs: 1, ...limits },
    });
    let error: unknown;
    let result: unknown;
    try {
      result = await operation.call(client, signal && { signal });
    } catch (thrown) {
      error = thrown;
    }
    const everything = [
      ...log,
      inspect(client, { depth: 10, showHidden: true }),
      inspect(result, { depth: 10 }),
      JSON.stringify(result),
      inspect(error, { depth: 10, showHidden: true }),
      error instanceof Error ? `${error.stack} ${error.message} ${JSON.stringify(error)}` : '',
    ].join('\n');
    for (const secret of [canary, encodeURIComponent(canary), Buffer.from(canary).toString('base64')]) {
      assert.ok(!everything.includes(secret), `the token shows up in: ${everything}`);
    }
    if (operation.name === 'login.userForToken') {
      assert.ok(!everything.includes(loginTokenCanary), everything);
    }
    assert.ok(log.length > 0, 'every call leaves a line in the log');

    await client.close();
    await server.idle();
    // Timers of a socket end when its close has been reported, one turn after the other end saw it.
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(activeTimers(), before, 'timers left behind');
    assert.deepEqual(rejections, []);
    if (error !== undefined) {
      assertDescribes(error, operation);
    }
    return { error, result };
  }
});

function outcomeOf(error: unknown): string {
  if (error === undefined) {
    return 'ok';
  }
  return isApiError(error) ? error.kind : `not an ApiError: ${inspect(error)}`;
}

function assertDescribes(error: unknown, operation: Operation): void {
  assert.ok(isApiError(error), inspect(error));
  assert.equal(error.operation, operation.name);
  assert.equal(`${error.method} ${error.pathTemplate}`, operation.contract);
  assert.ok(error.requestNumber >= 1);
}

function activeTimers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
}
