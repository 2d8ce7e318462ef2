import { randomUUID } from 'node:crypto';
import { watch } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type * as vscode from 'vscode';
import type { CredentialScheme } from '../api/call.ts';
import { replaceFile } from '../util/atomicFile.ts';
import type { Disposable } from '../util/disposable.ts';
import { DisposableStore } from '../util/disposable.ts';
import { Emitter } from '../util/event.ts';
import { inBackground } from '../util/inBackground.ts';
import { isObject } from '../util/isObject.ts';
import type { Server } from './clientOptions.ts';
import { systemCode } from '../util/systemCode.ts';

/** Who is signed in where: what may be known of a session without its token. */
interface SessionEntry extends Server {
  id: string;
  /** The scheme that the server was seen to take. */
  credentialScheme: CredentialScheme;
  userId: string;
  /** The account's label in the Accounts menu. */
  login: string;
}

/** Someone signed in to a server. Holds the access token: never log it, never hand it to a webview. */
export interface Session extends SessionEntry {
  accessToken: string;
}

/** A change of who is signed in. A renewed sign-in counts as both. */
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
  /** Sessions that the disk did not take, with the reason: they are good in this window, as long as it is open. */
  readonly #unsaved = new Map<string, { session: Session; reason: unknown }>();
  #lastEntries: SessionEntry[] | undefined;

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
    try {
      await mkdir(this.#folder, { recursive: true });
      const watcher = watch(this.#folder, (_event, name) => {
        if (name === listName) {
          inBackground(this.#reload());
        }
      });
      watcher.on('error', () => watcher.close());
      this.#disposables.add({ dispose: () => watcher.close() });
    } catch {
      // If nothing can be written or watched, other windows go unnoticed; this one knows its own sessions.
    }
  }

  /** All sessions. @throws what the file system says when they cannot be read: that proves no one signed out. */
  async list(): Promise<Session[]> {
    const known = (this.#known ??= this.#read());
    try {
      return await known;
    } catch (error) {
      if (this.#known === known) {
        this.#known = undefined;
      }
      throw error;
    }
  }

  /** Why a session could not be saved, so that it ends with this window; undefined when it was. */
  unsavedReason(id: string): unknown {
    return this.#unsaved.get(id)?.reason;
  }

  /**
   * Keeps a sign-in. Signing in again to the same account of the same server renews its session, which keeps its id. When the
   * disk does not take it, it is kept in memory: see `unsavedReason`.
   */
  async save(signedIn: Omit<Session, 'id'>): Promise<Session> {
    try {
      const session = await this.#saveOnDisk(signedIn);
      if (this.#unsaved.delete(session.id)) {
        await this.#reload();
      }
      return session;
    } catch (reason) {
      const isSameAccount = isAccountOf(signedIn);
      const known = (await this.#known?.catch(() => undefined)) ?? [];
      const session = { ...signedIn, id: known.find(isSameAccount)?.id ?? randomUUID() };
      this.#unsaved.set(session.id, { session, reason });
      await this.#reload();
      return session;
    }
  }

  async #saveOnDisk(signedIn: Omit<Session, 'id'>): Promise<Session> {
    const entries = await this.#readEntries();
    const isSameAccount = isAccountOf(signedIn);
    const unsaved = [...this.#unsaved.values()].map(({ session }) => session);
    const id = [...entries, ...unsaved].find(isSameAccount)?.id ?? randomUUID();
    const { accessToken, ...entry } = { ...signedIn, id };
    await this.#secrets.store(tokenKey(entry.id), accessToken);
    await this.#writeEntries([...entries.filter((other) => !isSameAccount(other)), entry]);
    return { ...entry, accessToken };
  }

  /** Forgets a session and its token. */
  async remove(id: string): Promise<void> {
    await this.#secrets.delete(tokenKey(id));
    this.#unsaved.delete(id);
    try {
      await this.#writeEntries((await this.#readEntries()).filter((entry) => entry.id !== id));
    } catch {
      // Whoever is in the list without a token is signed out; the entry goes with the next change of the list.
      await this.#reload();
    }
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /** Compares what is stored now with what was known, and tells what changed; nothing when nothing did. */
  async #reload(): Promise<void> {
    const known = this.#known ?? Promise.resolve([]);
    const reading = this.#read();
    this.#known = reading;
    const [before, after] = await Promise.all([
      known.catch((): Session[] => []),
      reading.catch(() => undefined),
    ]);
    if (!after) {
      // Nothing is known of a change. Whoever has read it again since knows better.
      if ([reading, undefined].includes(this.#known)) {
        this.#known = known;
      }
      return;
    }
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
      (await this.#readEntriesForHere()).map(async (entry) => {
        const accessToken = await this.#secrets.get(tokenKey(entry.id));
        return accessToken === undefined ? undefined : { ...entry, accessToken };
      }),
    );
    const unsaved = [...this.#unsaved.values()].map(({ session }) => session);
    const saved = sessions.filter((session) => session !== undefined);
    return [...saved.filter(({ id }) => !this.#unsaved.has(id)), ...unsaved];
  }

  /** The list; where it cannot be read, those who are signed in in this window alone. */
  async #readEntriesForHere(): Promise<SessionEntry[]> {
    try {
      return await this.#readEntries();
    } catch (error) {
      if (this.#unsaved.size > 0) {
        return [];
      }
      throw error;
    }
  }

  async #readEntries(): Promise<SessionEntry[]> {
    let text: string;
    try {
      text = await readFile(path.join(this.#folder, listName), 'utf8');
    } catch (error) {
      if (systemCode(error) === 'ENOENT') {
        return [];
      }
      if (this.#lastEntries) {
        return this.#lastEntries;
      }
      throw error;
    }
    this.#lastEntries = parseEntries(text);
    return this.#lastEntries;
  }

  async #writeEntries(entries: SessionEntry[]): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const file = path.join(this.#folder, listName);
    await replaceFile(file, JSON.stringify(entries, undefined, 2), `${file}.${randomUUID()}`);
    await this.#reload();
  }
}

function isAccountOf({ serverUrl, userId }: Omit<Session, 'id'>): (other: SessionEntry) => boolean {
  return (other) => other.serverUrl === serverUrl && other.userId === userId;
}

function parseEntries(text: string): SessionEntry[] {
  try {
    const stored: unknown = JSON.parse(text);
    return Array.isArray(stored) ? stored.filter(isEntry) : [];
  } catch {
    return [];
  }
}

function tokenKey(sessionId: string): string {
  return `patchStacks.token.${sessionId}`;
}

function isEntry(value: unknown): value is SessionEntry {
  if (!isObject(value)) {
    return false;
  }
  const { id, serverUrl, address = serverUrl, credentialScheme, userId, login, allowInsecure } = value;
  return (
    typeof id === 'string' &&
    typeof serverUrl === 'string' &&
    URL.canParse(serverUrl) &&
    typeof address === 'string' &&
    URL.canParse(address) &&
    (credentialScheme === 'x-auth-token' || credentialScheme === 'bearer') &&
    typeof userId === 'string' &&
    typeof login === 'string' &&
    (allowInsecure === undefined || typeof allowInsecure === 'boolean')
  );
}
