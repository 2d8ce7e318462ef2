import type { Memento } from 'vscode';
import type { AskOptions } from '../api/call.ts';
import type { ApiClient } from '../api/client.ts';
import { isApiError, isOutOfReach, isRefusedConnection } from '../api/errors.ts';
import type { RemediableError } from '../ui/failures.ts';
import type { Log } from '../ui/log.ts';
import { DisposableStore, type Disposable } from '../util/disposable.ts';
import { Emitter } from '../util/event.ts';
import { inBackground } from '../util/inBackground.ts';
import type { Session, SessionStore } from './sessions.ts';

/** The state of the connection to the service, which the status bar shows. */
export type ConnectionState =
  | { kind: 'signedOut' }
  | { kind: 'signingIn' }
  | { kind: 'signedIn'; session: Session }
  /** Signed in, and a request has been under way for a while. */
  | { kind: 'working'; session: Session }
  | { kind: 'offline'; session: Session; since: Date }
  /** The service no longer takes the token, and the person did not want to sign in again yet. */
  | { kind: 'expired'; session: Session };

/** How a window stands whose person isn't signing in at the moment. */
type Standing = Exclude<ConnectionState, { kind: 'signingIn' }>;

const activeSessionKey = 'activeSession';

/** A client, the session it acts for, and how many calls it has under way. */
interface OpenClient {
  session: Session;
  client: Promise<ApiClient>;
  calls: number;
  /** The session has another token by now: the client ends with its last call. */
  retired: boolean;
}

/** Milliseconds after which a request counts as work that the person should see. */
const workingDelayMs = 300;

/** What the connection has of VS Code. */
export interface ConnectionWindow {
  /** The server of the setting; undefined when there is none. */
  configuredServer: () => string | undefined;
  /** Tells menus and keys. */
  setContext: (name: 'signedIn' | 'signedInElsewhere', value: boolean) => Promise<void>;
  /**
   * Says that nobody is signed in, or not to the server that is wanted, with the button that leads there.
   *
   * @param isThere whether somebody is by now.
   */
  signedOut: (wanted: string | undefined, isThere: () => boolean) => RemediableError;
  /**
   * Says that something was done as somebody else than who is signed in now, with the button that leads back.
   *
   * @param isBack whether they are signed in again.
   */
  otherAccount: (wanted: Session, isBack: () => boolean) => RemediableError;
  /** True for an error that only says that the person gave up. */
  isGivenUp: (error: unknown) => boolean;
  /** The client is the largest part of the extension: it is loaded when it is first needed. */
  openClient: (session: Session, memory: Memento, log: Log) => Promise<ApiClient>;
}

interface ConnectionContext {
  window: ConnectionWindow;
  /** Keeps which account is active, over windows and restarts. */
  memory: Memento;
  sessions: Pick<SessionStore, 'list' | 'onDidChange'>;
  log: Log;
  /**
   * Asks the person to sign in again to the account of a session whose token has expired or was revoked.
   * Rejects with an error that is `isGivenUp` when they do not want to.
   */
  signInAgain: (session: Session) => Promise<Session>;
}

/** Says whether requests may go to the server of a session. */
export interface Gate {
  /** Whether they may as things are. */
  isOpenFor: (session: Session) => boolean;
  /** Waits until they may, with the token that the account has by then; rejects when they may not. */
  admit: (session: Session) => Promise<void>;
  /** Notes that nothing listens where the server of a session is: one that can be started again is to be admitted anew. */
  noteGone: (session: Session) => void;
}

/** The active account and the client that acts for it. Everything that asks the service goes through `use`. */
export class Connection implements Disposable {
  readonly #context: ConnectionContext;
  readonly #disposables = new DisposableStore();
  readonly #stateChanged = this.#disposables.add(new Emitter<ConnectionState>());
  readonly #accountChanged = this.#disposables.add(new Emitter<Session | undefined>());
  readonly #reconnected = this.#disposables.add(new Emitter<undefined>());
  #client: OpenClient | undefined;
  #session: Session | undefined;
  /** The session that this window has made the active one, whether that could be written down or not. */
  #activeId: string | undefined;
  /** How the window stands, whether or not somebody is signing in. */
  #state: Standing = { kind: 'signedOut' };
  /** How many sign-ins are under way. */
  #signingIn = 0;
  #renewal: Promise<Session> | undefined;
  #requestsUnderWay = 0;
  #gate: Gate | undefined;

  /** Fires when `state` is another one. */
  readonly onDidChangeState = this.#stateChanged.event;
  /** Fires when another account is active: what was loaded before belongs to somebody else. */
  readonly onDidChangeAccount = this.#accountChanged.event;
  /** Fires when the service can be reached again. */
  readonly onDidReconnect = this.#reconnected.event;

  constructor(context: ConnectionContext) {
    this.#context = context;
    this.#disposables.add(context.sessions.onDidChange(() => this.refresh()));
  }

  /** Keeps requests from servers that may be others than they were. */
  guardWith(gate: Gate): void {
    this.#gate = gate;
  }

  get state(): ConnectionState {
    return this.#signingIn > 0 ? { kind: 'signingIn' } : this.#state;
  }

  /** Says that the person is signing in while they do, and afterwards how the window stands by then. */
  async whileSigningIn<T>(signIn: () => Promise<T>): Promise<T> {
    this.#signingIn++;
    this.#stateChanged.fire(this.state);
    try {
      return await signIn();
    } finally {
      this.#signingIn--;
      this.#stateChanged.fire(this.state);
    }
  }

  /** The session of the active account; undefined when nobody is signed in. */
  async session(): Promise<Session | undefined> {
    const { memory, sessions } = this.#context;
    const id = this.#activeId ?? memory.get<string>(activeSessionKey);
    return (await sessions.list()).find((session) => session.id === id);
  }

  /** The server of the active account, as far as this window has seen it. */
  get activeServer(): string | undefined {
    return this.#session?.serverUrl;
  }

  /**
   * The server of the active account.
   *
   * @param wanted the server that something is on: what would reach another one is refused.
   * @throws {RemediableError} when nobody is signed in, or not there, with the button that leads there.
   */
  requireServer(wanted?: string): string {
    const server = this.activeServer;
    if (server === undefined || (wanted !== undefined && server !== wanted)) {
      throw this.signedOut(wanted);
    }
    return server;
  }

  /**
   * Notes who is signed in: what is taken back later is taken back as the one who did it, and in nobody else's account.
   *
   * @returns requires that they are signed in still. It throws a `RemediableError` with the button that leads back to their account.
   */
  holdAccount(): () => void {
    const session = this.#session;
    const isBack = (): boolean => this.#session?.id === session?.id;
    return () => {
      if (session && !isBack()) {
        throw this.#context.window.otherAccount(session, isBack);
      }
    };
  }

  /** The server to suggest to somebody who signs in: the active one, else the one of the setting. */
  get suggestedServer(): string | undefined {
    return this.activeServer ?? this.#context.window.configuredServer();
  }

  /** Makes the account of a session the active one. */
  async activate(session: Session): Promise<void> {
    const { memory, log } = this.#context;
    this.#activeId = session.id;
    if (memory.get(activeSessionKey) !== session.id) {
      try {
        await memory.update(activeSessionKey, session.id);
      } catch (error) {
        log.warn(`Which account is active could not be written down: ${String(error)}`);
      }
    }
    await this.refresh();
  }

  /** Looks again who is signed in, and tells whom it concerns. */
  async refresh(): Promise<void> {
    const before = this.#session;
    const session = await this.session();
    this.#session = session;
    if (session && before?.id === session.id && before.accessToken === session.accessToken) {
      return;
    }
    await this.#leaveClient(session);
    this.#setState(session ? { kind: 'signedIn', session } : { kind: 'signedOut' });
    const { window, sessions } = this.#context;
    inBackground(window.setContext('signedIn', session !== undefined));
    const isElsewhere = session === undefined && (await sessions.list()).length > 0;
    inBackground(window.setContext('signedInElsewhere', isElsewhere));
    // A new token of the same account changes nothing of what was loaded.
    if (before?.id !== session?.id) {
      this.#accountChanged.fire(session);
    }
  }

  /**
   * Asks the service on behalf of the active account. When the token has expired or was revoked, the person is asked once, however
   * many calls found out at the same time, and the operation is done again after they have signed in again: a call that
   * got 401 was not acted upon. It is done again, too, where a local service has answered nothing and nothing listens there any more:
   * the service is started again. A property, so that it can be handed to those who only ask.
   *
   * @param options.isUnasked for what nobody has asked for or waits for: it doesn't count as work, and nobody signs in again for it.
   * @throws {RemediableError} when nobody is signed in; what the operation throws.
   */
  readonly use = async <T>(
    operation: (client: ApiClient, session: Session) => Promise<T>,
    { isUnasked = false }: AskOptions = {},
  ): Promise<T> => {
    const session = await this.#admitted();
    const heard = { hasAnswered: false };
    try {
      return await this.#run(session, operation, { isUnasked, onAnswered: () => (heard.hasAnswered = true) });
    } catch (error) {
      if (!heard.hasAnswered && isRefusedConnection(error) && this.#noteGone(session)) {
        return await this.#run(await this.#admitted(session), operation, { isUnasked });
      }
      if (isUnasked || !isApiError(error) || error.kind !== 'unauthorized') {
        throw error;
      }
      // A local service may have been started anew, with another token, while the request was sent again.
      await this.#openGate(session);
      const renewed = await this.#renew(session, error);
      return await this.#run(renewed, operation);
    }
  };

  dispose(): void {
    inBackground(this.#leaveClient());
    this.#disposables.dispose();
  }

  /** Says that nobody is signed in, or not to the server that is wanted, with the button that leads there. */
  signedOut(wanted?: string): RemediableError {
    return this.#context.window.signedOut(wanted, () => {
      const active = this.activeServer;
      return wanted === undefined ? active !== undefined : active === wanted;
    });
  }

  /** Notes how the window stands now, and says so unless it says that somebody is signing in. */
  #setState(state: Standing): void {
    this.#state = state;
    if (this.#signingIn === 0) {
      this.#stateChanged.fire(state);
    }
  }

  /** Notes that nothing listens where the server of a session is. @returns true when it has to be admitted anew. */
  #noteGone(session: Session): boolean {
    this.#gate?.noteGone(session);
    return this.#gate?.isOpenFor(session) === false;
  }

  /**
   * The session of the active account, whose requests may go to its server.
   *
   * @param wanted that of the account for which something was asked before.
   */
  async #admitted(wanted?: Session): Promise<Session> {
    const session = await this.session();
    if (!session || (wanted && wanted.id !== session.id)) {
      throw this.signedOut(wanted?.serverUrl);
    }
    if (!(await this.#openGate(session))) {
      return session;
    }
    const admitted = await this.session();
    if (admitted?.id !== session.id) {
      throw this.signedOut(session.serverUrl);
    }
    return admitted;
  }

  /** Waits until requests of a session may go to its server. @returns false where they may already. */
  async #openGate(session: Session): Promise<boolean> {
    if (!this.#gate || this.#gate.isOpenFor(session)) {
      return false;
    }
    try {
      await this.#gate.admit(session);
    } catch (error) {
      this.#noteReachable(!isOutOfReach(error));
      throw error;
    }
    return true;
  }

  async #run<T>(
    session: Session,
    operation: (client: ApiClient, session: Session) => Promise<T>,
    { isUnasked = false, onAnswered }: AskOptions & { onAnswered?: () => void } = {},
  ): Promise<T> {
    const open = this.#openClient(session);
    open.calls++;
    const endWork = isUnasked ? () => undefined : this.#beginWork();
    let isAnswered = (): boolean => false;
    let isOut = false;
    try {
      const client = await open.client;
      const { answers } = client;
      isAnswered = () => client.answers > answers;
      return await operation(client, session);
    } catch (error) {
      isOut = isOutOfReach(error);
      throw error;
    } finally {
      if (isAnswered()) {
        onAnswered?.();
      }
      // An operation may have asked nothing: what can't be sent, was given up, or is known already.
      if (isOut || isAnswered()) {
        this.#noteReachable(!isOut);
      }
      endWork();
      open.calls--;
      if (open.retired && open.calls === 0) {
        await (await open.client).close();
      }
    }
  }

  /** The same account with a token that is good: somebody else's renewal, or one of our own. */
  async #renew(refused: Session, refusal: Error): Promise<Session> {
    const current = await this.session();
    if (current?.id === refused.id && current.accessToken !== refused.accessToken) {
      return current;
    }
    if (this.#state.kind === 'expired') {
      throw refusal;
    }
    this.#renewal ??= this.#context.signInAgain(refused).finally(() => (this.#renewal = undefined));
    let renewed: Session | undefined;
    try {
      renewed = await this.#renewal;
    } catch (error) {
      if (!this.#context.window.isGivenUp(error)) {
        throw error;
      }
    }
    // Somebody else who signed in did not ask for this.
    if (renewed?.id !== refused.id) {
      this.#setState({ kind: 'expired', session: refused });
      throw refusal;
    }
    return renewed;
  }

  #noteReachable(reachable: boolean): void {
    const state = this.#state;
    if (reachable && state.kind === 'offline') {
      this.#setState({ kind: 'signedIn', session: state.session });
      this.#reconnected.fire(undefined);
    } else if (!reachable && (state.kind === 'signedIn' || state.kind === 'working')) {
      this.#setState({ kind: 'offline', session: state.session, since: new Date() });
    }
  }

  /** Shows *working* once a request has taken a while, until none is under way. */
  #beginWork(): () => void {
    this.#requestsUnderWay++;
    const timer = setTimeout(() => {
      if (this.#state.kind === 'signedIn') {
        this.#setState({ kind: 'working', session: this.#state.session });
      }
    }, workingDelayMs);
    return () => {
      clearTimeout(timer);
      this.#requestsUnderWay--;
      if (this.#requestsUnderWay === 0 && this.#state.kind === 'working') {
        this.#setState({ kind: 'signedIn', session: this.#state.session });
      }
    };
  }

  #openClient(session: Session): OpenClient {
    const open = this.#client;
    if (open?.session.id === session.id && open.session.accessToken === session.accessToken) {
      return open;
    }
    inBackground(this.#leaveClient(session));
    const { window, memory, log } = this.#context;
    const opened = { session, client: window.openClient(session, memory, log), calls: 0, retired: false };
    this.#client = opened;
    return opened;
  }

  /** Ends the client: at once when its account is left, else when what the account has under way is done. */
  async #leaveClient(next?: Session): Promise<void> {
    const open = this.#client;
    this.#client = undefined;
    if (open && open.session.id === next?.id && open.calls > 0) {
      open.retired = true;
    } else {
      // One that could not be created has told whoever asked for it.
      await (await open?.client.catch(() => undefined))?.close();
    }
  }
}
