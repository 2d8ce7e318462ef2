/**
 * A data directory for the local service with more in it than anyone has: for what has to stay quick at any size. It is
 * written past the service, in one transaction.
 */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { startService } from '../../src/service/service.ts';
import { Database } from '../../src/service/storage/database.ts';
import { readSetting } from '../../src/service/storage/settings.ts';

/** The amounts of each. */
export interface Amounts {
  projects: number;
  /** Owners that the projects are spread over. */
  owners: number;
  /** Of the project with the newest activity; each has one patch. */
  stacks: number;
  /** Of the second project's only stack. */
  patches: number;
  /** Of the third project's only patch. */
  sections: number;
}

/** The amounts that tests of scale use. */
export const manyOfAll: Amounts = {
  projects: 10_000,
  owners: 40,
  stacks: 2000,
  patches: 1000,
  sections: 2000,
};

/** Fills a new data directory. Project 1 has the stacks, project 2 the patches, project 3 the sections. */
export async function fillDataDirectory(dataDirectory: string, amounts: Amounts = manyOfAll): Promise<void> {
  // The service itself creates the user that it runs for.
  await (await startService({ dataDirectory })).close();
  const database = new Database(path.join(dataDirectory, 'patch-stacks.sqlite'));
  try {
    database.transaction(() => new Filler(database).fill(amounts));
  } finally {
    database.close();
  }
}

/** So long ago that no age changes while someone looks: whatever is changed afterwards is the newest. */
const newest = Date.now() - 400 * 86_400_000;

class Filler {
  readonly #database: Database;
  readonly #userId: number;

  constructor(database: Database) {
    this.#database = database;
    this.#userId = Number(readSetting(database, 'owner_id'));
  }

  fill({ projects, owners, stacks, patches, sections }: Amounts): void {
    for (let number = 1; number <= projects; number++) {
      this.#project(number, `owner-${number % owners}`);
    }
    for (let number = 1; number <= stacks; number++) {
      this.#patch(this.#stack(1, number), 1, 1);
    }
    const long = this.#stack(2, 1);
    for (let number = 1; number <= patches; number++) {
      this.#patch(long, number, 2);
    }
    this.#patch(this.#stack(3, 1), 1, sections);
  }

  #project(number: number, owner: string): void {
    const updated = newest - number * 1000;
    this.#database.run(
      `INSERT INTO projects (id, owner, slug, name, description, share_level, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, 'private', ?, ?)`,
      number,
      owner,
      `project-${number}`,
      `Project number ${number}`,
      'A project with a description of a usual length, neither long nor short.',
      updated,
      updated,
    );
    this.#database.run(
      'INSERT INTO project_members (project_id, user_id) VALUES (?, ?)',
      number,
      this.#userId,
    );
  }

  #stack(project: number, number: number): string {
    const uuid = randomUUID();
    const updated = newest - number * 1000;
    this.#database.run(
      `INSERT INTO stacks (uuid, project_id, branch_id, oplog_sha, title, status, version, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, 'active', 1, ?, ?)`,
      uuid,
      project,
      `topic/branch-${number}`,
      '0'.repeat(40),
      `Stack number ${number}`,
      updated,
      updated,
    );
    return uuid;
  }

  /** Every second section is a text, beginning with the first. */
  #patch(stackUuid: string, number: number, sections: number): void {
    const { id } = this.#database.run(
      `INSERT INTO patches (stack_uuid, change_id, commit_sha, patch_sha, title, message_body, author_key, position,
         version, file_count, lines, deletions, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, '', 'ada@example.org', ?, 1, ?, 10, 2, ?, ?)`,
      stackUuid,
      `I${String(number).padStart(40, '0')}`,
      '0'.repeat(40),
      '0'.repeat(40),
      `Patch number ${number}`,
      number - 1,
      Math.floor(sections / 2),
      newest,
      newest,
    );
    this.#database.run(
      `INSERT INTO patch_contributors (patch_id, position, email, name, user_id) VALUES (?, 0, 'ada@example.org', 'Ada', ?)`,
      id,
      this.#userId,
    );
    for (let position = 0; position < sections; position++) {
      const code = `code-${position}`;
      if (position % 2 === 0) {
        this.#database.run(
          `INSERT INTO sections (patch_id, code, section_type, identifier, version, position, text, created_at, updated_at)
           VALUES (?, ?, 'text', ?, 1, ?, ?, ?, ?)`,
          id,
          code,
          code,
          position,
          `## Part ${position}\n\nWhy this part of the patch is as it is.\n`,
          newest,
          newest,
        );
      } else {
        const file = `src/folder/file-${position}.ts`;
        this.#database.run(
          `INSERT INTO sections (patch_id, code, section_type, identifier, version, position, old_path, new_path, old_size,
             new_size, hunks, lines, deletions, diff_sha, created_at, updated_at)
           VALUES (?, ?, 'diff', ?, 1, ?, ?, ?, 100, 120, 1, 2, 1, ?, ?, ?)`,
          id,
          code,
          file,
          position,
          file,
          file,
          this.#diff(position),
          newest,
          newest,
        );
      }
    }
  }

  #diff(number: number): string {
    const sha = `diff-${number}`;
    const patch = `@@ -1,2 +1,3 @@\n first\n-second\n+second ${number}\n+third\n`;
    this.#database.run('INSERT INTO diffs (sha, patch) VALUES (?, ?) ON CONFLICT DO NOTHING', sha, patch);
    return sha;
  }
}
