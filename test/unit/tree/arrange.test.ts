import assert from 'node:assert/strict';
import type { Project } from '../../../src/api/types/projects.ts';
import { arrange, isFamily } from '../../../src/tree/arrange.ts';

const project = (id: string, owner?: string, parentProject?: Project): Project => ({
  repositoryId: id,
  ...(owner !== undefined && { owner }),
  ...(parentProject && { parentProject }),
});

/** The arrangement as text: `owner: 1 2 [3: 3 4]`. */
function shown(projects: Project[], inWorkspace: string[] = []): string[] {
  const { workspace, owners } = arrange(projects, new Set(inWorkspace));
  const ids = (list: Project[]): string => list.map(({ repositoryId }) => repositoryId).join(' ');
  return [
    `workspace: ${ids(workspace)}`,
    ...owners.map(
      ({ owner, entries }) =>
        `${owner}: ${entries
          .map((entry) =>
            isFamily(entry) ? `[${entry.root.repositoryId}: ${ids(entry.members)}]` : entry.repositoryId,
          )
          .join(' ')}`,
    ),
  ];
}

describe('the arrangement of projects', () => {
  it('groups them by owner, in the order of the list', () => {
    assert.deepEqual(
      shown([project('1', 'b'), project('2', 'a'), project('3', 'b'), project('4'), project('5', 'a')]),
      ['workspace: ', 'b: 1 3', 'a: 2 5', 'undefined: 4'],
    );
  });

  it('moves nothing when the next page comes', () => {
    const page = [project('1', 'b'), project('2', 'a')];
    const before = shown(page);
    const after = shown([...page, project('3', 'c'), project('4', 'b')]);
    assert.deepEqual(
      after.map((line, index) => line.startsWith(before[index] ?? '')),
      [true, true, true, true],
    );
  });

  it('puts those of the workspace first, and nowhere else', () => {
    assert.deepEqual(shown([project('1', 'a'), project('2', 'a')], ['2']), ['workspace: 2', 'a: 1']);
  });

  it('puts forks under the name of the project that they come from, with its owner', () => {
    const engine = project('1', 'guild');
    const fork = project('2', 'ada', engine);
    const forkOfFork = project('3', 'bob', fork);
    assert.deepEqual(shown([forkOfFork, project('4', 'ada'), engine, fork]), [
      'workspace: ',
      'guild: [1: 3 1 2]',
      'ada: 4',
    ]);
    // The parent need not be among one's own.
    assert.deepEqual(shown([fork]), ['workspace: ', 'guild: [1: 2]']);
  });
});
