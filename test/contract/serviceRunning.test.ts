/** How a window knows a local service to be its person's own, and what anybody else who listens there is told: nothing. */
import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { LocalServiceMessage } from '../../src/protocol/localService.ts';
import { reachRunning, runningFile, type RunningService } from '../../src/util/runningService.ts';
import { openRepository } from '../../src/service/git/repository.ts';
import { findStore } from '../../src/service/stores.ts';
import { makeExampleRepository, type ExampleRepository } from '../support/exampleRepository.ts';
import { callService, RunningService as ServiceUnderTest } from '../support/runningService.ts';

const proofLine = /^X-Proof: \S+/m;

type Ready = Extract<LocalServiceMessage, { kind: 'ready' }>;

/** Something that listens at a port and writes down what it is told, as another user of the computer may. */
class Listener {
  readonly #server = net.createServer();
  /** All that it was told. */
  heard = '';
  /** What it answers to that. */
  answer: (heard: string) => string = () => '';

  static async at(port: number): Promise<Listener> {
    const listener = new Listener();
    listener.#server.on('connection', (socket) => {
      socket.on('error', () => undefined);
      socket.setEncoding('latin1').on('data', (text: string) => {
        listener.heard += text;
        socket.end(listener.answer(text));
      });
    });
    listener.#server.listen(port, '127.0.0.1');
    await once(listener.#server, 'listening');
    return listener;
  }

  get port(): number {
    return (this.#server.address() as net.AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.#server.close();
    await once(this.#server, 'close');
  }
}

describe('service: what runs already', () => {
  let directory: string;
  /** The folder of the person's data, and in it that of the repository's. */
  let home: string;
  let data: string;
  let repository: ExampleRepository;
  let children: ChildProcess[];

  before(async () => {
    directory = mkdtempSync(path.join(tmpdir(), 'patch-stacks-running-'));
    repository = await makeExampleRepository(directory);
  });

  beforeEach(async () => {
    home = mkdtempSync(path.join(directory, 'home-'));
    data = await inHome(
      async () => (await findStore(await openRepository(repository.directory), [])).directory,
    );
    children = [];
  });

  afterEach(async () => {
    await Promise.all(children.map((child) => end(child)));
  });

  after(() => rmSync(directory, { recursive: true, force: true }));

  /** Does something where the person's data is that of the test. */
  async function inHome<Result>(work: () => Promise<Result>): Promise<Result> {
    const before = process.env['XDG_DATA_HOME'];
    process.env['XDG_DATA_HOME'] = home;
    try {
      return await work();
    } finally {
      process.env['XDG_DATA_HOME'] = before;
    }
  }

  async function end(child: ChildProcess): Promise<void> {
    if (child.exitCode === null && child.signalCode === null) {
      const exit = once(child, 'exit');
      if (child.connected) {
        child.disconnect();
      }
      await exit;
    }
  }

  /** Starts the service as a window does, and returns the first message that says how that went. */
  async function start(): Promise<{ child: ChildProcess; told: LocalServiceMessage }> {
    const program = path.join(import.meta.dirname, '../../src/service/embedded.ts');
    const child = fork(program, [repository.directory, path.join(home, 'older')], {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      env: { ...process.env, XDG_DATA_HOME: home },
    });
    children.push(child);
    const told = await new Promise<LocalServiceMessage>((resolve, reject) => {
      child.once('exit', () => reject(new Error('It ended without a word.')));
      child.on('message', (message: LocalServiceMessage) => {
        if (['ready', 'running', 'failed'].includes(message.kind)) {
          resolve(message);
        }
      });
    });
    return { child, told };
  }

  async function startReady(): Promise<Ready & { child: ChildProcess }> {
    const { child, told } = await start();
    assert.equal(told.kind, 'ready');
    assert.equal(told.data, data);
    return { ...told, child };
  }

  const statusWith = async (service: { url: string }, token: string): Promise<number> =>
    (await callService({ ...service, token }, 'GET', '/user')).status;

  it('has a token for each start, which ends with it', async () => {
    const first = await startReady();
    assert.equal(await statusWith(first, first.token), 200);
    await end(first.child);
    const second = await startReady();
    assert.equal(second.url, first.url);
    assert.notEqual(second.token, first.token);
    assert.equal(await statusWith(second, second.token), 200);
    assert.equal(await statusWith(second, first.token), 401);
  });

  it('tells nothing to whoever holds the port of the time before, and works at another', async () => {
    const first = await startReady();
    await end(first.child);
    const listener = await Listener.at(Number(new URL(first.url).port));
    try {
      const second = await startReady();
      assert.notEqual(second.url, first.url);
      assert.equal(await statusWith(second, second.token), 200);
      assert.equal(listener.heard, '');
    } finally {
      await listener.stop();
    }
  });

  it('is reached by whoever can read what lies beside the data, until it ends', async () => {
    const running = await ServiceUnderTest.start({ dataDirectory: data });
    const reached = await reachRunning(data);
    assert.ok(reached);
    assert.deepEqual([reached.url, reached.token], [running.service.url, running.service.token]);
    assert.equal(statSync(runningFile(data)).mode & 0o077, 0);
    await running.stop({ keepData: true });
    await reached.ended;
    assert.ok(!existsSync(runningFile(data)));
    assert.equal(await reachRunning(data), undefined);
  });

  it('is not what listens where it was killed, which hears neither the secret nor the token', async () => {
    const { child, url, token } = await startReady();
    child.kill('SIGKILL');
    await once(child, 'exit');
    const left = JSON.parse(readFileSync(runningFile(data), 'utf8')) as RunningService;
    assert.equal(left.token, token);
    assert.equal(await reachRunning(data), undefined, 'nothing listens');
    const listener = await Listener.at(Number(new URL(url).port));
    try {
      assert.equal(await reachRunning(data), undefined);
      assert.match(listener.heard, proofLine);
      for (const secret of [token, left.secret]) {
        assert.ok(!listener.heard.includes(secret));
      }
      // Nor is it by what it has just been told itself.
      listener.answer = (heard) => `HTTP/1.1 200 OK\r\n${proofLine.exec(heard)?.[0] ?? ''}\r\n\r\n`;
      assert.equal(await reachRunning(data), undefined);
    } finally {
      await listener.stop();
    }
  });

  it('proves nothing to whoever does not know its secret', async () => {
    const running = await ServiceUnderTest.start({ dataDirectory: data });
    const socket = net.connect(running.port, '127.0.0.1');
    let answer = '';
    socket.setEncoding('latin1').on('data', (text: string) => (answer += text));
    socket.write(`CONNECT proof:1 HTTP/1.1\r\nHost: any\r\nX-Nonce: 1\r\nX-Proof: ${'x'.repeat(43)}\r\n\r\n`);
    await once(socket, 'close');
    assert.equal(answer, '');
    const left = JSON.parse(readFileSync(runningFile(data), 'utf8')) as RunningService;
    writeFileSync(runningFile(data), JSON.stringify({ ...left, secret: 'x'.repeat(43) }));
    assert.equal(await reachRunning(data), undefined);
    assert.equal((await running.call('GET', '/user')).status, 200);
    await running.stop({ keepData: true });
  });

  it('serves a second window, too, which has no process then', async () => {
    const first = await startReady();
    const second = await start();
    assert.deepEqual(second.told, { kind: 'running', data });
    await once(second.child, 'exit');
    const reached = await reachRunning(data);
    assert.deepEqual([reached?.url, reached?.token], [first.url, first.token]);
    reached?.leave();
  });

  it('is taken over by the second window when the first is killed', async () => {
    const first = await startReady();
    const reached = await reachRunning(data);
    assert.ok(reached);
    first.child.kill('SIGKILL');
    await reached.ended;
    const second = await startReady();
    assert.equal(second.url, first.url);
    assert.equal(await statusWith(second, second.token), 200);
  });
});
