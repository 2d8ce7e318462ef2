import assert from 'node:assert/strict';
import { Importer, type ImportOptions } from '../../../src/service/git/importer.ts';
import { selectPatches, selectUnread } from '../../../src/service/storage/patches.ts';
import { updateStack } from '../../../src/service/storage/stacks.ts';
import { GitRepository } from '../../support/gitRepository.ts';
import { ImportedRepository } from '../../support/importedRepository.ts';

/** Longer than what is read at once. */
const count = 250;

describe('a long first stack', () => {
  let repository: GitRepository;
  let imported: ImportedRepository;

  beforeEach(() => {
    repository = GitRepository.withMain();
    repository.addCommits('topic', count - 2, 'main');
    repository.switch('topic');
    repository.commitFile(
      'told.txt',
      'told\n',
      'Tell\n\nBecause *we* need it.\n\nCo-authored-by: Alan Turing <alan@example.com>\n',
    );
    repository.commitFile('tip.txt', 'tip\n', 'Tip');
    imported = new ImportedRepository(repository);
  });

  afterEach(() => {
    imported.database.close();
    repository.remove();
  });

  const unreadAtAll = () =>
    imported.listOf(imported.onlyStack().uuid).patches.filter((patch) => !('statistics' in patch)).length;
  const unread = () => selectUnread(imported.database, imported.project.id);

  /** Imports until it has been told of so many commits. */
  async function importUntil(number: number): Promise<void> {
    const stop = new AbortController();
    const onProgress: ImportOptions['onProgress'] = ({ done }) => {
      if (done === number) {
        stop.abort(new Error('Enough.'));
      }
    };
    await assert.rejects(imported.import({ signal: stop.signal, onProgress }), /Enough/);
  }

  it('is there with its titles and authors before its changes are read, and says nothing of these', async () => {
    let seen: unknown;
    let listedAt = 0;
    const progress: [number, number][] = [];
    await imported.import({
      onProgress: ({ done, total }) => progress.push([done, total]),
      onReadable: (left) => {
        const { uuid, updated_at } = imported.onlyStack();
        listedAt = updated_at;
        const { stack_size, patches } = imported.listOf(uuid);
        seen ??= {
          ...{ left, stack_size, progress: progress.length },
          tip: patches.at(-1)?.title,
          authors: patches.at(-1)?.contributors.map(({ email }) => email),
          statistics: patches.filter((patch) => 'statistics' in patch).length,
        };
      },
    });
    assert.deepEqual(seen, {
      ...{ left: count, stack_size: count, progress: 0 },
      ...{ tip: 'Tip', authors: ['ada@example.com'], statistics: 0 },
    });
    assert.deepEqual(unread(), []);
    assert.ok(imported.row('topic').updated_at > listedAt);
    const { patches } = imported.stack('topic');
    assert.ok(patches.every((patch) => patch.statistics?.file_count === 1));
    assert.ok(progress.every(([done, total]) => done <= total && total === count));
    assert.deepEqual(progress.at(-1), [count, count]);
  });

  it('ends up as one that was read at once', async () => {
    await imported.import();
    const other = new ImportedRepository(repository);
    try {
      repository.switch('main');
      repository.addCommits('another', 1, 'main');
      repository.switch('another');
      // With another stack before it, it is read at once.
      await other.import({ onReadable: (left) => assert.equal(left, count) });
      assert.deepEqual(imported.comparable('topic'), other.comparable('topic'));
    } finally {
      other.database.close();
    }
  });

  it('is read on by the next import when one was broken off, and stays the version that it was', async () => {
    await importUntil(150);
    const { uuid } = imported.onlyStack();
    updateStack(imported.database, uuid, { title: 'Mine' });
    assert.ok(selectPatches(imported.database, { stackUuid: uuid }).length === count);
    // Another process.
    const importer = new Importer(imported.database, imported.owner.id);
    const lefts: number[] = [];
    const summary = await imported.import({ onReadable: (left) => lefts.push(left) }, importer);
    assert.ok(lefts[0]! > 0 && lefts[0]! < count, String(lefts));
    assert.deepEqual([imported.row('topic').uuid, imported.row('topic').title], [uuid, 'Mine']);
    assert.deepEqual(
      summary.stacks.map(({ result }) => result),
      ['unchanged'],
    );
    assert.deepEqual(unread(), []);
    assert.ok(imported.stack('topic').patches.every(({ files }) => files.size === 1));
    const again = await imported.import();
    assert.deepEqual(
      again.stacks.map(({ result }) => result),
      ['unchanged'],
    );
  });

  it('is read on where its branch has moved since, also the version before', async () => {
    await importUntil(150);
    const { uuid } = imported.onlyStack();
    repository.amend('Tip, amended');
    await imported.import({}, new Importer(imported.database, imported.owner.id));
    assert.deepEqual(unread(), []);
    assert.notEqual(imported.row('topic').uuid, uuid);
    assert.deepEqual(
      imported
        .stackOf(uuid)
        .patches.map(({ title, files }) => [title, files.size])
        .slice(-1),
      [['Tip', 1]],
    );
    const now = imported.stack('topic').patches;
    assert.deepEqual([now.length, now.at(-1)?.title, now.at(-1)?.version], [count, 'Tip, amended', 2]);
    assert.equal(now.at(-2)?.version, 1);
  });

  it('gives up a commit that is no longer in the repository, and only that one', async () => {
    await importUntil(150);
    const { uuid } = imported.onlyStack();
    repository.amend('Tip, amended');
    repository.git('reflog', 'expire', '--expire=now', '--all');
    repository.git('gc', '--quiet', '--prune=now');
    await imported.import({}, new Importer(imported.database, imported.owner.id));
    assert.deepEqual(unread(), []);
    const [before, tip] = imported.stackOf(uuid).patches.slice(-2);
    assert.deepEqual([before?.files.size, tip?.files.size, tip?.row.incomplete], [1, 0, 1]);
    assert.match(tip?.texts[0]?.data ?? '', /^This commit is no longer in the repository/);
  });

  describe('with a merge in it that somebody resolved by hand', () => {
    beforeEach(() => {
      repository.branch('side');
      repository.write('other.txt', 'other\n');
      repository.git('add', 'other.txt');
      repository.commitFile('tip.txt', 'theirs\n', 'Theirs');
      repository.switch('topic');
      repository.commitFile('tip.txt', 'mine\n', 'Mine');
      assert.throws(() => repository.merge('side'));
      repository.commitFile('tip.txt', 'both\n', 'Merge side into topic');
      repository.git('branch', '--quiet', '-D', 'side');
    });

    const filesOfMerge = () => [...(imported.stack('topic').patches.at(-1)?.files.keys() ?? [])];

    it('shows of it what they resolved', async () => {
      await imported.import();
      assert.deepEqual([imported.stack('topic').stack_size, ...filesOfMerge()], [count + 3, 'tip.txt']);
    });

    it('shows the same of it after an import that was broken off, where its branch has moved since', async () => {
      await importUntil(150);
      const { uuid } = imported.onlyStack();
      repository.git('reset', '--quiet', '--hard', 'HEAD~1');
      await imported.import({}, new Importer(imported.database, imported.owner.id));
      assert.deepEqual([...(imported.stackOf(uuid).patches.at(-1)?.files.keys() ?? [])], ['tip.txt']);
    });
  });

  it('is listed where nothing of it is checked out', async () => {
    repository.switch('main');
    let listed = 0;
    await imported.import({ onReadable: () => (listed = unreadAtAll()) });
    assert.equal(listed, count);
  });

  it('is listed only where it is the first one, and long', async () => {
    repository.branch('short', 'main');
    repository.commitFile('a', 'a', 'A');
    const lefts: number[] = [];
    await imported.import({ onReadable: (left) => lefts.push(left) });
    assert.deepEqual(lefts, [count]);
    assert.deepEqual(unread(), []);
    repository.addCommits('later', count, 'main');
    await imported.import({
      onReadable: () => assert.deepEqual(unread(), []),
      onProgress: () => assert.deepEqual(unread(), []),
    });
  });

  describe('of which somebody asks for a patch', () => {
    beforeEach(() => {
      repository.addCommits('topic', 1000, 'topic');
    });

    it('has that one read before its turn, where that is far', async () => {
      let [done, doneThen] = [0, 0];
      let waited: Promise<void> | undefined;
      const read = imported.import({
        onProgress: (progress) => (done = progress.done),
        onReadable: () => {
          const tip = imported.database.query<{ id: number }>('SELECT max(id) AS id FROM patches').get()!;
          waited ??= imported.importer.later.whenRead(tip.id).then(() => {
            doneThen = done;
          });
        },
      });
      await read;
      await waited;
      assert.ok(doneThen > 0 && doneThen <= 300, String(doneThen));
      assert.ok(imported.stack('topic').patches.every(({ files }) => files.size === 1));
    });
  });
});
