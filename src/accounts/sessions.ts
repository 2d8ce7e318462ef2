import { randomUUID } from 'node:crypto';
import type * as vscode from 'vscode';
import type { CredentialScheme } from '../api/request.ts';
import { Emitter } from '../util/event.ts';
import type { Disposable } from '../util/disposable.ts';

/** Somebody signed in to a server. Holds the access token: never log it, never hand it to a webview. */
export interface Session {
  id: string;
  /** The API root, as `serverRoot` normalises it. */
  serverUrl: string;
  accessToken: string;
  /** The scheme that the server was seen to take. */
  credentialScheme: CredentialScheme;
  userId: string;
  /** What the Accounts menu calls the account. */
  login: string;
}

/** Where all sessions are: one entry of VS Code's secret storage, the only place a token is ever kept in. */
const secretKey = 'patchStacks.sessions';

/** The sessions of all servers, the same in every window. */
export class SessionStore implements Disposable {
  readonly #secrets: vscode.SecretStorage;
  readonly #changed = new Emitter<{ added: Session[]; removed: Session[] }>();
  readonly #watch: Disposable;
  #known: Promise<Session[]> | undefined;

  /** Fires after a sign-in or sign-out in this window or another one. */
  readonly onDidChange = this.#changed.event;

  constructor(secrets: vscode.SecretStorage) {
    this.#secrets = secrets;
    this.#watch = secrets.onDidChange(async ({ key }) => {
      if (key === secretKey) {
        await this.#reload();
      }
    });
  }

  /** All sessions. What cannot be read counts as signed out. */
  list(): Promise<Session[]> {
    this.#known ??= this.#read();
    return this.#known;
  }

  /** Keeps a sign-in. Signing in again to the same account of the same server renews its session, which keeps its id. */
  async save(signedIn: Omit<Session, 'id'>): Promise<Session> {
    const sessions = await this.list();
    const isSameAccount = (other: Session): boolean =>
      other.serverUrl === signedIn.serverUrl && other.userId === signedIn.userId;
    const session = { ...signedIn, id: sessions.find(isSameAccount)?.id ?? randomUUID() };
    await this.#write([...sessions.filter((other) => !isSameAccount(other)), session]);
    return session;
  }

  /** Forgets a session and its token. */
  async remove(id: string): Promise<void> {
    await this.#write((await this.list()).filter((session) => session.id !== id));
  }

  dispose(): void {
    this.#watch.dispose();
    this.#changed.dispose();
  }

  async #write(sessions: Session[]): Promise<void> {
    if (sessions.length === 0) {
      await this.#secrets.delete(secretKey);
    } else {
      await this.#secrets.store(secretKey, JSON.stringify(sessions));
    }
    await this.#reload();
  }

  /** Compares what is stored now with what was known, and tells what changed; nothing when nothing did. */
  async #reload(): Promise<void> {
    const before = (await this.#known) ?? [];
    this.#known = this.#read();
    const after = await this.#known;
    const isIn = (sessions: Session[], session: Session): boolean =>
      sessions.some((other) => other.id === session.id && other.accessToken === session.accessToken);
    const added = after.filter((session) => !isIn(before, session));
    const removed = before.filter((session) => !isIn(after, session));
    if (added.length > 0 || removed.length > 0) {
      this.#changed.fire({ added, removed });
    }
  }

  async #read(): Promise<Session[]> {
    try {
      const stored: unknown = JSON.parse((await this.#secrets.get(secretKey)) ?? '[]');
      return Array.isArray(stored) ? stored.filter(isSession) : [];
    } catch {
      return [];
    }
  }
}

function isSession(value: unknown): value is Session {
  const session = value as Partial<Session> | null;
  return (
    typeof session?.id === 'string' &&
    typeof session.serverUrl === 'string' &&
    typeof session.accessToken === 'string' &&
    typeof session.login === 'string'
  );
}
