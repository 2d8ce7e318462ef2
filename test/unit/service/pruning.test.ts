import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setReview } from '../../../src/service/storage/patches.ts';
import { newestVersions } from '../../../src/service/storage/pruning.ts';
import { addTextSection } from '../../../src/service/storage/sections.ts';
import { GitRepository } from '../../support/gitRepository.ts';
import { ImportedRepository } from '../../support/importedRepository.ts';

describe('old versions', () => {
  let repository: GitRepository;
  let imported: ImportedRepository;
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'patch-stacks-data-'));
    repository = GitRepository.withMain();
    imported = new ImportedRepository(repository, path.join(folder, 'data.sqlite'));
    repository.branch('topic');
    repository.commitFile('a.txt', 'a\n', 'First');
    repository.commitFile('b.txt', 'b\n', 'Second');
  });

  afterEach(() => {
    imported.database.close();
    rmSync(folder, { recursive: true, force: true });
    repository.remove();
  });

  /** Amends the tip, several times, and reads what it became each time. */
  async function amend(times: number, content = (time: number): string => `${time}\n`): Promise<void> {
    for (let time = 0; time < times; time++) {
      repository.write('b.txt', content(time));
      repository.amend();
      await imported.import();
    }
  }

  const versions = (): number[] =>
    imported.database
      .query<{ version: number }>(`SELECT version FROM stacks WHERE branch_id = 'topic' ORDER BY version`)
      .all()
      .map(({ version }) => version);
  const newest = (count: number): number[] =>
    Array.from({ length: newestVersions }, (_, index) => count - newestVersions + 1 + index);

  it('go, but for the newest, where nobody has written or said anything', async () => {
    await imported.import();
    await amend(9);
    assert.deepEqual(versions(), newest(10));
    const { count } = imported.database
      .query<{ count: number }>('SELECT count(*) AS count FROM diffs')
      .get()!;
    assert.equal(count, newestVersions + 1);
  });

  it('stay with what somebody said of a patch that has changed since', async () => {
    await imported.import();
    await amend(2);
    setReview(imported.database, imported.stack('topic').patches[1]!.row, imported.owner, true);
    await amend(9);
    assert.deepEqual(versions(), [3, ...newest(12)]);
  });

  it('go with what somebody said of a patch that is still the same', async () => {
    await imported.import();
    const [first] = imported.stack('topic').patches;
    setReview(imported.database, first!.row, imported.owner, true);
    addTextSection(imported.database, first!.row, 'Mine.', 0);
    await amend(9);
    assert.deepEqual(versions(), newest(10));
    const [same] = imported.stack('topic').patches;
    assert.equal(same!.review_all?.signed_off.length, 1);
    assert.deepEqual(
      same!.texts.map(({ data }) => data),
      ['Mine.'],
    );
  });

  it('stay with a text that has lost its patch, which comes back with that', async () => {
    await imported.import();
    const second = imported.stack('topic').patches[1]!;
    addTextSection(imported.database, second.row, 'Mine.', 0);
    const tip = repository.head();
    repository.git('reset', '--quiet', '--hard', 'HEAD~1');
    repository.commitFile('c.txt', 'c\n', 'Other');
    await imported.import();
    await amend(9);
    assert.ok(versions().includes(1));
    repository.git('reset', '--quiet', '--hard', tip);
    await imported.import();
    assert.deepEqual(
      imported.stack('topic').patches[1]!.texts.map(({ data }) => data),
      ['Mine.'],
    );
  });

  it('leave the file as small as it was', async () => {
    // The database and its log.
    const size = (): number =>
      ['data.sqlite', 'data.sqlite-wal'].reduce(
        (sum, name) => sum + statSync(path.join(folder, name)).size,
        0,
      );
    // Other lines each time, of which nothing is like what was there.
    const large = (time: number): string =>
      Array.from({ length: 20_000 }, (_, line) => `${time} ${line} ${'x'.repeat(40)}\n`).join('');
    await imported.import();
    await amend(newestVersions + 1, large);
    const full = size();
    await amend(newestVersions + 1);
    assert.ok(size() < full / 4, `${size()} of ${full} bytes`);
  });
});
