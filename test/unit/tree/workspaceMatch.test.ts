import assert from 'node:assert/strict';
import type { Project } from '../../../src/api/types/projects.ts';
import { matchRepositories } from '../../../src/tree/workspaceMatch.ts';

const project = (id: string, rest: Partial<Project>): Project => ({ repositoryId: id, ...rest });
const repository = (...remotes: string[]) => ({ root: '/home/ada/engine', remotes, branch: 'main' });

describe('the projects of the open repositories', () => {
  const projects = [
    project('1', { owner: 'Ada', slug: 'Engine' }),
    project('2', { owner: 'bob', slug: 'other', codeRepositoryId: 'https://git.example.com/ada/engine.git' }),
    project('3', { owner: 'bob', slug: 'third', codeRepositoryId: 'ada/engine' }),
    project('4', { owner: 'bob', slug: 'fourth', codeRepositoryId: '/home/ada/engine/.git' }),
    project('5', { owner: 'bob', slug: 'engine' }),
  ];
  const found = (...remotes: string[]): string[] =>
    matchRepositories([repository(...remotes)], projects)
      .found.map(({ project: { repositoryId } }) => repositoryId)
      .sort();

  it('are those whose name or code repository is a remote, however it is written', () => {
    for (const remote of [
      'git@git.example.com:ada/engine.git',
      'https://token@git.example.com/ada/engine',
      'ssh://git@git.example.com/ada/engine.git/',
    ]) {
      assert.deepEqual(found(remote), ['1', '2', '3', '4'], remote);
    }
    assert.deepEqual(found('https://elsewhere.example.com/ada/engine'), ['1', '3', '4']);
  });

  it('are those whose code repository is the repository itself', () => {
    assert.deepEqual(found(), ['4']);
    assert.deepEqual(found('/srv/engine.git'), ['4']);
  });

  it('come with the branch that is checked out, each once', () => {
    const { found: all } = matchRepositories(
      [
        repository('https://x.org/ada/engine'),
        { ...repository('https://x.org/ada/engine'), branch: 'other' },
      ],
      projects.slice(0, 1),
    );
    assert.deepEqual(all, [{ project: projects[0], branch: 'main' }]);
  });

  it('leave the names to look up that no known project has, and none where nothing is open', () => {
    const { unknown } = matchRepositories(
      [repository('https://x.org/ada/engine', 'x.org:eve/new.git')],
      projects,
    );
    assert.deepEqual(unknown, [{ owner: 'eve', slug: 'new' }]);
    assert.deepEqual(matchRepositories([], projects), { found: [], unknown: [] });
  });
});
