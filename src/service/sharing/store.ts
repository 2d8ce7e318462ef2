/** The part of the database that sharing keeps: a cache that can be thrown away, made when sharing is turned on for the first time. */
import * as v from 'valibot';
import type { Database } from '../storage/database.ts';
import type { FoldStore } from './fold.ts';

/** Rows that are deleted at once. */
const mostForgotten = 5_000;

/** Keys and values of one project that is shared through one remote. */
export class SharingStore implements FoldStore {
  readonly #database: Database;
  readonly #space: string;
  /** Written in the transaction that runs, and not in the database yet. */
  readonly #written = new Map<string, object | string | number>();
  /** Read or written in the transaction that runs: what is there once needn't be taken apart again. */
  readonly #known = new Map<string, unknown>();
  #isGathering = false;

  /** @param space Tells it from what is shared otherwise. */
  constructor(database: Database, space: string) {
    this.#database = database;
    this.#space = space;
    database.run(
      `CREATE TABLE IF NOT EXISTS shared (
         space TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (space, key)) STRICT`,
    );
  }

  /** What tells all that there is in a database from one another. */
  static spacesOf(database: Database): string[] {
    return database
      .query<{ space: string }>('SELECT DISTINCT space FROM shared')
      .all()
      .map(({ space }) => space);
  }

  get(key: string): unknown {
    if (this.#known.has(key)) {
      return this.#known.get(key);
    }
    const row = this.#database
      .query<{ value: string }>('SELECT value FROM shared WHERE space = ? AND key = ?')
      .get(this.#space, key);
    return this.#valueOf(key, row?.value);
  }

  #valueOf(key: string, written: string | undefined): unknown {
    if (this.#known.has(key)) {
      return this.#known.get(key);
    }
    const value: unknown = written === undefined ? undefined : JSON.parse(written);
    if (this.#isGathering) {
      this.#known.set(key, value);
    }
    return value;
  }

  set(key: string, value: object | string | number): void {
    this.#written.set(key, value);
    if (this.#isGathering) {
      this.#known.set(key, value);
    } else {
      this.#flush();
    }
  }

  delete(key: string): void {
    this.#written.delete(key);
    this.#known.delete(key);
    this.#database.run('DELETE FROM shared WHERE space = ? AND key = ?', this.#space, key);
  }

  keys(prefix: string): string[] {
    this.#flush();
    return this.#database
      .query<{ key: string }>('SELECT key FROM shared WHERE space = ? AND key >= ? AND key < ? ORDER BY key')
      .all(this.#space, prefix, `${prefix}\u{10ffff}`)
      .map(({ key }) => key);
  }

  entries(prefix: string): [key: string, value: unknown][] {
    this.#flush();
    return this.#database
      .query<{
        key: string;
        value: string;
      }>('SELECT key, value FROM shared WHERE space = ? AND key >= ? AND key < ? ORDER BY key')
      .all(this.#space, prefix, `${prefix}\u{10ffff}`)
      .map(({ key, value }) => [key, this.#valueOf(key, value)]);
  }

  /** Reads what was written under a name: the caller knows what that was. */
  read(...name: string[]): unknown {
    return this.get(JSON.stringify(name));
  }

  /** Reads what was written under a name; undefined where it isn't one of these, and where there is nothing. */
  readAs<Schema extends v.GenericSchema>(
    schema: Schema,
    ...name: string[]
  ): v.InferInput<Schema> | undefined {
    const value = this.read(...name);
    return v.is(schema, value) ? value : undefined;
  }

  /** Writes a value under a name. */
  write(value: object | string | number, ...name: string[]): void {
    this.set(JSON.stringify(name), value);
  }

  /** The last parts of the names that begin like this, and what was written under them. */
  list(...name: string[]): [string, unknown][] {
    return this.entries(`${JSON.stringify(name).slice(0, -1)},`).map(([key, value]) => [
      (JSON.parse(key) as string[]).at(-1) ?? '',
      value,
    ]);
  }

  /** The same of what is one of these. */
  listAs<Schema extends v.GenericSchema>(
    schema: Schema,
    ...name: string[]
  ): [string, v.InferInput<Schema>][] {
    const found: [string, v.InferInput<Schema>][] = [];
    for (const [last, value] of this.list(...name)) {
      if (v.is(schema, value)) {
        found.push([last, value]);
      }
    }
    return found;
  }

  /** Forgets what was written under a name. */
  forget(...name: string[]): void {
    this.delete(JSON.stringify(name));
  }

  /** Forgets all that was written under names that begin like this, but not under this name itself. */
  forgetAll(...name: string[]): void {
    this.#flush();
    this.#known.clear();
    const prefix = `${JSON.stringify(name).slice(0, -1)},`;
    this.#database.run(
      'DELETE FROM shared WHERE space = ? AND key >= ? AND key < ?',
      this.#space,
      prefix,
      `${prefix}\u{10ffff}`,
    );
  }

  /** Forgets some of that. @returns False where there is nothing left of it. */
  forgetSome(...name: string[]): boolean {
    this.#flush();
    this.#known.clear();
    const prefix = `${JSON.stringify(name).slice(0, -1)},`;
    const { changes } = this.#database.run(
      `DELETE FROM shared WHERE rowid IN (
         SELECT rowid FROM shared WHERE space = ? AND key >= ? AND key < ? LIMIT ?)`,
      this.#space,
      prefix,
      `${prefix}\u{10ffff}`,
      mostForgotten,
    );
    return changes > 0;
  }

  /** Forgets all of it. */
  clear(): void {
    this.#written.clear();
    this.#known.clear();
    this.#database.run('DELETE FROM shared WHERE space = ?', this.#space);
  }

  /** Runs `work` in one transaction of the database, into which each key is written once, at its end. */
  transaction<Result>(work: () => Result): Result {
    if (this.#isGathering) {
      return work();
    }
    this.#isGathering = true;
    try {
      return this.#database.transaction(() => {
        const result = work();
        this.#flush();
        return result;
      });
    } finally {
      this.#isGathering = false;
      this.#written.clear();
      this.#known.clear();
    }
  }

  #flush(): void {
    for (const [key, value] of this.#written) {
      this.#database.run(
        `INSERT INTO shared (space, key, value) VALUES (?, ?, ?)
         ON CONFLICT DO UPDATE SET value = excluded.value WHERE value <> excluded.value`,
        this.#space,
        key,
        JSON.stringify(value),
      );
    }
    this.#written.clear();
  }
}
