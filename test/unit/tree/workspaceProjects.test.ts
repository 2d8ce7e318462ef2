import assert from 'node:assert/strict';
import type { Project } from '../../../src/api/types/projects.ts';
import type { WorkspaceRepositories } from '../../../src/git/workspaceRepositories.ts';
import type { Model } from '../../../src/model/model.ts';
import { WorkspaceProjects } from '../../../src/tree/workspaceProjects.ts';
import { Emitter } from '../../../src/util/event.ts';

describe('the projects of the open repositories', () => {
  const engine: Project = { repositoryId: '1', owner: 'ada', slug: 'engine' };
  let answers: PromiseWithResolvers<Project | undefined>[];
  let asked: string[];
  let changes: number;
  let started: number;
  let projects: WorkspaceProjects;
  const changed = new Emitter<undefined>();
  const model = {
    projectNamed: async (owner: string, slug: string) => {
      asked.push(`${owner}/${slug}`);
      const answer = Promise.withResolvers<Project | undefined>();
      answers.push(answer);
      return answer.promise;
    },
  } as unknown as Model;

  beforeEach(() => {
    [answers, asked, changes, started] = [[], [], 0, 0];
    projects = new WorkspaceProjects({
      list: [{ root: '/code/engine', branch: 'main', remotes: ['git@example.com:ada/engine.git'] }],
      onDidChange: changed.event,
      start: async () => {
        started += 1;
      },
    } as unknown as WorkspaceRepositories);
    projects.onDidChange(() => {
      changes += 1;
    });
  });

  afterEach(() => projects.dispose());

  const found = (listed: readonly Project[] = []): unknown[] =>
    projects.find(model, listed).map(({ project }) => project);

  it('are found among those that are listed, and nobody is asked', () => {
    assert.deepEqual(found([engine]), [engine]);
    assert.deepEqual(asked, []);
  });

  it('are looked up where they are not listed, and nothing waits for that', async () => {
    assert.deepEqual(found(), []);
    assert.deepEqual(asked, ['ada/engine']);
    answers[0]?.resolve(engine);
    await new Promise(setImmediate);
    assert.equal(changes, 1);
    assert.deepEqual(found(), [engine]);
    answers[1]?.resolve(engine);
    await new Promise(setImmediate);
    assert.equal(changes, 1, 'it is the one that was known');
  });

  it('are none that the service does not know, or did not tell', async () => {
    found();
    answers[0]?.reject(new Error('no service'));
    await new Promise(setImmediate);
    found();
    answers[1]?.resolve(undefined);
    await new Promise(setImmediate);
    assert.deepEqual(found(), []);
    assert.equal(changes, 0);
  });

  it('are not those that another account has heard of', async () => {
    found();
    answers[0]?.resolve(engine);
    await new Promise(setImmediate);
    found();
    projects.forget();
    assert.deepEqual(found(), []);
    answers[1]?.resolve({ ...engine, name: 'Of the account before' });
    await new Promise(setImmediate);
    assert.deepEqual(found(), []);
    assert.equal(changes, 1);
  });

  it('are told of when there are other repositories, until nobody listens', async () => {
    await projects.ready();
    assert.equal(started, 1);
    changed.fire(undefined);
    assert.equal(changes, 1);
    projects.dispose();
    changed.fire(undefined);
    assert.equal(changes, 1);
  });
});
