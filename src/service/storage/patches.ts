import type { SignatureState } from '../../util/review.ts';
import type { Database } from './database.ts';
import { touchStack } from './stacks.ts';
import type { UserRow } from './users.ts';

/** A patch as it is stored: one commit in one version of a stack. */
export interface PatchRow {
  id: number;
  stack_uuid: string;
  change_id: string;
  commit_sha: string;
  /** The hash of its changes, whatever it is based on: a rebase without conflicts keeps it. */
  patch_sha: string;
  title: string;
  description: string | null;
  message_body: string;
  /** See `Completeness`. */
  incomplete: number;
  author_key: string;
  position: number;
  version: number;
  file_count: number;
  lines: number;
  deletions: number;
  created_at: number;
  updated_at: number;
}

/**
 * The part of a commit that is stored, and in which `incomplete` says so: all of it; as much as the repository had when it was read; or
 * only what is listed of it, because nobody has read it yet.
 */
export type Completeness = keyof typeof completenesses;
const completenesses = { complete: 0, incomplete: 1, unread: 2 };

/** True for a patch of which nothing is known but what a list says: its number of files and lines are still to be read. */
export function isUnread({ incomplete }: Pick<PatchRow, 'incomplete'>): boolean {
  return incomplete === completenesses.unread;
}

/** Someone who wrote part of a patch. */
interface ContributorRow {
  patch_id: number;
  email: string;
  name: string;
  user_id: number | null;
}

/** A user's marks on a patch, as times, or null for those they didn't set. */
export interface MarkRow {
  patch_id: number;
  user_id: number;
  viewed_at: number | null;
  /** At most one of these two is set: whoever requests changes no longer signs off, and the other way round. */
  signed_off_at: number | null;
  changes_requested_at: number | null;
  /** The way in which the one of them is signed, where it came through a Git remote. */
  signature: SignatureState | null;
}

/** What is read of a commit beyond what a list says of it. */
interface PatchContent {
  patchSha: string;
  messageBody: string;
  completeness: Completeness;
  fileCount: number;
  lines: number;
  deletions: number;
}

/** Somebody who wrote part of a patch, on the way into the database. */
export interface PatchContributor {
  email: string;
  name: string;
  userId: number | undefined;
}

/** A patch on its way into the database. */
interface NewPatch extends PatchContent {
  stackUuid: string;
  changeId: string;
  commitSha: string;
  title: string;
  authorKey: string;
  position: number;
  createdAt: number;
  contributors: readonly PatchContributor[];
}

/** One patch of a stack. */
export function findPatch(database: Database, stackUuid: string, changeId: string): PatchRow | undefined {
  return database
    .query<PatchRow>('SELECT * FROM patches WHERE stack_uuid = ? AND change_id = ?')
    .get(stackUuid, changeId);
}

/**
 * A patch of a commit in a project: of this branch before others, and of those the newest.
 *
 * @param except The uuid of a stack that is being written.
 */
export function findByCommit(
  database: Database,
  projectId: number,
  branchId: string,
  sha: string,
  except = '',
): PatchRow | undefined {
  return database
    .query<PatchRow>(
      `SELECT patches.* FROM patches JOIN stacks ON uuid = stack_uuid
       WHERE project_id = ? AND commit_sha = ? AND uuid <> ?
       ORDER BY branch_id = ? DESC, stacks.created_at DESC LIMIT 1`,
    )
    .get(projectId, sha, except, branchId);
}

/** True where a commit is known to be an earlier commit of a patch that changes the same. */
export function isSameVersion(
  database: Database,
  { stack_uuid, change_id, version }: PatchRow,
  commitSha: string,
): boolean {
  const { found } = database
    .query<{ found: number }>(
      `SELECT EXISTS (
         SELECT 1 FROM patches JOIN stacks ON uuid = stack_uuid
         WHERE commit_sha = ? AND change_id = ? AND patches.version = ?
           AND project_id = (SELECT project_id FROM stacks WHERE uuid = ?)
       ) AS found`,
    )
    .get(commitSha, change_id, version, stack_uuid) ?? { found: 0 };
  return found === 1;
}

/** The newest patches of an author that have a title and make a change, on whichever branch: a few of them. */
export function findAlike(
  database: Database,
  projectId: number,
  authorKey: string,
  title: string,
  patchSha: string,
): PatchRow[] {
  return database
    .query<PatchRow>(
      `SELECT patches.* FROM patches JOIN stacks ON uuid = stack_uuid
       WHERE project_id = ? AND author_key = ? AND patches.title = ? AND patch_sha = ?
       ORDER BY stacks.created_at DESC LIMIT 3`,
    )
    .all(projectId, authorKey, title, patchSha);
}

/** Writes a patch and its contributors; gives its id. */
export function insertPatch(database: Database, patch: NewPatch): number {
  const { id } = database.run(
    `INSERT INTO patches (stack_uuid, change_id, commit_sha, patch_sha, title, message_body, incomplete, author_key,
       position, version, file_count, lines, deletions, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?)`,
    patch.stackUuid,
    patch.changeId,
    patch.commitSha,
    patch.patchSha,
    patch.title,
    patch.messageBody,
    completenesses[patch.completeness],
    patch.authorKey,
    patch.position,
    patch.fileCount,
    patch.lines,
    patch.deletions,
    patch.createdAt,
    database.now(),
  );
  insertContributors(database, id, patch.contributors);
  return id;
}

/**
 * Completes a patch that is unread.
 *
 * @param others Those of its contributors who aren't its author.
 * @returns false where it isn't unread any more, or is gone.
 */
export function completePatch(
  database: Database,
  id: number,
  content: PatchContent,
  others: readonly PatchContributor[],
): boolean {
  const { changes } = database.run(
    `UPDATE patches SET patch_sha = ?, message_body = ?, incomplete = ?, file_count = ?, lines = ?, deletions = ?, updated_at = ?
     WHERE id = ? AND incomplete = 2`,
    content.patchSha,
    content.messageBody,
    completenesses[content.completeness],
    content.fileCount,
    content.lines,
    content.deletions,
    database.now(),
    id,
  );
  if (changes > 0) {
    insertContributors(database, id, others, 1);
  }
  return changes > 0;
}

function insertContributors(
  database: Database,
  id: number,
  contributors: readonly PatchContributor[],
  first = 0,
): void {
  contributors.forEach(({ email, name, userId }, index) => {
    database.run(
      'INSERT INTO patch_contributors (patch_id, position, email, name, user_id) VALUES (?, ?, ?, ?, ?)',
      id,
      first + index,
      email,
      name,
      userId ?? null,
    );
  });
}

/** The patches of a project that are unread, stack by stack, base to tip. */
export function selectUnread(database: Database, projectId: number): PatchRow[] {
  return database
    .query<PatchRow>(
      `SELECT patches.* FROM patches JOIN stacks ON uuid = stack_uuid
       WHERE project_id = ? AND incomplete = 2 ORDER BY stacks.created_at, stack_uuid, position`,
    )
    .all(projectId);
}

/** The patches to read from: all of a stack, or one of them. */
export interface PatchSelection {
  stackUuid: string;
  patchId?: number | undefined;
}

/** The condition for a selection on `patches`, and its parameters. */
const isSelected = 'stack_uuid = ? AND patches.id = coalesce(?, patches.id)';

function selected({ stackUuid, patchId }: PatchSelection): [string, number | null] {
  return [stackUuid, patchId ?? null];
}

/** The selected patches, base to tip. */
export function selectPatches(database: Database, selection: PatchSelection): PatchRow[] {
  return database
    .query<PatchRow>(`SELECT * FROM patches WHERE ${isSelected} ORDER BY position, id`)
    .all(...selected(selection));
}

/** The contributors of the selected patches, in order. */
export function selectContributors(database: Database, selection: PatchSelection): ContributorRow[] {
  return database
    .query<ContributorRow>(
      `SELECT patch_contributors.* FROM patch_contributors JOIN patches ON patches.id = patch_id
       WHERE ${isSelected} ORDER BY patches.position, patch_contributors.position`,
    )
    .all(...selected(selection));
}

/** Everyone's marks on the selected patches. */
export function selectMarks(database: Database, selection: PatchSelection): MarkRow[] {
  return database
    .query<MarkRow>(
      `SELECT patch_marks.* FROM patch_marks JOIN patches ON patches.id = patch_id
       WHERE ${isSelected} ORDER BY user_id`,
    )
    .all(...selected(selection));
}

/** The paths of the files that each selected patch changes, in the order of its sections. */
export function selectFiles(
  database: Database,
  selection: PatchSelection,
): { patch_id: number; path: string }[] {
  return database
    .query<{ patch_id: number; path: string }>(
      `SELECT patch_id, coalesce(new_path, old_path, identifier) AS path FROM sections JOIN patches ON patches.id = patch_id
       WHERE ${isSelected} AND section_type = 'diff' ORDER BY sections.position`,
    )
    .all(...selected(selection));
}

export function countSections(
  database: Database,
  selection: PatchSelection,
): { patch_id: number; number: number }[] {
  return database
    .query<{ patch_id: number; number: number }>(
      `SELECT patch_id, count(*) AS number FROM sections JOIN patches ON patches.id = patch_id
       WHERE ${isSelected} GROUP BY patch_id`,
    )
    .all(...selected(selection));
}

/** Notes that a user has read a patch: the first time counts. */
export function markViewed(database: Database, patch: PatchRow, user: UserRow): void {
  const seen = database
    .query<MarkRow>('SELECT * FROM patch_marks WHERE patch_id = ? AND user_id = ? AND viewed_at IS NOT NULL')
    .get(patch.id, user.id);
  if (seen) {
    return;
  }
  database.run(
    `INSERT INTO patch_marks (patch_id, user_id, viewed_at) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET viewed_at = excluded.viewed_at`,
    patch.id,
    user.id,
    database.now(),
  );
}

/**
 * Notes what a user says of a patch: that they sign it off, or that they request changes. Saying the same again changes
 * nothing; the one takes the place of the other, and nothing takes either back.
 *
 * @param signature The way in which it is signed, where it came through a Git remote.
 */
export function setReview(
  database: Database,
  patch: PatchRow,
  user: UserRow,
  signsOff: boolean,
  signature: SignatureState | null = null,
): void {
  const [said, other] = signsOff
    ? ['signed_off_at', 'changes_requested_at']
    : ['changes_requested_at', 'signed_off_at'];
  database.transaction(() => {
    database.run(
      `INSERT INTO patch_marks (patch_id, user_id, ${said}, signature) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET
         signature = CASE WHEN ${said} IS NULL THEN excluded.signature ELSE signature END,
         ${said} = coalesce(${said}, excluded.${said}), ${other} = NULL`,
      patch.id,
      user.id,
      database.now(),
      signature,
    );
    touchPatch(database, patch);
  });
}

/** Notes how what a user says of a patch is signed. */
export function setSignature(
  database: Database,
  patch: PatchRow,
  { id }: UserRow,
  signature: SignatureState,
): void {
  const { changes } = database.run(
    'UPDATE patch_marks SET signature = ?1 WHERE patch_id = ?2 AND user_id = ?3 AND signature IS NOT ?1',
    signature,
    patch.id,
    id,
  );
  if (changes > 0) {
    touchPatch(database, patch);
  }
}

/** Marks a patch and its stack as changed. */
export function touchPatch(database: Database, patch: PatchRow): void {
  database.run('UPDATE patches SET updated_at = ? WHERE id = ?', database.now(), patch.id);
  touchStack(database, patch.stack_uuid);
}

/** Copies the patches of a stack, with their sections and contributors, into another that has none. */
export function copyPatches(database: Database, fromUuid: string, toUuid: string): void {
  const patches = selectPatches(database, { stackUuid: fromUuid });
  copyAll(
    database,
    toUuid,
    patches.map(({ id, change_id, position }) => ({ id, changeId: change_id, position })),
  );
}

/** A patch that is to be copied, and what it is called and where it is in the stack that it goes to. */
interface CopiedPatch {
  id: number;
  changeId: string;
  position: number;
}

/**
 * Copies patches with their sections, contributors and marks, all at once: there may be thousands.
 *
 * @returns The ids of the copies by position.
 */
export function copyAll(
  database: Database,
  stackUuid: string,
  patches: readonly CopiedPatch[],
): Map<number, number> {
  if (patches.length === 0) {
    return new Map();
  }
  return database.transaction(() => {
    const copies = database
      .query<{ id: number; position: number }>(
        `INSERT INTO patches (stack_uuid, change_id, commit_sha, patch_sha, title, description, message_body, incomplete,
         author_key, position, version, file_count, lines, deletions, created_at, updated_at)
       SELECT ?, value ->> 'changeId', commit_sha, patch_sha, title, description, message_body, incomplete, author_key,
         value ->> 'position', version, file_count, lines, deletions, created_at, ?
       FROM json_each(?) JOIN patches ON patches.id = value ->> 'id' RETURNING id, position`,
      )
      .all(stackUuid, database.now(), JSON.stringify(patches));
    const ids = new Map(copies.map(({ id, position }) => [position, id]));
    const pairs = JSON.stringify(patches.map(({ id, position }) => ({ from: id, to: ids.get(position) })));
    database.run(
      `INSERT INTO patch_contributors (patch_id, position, email, name, user_id)
       SELECT value ->> 'to', position, email, name, user_id
       FROM json_each(?) JOIN patch_contributors ON patch_id = value ->> 'from'`,
      pairs,
    );
    database.run(
      `INSERT INTO patch_marks (patch_id, user_id, viewed_at, signed_off_at, changes_requested_at, signature)
       SELECT value ->> 'to', user_id, viewed_at, signed_off_at, changes_requested_at, signature
       FROM json_each(?) JOIN patch_marks ON patch_id = value ->> 'from'`,
      pairs,
    );
    database.run(
      `INSERT INTO sections (patch_id, code, section_type, identifier, version, position, text, from_message, edited,
         edited_message, versions, old_path, new_path, old_mode, new_mode, old_size, new_size, hunks, lines, deletions, diff_sha,
         encoding, change_sha, base_file_sha, new_file_sha, created_at, updated_at)
       SELECT value ->> 'to', code, section_type, identifier, version, position, text, from_message, edited, edited_message,
         versions, old_path, new_path, old_mode, new_mode, old_size, new_size, hunks, lines, deletions, diff_sha, encoding,
         change_sha, base_file_sha, new_file_sha, created_at, updated_at
       FROM json_each(?) JOIN sections ON patch_id = value ->> 'from' ORDER BY patch_id, sections.id`,
      pairs,
    );
    return ids;
  });
}
