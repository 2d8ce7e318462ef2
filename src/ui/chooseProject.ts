import * as vscode from 'vscode';
import type { Project } from '../api/types/projects.ts';
import { choose, type Choice } from './choose.ts';
import type { Place } from './form.ts';
import { escapeIcons } from './icons.ts';
import { projectLabel, projectPath } from './labels.ts';

interface ProjectSource {
  projects(): Promise<{ value: { items: Project[]; hasMore: boolean } }>;
  loadMoreProjects(): Promise<void>;
}

interface ProjectQuestion {
  title: string;
  place?: Place;
  /** The projects to choose from; all when left out. */
  accepts?: (project: Project) => boolean;
  /** Said when there are none. */
  empty?: string;
}

/**
 * Lets the person choose one of their projects. Those that are loaded are offered; the last row reads
 * more.
 *
 * @throws {CancelledError} when the person gives up; what loading throws.
 */
export async function chooseProject(source: ProjectSource, question: ProjectQuestion): Promise<Project> {
  const { title, place, accepts = () => true, empty } = question;
  for (;;) {
    const chosen = await choose<Project | 'more'>({
      title,
      placeholder: vscode.l10n.t('Select a project'),
      empty: empty ?? vscode.l10n.t('No projects.'),
      ...(place && { place }),
      load: async () => {
        const { items, hasMore } = (await source.projects()).value;
        const rows: Choice<Project | 'more'>[] = items.filter(accepts).map((project) => ({
          label: escapeIcons(projectLabel(project)),
          description: escapeIcons(projectPath(project)),
          choice: { value: project },
        }));
        const more = { label: `$(ellipsis) ${vscode.l10n.t('Load More Projects…')}`, alwaysShow: true };
        return hasMore ? [...rows, { ...more, choice: { value: 'more' } }] : rows;
      },
    });
    if (chosen !== 'more') {
      return chosen;
    }
    await source.loadMoreProjects();
  }
}
