/** Matches projects with the repositories that are open. */
import type { Project } from '../api/types/projects.ts';
import { parseRemote, type ProjectName } from '../git/address.ts';
import { withoutEnd } from '../util/budget.ts';

interface Repository {
  root: string;
  remotes: readonly string[];
  branch: string | undefined;
}

/** A project with the branch that is checked out in its repository. */
export interface WorkspaceProject {
  project: Project;
  branch: string | undefined;
}

/** The projects of repositories, each once, and the names by which the service may know others. */
interface Matches {
  found: WorkspaceProject[];
  unknown: ProjectName[];
}

/** More remotes than this are not looked up. */
const mostLookups = 10;

/**
 * Finds the projects whose owner and slug, or whose code repository, are those of a remote, or whose code repository is the
 * repository itself.
 *
 * @param projects those that are known, newest activity first.
 */
export function matchRepositories(
  repositories: readonly Repository[],
  projects: readonly Project[],
): Matches {
  const found = new Map<string, WorkspaceProject>();
  const unknown = new Map<string, ProjectName>();
  if (repositories.length === 0) {
    return { found: [], unknown: [] };
  }
  const byName = new Map<string, Project>();
  const byCode = new Map<string, Project[]>();
  for (const project of projects) {
    const { owner, slug, codeRepositoryId } = project;
    if (owner !== undefined && slug !== undefined) {
      byName.set(nameKey({ owner, slug }), project);
    }
    if (codeRepositoryId !== undefined) {
      const key = codeKey(codeRepositoryId);
      byCode.set(key, [...(byCode.get(key) ?? []), project]);
    }
  }
  for (const { root, remotes, branch } of repositories) {
    const add = (project: Project): void => {
      found.set(project.repositoryId, found.get(project.repositoryId) ?? { project, branch });
    };
    for (const remote of remotes) {
      byCode.get(codeKey(remote))?.forEach(add);
      const name = parseRemote(remote);
      if (!name) {
        continue;
      }
      byCode.get(codeKey(`${name.owner}/${name.slug}`))?.forEach(add);
      const project = byName.get(nameKey(name));
      if (project) {
        add(project);
      } else {
        unknown.set(nameKey(name), name);
      }
    }
    for (const folder of [root, `${root}/.git`]) {
      byCode.get(codeKey(folder))?.forEach(add);
    }
  }
  return { found: [...found.values()], unknown: [...unknown.values()].slice(0, mostLookups) };
}

/** Tells projects apart by owner and slug, which services do not tell apart by case. */
export function nameKey({ owner, slug }: ProjectName): string {
  return JSON.stringify([owner.toLowerCase(), slug.toLowerCase()]);
}

/** A code repository as it is compared: without what differs between the addresses of one. */
function codeKey(address: string): string {
  const path = address
    .replaceAll('\\', '/')
    .replace(/^[a-z+]+:\/\/(?:[^/@]*@)?/i, '')
    .replace(/^[^/@]+@([^/:]+):/, '$1/');
  return withoutEnd(path, '/')
    .replace(/(?<!\/)\.git$/, '')
    .toLowerCase();
}
