/** Where the data of a repository lies: the same for whoever starts the service over it, also after it was moved or kept elsewhere. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'; // prettier-ignore
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { openRepository } from '../../../src/service/git/repository.ts';
import { Database, lockDataDirectory } from '../../../src/service/storage/database.ts';
import { createProject } from '../../../src/service/storage/projects.ts';
import { findProjectByRepository } from '../../../src/service/storage/projects.ts';
import { createUser } from '../../../src/service/storage/users.ts';
import { describeStore, findStore, storesFolder, type Store } from '../../../src/service/stores.ts';
import { isSoundDatabase } from '../../../src/service/storage/database.ts';
import { GitRepository } from '../../support/gitRepository.ts';

describe('the store of a repository', () => {
  let directory: string;
  let homeBefore: string | undefined;
  let repository: GitRepository;

  beforeEach(() => {
    directory = realpathSync(mkdtempSync(path.join(tmpdir(), 'patch-stacks-stores-')));
    homeBefore = process.env['XDG_DATA_HOME'];
    process.env['XDG_DATA_HOME'] = path.join(directory, 'home');
    repository = GitRepository.withMain('widgets');
  });

  afterEach(() => {
    process.env['XDG_DATA_HOME'] = homeBefore;
    repository.remove();
    rmSync(directory, { recursive: true, force: true });
  });

  const find = async (folder = repository.directory, ...older: string[]): Promise<Store> =>
    findStore(await openRepository(folder), older);

  /** Writes a database with a project of a repository, as the service does, called as the test wants. */
  async function write(data: string, name: string, folder = repository.directory): Promise<void> {
    mkdirSync(data, { recursive: true });
    const { gitDirectory } = await openRepository(folder);
    const database = new Database(path.join(data, 'patch-stacks.sqlite'));
    const { id } = createUser(database, { name: 'Ada', email: 'ada@example.org', role: 'admin' });
    createProject(
      database,
      {
        owner: 'ada',
        slug: 'widgets',
        name,
        directory: name,
        codeRepositoryId: gitDirectory,
        repository: gitDirectory,
      },
      [id],
    );
    database.close();
  }

  /** The name of the project that a data directory has of a repository. */
  async function nameIn(data: string, folder = repository.directory): Promise<string | undefined> {
    const { gitDirectory } = await openRepository(folder);
    const database = new Database(path.join(data, 'patch-stacks.sqlite'));
    try {
      const project = findProjectByRepository(database, gitDirectory);
      assert.equal(project?.code_repository_id, project && gitDirectory);
      return project?.name;
    } finally {
      database.close();
    }
  }

  it('is in the folder of the person, for them alone, and never in the repository', async () => {
    const store = await find();
    assert.equal(path.dirname(store.directory), path.join(directory, 'home', 'patch-stacks'));
    assert.match(path.basename(store.directory), /^widgets-[0-9a-f]{16}$/);
    if (process.platform !== 'win32') {
      assert.equal(statSync(store.directory).mode & 0o077, 0);
      assert.equal(statSync(path.dirname(store.directory)).mode & 0o077, 0);
    }
    assert.deepEqual(store.others, []);
    assert.equal(repository.git('status', '--porcelain', '--ignored'), '');
  });

  it('lies where each system keeps data', () => {
    assert.equal(storesFolder({ XDG_DATA_HOME: '/data' }, 'linux'), path.join('/data', 'patch-stacks'));
    const inHome = (...parts: string[]): string => path.join(homedir(), ...parts, 'patch-stacks');
    assert.equal(storesFolder({ XDG_DATA_HOME: 'data' }, 'linux'), inHome('.local', 'share'));
    assert.equal(storesFolder({}, 'darwin'), inHome('Library', 'Application Support'));
    assert.equal(storesFolder({ LOCALAPPDATA: '/local' }, 'win32'), path.join('/local', 'patch-stacks'));
    assert.equal(storesFolder({}, 'win32'), inHome('AppData', 'Local'));
  });

  it('is the same for all working trees and folders of a repository, and another one for a clone', async () => {
    const { directory: own } = await find();
    const tree = path.join(directory, 'tree');
    repository.git('worktree', 'add', '--quiet', '--detach', tree);
    mkdirSync(path.join(tree, 'below'));
    assert.equal((await find(tree)).directory, own);
    assert.equal((await find(path.join(tree, 'below'))).directory, own);
    const clone = path.join(directory, path.basename(repository.directory));
    repository.git('clone', '--quiet', repository.directory, clone);
    assert.notEqual((await find(clone)).directory, own);
  });

  it('goes along with a repository that is moved', async () => {
    const before = await find();
    await write(before.directory, 'Mine');
    const moved = path.join(directory, 'gadgets');
    renameSync(repository.directory, moved);
    const store = await find(moved);
    assert.match(path.basename(store.directory), /^gadgets-/);
    assert.equal(await nameIn(store.directory, moved), 'Mine');
    assert.equal((await find(moved)).directory, store.directory);
  });

  it('is there in both places where the old one was away for a while, as on a drive', async () => {
    const before = await find();
    await write(before.directory, 'Mine');
    const clone = path.join(directory, 'clone');
    repository.git('clone', '--quiet', repository.directory, clone);
    const away = path.join(directory, 'away');
    renameSync(repository.directory, away);
    const store = await find(clone);
    assert.equal(await nameIn(store.directory, clone), 'Mine');
    renameSync(away, repository.directory);
    assert.equal((await find()).directory, before.directory);
    assert.equal(await nameIn(before.directory), 'Mine');
  });

  it('stays with a repository that is still there, and is no other repository’s', async () => {
    const before = await find();
    await write(before.directory, 'Mine');
    const clone = path.join(directory, 'clone');
    repository.git('clone', '--quiet', repository.directory, clone);
    assert.ok(!existsSync(path.join((await find(clone)).directory, 'patch-stacks.sqlite')));
    assert.equal(await nameIn(before.directory), 'Mine');
    renameSync(repository.directory, path.join(directory, 'away'));
    const other = GitRepository.create('other');
    try {
      other.commitFile('a.txt', 'a\n', 'Something else');
      assert.ok(!existsSync(path.join((await find(other.directory)).directory, 'patch-stacks.sqlite')));
      assert.ok(existsSync(path.join(before.directory, 'patch-stacks.sqlite')));
    } finally {
      other.remove();
    }
  });

  describe('of an earlier version', () => {
    const older = (name: string): string => path.join(directory, 'older', name);

    it('is copied whole, and what was there stays', async () => {
      await write(older('one'), 'Mine');
      mkdirSync(path.join(older('one'), 'copies'));
      const other = GitRepository.withMain('other');
      await write(older('other'), 'Others', other.directory);
      other.remove();
      const store = await find(repository.directory, older('other'), older('one'), older('none'));
      assert.deepEqual([store.copiedFrom, store.others], [older('one'), []]);
      assert.equal(await nameIn(store.directory), 'Mine');
      assert.ok(existsSync(path.join(store.directory, 'copies')));
      assert.ok(isSoundDatabase(path.join(older('one'), 'patch-stacks.sqlite')));
      assert.deepEqual(describeStore(store), [
        `Your reviews of this repository were copied from ${older('one')}.`,
      ]);
      assert.deepEqual(
        readdirSync(path.dirname(store.directory)).filter((name) => name.endsWith('.new')),
        [],
      );
    });

    it('is the one that was written last where there are several, and the others are named', async () => {
      for (const [index, name] of ['one', 'two', 'three'].entries()) {
        await write(older(name), name);
        const at = new Date(2026, 0, index === 1 ? 9 : 1 + index);
        utimesSync(path.join(older(name), 'patch-stacks.sqlite'), at, at);
      }
      const store = await find(repository.directory, ...['one', 'two', 'three'].map(older));
      assert.equal(await nameIn(store.directory), 'two');
      assert.deepEqual(store.others, [older('three'), older('one')]);
      const said = describeStore(store).join('\n');
      for (const other of store.others) {
        assert.ok(said.includes(`npm run service -- --data ${other}`));
      }
    });

    it('is copied once, and never over what is there', async () => {
      await write(older('one'), 'Mine');
      const { directory: data } = await find(repository.directory, older('one'));
      await write(older('late'), 'Late');
      const again = await find(repository.directory, older('one'), older('late'));
      assert.deepEqual([again.directory, again.copiedFrom, again.others], [data, undefined, [older('late')]]);
      assert.equal(await nameIn(data), 'Mine');
      // As an earlier version does that is still in use.
      const later = new Date(Date.now() + 60_000);
      utimesSync(path.join(older('one'), 'patch-stacks.sqlite'), later, later);
      assert.deepEqual((await find(repository.directory, older('one'))).others, [older('one')]);
    });

    it('isn’t copied while something writes it, nor over a database whose file is gone but not its copies', async () => {
      await write(older('one'), 'Mine');
      const lock = lockDataDirectory(older('one'));
      await assert.rejects(find(repository.directory, older('one')), /Another local service is using/);
      lock.release();
      const { directory: data } = await find();
      mkdirSync(path.join(data, 'copies'));
      const store = await find(repository.directory, older('one'));
      assert.deepEqual([store.copiedFrom, store.others], [undefined, [older('one')]]);
    });
  });
});
