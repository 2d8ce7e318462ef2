import assert from 'node:assert/strict';
import { install, type Clock } from '@sinonjs/fake-timers';
import {
  beatMs,
  givenUpAfter,
  RpcError,
  RpcPeer,
  SilenceError,
  silentAfter,
  untilAnswered,
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

class Remediable extends Error {
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
    remedy: error instanceof Remediable ? error.remedy : undefined,
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
    await assert.rejects(left.request('fail', null), { name: 'RpcError', message: 'told: broken' });
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
    await assert.rejects(left.request('wait', null, { timeoutMs: 1 }), /No answer to wait/);
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

  it('has the other side fix what it failed at, in the words of its button', async () => {
    let applied = 0;
    const remedy: RpcRemedy = {
      title: 'Sign In',
      apply: async () => {
        applied += 1;
        return applied > 1;
      },
    };
    const { left } = connect(() => Promise.reject(new Remediable(remedy)));
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
    for (const message of [
      null,
      'text',
      42,
      { type: 'other' },
      { rpc: 'result' },
      ...['result', 'error', 'cancel', 'pong'].map((rpc) => ({ rpc, id: 99, result: 1, message: '' })),
    ]) {
      rightChannel.post(message);
    }
    assert.equal(await left.request('double', { value: 2 }), 4);
  });

  it('asks nothing for longer than a moment of which it is known at once that nobody wants it', async () => {
    const { left } = connect(
      (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(null))),
    );
    await assert.rejects(
      left.request('wait', null, { signal: AbortSignal.abort() }),
      new RpcError('Cancelled.'),
    );
  });

  it('takes neither a timeout nor a cancel for one once it is answered', async () => {
    const clock = install({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { left, rightChannel } = connect();
      const messages: unknown[] = [];
      rightChannel.listen((message) => messages.push((message as { rpc: string }).rpc));
      const controller = new AbortController();
      await left.request('double', { value: 1 }, { signal: controller.signal, timeoutMs: 1_000 });
      assert.equal(clock.countTimers(), 0);
      controller.abort();
      await clock.tickAsync(2_000);
      assert.deepEqual(messages, ['request']);
    } finally {
      clock.uninstall();
    }
  });

  it('tells what it is answering to stop once it is disposed, and answers nothing any more', async () => {
    const told: AbortSignal[] = [];
    const answer = Promise.withResolvers<null>();
    const { left, right, leftChannel } = connect((signal) => {
      told.push(signal);
      return answer.promise;
    });
    const messages: unknown[] = [];
    leftChannel.listen((message) => messages.push(message));
    assert.equal(await left.request('double', { value: 1 }), 2);
    void left.request('wait', null).catch(() => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(
      told.map(({ aborted }) => aborted),
      [false],
    );
    right.dispose();
    assert.deepEqual(
      told.map(({ aborted }) => aborted),
      [true],
    );
    const before = messages.length;
    answer.resolve(null);
    void left.request('double', { value: 2 }).catch(() => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(messages.length, before);
    left.dispose();
  });

  it('takes nothing for an answer that is said to a page that was here before', async () => {
    const late = Promise.withResolvers<null>();
    const { left, leftChannel } = connect(() => late.promise);
    const before = left.request('wait', null).catch(() => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    left.dispose();
    await before;
    const next = new RpcPeer<Left, Right>(leftChannel, { greet: () => '' }, () => ({ message: '' }));
    const doubled = next.request('double', { value: 2 });
    late.resolve(null);
    assert.equal(await doubled, 4);
    next.dispose();
  });

  it('leaves alone what it has answered when it is cancelled later', async () => {
    const told: AbortSignal[] = [];
    const { left, leftChannel } = connect(async (signal) => {
      told.push(signal);
      return null;
    });
    const asked: { id: number }[] = [];
    const post = leftChannel.post.bind(leftChannel);
    leftChannel.post = (message) => {
      asked.push(message as { id: number });
      post(message);
    };
    await left.request('wait', null);
    leftChannel.post({ rpc: 'cancel', id: asked[0]?.id });
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(
      told.map(({ aborted }) => aborted),
      [false],
    );
  });

  it('knows the fixes of the last failures, has those before tried again, and tells of one that fails', async () => {
    const applied: number[] = [];
    let number = 0;
    const { left } = connect(() => {
      const own = ++number;
      return Promise.reject(
        new Remediable({
          title: 'Fix',
          apply: async () => {
            applied.push(own);
            if (own === 21) {
              throw new Error('stuck');
            }
            return false;
          },
        }),
      );
    });
    const failures: RpcError[] = [];
    for (let round = 1; round <= 21; round += 1) {
      failures.push(
        await left.request('wait', null).then(
          () => assert.fail(),
          (error: unknown) => error as RpcError,
        ),
      );
    }
    assert.equal(await failures[0]?.remedy?.apply(), true, 'it is not known any more');
    assert.equal(await failures[1]?.remedy?.apply(), false);
    await assert.rejects(failures[20]?.remedy?.apply() ?? assert.fail(), new RpcError('told: stuck'));
    assert.deepEqual(applied, [2, 21]);
  });
});

describe('a page whose extension host falls silent', () => {
  let clock: Clock;
  beforeEach(
    // Not what carries the messages.
    () =>
      (clock = install({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })),
  );
  afterEach(() => clock.uninstall());

  /** A page that waits for an answer for as long as it takes, and its host. */
  function page() {
    const [pageChannel, hostChannel] = pair();
    let isBusy = false;
    let held: unknown[] = [];
    let listener: ((message: unknown) => void) | undefined;
    hostChannel.listen((message) => (isBusy ? held.push(message) : listener?.(message)));
    const host = new RpcPeer<Right, Left>(
      {
        post: (message) => hostChannel.post(message),
        listen: (to) => ((listener = to), { dispose: () => 0 }),
      },
      {
        double: ({ value }) => value * 2,
        fail: () => null,
        wait: () => new Promise(() => undefined),
      },
      () => ({ message: '' }),
    );
    const pings: unknown[] = [];
    hostChannel.listen((message) => {
      if ((message as { rpc: string }).rpc === 'ping') {
        pings.push(message);
      }
    });
    const peer = new RpcPeer<Left, Right>(pageChannel, { greet: () => '' }, () => ({ message: '' }), {
      describe: () => 'Nobody is there.',
    });
    const silences: boolean[] = [];
    peer.onDidChangeSilence((isSilent) => silences.push(isSilent));
    return {
      peer,
      silences,
      pings,
      /** The host does nothing, and reads nothing. */
      block: () => (isBusy = true),
      /** It goes on, and reads what has come meanwhile. */
      goOn: () => {
        isBusy = false;
        held.splice(0).forEach((message) => listener?.(message));
      },
      kill: () => {
        isBusy = true;
        held = [];
        host.dispose();
      },
    };
  }

  it('notices it within two seconds, and says so once', async () => {
    const { peer, silences, kill } = page();
    kill();
    void peer.request('double', { value: 1 }, { timeoutMs: untilAnswered }).catch(() => undefined);
    await clock.tickAsync(beatMs * (silentAfter - 1));
    assert.deepEqual([peer.isSilent, silences], [false, []]);
    await clock.tickAsync(2_000 - beatMs * (silentAfter - 1));
    assert.deepEqual([peer.isSilent, silences], [true, [true]]);
    await clock.tickAsync(60_000);
    assert.deepEqual(silences, [true]);
  });

  it('fails what no one answers, however long it would wait for a person, and what is asked later sooner', async () => {
    const { peer, kill } = page();
    kill();
    const open = peer.request('wait', null, { timeoutMs: untilAnswered });
    const failed = assert.rejects(open, { name: 'SilenceError', message: 'Nobody is there.' });
    await clock.tickAsync(beatMs * givenUpAfter);
    await failed;
    assert.equal(peer.hasGivenUp, true);
    const next = assert.rejects(
      peer.request('wait', null, { timeoutMs: untilAnswered }),
      new SilenceError('Nobody is there.'),
    );
    await clock.tickAsync(beatMs * 2);
    await next;
  });

  it('fails what nobody waits for yet without a failure that nobody catches', async () => {
    const { peer, kill } = page();
    kill();
    const open = peer.request('wait', null);
    const uncaught: unknown[] = [];
    const note = (reason: unknown): number => uncaught.push(reason);
    const others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection').on('unhandledRejection', note);
    try {
      await clock.tickAsync(beatMs * givenUpAfter);
      await new Promise(setImmediate);
    } finally {
      process.removeListener('unhandledRejection', note);
      others.forEach((listener) => process.on('unhandledRejection', listener));
    }
    assert.deepEqual(uncaught, []);
    await assert.rejects(open, new SilenceError('Nobody is there.'));
  });

  it('gives it up once, after a while, and what was asked a moment ago has two beats more', async () => {
    const { peer, kill } = page();
    let givenUp = 0;
    peer.onDidGiveUp(() => (givenUp += 1));
    kill();
    const ended: string[] = [];
    const ask = (name: string): void =>
      void peer.request('wait', null, { timeoutMs: untilAnswered }).catch(() => ended.push(name));
    ask('first');
    await clock.tickAsync(beatMs * (givenUpAfter - 1));
    assert.deepEqual([givenUp, peer.hasGivenUp, ended], [0, false, []]);
    ask('last');
    await clock.tickAsync(beatMs);
    assert.deepEqual([givenUp, peer.hasGivenUp, ended], [1, true, ['first']]);
    await clock.tickAsync(beatMs);
    assert.deepEqual(ended, ['first', 'last']);
    await clock.tickAsync(60_000);
    assert.equal(givenUp, 1);
  });

  it('is silent after the fifth beat, not before and not later, and never once it is disposed', async () => {
    const { peer, kill } = page();
    kill();
    const open = peer.request('wait', null, { timeoutMs: untilAnswered });
    open.catch(() => undefined);
    await clock.tickAsync(beatMs * silentAfter - 1);
    assert.equal(peer.isSilent, false);
    await clock.tickAsync(1);
    assert.equal(peer.isSilent, true);
    peer.dispose();
    assert.equal(peer.isSilent, false);
    assert.equal(clock.countTimers(), 0, 'nothing beats any more');
  });

  it('asks at once whether anybody is there, and again only after a while', async () => {
    const { peer, pings, kill } = page();
    kill();
    void peer.request('wait', null, { timeoutMs: untilAnswered }).catch(() => undefined);
    await clock.tickAsync(0);
    assert.equal(pings.length, 1);
    await clock.tickAsync(beatMs * 15);
    assert.equal(pings.length, 1);
    await clock.tickAsync(beatMs);
    assert.equal(pings.length, 2);
  });

  it('hears it in anything that comes, not in answers alone', async () => {
    const { peer, silences } = page();
    void peer.request('wait', null, { timeoutMs: untilAnswered }).catch(() => undefined);
    await clock.tickAsync(beatMs * 100);
    assert.deepEqual([silences, peer.isSilent, peer.hasGivenUp], [[], false, false]);
  });

  it('waits for a person for as long as they take, as long as someone is there', async () => {
    const { peer, silences } = page();
    let isOver = false;
    void peer.request('wait', null, { timeoutMs: untilAnswered }).finally(() => (isOver = true));
    await clock.tickAsync(3 * 60 * 60_000);
    assert.deepEqual([isOver, silences], [false, []]);
  });

  it('says nothing of one that is busy for a second', async () => {
    const { peer, silences, block, goOn } = page();
    for (let round = 0; round < 10; round += 1) {
      block();
      const answer = peer.request('double', { value: round });
      await clock.tickAsync(1_000);
      goOn();
      assert.equal(await answer, round * 2);
      await clock.tickAsync(100);
    }
    assert.deepEqual(silences, []);
  });

  it('finds it again when it was only busy, also after it was given up', async () => {
    const { peer, silences, block, goOn } = page();
    block();
    const open = assert.rejects(peer.request('wait', null, { timeoutMs: untilAnswered }), SilenceError);
    await clock.tickAsync(12_000);
    await open;
    assert.deepEqual(silences, [true]);
    goOn();
    await clock.tickAsync(beatMs);
    assert.deepEqual([silences, peer.isSilent], [[true, false], false]);
    assert.equal(await peer.request('double', { value: 4 }), 8);
  });

  it('is not misled by a computer that has slept', async () => {
    const { peer, silences } = page();
    void peer.request('wait', null, { timeoutMs: untilAnswered });
    await clock.tickAsync(1_000);
    // All timers are late by hours, and then each fires once.
    clock.setSystemTime(Date.now() + 8 * 60 * 60_000);
    clock.jump(8 * 60 * 60_000);
    await clock.tickAsync(beatMs);
    assert.deepEqual(silences, []);
  });

  it('sends next to nothing: one ping until it is answered, and none when nothing is open', async () => {
    const { peer, pings, kill } = page();
    await peer.request('double', { value: 1 });
    await clock.tickAsync(60_000);
    const idle = pings.length;
    assert.ok(idle <= 2, `${idle} pings`);
    kill();
    void peer.request('wait', null, { timeoutMs: untilAnswered }).catch(() => undefined);
    await clock.tickAsync(60 * 60_000);
    assert.ok(pings.length - idle < 1_000, `${pings.length - idle} pings in an hour`);
  });
});
