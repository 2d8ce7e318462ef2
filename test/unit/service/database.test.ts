import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Database, lockDataDirectory } from '../../../src/service/storage/database.ts';
import { deleteUnusedDiffs } from '../../../src/service/storage/projects.ts';
import { readDiff } from '../../../src/service/storage/sections.ts';
import { migrations } from '../../../src/service/storage/migrations.ts';

describe('the database', () => {
  let directory: string;
  let file: string;

  beforeEach(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'patch-stacks-database-'));
    file = path.join(directory, 'data.sqlite');
  });

  afterEach(() => rmSync(directory, { recursive: true }));

  const pragma = (database: Database, name: string) =>
    Object.values(database.query<Record<string, unknown>>(`PRAGMA ${name}`).get() ?? {})[0];

  it('is safe against kills and dangling references', () => {
    const database = new Database(file);
    assert.deepEqual(
      ['journal_mode', 'synchronous', 'foreign_keys'].map((name) => pragma(database, name)),
      ['wal', 2, 1],
    );
    assert.throws(() => database.run(`INSERT INTO ssh_keys VALUES (1, 99, 'n', 'f', 'k', 0)`), /FOREIGN KEY/);
    database.close();
  });

  it('is brought up to date from every older version, with what is in it', () => {
    const fresh = new Database(path.join(directory, 'fresh.sqlite'));
    const schema = (database: { query: Database['query'] }) =>
      database
        .query<{ sql: string }>(`SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name`)
        .all();
    for (let version = 0; version <= migrations.length; version++) {
      const old = path.join(directory, `${version}.sqlite`);
      const connection = new DatabaseSync(old);
      for (const step of migrations.slice(0, version)) {
        connection.exec(step);
      }
      connection.exec(`PRAGMA user_version = ${version}`);
      if (version > 0) {
        connection.exec(`INSERT INTO settings VALUES ('owner_id', '7')`);
      }
      connection.close();
      const database = new Database(old);
      assert.equal(pragma(database, 'user_version'), migrations.length);
      assert.deepEqual(schema(database), schema(fresh));
      if (version > 0) {
        assert.equal(database.query('SELECT * FROM settings').all().length, 1);
      }
      database.close();
    }
    fresh.close();
  });

  it('keeps the diffs of an older version, and what refers to them', () => {
    const connection = new DatabaseSync(file);
    for (const step of migrations.slice(0, 8)) {
      connection.exec(step);
    }
    connection.exec(`
      PRAGMA user_version = 8;
      INSERT INTO projects (id, owner, slug, name, created_at, updated_at) VALUES (1, 'o', 's', 'n', 0, 0);
      INSERT INTO stacks (uuid, project_id, branch_id, oplog_sha, title, status, version, created_at, updated_at)
        VALUES ('u', 1, 'b', '', 't', 'active', 1, 0, 0);
      INSERT INTO patches (id, stack_uuid, change_id, commit_sha, patch_sha, title, message_body, author_key, position, version,
        file_count, lines, deletions, created_at, updated_at) VALUES (1, 'u', 'c', '', '', 't', '', '', 0, 1, 1, 1, 1, 0, 0);
      INSERT INTO diffs VALUES ('shown', 'text'), ('other', 'another');
      INSERT INTO sections (patch_id, code, section_type, identifier, version, position, diff_sha, created_at, updated_at)
        VALUES (1, 'x', 'diff', 'f', 1, 0, 'shown', 0, 0);
    `);
    connection.close();
    const database = new Database(file);
    assert.equal(readDiff(database, 'shown'), 'text');
    assert.deepEqual(database.query('PRAGMA foreign_key_check').all(), []);
    assert.throws(() => database.run(`DELETE FROM diffs WHERE sha = 'shown'`), /FOREIGN KEY/);
    assert.throws(() => database.run(`UPDATE sections SET diff_sha = 'gone'`), /FOREIGN KEY/);
    deleteUnusedDiffs(database);
    assert.deepEqual(
      database
        .query<{ sha: string }>('SELECT sha FROM diffs')
        .all()
        .map(({ sha }) => sha),
      ['shown'],
    );
    database.close();
  });

  it('keeps all of a transaction or nothing', () => {
    const database = new Database(file);
    const insert = (name: string) => database.run('INSERT INTO settings VALUES (?, ?)', name, 'v');
    assert.throws(() =>
      database.transaction(() => {
        insert('a');
        database.transaction(() => insert('b'));
        throw new Error('No.');
      }),
    );
    assert.deepEqual(database.query('SELECT * FROM settings').all(), []);
    database.transaction(() => insert('c'));
    assert.equal(database.query('SELECT * FROM settings').all().length, 1);
    database.close();
  });

  it('never gives one time for two updates, also across starts and clocks that go back', () => {
    let now = 1000;
    const first = new Database(file, () => now);
    assert.deepEqual([first.stamp(), first.stamp()], [1000, 1001]);
    first.run(
      `INSERT INTO projects (owner, slug, name, created_at, updated_at) VALUES ('o', 's', 'n', 1, ?)`,
      first.stamp(),
    );
    first.close();
    now = 500;
    const second = new Database(file, () => now);
    assert.equal(second.stamp(), 1003);
    second.close();
  });

  it('takes a data directory for one service at a time', () => {
    const lock = lockDataDirectory(path.join(directory, 'new', 'data'));
    assert.throws(() => lockDataDirectory(path.join(directory, 'new', 'data')), { code: 'data_locked' });
    lock.release();
    lockDataDirectory(path.join(directory, 'new', 'data')).release();
    assert.throws(() => lockDataDirectory('/dev/null/data'), { code: 'data_unusable' });
  });
});
