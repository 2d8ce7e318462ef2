/**
 * Remembers how far what was typed on each page is known, also after its pending change is gone: a browser that was killed gives back what a
 * page had removed, and old text must not come back over newer one.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import type { TypedOn } from './pendingChange.ts';
import type { ReplaceFile } from './journal.ts';

/** Milliseconds after which a page keeps nothing any more: thirty days, as in its own storage, and a day for clocks that differ. */
const expiryMs = 31 * 24 * 60 * 60_000;

const schema = v.record(v.string(), v.number());

/** See the module. */
export class KnownEditions {
  readonly #folder: string;
  readonly #replace: ReplaceFile;

  /** @param folder where the pages have a file each; it need not exist yet. */
  constructor(folder: string, replace: ReplaceFile) {
    this.#folder = folder;
    this.#replace = replace;
  }

  /** True when what was typed about something on a page was taken in, sent, or discarded as far as this or further. */
  has(about: string, { page, edition }: TypedOn): boolean {
    return edition <= (this.#read(page)[about] ?? -1);
  }

  /** Notes that. @throws what the file system says. */
  async note(about: string, { page, edition }: TypedOn): Promise<void> {
    const known = this.#read(page);
    if (edition <= (known[about] ?? -1)) {
      return;
    }
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const file = this.#fileOf(page);
    await this.#replace(file, JSON.stringify({ ...known, [about]: edition }), `${file}.unfinished`);
  }

  /** Forgets pages that can give nothing back any more. */
  async sweep(now: number): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    for (const file of names.map((name) => path.join(this.#folder, name))) {
      const { mtimeMs = now } = (await stat(file).catch(() => undefined)) ?? {};
      if (now - mtimeMs > expiryMs) {
        await rm(file, { force: true }).catch(() => undefined);
      }
    }
  }

  #read(page: string): Record<string, number> {
    try {
      return v.parse(schema, JSON.parse(readFileSync(this.#fileOf(page), 'utf8')));
    } catch {
      // Nothing is known of it.
      return {};
    }
  }

  #fileOf(page: string): string {
    return path.join(this.#folder, `${createHash('sha256').update(page).digest('hex').slice(0, 32)}.json`);
  }
}
