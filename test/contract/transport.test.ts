import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { ApiClient, type ApiClientOptions, type TransportOptions } from '../../src/api/client.ts';
import { detectCredentialScheme } from '../../src/api/credentials.ts';
import { isApiError } from '../../src/api/errors.ts';
import type { FileUpload } from '../../src/api/types/files.ts';
import { fileFromBytes, type UploadForm } from '../../src/api/uploads.ts';
import { isFull } from '../support/full.ts';
import { FaultServer, first, hugeJson, reply, stalledHeaders, type Fault } from '../support/faultServer.ts';

const good = reply(200, '{"id":1,"login":"ada"}');

describe('the transport', () => {
  let server: FaultServer;
  let clients: ApiClient[] = [];
  before(async () => (server = await FaultServer.start()));
  after(() => server.stop());
  afterEach(async () => {
    await Promise.all(clients.map((client) => client.close()));
    clients = [];
    await server.idle();
  });

  function makeClient(transport: TransportOptions = {}, options: Partial<ApiClientOptions> = {}): ApiClient {
    const client = new ApiClient({
      serverUrl: server.url,
      getToken: async () => 'token',
      transport: { retryDelayMs: 1, ...transport },
      ...options,
    });
    clients.push(client);
    return client;
  }

  describe('answers', () => {
    it('are counted whatever they say, and nothing else is', async () => {
      const client = makeClient({ maxRetries: 0 });
      server.use(good);
      await client.users.me();
      assert.equal(client.answers, 1);
      server.use(reply(403, '{}'));
      await assert.rejects(client.users.me());
      assert.equal(client.answers, 2);
      // What can't be sent, and what is given up before.
      await assert.rejects(client.patches.get('..', 'change'));
      await assert.rejects(client.users.me({ signal: AbortSignal.abort() }));
      assert.equal(client.answers, 2);
      const gone = makeClient({ maxRetries: 0 }, { serverUrl: 'http://127.0.0.1:1' });
      await assert.rejects(gone.users.me());
      assert.equal(gone.answers, 0);
    });
  });

  describe('sharing', () => {
    it('sends equal reads of one moment once, and gives each caller a result of its own', async () => {
      const { fault, release } = held(good);
      server.use(fault);
      const client = makeClient();
      const calls = [client.users.me(), client.users.me(), client.users.me()];
      await server.arrival();
      release();
      const [a, b] = await Promise.all(calls);
      assert.equal(server.seen.length, 1);
      assert.notEqual(a, b);
      assert.deepEqual(a, b);
      await client.users.me();
      assert.equal(server.seen.length, 2);
    });

    it('sends a read again for whoever asks after it was sent: the answer may be of before what they know', async () => {
      const { fault, release } = held(good);
      server.use(fault);
      const client = makeClient();
      const first = client.users.me();
      await server.arrival();
      const second = client.users.me();
      await server.arrival(2);
      release();
      await Promise.all([first, second]);
    });

    it('has a read ahead and an equal one that somebody waits for apart', async () => {
      server.use(good);
      const { patches } = makeClient();
      await Promise.allSettled([
        patches.get('stack', 'change', { ahead: true }),
        patches.get('stack', 'change'),
      ]);
      assert.deepEqual(server.seen.map(({ headers }) => headers['sec-purpose']).sort(), [
        'prefetch',
        undefined,
      ]);
    });

    it('sends different reads, writes, and reads of another account apart', async () => {
      server.use(good);
      let token = 'a';
      const client = makeClient({}, { getToken: async () => token });
      const calls = [
        client.users.me(),
        client.users.get('x'),
        client.users.updateMe({}),
        client.users.updateMe({}),
      ];
      await Promise.resolve();
      token = 'b';
      calls.push(client.users.me());
      await Promise.all(calls);
      assert.equal(server.seen.length, 5);
    });

    it('goes on for the others when one caller gives up, and ends with the last', async () => {
      const { fault, release } = held(good);
      server.use(fault);
      const client = makeClient();
      const [one, two] = [new AbortController(), new AbortController()];
      const calls = [
        client.users.me({ signal: one.signal }),
        client.users.me({ signal: two.signal }),
        client.users.me(),
      ];
      await server.arrival();
      one.abort();
      assert.equal(await outcome(calls[0]), 'aborted');
      release();
      assert.deepEqual(await Promise.all([outcome(calls[1]), outcome(calls[2])]), ['ok', 'ok']);

      server.use(stalledHeaders);
      const both = [client.users.me({ signal: two.signal }), client.users.me({ signal: two.signal })].map(
        outcome,
      );
      await server.arrival();
      two.abort();
      assert.deepEqual(await Promise.all(both), ['aborted', 'aborted']);
      server.use(good);
      assert.equal(await outcome(client.users.me()), 'ok');
    });
  });

  describe('ending', () => {
    it('refuses a call whose signal is aborted already, without a request', async () => {
      server.use(good);
      assert.equal(await outcome(makeClient().users.me({ signal: AbortSignal.abort() })), 'aborted');
      assert.equal(server.seen.length, 0);
    });

    it('does not wait for a token any longer than the caller does', async () => {
      const controller = new AbortController();
      const client = makeClient({}, { getToken: () => new Promise(() => undefined) });
      const call = client.users.me({ signal: controller.signal });
      controller.abort();
      assert.equal(await outcome(call), 'aborted');
    });

    it('ends in the wait before a retry', async () => {
      const controller = new AbortController();
      const client = makeClient(
        { retryDelayMs: 60_000, maxRetryDelayMs: 60_000, totalTimeoutMs: 300_000 },
        {
          logger: {
            debug: () => undefined,
            info: () => controller.abort(),
            warn: () => undefined,
            error: () => undefined,
          },
        },
      );
      server.use(reply(503));
      assert.equal(await outcome(client.users.me({ signal: controller.signal })), 'aborted');
      assert.equal(server.seen.length, 1);
    });

    const givenUp: Record<string, [Fault, TransportOptions, string]> = {
      'a caller who gave up': [stalledHeaders, {}, 'aborted'],
      'a service that stalls': [stalledHeaders, { headersTimeoutMs: 20, maxRetries: 0 }, 'timeout'],
      'a response that is too large': [hugeJson(100_000_000), { maxResponseSize: 1000 }, 'tooLarge'],
    };
    for (const [name, [fault, limits, kind]] of Object.entries(givenUp)) {
      it(`cuts the connection of ${name}, long before the client is closed`, async () => {
        server.use(fault);
        const controller = new AbortController();
        const call = outcome(makeClient(limits).users.me({ signal: controller.signal }));
        await server.arrival();
        if (kind === 'aborted') {
          controller.abort();
        }
        assert.equal(await call, kind);
        await server.idle();
      });
    }

    it('ends all calls when the client is closed, and refuses new ones', async () => {
      server.use(stalledHeaders);
      const client = makeClient();
      const outcomes = [client.users.me(), client.users.updateMe({})].map(outcome);
      await server.arrival();
      await client.close();
      assert.deepEqual(await Promise.all(outcomes), ['aborted', 'aborted']);
      assert.equal(await outcome(client.users.me()), 'aborted');
      await client.close();
    });

    it('gives up when all tries together take too long, and does not begin a wait beyond that', async () => {
      server.use(reply(503));
      const client = makeClient({ retryDelayMs: 5000, totalTimeoutMs: 1000 });
      assert.equal(await outcome(client.users.me()), 'server');
      assert.equal(server.seen.length, 1);
    });

    it('says so when the token cannot be had or sent', async () => {
      server.use(good);
      const failing = makeClient({}, { getToken: () => Promise.reject(new Error('secret')) });
      assert.equal(await outcome(failing.users.me()), 'unauthorized');
      assert.equal(
        await outcome(makeClient({}, { getToken: async () => 'a\r\nb: c' }).users.me()),
        'unauthorized',
      );
      assert.equal(server.seen.length, 0);
    });
  });

  describe('connections', () => {
    it('are kept and used again', async () => {
      const ports = new Set<unknown>();
      server.use((response, request, attempt) => {
        ports.add(response.socket?.remotePort);
        return good(response, request, attempt);
      });
      const client = makeClient();
      for (let call = 0; call < 20; call++) {
        await client.users.me();
      }
      // A second one is opened when a call begins in the same turn in which the one before ended.
      assert.ok(ports.size <= 2, `${ports.size} connections`);
    });

    it('are no more than allowed', async () => {
      const { fault, release } = held(good);
      server.use(fault);
      const client = makeClient({ connections: 2 });
      const calls = ['a', 'b', 'c', 'd'].map((login) => client.users.get(login));
      await server.arrival(2);
      assert.equal(server.openConnections, 2);
      release();
      await Promise.all(calls);
      assert.equal(server.seen.length, 4);
    });
  });

  describe('compression', () => {
    const body = Buffer.from(JSON.stringify({ id: 1, name: 'x'.repeat(10_000) }));
    const codings: Record<string, Buffer> = {
      gzip: gzipSync(body),
      'X-GZIP': gzipSync(body),
      br: brotliCompressSync(body),
      deflate: deflateSync(body),
      identity: body,
      'gzip, br': brotliCompressSync(gzipSync(body)),
    };
    for (const [coding, bytes] of Object.entries(codings)) {
      it(`reads ${coding}`, async () => {
        server.use(reply(200, bytes, { 'content-encoding': coding }));
        const client = makeClient();
        assert.equal((await client.users.me()).name?.length, 10_000);
        assert.equal(server.seen[0]?.headers['accept-encoding'], 'gzip, br');
      });
    }

    it('is refused in more layers than have a use', async () => {
      const bytes = gzipSync(gzipSync(gzipSync(body)));
      server.use(reply(200, bytes, { 'content-encoding': 'gzip, gzip, gzip' }));
      assert.equal(await outcome(makeClient().users.me()), 'unreadable');
    });
  });

  describe('redirects', () => {
    it('of reads are followed on the same server, with the token', async () => {
      server.use((response, request, attempt) =>
        request.url === '/api/user'
          ? void response.writeHead(307, { location: '/api/v2/user?x=1' }).end()
          : good(response, request, attempt),
      );
      assert.equal((await makeClient().users.me()).id, '1');
      assert.equal(server.seen[1]?.url, '/api/v2/user?x=1');
      assert.equal(server.seen[1].headers['x-auth-token'], 'token');
    });

    it('to another server are not followed, so that it gets neither request nor token', async () => {
      const other = await FaultServer.start();
      other.use(good);
      for (const location of [`${other.url}/api/user`, `//127.0.0.1:${new URL(other.url).port}/`]) {
        server.use((response) => void response.writeHead(302, { location }).end());
        assert.equal(await outcome(makeClient().users.me()), 'redirect');
      }
      assert.equal(other.seen.length, 0);
      await other.stop();
    });
  });

  describe('the credential', () => {
    it('goes in one header, or in none', async () => {
      server.use(good);
      await makeClient().users.me();
      await makeClient({}, { credentialScheme: 'bearer' }).users.me();
      await makeClient({}, { getToken: async () => undefined }).users.me();
      const sent = server.seen.map(({ headers }) => [headers['x-auth-token'], headers.authorization]);
      assert.deepEqual(sent, [
        ['token', undefined],
        [undefined, 'Bearer token'],
        [undefined, undefined],
      ]);
    });

    const detect = () =>
      detectCredentialScheme({ serverUrl: server.url, transport: { retryDelayMs: 1 } }, 'token');

    it('is tried in the other scheme once, when the first is refused', async () => {
      server.use((response, request, attempt) =>
        (request.headers.authorization === 'Bearer token' ? good : reply(403))(response, request, attempt),
      );
      const { scheme, user } = await detect();
      assert.deepEqual([scheme, user.login, server.seen.length], ['bearer', 'ada', 2]);
      server.use(good);
      assert.equal((await detect()).scheme, 'x-auth-token');
      assert.equal(server.seen.length, 1);
    });

    it('is given up when both are refused, or for any other failure', async () => {
      server.use(reply(401));
      assert.equal(await outcome(detect()), 'unauthorized');
      assert.equal(server.seen.length, 2);
      server.use(reply(500));
      assert.equal(await outcome(detect()), 'server');
      assert.equal(server.seen.length, 1);
    });
  });

  describe('uploads', () => {
    const file = (fileName: string, text: string): FileUpload => fileFromBytes(fileName, Buffer.from(text));
    const feedback = {
      email: 'ada@example.com',
      message: 'It’s broken: "…"\n',
      logs: file('lo"gs\r\n.zip', 'log bytes'),
      repo: file('repo.zip', ''),
      data: file('data.zip', 'x'.repeat(200_001)),
    };

    it('go as Base64 in JSON, as the contract says', async () => {
      server.use(reply(204));
      await makeClient().feedback.send(feedback);
      const body = JSON.parse(String(server.seen[0]?.body)) as Record<string, string>;
      assert.equal(server.seen[0]?.headers['content-type'], 'application/json');
      assert.deepEqual(
        { ...body, data: Buffer.from(body['data'] ?? '', 'base64').length },
        {
          email: feedback.email,
          message: feedback.message,
          logs: Buffer.from('log bytes').toString('base64'),
          repo: '',
          data: 200_001,
        },
      );
    });

    for (const status of [400, 415, 422]) {
      it(`go as a form when JSON gets ${status}, and from then on`, async () => {
        const forms: UploadForm[] = [];
        server.use(first(1, reply(status), reply(204)));
        const client = makeClient({}, { onUploadForm: (form) => forms.push(form) });
        await client.feedback.send(feedback);
        const { headers, body } = server.seen[1]!;
        const form = await new Response(new Uint8Array(body), {
          headers: { 'content-type': headers['content-type'] ?? '' },
        }).formData();
        assert.equal(form.get('email'), feedback.email);
        // Forms have CRLF line ends; both ends of the text are otherwise untouched.
        assert.equal(form.get('message'), feedback.message);
        const logs = form.get('logs') as File;
        assert.equal(await logs.text(), 'log bytes');
        assert.equal(logs.name, 'lo"gs\r\n.zip');
        assert.equal((form.get('data') as File).size, 200_001);
        assert.equal((form.get('repo') as File).size, 0);
        assert.equal(headers['content-length'], String(body.length));

        assert.deepEqual([forms, client.uploadForm], [['multipart'], 'multipart']);
        await client.feedback.send(feedback);
        assert.equal(server.seen.length, 3);
        await makeClient({}, { uploadForm: 'multipart' }).feedback.send(feedback);
        assert.equal(server.seen.length, 4);
      });
    }

    it('open the file afresh when they are sent again', async () => {
      server.use(first(2, reply(503), reply(200, '{"id": 7}')));
      let opened = 0;
      const counting = { ...feedback.logs, open: () => (opened++, feedback.logs.open()) };
      await makeClient().users.updateMe({ avatar: counting });
      assert.equal(opened, 3);
      assert.deepEqual(new Set(server.seen.map(({ body }) => String(body))).size, 1);
    });

    it('fail as invalid when the file cannot be read or has another length', async () => {
      server.use(reply(204));
      // prettier-ignore
      const broken: FileUpload[] = [
        { fileName: 'a', size: 5, open: async function* () { yield Buffer.from('abc'); } },
        { fileName: 'a', size: 2, open: async function* () { yield Buffer.from('abc'); } },
        { fileName: 'a', size: 5, open: async function* () { yield Buffer.from('abc'); throw new Error('secret'); } },
      ];
      for (const logs of broken) {
        assert.equal(await outcome(makeClient().feedback.send({ logs })), 'invalid');
      }
      assert.equal(server.seen.length, 0);
    });

    const size = (isFull ? 200 : 50) * 1024 * 1024;
    it(`of ${size / 1024 / 1024} MB hold a few MB in memory, and tell how far they are`, async () => {
      const chunk = Buffer.alloc(64 * 1024, 1);
      let peak = 0;
      setFlagsFromString('--expose-gc');
      const collectGarbage = runInNewContext('gc') as () => void;
      // In a process of its own: what the receiver holds must not count.
      const receiver = `require('node:http').createServer((request, response) => {
        request.resume().on('end', () => response.writeHead(204).end());
      }).listen(0, '127.0.0.1', function () { console.log(this.address().port); });`;
      const sink = spawn(process.execPath, ['--eval', receiver], { stdio: ['ignore', 'pipe', 'inherit'] });
      const [port] = (await once(sink.stdout, 'data')) as [Buffer];
      // Also when what follows fails: mocha does not end while it is there.
      using cleanup = new DisposableStack();
      cleanup.defer(() => sink.kill());
      const client = makeClient({}, { serverUrl: `http://127.0.0.1:${String(port).trim()}` });
      const logs: FileUpload = {
        fileName: 'logs.zip',
        size,
        open: async function* () {
          for (let sent = 0; sent < size; sent += chunk.length) {
            yield chunk;
          }
        },
      };
      await client.feedback.send({ message: 'warm up' });
      const base = buffersHeld();
      const progress: number[] = [];
      await client.feedback.send(
        { logs },
        {
          onProgress: ({ sent, total }) => {
            assert.equal(total, size);
            progress.push(sent);
            if (progress.length % 200 === 0) {
              peak = Math.max(peak, buffersHeld() - base);
            }
          },
        },
      );
      assert.equal(progress.at(-1), size);
      assert.ok(progress.every((sent, index) => index === 0 || sent > (progress[index - 1] ?? 0)));
      assert.ok(progress.length > size / chunk.length / 4 && peak < 8 * 1024 * 1024, `${peak} bytes held`);

      /** Bytes of buffers that are in use. */
      function buffersHeld(): number {
        // Buffers are freed beside the program; a second collection waits for that of the first.
        collectGarbage();
        collectGarbage();
        return process.memoryUsage().arrayBuffers;
      }
    }).timeout(60_000);
  });
});

async function outcome(call: Promise<unknown> | undefined): Promise<string> {
  try {
    await call;
    return 'ok';
  } catch (error) {
    return isApiError(error) ? error.kind : String(error);
  }
}

/** A fault that answers when it is told to. */
function held(then: Fault): { fault: Fault; release: () => void } {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  return {
    fault: async (response, request, attempt) => {
      await released;
      await then(response, request, attempt);
    },
    release,
  };
}
