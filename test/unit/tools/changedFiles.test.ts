import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { changedFiles, importersOf } from '../../changedFiles.ts';
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
    assert.deepEqual(changedFiles(repository.directory)?.toSorted(), [
      '.gitignore',
      'edited.ts',
      'später, "so".ts',
    ]);
  });

  it('are none on the main branch as it is', () => {
    assert.deepEqual(changedFiles(repository.directory), []);
  });

  it('are told by the main branch of a clone, whichever branch it was made of and is called main there', () => {
    repository.git('switch', '--quiet', '--create', 'work');
    repository.write('edited.ts', 'after\n');
    repository.commit('Edit');
    const clone = path.join(path.dirname(repository.directory), 'clone');
    repository.git('clone', '--quiet', '.', clone);
    execFileSync('git', ['checkout', '--quiet', '-B', 'main'], { cwd: clone });
    assert.deepEqual(changedFiles(clone), ['edited.ts']);
  });

  it('are not known where there is no main branch to compare with', () => {
    repository.git('branch', '--quiet', '--move', 'main', 'trunk');
    assert.equal(changedFiles(repository.directory), undefined);
    assert.equal(changedFiles(tmpdir()), undefined);
  });

  it('are imported by others, from any folder, and when these are needed', () => {
    repository.write('src/one.ts', "import { kept } from '../kept.ts';\n");
    repository.write('test/two.tsx', "const { kept } = await import('../kept.ts');\n");
    repository.write('src/three.ts', "import { kept } from './kept.ts';\nimport '../edited.ts';\n");
    assert.deepEqual(importersOf(repository.directory, ['kept.ts']).toSorted(), [
      'src/one.ts',
      'test/two.tsx',
    ]);
  });
});
