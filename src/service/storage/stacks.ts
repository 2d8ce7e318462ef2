import { randomUUID } from 'node:crypto';
import type { Database } from './database.ts';
import { pageParameters, touchProject, type Page } from './projects.ts';

/** The states of a stack; see `StackStatusFilter` for lists. */
type StackStatus = 'active' | 'inactive' | 'closed' | 'loading';

/** A patch stack as it is stored. */
export interface StackRow {
  uuid: string;
  project_id: number;
  branch_id: string;
  oplog_sha: string;
  title: string;
  description: string | null;
  title_written: number;
  description_written: number;
  /** The base of the stack, such as `origin/main`. */
  base: string | null;
  status: StackStatus;
  version: number;
  created_at: number;
  updated_at: number;
}

interface NewStack {
  projectId: number;
  branchId: string;
  oplogSha: string;
  title: string;
  status: StackStatus;
  /** The stack of the branch that this one was before it was renamed. */
  renamed?: StackRow | undefined;
}

/** A person's change of a stack; properties that are left out stay. */
interface StackChange {
  status?: 'active' | 'closed' | undefined;
  title?: string | undefined;
  description?: string | undefined;
}

/** The filter of a list of stacks. */
interface StackFilter extends Page {
  status: StackStatus | 'all';
  branchId?: string | undefined;
}

/** The stack with this uuid. */
export function findStack(database: Database, uuid: string): StackRow | undefined {
  return database.query<StackRow>('SELECT * FROM stacks WHERE uuid = ?').get(uuid);
}

/** A branch's newest version that is ready, else the one that is still loading. */
export function findLatestStack(
  database: Database,
  projectId: number,
  branchId: string,
): StackRow | undefined {
  return database
    .query<StackRow>(
      `SELECT * FROM stacks WHERE project_id = ? AND branch_id = ? ORDER BY status = 'loading', version DESC LIMIT 1`,
    )
    .get(projectId, branchId);
}

/** Whether a project has any stack, or any but the one named. */
export function hasOtherStacks(database: Database, projectId: number, uuid = ''): boolean {
  return (
    database.query('SELECT 1 FROM stacks WHERE project_id = ? AND uuid <> ? LIMIT 1').get(projectId, uuid) !==
    undefined
  );
}

/** A project's stacks: newest update first, then by uuid. */
export function listStacks(database: Database, projectId: number, filter: StackFilter): StackRow[] {
  const status = filter.status === 'all' ? null : filter.status;
  return database
    .query<StackRow>(
      `SELECT * FROM stacks WHERE project_id = ? AND status = coalesce(?, status) AND branch_id = coalesce(?, branch_id)
         AND updated_at > ? AND updated_at < ? ORDER BY updated_at DESC, uuid LIMIT ?`,
    )
    .all(projectId, status, filter.branchId ?? null, ...pageParameters(filter));
}

/** When a stack of a project has become another; 0 where there is none. Never the same again after one has. */
export function lastChangeOfStacks(database: Database, projectId: number): number {
  return (
    database
      .query<{ at: number | null }>('SELECT max(updated_at) AS at FROM stacks WHERE project_id = ?')
      .get(projectId)?.at ?? 0
  );
}

/**
 * Creates the next version of a branch's stack. What a person wrote as title or description of the version before is
 * kept. A stack that is ready at once leaves the older versions inactive; one that is loading does so in `activateStack`.
 */
export function createStack(database: Database, stack: NewStack): StackRow {
  return database.transaction(() => {
    const latest = database
      .query<StackRow>(
        'SELECT * FROM stacks WHERE project_id = ? AND branch_id = ? ORDER BY version DESC LIMIT 1',
      )
      .get(stack.projectId, stack.branchId);
    const previous = latest ?? stack.renamed;
    const uuid = randomUUID();
    const now = database.stamp();
    const titleWritten = previous?.title_written === 1;
    const descriptionWritten = previous?.description_written === 1;
    database.run(
      `INSERT INTO stacks (uuid, project_id, branch_id, oplog_sha, title, description, title_written,
         description_written, status, version, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'loading', ?, ?, ?)`,
      uuid,
      stack.projectId,
      stack.branchId,
      stack.oplogSha,
      titleWritten ? previous.title : stack.title,
      descriptionWritten ? previous.description : null,
      Number(titleWritten),
      Number(descriptionWritten),
      (latest?.version ?? 0) + 1,
      now,
      now,
    );
    if (stack.status !== 'loading') {
      activateStack(database, uuid, stack.status);
    }
    return requireStack(database, uuid);
  });
}

/** Ends the loading of a stack: gives it its status, and makes the older versions of its branch inactive. */
export function activateStack(database: Database, uuid: string, status: StackStatus): void {
  database.transaction(() => {
    const stack = requireStack(database, uuid);
    const older = database
      .query<{ uuid: string }>(
        `SELECT uuid FROM stacks WHERE project_id = ? AND branch_id = ? AND version < ? AND status <> 'inactive'`,
      )
      .all(stack.project_id, stack.branch_id, stack.version);
    for (const row of older) {
      setStackStatus(database, row.uuid, 'inactive');
    }
    setStackStatus(database, uuid, status);
    touchProject(database, stack.project_id);
  });
}

/** Notes what a stack is compared with. */
export function setStackBase(database: Database, { uuid, base }: StackRow, now: string | null): void {
  if (base !== now) {
    database.run('UPDATE stacks SET base = ?, updated_at = ? WHERE uuid = ?', now, database.stamp(), uuid);
  }
}

/** Sets a stack's status. */
export function setStackStatus(database: Database, uuid: string, status: StackStatus): void {
  database.run('UPDATE stacks SET status = ?, updated_at = ? WHERE uuid = ?', status, database.stamp(), uuid);
}

/** Changes what a person wants changed about a stack. */
export function updateStack(database: Database, uuid: string, change: StackChange): StackRow {
  return database.transaction(() => {
    const before = requireStack(database, uuid);
    database.run(
      `UPDATE stacks SET status = coalesce(?, status), title = coalesce(?, title), description = coalesce(?, description),
         title_written = title_written OR ?, description_written = description_written OR ?, updated_at = ?
       WHERE uuid = ?`,
      change.status ?? null,
      change.title ?? null,
      change.description ?? null,
      Number(change.title !== undefined),
      Number(change.description !== undefined),
      database.stamp(),
      uuid,
    );
    touchProject(database, before.project_id);
    return requireStack(database, uuid);
  });
}

/** Marks a stack and its project as changed, because a patch has changed: whoever asks for projects since then learns of it. */
export function touchStack(database: Database, uuid: string): void {
  database.transaction(() => {
    const touched = database
      .query<Pick<StackRow, 'project_id'>>(
        'UPDATE stacks SET updated_at = ? WHERE uuid = ? RETURNING project_id',
      )
      .get(database.stamp(), uuid);
    if (touched) {
      touchProject(database, touched.project_id);
    }
  });
}

/** Deletes the stacks whose loading was broken off. */
export function deleteLoadingStacks(database: Database): void {
  database.run(`DELETE FROM stacks WHERE status = 'loading'`);
}

/** Deletes one stack with its patches. */
export function deleteStack(database: Database, uuid: string): void {
  database.run('DELETE FROM stacks WHERE uuid = ?', uuid);
}

/** The stack with this uuid, which must be there. */
export function requireStack(database: Database, uuid: string): StackRow {
  const stack = findStack(database, uuid);
  if (!stack) {
    throw new Error(`Couldn't find stack ${uuid}.`);
  }
  return stack;
}
