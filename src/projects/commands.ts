import type { CommandHandlers } from '../commandTable.ts';
import { lazy } from '../util/lazy.ts';
import type { WindowParts } from '../windowParts.ts';
import type { Projects, ProjectView } from './projects.ts';

/** Projects: what can be done with them. */
export function registerProjects(parts: WindowParts, view: ProjectView) {
  const projects = lazy(async (): Promise<Projects> => {
    const { Projects } = await import('./projects.ts');
    return new Projects({ ...parts, view, model: await parts.model() });
  });
  return {
    commands: {
      createProject: async () => (await projects()).create(),
      editProject: async (row) => (await projects()).edit(row),
      deleteProject: async (row) => (await projects()).delete(row),
      openProject: async () => (await projects()).open(),
      connectProject: async (row) => (await projects()).connect(row),
      disconnectProject: async (row) => (await projects()).disconnect(row),
    } satisfies Partial<CommandHandlers>,
  };
}
