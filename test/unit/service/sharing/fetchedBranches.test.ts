import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openRepository } from '../../../../src/service/git/repository.ts';
import { FetchedBranches } from '../../../../src/service/sharing/fetchedBranches.ts';
import { SharingStore } from '../../../../src/service/sharing/store.ts';
import { Database } from '../../../../src/service/storage/database.ts';
import { GitRepository } from '../../../support/gitRepository.ts';

describe('branches that are fetched', function () {
  this.timeout(60_000);
  const own = process.env;
  let folder: string;
  let remote: GitRepository;
  let clone: GitRepository;
  let database: Database;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'patch-stacks-fetched-'));
    remote = GitRepository.withMain('remote');
    clone = GitRepository.withMain('clone');
    database = new Database(':memory:');
    // It is called as ssh is, has the other end on this computer, and notes each time.
    const program = path.join(folder, 'ssh');
    writeFileSync(
      program,
      `#!/bin/sh\necho >> "${folder}/calls"\nfor last; do :; done\nexec sh -c "$last"\n`,
    );
    chmodSync(program, 0o755);
    process.env = { ...own, GIT_SSH_COMMAND: program, GIT_SSH_VARIANT: 'ssh' };
  });

  afterEach(() => {
    process.env = own;
    database.close();
    [remote, clone].forEach((repository) => repository.remove());
    rmSync(folder, { recursive: true });
  });

  it('are asked for at once, also where others share some that git can have no branches of the names of', async () => {
    remote.branch('feature');
    remote.commitFile('a.txt', 'a\n', 'First');
    const store = new SharingStore(database, 'test');
    const repository = await openRepository(clone.directory);
    const fetched = await FetchedBranches.open(path.join(folder, 'own'), repository, store);
    assert.ok(fetched);
    const none = ['no name', 'a:b', 'a*', 'a?', 'a[b', 'a\\b', 'a^', 'a~1'];
    const wanted = new Map(['feature', ...none].map((name) => [name, '']));
    assert.equal(await fetched.fetch(`ssh://ann@example.com${remote.directory}`, wanted), true);
    const tips = [...(fetched.newer?.tips ?? [])].map(([name, { tip }]) => [name, tip]);
    assert.deepEqual(tips, [['feature', remote.git('rev-parse', 'feature')]]);
    assert.equal(readFileSync(path.join(folder, 'calls'), 'utf8'), '\n');
  });
});
