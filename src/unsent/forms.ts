/** The forms that keep what is typed into them: where they are, and what the server has in their fields. */
import type { runCommand } from '../ui/commands.ts';
import type { Model } from '../model/model.ts';
import type { ChangeSubjects } from '../model/pending/kinds/index.ts';

type FormSubject = ChangeSubjects['form'];

/** Opens a form, about what it was about: it has in it what was typed. */
export async function openForm(
  { form, about }: FormSubject,
  model: Pick<Model, 'project'>,
  run: typeof runCommand,
): Promise<void> {
  const row = about === undefined ? [] : [{ project: await model.project(about) }];
  switch (form) {
    case 'profile':
      return run('editProfile');
    case 'createProject':
      return run('createProject');
    case 'editProject':
      return run('editProject', ...row);
    case 'createStack':
      return run('createStack', ...row);
    case 'release':
      return run('createRelease');
    case 'feedback':
      return run('sendFeedback');
  }
}

/** The server's content for the fields of a form; none for something that is to be created. */
export async function formFields(
  { form, about = '' }: FormSubject,
  model: Pick<Model, 'project' | 'ownUser'>,
): Promise<Record<string, unknown>> {
  switch (form) {
    case 'profile':
      return { ...(await model.ownUser()) };
    case 'editProject': {
      const { projects } = await model.ownUser();
      const own = projects.find(({ repositoryId }) => repositoryId === about);
      return { ...(await model.project(about)), ...own?.permissions };
    }
    case 'createProject':
    case 'createStack':
    case 'release':
    case 'feedback':
      return {};
  }
}
