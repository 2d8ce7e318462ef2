import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { ServiceError } from '../../../src/service/errors.ts';
import { askGit, runGit, startGit } from '../../../src/service/git/git.ts';
import { GitRepository } from '../../support/gitRepository.ts';

describe('running git', () => {
  it('gives up where the configuration includes a pipe into which no one writes', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    const repository = GitRepository.withMain();
    try {
      const pipe = path.join(repository.directory, 'pipe');
      execFileSync('mkfifo', [pipe]);
      repository.git('config', 'include.path', pipe);
      const silent = (error: unknown) => error instanceof ServiceError && error.code === 'git_silent';
      await assert.rejects(runGit(repository.directory, ['rev-parse', 'HEAD'], undefined, 100), silent);
      const stop = AbortSignal.timeout(100);
      await assert.rejects(askGit(repository.directory, ['rev-parse', 'HEAD'], stop), {
        name: 'TimeoutError',
      });
    } finally {
      repository.remove();
    }
  });

  it('ends at once where the signal was aborted before', async () => {
    const repository = GitRepository.withMain();
    try {
      // It waits for what it is asked.
      const git = startGit(
        repository.directory,
        ['cat-file', '--batch'],
        AbortSignal.abort(new Error('Enough.')),
      );
      await assert.rejects(git.ended, /Enough/);
    } finally {
      repository.remove();
    }
  });
});
