/** A bare repository into which anything is written, object by object, as no git would: what a stranger's remote may have. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deflateSync } from 'node:zlib';

/** Who wrote a commit, as its lines have it. */
const who = 'Mallory <mallory@example.com> 1700000000 +0000';

/** The lines of a commit that can be other ones than it has by itself. */
export interface CommitLines {
  parents?: readonly string[];
  author?: string;
  committer?: string;
  /** Further lines of the header, each with its end. */
  more?: string;
  message?: string;
}

/** See the module. */
export class RawRemote {
  readonly #directory: string;

  /** @param directory The folder that has `objects` and `refs`. */
  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Writes an object, whatever is in it. @returns Its name. */
  object(type: string, content: Buffer | string): string {
    const bytes = Buffer.from(content);
    const whole = Buffer.concat([Buffer.from(`${type} ${bytes.length}\0`), bytes]);
    const sha = createHash('sha1').update(whole).digest('hex');
    const file = path.join(this.#directory, 'objects', sha.slice(0, 2), sha.slice(2));
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, deflateSync(whole, { level: 1 }));
    return sha;
  }

  /** Writes a tree with entries in the order given. */
  tree(...entries: readonly (readonly [mode: string, name: string, sha: string])[]): string {
    const bytes = entries.map(([mode, name, sha]) =>
      Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(sha, 'hex')]),
    );
    return this.object('tree', Buffer.concat(bytes));
  }

  /** Writes a commit. */
  commit(
    tree: string,
    { parents = [], author = who, committer = who, more = '', message = 'x' }: CommitLines = {},
  ): string {
    const lines = [`tree ${tree}\n`, ...parents.map((parent) => `parent ${parent}\n`)];
    return this.object(
      'commit',
      `${lines.join('')}author ${author}\ncommitter ${committer}\n${more}\n${message}`,
    );
  }

  /** Has a ref stand at an object, also at one that isn't there. */
  ref(name: string, sha: string): void {
    const file = path.join(this.#directory, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `${sha}\n`);
  }
}
