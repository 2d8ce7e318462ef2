import { randomBytes } from 'node:crypto';
import type { Database } from './database.ts';
import { touchPatch, type PatchRow } from './patches.ts';

/** A section as it is stored, without its diff: see `readDiff`. */
export interface SectionRow {
  id: number;
  patch_id: number;
  /** Names the section in paths; the versions of a patch keep it. */
  code: string;
  section_type: 'text' | 'diff';
  /** Names the section in an order: the path of a diff section, the code of a text section. */
  identifier: string;
  version: number;
  position: number;
  text: string | null;
  /** 1 when the text came with the commit message. */
  from_message: number;
  edited: number;
  /** The commit's message at the time when someone edited the text that had come with it. */
  edited_message: string | null;
  /** The versions that conflict with the text: see `otherVersionsOf`. */
  versions: string | null;
  old_path: string | null;
  new_path: string | null;
  old_mode: string | null;
  new_mode: string | null;
  old_size: number | null;
  new_size: number | null;
  hunks: number | null;
  lines: number | null;
  deletions: number | null;
  diff_sha: string | null;
  /** The encoding of the file, when that isn't UTF-8. */
  encoding: string | null;
  /** The hash of the file's changed lines, without their places. */
  change_sha: string | null;
  base_file_sha: string | null;
  new_file_sha: string | null;
  created_at: number;
  updated_at: number;
}

/** A text section on its way into the database. */
export interface NewTextSection {
  code: string;
  text: string;
  version: number;
  fromMessage: boolean;
  edited: boolean;
  /** The commit's message at the time when someone edited the text that had come with it. */
  editedMessage?: string | null;
  /** As they are stored. */
  versions?: string | null;
}

/** The versions of a text that people who share wrote at the same time as the one that is there, and that conflict with it. */
export interface OtherVersions {
  /** The user who wrote the text that is there; null where nobody knows them. */
  by: number | null;
  /** The latest first. */
  others: {
    id: string;
    text: string;
    /** What it and the text that is there were made of. */
    before: string;
    /** The operations that it is made of. */
    heads: string[];
    by: number | null;
    at: number;
  }[];
  /** The operations of those that somebody has decided over here, until that is shared. */
  decided: string[];
}

/** A diff section on its way into the database. */
interface NewDiffSection {
  code: string;
  /** The path that names the file: the new one, or the old one of a deleted file. */
  path: string;
  /** Null for an added file. */
  oldPath: string | null;
  /** Null for a deleted file. */
  newPath: string | null;
  oldMode: string | null;
  newMode: string | null;
  /** Bytes; null for a submodule. */
  oldSize: number | null;
  newSize: number | null;
  hunks: number;
  /** Lines added. */
  lines: number;
  deletions: number;
  /** SHA-256 of the unified diff; null when it is too large to be kept. */
  diffSha: string | null;
  encoding: string | null;
  changeSha: string;
  baseFileSha: string | null;
  newFileSha: string | null;
}

const codeBytes = 8;
/** Random bytes for some codes: each call for them takes as long as writing a section. */
let random = Buffer.alloc(0);

/** A new code for a text section. */
export function newSectionCode(): string {
  if (random.length === 0) {
    random = randomBytes(128 * codeBytes);
  }
  const code = random.toString('hex', 0, codeBytes);
  random = random.subarray(codeBytes);
  return code;
}

/** A patch's sections in order. */
export function listSections(database: Database, patchId: number): SectionRow[] {
  return database
    .query<SectionRow>('SELECT * FROM sections WHERE patch_id = ? ORDER BY position, id')
    .all(patchId);
}

/** The section with this code, else the diff section of this path. */
export function findSection(database: Database, patchId: number, codeOrPath: string): SectionRow | undefined {
  return database
    .query<SectionRow>(
      'SELECT * FROM sections WHERE patch_id = ? AND (code = ? OR identifier = ?) ORDER BY code = ? DESC LIMIT 1',
    )
    .get(patchId, codeOrPath, codeOrPath, codeOrPath);
}

/** Stores a unified diff; the same diff is stored once. */
export function storeDiff(database: Database, sha: string, patch: string): void {
  database.run('INSERT INTO diffs (sha, patch) VALUES (?, ?) ON CONFLICT DO NOTHING', sha, patch);
}

/** Reads a unified diff back. */
export function readDiff(database: Database, sha: string): string | undefined {
  return database.query<{ patch: string }>('SELECT patch FROM diffs WHERE sha = ?').get(sha)?.patch;
}

/** Writes a text section; gives its id. */
export function insertTextSection(
  database: Database,
  patchId: number,
  position: number,
  section: NewTextSection,
): number {
  const now = database.now();
  return database.run(
    `INSERT INTO sections (patch_id, code, section_type, identifier, version, position, text, from_message, edited,
       edited_message, versions, created_at, updated_at) VALUES (?, ?, 'text', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    patchId,
    section.code,
    section.code,
    section.version,
    position,
    section.text,
    Number(section.fromMessage),
    Number(section.edited),
    section.editedMessage ?? null,
    section.versions ?? null,
    now,
    now,
  ).id;
}

/** Writes a diff section whose diff is stored already. */
export function insertDiffSection(
  database: Database,
  patchId: number,
  position: number,
  section: NewDiffSection,
): void {
  const now = database.now();
  database.run(
    `INSERT INTO sections (patch_id, code, section_type, identifier, version, position, old_path, new_path, old_mode,
       new_mode, old_size, new_size, hunks, lines, deletions, diff_sha, encoding, change_sha, base_file_sha,
       new_file_sha, created_at, updated_at) VALUES (?, ?, 'diff', ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    patchId,
    section.code,
    section.path,
    position,
    section.oldPath,
    section.newPath,
    section.oldMode,
    section.newMode,
    section.oldSize,
    section.newSize,
    section.hunks,
    section.lines,
    section.deletions,
    section.diffSha,
    section.encoding,
    section.changeSha,
    section.baseFileSha,
    section.newFileSha,
    now,
    now,
  );
}

/** Adds a person's text section at a zero-based position; without one, or past the end, it goes to the end. */
export function addTextSection(
  database: Database,
  patch: PatchRow,
  text: string,
  position: number | undefined,
): SectionRow {
  return database.transaction(() => {
    const sections = listSections(database, patch.id);
    const place = Math.min(position ?? sections.length, sections.length);
    const code = newSectionCode();
    const id = insertTextSection(database, patch.id, place, {
      code,
      text,
      version: 1,
      fromMessage: false,
      edited: true,
    });
    const order = sections.map((section) => section.id);
    order.splice(place, 0, id);
    writeOrder(database, order);
    touchPatch(database, patch);
    return requireSection(database, patch.id, code);
  });
}

/** Replaces a text section's text, which makes its next version; the same text changes nothing. */
export function updateText(
  database: Database,
  patch: PatchRow,
  section: SectionRow,
  text: string,
): SectionRow {
  if (section.text === text) {
    return section;
  }
  return database.transaction(() => {
    database.run(
      'UPDATE sections SET text = ?, edited = 1, edited_message = ?, version = version + 1, updated_at = ? WHERE id = ?',
      text,
      section.from_message === 1 ? patch.message_body : null,
      database.now(),
      section.id,
    );
    touchPatch(database, patch);
    return requireSection(database, patch.id, section.code);
  });
}

/** The versions that conflict with a text; undefined where none does, and nothing was decided. */
export function otherVersionsOf({ versions }: Pick<SectionRow, 'versions'>): OtherVersions | undefined {
  return versions === null ? undefined : (JSON.parse(versions) as OtherVersions);
}

/**
 * Notes which versions conflict with a text.
 *
 * @returns False where that was known.
 */
export function setOtherVersions(
  database: Database,
  section: Pick<SectionRow, 'id' | 'versions'>,
  versions: OtherVersions | undefined,
): boolean {
  const isEmpty = !versions || versions.others.length + versions.decided.length === 0;
  const written = isEmpty ? null : JSON.stringify(versions);
  if (section.versions === written) {
    return false;
  }
  database.run('UPDATE sections SET versions = ? WHERE id = ?', written, section.id);
  return true;
}

/** What somebody writes in the place of a text. */
interface WrittenText {
  text: string;
  by: number;
  /** The ids of the versions conflicting with it that they have decided over. */
  resolves: readonly string[];
}

/** Writes a text that somebody has sent. What conflicts with it and they have not decided over stays beside it. */
export function writeText(
  database: Database,
  patch: PatchRow,
  section: SectionRow,
  { text, by, resolves }: WrittenText,
): SectionRow {
  const versions = otherVersionsOf(section);
  if (!versions) {
    return updateText(database, patch, section, text);
  }
  return database.transaction(() => {
    const seen = versions.others.filter(({ id }) => resolves.includes(id));
    if (seen.length > 0 || section.text !== text) {
      setOtherVersions(database, section, {
        by,
        others: versions.others.filter((other) => !seen.includes(other)),
        decided: [...versions.decided, ...seen.flatMap(({ heads }) => heads)],
      });
      touchPatch(database, patch);
    }
    return updateText(database, patch, requireSection(database, patch.id, section.code), text);
  });
}

/** Deletes a text section and closes the gap. */
export function deleteSection(database: Database, patch: PatchRow, section: SectionRow): void {
  database.transaction(() => {
    database.run('DELETE FROM sections WHERE id = ?', section.id);
    writeOrder(
      database,
      listSections(database, patch.id).map(({ id }) => id),
    );
    touchPatch(database, patch);
  });
}

/** Puts a patch's sections in the order of these ids. */
export function reorderSections(database: Database, patch: PatchRow, ids: readonly number[]): void {
  database.transaction(() => {
    writeOrder(database, ids);
    touchPatch(database, patch);
  });
}

/** Gives sections the positions that their ids have in a list. */
export function writeOrder(database: Database, ids: readonly number[]): void {
  ids.forEach((id, position) => database.run('UPDATE sections SET position = ? WHERE id = ?', position, id));
}

function requireSection(database: Database, patchId: number, code: string): SectionRow {
  const section = findSection(database, patchId, code);
  if (!section) {
    throw new Error(`Couldn't find section ${code}.`);
  }
  return section;
}
