import type { Project } from '../types/projects.ts';
import type { ProjectPermissions, ProjectWithPermissions } from '../types/users.ts';
import { at, flag, identifier, integer, object, record, text, type Reader } from './values.ts';

type FlatProject = Omit<Project, 'parentProject'>;

const flatProject = record<FlatProject>(
  {
    repositoryId: at('repository_id', identifier),
    slug: at('slug', text),
    owner: at('owner', text),
    name: at('name', text),
    description: at('description', text),
    codeRepositoryId: at('code_repository_id', text),
    activeReviewsCount: at('active_reviews_count', integer),
    createdAt: at('created_at', text),
    updatedAt: at('updated_at', text),
  },
  ['repositoryId'],
);

const permissions = record<ProjectPermissions>(
  {
    canRead: at('can_read', flag),
    canWrite: at('can_write', flag),
    shareLevel: at('share_level', text),
  },
  [],
);

/** A project with its line of parents. A loop and not a recursion: the line may be of any length. */
export const project: Reader<Project> = (value, report) => {
  const first: Project | undefined = flatProject(value, report);
  let child = first;
  let parentValue = object(value)?.['parent_project'];
  while (child !== undefined && parentValue !== undefined && parentValue !== null) {
    const parent: Project | undefined = flatProject(parentValue, report);
    if (parent === undefined) {
      report.dropped++;
    } else {
      child.parentProject = parent;
    }
    child = parent;
    parentValue = object(parentValue)?.['parent_project'];
  }
  return first;
};

/** A project inside the caller's own user. */
export const projectWithPermissions: Reader<ProjectWithPermissions> = (value, report) => {
  const result: ProjectWithPermissions | undefined = project(value, report);
  const allowed = permissions(object(value)?.['permissions'], report);
  if (result !== undefined && allowed !== undefined) {
    result.permissions = allowed;
  }
  return result;
};

/** A repository id, bare or in an object. */
export const repositoryId: Reader<string> = (value, report) => {
  const source = object(value);
  return source === undefined
    ? identifier(value, report)
    : (identifier(source['repository_id'], report) ?? identifier(source['id'], report));
};
