/** The last step of an import: the new version of a stack takes over what people did with the version before. */
import type { Database } from '../storage/database.ts';
import { selectPatches, type PatchRow } from '../storage/patches.ts';
import {
  insertTextSection,
  listSections,
  type NewTextSection,
  type SectionRow,
} from '../storage/sections.ts';
import type { StackRow } from '../storage/stacks.ts';
import { nameChanges, type KnownPatches } from './changeIds.ts';
import type { Commit } from './commits.ts';

/** A commit that was written as a patch of a stack that is loading. */
export interface LoadedPatch {
  /** The patch's id in the database. */
  id: number;
  commit: Commit;
  body: string;
  patchSha: string;
}

/**
 * Gives the patches of a stack that has loaded their change ids, and takes over from the last version of each change:
 * the texts that people wrote or edited, the order of the sections, and, where the patch itself has not changed, who
 * has viewed it, signed it off or requested changes. The caller runs it in a transaction.
 *
 * @param latest The version of the branch's stack before this one.
 */
export function takeOver(
  database: Database,
  projectId: number,
  stack: StackRow,
  latest: StackRow | undefined,
  patches: readonly LoadedPatch[],
): void {
  const changeIds = nameChanges(
    patches.map(({ commit, patchSha }) => ({ ...commit, patchSha })),
    knownPatches(database, projectId, stack, latest),
  );
  for (const [index, patch] of patches.entries()) {
    const changeId = changeIds[index] ?? patch.commit.sha;
    const previous = findPrevious(database, projectId, stack, changeId);
    const sameCommit = previous?.commit_sha === patch.commit.sha;
    database.run(
      'UPDATE patches SET change_id = ?, version = ? WHERE id = ?',
      changeId,
      previous ? previous.version + (sameCommit ? 0 : 1) : 1,
      patch.id,
    );
    if (!previous) {
      continue;
    }
    takeOverSections(database, previous, patch.id);
    if (
      previous.patch_sha === patch.patchSha &&
      previous.title === patch.commit.title &&
      previous.message_body === patch.body
    ) {
      database.run(
        `INSERT INTO patch_marks (patch_id, user_id, viewed_at, signed_off_at, changes_requested_at)
         SELECT ?, user_id, viewed_at, signed_off_at, changes_requested_at FROM patch_marks WHERE patch_id = ?`,
        patch.id,
        previous.id,
      );
    }
  }
}

function knownPatches(
  database: Database,
  projectId: number,
  stack: StackRow,
  latest: StackRow | undefined,
): KnownPatches {
  // Patches of this branch come first, and of those the newest version.
  const find = (condition: 'commit_sha = ?' | 'author_key = ? AND patches.title = ?', ...values: string[]) =>
    database
      .query<{ change_id: string }>(
        `SELECT change_id FROM patches JOIN stacks ON uuid = stack_uuid
         WHERE project_id = ? AND uuid <> ? AND ${condition}
         GROUP BY change_id ORDER BY max(branch_id = ?) DESC, max(stacks.created_at) DESC, min(position)`,
      )
      .all(projectId, stack.uuid, ...values, stack.branch_id)
      .map(({ change_id }) => change_id);
  return {
    branch: (latest ? selectPatches(database, { stackUuid: latest.uuid }) : []).map((patch) => ({
      changeId: patch.change_id,
      commitSha: patch.commit_sha,
      patchSha: patch.patch_sha,
      authorKey: patch.author_key,
      title: patch.title,
    })),
    ofCommit: (sha) => find('commit_sha = ?', sha),
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

function takeOverSections(database: Database, previous: PatchRow, patchId: number): void {
  const before = listSections(database, previous.id);
  const imported = listSections(database, patchId);
  const message = imported.find((section) => section.from_message === 1);
  const texts = before
    .filter((section) => section.section_type === 'text')
    .flatMap((section) => nextVersion(section, message) ?? []);
  // The message's section of the version before is gone where someone deleted it, and then it stays gone.
  const isNew =
    message && previous.message_body === '' && !before.some((section) => section.from_message === 1);
  if (isNew) {
    texts.unshift(textOf(message));
  }

  database.run(`DELETE FROM sections WHERE patch_id = ? AND section_type = 'text'`, patchId);
  for (const text of texts) {
    insertTextSection(database, patchId, 0, text);
  }
  const sections = listSections(database, patchId);
  const order = mergeOrder(
    before.map(({ code }) => code),
    [
      ...texts.filter(({ fromMessage }) => fromMessage).map(({ code }) => code),
      ...imported.filter((section) => section.section_type === 'diff').map(({ code }) => code),
    ],
    new Set(sections.map(({ code }) => code)),
  );
  const positions = new Map(order.map((code, position) => [code, position]));
  const diffsBefore = new Map(before.map((section) => [section.code, section]));
  for (const section of sections) {
    const old = diffsBefore.get(section.code);
    const version =
      section.section_type === 'diff' && old
        ? old.version + Number(old.diff_sha !== section.diff_sha)
        : section.version;
    database.run(
      'UPDATE sections SET position = ?, version = ? WHERE id = ?',
      positions.get(section.code) ?? order.length,
      version,
      section.id,
    );
  }
}

function textOf(section: SectionRow): NewTextSection {
  return {
    code: section.code,
    text: section.text ?? '',
    version: section.version,
    fromMessage: section.from_message === 1,
    edited: section.edited === 1,
  };
}

/**
 * What becomes of a text section in the next version of its patch. People's texts stay; the commit message's text
 * follows the commit message, unless someone edited it.
 *
 * @returns undefined where it goes, with the message it showed.
 */
function nextVersion(section: SectionRow, message: SectionRow | undefined): NewTextSection | undefined {
  const old = textOf(section);
  if (!old.fromMessage || old.edited) {
    return old;
  }
  if (!message) {
    return undefined;
  }
  const text = message.text ?? '';
  return text === old.text ? old : { ...old, text, version: old.version + 1 };
}

/**
 * Merges the order people gave the sections with the sections there are now: those that were there keep their order,
 * and each new one goes after the one it follows in the imported order.
 *
 * @param before The codes of the version before, in its order.
 * @param imported The codes of the message and the diffs, in the order of the import.
 * @param present The codes there are now.
 */
export function mergeOrder(
  before: readonly string[],
  imported: readonly string[],
  present: ReadonlySet<string>,
): string[] {
  const order = before.filter((code) => present.has(code));
  const known = new Set(order);
  imported.forEach((code, index) => {
    if (known.has(code)) {
      return;
    }
    const predecessor = imported[index - 1];
    order.splice(predecessor === undefined ? 0 : order.indexOf(predecessor) + 1, 0, code);
  });
  return order;
}
