import type { Hono } from 'hono/tiny';
import * as v from 'valibot';
import { withoutEnd } from '../../util/budget.ts';
import { HttpError, invalid, notFound } from '../errors.ts';
import {
  dateTimeText,
  filledLine,
  freeText,
  integerText,
  line,
  pathParameter,
  readableProject,
  readJson,
  readQuery,
  writableProject,
  viewOf,
  type RequestEnvironment,
} from '../requests.ts';
import type { Database } from '../storage/database.ts';
import {
  canRead,
  createProject,
  deleteProject,
  findProject,
  findProjectBySlug,
  freeSlug,
  listProjects,
  setParentProject,
  updateProject,
  type ProjectRow,
} from '../storage/projects.ts';
import { organizationsOf, type UserRow } from '../storage/users.ts';
import { projectRecord } from '../wire.ts';

const longestDescription = 100_000;

/** Slugs may hold anything but what no path segment can: callers percent-encode them. */
const slugSchema = v.pipe(filledLine(200), v.notValues(['.', '..'], "can't be . or .."));

/** The part of a list that is asked for: `since` and `before` are exclusive. */
export const pageSchema = {
  since: v.optional(dateTimeText),
  before: v.optional(dateTimeText),
};

const listSchema = v.object({ ...pageSchema, limit: v.optional(integerText(1), '50') });

const newProjectSchema = v.object({
  name: filledLine(200),
  slug: v.optional(slugSchema),
  description: v.optional(freeText(longestDescription)),
  directory: v.optional(line(4096)),
});

const changeSchema = v.object({
  slug: v.optional(slugSchema),
  name: v.optional(filledLine(200)),
  description: v.optional(freeText(longestDescription)),
  share_level: v.optional(v.picklist(['public', 'private'], 'must be public or private')),
});

const connectSchema = v.object({
  organization_slug: filledLine(200),
  project_slug: v.optional(slugSchema),
});

/** The operations on projects (contract §4, Projects). */
export function addProjectRoutes(api: Hono<RequestEnvironment>, database: Database): void {
  api.get('/projects', (context) => {
    const projects = listProjects(database, context.get('user'), readQuery(context, listSchema));
    return context.json(projects.map((project) => projectRecord(viewOf(database, context), project)));
  });

  api.post('/projects', async (context) => {
    const { name, slug, description, directory } = await readJson(context, newProjectSchema);
    const user = context.get('user');
    if (slug !== undefined) {
      requireFreeSlug(database, user.login, slug);
    }
    const project = createProject(
      database,
      {
        owner: user.login,
        slug: slug ?? freeSlug(database, user.login, slugFrom(name)),
        name,
        description,
        directory,
      },
      [user.id],
    );
    return context.json(projectRecord(viewOf(database, context), project), 201);
  });

  api.get('/projects/lookup/:owner/:slug', (context) => {
    const owner = pathParameter(context, 'owner');
    const slug = pathParameter(context, 'slug');
    const project = findProjectBySlug(database, owner, slug);
    if (!project || !canRead(database, context.get('user'), project)) {
      throw notFound(`project ${owner}/${slug}`);
    }
    return context.json({ repository_id: String(project.id) });
  });

  api.get('/projects/:repo_id', (context) => {
    const project = readableProject(database, context, pathParameter(context, 'repo_id'));
    return context.json(projectRecord(viewOf(database, context), project));
  });

  api.put('/projects/:repo_id', async (context) => {
    const project = writableProject(database, context, pathParameter(context, 'repo_id'));
    const change = await readJson(context, changeSchema);
    if (change.slug !== undefined && change.slug !== project.slug) {
      requireFreeSlug(database, project.owner, change.slug);
    }
    updateProject(database, project.id, change);
    return context.json(projectRecord(viewOf(database, context), current(database, project)));
  });

  api.delete('/projects/:repo_id', (context) => {
    deleteProject(database, writableProject(database, context, pathParameter(context, 'repo_id')).id);
    return context.body(null, 204);
  });

  addConnectionRoutes(api, database);
}

/** A project and the organization's project above it. */
function addConnectionRoutes(api: Hono<RequestEnvironment>, database: Database): void {
  api.post('/projects/:repo_id/connect', async (context) => {
    const project = writableProject(database, context, pathParameter(context, 'repo_id'));
    const { organization_slug, project_slug } = await readJson(context, connectSchema);
    requireMember(database, context.get('user'), organization_slug);
    database.transaction(() => {
      const parent = organizationProject(database, project, organization_slug, project_slug);
      requireNoCircle(database, project, parent);
      setParentProject(database, project.id, parent.id);
    });
    return context.json(projectRecord(viewOf(database, context), current(database, project)));
  });

  api.post('/projects/:repo_id/disconnect', (context) => {
    const project = writableProject(database, context, pathParameter(context, 'repo_id'));
    if (project.parent_id === null) {
      throw new HttpError(
        409,
        'not_connected',
        `${project.owner}/${project.slug} isn't connected to an organization.`,
      );
    }
    setParentProject(database, project.id, null);
    return context.body(null, 204);
  });
}

function requireMember(database: Database, user: UserRow, organization: string): void {
  const organizations = organizationsOf(database, user.id);
  if (!organizations.some(({ slug }) => slug === organization)) {
    throw new HttpError(
      404,
      'not_found',
      `You're not a member of organization ${organization}${
        organizations.length === 0 ? '' : `, only of: ${organizations.map(({ slug }) => slug).join(', ')}`
      }.`,
    );
  }
}

function current(database: Database, { id }: ProjectRow): ProjectRow {
  const project = findProject(database, id);
  if (!project) {
    throw notFound(`project ${id}`);
  }
  return project;
}

function requireFreeSlug(database: Database, owner: string, slug: string): void {
  if (findProjectBySlug(database, owner, slug)) {
    throw new HttpError(409, 'slug_taken', `${owner} already has a project ${slug}. Use another slug.`, [
      { field: 'slug', message: 'is taken' },
    ]);
  }
}

/** A slug made from a name: lower case, words joined by hyphens. */
function slugFrom(name: string): string {
  const words = name.toLowerCase().replaceAll(/[^\p{L}\p{N}._]+/gu, '-');
  return withoutEnd(words.replace(/^[-.]+/, ''), '-.') || 'project';
}

/** The organization's project to connect to: the named one, which must exist, else one with the project's own slug. */
function organizationProject(
  database: Database,
  project: ProjectRow,
  organizationSlug: string,
  projectSlug: string | undefined,
): ProjectRow {
  const existing = findProjectBySlug(database, organizationSlug, projectSlug ?? project.slug);
  if (existing) {
    return existing;
  }
  if (projectSlug !== undefined) {
    throw notFound(`project ${organizationSlug}/${projectSlug}`);
  }
  return createProject(
    database,
    {
      owner: organizationSlug,
      slug: project.slug,
      name: project.name,
      description: project.description ?? undefined,
      shareLevel: project.share_level,
    },
    [],
  );
}

function requireNoCircle(database: Database, project: ProjectRow, parent: ProjectRow): void {
  let ancestor: ProjectRow | undefined = parent;
  while (ancestor) {
    if (ancestor.id === project.id) {
      throw invalid('project_slug', "can't be this project, or one that's connected to it");
    }
    ancestor = ancestor.parent_id === null ? undefined : findProject(database, ancestor.parent_id);
  }
}
