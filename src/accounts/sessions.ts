import { randomUUID } from 'node:crypto';
import { watch } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type * as vscode from 'vscode';
import type { CredentialScheme } from '../api/request.ts';
import type { Disposable } from '../util/disposable.ts';
import { DisposableStore } from '../util/disposable.ts';
import { Emitter } from '../util/event.ts';
import type { Server } from './clientOptions.ts';

/** Who is signed in where: what may be known of a session without its token. */
interface SessionEntry extends Server {
  id: string;
  /** The scheme that the server was seen to take. */
  credentialScheme: CredentialScheme;
  userId: string;
  /** What the Accounts menu calls the account. */
  login: string;
}

/** Somebody signed in to a server. Holds the access token: never log it, never hand it to a webview. */
export interface Session extends SessionEntry {
  accessToken: string;
}

/** What changed in who is signed in. A renewed sign-in counts as both. */
export interface SessionsChange {
  added: Session[];
  removed: Session[];
}

const listName = 'sessions.json';

/**
 * The sessions of all servers, the same in every window. The tokens are in VS Code's secret storage and nowhere else; who
 * is signed in stands in a file beside it, because a browser's window does not hear of the secrets that another changes.
 */
export class SessionStore implements Disposable {
  readonly #secrets: vscode.SecretStorage;
  readonly #folder: string;
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(new Emitter<SessionsChange>());
  #known: Promise<Session[]> | undefined;

  /** Fires after a sign-in or sign-out in this window or another one. */
  readonly onDidChange = this.#changed.event;

  /**
   * @param folder where the list of sessions lies; the same for every window.
   */
  constructor(secrets: vscode.SecretStorage, folder: string) {
    this.#secrets = secrets;
    this.#folder = folder;
    this.#disposables.add(secrets.onDidChange(() => this.#reload()));
  }

  /** Begins to hear of what other windows change. */
  async watch(): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const watcher = watch(this.#folder, (_event, name) => {
      if (name === listName) {
        void this.#reload();
      }
    });
    this.#disposables.add({ dispose: () => watcher.close() });
  }

  /** All sessions. What cannot be read counts as signed out. */
  list(): Promise<Session[]> {
    this.#known ??= this.#read();
    return this.#known;
  }

  /** Keeps a sign-in. Signing in again to the same account of the same server renews its session, which keeps its id. */
  async save(signedIn: Omit<Session, 'id'>): Promise<Session> {
    const entries = await this.#readEntries();
    const isSameAccount = (other: SessionEntry): boolean =>
      other.serverUrl === signedIn.serverUrl && other.userId === signedIn.userId;
    const { accessToken, ...entry } = { ...signedIn, id: entries.find(isSameAccount)?.id ?? randomUUID() };
    await this.#secrets.store(tokenKey(entry.id), accessToken);
    await this.#writeEntries([...entries.filter((other) => !isSameAccount(other)), entry]);
    return { ...entry, accessToken };
  }

  /** Forgets a session and its token. */
  async remove(id: string): Promise<void> {
    await this.#secrets.delete(tokenKey(id));
    await this.#writeEntries((await this.#readEntries()).filter((entry) => entry.id !== id));
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /** Compares what is stored now with what was known, and tells what changed; nothing when nothing did. */
  async #reload(): Promise<void> {
    const known = this.#known ?? Promise.resolve([]);
    const reading = this.#read();
    this.#known = reading;
    const [before, after] = await Promise.all([known, reading]);
    const isIn = (sessions: Session[], session: Session): boolean =>
      sessions.some((other) => other.id === session.id && other.accessToken === session.accessToken);
    const added = after.filter((session) => !isIn(before, session));
    const removed = before.filter((session) => !isIn(after, session));
    if (added.length > 0 || removed.length > 0) {
      this.#changed.fire({ added, removed });
    }
  }

  async #read(): Promise<Session[]> {
    const sessions = await Promise.all(
      (await this.#readEntries()).map(async (entry) => {
        const accessToken = await this.#secrets.get(tokenKey(entry.id));
        return accessToken === undefined ? undefined : { ...entry, accessToken };
      }),
    );
    return sessions.filter((session) => session !== undefined);
  }

  async #readEntries(): Promise<SessionEntry[]> {
    try {
      const stored: unknown = JSON.parse(await readFile(path.join(this.#folder, listName), 'utf8'));
      return Array.isArray(stored) ? stored.filter(isEntry) : [];
    } catch {
      return [];
    }
  }

  async #writeEntries(entries: SessionEntry[]): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const file = path.join(this.#folder, listName);
    const temporary = `${file}.${randomUUID()}`;
    await writeFile(temporary, JSON.stringify(entries, undefined, 2), { mode: 0o600 });
    await rename(temporary, file);
    await this.#reload();
  }
}

function tokenKey(sessionId: string): string {
  return `patchStacks.token.${sessionId}`;
}

function isEntry(value: unknown): value is SessionEntry {
  const entry = value as Partial<SessionEntry> | null;
  return (
    typeof entry?.id === 'string' &&
    typeof entry.serverUrl === 'string' &&
    URL.canParse(entry.serverUrl) &&
    (entry.credentialScheme === 'x-auth-token' || entry.credentialScheme === 'bearer') &&
    typeof entry.userId === 'string' &&
    typeof entry.login === 'string' &&
    (entry.allowInsecure === undefined || typeof entry.allowInsecure === 'boolean')
  );
}
