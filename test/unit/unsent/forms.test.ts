import assert from 'node:assert/strict';
import type { Project } from '../../../src/api/types/projects.ts';
import type { OwnUser } from '../../../src/api/types/users.ts';
import { formFields, openForm } from '../../../src/unsent/forms.ts';

describe('the forms that keep what is typed', () => {
  const project = (id: string, name: string) => ({ repositoryId: id, name }) as Project;
  const asked: string[] = [];
  const model = {
    project: async (id: string) => {
      asked.push(id);
      return project(id, `Project ${id}`);
    },
    ownUser: async () =>
      ({
        login: 'ada',
        projects: [
          { repositoryId: '1', permissions: { canPush: true } },
          { repositoryId: '2', permissions: { canPush: false } },
        ],
      }) as unknown as OwnUser,
  };

  beforeEach(() => {
    asked.length = 0;
  });

  for (const [form, about, command, row] of [
    ['profile', undefined, 'editProfile', false],
    ['createProject', undefined, 'createProject', false],
    ['editProject', '2', 'editProject', true],
    ['createStack', '2', 'createStack', true],
    ['createStack', undefined, 'createStack', false],
    ['release', undefined, 'createRelease', false],
    ['feedback', undefined, 'sendFeedback', false],
  ] as const) {
    it(`are opened: ${form}${about === undefined ? '' : ' of a project'}`, async () => {
      const run: unknown[][] = [];
      await openForm(
        { kind: 'form', form, ...(about !== undefined && { about }) },
        model,
        async (...args: unknown[]) => void run.push(args),
      );
      assert.deepEqual(run, [[command, ...(row ? [{ project: project('2', 'Project 2') }] : [])]]);
      assert.deepEqual(asked, row ? ['2'] : []);
    });
  }

  it('have what the server has in their fields, and nothing where something is made', async () => {
    assert.deepEqual(await formFields({ kind: 'form', form: 'profile' }, model), await model.ownUser());
    assert.deepEqual(await formFields({ kind: 'form', form: 'editProject', about: '2' }, model), {
      ...project('2', 'Project 2'),
      canPush: false,
    });
    assert.deepEqual(
      await formFields({ kind: 'form', form: 'editProject', about: '3' }, model),
      project('3', 'Project 3'),
    );
    for (const form of ['createProject', 'createStack', 'release', 'feedback'] as const) {
      assert.deepEqual(await formFields({ kind: 'form', form, about: '2' }, model), {});
    }
  });
});
