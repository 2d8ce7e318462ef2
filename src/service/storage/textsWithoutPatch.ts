/** Texts whose patch the newest version of their branch has not: dropped, landed, or rewritten beyond recognition. */
import type { Database } from './database.ts';
import type { StackRow } from './stacks.ts';

/** A text that somebody wrote about a change that its branch has not any more. */
export interface TextWithoutPatch {
  change_id: string;
  /** The code that its section had. */
  code: string;
  patch_title: string;
  text: string;
}

/** Keeps a text that has lost its patch. */
export function keepText(database: Database, stack: StackRow, text: TextWithoutPatch): void {
  database.run(
    `INSERT INTO texts_without_patch (project_id, branch_id, change_id, code, patch_title, text) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET text = excluded.text, patch_title = excluded.patch_title, settled = 0`,
    stack.project_id,
    stack.branch_id,
    text.change_id,
    text.code,
    text.patch_title,
    text.text,
  );
}

/** The texts of a stack's branch that are in no stack of its project: none for what is history. */
export function listTextsWithoutPatch(database: Database, stack: StackRow): TextWithoutPatch[] {
  if (stack.status === 'inactive') {
    return [];
  }
  return database
    .query<TextWithoutPatch>(
      `SELECT change_id, code, patch_title, text FROM texts_without_patch AS lost
       WHERE project_id = ? AND branch_id = ? AND settled = 0 AND NOT EXISTS (
         SELECT 1 FROM patches JOIN stacks ON uuid = stack_uuid JOIN sections ON patch_id = patches.id
         WHERE patches.change_id = lost.change_id AND stacks.project_id = lost.project_id
           AND status IN ('active', 'closed') AND sections.code = lost.code)
       ORDER BY rowid`,
    )
    .all(stack.project_id, stack.branch_id);
}

/** The text that once had this code in the patch of a change, also when somebody has settled it. */
export function findTextWithoutPatch(
  database: Database,
  stack: StackRow,
  changeId: string,
  code: string,
): TextWithoutPatch | undefined {
  return database
    .query<TextWithoutPatch>(
      `SELECT change_id, code, patch_title, text FROM texts_without_patch
       WHERE project_id = ? AND branch_id = ? AND change_id = ? AND code = ?`,
    )
    .get(stack.project_id, stack.branch_id, changeId, code);
}

/** Notes that a text was put elsewhere or thrown away. */
export function settleText(database: Database, stack: StackRow, code: string): void {
  database.run(
    'UPDATE texts_without_patch SET settled = 1 WHERE project_id = ? AND branch_id = ? AND code = ?',
    stack.project_id,
    stack.branch_id,
    code,
  );
}

/** Forgets texts that are in the stack again; gives the codes of those that somebody has settled meanwhile. */
export function takeTextsBack(database: Database, stack: StackRow, codes: readonly string[]): Set<string> {
  const settled = database
    .query<{ code: string }>(
      `SELECT code FROM texts_without_patch JOIN json_each(?) ON code = value
       WHERE project_id = ? AND branch_id = ? AND settled = 1`,
    )
    .all(JSON.stringify(codes), stack.project_id, stack.branch_id)
    .map(({ code }) => code);
  database.run(
    `DELETE FROM texts_without_patch WHERE project_id = ? AND branch_id = ? AND settled = 0
       AND code IN (SELECT value FROM json_each(?))`,
    stack.project_id,
    stack.branch_id,
    JSON.stringify(codes),
  );
  return new Set(settled);
}

/** Has the texts of a branch follow where it was renamed. */
export function moveTexts(database: Database, projectId: number, from: string, to: string): void {
  database.run(
    'UPDATE OR IGNORE texts_without_patch SET branch_id = ? WHERE project_id = ? AND branch_id = ?',
    to,
    projectId,
    from,
  );
}
