import { chmodSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { ServiceError } from '../errors.ts';
import { migrations } from './migrations.ts';
import { membersOf } from '../../util/isObject.ts';
import { messageOf } from '../../util/messageOf.ts';

/** One prepared statement whose rows have the shape `Row`. The shape is the caller's promise: SQLite is not asked. */
class Query<Row> {
  readonly #statement: StatementSync;

  constructor(statement: StatementSync) {
    this.#statement = statement;
  }

  /** The first row, or undefined when there is none. */
  get(...parameters: SQLInputValue[]): Row | undefined {
    return this.#statement.get(...parameters) as Row | undefined;
  }

  /** Every row. */
  all(...parameters: SQLInputValue[]): Row[] {
    return this.#statement.all(...parameters) as Row[];
  }

  /** The rows one by one, for results that should not be in memory at once. */
  iterate(...parameters: SQLInputValue[]): Iterable<Row> {
    return this.#statement.iterate(...parameters) as Iterable<Row>;
  }
}

/** Some of SQLite's codes for what went wrong. */
const sqliteCodes = { corrupt: 11, full: 13, notADatabase: 26 };

/** Whether it is SQLite's way to say that the disk is full. */
export function isDiskFull(error: unknown): boolean {
  return hasCode(error, sqliteCodes.full);
}

function hasCode(error: unknown, ...codes: number[]): boolean {
  const code = membersOf(error)['errcode'];
  // The other bits say more precisely what it is.
  return typeof code === 'number' && codes.includes(code & 0xff);
}

/** Pages, and the part of a file, that may lie idle: what comes next is written there. */
const fewPages = 256;
const spare = 0.2;

/** The file of a database is damaged, or isn't one. */
export class DamagedDatabaseError extends ServiceError {
  constructor(file: string, options?: ErrorOptions) {
    super(
      'data_unusable',
      `The database ${file} is damaged and doesn't have a good copy. Move it to another place to begin anew, or use another data directory.`,
      options,
    );
  }
}

interface WriteResult {
  changes: number;
  /** The id of the row it inserted. */
  id: number;
}

/**
 * The service's database: one connection, prepared statements, short synchronous transactions.
 * A transaction never spans an `await`, so no request can end up inside another one's.
 */
export class Database {
  readonly #connection: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #clock: () => number;
  #lastStamp = 0;
  #inTransaction = false;

  /**
   * Opens the database and brings its schema up to date.
   *
   * @param file Path of the SQLite file, or `:memory:`.
   * @param clock The time in milliseconds since the epoch.
   * @param beforeMigrating called when an older program wrote it, before anything of it is changed.
   * @throws DamagedDatabaseError; ServiceError `data_unusable` when a newer program wrote it, or it can't be used.
   */
  constructor(
    file: string,
    clock: () => number = Date.now,
    beforeMigrating: (database: Database) => void = () => undefined,
  ) {
    this.#clock = clock;
    // A step of the migration may replace a table that another one refers to.
    this.#connection = new DatabaseSync(file, { enableForeignKeyConstraints: false });
    try {
      const isNew = this.#number('page_count') === 0;
      if (!isNew && this.#text('quick_check(1)') !== 'ok') {
        throw new DamagedDatabaseError(file);
      }
      if (isNew) {
        // One that is made now has nothing yet that a journal on the disk could save: without it the disk is waited for once.
        this.#connection.exec('PRAGMA journal_mode = MEMORY');
      }
      // FULL with WAL: a commit is on the disk before it is acknowledged, so no kill or power cut takes it back. 16 MB of pages in
      // memory, and 40 MB in the log: a version of thousands of patches writes into indexes all over the file, the same pages again and again.
      this.#connection.exec(`
        PRAGMA auto_vacuum = INCREMENTAL;
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = FULL;
        PRAGMA wal_autocheckpoint = 10000;
        PRAGMA busy_timeout = 2000;
        PRAGMA cache_size = -16000;
      `);
      this.#migrate(file, beforeMigrating);
      this.#connection.exec('PRAGMA foreign_keys = ON');
      this.#makeShrinkable();
      const newest = this.query<{ stamp: number | null }>(
        `SELECT max(stamp) AS stamp FROM (
           SELECT max(updated_at) AS stamp FROM projects UNION ALL SELECT max(updated_at) FROM stacks)`,
      ).get();
      this.#lastStamp = newest?.stamp ?? 0;
    } catch (error) {
      this.#connection.close();
      if (error instanceof ServiceError) {
        throw error;
      }
      if (hasCode(error, sqliteCodes.corrupt, sqliteCodes.notADatabase)) {
        throw new DamagedDatabaseError(file, { cause: error });
      }
      throw new ServiceError(
        'data_unusable',
        `Couldn't use the database ${file} (${messageOf(error)}). Use another data directory.`,
        { cause: error },
      );
    }
  }

  #migrate(file: string, beforeMigrating: (database: Database) => void): void {
    const { user_version: version } = this.query<{ user_version: number }>('PRAGMA user_version').get() ?? {
      user_version: 0,
    };
    if (version > migrations.length) {
      throw new ServiceError(
        'data_unusable',
        `The database ${file} was written by a newer version of Patch Stacks. Update Patch Stacks, or use another data directory.`,
      );
    }
    if (version < migrations.length) {
      if (version > 0) {
        beforeMigrating(this);
      }
      const migrate = (): void => {
        migrations.slice(version).forEach((step) => this.#connection.exec(step));
        this.#connection.exec(`PRAGMA user_version = ${migrations.length}`);
      };
      this.transaction(migrate, { isRepeatable: true });
    }
  }

  /** A file that was made before it could shrink is rewritten once. */
  #makeShrinkable(): void {
    if (this.#number('auto_vacuum') === 0) {
      this.#connection.exec('PRAGMA auto_vacuum = INCREMENTAL; VACUUM');
    }
  }

  #number(pragma: 'auto_vacuum' | 'freelist_count' | 'page_count'): number {
    return Number(this.#text(pragma) ?? 0);
  }

  #text(pragma: string): unknown {
    return Object.values(this.#connection.prepare(`PRAGMA ${pragma}`).get() ?? {})[0];
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#connection.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** A prepared SELECT; prepared once per text, so texts must not contain values. */
  query<Row>(sql: string): Query<Row> {
    return new Query<Row>(this.#prepare(sql));
  }

  /** Runs one prepared write. */
  run(sql: string, ...parameters: SQLInputValue[]): WriteResult {
    const result = this.#prepare(sql).run(...parameters);
    return { changes: Number(result.changes), id: Number(result.lastInsertRowid) };
  }

  /**
   * Runs `work` in one transaction: all of its writes are kept, or none when it throws.
   * A transaction inside a transaction joins it.
   *
   * @param isRepeatable True when a power cut may take it back, for it would be done again: the disk isn't waited for. What is
   *   committed later never outlives it.
   */
  transaction<Result>(work: () => Result, { isRepeatable = false } = {}): Result {
    if (this.#inTransaction) {
      return work();
    }
    if (!isRepeatable) {
      return this.#transact(work);
    }
    this.#connection.exec('PRAGMA synchronous = NORMAL');
    try {
      return this.#transact(work);
    } finally {
      this.#connection.exec('PRAGMA synchronous = FULL');
    }
  }

  #transact<Result>(work: () => Result): Result {
    this.#connection.exec('BEGIN IMMEDIATE');
    this.#inTransaction = true;
    try {
      const result = work();
      this.#connection.exec('COMMIT');
      return result;
    } catch (error) {
      this.#connection.exec('ROLLBACK');
      throw error;
    } finally {
      this.#inTransaction = false;
    }
  }

  /** The time, in milliseconds since the epoch. */
  now(): number {
    return this.#clock();
  }

  /**
   * The time for an `updated_at`: never the same twice. Lists page by it, and a page that ended between two records
   * with one time would lose the second.
   */
  stamp(): number {
    this.#lastStamp = Math.max(this.#clock(), this.#lastStamp + 1);
    return this.#lastStamp;
  }

  /** The last of those times: as long as it is the same, nothing that has one has changed. */
  get lastStamp(): number {
    return this.#lastStamp;
  }

  /** Gives the room of what was deleted back to the disk, where it is much. */
  shrink(): void {
    const free = this.#number('freelist_count');
    if (free > fewPages && free > this.#number('page_count') * spare) {
      this.#connection.exec('PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)');
    }
  }

  /** Writes a copy of all of it, as SQLite itself makes one, to a file that isn't there yet. */
  copyInto(file: string): void {
    this.#connection.prepare('VACUUM INTO ?').run(file);
  }

  /** Writes the log back into the database file and closes it. */
  close(): void {
    this.#connection.close();
  }
}

/** Whether a file has a database in which nothing is damaged. */
export function isSoundDatabase(file: string): boolean {
  let connection: DatabaseSync | undefined;
  try {
    connection = new DatabaseSync(file);
    return Object.values(connection.prepare('PRAGMA quick_check(1)').get() ?? {})[0] === 'ok';
  } catch {
    return false;
  } finally {
    connection?.close();
  }
}

/** So much work is done in one transaction, which waits for the disk once. */
const groupCost = 200;

/** Writes that belong to nobody's request: several are done in one transaction. What isn't flushed is never done. */
export class GroupedWrites {
  readonly #database: Database;
  readonly #isRepeatable: boolean;
  #works: (() => void)[] = [];
  #cost = 0;

  /** @param isRepeatable See `Database.transaction`. */
  constructor(database: Database, isRepeatable: boolean) {
    this.#database = database;
    this.#isRepeatable = isRepeatable;
  }

  /** Does this soon, in the order in which it was added. */
  add(cost: number, work: () => void): void {
    this.#works.push(work);
    this.#cost += cost;
    if (this.#cost >= groupCost) {
      this.flush();
    }
  }

  /** Does all that was added. */
  flush(): void {
    const works = this.#works;
    this.#works = [];
    this.#cost = 0;
    if (works.length > 0) {
      this.#database.transaction(() => works.forEach((work) => work()), { isRepeatable: this.#isRepeatable });
    }
  }
}

/** Holds the data directory for this process until `release`. */
interface DataDirectoryLock {
  release(): void;
}

/**
 * Creates the data directory where there is none, closes it to others, and takes it for this process. The lock is SQLite's own on a file of
 * its own: the operating system drops it with the process, however that ends, so none is ever left behind.
 *
 * @throws ServiceError `data_locked` when another service has it, `data_unusable` when it cannot be written.
 */
export function lockDataDirectory(directory: string): DataDirectoryLock {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    // The mode above counts only for a new folder: what is in it is for no one else on the computer.
    chmodSync(directory, 0o700);
    const connection = new DatabaseSync(path.join(directory, 'lock'), { timeout: 0 });
    try {
      connection.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      connection.close();
      throw error;
    }
    return { release: () => connection.close() };
  } catch (error) {
    const message = messageOf(error);
    if (message.includes('locked')) {
      throw new ServiceError(
        'data_locked',
        `Another local service is using ${directory}. Stop it, or use another data directory.`,
        { cause: error },
      );
    }
    throw new ServiceError(
      'data_unusable',
      `Couldn't write to the data directory ${directory} (${message}). Use another one.`,
      { cause: error },
    );
  }
}
