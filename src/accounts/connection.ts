import * as vscode from 'vscode';
import type { ApiClient } from '../api/client.ts';
import { readSetting, setContext } from '../contributions.ts';
import type { Log } from '../ui/log.ts';
import { DisposableStore, type Disposable } from '../util/disposable.ts';
import { Emitter } from '../util/event.ts';
import type { Session, SessionStore } from './sessions.ts';

/** How this window stands with the service; the status bar says it. */
export type ConnectionState =
  | { kind: 'signedOut' }
  | { kind: 'signingIn' }
  | { kind: 'signedIn'; session: Session }
  | { kind: 'offline'; session: Session; since: Date };

/** Nobody is signed in to the active server. */
export class SignedOutError extends Error {
  override name = 'SignedOutError';

  constructor() {
    super(vscode.l10n.t('Nobody is signed in. Run “Patch Stacks: Sign In” first.'));
  }
}

const activeServerKey = 'activeServer';

/** The active server, its session and the client that talks to it. */
export class Connection implements Disposable {
  readonly #memory: vscode.Memento;
  readonly #sessions: SessionStore;
  readonly #log: Log;
  readonly #disposables = new DisposableStore();
  readonly #stateChanged = this.#disposables.add(new Emitter<ConnectionState>());
  readonly #accountChanged = this.#disposables.add(new Emitter<Session | undefined>());
  #client: { session: Session; client: Promise<ApiClient> } | undefined;
  #state: ConnectionState = { kind: 'signedOut' };

  /** Fires when `state` is another one. */
  readonly onDidChangeState = this.#stateChanged.event;
  /** Fires when another account or server is active: what was loaded before belongs to somebody else. */
  readonly onDidChangeAccount = this.#accountChanged.event;

  constructor(memory: vscode.Memento, sessions: SessionStore, log: Log) {
    this.#memory = memory;
    this.#sessions = sessions;
    this.#log = log;
    this.#disposables.add(sessions.onDidChange(() => this.refresh()));
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** The server that commands work on: the one switched to last, else the one of the setting. */
  get activeServer(): string | undefined {
    return this.#memory.get<string>(activeServerKey) ?? (readSetting('serverUrl') || undefined);
  }

  /** Makes a server the active one. */
  async setActiveServer(serverUrl: string): Promise<void> {
    await this.#memory.update(activeServerKey, serverUrl);
    await this.refresh();
  }

  /** The session of the active server, if somebody is signed in. */
  async session(): Promise<Session | undefined> {
    return this.activeServer ? this.#sessions.forServer(this.activeServer) : undefined;
  }

  /** Looks again who is signed in where, and tells whom it concerns. */
  async refresh(): Promise<void> {
    const session = await this.session();
    const before = 'session' in this.#state ? this.#state.session : undefined;
    if (session && before?.id === session.id && before.accessToken === session.accessToken) {
      return;
    }
    await this.#closeClient();
    this.setState(session ? { kind: 'signedIn', session } : { kind: 'signedOut' });
    await setContext('signedIn', session !== undefined);
    this.#accountChanged.fire(session);
  }

  /** Says how the window stands now. */
  setState(state: ConnectionState): void {
    this.#state = state;
    this.#stateChanged.fire(state);
  }

  /** Notes whether the service answered, so that the status bar can say *offline* and since when. */
  noteReachable(reachable: boolean): void {
    const state = this.#state;
    if (reachable && state.kind === 'offline') {
      this.setState({ kind: 'signedIn', session: state.session });
    } else if (!reachable && state.kind === 'signedIn') {
      this.setState({ kind: 'offline', session: state.session, since: new Date() });
    }
  }

  /**
   * The client of the active server.
   *
   * @throws {SignedOutError} when nobody is signed in to it.
   */
  async client(): Promise<ApiClient> {
    const session = await this.session();
    if (!session) {
      throw new SignedOutError();
    }
    if (this.#client?.session !== session) {
      await this.#closeClient();
      this.#client = { session, client: createClient(session, this.#log) };
    }
    return this.#client.client;
  }

  dispose(): void {
    void this.#closeClient();
    this.#disposables.dispose();
  }

  async #closeClient(): Promise<void> {
    const open = this.#client;
    this.#client = undefined;
    await (await open?.client)?.close();
  }
}

async function createClient(session: Session, log: Log): Promise<ApiClient> {
  // The client is the largest part of the extension: it is loaded when it is first needed.
  const { openClient } = await import('./openClient.ts');
  return openClient(session, log);
}
