/** The part of the database that sharing keeps: a cache that can be thrown away, made when sharing is turned on for the first time. */
import type { Database } from '../storage/database.ts';
import type { FoldStore } from './fold.ts';

/** Keys and values of one project that is shared through one remote. */
export class SharingStore implements FoldStore {
  readonly #database: Database;
  readonly #space: string;

  /** @param space Tells it from what is shared otherwise. */
  constructor(database: Database, space: string) {
    this.#database = database;
    this.#space = space;
    database.run(
      `CREATE TABLE IF NOT EXISTS shared (
         space TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (space, key)) STRICT`,
    );
  }

  get(key: string): string | undefined {
    return this.#database
      .query<{ value: string }>('SELECT value FROM shared WHERE space = ? AND key = ?')
      .get(this.#space, key)?.value;
  }

  set(key: string, value: string): void {
    this.#database.run(
      `INSERT INTO shared (space, key, value) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET value = excluded.value WHERE value <> excluded.value`,
      this.#space,
      key,
      value,
    );
  }

  keys(prefix: string): string[] {
    return this.#database
      .query<{ key: string }>('SELECT key FROM shared WHERE space = ? AND key >= ? AND key < ? ORDER BY key')
      .all(this.#space, prefix, `${prefix}\u{10ffff}`)
      .map(({ key }) => key);
  }

  /** Reads what was written under a name: the caller knows what that was. */
  read(...name: string[]): unknown {
    const value = this.get(JSON.stringify(name));
    return value === undefined ? undefined : JSON.parse(value);
  }

  /** Writes a value under a name. */
  write(value: object | string | number, ...name: string[]): void {
    this.set(JSON.stringify(name), JSON.stringify(value));
  }

  /** The last parts of the names that begin like this, and what was written under them. */
  list(...name: string[]): [string, unknown][] {
    return this.keys(`${JSON.stringify(name).slice(0, -1)},`).map((key) => [
      (JSON.parse(key) as string[]).at(-1) ?? '',
      JSON.parse(this.get(key) ?? 'null'),
    ]);
  }

  /** Forgets what was written under a name. */
  forget(...name: string[]): void {
    this.#database.run('DELETE FROM shared WHERE space = ? AND key = ?', this.#space, JSON.stringify(name));
  }

  /** Forgets all of it. */
  clear(): void {
    this.#database.run('DELETE FROM shared WHERE space = ?', this.#space);
  }

  /** Runs `work` in one transaction of the database. */
  transaction<Result>(work: () => Result): Result {
    return this.#database.transaction(work);
  }
}
