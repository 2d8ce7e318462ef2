import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ProfileFields } from '../../protocol/profile.ts';
import { readFields } from './profileFields.ts';

/** What was typed into the profile form and is not saved: a file in the folder of the account. */
export class ProfileDraft {
  readonly #file: string;
  #writing: Promise<void> = Promise.resolve();

  /** @param folder the folder of the account, which need not exist yet. */
  constructor(folder: string) {
    this.#file = path.join(folder, 'profile-draft.json');
  }

  /** What was typed last; nothing when there is no draft that can be read. */
  async read(): Promise<Partial<ProfileFields>> {
    await this.#writing;
    try {
      return readFields(JSON.parse(await readFile(this.#file, 'utf8')));
    } catch {
      return {};
    }
  }

  /** Keeps what is typed now, or forgets it when nothing is. Later calls win over earlier ones. */
  write(fields: Partial<ProfileFields>): Promise<void> {
    const written = this.#writing.then(() => this.#write(fields));
    this.#writing = written.catch(() => undefined);
    return written;
  }

  async #write(fields: Partial<ProfileFields>): Promise<void> {
    if (Object.keys(fields).length === 0) {
      await rm(this.#file, { force: true });
      return;
    }
    await mkdir(path.dirname(this.#file), { recursive: true });
    // A window that ends while it writes leaves the draft from before.
    const unfinished = `${this.#file}.${randomUUID()}`;
    await writeFile(unfinished, JSON.stringify(fields), { mode: 0o600, flush: true });
    await rename(unfinished, this.#file);
  }
}
