/** Writes what was read of a commit into its patch. */
import { hash } from 'node:crypto';
import type { Database } from '../storage/database.ts';
import { completePatch, insertPatch, type PatchContributor } from '../storage/patches.ts';
import { addProjectMember } from '../storage/projects.ts';
import { insertDiffSection, insertTextSection, storeDiff } from '../storage/sections.ts';
import { userForEmail } from '../storage/users.ts';
import { messageSection } from './carryOver.ts';
import { authorKeyOf } from './changeIds.ts';
import type { ReadCommit } from './commitReader.ts';
import type { Commit } from './commits.ts';
import type { FileDiff } from './diffs.ts';
import type { Person } from './repository.ts';

/** A batch of commits is written when it costs this much: as many commits with short diffs. */
export const batchCost = 100;
/** Characters of diffs that take as long to be written as a commit. */
const charactersPerCommit = 20 * 1024;

/** The time that it takes to write a commit, as a part of `batchCost`. */
export function costOf({ body, diff }: ReadCommit): number {
  const characters = diff.files.reduce((sum, { patch }) => sum + (patch?.length ?? 0), body.length);
  return 1 + characters / charactersPerCommit;
}

/** The sizes of files in bytes, by SHA. */
export type FileSizes = ReadonlyMap<string, number>;

/** A place in a stack that is loading. */
export interface PatchPlace {
  stackUuid: string;
  changeId: string;
  position: number;
}

/** Writes the commits of one project as patches. */
export class PatchWriter {
  readonly #database: Database;
  readonly #projectId: number;
  /** The users by address, of one batch: between two of them, a user may go. */
  readonly #users = new Map<string, number | undefined>();

  constructor(database: Database, projectId: number) {
    this.#database = database;
    this.#projectId = projectId;
  }

  /** Writes a patch with all that was read of its commit; gives its id. */
  write(place: PatchPlace, { commit, ...read }: ReadCommit, sizes: FileSizes | undefined): number {
    const id = insertPatch(this.#database, {
      ...place,
      ...this.#known(commit),
      ...contentOf(read),
      contributors: [commit.author, ...coAuthors(read.body)].map((person) => this.#contributor(person)),
    });
    this.#writeSections(id, read, sizes);
    return id;
  }

  /** Writes a patch of which only the commit is known: it is to be completed. */
  list(place: PatchPlace, commit: Commit): number {
    return insertPatch(this.#database, {
      ...place,
      ...this.#known(commit),
      ...{ patchSha: '', messageBody: '', completeness: 'unread', fileCount: 0, lines: 0, deletions: 0 },
      contributors: [this.#contributor(commit.author)],
    });
  }

  /** Writes what a patch lacks that was only listed; nothing where somebody has done so meanwhile. */
  complete(id: number, read: Content, sizes: FileSizes | undefined): void {
    const others = coAuthors(read.body).map((person) => this.#contributor(person));
    if (completePatch(this.#database, id, contentOf(read), others)) {
      this.#writeSections(id, read, sizes);
    }
  }

  #known(commit: Commit): { commitSha: string; title: string; authorKey: string; createdAt: number } {
    return {
      commitSha: commit.sha,
      title: commit.title,
      authorKey: authorKeyOf(commit),
      createdAt: Math.min(Number(commit.authorTime) * 1000, lastTime),
    };
  }

  #writeSections(id: number, { body, diff }: Content, sizes: FileSizes | undefined): void {
    let position = 0;
    if (body !== '') {
      insertTextSection(this.#database, id, position++, messageSection(body));
    }
    for (const file of diff.files) {
      this.#writeFile(id, position++, file, sizes);
    }
  }

  #writeFile(id: number, position: number, file: FileDiff, sizes: FileSizes | undefined): void {
    const path = file.newPath ?? file.oldPath ?? '';
    if (file.patch !== undefined) {
      storeDiff(this.#database, file.diffSha, file.patch);
    }
    insertDiffSection(this.#database, id, position, {
      // The same file has the same code in every version.
      code: hash('sha1', path).slice(0, 16),
      path,
      oldPath: file.oldName,
      newPath: file.newName,
      oldMode: file.oldMode,
      newMode: file.newMode,
      oldSize: file.oldSha === null ? 0 : (sizes?.get(file.oldSha) ?? null),
      newSize: file.newSha === null ? 0 : (sizes?.get(file.newSha) ?? null),
      hunks: file.hunks,
      lines: file.lines,
      deletions: file.deletions,
      diffSha: file.patch === undefined ? null : file.diffSha,
      encoding: file.encoding ?? null,
      changeSha: file.changeSha,
      baseFileSha: file.oldSha,
      newFileSha: file.newSha,
    });
  }

  /** Somebody whom a commit names; a user among them may from now on work on the project. */
  #contributor({ name, email }: Person): PatchContributor {
    if (!this.#users.has(email)) {
      const user = userForEmail(this.#database, name, email);
      if (user) {
        addProjectMember(this.#database, this.#projectId, user.id);
      }
      this.#users.set(email, user?.id);
    }
    return { name, email, userId: this.#users.get(email) };
  }
}

export type Content = Omit<ReadCommit, 'commit'>;

/** What is stored of the changes of a commit, but for its sections. */
function contentOf({ body, diff: { files, patchSha }, isIncomplete }: Content) {
  return {
    patchSha,
    messageBody: body,
    completeness: isIncomplete ? ('incomplete' as const) : ('complete' as const),
    fileCount: files.length,
    lines: files.reduce((sum, { lines }) => sum + lines, 0),
    deletions: files.reduce((sum, { deletions }) => sum + deletions, 0),
  };
}

/** The last time a Date can hold, in milliseconds since the epoch: a commit can claim to be from later. */
const lastTime = 8.64e15;

function coAuthors(body: string): Person[] {
  return body.split('\n').flatMap((line) => {
    const { name, rest } = /^Co-authored-by:(?<name>[^<]*)<(?<rest>.*)$/i.exec(line.trimEnd())?.groups ?? {};
    const end = rest?.indexOf('>') ?? -1;
    return name !== undefined && rest !== undefined && end > 0 && end === rest.length - 1
      ? [{ name: name.trim(), email: rest.slice(0, -1) }]
      : [];
  });
}
