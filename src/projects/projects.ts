/** Creates, changes, connects and deletes projects, each in a short series of questions. */
import * as vscode from 'vscode';
import { isApiError } from '../api/errors.ts';
import type { Project, ProjectUpdate } from '../api/types/projects.ts';
import type { Organization } from '../api/types/users.ts';
import type { ProjectRow } from '../contributions.ts';
import type { PendingChanges } from '../model/pending/pendingChanges.ts';
import { PendingForm } from '../model/pending/pendingForm.ts';
import type { Model } from '../model/model.ts';
import { askField } from '../ui/askField.ts';
import { askText } from '../ui/askText.ts';
import { choose, type Choice } from '../ui/choose.ts';
import { chooseProject } from '../ui/chooseProject.ts';
import { attempt } from '../ui/commands.ts';
import { refusalOf } from '../ui/failures.ts';
import { takeSteps, type Place } from '../ui/form.ts';
import { escapeIcons } from '../ui/icons.ts';
import { projectLabel, projectPath } from '../ui/labels.ts';
import type { Log } from '../ui/log.ts';
import { showMessage } from '../ui/notifications.ts';
import { oneLine } from '../ui/oneLine.ts';
import type { RecentChanges } from '../ui/recentChanges.ts';
import { parseProjectName } from '../git/address.ts';
import { nameProblem, slugFrom, slugProblem, type FieldProblem } from './fields.ts';
import { changedFields, keysOf } from '../util/fields.ts';
import { inBackground } from '../util/inBackground.ts';

export interface ProjectView {
  revealProject(projectId: string): Promise<void>;
}

interface ProjectsContext {
  model: Model;
  view: ProjectView;
  pendingChanges: () => Promise<PendingChanges>;
  changes: RecentChanges;
  log: Log;
}

type ShareLevel = 'public' | 'private';

interface ProjectForm {
  name: string;
  description: string;
  /** Until it is typed, it is made of the name. */
  slug?: string;
  shareLevel?: string | undefined;
}

/** A step of the form. */
interface ProjectStep {
  title: string;
  place: Place;
  form: ProjectForm;
  /** Keeps what is in the form. */
  keep: () => void;
  refusal?: string | undefined;
}

/** See the module. */
export class Projects {
  readonly #context: ProjectsContext;
  readonly #model: Model;

  constructor(context: ProjectsContext) {
    this.#context = context;
    this.#model = context.model;
  }

  /**
   * Asks for a new project's name, description and slug, and creates it. What was typed is there again when the window was
   * closed meanwhile.
   */
  async create(): Promise<void> {
    const title = vscode.l10n.t('Create Project');
    const pending = new PendingForm(await this.#context.pendingChanges(), 'createProject', title);
    const before: ProjectForm = { name: '', description: '' };
    const form: ProjectForm = { ...before, ...keptFields(pending.read()) };
    const keep = (): void => pending.write(changedFields(before, form));
    let project: Project | undefined;
    await takeSteps(
      [
        (place) => askName({ title, place, form, keep, refusal: refusalOf(pending) }),
        (place) => askDescription({ title, place, form, keep }, vscode.l10n.t('Description (optional)')),
        (place) =>
          askSlug({ title, place, form, keep }, form.slug ?? slugFrom(form.name), async (slug) => {
            const description = form.description.trim();
            const creation = { name: form.name.trim(), slug, ...(description !== '' && { description }) };
            project = await pending.send(() => this.#model.createProject(creation));
          }),
      ],
      () => pending.giveUp(),
    );
    if (project) {
      this.#context.changes.add({
        what: vscode.l10n.t('Created project "{0}".', projectLabel(project)),
        before: '',
        after: [project.name, projectPath(project), project.description ?? ''].join('\n'),
      });
      inBackground(showMessage(vscode.l10n.t('Created project "{0}".', projectLabel(project))));
      await this.#context.view.revealProject(project.repositoryId);
    }
  }

  /**
   * Asks for what is to be different about a project, and changes it. What was typed is there again when the window was closed
   * meanwhile.
   */
  async edit(row?: ProjectRow): Promise<void> {
    const title = vscode.l10n.t('Edit Project');
    const { repositoryId } = row?.project ?? (await chooseProject(this.#model, { title }));
    const [project, shareLevel, pendingChanges] = await Promise.all([
      this.#model.project(repositoryId),
      this.#shareLevel(repositoryId),
      this.#context.pendingChanges(),
    ]);
    const pending = new PendingForm(
      pendingChanges,
      'editProject',
      `${title}: ${projectLabel(project)}`,
      repositoryId,
    );
    const description = oneLine(project.description ?? '');
    const before: ProjectForm & { slug: string } = {
      name: project.name ?? '',
      description: description.shown,
      slug: project.slug ?? '',
      shareLevel,
    };
    const form = { ...before, ...keptFields(pending.read()) };
    // Fields that are as they were are left out: somebody else may have changed them by the next time.
    const keep = (): void => pending.write(changedFields(before, form));
    const outcome = { isSent: false };
    await takeSteps(
      [
        (place) => askName({ title, place, form, keep, refusal: refusalOf(pending) }),
        (place) =>
          askDescription(
            { title, place, form, keep },
            description.flattened
              ? vscode.l10n.t('Description. Editing it here replaces line breaks with spaces.')
              : vscode.l10n.t('Description (optional)'),
          ),
        async (place) => {
          form.shareLevel = await chooseShareLevel(title, place, form.shareLevel, shareLevel);
          keep();
        },
        (place) =>
          askSlug({ title, place, form, keep }, form.slug, async (slug) => {
            const name = form.name.trim();
            const described = description.changed(form.description);
            const update: ProjectUpdate = {
              ...(name !== project.name && { name }),
              ...(slug !== project.slug && { slug }),
              ...(described !== undefined && { description: described.trim() }),
              ...(form.shareLevel !== shareLevel &&
                isShareLevel(form.shareLevel) && { shareLevel: form.shareLevel }),
            };
            if (Object.keys(update).length > 0) {
              await pending.send(() => this.#model.updateProject(repositoryId, update));
              this.#tellUpdate(project, shareLevel, update);
              outcome.isSent = true;
            } else {
              pending.write({});
            }
          }),
      ],
      () => pending.giveUp(),
    );
    inBackground(
      showMessage(
        outcome.isSent
          ? vscode.l10n.t('Saved project "{0}".', form.name.trim())
          : vscode.l10n.t('You changed nothing about the project "{0}".', projectLabel(project)),
      ),
    );
  }

  /** Has the person type the slug of a project, and deletes it. */
  async delete(row?: ProjectRow): Promise<void> {
    const title = vscode.l10n.t('Delete Project');
    const project = row?.project ?? (await chooseProject(this.#model, { title }));
    const slug = project.slug ?? project.repositoryId;
    await askText({
      title: `${title}: ${projectLabel(project)}`,
      prompt: vscode.l10n.t(
        'This permanently deletes the project and all of its patch stacks. Enter "{0}" to confirm.',
        slug,
      ),
      check: (text) => (text.trim() === slug ? undefined : vscode.l10n.t('That doesn\'t match "{0}".', slug)),
      accept: async () => {
        await this.#model.deleteProject(project.repositoryId);
        return { value: undefined };
      },
    });
    this.#context.changes.add({
      what: vscode.l10n.t('Deleted project "{0}".', projectLabel(project)),
      before: [project.name, projectPath(project), project.description ?? ''].join('\n'),
      after: '',
    });
    inBackground(showMessage(vscode.l10n.t('Deleted project "{0}".', projectLabel(project))));
  }

  /** Asks which project to open, which may be somebody else's, and shows it in the view. */
  async open(): Promise<void> {
    const project = await askText<Project>({
      title: vscode.l10n.t('Open Project'),
      prompt: vscode.l10n.t('Project owner and slug, or URL'),
      placeholder: vscode.l10n.t('owner/slug'),
      check: (text) =>
        parseProjectName(text)
          ? undefined
          : vscode.l10n.t('Enter the owner and slug separated by a slash, or paste a URL.'),
      accept: async (text) => {
        const name = parseProjectName(text);
        try {
          return { value: await this.#model.openProject(name?.owner ?? '', name?.slug ?? '') };
        } catch (error) {
          if (name && isApiError(error) && error.kind === 'notFound') {
            const problem = vscode.l10n.t(
              'Project "{0}" doesn\'t exist or you don\'t have access to it.',
              `${name.owner}/${name.slug}`,
            );
            return { problem };
          }
          throw error;
        }
      },
    });
    await this.#context.view.revealProject(project.repositoryId);
  }

  /** Asks to which organization, and to which of its projects, to connect a project, and connects it. */
  async connect(row?: ProjectRow): Promise<void> {
    const title = vscode.l10n.t('Connect Project');
    const project = row?.project ?? (await chooseProject(this.#model, { title }));
    const user = this.#model.ownUser();
    const form: { organization?: Organization; projectSlug?: string | undefined } = {};
    await takeSteps(
      [
        async (place) => {
          form.organization = await choose<Organization>({
            title,
            place,
            placeholder: vscode.l10n.t('Select an organization'),
            empty: vscode.l10n.t("You aren't a member of any organization."),
            load: async () =>
              (await user).organizations.map((organization) => ({
                label: escapeIcons(organization.name ?? organization.slug),
                description: escapeIcons(organization.slug),
                ...(organization.description !== undefined && {
                  detail: escapeIcons(organization.description),
                }),
                choice: { value: organization },
              })),
          });
        },
        async (place) => {
          const organization = form.organization?.slug ?? '';
          form.projectSlug = await choose<string | undefined>({
            title,
            place,
            placeholder: vscode.l10n.t('Select the project of "{0}" to connect to', organization),
            load: async () => {
              const existing = (await user).projects.filter(
                ({ owner, repositoryId }) => owner === organization && repositoryId !== project.repositoryId,
              );
              const known: Choice<string | undefined>[] = existing.flatMap((candidate) =>
                candidate.slug === undefined || candidate.slug === project.slug
                  ? []
                  : [
                      {
                        label: escapeIcons(projectLabel(candidate)),
                        description: escapeIcons(projectPath(candidate)),
                        choice: { value: candidate.slug },
                      },
                    ],
              );
              return [
                {
                  label: `$(add) ${vscode.l10n.t('Project with the same slug')}`,
                  description: escapeIcons(`${organization}/${project.slug ?? ''}`),
                  detail: vscode.l10n.t("Created if the organization doesn't have one."),
                  choice: { value: undefined },
                },
                ...known,
              ];
            },
          });
        },
      ],
      () => undefined,
    );
    const { organization, projectSlug } = form;
    if (organization) {
      const doing = vscode.l10n.t('connect the project "{0}"', projectLabel(project));
      await attempt(doing, this.#context.log, () => this.#connect(project, organization.slug, projectSlug));
    }
  }

  /** Disconnects a project from its organization; that can be undone. */
  async disconnect(row?: ProjectRow): Promise<void> {
    if (row && !row.project.parentProject) {
      throw new Error(
        vscode.l10n.t('The project "{0}" isn\'t connected to an organization.', projectLabel(row.project)),
      );
    }
    const project =
      row?.project ??
      (await chooseProject(this.#model, {
        title: vscode.l10n.t('Disconnect Project'),
        accepts: ({ parentProject }) => parentProject !== undefined,
        empty: vscode.l10n.t('No projects are connected to an organization.'),
      }));
    await this.#disconnect(project);
  }

  async #connect(project: Project, organizationSlug: string, projectSlug?: string): Promise<void> {
    const before = project.parentProject;
    const { parentProject } = await this.#model.connectProject(project.repositoryId, {
      organizationSlug,
      ...(projectSlug !== undefined && { projectSlug }),
    });
    const parent = parentProject ? projectPath(parentProject) : organizationSlug;
    const connected = { ...project, ...(parentProject && { parentProject }) };
    const undo = this.#connectingAgain(connected, before);
    this.#context.changes.tell({
      what: vscode.l10n.t('Connected project "{0}" to {1}.', projectLabel(project), parent),
      before: before ? projectPath(before) : '',
      after: parent,
      ...(undo && { undo }),
    });
  }

  /**
   * Connects a project to what it was connected to before, or to nothing as before; undefined where the service hasn't told enough of that.
   */
  #connectingAgain(project: Project, before: Project | undefined): (() => Promise<void>) | undefined {
    if (!before) {
      return () => this.#disconnect(project);
    }
    const { owner, slug } = before;
    return owner === undefined ? undefined : () => this.#connect(project, owner, slug);
  }

  async #disconnect(project: Project): Promise<void> {
    await this.#model.disconnectProject(project.repositoryId);
    const { parentProject, ...alone } = project;
    const undo = parentProject && this.#connectingAgain(alone, parentProject);
    this.#context.changes.tell({
      what: vscode.l10n.t('Disconnected project "{0}".', projectLabel(project)),
      before: parentProject ? projectPath(parentProject) : '',
      after: '',
      ...(undo && { undo }),
    });
  }

  /** Notes what was changed of a project. */
  #tellUpdate(project: Project, shareLevel: string | undefined, update: ProjectUpdate): void {
    const { name, slug, description = '' } = project;
    const before: ProjectUpdate = {
      ...(update.name !== undefined && name !== undefined && { name }),
      ...(update.slug !== undefined && slug !== undefined && { slug }),
      ...(update.description !== undefined && { description }),
      ...(update.shareLevel !== undefined && isShareLevel(shareLevel) && { shareLevel }),
    };
    this.#context.changes.add({
      what: vscode.l10n.t('Changed project "{0}".', projectLabel(project)),
      before: Object.values(before).join('\n'),
      after: Object.values(update).join('\n'),
      // What the service has not told can't be put back.
      ...(keysOf(update).every((field) => field in before) && {
        undo: async () => {
          await this.#model.updateProject(project.repositoryId, before);
        },
      }),
    });
  }

  /** Only the caller's own user says who may see a project. */
  async #shareLevel(projectId: string): Promise<string | undefined> {
    const { projects } = await this.#model.ownUser();
    return projects.find(({ repositoryId }) => repositoryId === projectId)?.permissions?.shareLevel;
  }
}

async function askName(step: ProjectStep): Promise<void> {
  await askField({
    ...step,
    field: 'name',
    prompt: vscode.l10n.t('Project name'),
    check: checkName,
  });
}

async function askDescription(step: ProjectStep, prompt: string): Promise<void> {
  await askField({ ...step, field: 'description', prompt });
}

/** The last step, which sends the form. */
async function askSlug(
  step: ProjectStep,
  value: string,
  send: (slug: string) => Promise<void>,
): Promise<void> {
  await askField({
    ...step,
    field: 'slug',
    value,
    prompt: vscode.l10n.t('Project slug (used in URLs)'),
    check: checkSlug,
    accept: (slug) => send(slug.trim()),
  });
}

function keptFields(fields: Record<string, unknown>): Partial<ProjectForm> {
  const names = ['name', 'description', 'slug', 'shareLevel'] as const;
  return Object.fromEntries(
    names.flatMap((name) => (typeof fields[name] === 'string' ? [[name, fields[name]]] : [])),
  );
}

/** Lets the person choose who sees a project; it may also stay as it is. */
async function chooseShareLevel(
  title: string,
  place: Place,
  chosen: string | undefined,
  present: string | undefined,
): Promise<string | undefined> {
  const mark = (level: ShareLevel): { description?: string } =>
    level === present ? { description: vscode.l10n.t('current') } : {};
  const known: Choice<string | undefined>[] = [
    {
      label: `$(globe) ${vscode.l10n.t('Public')}`,
      ...mark('public'),
      detail: vscode.l10n.t('Everyone can read the project.'),
      choice: { value: 'public' },
    },
    {
      label: `$(lock) ${vscode.l10n.t('Private')}`,
      ...mark('private'),
      detail: vscode.l10n.t('Only its members can read the project.'),
      choice: { value: 'private' },
    },
  ];
  const keep: Choice<string | undefined> = {
    label: `$(dash) ${vscode.l10n.t('Keep as is')}`,
    choice: { value: present },
  };
  return choose<string | undefined>({
    title,
    place,
    placeholder: vscode.l10n.t('Who can read the project?'),
    load: async () => (isShareLevel(present) ? known : [keep, ...known]),
    isActive: (value) => value === chosen,
  });
}

function isShareLevel(text: string | undefined): text is ShareLevel {
  return text === 'public' || text === 'private';
}

function checkName(text: string): string | undefined {
  return describe(nameProblem(text), vscode.l10n.t('Enter a name.'));
}

function checkSlug(text: string): string | undefined {
  return describe(slugProblem(text), vscode.l10n.t('Enter a slug.'));
}

function describe(problem: FieldProblem | undefined, empty: string): string | undefined {
  switch (problem) {
    case undefined:
      return undefined;
    case 'empty':
      return empty;
    case 'tooLong':
      return vscode.l10n.t('Too long. Use up to 200 characters.');
    case 'notASlug':
      return vscode.l10n.t("Slugs can't contain spaces, slashes, question marks, or number signs.");
  }
}
