/** The active account, the client that acts for it, and how the window stands with the service. */
import assert from 'node:assert/strict';
import FakeTimers from '@sinonjs/fake-timers';
import type { Memento } from 'vscode';
import type { ApiClient } from '../../../src/api/client.ts';
import {
  AbortedError,
  ConnectionError,
  ForbiddenError,
  InvalidError,
  TimeoutError,
  UnauthorizedError,
  type ApiErrorContext,
} from '../../../src/api/errors.ts';
import { Connection, type ConnectionState } from '../../../src/session/connection.ts';
import type { Session, SessionsChange } from '../../../src/session/sessions.ts';
import type { RemediableError } from '../../../src/ui/failures.ts';
import { Emitter } from '../../../src/util/event.ts';
import { silentLog } from '../../support/silentLog.ts';

const place: ApiErrorContext = {
  operation: 'users.me',
  method: 'GET',
  pathTemplate: '/user',
  requestNumber: 1,
};
const unauthorized = (): UnauthorizedError => new UnauthorizedError('refused', place);
const unreachable = (): ConnectionError => new ConnectionError('nobody there', place);
const refusedConnection = (): ConnectionError =>
  new ConnectionError('nobody listens', place, { code: 'ECONNREFUSED' });

function session(id: string, accessToken = 'token', serverUrl = 'https://one.test/api'): Session {
  return { id, serverUrl, accessToken, credentialScheme: 'bearer', userId: id, login: id };
}

const [ada, bob] = [session('ada'), session('bob', 'token', 'https://two.test/api')];

/** What says that nobody is signed in. */
class SignedOut extends Error {
  readonly wanted: string | undefined;
  readonly isThere: () => boolean;

  constructor(wanted: string | undefined, isThere: () => boolean) {
    super('signed out');
    this.wanted = wanted;
    this.isThere = isThere;
  }
}

/** What says that another account is active. */
class OtherAccount extends Error {
  readonly wanted: Session;
  readonly isBack: () => boolean;

  constructor(wanted: Session, isBack: () => boolean) {
    super('another account');
    this.wanted = wanted;
    this.isBack = isBack;
  }
}

/** A client that was opened, and whether it is closed. */
interface Opened {
  readonly session: Session;
  isClosed: boolean;
  /** As `ApiClient.answers`. */
  answers: number;
}

/** Has the service answer, as a test's operation asks it. */
function answered(client: unknown): void {
  (client as Opened).answers += 1;
}

describe('the connection of a window', () => {
  /** Everybody who is signed in, in any window. */
  let signedIn: Session[];
  let sessionsChanged: Emitter<SessionsChange>;
  let memory: Map<string, unknown>;
  /** Keys that were written into the memory. */
  let written: string[];
  let refusesToWrite: boolean;
  let configured: string | undefined;
  let contexts: [name: string, value: boolean][];
  let opened: Opened[];
  let openFails: Error | undefined;
  let warnings: string[];
  let prompts: Session[];
  let answerPrompt: () => Promise<Session>;
  /** Tokens with which nothing may be sent yet, and what opens the gate for a session. */
  let closedFor: Set<string>;
  let admit: (refused: Session) => Promise<void>;
  /** Whether the server is one that can be started again. */
  let isLocal: boolean;
  let connection: Connection;
  let states: ConnectionState[];
  let accounts: (string | undefined)[];
  let reconnected: number;
  const givenUp = new Error('given up');

  const memento: Memento = {
    keys: () => [...memory.keys()],
    get: (key: string) => memory.get(key) as never,
    update: async (key: string, value: unknown) => {
      if (refusesToWrite) {
        throw new Error('the disk is full');
      }
      written.push(key);
      memory.set(key, value);
    },
  };

  function connect(): Connection {
    return new Connection({
      window: {
        configuredServer: () => configured,
        setContext: async (name, value) => void contexts.push([name, value]),
        signedOut: (wanted, isThere) => new SignedOut(wanted, isThere) as unknown as RemediableError,
        otherAccount: (wanted, isBack) => new OtherAccount(wanted, isBack) as unknown as RemediableError,
        isGivenUp: (error) => error === givenUp,
        openClient: async (of, keptIn, log) => {
          assert.equal(keptIn, memento);
          assert.equal(typeof log.warn, 'function');
          if (openFails) {
            throw openFails;
          }
          const client: Opened = { session: of, isClosed: false, answers: 0 };
          opened.push(client);
          return Object.assign(client, {
            close: async () => void (client.isClosed = true),
          }) as unknown as ApiClient;
        },
      },
      memory: memento,
      sessions: { list: async () => [...signedIn], onDidChange: sessionsChanged.event },
      log: { ...silentLog, warn: (message) => void warnings.push(message) },
      signInAgain: (refused) => {
        prompts.push(refused);
        return answerPrompt();
      },
    });
  }

  /** Signs in, or renews the sign-in, as this window does. */
  async function signIn(one: Session): Promise<Session> {
    signedIn = [...signedIn.filter(({ id }) => id !== one.id), one];
    await connection.activate(one);
    return one;
  }

  /** Lets what nobody waits for happen. */
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  const kinds = (): string[] => states.map(({ kind }) => kind);
  const whoAmI = (): Promise<string> =>
    connection.use(async (client, { id, accessToken }) => {
      answered(client);
      return `${id} ${accessToken}`;
    });
  /** Refuses all tokens but this one. */
  const onlyWith =
    (token: string) =>
    async (_client: unknown, { accessToken }: Session): Promise<string> => {
      if (accessToken !== token) {
        throw unauthorized();
      }
      return accessToken;
    };

  /** A call that is under way until it is told how it ends. */
  function begin(): PromiseWithResolvers<string> & { answer: Promise<string>; client: Promise<Opened> } {
    const work = Promise.withResolvers<string>();
    const client = Promise.withResolvers<Opened>();
    const answer = connection.use((given) => {
      client.resolve(given as unknown as Opened);
      return work.promise;
    });
    return { ...work, answer, client: client.promise };
  }

  beforeEach(() => {
    [signedIn, written, contexts, opened, warnings, prompts, states, accounts] = [
      [],
      [],
      [],
      [],
      [],
      [],
      [],
      [],
    ];
    memory = new Map();
    sessionsChanged = new Emitter();
    [refusesToWrite, configured, openFails, reconnected] = [false, undefined, undefined, 0];
    answerPrompt = () => Promise.reject(givenUp);
    closedFor = new Set();
    admit = () => assert.fail('nobody asks for that');
    isLocal = false;
    connection = connect();
    connection.guardWith({
      isOpenFor: ({ accessToken }) => !closedFor.has(accessToken),
      admit: (refused) => admit(refused),
      noteGone: ({ accessToken }) => {
        if (isLocal) {
          closedFor.add(accessToken);
        }
      },
    });
    connection.onDidChangeState((state) => states.push(state));
    connection.onDidChangeAccount((account) => accounts.push(account?.id));
    connection.onDidReconnect(() => reconnected++);
  });

  afterEach(() => connection.dispose());

  describe('who is signed in', () => {
    it('is nobody at first, as menus are told', async () => {
      assert.deepEqual(connection.state, { kind: 'signedOut' });
      assert.equal(await connection.session(), undefined);
      assert.equal(connection.activeServer, undefined);
      await connection.refresh();
      assert.deepEqual(contexts, [
        ['signedIn', false],
        ['signedInElsewhere', false],
      ]);
      assert.deepEqual(kinds(), ['signedOut']);
      assert.deepEqual(accounts, []);
    });

    it('is nobody here while somebody is elsewhere, which menus are told, too', async () => {
      signedIn = [bob];
      await connection.refresh();
      assert.equal(await connection.session(), undefined);
      assert.deepEqual(contexts, [
        ['signedIn', false],
        ['signedInElsewhere', true],
      ]);
    });

    it('is the account that was made the active one, which is told and written down once', async () => {
      signedIn = [bob];
      await signIn(ada);
      assert.deepEqual(await connection.session(), ada);
      assert.equal(connection.activeServer, ada.serverUrl);
      assert.deepEqual(states, [{ kind: 'signedIn', session: ada }]);
      assert.deepEqual(connection.state, { kind: 'signedIn', session: ada });
      assert.deepEqual(accounts, ['ada']);
      assert.deepEqual(contexts, [
        ['signedIn', true],
        ['signedInElsewhere', false],
      ]);
      assert.deepEqual(memory, new Map([['activeSession', 'ada']]));
      await connection.activate(ada);
      assert.deepEqual(written, ['activeSession']);
      assert.deepEqual([kinds(), accounts, contexts.length], [['signedIn'], ['ada'], 2]);
      await signIn(bob);
      assert.deepEqual(written, ['activeSession', 'activeSession']);
      assert.deepEqual(accounts, ['ada', 'bob']);
      assert.deepEqual(warnings, []);
    });

    it('is the same one after a restart', async () => {
      signedIn = [bob, ada];
      memory.set('activeSession', 'ada');
      assert.deepEqual(await connection.session(), ada);
      await connection.refresh();
      assert.deepEqual(accounts, ['ada']);
    });

    it('is good in this window where it could not be written down, which the log says', async () => {
      refusesToWrite = true;
      memory.set('activeSession', 'bob');
      signedIn = [bob];
      await signIn(ada);
      assert.deepEqual(await connection.session(), ada);
      assert.deepEqual(warnings, [
        'Which account is active could not be written down: Error: the disk is full',
      ]);
    });

    it('is looked for again when the sessions change, and is another account only when it is one', async () => {
      await signIn(ada);
      const renewed = session('ada', 'another token');
      signedIn = [renewed];
      sessionsChanged.fire({ added: [renewed], removed: [ada] });
      await settle();
      assert.deepEqual(connection.state, { kind: 'signedIn', session: renewed });
      assert.deepEqual([kinds(), accounts], [['signedIn', 'signedIn'], ['ada']]);
      sessionsChanged.fire({ added: [bob], removed: [] });
      await settle();
      assert.deepEqual([kinds(), accounts], [['signedIn', 'signedIn'], ['ada']]);
      signedIn = [bob];
      sessionsChanged.fire({ added: [], removed: [renewed] });
      await settle();
      assert.deepEqual(connection.state, { kind: 'signedOut' });
      assert.deepEqual(accounts, ['ada', undefined]);
      assert.deepEqual(contexts.slice(-2), [
        ['signedIn', false],
        ['signedInElsewhere', true],
      ]);
      assert.equal(connection.activeServer, undefined);
    });

    it('concerns nobody any more when the connection has ended', async () => {
      await signIn(ada);
      await whoAmI();
      connection.dispose();
      await settle();
      assert.deepEqual(
        opened.map(({ isClosed }) => isClosed),
        [true],
      );
      signedIn = [];
      sessionsChanged.fire({ added: [], removed: [ada] });
      await settle();
      assert.deepEqual(connection.state, { kind: 'signedIn', session: ada });
      await connection.whileSigningIn(settle);
      assert.deepEqual([kinds(), accounts], [['signedIn'], ['ada']]);
    });
  });

  describe('what is taken back later', () => {
    const inAccountOfOther = (require: () => void): OtherAccount => {
      try {
        require();
      } catch (error) {
        return error instanceof OtherAccount ? error : assert.fail(String(error));
      }
      return assert.fail('nothing was thrown');
    };

    it('is taken back by the one who did it, also with another token', async () => {
      await signIn(ada);
      const require = connection.holdAccount();
      require();
      await signIn(session('ada', 'another'));
      require();
    });

    it('is refused to somebody else, also at the same server, and to nobody, until they are back', async () => {
      await signIn(ada);
      const require = connection.holdAccount();
      for (const other of [bob, session('eve', 'hers', ada.serverUrl)]) {
        await signIn(other);
        const { wanted, isBack } = inAccountOfOther(require);
        assert.equal(wanted.id, 'ada');
        assert.equal(isBack(), false);
        await signIn(ada);
        assert.equal(isBack(), true);
        require();
      }
      signedIn = [];
      sessionsChanged.fire({ added: [], removed: [ada] });
      await settle();
      inAccountOfOther(require);
    });

    it('needs nobody where nobody was signed in', async () => {
      const require = connection.holdAccount();
      require();
      await signIn(ada);
      require();
    });
  });

  describe('the server of the active account', () => {
    const refusal = (ask: () => string): SignedOut => {
      try {
        ask();
      } catch (error) {
        assert.ok(error instanceof SignedOut);
        return error;
      }
      return assert.fail('nothing is refused');
    };

    it('is needed, or the one that something is on', async () => {
      assert.equal(refusal(() => connection.requireServer()).wanted, undefined);
      assert.equal(refusal(() => connection.requireServer(ada.serverUrl)).wanted, ada.serverUrl);
      await signIn(ada);
      assert.equal(connection.requireServer(), ada.serverUrl);
      assert.equal(connection.requireServer(ada.serverUrl), ada.serverUrl);
      assert.equal(refusal(() => connection.requireServer(bob.serverUrl)).wanted, bob.serverUrl);
    });

    it('is the one that is wanted once somebody has signed in there', async () => {
      const [any, one, two] = [connection.signedOut(), connection.signedOut(ada.serverUrl), connection.signedOut(bob.serverUrl)]
        .map((error) => error as unknown as SignedOut); // prettier-ignore
      assert.ok(any && one && two);
      const areThere = (): boolean[] => [any, one, two].map(({ isThere }) => isThere());
      assert.deepEqual(areThere(), [false, false, false]);
      await signIn(ada);
      assert.deepEqual(areThere(), [true, true, false]);
      await signIn(bob);
      assert.deepEqual(areThere(), [true, false, true]);
    });

    it('is suggested, else the one of the setting', async () => {
      assert.equal(connection.suggestedServer, undefined);
      configured = 'https://configured.test';
      assert.equal(connection.suggestedServer, configured);
      await signIn(ada);
      assert.equal(connection.suggestedServer, ada.serverUrl);
    });
  });

  describe('a call', () => {
    it('is refused while nobody is signed in, and nobody is asked', async () => {
      await assert.rejects(whoAmI(), (error) => error instanceof SignedOut && error.wanted === undefined);
      assert.deepEqual([prompts, opened], [[], []]);
    });

    it('is given the session and the client, which all calls share', async () => {
      await signIn(ada);
      assert.deepEqual(await Promise.all([whoAmI(), whoAmI()]), ['ada token', 'ada token']);
      await connection.use(async (client) => assert.equal(client, opened[0]));
      assert.deepEqual(
        opened.map((one) => [one.session, one.isClosed]),
        [[ada, false]],
      );
    });

    it('is given another client with another account or token', async () => {
      await signIn(ada);
      await whoAmI();
      await signIn(bob);
      assert.equal(await whoAmI(), 'bob token');
      // Where nobody has said that the token is another one.
      signedIn = [session('bob', 'another')];
      assert.equal(await whoAmI(), 'bob another');
      await settle();
      assert.deepEqual(
        opened.map((one) => [one.session.id, one.session.accessToken, one.isClosed]),
        [
          ['ada', 'token', true],
          ['bob', 'token', true],
          ['bob', 'another', false],
        ],
      );
    });

    it('ends with why there is no client, which keeps nobody from leaving', async () => {
      await signIn(ada);
      openFails = new Error('a file is missing');
      await assert.rejects(whoAmI(), openFails);
      await signIn(bob);
      openFails = undefined;
      assert.equal(await whoAmI(), 'bob token');
    });

    it('goes on with its client when the account has another token, which ends with the last of them', async () => {
      await signIn(ada);
      const [first, second] = [begin(), begin()];
      const client = await first.client;
      await second.client;
      await signIn(session('ada', 'another'));
      assert.equal(await whoAmI(), 'ada another');
      assert.equal(client.isClosed, false);
      first.resolve('one');
      assert.equal(await first.answer, 'one');
      assert.equal(client.isClosed, false);
      second.reject(new Error('two'));
      await assert.rejects(second.answer, /two/);
      assert.equal(client.isClosed, true);
      assert.deepEqual(
        opened.map(({ isClosed }) => isClosed),
        [true, false],
      );
    });

    it('loses its client at once when its account is left', async () => {
      await signIn(ada);
      const call = begin();
      const client = await call.client;
      await signIn(bob);
      assert.equal(client.isClosed, true);
      call.resolve('done');
      assert.equal(await call.answer, 'done');
    });

    it('leaves an idle client of an older token closed, and the client alone when it ends well', async () => {
      await signIn(ada);
      const call = begin();
      call.resolve('done');
      await call.answer;
      assert.equal((await call.client).isClosed, false);
      await signIn(session('ada', 'another'));
      assert.equal((await call.client).isClosed, true);
    });
  });

  describe('a server that may be another one than it was', () => {
    it('is sent nothing before the gate is open, and then with the token that the account has by then', async () => {
      await signIn(ada);
      closedFor.add(ada.accessToken);
      const gate = Promise.withResolvers<undefined>();
      const asked: string[] = [];
      admit = async ({ id }) => {
        asked.push(id);
        await gate.promise;
      };
      const answers = [whoAmI(), whoAmI()];
      await settle();
      assert.deepEqual([asked, opened], [['ada', 'ada'], []]);
      await signIn(session('ada', 'of this start'));
      gate.resolve(undefined);
      assert.deepEqual(await Promise.all(answers), ['ada of this start', 'ada of this start']);
      assert.deepEqual(
        opened.map((one) => one.session.accessToken),
        ['of this start'],
      );
    });

    it('is out of reach while the gate stays shut, and there again when it opens', async () => {
      await signIn(ada);
      closedFor.add(ada.accessToken);
      admit = async () => {
        throw unreachable();
      };
      await assert.rejects(whoAmI(), ConnectionError);
      assert.equal(connection.state.kind, 'offline');
      assert.deepEqual(opened, []);
      admit = async () => {
        await signIn(session('ada', 'of this start'));
      };
      assert.equal(await whoAmI(), 'ada of this start');
      assert.equal(connection.state.kind, 'signedIn');
    });

    it('is asked again where it was started anew while it was asked, without a question to anybody', async () => {
      await signIn(ada);
      admit = async () => {
        await signIn(session('ada', 'of this start'));
      };
      const asked: string[] = [];
      const answer = await connection.use(async (_client, { accessToken }) => {
        asked.push(accessToken);
        // It ended, and what was sent again went to the next one.
        closedFor.add(ada.accessToken);
        return onlyWith('of this start')(_client, { ...ada, accessToken });
      });
      assert.deepEqual([answer, asked, prompts], ['of this start', ['token', 'of this start'], []]);
      assert.deepEqual(new Set(kinds()), new Set(['signedIn']));
    });

    it('is out of reach where it ended while it was asked, and nobody is asked to sign in', async () => {
      await signIn(ada);
      admit = async () => {
        throw unreachable();
      };
      const asking = connection.use(async () => {
        closedFor.add(ada.accessToken);
        throw unauthorized();
      });
      await assert.rejects(asking, ConnectionError);
      assert.deepEqual([prompts, connection.state.kind], [[], 'offline']);
    });

    it('is started again where it has ended and nobody has heard of that yet, and asked again', async () => {
      await signIn(ada);
      isLocal = true;
      admit = async () => {
        await signIn(session('ada', 'of this start'));
      };
      const asked: string[] = [];
      const answer = await connection.use(
        async (client, { accessToken }) => {
          asked.push(accessToken);
          if (asked.length === 1) {
            throw refusedConnection();
          }
          answered(client);
          return accessToken;
        },
        { isUnasked: true },
      );
      assert.deepEqual([answer, asked], ['of this start', ['token', 'of this start']]);
      assert.equal(connection.state.kind, 'signedIn');
    });

    it('is asked again in the background, too, where nobody has asked for it', async () => {
      const clock = FakeTimers.install({ toFake: ['setTimeout', 'clearTimeout'] });
      try {
        await signIn(ada);
        isLocal = true;
        admit = () => signIn(session('ada', 'of this start')).then(() => undefined);
        const [again, answer] = [Promise.withResolvers<null>(), Promise.withResolvers<null>()];
        const asking = connection.use(
          async (_client, { accessToken }) => {
            if (accessToken === ada.accessToken) {
              throw refusedConnection();
            }
            again.resolve(null);
            await answer.promise;
          },
          { isUnasked: true },
        );
        await again.promise;
        clock.tick(1000);
        answer.resolve(null);
        await asking;
        assert.ok(!kinds().includes('working'), kinds().join());
      } finally {
        clock.uninstall();
      }
    });

    it('is asked once where nothing can be started again, where it has answered, and where a request may have come to it', async () => {
      await signIn(ada);
      const reset = new ConnectionError('cut off', place, { code: 'ECONNRESET' });
      for (const [failure, hasAnswered, canStart] of [
        [refusedConnection(), false, false],
        [refusedConnection(), true, true],
        [reset, false, true],
      ] as const) {
        isLocal = canStart;
        let asked = 0;
        const asking = connection.use(async (client) => {
          asked++;
          if (hasAnswered) {
            answered(client);
          }
          throw failure;
        });
        await assert.rejects(asking, failure);
        assert.equal(asked, 1);
      }
    });

    it('is not asked again for somebody else, who is there by the time it has ended', async () => {
      await signIn(ada);
      isLocal = true;
      const asked: string[] = [];
      const asking = connection.use(async (_client, { id }) => {
        asked.push(id);
        await signIn(bob);
        throw refusedConnection();
      });
      await assert.rejects(asking, (error) => error instanceof SignedOut && error.wanted === ada.serverUrl);
      assert.deepEqual(asked, ['ada']);
    });

    it('is asked no third time where the one that was started has ended, too', async () => {
      await signIn(ada);
      isLocal = true;
      let starts = 0;
      admit = async () => {
        await signIn(session('ada', `of start ${++starts}`));
      };
      let asked = 0;
      const asking = connection.use(async () => {
        asked++;
        throw refusedConnection();
      });
      await assert.rejects(asking, ConnectionError);
      assert.deepEqual([asked, starts], [2, 1]);
    });

    it('is sent nothing that was meant for another account', async () => {
      await signIn(ada);
      closedFor.add(ada.accessToken);
      admit = async () => {
        await signIn(session('ada of another port', 'new', bob.serverUrl));
      };
      await assert.rejects(whoAmI(), (error) => error instanceof SignedOut && error.wanted === ada.serverUrl);
      assert.deepEqual(opened, []);
    });
  });

  describe('a token that is refused', () => {
    it('is renewed by one question for all calls that were refused, which are made again', async () => {
      await signIn(ada);
      answerPrompt = async () => {
        await settle();
        return signIn(session('ada', 'good'));
      };
      const answers = await Promise.all([1, 2, 3].map(() => connection.use(onlyWith('good'))));
      assert.deepEqual(answers, ['good', 'good', 'good']);
      assert.deepEqual(prompts, [ada]);
      answerPrompt = () => signIn(session('ada', 'better'));
      assert.equal(await connection.use(onlyWith('better')), 'better');
      assert.equal(prompts.length, 2);
    });

    it('is asked for once only: a second refusal is told', async () => {
      await signIn(ada);
      answerPrompt = () => signIn(session('ada', 'as bad'));
      await assert.rejects(connection.use(onlyWith('good')), { kind: 'unauthorized' });
      assert.equal(prompts.length, 1);
    });

    it('is asked for by nobody where another window has renewed it', async () => {
      await signIn(ada);
      const answer = connection.use(async (client, one) => {
        signedIn = [session('ada', 'good')];
        return onlyWith('good')(client, one);
      });
      assert.equal(await answer, 'good');
      assert.deepEqual(prompts, []);
    });

    it('is renewed also where another account is the active one by now, for its own', async () => {
      await signIn(ada);
      answerPrompt = async () => session('ada', 'good');
      const answer = connection.use(async (client, one) => {
        await signIn(session('bob', "bob's own", bob.serverUrl));
        return onlyWith('good')(client, one);
      });
      assert.equal(await answer, 'good');
      assert.deepEqual(prompts, [ada]);
    });

    it('is renewed where nobody is signed in any more', async () => {
      await signIn(ada);
      answerPrompt = () => signIn(session('ada', 'good'));
      const answer = connection.use(async (client, one) => {
        if (one === ada) {
          signedIn = [];
        }
        return onlyWith('good')(client, one);
      });
      assert.equal(await answer, 'good');
      assert.deepEqual(prompts, [ada]);
    });

    it('has expired when the person gives up, and they are not asked again until they have signed in', async () => {
      await signIn(ada);
      const refusal = unauthorized();
      await assert.rejects(
        connection.use(() => Promise.reject(refusal)),
        refusal,
      );
      assert.deepEqual(connection.state, { kind: 'expired', session: ada });
      await assert.rejects(connection.use(onlyWith('good')), { kind: 'unauthorized' });
      assert.equal(prompts.length, 1);
      await signIn(session('ada', 'good'));
      assert.equal(await connection.use(onlyWith('good')), 'good');
      assert.equal(connection.state.kind, 'signedIn');
    });

    it('is not replaced by that of somebody else', async () => {
      await signIn(ada);
      answerPrompt = async () => bob;
      const refusal = unauthorized();
      let calls = 0;
      const call = connection.use(() => {
        calls++;
        return Promise.reject(refusal);
      });
      await assert.rejects(call, refusal);
      assert.deepEqual(connection.state, { kind: 'expired', session: ada });
      assert.equal(calls, 1);
    });

    it('has not expired where signing in again fails, which is told, and asked again', async () => {
      await signIn(ada);
      const failure = new Error('no browser');
      answerPrompt = () => Promise.reject(failure);
      await assert.rejects(connection.use(onlyWith('good')), failure);
      assert.equal(connection.state.kind, 'signedIn');
      await assert.rejects(connection.use(onlyWith('good')), failure);
      assert.equal(prompts.length, 2);
    });

    it('is what no other failure says', async () => {
      await signIn(ada);
      for (const failure of [new ForbiddenError('no', place), new Error('unauthorized')]) {
        await assert.rejects(
          connection.use(() => Promise.reject(failure)),
          failure,
        );
      }
      assert.deepEqual([prompts, kinds()], [[], ['signedIn']]);
    });
  });

  describe('a service out of reach', () => {
    it('is said to be, since when, until it answers again, however it does', async () => {
      await signIn(ada);
      for (const failure of [unreachable(), new TimeoutError('too late', place)]) {
        await assert.rejects(
          connection.use(() => Promise.reject(failure)),
          failure,
        );
        const { state } = connection;
        assert.ok(state.kind === 'offline' && state.session === ada && state.since instanceof Date);
        await assert.rejects(connection.use(() => Promise.reject(unreachable())));
        assert.equal(connection.state, state, 'it is since the first time');
        // What is no answer says nothing.
        await assert.rejects(connection.use(() => Promise.reject(new Error('a bug'))));
        assert.equal(connection.state.kind, 'offline');
        await assert.rejects(
          connection.use((client) => {
            answered(client);
            return Promise.reject(new ForbiddenError('no', place));
          }),
        );
        assert.deepEqual(connection.state, { kind: 'signedIn', session: ada });
      }
      assert.equal(reconnected, 2);
      await whoAmI();
      assert.equal(reconnected, 2);
      await assert.rejects(connection.use(() => Promise.reject(unreachable())));
      await whoAmI();
      assert.equal(reconnected, 3);
      assert.deepEqual(kinds(), [
        'signedIn',
        'offline',
        'signedIn',
        'offline',
        'signedIn',
        'offline',
        'signedIn',
      ]);
    });

    it('is not said to be there again by what has asked nothing', async () => {
      await signIn(ada);
      await whoAmI();
      await assert.rejects(connection.use(() => Promise.reject(unreachable())));
      await connection.use(async () => 'known already');
      for (const unsent of [new InvalidError('no path', place), new AbortedError('given up', place)]) {
        await assert.rejects(
          connection.use(() => Promise.reject(unsent)),
          unsent,
        );
      }
      // A redirect was answered, and what it led to was not.
      await assert.rejects(
        connection.use((client) => {
          answered(client);
          return Promise.reject(unreachable());
        }),
      );
      assert.deepEqual([connection.state.kind, reconnected], ['offline', 0]);
    });

    it('is said of after a sign-in, in the middle of which it was found', async () => {
      await signIn(ada);
      await connection.whileSigningIn(async () => {
        await assert.rejects(connection.use(() => Promise.reject(unreachable())));
        assert.deepEqual(connection.state, { kind: 'signingIn' });
      });
      assert.equal(connection.state.kind, 'offline');
      await connection.whileSigningIn(async () => {
        await connection.whileSigningIn(whoAmI);
        assert.deepEqual(connection.state, { kind: 'signingIn' }, 'one of two sign-ins goes on');
      });
      assert.equal(connection.state.kind, 'signedIn');
      await connection.whileSigningIn(() => signIn(bob));
      assert.deepEqual(connection.state, { kind: 'signedIn', session: bob });
    });

    it('leaves a session expired that is', async () => {
      await signIn(ada);
      await assert.rejects(connection.use(onlyWith('good')), { kind: 'unauthorized' });
      await assert.rejects(connection.use(() => Promise.reject(unreachable())));
      assert.equal(connection.state.kind, 'expired');
      await whoAmI();
      assert.deepEqual([connection.state.kind, reconnected], ['expired', 0]);
    });
  });

  describe('work', () => {
    let clock: FakeTimers.Clock;
    beforeEach(() => (clock = FakeTimers.install({ toFake: ['setTimeout', 'clearTimeout'] })));
    afterEach(() => clock.uninstall());

    it('is shown when it takes a while, until nothing is under way', async () => {
      await signIn(ada);
      const [first, second] = [begin(), begin()];
      await Promise.all([first.client, second.client]);
      clock.tick(299);
      assert.deepEqual(kinds(), ['signedIn']);
      clock.tick(1);
      assert.deepEqual(kinds(), ['signedIn', 'working']);
      assert.deepEqual(connection.state, { kind: 'working', session: ada });
      first.resolve('');
      await first.answer;
      assert.equal(connection.state.kind, 'working');
      second.resolve('');
      await second.answer;
      assert.deepEqual(connection.state, { kind: 'signedIn', session: ada });
      assert.deepEqual(kinds(), ['signedIn', 'working', 'signedIn']);
    });

    it('that has ended while somebody was signing in is not shown afterwards', async () => {
      await signIn(ada);
      const work = begin();
      await work.client;
      clock.tick(300);
      const asked = Promise.withResolvers<undefined>();
      const signingIn = connection.whileSigningIn(() => asked.promise);
      assert.deepEqual(connection.state, { kind: 'signingIn' });
      work.resolve('');
      await work.answer;
      assert.deepEqual(connection.state, { kind: 'signingIn' });
      asked.reject(givenUp);
      await assert.rejects(signingIn, givenUp);
      assert.deepEqual(kinds(), ['signedIn', 'working', 'signingIn', 'signedIn']);
      assert.deepEqual(connection.state, { kind: 'signedIn', session: ada });
    });

    it('is not shown when it is soon over', async () => {
      await signIn(ada);
      await whoAmI();
      clock.tick(1000);
      assert.deepEqual(kinds(), ['signedIn']);
      assert.equal(clock.countTimers(), 0);
    });

    it('is not shown of a service out of reach, which is said of one that was at work', async () => {
      await signIn(ada);
      const [first, second] = [begin(), begin()];
      await Promise.all([first.client, second.client]);
      clock.tick(300);
      first.reject(unreachable());
      await assert.rejects(first.answer);
      assert.equal(connection.state.kind, 'offline');
      second.reject(unreachable());
      await assert.rejects(second.answer);
      const third = begin();
      await third.client;
      clock.tick(300);
      assert.equal(connection.state.kind, 'offline');
      third.reject(unreachable());
      await assert.rejects(third.answer);
      assert.deepEqual(kinds(), ['signedIn', 'working', 'offline']);
    });
  });
});
