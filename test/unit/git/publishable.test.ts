import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { aheadBranches, aheadCommits } from '../../../src/git/publishable.ts';
import { repositoryAt } from '../../../src/git/repository.ts';
import { isPublished } from '../../../src/stacks/published.ts';

describe('what can be published', () => {
  let folder: string;
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], {
      cwd: folder,
      encoding: 'utf8',
    }).trim();
  const commit = (title: string): string => {
    writeFileSync(path.join(folder, 'file'), title);
    git('add', '.');
    git('commit', '-qm', title);
    return git('rev-parse', 'HEAD');
  };

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'patch-stacks-publish-'));
    git('init', '-q', '-b', 'main');
    commit('Begin');
    git('branch', 'merged');
    git('checkout', '-qb', 'work/a');
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is each branch that is ahead of its base, the one that is checked out first', async () => {
    const first = commit('One');
    git('checkout', '-q', 'main');
    git('checkout', '-qb', 'other');
    const second = commit('Two');
    git('checkout', '-q', 'work/a');
    const base = git('rev-parse', 'main');
    assert.deepEqual(await aheadBranches(repositoryAt('git', folder)), [
      { name: 'work/a', commit: first, base, current: true },
      { name: 'other', commit: second, base, current: false },
    ]);
  });

  it('is nothing where every branch is in the default branch, nor the default branch itself', async () => {
    assert.deepEqual(await aheadBranches(repositoryAt('git', folder)), []);
    git('checkout', '-q', 'main');
    git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
    commit('Ahead of the remote');
    assert.deepEqual(await aheadBranches(repositoryAt('git', folder)), []);
  });

  it('has its commits, newest first, without those of the default branch', async () => {
    commit('One');
    const newest = commit('Two: “quoted”');
    const repository = repositoryAt('git', folder);
    const [branch] = await aheadBranches(repository);
    assert.equal(branch?.commit, newest);
    const commits = await aheadCommits(repository, branch);
    assert.deepEqual(
      commits.map(({ title }) => title),
      ['Two: “quoted”', 'One'],
    );
    const [first] = commits;
    assert.ok(first);
    assert.equal(first.sha, newest);
    assert.ok(newest.startsWith(first.shortSha));
    assert.ok(!Number.isNaN(Date.parse(first.committedAt)));
  });

  it('is no branch whose newest stack was made from the commit that it is at', () => {
    const branch = { name: 'one', commit: 'c2' };
    const stack = (oplogSha: string, status: string, rest = {}) => ({
      uuid: oplogSha,
      branchId: 'one',
      oplogSha,
      status,
      contributors: [],
      ...rest,
    });
    assert.ok(isPublished(branch, [stack('c2', 'active')]));
    assert.ok(isPublished(branch, [stack('c2', 'closed')]));
    assert.ok(
      isPublished(branch, [
        stack('e9', 'active', { patches: [{ changeId: 'I', commitSha: 'c2', contributors: [] }] }),
      ]),
    );
    assert.ok(!isPublished(branch, [stack('c1', 'active')]));
    assert.ok(!isPublished(branch, [stack('c3', 'active'), stack('c2', 'inactive')]), 'it was reset since');
    assert.ok(!isPublished(branch, [{ ...stack('c2', 'active'), branchId: 'two' }]));
    assert.ok(!isPublished(branch, []));
  });
});
