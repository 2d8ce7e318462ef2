/**
 * What has changed since the stacks here and what is shared were made the same: a round looks at nothing else, for a team may have shared for
 * years. What changes here the database notes by itself, whoever writes it, and no longer once a transaction has taken it back.
 */
import type { Database } from '../storage/database.ts';
import type { PatchRow } from '../storage/patches.ts';
import type { StackRow } from '../storage/stacks.ts';
import type { Fold } from './fold.ts';
import { Marks } from './marks.ts';
import type { Operation } from './operations.ts';

/** The same with what was noted here. */
class Due extends Marks {
  /** True where there is anything to do. */
  isAny = false;
  /** Changes by the names that they have here, on whichever branch. */
  readonly changes = new Set<string>();

  add({ isAll, branches }: Marks): void {
    this.isAll ||= isAll;
    branches.forEach((changes, branch) => this.noteBranch(branch, ...changes));
  }
}

/** The newest stack that a branch had when it was looked at last, if any, and what its commits were called. */
interface Visit {
  stack: string | undefined;
  names: ReadonlyMap<string, string>;
}

/** What is noted of a row: the row is called NEW or OLD. */
const noted: Readonly<Record<string, (row: string) => string[]>> = {
  stacks: (row) => [`SELECT 'branch', ${row}.branch_id WHERE true`],
  patches: (row) => [
    `SELECT 'change', ${row}.change_id WHERE true`,
    `SELECT 'branch', branch_id FROM stacks WHERE uuid = ${row}.stack_uuid`,
  ],
  sections: (row) => [`SELECT 'change', change_id FROM patches WHERE id = ${row}.patch_id`],
  patch_marks: (row) => [`SELECT 'change', change_id FROM patches WHERE id = ${row}.patch_id`],
  users: () => [`SELECT 'people', '' WHERE true`],
  ssh_keys: () => [`SELECT 'people', '' WHERE true`],
  project_members: () => [`SELECT 'people', '' WHERE true`],
};
const rowsOf = { INSERT: ['NEW'], UPDATE: ['OLD', 'NEW'], DELETE: ['OLD'] };

/** Has the database note what changes from now on. It is of this connection alone: nothing of it is in the file. */
function noteFromNowOn(database: Database): void {
  database.run(
    `CREATE TEMP TABLE IF NOT EXISTS changed_here (
       kind TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (kind, name)) WITHOUT ROWID`,
  );
  for (const [table, select] of Object.entries(noted)) {
    for (const [event, rows] of Object.entries(rowsOf)) {
      const steps = rows
        .flatMap(select)
        .map((rowsToNote) => `INSERT INTO changed_here ${rowsToNote} ON CONFLICT DO NOTHING;`);
      database.run(
        `CREATE TEMP TRIGGER IF NOT EXISTS changed_by_${event}_of_${table} AFTER ${event} ON ${table}
         BEGIN ${steps.join(' ')} END`,
      );
    }
  }
}

/** See the module. */
export class Changes {
  readonly #database: Database;
  readonly #fold: Fold;
  readonly #visits = new Map<string, Visit>();
  /** What this round looks at. */
  #now = new Due();
  /** What the next one does. */
  #due = new Due();
  /** Another number once another connection has written to the file: of that, this one's triggers know nothing. */
  #version: number | undefined;

  /** Whatever there is counts as changed until it was looked at once. */
  constructor(database: Database, fold: Fold) {
    this.#database = database;
    this.#fold = fold;
    this.forget();
    noteFromNowOn(database);
  }

  /**
   * Begins to look at what has changed until now.
   *
   * @param branches All that may be looked at: one that wasn't among them the last time is new.
   * @returns False where there is nothing.
   */
  begin(branches: ReadonlySet<string>): boolean {
    this.#gather();
    [...this.#visits.keys()]
      .filter((branch) => !branches.has(branch))
      .forEach((branch) => this.#visits.delete(branch));
    this.#now = this.#due;
    this.#due = new Due();
    const { isAll, isAny, changes } = this.#now;
    return (
      isAll ||
      isAny ||
      changes.size > 0 ||
      this.#now.branches.size > 0 ||
      [...branches].some((branch) => !this.#visits.has(branch))
    );
  }

  /** Goes on with what has changed since then, where people have: all depends on them. */
  goOn(): void {
    this.#gather();
    if (this.#due.isAll) {
      this.#now.isAll = true;
      this.#due.isAll = false;
      this.#due.isAny = true;
    }
  }

  /** Runs what writes here only what is shared: no round need look at that again. To be called in a transaction. */
  ofOthers<Result>(write: () => Result): Result {
    this.#gather();
    const result = write();
    this.#database.run('DELETE FROM changed_here');
    return result;
  }

  /** Has the next round look at what this operation is about, although nothing changes: it couldn't be shared. */
  repeat(operation: Operation): void {
    if ('branch' in operation) {
      this.#due.note(operation);
    } else {
      this.#due.isAny = true;
    }
  }

  /** Takes all for changed, for what was done in this round was taken back. */
  forget(): void {
    this.#visits.clear();
    this.#due.isAny = true;
  }

  /** The branches of which something has changed. */
  branches(all: Iterable<string>): string[] {
    const { isAll, branches } = this.#now;
    return [...all].filter((branch) => isAll || branches.has(branch) || !this.#visits.has(branch));
  }

  /**
   * The patches of a branch that have changed; from now on it counts as looked at.
   *
   * @param stack Its newest one, if there is one that is shared.
   * @param names What its commits are called among those who share.
   */
  patches(
    branch: string,
    stack?: StackRow,
    patches: readonly PatchRow[] = [],
    names: ReadonlyMap<string, string> = new Map(),
  ): PatchRow[] {
    const before = this.#visits.get(branch);
    this.#visits.set(branch, { stack: stack?.uuid, names });
    const { isAll, branches, changes } = this.#now;
    if (isAll || before?.stack !== stack?.uuid) {
      return [...patches];
    }
    const shared = branches.get(branch);
    return patches.filter(({ commit_sha, change_id }) => {
      const name = names.get(commit_sha) ?? commit_sha;
      return changes.has(change_id) || before?.names.get(commit_sha) !== name || shared?.has(name) === true;
    });
  }

  #gather(): void {
    const version = this.#database.query<{ data_version: number }>('PRAGMA data_version').get()?.data_version;
    if (version !== this.#version) {
      this.#version = version;
      this.forget();
      this.#due.isAll = true;
    }
    this.#due.add(this.#fold.takeMarks());
    const rows = this.#database
      .query<{ kind: string; name: string }>('SELECT kind, name FROM changed_here')
      .all();
    if (rows.length === 0) {
      return;
    }
    for (const { kind, name } of rows) {
      if (kind === 'branch') {
        this.#due.noteBranch(name);
      } else if (kind === 'change') {
        this.#due.changes.add(name);
      } else {
        this.#due.isAll = true;
      }
    }
    // What is said of a patch depends on where it was before, also on other branches.
    const stacks = this.#database.query<{ branch_id: string }>(
      `SELECT DISTINCT branch_id FROM changed_here JOIN patches ON change_id = name JOIN stacks ON uuid = stack_uuid
       WHERE kind = 'change'`,
    );
    stacks.all().forEach(({ branch_id }) => this.#due.noteBranch(branch_id));
    this.#database.run('DELETE FROM changed_here');
  }
}
