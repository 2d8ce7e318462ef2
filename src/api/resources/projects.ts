import { project, repositoryId as readRepositoryId } from '../decode/projects.ts';
import { one, type List } from '../decode/values.ts';
import { pages } from '../paging.ts';
import { path, query, type Path } from '../path.ts';
import type { Call, CallOptions } from '../call.ts';
import type { Requester } from '../request.ts';
import type { Project, ProjectCreation, ProjectFilter, ProjectUpdate } from '../types/projects.ts';

/** Projects and their connection to organizations (contract §4, Projects). */
export class Projects {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** `GET /projects`: one page of the caller's projects. See `iterate` for all of them. */
  list(filter: ProjectFilter = {}, options?: CallOptions): Promise<List<Project>> {
    const call: Call = {
      operation: 'projects.list',
      method: 'GET',
      repeat: 'read',
      path: () => path`/projects`,
      query: query({ since: dateTime(filter.since), before: dateTime(filter.before), limit: filter.limit }),
    };
    return this.#requester.readList(call, project, options);
  }

  /**
   * `GET /projects`, page by page: every project once, the last updated first, also when several share a timestamp at
   * the edge of a page. `pageSize` is a hint; default 50.
   */
  iterate(
    filter: { since?: Date | string; pageSize?: number } = {},
    options?: CallOptions,
  ): AsyncIterableIterator<Project> {
    return pages((page) => this.list(page, options), {
      since: filter.since,
      pageSize: filter.pageSize ?? 50,
      identify: (item) => item.repositoryId,
      timestamp: (item) => item.updatedAt,
    });
  }

  /** `POST /projects`: creates a project. */
  create(creation: ProjectCreation, options?: CallOptions): Promise<Project> {
    const { name, slug, description, directory } = creation;
    const call: Call = {
      operation: 'projects.create',
      method: 'POST',
      repeat: 'once',
      path: () => path`/projects`,
      json: { name, slug, description, directory },
    };
    return this.#requester.read(call, project, options);
  }

  /** `GET /projects/{repo_id}`: one project. */
  get(repositoryId: string, options?: CallOptions): Promise<Project> {
    const call: Call = {
      operation: 'projects.get',
      method: 'GET',
      repeat: 'read',
      path: () => projectPath(repositoryId),
    };
    return this.#requester.read(call, project, options);
  }

  /** `DELETE /projects/{repo_id}`: deletes a project. */
  delete(repositoryId: string, options?: CallOptions): Promise<void> {
    const call: Call = {
      operation: 'projects.delete',
      method: 'DELETE',
      repeat: 'remove',
      path: () => projectPath(repositoryId),
    };
    return this.#requester.run(call, options);
  }

  /** `PUT /projects/{repo_id}`: changes a project. */
  update(repositoryId: string, update: ProjectUpdate, options?: CallOptions): Promise<Project> {
    const { slug, name, description, shareLevel } = update;
    const call: Call = {
      operation: 'projects.update',
      method: 'PUT',
      repeat: 'replace',
      path: () => projectPath(repositoryId),
      json: { slug, name, description, share_level: shareLevel },
    };
    return this.#requester.read(call, project, options);
  }

  /** `GET /projects/lookup/{owner}/{slug}`: the repository id of a project. */
  lookup(owner: string, slug: string, options?: CallOptions): Promise<string> {
    const call: Call = {
      operation: 'projects.lookup',
      method: 'GET',
      repeat: 'read',
      path: () => path`/projects/lookup/${{ owner }}/${{ slug }}`,
      plainText: true,
    };
    return this.#requester.read(call, one(readRepositoryId), options);
  }

  /** `POST /projects/{repo_id}/connect`: connects a repository to an organization, to one of its projects if given. */
  connect(
    repositoryId: string,
    target: { organizationSlug: string; projectSlug?: string },
    options?: CallOptions,
  ): Promise<Project> {
    const call: Call = {
      operation: 'projects.connect',
      method: 'POST',
      repeat: 'once',
      path: () => path`/projects/${{ repo_id: repositoryId }}/connect`,
      json: { organization_slug: target.organizationSlug, project_slug: target.projectSlug },
    };
    return this.#requester.read(call, project, options);
  }

  /** `POST /projects/{repo_id}/disconnect`: disconnects a repository from its organization. */
  disconnect(repositoryId: string, options?: CallOptions): Promise<void> {
    const call: Call = {
      operation: 'projects.disconnect',
      method: 'POST',
      repeat: 'once',
      path: () => path`/projects/${{ repo_id: repositoryId }}/disconnect`,
    };
    return this.#requester.run(call, options);
  }
}

function projectPath(repositoryId: string): Path {
  return path`/projects/${{ repo_id: repositoryId }}`;
}

function dateTime(value: Date | string | undefined): string | undefined {
  return value instanceof Date ? value.toISOString() : value;
}
