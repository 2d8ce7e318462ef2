import type { Database } from './database.ts';
import type { UserRow } from './users.ts';

/** A project as it is stored. */
export interface ProjectRow {
  id: number;
  owner: string;
  slug: string;
  name: string;
  description: string | null;
  directory: string | null;
  code_repository_id: string | null;
  parent_id: number | null;
  share_level: 'public' | 'private';
  /** The git directory that is imported into it. */
  repository: string | null;
  created_at: number;
  updated_at: number;
}

interface NewProject {
  owner: string;
  slug: string;
  name: string;
  description?: string | undefined;
  directory?: string | undefined;
  codeRepositoryId?: string | undefined;
  repository?: string;
  shareLevel?: 'public' | 'private';
}

/** The fields of a project that can be changed; what is left out stays. */
interface ProjectChange {
  slug?: string | undefined;
  name?: string | undefined;
  description?: string | undefined;
  share_level?: 'public' | 'private' | undefined;
}

/** The part of a list that is asked for. Times are milliseconds since the epoch, both exclusive. */
export interface Page {
  since?: number | undefined;
  before?: number | undefined;
  /** Left out, the whole rest. */
  limit?: number | undefined;
}

/** The parameters of a page in the order `since, before, limit`. */
export function pageParameters({ since, before, limit }: Page): [number, number, number] {
  return [since ?? Number.MIN_SAFE_INTEGER, before ?? Number.MAX_SAFE_INTEGER, limit ?? -1];
}

/** A condition: the user belongs to the project, or to the organization that owns it. Takes the user's id twice. */
const isMember = `(
  EXISTS (SELECT 1 FROM project_members WHERE project_id = projects.id AND user_id = ?)
  OR EXISTS (SELECT 1 FROM organization_members WHERE organization_slug = projects.owner AND user_id = ?))`;

/** The project with this id. */
export function findProject(database: Database, id: number): ProjectRow | undefined {
  return database.query<ProjectRow>('SELECT * FROM projects WHERE id = ?').get(id);
}

/** The project of an owner with a slug. */
export function findProjectBySlug(database: Database, owner: string, slug: string): ProjectRow | undefined {
  return database.query<ProjectRow>('SELECT * FROM projects WHERE owner = ? AND slug = ?').get(owner, slug);
}

/** The project a git directory is imported into. */
export function findProjectByRepository(database: Database, repository: string): ProjectRow | undefined {
  return database.query<ProjectRow>('SELECT * FROM projects WHERE repository = ?').get(repository);
}

/** The git directories that were imported. */
export function importedRepositories(database: Database): string[] {
  return database
    .query<{ repository: string }>('SELECT repository FROM projects WHERE repository IS NOT NULL ORDER BY id')
    .all()
    .map(({ repository }) => repository);
}

/** A user's projects: newest update first, then by id. */
export function listProjects(database: Database, user: UserRow, page: Page = {}): ProjectRow[] {
  return database
    .query<ProjectRow>(
      `SELECT * FROM projects WHERE ${isMember} AND updated_at > ? AND updated_at < ?
       ORDER BY updated_at DESC, id LIMIT ?`,
    )
    .all(user.id, user.id, ...pageParameters(page));
}

/** True for those who may change a project and everything in it: its members, and the members of the owning organization. */
export function canWrite(database: Database, user: UserRow, project: ProjectRow): boolean {
  const row = database
    .query<{ allowed: number }>(`SELECT ${isMember} AS allowed FROM projects WHERE id = ?`)
    .get(user.id, user.id, project.id);
  return row?.allowed === 1;
}

/** True for those who may read a project: anyone if it is public, else those who may change it. */
export function canRead(database: Database, user: UserRow, project: ProjectRow): boolean {
  return project.share_level === 'public' || canWrite(database, user, project);
}

export function countActiveStacks(database: Database, projectId: number): number {
  return (
    database
      .query<{ number: number }>(
        `SELECT count(*) AS number FROM stacks WHERE project_id = ? AND status = 'active'`,
      )
      .get(projectId)?.number ?? 0
  );
}

/** Creates a project; its slug must be free with its owner. */
export function createProject(
  database: Database,
  project: NewProject,
  memberIds: readonly number[],
): ProjectRow {
  return database.transaction(() => {
    const now = database.stamp();
    const { id } = database.run(
      `INSERT INTO projects (owner, slug, name, description, directory, code_repository_id, repository, share_level,
         created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      project.owner,
      project.slug,
      project.name,
      project.description ?? null,
      project.directory ?? null,
      project.codeRepositoryId ?? null,
      project.repository ?? null,
      project.shareLevel ?? 'private',
      now,
      now,
    );
    for (const memberId of memberIds) {
      addProjectMember(database, id, memberId);
    }
    const created = findProject(database, id);
    if (!created) {
      throw new Error('The project that was just created is gone.');
    }
    return created;
  });
}

/** A slug that is free with an owner: the wanted one, else the wanted one with a number. */
export function freeSlug(database: Database, owner: string, wanted: string): string {
  let slug = wanted;
  for (let number = 2; findProjectBySlug(database, owner, slug); number++) {
    slug = `${wanted}-${number}`;
  }
  return slug;
}

/** Lets a user read and change a project. */
export function addProjectMember(database: Database, projectId: number, userId: number): void {
  database.run(
    'INSERT INTO project_members (project_id, user_id) VALUES (?, ?) ON CONFLICT DO NOTHING',
    projectId,
    userId,
  );
}

/** Changes a project's own fields. */
export function updateProject(database: Database, id: number, change: ProjectChange): void {
  database.run(
    `UPDATE projects SET slug = coalesce(?, slug), name = coalesce(?, name), description = coalesce(?, description),
       share_level = coalesce(?, share_level), updated_at = ? WHERE id = ?`,
    change.slug ?? null,
    change.name ?? null,
    change.description ?? null,
    change.share_level ?? null,
    database.stamp(),
    id,
  );
}

/** Sets or clears the project that a project is connected to. */
export function setParentProject(database: Database, id: number, parentId: number | null): void {
  database.run(
    'UPDATE projects SET parent_id = ?, updated_at = ? WHERE id = ?',
    parentId,
    database.stamp(),
    id,
  );
}

/** Marks a project as changed, because something in it has changed. */
export function touchProject(database: Database, id: number): void {
  database.run('UPDATE projects SET updated_at = ? WHERE id = ?', database.stamp(), id);
}

/** Deletes a project with its stacks and patches, and the diffs that nothing else shows. */
export function deleteProject(database: Database, id: number): void {
  database.transaction(() => {
    database.run('DELETE FROM projects WHERE id = ?', id);
    deleteUnusedDiffs(database);
  });
}

/** Deletes the diffs that no section shows any more. */
export function deleteUnusedDiffs(database: Database): void {
  // Looked for in the index: the diffs themselves are most of the file.
  database.run(
    'DELETE FROM diffs WHERE id IN (SELECT id FROM diffs WHERE NOT EXISTS (SELECT 1 FROM sections WHERE diff_sha = diffs.sha))',
  );
}
