import assert from 'node:assert/strict';
import {
  RpcError,
  RpcPeer,
  type RpcChannel,
  type RpcFailure,
  type RpcRemedy,
} from '../../../src/protocol/rpc.ts';

interface Left {
  greet: (parameters: { name: string }) => string;
}
interface Right {
  double: (parameters: { value: number }) => number;
  fail: (parameters: null) => null;
  wait: (parameters: null) => null;
}

class Mendable extends Error {
  readonly remedy: RpcRemedy;

  constructor(remedy: RpcRemedy) {
    super('mendable');
    this.remedy = remedy;
  }
}

/** Two channels that carry clones to each other, as a panel and its page do. */
function pair(): [RpcChannel, RpcChannel] {
  const listeners: ((message: unknown) => void)[][] = [[], []];
  const channel = (own: number): RpcChannel => ({
    post: (message) => {
      const copy = structuredClone(message);
      queueMicrotask(() => listeners[1 - own]?.forEach((listener) => listener(copy)));
    },
    listen: (listener) => {
      listeners[own]?.push(listener);
      return { dispose: () => listeners[own]?.splice(listeners[own].indexOf(listener), 1) };
    },
  });
  return [channel(0), channel(1)];
}

function connect(wait: (signal: AbortSignal) => Promise<null> = async () => null) {
  const [leftChannel, rightChannel] = pair();
  const describe = (error: unknown): RpcFailure => ({
    message: `told: ${(error as Error).message}`,
    remedy: error instanceof Mendable ? error.remedy : undefined,
  });
  const left = new RpcPeer<Left, Right>(leftChannel, { greet: ({ name }) => `Hello ${name}` }, describe);
  const right = new RpcPeer<Right, Left>(
    rightChannel,
    {
      double: async ({ value }) => value * 2,
      fail: () => {
        throw new Error('broken');
      },
      wait: (_parameters, signal) => wait(signal),
    },
    describe,
  );
  return { left, right, leftChannel, rightChannel };
}

describe('RpcPeer', () => {
  it('asks and answers in both directions', async () => {
    const { left, right } = connect();
    assert.equal(await left.request('double', { value: 21 }), 42);
    assert.equal(await right.request('greet', { name: 'Ada' }), 'Hello Ada');
  });

  it('answers a handler that throws with the described error', async () => {
    const { left } = connect();
    await assert.rejects(left.request('fail', null), new RpcError('told: broken'));
  });

  it('answers a method that does not exist with an error, also one that every object has', async () => {
    const { leftChannel } = connect();
    const answers: unknown[] = [];
    const answered = new Promise<void>((resolve) => {
      leftChannel.listen((message) => {
        answers.push(message);
        resolve();
      });
    });
    leftChannel.post({ rpc: 'request', id: 7, method: 'toString', parameters: null });
    await answered;
    assert.deepEqual(answers, [{ rpc: 'error', id: 7, message: 'told: There is no method toString.' }]);
  });

  it('gives up after the timeout, and the handler is told', async () => {
    let told: AbortSignal | undefined;
    const { left } = connect((signal) => {
      told = signal;
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve(null)));
    });
    await assert.rejects(left.request('wait', null, { timeout: 1 }), /No answer to wait/);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(told?.aborted, true);
  });

  it('gives up when the caller aborts', async () => {
    const { left } = connect(
      (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(null))),
    );
    const controller = new AbortController();
    const answer = left.request('wait', null, { signal: controller.signal });
    controller.abort();
    await assert.rejects(answer, /Cancelled/);
  });

  it('rejects what is open, and what is asked later, once it is disposed', async () => {
    const { left } = connect(() => new Promise(() => undefined));
    const open = left.request('wait', null);
    left.dispose();
    await assert.rejects(open, /closed/);
    await assert.rejects(left.request('double', { value: 1 }), /closed/);
  });

  it('has the other side mend what it failed at, in the words of its button', async () => {
    let applied = 0;
    const remedy: RpcRemedy = {
      title: 'Sign In',
      apply: async () => {
        applied += 1;
        return applied > 1;
      },
    };
    const { left } = connect(() => Promise.reject(new Mendable(remedy)));
    const failure = await left.request('wait', null).then(
      () => undefined,
      (error: unknown) => error as RpcError,
    );
    assert.equal(failure?.message, 'told: mendable');
    assert.ok(failure.remedy);
    assert.equal(failure.remedy.title, 'Sign In');
    assert.equal(applied, 0);
    assert.equal(await failure.remedy.apply(), false);
    assert.equal(await failure.remedy.apply(), true);
    const other = await left.request('fail', null).catch((error: unknown) => error as RpcError);
    assert.ok(other instanceof RpcError && other.remedy === undefined);
  });

  it('leaves messages of others alone', async () => {
    const { left, rightChannel } = connect();
    for (const message of [null, 'text', 42, { type: 'other' }, { rpc: 'result', id: 99, result: 1 }]) {
      rightChannel.post(message);
    }
    assert.equal(await left.request('double', { value: 2 }), 4);
  });
});
