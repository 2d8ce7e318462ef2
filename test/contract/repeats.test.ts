import assert from 'node:assert/strict';
import { ApiClient } from '../../src/api/client.ts';
import { isApiError } from '../../src/api/errors.ts';
import type { UploadForm } from '../../src/api/uploads.ts';
import { FaultServer, first, reply, resetBeforeHeaders, type Fault } from '../support/faultServer.ts';
import { operations } from '../support/operations.ts';

/** The number of times that a call is sent when it fails each time. */
interface Times {
  /** The connection is cut before the service has read the request. */
  cutBefore: number;
  /** It is cut after the service has acted on it. */
  cutAfter: number;
  /** The service, or a gateway before it, says that it is busy. */
  busy: number;
}

const again: Times = { cutBefore: 3, cutAfter: 3, busy: 3 };
/** Calls that make something new, or say something to people, are never sent again by themselves. */
const once: Times = { cutBefore: 1, cutAfter: 1, busy: 1 };

/** Decided for each operation by what it does, not by its method. */
const expected: Record<string, Times> = {
  'users.me': again,
  'users.updateMe': again,
  'users.addKey': once,
  'users.deleteKey': again,
  'users.get': again,
  'users.keys': again,
  'projects.list': again,
  'projects.create': once,
  'projects.get': again,
  'projects.delete': again,
  'projects.update': again,
  'projects.lookup': again,
  'projects.connect': once,
  'projects.disconnect': once,
  'stacks.list': again,
  'stacks.latestForBranch': again,
  'stacks.patchStatuses': again,
  'stacks.create': once,
  'stacks.update': once,
  'patches.get': again,
  'patches.update': once,
  'patches.getSection': again,
  'patches.updateSection': once,
  'patches.deleteSection': again,
  'patches.createSection': once,
  'login.createToken': once,
  'login.userForToken': again,
  'releases.create': once,
  'feedback.send': once,
};

describe('how often each operation is sent', () => {
  let server: FaultServer;
  before(async () => (server = await FaultServer.start()));
  after(() => server.stop());

  const makeClient = (): ApiClient =>
    new ApiClient({
      serverUrl: server.url,
      getToken: async () => 'token',
      transport: { retryDelayMs: 1, maxRetryDelayMs: 5 },
    });

  it('is said for every operation', () => {
    assert.deepEqual(
      Object.keys(expected),
      operations.map(({ name }) => name),
    );
  });

  for (const operation of operations) {
    const times = expected[operation.name] ?? once;
    for (const [what, fault, count] of [
      ['the connection is cut before the service has read it', undefined, times.cutBefore],
      ['the connection is cut after the service has acted', resetBeforeHeaders, times.cutAfter],
      ['the service is busy', reply(503), times.busy],
    ] as const) {
      it(`${operation.name}: ${count} × when ${what}`, async () => {
        server.use(fault ?? reply(500));
        server.cutOnArrival = fault === undefined;
        const client = makeClient();
        try {
          await assert.rejects(operation.call(client), isApiError);
        } finally {
          server.cutOnArrival = false;
          await client.close();
        }
        assert.equal(fault === undefined ? server.arrived : server.seen.length, count);
      });
    }
  }

  for (const name of ['users.deleteKey', 'projects.delete', 'patches.deleteSection']) {
    const { call } = operations.find((operation) => operation.name === name)!;

    for (const [what, lost] of [
      ['its answer was lost', resetBeforeHeaders],
      ['a gateway gave up on it', reply(504)],
    ] as [string, Fault][]) {
      it(`${name} is done when it is gone on the second try because ${what}`, async () => {
        server.use(first(1, lost, reply(404, '{"message": "There is no such thing"}')));
        const client = makeClient();
        await call(client);
        await client.close();
        assert.equal(server.seen.length, 2);
      });
    }

    it(`${name} fails when it is gone on the first try`, async () => {
      server.use(reply(404));
      const client = makeClient();
      await assert.rejects(call(client), (error) => isApiError(error) && error.kind === 'notFound');
      await client.close();
      assert.equal(server.seen.length, 1);
    });
  }
});

describe('requests that may carry files', () => {
  let server: FaultServer;
  before(async () => (server = await FaultServer.start()));
  after(() => server.stop());

  const makeClient = (uploadForm?: UploadForm, forms: UploadForm[] = []): ApiClient =>
    new ApiClient({
      serverUrl: server.url,
      getToken: async () => 'token',
      transport: { retryDelayMs: 1, maxRetryDelayMs: 5 },
      uploadForm,
      onUploadForm: (form) => forms.push(form),
    });
  /** Takes only one form, and refuses the other with a status. */
  const takesOnly =
    (form: UploadForm, status: number, good: string): Fault =>
    (response, request, attempt) => {
      const isForm = String(request.headers['content-type']).startsWith('multipart/form-data');
      return reply(isForm === (form === 'multipart') ? 200 : status, good)(response, request, attempt);
    };
  const contentTypes = (): string[] =>
    server.seen.map(({ headers }) => String(headers['content-type']).split(';')[0] ?? '');
  const [json, multipart] = ['application/json', 'multipart/form-data'];
  const calls: [string, (client: ApiClient) => Promise<unknown>][] = [
    ['feedback', (client) => client.feedback.send({ message: 'Thanks', email: 'ada@example.com' })],
    ['the profile', (client) => client.users.updateMe({ name: 'Ada' })],
  ];

  for (const [name, call] of calls) {
    for (const status of [400, 415, 422]) {
      it(`${name} without a file reaches a service that takes only forms and says ${status}`, async () => {
        const forms: UploadForm[] = [];
        server.use(takesOnly('multipart', status, '{"id": 7, "login": "ada"}'));
        const client = makeClient(undefined, forms);
        await call(client);
        assert.deepEqual(contentTypes(), [json, multipart]);
        assert.match(String(server.seen[1]?.body), /name="(message|name)"\r\n\r\n(Thanks|Ada)\r\n/);
        await call(client);
        await client.close();
        assert.deepEqual(contentTypes(), [json, multipart, multipart], 'the known form is used from then on');
        assert.deepEqual(forms, ['multipart'], 'told once, to be kept for the server');
      });

      it(`${name} in a form that is known and no longer right (${status}) goes in the other one`, async () => {
        server.use(takesOnly('json', status, '{"id": 7, "login": "ada"}'));
        const client = makeClient('multipart');
        await call(client);
        assert.deepEqual([contentTypes(), client.uploadForm], [[multipart, json], 'json']);
        await client.close();
      });
    }
  }

  it('refused in both forms say what was wrong with what was sent', async () => {
    const wrong = reply(422, '{"errors": [{"field": "email", "message": "is no address"}]}');
    for (const [refusal, other] of [
      [wrong, reply(415)],
      [reply(415), wrong],
      [reply(400), wrong],
    ] as [Fault, Fault][]) {
      server.use(first(1, refusal, other));
      const client = makeClient();
      await assert.rejects(
        client.feedback.send({ message: 'Thanks', email: 'ada' }),
        (error) => isApiError(error) && error.kind === 'invalid' && error.fields[0]?.field === 'email',
      );
      await client.close();
      assert.equal(server.seen.length, 2);
    }
  });

  it('are not sent in another form when the connection is cut', async () => {
    server.use(resetBeforeHeaders);
    const client = makeClient();
    await assert.rejects(client.feedback.send({ message: 'Thanks' }), isApiError);
    await client.close();
    assert.equal(server.seen.length, 1);
  });
});
