/**
 * Deletes old versions of stacks in which there is nothing of anybody's. Of each branch these stay: the newest versions, and
 * every older one with a text or a mark that the newest one has not. The README says so too.
 */
import type { Database } from './database.ts';

/** As many of the newest versions of a branch stay, whatever is in them: people compare with them. */
export const newestVersions = 5;

interface OldVersion {
  uuid: string;
  /** The uuid of the newest version of its branch. */
  newest: string;
}

/** Prunes the versions of a project; see the module. @returns How many stacks were deleted. */
export function pruneVersions(database: Database, projectId: number): number {
  return database.transaction(() => {
    const old = database
      .query<OldVersion>(
        `SELECT uuid, newest FROM (
           SELECT uuid, status,
             row_number() OVER (PARTITION BY branch_id ORDER BY version DESC) AS age,
             first_value(uuid) OVER (PARTITION BY branch_id ORDER BY version DESC) AS newest
           FROM stacks WHERE project_id = ? AND status <> 'loading')
         WHERE age > ? AND status = 'inactive'`,
      )
      .all(projectId, newestVersions);
    const pruned = old.filter((version) => !hasOwn(database, version));
    pruned.forEach(({ uuid }) => database.run('DELETE FROM stacks WHERE uuid = ?', uuid));
    return pruned.length;
  });
}

/** True when someone wrote a text or set a mark in a version, and the newest one doesn't have it. */
function hasOwn(database: Database, { uuid, newest }: OldVersion): boolean {
  const { found } = database
    .query<{ found: number }>(
      `SELECT EXISTS (
         SELECT 1 FROM patches AS old JOIN patch_marks AS mark ON mark.patch_id = old.id
         WHERE old.stack_uuid = ?1 AND NOT EXISTS (
           SELECT 1 FROM patches AS now JOIN patch_marks AS kept ON kept.patch_id = now.id
           WHERE now.stack_uuid = ?2 AND now.change_id = old.change_id AND now.patch_sha = old.patch_sha
             AND kept.user_id = mark.user_id AND kept.viewed_at IS mark.viewed_at
             AND kept.signed_off_at IS mark.signed_off_at AND kept.changes_requested_at IS mark.changes_requested_at)
       ) OR EXISTS (
         SELECT 1 FROM patches AS old JOIN sections AS written ON written.patch_id = old.id
         WHERE old.stack_uuid = ?1 AND written.edited = 1 AND NOT EXISTS (
           SELECT 1 FROM patches AS now JOIN sections AS kept ON kept.patch_id = now.id AND kept.code = written.code
           WHERE now.stack_uuid = ?2 AND kept.text = written.text)
       ) AS found`,
    )
    .get(uuid, newest) ?? { found: 1 };
  return found === 1;
}
