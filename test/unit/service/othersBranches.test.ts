import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { Importer } from '../../../src/service/git/importer.ts';
import { ada, grace, GitRepository, type Author } from '../../support/gitRepository.ts';
import { ImportedRepository } from '../../support/importedRepository.ts';

const day = 24 * 60 * 60 * 1000;

describe('the branches of others', () => {
  /** What everybody pushes to. */
  let origin: GitRepository;
  let clone: GitRepository;
  let imported: ImportedRepository;
  let now: number;

  beforeEach(() => {
    origin = GitRepository.withMain('origin');
    clone = GitRepository.create('clone');
    clone.git('remote', 'add', 'origin', origin.directory);
    fetch();
    clone.git('switch', '--quiet', 'main');
    now = lastCommit() + day;
    imported = new ImportedRepository(clone, ':memory:', () => now);
  });

  afterEach(() => {
    imported.database.close();
    origin.remove();
    clone.remove();
  });

  const fetch = (): string => clone.git('fetch', '--quiet', '--prune', 'origin');

  /** When the newest commit of all was made. */
  const lastCommit = (): number => Number(origin.git('log', '-1', '--format=%ct')) * 1000;

  /** Somebody pushes a commit to a branch of their own. */
  function push(branch: string, author: Author = grace, message = `Work on ${branch}`): void {
    origin.switch('main');
    origin.branch(branch);
    origin.commitFile(`${branch.replaceAll('/', '-')}.txt`, message, message, author);
  }

  const stacks = async (): Promise<string[]> =>
    (await imported.import()).stacks.map(({ branch }) => branch).sort();

  it('have stacks as soon as they are fetched, and the next versions when they are again', async () => {
    assert.deepEqual(await stacks(), []);
    push('topic');
    assert.deepEqual(await stacks(), []);
    fetch();
    assert.deepEqual(await stacks(), ['topic']);
    const [before] = imported.stack('topic').patches;
    assert.equal(before?.title, 'Work on topic');
    assert.equal(imported.row('topic').base, 'origin/main');

    origin.write('topic.txt', 'Better');
    origin.amend();
    fetch();
    assert.deepEqual(await stacks(), ['topic']);
    const [after] = imported.stack('topic').patches;
    assert.equal(after?.change_id, before.change_id);
    assert.notEqual(after?.commit_sha, before.commit_sha);
  });

  it('have none any more when they were merged or deleted', async () => {
    push('merged');
    push('deleted');
    fetch();
    assert.deepEqual(await stacks(), ['deleted', 'merged']);
    origin.switch('main');
    origin.merge('merged');
    origin.git('branch', '-D', 'deleted');
    fetch();
    assert.deepEqual(await stacks(), []);
    assert.equal(imported.row('merged').status, 'inactive');
    assert.equal(imported.row('deleted').status, 'inactive');
  });

  it('go on in the local branch of their name, or in one that tracks them', async () => {
    push('topic');
    push('other');
    fetch();
    await stacks();
    const uuid = imported.row('topic').uuid;
    clone.branch('topic', 'origin/topic');
    clone.branch('other-under-review', 'origin/other');
    assert.deepEqual(await stacks(), ['other-under-review', 'topic']);
    assert.equal(imported.row('topic').uuid, uuid);
    clone.switch('topic');
    clone.commitFile('mine.txt', 'mine', 'Help along');
    await stacks();
    assert.deepEqual(
      imported.stack('topic').patches.map(({ title }) => title),
      ['Work on topic', 'Help along'],
    );
  });

  describe('are left out where', () => {
    it("one has made the last commit oneself, under whatever spelling of one's address", async () => {
      push('mine', ada);
      push('mine-too', { ...ada, email: 'Ada@Example.com' });
      push('theirs');
      fetch();
      assert.deepEqual(await stacks(), ['theirs']);
    });

    it('a program has made it', async () => {
      push('dependabot/npm/left-pad', {
        name: 'dependabot[bot]',
        email: '49699333+dependabot[bot]@users.noreply.github.com',
      });
      push('robotics', { name: 'Bot Botson', email: 'bot@example.com' });
      fetch();
      assert.deepEqual(await stacks(), ['robotics']);
    });

    it('nobody has committed for two weeks', async () => {
      push('topic');
      fetch();
      now = lastCommit() + 14 * day;
      assert.deepEqual(await stacks(), ['topic']);
      now += 1000;
      assert.deepEqual(await stacks(), []);
      // A minute younger.
      push('newer');
      fetch();
      assert.deepEqual(await stacks(), ['newer']);
    });

    it('others merge into them, or release from them', async () => {
      const fork = GitRepository.withMain('fork');
      try {
        fork.commitFile('fork.txt', 'fork', 'Go another way', grace);
        fork.branch('topic');
        fork.commitFile('topic.txt', 'topic', 'Work on it', grace);
        clone.git('remote', 'add', 'fork', fork.directory);
        clone.git('fetch', '--quiet', 'fork');
        push('release/1.2');
        push('v2.x');
        push('develop');
        fetch();
        assert.deepEqual(await stacks(), ['topic']);
      } finally {
        fork.remove();
      }
    });

    it('they are logs of shared reviews', async () => {
      push('patch-stacks/v1/somebody/device');
      fetch();
      assert.deepEqual(await stacks(), []);
    });

    it('they have more commits than anybody reviews', async () => {
      origin.addCommits('topic', 200, 'main');
      origin.addCommits('upheaval', 201, 'main');
      fetch();
      clone.git('config', 'user.email', 'emmy@example.org');
      now = Number(origin.git('log', '-1', '--format=%ct', 'upheaval')) * 1000;
      const told: string[] = [];
      const onProgress = ({ branch }: { branch: string }): number => told.push(branch);
      const { stacks: found } = await imported.import({ onProgress });
      assert.deepEqual(
        found.map(({ branch }) => branch),
        ['topic'],
      );
      // Later, nobody even looks at the other one.
      told.length = 0;
      const again = await imported.import({ onProgress });
      assert.deepEqual([again.stacks.map(({ result }) => result), told], [['unchanged'], []]);
    });

    it('they have more commits than anybody reviews, until somebody shares them', async () => {
      origin.addCommits('upheaval', 201, 'main');
      fetch();
      clone.git('config', 'user.email', 'emmy@example.org');
      now = Number(origin.git('log', '-1', '--format=%ct', 'upheaval')) * 1000;
      assert.deepEqual(await stacks(), []);
      const shared = { remote: 'origin', branches: new Set(['upheaval']) };
      const importer = new Importer(imported.database, imported.owner.id, { also: () => shared });
      const { stacks: found } = await imported.import({}, importer);
      assert.deepEqual(
        found.map(({ branch, result }) => [branch, result]),
        [['upheaval', 'new']],
      );
      const again = await imported.import({}, importer);
      assert.deepEqual(
        again.stacks.map(({ result }) => result),
        ['unchanged'],
      );
    });

    it('there are 30 newer ones', async () => {
      for (let count = 1; count <= 31; count++) {
        push(`topic-${count}`);
      }
      fetch();
      const all = await stacks();
      assert.equal(all.length, 30);
      assert.ok(!all.includes('topic-1'));
    });
  });

  it('are left out, and nothing else is, where git lacks a commit of a branch', async () => {
    push('topic');
    fetch();
    clone.branch('mine');
    clone.commitFile('mine.txt', 'mine', 'Mine');
    assert.deepEqual(await stacks(), ['mine', 'topic']);
    const tip = clone.git('rev-parse', 'origin/topic');
    rmSync(path.join(clone.directory, '.git/objects', tip.slice(0, 2), tip.slice(2)));
    assert.deepEqual(await stacks(), ['mine']);
  });

  it('of which one has the same name at two remotes have one stack', async () => {
    const fork = GitRepository.withMain('fork');
    try {
      fork.branch('topic');
      fork.commitFile('topic.txt', 'topic', 'Work on it elsewhere', grace);
      clone.git('remote', 'add', 'fork', fork.directory);
      clone.git('fetch', '--quiet', 'fork');
      push('older');
      push('topic');
      fetch();
      assert.deepEqual(await stacks(), ['older', 'topic']);
      // The one that was committed last.
      assert.equal(imported.stack('topic').patches[0]?.title, 'Work on topic');
    } finally {
      fork.remove();
    }
  });
});
