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
