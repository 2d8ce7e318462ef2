/** The last step of an import: the new version of a stack takes over what people did with the version before. */
import type { Database } from '../storage/database.ts';
import type { PatchRow } from '../storage/patches.ts';
import { insertTextSection, newSectionCode, type NewTextSection } from '../storage/sections.ts';
import { hasOtherStacks, requireStack, type StackRow } from '../storage/stacks.ts';
import { carryTexts, type NamedPatch } from './carryTexts.ts';
import { nameChanges, type KnownPatches } from './changeIds.ts';
import type { Commit } from './commits.ts';
import type { RebasedPatches } from './rebasedPatches.ts';

/** A commit that was written as a patch of a stack that is loading. */
export interface LoadedPatch {
  /** The patch's id in the database. */
  id: number;
  commit: Commit;
  body: string;
  patchSha: string;
  /** The patch that it is a copy of, with all that people did until it was copied. */
  copyOf?: PatchRow;
}

/**
 * Gives the patches of a stack that has loaded their change ids, and takes over from the last version of each change:
 * the texts that people wrote or edited, the order of the sections, and, where the patch itself has not changed, who
 * has viewed it, signed it off or requested changes. The caller runs it in a transaction.
 *
 * @param before The patches of the version before as they are now: of the branch, or of the one that it was renamed from.
 * @param rebased The patches that only moved to another base.
 */
export function carryOver(
  database: Database,
  projectId: number,
  stack: StackRow,
  before: readonly PatchRow[],
  patches: readonly LoadedPatch[],
  rebased: RebasedPatches,
): void {
  const from = before[0] && requireStack(database, before[0].stack_uuid);
  const isOfBranch = from?.branch_id === stack.branch_id;
  // Else nothing is looked for, commit by commit.
  const hasEarlier = hasOtherStacks(database, projectId, stack.uuid);
  const known = knownPatches(database, projectId, stack, before, isOfBranch, hasEarlier);
  const newest = new Map(isOfBranch ? before.map((row) => [row.change_id, row]) : []);
  const renamed: { id: number; changeId: string; version: number }[] = [];
  const changeIds = nameChanges(
    patches.map(({ commit, patchSha }) => ({ ...commit, patchSha })),
    known,
  );
  const ids = new Set(changeIds);
  const named: NamedPatch[] = [];
  for (const [index, patch] of patches.entries()) {
    const changeId = changeIds[index] ?? patch.commit.sha;
    const trailer = patch.commit.changeId;
    if (trailer !== undefined && !ids.has(trailer) && known.ofTrailer(trailer).length === 0) {
      // The trailer came later than the change: from now on the change is known by it.
      database.run(
        'INSERT INTO change_trailers (project_id, trailer, change_id) VALUES (?, ?, ?)',
        projectId,
        trailer,
        changeId,
      );
    }
    const previous =
      newest.get(changeId) ?? (hasEarlier ? findPrevious(database, projectId, stack, changeId) : undefined);
    // A commit that only moved is no new version of its patch.
    const isSame =
      previous?.patch_sha === patch.patchSha &&
      previous.title === patch.commit.title &&
      previous.message_body === patch.body &&
      rebased.has(previous, patch.commit);
    // While a long version loads, people go on with the one before.
    const isCopy =
      previous !== undefined &&
      patch.copyOf?.id === previous.id &&
      patch.copyOf.updated_at === previous.updated_at;
    named.push({ id: patch.id, changeId, patchSha: patch.patchSha, previous, isCopy });
    renamed.push({
      id: patch.id,
      changeId,
      version: previous ? previous.version + (isSame ? 0 : 1) : 1,
    });
    if (isCopy) {
      continue;
    }
    if (patch.copyOf !== undefined) {
      takeBack(database, patch);
    }
    if (previous && isSame) {
      database.run(
        `INSERT INTO patch_marks (patch_id, user_id, viewed_at, signed_off_at, changes_requested_at, signature)
         SELECT ?, user_id, viewed_at, signed_off_at, changes_requested_at, signature FROM patch_marks WHERE patch_id = ?`,
        patch.id,
        previous.id,
      );
    }
  }
  // There may be thousands.
  database.run(
    `UPDATE patches SET change_id = value ->> 'changeId', version = value ->> 'version' FROM json_each(?) WHERE patches.id = value ->> 'id'`,
    JSON.stringify(renamed),
  );
  carryTexts(database, stack, before, named);
}

/** Makes a copy as it was imported, where it turned out to be another change than its original, or that has changed since. */
function takeBack(database: Database, { id, body }: LoadedPatch): void {
  database.run('DELETE FROM patch_marks WHERE patch_id = ?', id);
  database.run(`DELETE FROM sections WHERE patch_id = ? AND section_type = 'text'`, id);
  if (body !== '') {
    insertTextSection(database, id, -1, messageSection(body));
  }
}

/** The section of a commit's message as it is imported. */
export function messageSection(body: string): NewTextSection {
  return { code: newSectionCode(), text: body, version: 1, fromMessage: true, edited: false };
}

function knownPatches(
  database: Database,
  projectId: number,
  stack: StackRow,
  before: readonly PatchRow[],
  isOfBranch: boolean,
  hasEarlier: boolean,
): KnownPatches {
  // Patches of this branch come first, and of those the newest version.
  const find = (
    condition: 'change_id = ?' | 'commit_sha = ?' | 'author_key = ? AND patches.title = ?',
    ...values: string[]
  ) =>
    !hasEarlier
      ? []
      : database
          .query<{ change_id: string }>(
            `SELECT change_id FROM patches JOIN stacks ON uuid = stack_uuid
             WHERE project_id = ? AND uuid <> ? AND ${condition}
             GROUP BY change_id ORDER BY max(branch_id = ?) DESC, max(stacks.created_at) DESC, min(position)`,
          )
          .all(projectId, stack.uuid, ...values, stack.branch_id)
          .map(({ change_id }) => change_id);
  const ofCommit = new Map(before.map(({ commit_sha, change_id }) => [commit_sha, change_id]));
  return {
    branch: before.map((patch) => ({
      changeId: patch.change_id,
      commitSha: patch.commit_sha,
      patchSha: patch.patch_sha,
      authorKey: patch.author_key,
      title: patch.title,
    })),
    ofTrailer: (trailer) => [
      ...find('change_id = ?', trailer),
      ...database
        .query<{
          change_id: string;
        }>('SELECT change_id FROM change_trailers WHERE project_id = ? AND trailer = ?')
        .all(projectId, trailer)
        .map(({ change_id }) => change_id),
    ],
    *ofCommit(sha) {
      const known = isOfBranch ? ofCommit.get(sha) : undefined;
      if (known !== undefined) {
        yield known;
      }
      yield* find('commit_sha = ?', sha);
    },
    ofAuthorAndTitle: (authorKey, title) => find('author_key = ? AND patches.title = ?', authorKey, title),
  };
}

/** The last version of a change: on the same branch, else on another, such as the one this branch was renamed from. */
function findPrevious(
  database: Database,
  projectId: number,
  stack: StackRow,
  changeId: string,
): PatchRow | undefined {
  return database
    .query<PatchRow>(
      `SELECT patches.* FROM patches JOIN stacks ON uuid = stack_uuid
       WHERE project_id = ? AND uuid <> ? AND change_id = ?
       ORDER BY branch_id = ? DESC, stacks.created_at DESC LIMIT 1`,
    )
    .get(projectId, stack.uuid, changeId, stack.branch_id);
}
