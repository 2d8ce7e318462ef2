import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { compareCommits } from '../../../src/git/compareCommits.ts';
import { compareInBackground } from '../../../src/git/compareInBackground.ts';
import { repositoryAt } from '../../../src/git/repository.ts';
import { changesWithContents } from '../../../src/git/changesWithContents.ts';
import type { PatchVersion } from '../../../src/model/reading/patchVersion.ts';
import { GitRepository } from '../../support/gitRepository.ts';

const worker = path.join(import.meta.dirname, '../../../src/git/comparisonWorker.ts');

/** A patch with a text of so many words. */
const version = (words: number, seed: number): PatchVersion => ({
  changeId: 'I1',
  title: 'Title',
  message: '',
  sections: [
    {
      kind: 'text',
      code: 't',
      text: Array.from({ length: words }, (_, index) => `word${index % seed}`).join(' '),
    },
  ],
  files: [],
});

describe('comparing in the background', () => {
  let scratch: string;

  const stacksJob = () => ({ kind: 'stacks' as const, git: 'git', roots: [], scratch });

  before(() => {
    scratch = mkdtempSync(path.join(tmpdir(), 'patch-stacks-scratch-'));
  });

  after(() => rmSync(scratch, { recursive: true, force: true }));

  it('finds of stacks what is found in the foreground, while others have their turn', async () => {
    const [older, newer] = [[version(3000, 97)], [version(3000, 89)]];
    let turns = 0;
    const count = (): void => {
      turns += 1;
      turning = setImmediate(count);
    };
    let turning = setImmediate(count);
    const { changes } = await compareInBackground(worker, { ...stacksJob(), older, newer });
    clearImmediate(turning);
    assert.deepEqual(changes, await changesWithContents([], { older, newer }, scratch));
    assert.ok(turns > 10, `${turns} turns`);
  });

  it('finds of commits what is found in the foreground', async () => {
    const repository = GitRepository.create();
    try {
      const older = repository.commitFile('a.txt', 'one\n', 'One');
      const newer = repository.commitFile('a.txt', 'two\n', 'Two');
      const [root, pairs] = [repository.directory, [{ older, newer }]];
      const job = { kind: 'commits' as const, git: 'git', root, pairs, scratch };
      const { commits } = await compareInBackground(worker, job);
      assert.deepEqual(commits, await compareCommits(repositoryAt('git', root), pairs, scratch));
      const missing = [{ older: 'f'.repeat(40), newer }];
      await assert.rejects(compareInBackground(worker, { ...job, pairs: missing }), /Command failed/);
      assert.deepEqual(readdirSync(scratch), []);
      // A thread that is ended cannot delete what it has written.
      const wanted = new AbortController();
      const ended = compareInBackground(worker, job, wanted.signal);
      while (readdirSync(scratch).length === 0) {
        await new Promise(setImmediate);
      }
      wanted.abort(new Error('nobody wants it'));
      await assert.rejects(ended, /nobody wants it/);
      assert.deepEqual(readdirSync(scratch), []);
    } finally {
      repository.remove();
    }
  });

  it('ends when it is no longer wanted, and when its thread has gone', async () => {
    const stacks = {
      ...stacksJob(),
      older: [version(20_000, 9973)],
      newer: [version(20_000, 7919)],
    };
    const wanted = new AbortController();
    const compared = compareInBackground(worker, stacks, wanted.signal);
    wanted.abort(new Error('nobody wants it'));
    await assert.rejects(compared, /nobody wants it/);
    await assert.rejects(compareInBackground(worker, stacks, wanted.signal), /nobody wants it/);
    const silent = path.join(import.meta.dirname, '../../../src/util/newlineCount.ts');
    await assert.rejects(compareInBackground(silent, stacks), /without an answer/);
  });
});
