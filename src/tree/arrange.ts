/** Places each project in the view, once, from what is known of the projects alone. */
import type { Project } from '../api/types/projects.ts';

/** Projects that go together: one, and those that were forked from it or from its forks. */
interface Family {
  root: Project;
  /** The listed ones; the root need not be among them. */
  members: Project[];
}

/** The projects of an owner or an organization. */
interface OwnerGroup {
  /** Undefined when the service did not say. */
  owner: string | undefined;
  entries: (Project | Family)[];
}

/** See the module. */
interface Arrangement {
  workspace: Project[];
  owners: OwnerGroup[];
}

/**
 * Puts the projects of the open repositories first, and the others into groups by owner; forks go with the project that
 * they come from. Groups and projects stand in the order of the list, so that the next page moves nothing.
 *
 * @param projects newest activity first.
 * @param inWorkspace their ids.
 */
export function arrange(projects: readonly Project[], inWorkspace: ReadonlySet<string>): Arrangement {
  const workspace: Project[] = [];
  const others: Project[] = [];
  for (const project of projects) {
    (inWorkspace.has(project.repositoryId) ? workspace : others).push(project);
  }
  // Only a project that has a listed fork is the name of a family.
  const parents = new Set(
    others.flatMap((project) => {
      const root = rootOf(project);
      return root === project ? [] : [root.repositoryId];
    }),
  );
  const groups = new Map<string | undefined, OwnerGroup>();
  const families = new Map<string, Family>();
  for (const project of others) {
    const root = rootOf(project);
    let family = families.get(root.repositoryId);
    if (family) {
      family.members.push(project);
      continue;
    }
    const group = groups.get(root.owner) ?? { owner: root.owner, entries: [] };
    groups.set(root.owner, group);
    if (parents.has(root.repositoryId)) {
      family = { root, members: [project] };
      families.set(root.repositoryId, family);
      group.entries.push(family);
    } else {
      group.entries.push(project);
    }
  }
  return { workspace, owners: [...groups.values()] };
}

export function isFamily(entry: Project | Family): entry is Family {
  return 'members' in entry;
}

/** The sum of the open reviews of projects, as far as the service counts them. */
export function openReviewsOf(projects: readonly Project[]): number {
  return projects.reduce((sum, { activeReviewsCount = 0 }) => sum + activeReviewsCount, 0);
}

/** The project at the beginning of a chain of forks. */
function rootOf(project: Project): Project {
  let root = project;
  while (root.parentProject) {
    root = root.parentProject;
  }
  return root;
}
