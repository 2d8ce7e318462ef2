/** A project (contract §2, Project). Timestamps are kept as the service wrote them: see `parseTimestamp`. */
export interface Project {
  /** The identifier: a project without one is dropped. */
  repositoryId: string;
  slug?: string;
  owner?: string;
  name?: string;
  description?: string;
  codeRepositoryId?: string;
  activeReviewsCount?: number;
  /** The project this one was forked from; it may have a parent itself, to any depth. */
  parentProject?: Project;
  createdAt?: string;
  updatedAt?: string;
}

/** The filter of a list of projects; timestamps in ISO 8601. */
export interface ProjectFilter {
  /** Only projects updated since. */
  since?: Date | string;
  /** Only projects updated before. */
  before?: Date | string;
  /** At most so many; the service's default is 50. */
  limit?: number;
}

/** A project to create. */
export interface ProjectCreation {
  name: string;
  slug?: string;
  description?: string;
  /** Name of the project's directory. */
  directory?: string;
}

/** Changes to a project; fields that are left out stay as they are. */
export interface ProjectUpdate {
  slug?: string;
  name?: string;
  description?: string;
  shareLevel?: 'public' | 'private';
}
