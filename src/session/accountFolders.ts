import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Session } from './sessions.ts';
import { systemCode } from '../util/systemCode.ts';

/** Finds each account's data on this computer: a folder for each, below the extension's global storage. */
export class AccountFolders {
  readonly #storage: string;

  constructor(storage: string) {
    this.#storage = storage;
  }

  /** The folder of an account. It need not exist yet. Its name tells neither server nor user. */
  folder({ serverUrl, userId }: Pick<Session, 'serverUrl' | 'userId'>): string {
    const name = createHash('sha256')
      .update(JSON.stringify([serverUrl, userId]))
      .digest('hex')
      .slice(0, 32);
    return path.join(this.#storage, 'accounts', name);
  }

  /** The folder of an account's unsent changes. It need not exist yet. */
  pendingFolder(account: Pick<Session, 'serverUrl' | 'userId'>): string {
    return path.join(this.folder(account), 'pending');
  }

  /** Counts an account's changes that aren't on the service yet; undefined when that can't be read. */
  async pendingCount(account: Pick<Session, 'serverUrl' | 'userId'>): Promise<number | undefined> {
    try {
      const files = await readdir(this.pendingFolder(account));
      return files.filter((name) => name.endsWith('.json')).length;
    } catch (error) {
      return systemCode(error) === 'ENOENT' ? 0 : undefined;
    }
  }

  /** Deletes everything that is kept for an account. */
  async delete(account: Pick<Session, 'serverUrl' | 'userId'>): Promise<void> {
    await rm(this.folder(account), { recursive: true, force: true });
  }
}
