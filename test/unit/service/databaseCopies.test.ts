/** The local database, however its file fares: nothing is lost without a word, and what is damaged is kept. */
import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isDiskFull, Database } from '../../../src/service/storage/database.ts';
import {
  copyDaily,
  copyIfDue,
  describeRestored,
  openSoundDatabase,
} from '../../../src/service/storage/databaseCopies.ts';
import { migrations } from '../../../src/service/storage/migrations.ts';
import FakeTimers from '@sinonjs/fake-timers';

const day = 24 * 60 * 60 * 1000;

describe('service: copies of the database', () => {
  let directory: string;
  let file: string;

  beforeEach(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'patch-stacks-copies-'));
    file = path.join(directory, 'patch-stacks.sqlite');
  });

  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const copies = (): string[] => readdirSync(path.join(directory, 'copies')).toSorted();

  /** Opens the database, writes something of some size into it, and closes it. */
  function write(value: string): void {
    const { database, restored } = openSoundDatabase(directory);
    assert.equal(restored, undefined);
    database.run(
      'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      'kept',
      `${value}${'.'.repeat(100_000)}`,
    );
    database.close();
  }

  function valueIn({ database }: { database: Database }): string | undefined {
    const row = database.query<{ value: string }>(`SELECT value FROM settings WHERE name = 'kept'`).get();
    database.close();
    return row?.value.replaceAll('.', '');
  }

  /** Has a copy made at a time, where one is due. */
  const copyAt = (time: number): Promise<boolean> => copyIfDue(directory, () => time);

  function damage(of: string): void {
    const bytes = readFileSync(of);
    bytes.fill(0, 8192, bytes.length - 4096);
    writeFileSync(of, bytes);
  }

  it('are made once a day, by SQLite itself, and only the last are kept', async () => {
    write('first');
    for (const days of [1, 2, 3, 4]) {
      assert.equal(await copyAt(days * day), true);
      assert.equal(await copyAt(days * day + day - 1), false);
    }
    assert.deepEqual(copies(), [2, 3, 4].map((days) => `${days * day}.sqlite`).toSorted());
    assert.equal(
      valueIn({ database: new Database(path.join(directory, 'copies', `${4 * day}.sqlite`)) }),
      'first',
    );
  });

  it('are looked for a minute after the start, and each hour, until that is over', async () => {
    write('first');
    const clock = FakeTimers.install({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const seen = { looks: 0 };
      // Where nothing can be copied, each look fails.
      const copying = copyDaily(path.join(directory, 'nowhere', 'at all'), {
        now: () => (seen.looks += 1) * day,
        onProblem: () => undefined,
      });
      clock.tick(59_000);
      assert.equal(seen.looks, 0);
      clock.tick(1_000);
      assert.notEqual(seen.looks, 0);
      copying.dispose();
    } finally {
      clock.uninstall();
    }
  });

  it('take the place of a file that is damaged, which is kept, and that is said', async () => {
    write('first');
    await copyAt(day);
    write('second');
    damage(file);
    const damaged = readFileSync(file);
    const opened = openSoundDatabase(directory, () => 5 * day);
    const { trouble, keptIn, copiedAt } = opened.restored ?? assert.fail('nothing is said');
    assert.equal(trouble, 'damaged');
    assert.equal(copiedAt.getTime(), day);
    assert.ok(keptIn);
    assert.deepEqual(readFileSync(path.join(keptIn, 'patch-stacks.sqlite')), damaged);
    assert.equal(
      describeRestored({ trouble, keptIn, copiedAt }),
      `The database was damaged. Its copy of ${copiedAt.toLocaleString()} is used instead, and what was there is kept in ${keptIn}: what was written since isn't in it.`,
    );
    assert.equal(valueIn(opened), 'first');
    // Once.
    const again = openSoundDatabase(directory);
    assert.equal(again.restored, undefined);
    again.database.close();
  });

  it('take the place of one that was emptied, replaced by a folder, or that is gone', async () => {
    write('first');
    await copyAt(day);
    const mishaps: [string, () => void, boolean][] = [
      ['empty', () => truncateSync(file, 0), true],
      [
        'damaged',
        () => {
          rmSync(file);
          mkdirSync(path.join(file, 'not', 'a', 'file'), { recursive: true });
        },
        true,
      ],
      ['missing', () => rmSync(file), false],
      ['damaged', () => writeFileSync(file, 'no database at all, but some text'.repeat(100)), true],
    ];
    for (const [index, [trouble, befall, isKept]] of mishaps.entries()) {
      befall();
      const opened = openSoundDatabase(directory, () => 10 * day + index);
      assert.equal(opened.restored?.trouble, trouble);
      assert.equal(opened.restored.keptIn !== undefined, isKept);
      assert.equal(valueIn(opened), 'first');
    }
  });

  it('take the place of a file of which a part is damaged that nobody has read yet', async () => {
    write('first');
    await copyAt(day);
    const bytes = readFileSync(file);
    const pageSize = 4096;
    const start = Math.floor(bytes.length / 2 / pageSize) * pageSize;
    writeFileSync(file, bytes.fill(0, start, start + pageSize));
    const opened = openSoundDatabase(directory);
    assert.equal(opened.restored?.trouble, 'damaged');
    assert.equal(valueIn(opened), 'first');
  });

  it('aren’t used when they are damaged themselves', async () => {
    write('first');
    await copyAt(day);
    write('second');
    await copyAt(2 * day);
    damage(path.join(directory, 'copies', `${2 * day}.sqlite`));
    damage(file);
    assert.equal(valueIn(openSoundDatabase(directory)), 'first');
  });

  it('are missed with a sentence, and nothing is touched', () => {
    write('first');
    damage(file);
    const before = readFileSync(file);
    assert.throws(() => openSoundDatabase(directory), {
      code: 'data_unusable',
      message: `The database ${file} is damaged and doesn't have a good copy. Move it to another place to begin anew, or use another data directory.`,
    });
    assert.deepEqual(readFileSync(file), before);
    rmSync(file);
    mkdirSync(file);
    assert.throws(() => openSoundDatabase(directory), /is damaged and doesn't have a good copy/);
  });

  it('aren’t needed at the first start, of which nothing is said', () => {
    const first = openSoundDatabase(directory);
    assert.equal(first.restored, undefined);
    first.database.close();
    // Nor by one that was killed before it had written anything.
    truncateSync(file, 0);
    const second = openSoundDatabase(directory);
    assert.equal(second.restored, undefined);
    second.database.close();
  });

  it('are made before an older version’s file is changed', () => {
    const older = new DatabaseSync(file);
    migrations.slice(0, -1).forEach((step) => older.exec(step));
    older.exec(`PRAGMA user_version = ${migrations.length - 1}`);
    older.close();
    openSoundDatabase(directory, () => day).database.close();
    assert.deepEqual(copies(), [`${day}.sqlite`]);
    const copy = new DatabaseSync(path.join(directory, 'copies', `${day}.sqlite`));
    assert.equal(copy.prepare('PRAGMA user_version').get()?.['user_version'], migrations.length - 1);
    copy.close();
    // One that is as it should be isn't copied.
    openSoundDatabase(directory, () => 2 * day).database.close();
    assert.deepEqual(copies(), [`${day}.sqlite`]);
  });

  it('can be told from a full disk', () => {
    const database = new Database(file);
    database.query('PRAGMA max_page_count = 1').get();
    let thrown: unknown;
    try {
      for (let row = 0; row < 100; row += 1) {
        database.run('INSERT INTO settings (name, value) VALUES (?, ?)', `${row}`, '.'.repeat(100_000));
      }
    } catch (error) {
      thrown = error;
    }
    database.close();
    assert.ok(isDiskFull(thrown), String(thrown));
    assert.equal(isDiskFull(new Error('anything else')), false);
  });
});
