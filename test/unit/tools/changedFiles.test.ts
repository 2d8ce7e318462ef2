import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { changedFiles } from '../../changedFiles.ts';
import { GitRepository } from '../../support/gitRepository.ts';

describe('the files that were changed', () => {
  let repository: GitRepository;
  beforeEach(() => {
    repository = GitRepository.withMain('changed');
    repository.write('kept.ts', 'kept\n');
    repository.write('edited.ts', 'before\n');
    repository.write('deleted.ts', 'deleted\n');
    repository.commit('Begin');
  });
  afterEach(() => rmSync(path.dirname(repository.directory), { recursive: true, force: true }));

  it('are those of the branch, of what is not committed yet, and new ones, but none that are gone', () => {
    repository.git('switch', '--quiet', '--create', 'work');
    repository.write('edited.ts', 'after\n');
    repository.commit('Edit');
    repository.write('später, "so".ts', 'new\n');
    repository.write('.gitignore', 'ignored.ts\n');
    repository.write('ignored.ts', 'ignored\n');
    rmSync(path.join(repository.directory, 'deleted.ts'));
    assert.deepEqual(changedFiles(repository.directory).toSorted(), [
      '.gitignore',
      'edited.ts',
      'später, "so".ts',
    ]);
  });

  it('are none on the main branch as it is', () => {
    assert.deepEqual(changedFiles(repository.directory), []);
  });
});
