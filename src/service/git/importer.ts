/**
 * Imports a git repository: each local branch ahead of the default branch becomes a patch stack, each commit a patch.
 *
 * A stack holds every commit that the default branch has not, base to tip, including those of branches merged into it.
 * A merge commit itself is a patch only where it changed something by hand (see `findManualMerges`); merges of the
 * default branch into the branch are not the branch's work and leave no trace.
 *
 * A stack is `loading` while its commits are read, a few at a time, so that memory holds no more than one commit's diff
 * and a small batch. The last step names the changes, takes over what people wrote, and makes the stack `active`, all
 * in one transaction: a kill at any moment leaves a stack that loads, which the next start deletes, or a whole one.
 */
import { createHash } from 'node:crypto';
import type { Database } from '../storage/database.ts';
import { insertPatch, selectPatches } from '../storage/patches.ts';
import {
  addProjectMember,
  createProject,
  deleteUnusedDiffs,
  findProjectByRepository,
  freeSlug,
  type ProjectRow,
} from '../storage/projects.ts';
import { insertDiffSection, insertTextSection, newSectionCode, storeDiff } from '../storage/sections.ts';
import {
  activateStack,
  createStack,
  deleteStack,
  findLatestStack,
  findStack,
  setStackStatus,
  type StackRow,
} from '../storage/stacks.ts';
import { ensureOrganization, findUser, userForEmail, type UserRow } from '../storage/users.ts';
import { authorKeyOf } from './changeIds.ts';
import {
  commitOnBranch,
  countCommits,
  findManualMerges,
  listCommits,
  MessageReader,
  type Commit,
} from './commits.ts';
import { findDefaultBranch, type DefaultBranch } from './defaultBranch.ts';
import { DiffReader, SizeReader, type CommitDiff } from './diffs.ts';
import { takeOver, type LoadedPatch } from './takeOver.ts';
import {
  isHeadDetached,
  listBranches,
  openRepository,
  type Branch,
  type Person,
  type Repository,
} from './repository.ts';

/** How far an import is. */
export interface ImportProgress {
  /** The branch that is being read. */
  branch: string;
  /** Commits read so far, of how many, over all branches. */
  done: number;
  total: number;
}

/** How an import is watched and ended. */
export interface ImportOptions {
  onProgress?: ((progress: ImportProgress) => void) | undefined;
  /** Ends the import; what was read of a branch that is not complete is forgotten. */
  signal?: AbortSignal | undefined;
}

/** What an import found and did. */
export interface ImportSummary {
  /** The id of the project the repository is imported into. */
  projectId: number;
  /** `owner/slug` of that project. */
  project: string;
  /** What the branches were compared with, such as `origin/main`; undefined when there is no local branch. */
  defaultBranch: string | undefined;
  /** Whether no branch is checked out: commits made there are on no branch and are not imported. */
  headDetached: boolean;
  /** The branches that have a stack now. */
  stacks: { branch: string; uuid: string; result: 'new' | 'new version' | 'unchanged' }[];
}

/** A batch is written when it has this many commits, or diffs of this many characters. */
const BATCH_COMMITS = 100;
const BATCH_CHARACTERS = 2 * 1024 * 1024;

/** One commit that was read and not yet written. */
interface ReadCommit {
  commit: Commit;
  body: string;
  diff: CommitDiff;
  sizes: Map<string, number>;
  position: number;
}

/** A branch that is to be read. */
interface Job {
  branch: Branch;
  base: string | undefined;
  /** What the version is recorded as made from. */
  oplogSha: string;
  /** Makes a version even when nothing has changed. */
  always: boolean;
}

/** Imports repositories into a database. Imports run one at a time: `service.ts` sees to that. */
export class Importer {
  readonly #database: Database;
  readonly #ownerId: number;
  /** The repositories this process has opened, by git directory. */
  readonly #repositories = new Map<string, Repository>();

  /** @param ownerId The user whose projects the imported repositories become. */
  constructor(database: Database, ownerId: number) {
    this.#database = database;
    this.#ownerId = ownerId;
  }

  /**
   * Imports what is new in a repository. Where nothing is, nothing is written.
   *
   * @throws ServiceError `no_repository`, `empty_repository`, `git_missing` or `git_failed`; the signal's reason.
   */
  async import(folder: string, { onProgress, signal }: ImportOptions = {}): Promise<ImportSummary> {
    const repository = await openRepository(folder, signal);
    this.#repositories.set(repository.gitDirectory, repository);
    const project = this.#project(repository);
    const branches = await listBranches(repository, signal);
    const base = await findDefaultBranch(repository, branches, signal);
    const changed = branches.filter((branch) => !this.#isImported(project, branch, base));
    const total = await this.#countCommits(repository, changed, base, signal);
    let done = 0;
    const uuids = new Map<string, string>();
    for (const branch of changed) {
      onProgress?.({ branch: branch.name, done, total });
      const job = { branch, base: base?.tip, oplogSha: branch.tip, always: false };
      const stack = isDefault(branch, base)
        ? undefined
        : await this.#importBranch(repository, project, job, signal, () => {
            done++;
            onProgress?.({ branch: branch.name, done, total });
          });
      if (stack) {
        uuids.set(branch.name, stack.uuid);
      } else {
        this.#retire(project, branch.name);
      }
      this.#rememberBranch(project, branch, base);
    }
    this.#retireMissing(project, branches);
    if (changed.length > 0) {
      deleteUnusedDiffs(this.#database);
    }
    return {
      projectId: project.id,
      project: `${project.owner}/${project.slug}`,
      defaultBranch: base?.name,
      headDetached: await isHeadDetached(repository, signal),
      stacks: this.#summary(project, branches, uuids),
    };
  }

  /**
   * Makes the next version of a branch's stack, whether or not the branch has changed (contract §4, POST /patch_stack).
   *
   * @param oplogSha What the version is made from: a commit of the branch, or any other event, which means its tip.
   * @returns undefined when the project's repository has no such branch, or nothing in it that the default branch has not.
   */
  async publish(
    project: ProjectRow,
    branchName: string,
    oplogSha: string,
    signal?: AbortSignal,
  ): Promise<StackRow | undefined> {
    const gitDirectory = project.repository ?? '';
    const repository = this.#repositories.get(gitDirectory) ?? (await openRepository(gitDirectory, signal));
    const branches = await listBranches(repository, signal);
    const base = await findDefaultBranch(repository, branches, signal);
    const branch = branches.find(({ name }) => name === branchName);
    if (!branch || isDefault(branch, base)) {
      return undefined;
    }
    const tip = (await commitOnBranch(repository, oplogSha, branch.tip, signal)) ?? branch.tip;
    const job = { branch: { ...branch, tip }, base: base?.tip, oplogSha, always: true };
    const stack = await this.#importBranch(repository, project, job, signal, () => undefined);
    // A version of an older commit is not what the branch stands at: but the next import must not undo it.
    if (stack) {
      this.#rememberBranch(project, branch, base);
    }
    return stack;
  }

  /** The project of a repository, created on first sight: after its remote, else after its folder and the owner. */
  #project(repository: Repository): ProjectRow {
    const database = this.#database;
    const existing = findProjectByRepository(database, repository.gitDirectory);
    if (existing) {
      return existing;
    }
    return database.transaction(() => {
      const owner = findUser(database, this.#ownerId);
      if (!owner) {
        throw new Error('The user this service runs for is gone.');
      }
      const { remote } = repository;
      if (remote && remote.owner.toLowerCase() !== owner.login.toLowerCase()) {
        ensureOrganization(database, { slug: remote.owner, name: remote.owner }, [owner.id]);
      }
      const ownerName = remote?.owner ?? owner.login;
      return createProject(
        database,
        {
          owner: ownerName,
          slug: freeSlug(database, ownerName, remote?.slug ?? repository.name),
          name: repository.name,
          directory: repository.name,
          codeRepositoryId: repository.gitDirectory,
          repository: repository.gitDirectory,
        },
        [owner.id],
      );
    });
  }

  #isImported(project: ProjectRow, branch: Branch, base: DefaultBranch | undefined): boolean {
    const row = this.#database
      .query<{ tip_sha: string; base_sha: string }>(
        'SELECT tip_sha, base_sha FROM imported_branches WHERE project_id = ? AND branch_id = ?',
      )
      .get(project.id, branch.name);
    return row?.tip_sha === branch.tip && row.base_sha === (base?.tip ?? '');
  }

  #rememberBranch(project: ProjectRow, branch: Branch, base: DefaultBranch | undefined): void {
    this.#database.run(
      `INSERT INTO imported_branches (project_id, branch_id, tip_sha, base_sha) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET tip_sha = excluded.tip_sha, base_sha = excluded.base_sha`,
      project.id,
      branch.name,
      branch.tip,
      base?.tip ?? '',
    );
  }

  async #countCommits(
    repository: Repository,
    branches: readonly Branch[],
    base: DefaultBranch | undefined,
    signal: AbortSignal | undefined,
  ): Promise<number> {
    let total = 0;
    for (const branch of branches) {
      if (!isDefault(branch, base)) {
        total += await countCommits(repository, base?.tip, branch.tip, signal);
      }
    }
    return total;
  }

  /** Brings a branch's stack up to date; undefined when the branch is not ahead. */
  async #importBranch(
    repository: Repository,
    project: ProjectRow,
    job: Job,
    signal: AbortSignal | undefined,
    onCommit: () => void,
  ): Promise<StackRow | undefined> {
    const { branch, base, always } = job;
    const all = await listCommits(repository, base, branch.tip, signal);
    const merges = await findManualMerges(repository, all, signal);
    const commits = all.filter(({ sha, parents }) => parents.length < 2 || merges.has(sha));
    if (commits.length === 0) {
      return undefined;
    }
    const database = this.#database;
    const latest = findLatestStack(database, project.id, branch.name);
    if (latest && !always && hasCommits(database, latest, commits)) {
      if (latest.status === 'inactive') {
        activateStack(database, latest.uuid, 'active');
      }
      return latest;
    }
    const stack = createStack(database, {
      projectId: project.id,
      branchId: branch.name,
      oplogSha: job.oplogSha,
      title: stackTitle(branch.name, commits),
      status: 'loading',
    });
    try {
      const patches = await this.#load(repository, project, stack, commits, merges, signal, onCommit);
      database.transaction(() => {
        takeOver(database, project.id, stack, latest, patches);
        // A stack that somebody closed stays closed when its branch moves on, until they reopen or publish it.
        activateStack(database, stack.uuid, latest?.status === 'closed' && !always ? 'closed' : 'active');
      });
    } catch (error) {
      deleteStack(database, stack.uuid);
      throw error;
    }
    return findStack(database, stack.uuid);
  }

  /** Reads the commits into a stack that is loading; what they are called there is preliminary. */
  async #load(
    repository: Repository,
    project: ProjectRow,
    stack: StackRow,
    commits: readonly Commit[],
    merges: ReadonlyMap<string, Set<string>>,
    signal: AbortSignal | undefined,
    onCommit: () => void,
  ): Promise<LoadedPatch[]> {
    const messages = new MessageReader(repository, commits, signal);
    const diffs = new DiffReader(repository, commits, signal);
    const sizeReader = new SizeReader(repository, signal);
    const loaded: LoadedPatch[] = [];
    let batch: ReadCommit[] = [];
    let characters = 0;
    const writeBatch = () => {
      loaded.push(...this.#write(project, stack, batch));
      batch = [];
      characters = 0;
    };
    try {
      for (const [position, commit] of commits.entries()) {
        signal?.throwIfAborted();
        const body = await messages.next(commit);
        const diff = await diffs.next(commit, merges.get(commit.sha));
        const sizes = await sizeReader.sizes(blobsOf(diff));
        batch.push({ commit, body, diff, sizes, position });
        characters += diff.files.reduce((sum, { patch }) => sum + (patch?.length ?? 0), body.length);
        if (batch.length >= BATCH_COMMITS || characters >= BATCH_CHARACTERS) {
          writeBatch();
        }
        onCommit();
      }
      writeBatch();
    } finally {
      messages.stop();
      diffs.stop();
      sizeReader.stop();
    }
    return loaded;
  }

  #write(project: ProjectRow, stack: StackRow, batch: readonly ReadCommit[]): LoadedPatch[] {
    return this.#database.transaction(() => batch.map((read) => this.#writeCommit(project, stack, read)));
  }

  #writeCommit(project: ProjectRow, stack: StackRow, read: ReadCommit): LoadedPatch {
    const database = this.#database;
    const { commit, body, diff, sizes } = read;
    const contributors = [commit.author, ...coAuthors(body)].map((person) => ({
      ...person,
      userId: this.#contributor(project, person)?.id,
    }));
    const patchId = insertPatch(database, {
      stackUuid: stack.uuid,
      changeId: `loading ${commit.sha}`,
      commitSha: commit.sha,
      patchSha: diff.patchSha,
      title: commit.title,
      messageBody: body,
      authorKey: authorKeyOf(commit),
      position: read.position,
      createdAt: Math.min(Number(commit.authorTime) * 1000, LAST_TIME),
      fileCount: diff.files.length,
      lines: diff.files.reduce((sum, { lines }) => sum + lines, 0),
      deletions: diff.files.reduce((sum, { deletions }) => sum + deletions, 0),
      contributors,
    });
    let position = 0;
    if (body !== '') {
      insertTextSection(database, patchId, position++, {
        code: newSectionCode(),
        text: body,
        version: 1,
        fromMessage: true,
        edited: false,
      });
    }
    for (const file of diff.files) {
      const path = file.newPath ?? file.oldPath ?? '';
      if (file.patch !== undefined) {
        storeDiff(database, file.diffSha, file.patch);
      }
      insertDiffSection(database, patchId, position++, {
        // The same file has the same code in every version.
        code: createHash('sha1').update(path).digest('hex').slice(0, 16),
        path,
        oldPath: file.oldPath,
        newPath: file.newPath,
        oldMode: file.oldMode,
        newMode: file.newMode,
        oldSize: file.oldSha === null ? 0 : (sizes.get(file.oldSha) ?? null),
        newSize: file.newSha === null ? 0 : (sizes.get(file.newSha) ?? null),
        hunks: file.hunks,
        lines: file.lines,
        deletions: file.deletions,
        diffSha: file.patch === undefined ? null : file.diffSha,
        baseFileSha: file.oldSha,
        newFileSha: file.newSha,
      });
    }
    return { id: patchId, commit, body, patchSha: diff.patchSha };
  }

  /** The user somebody named in a commit is, who may from now on work on the project. */
  #contributor(project: ProjectRow, { name, email }: Person): UserRow | undefined {
    const user = userForEmail(this.#database, name, email);
    if (user) {
      addProjectMember(this.#database, project.id, user.id);
    }
    return user;
  }

  /** A branch that is not ahead any more: its stack is history. */
  #retire(project: ProjectRow, branchName: string): void {
    const latest = findLatestStack(this.#database, project.id, branchName);
    if (latest?.status === 'active') {
      setStackStatus(this.#database, latest.uuid, 'inactive');
    }
  }

  #retireMissing(project: ProjectRow, branches: readonly Branch[]): void {
    const names = new Set(branches.map(({ name }) => name));
    const remembered = this.#database
      .query<{ branch_id: string }>('SELECT branch_id FROM imported_branches WHERE project_id = ?')
      .all(project.id);
    for (const { branch_id } of remembered) {
      if (names.has(branch_id)) {
        continue;
      }
      this.#retire(project, branch_id);
      this.#database.run(
        'DELETE FROM imported_branches WHERE project_id = ? AND branch_id = ?',
        project.id,
        branch_id,
      );
    }
  }

  #summary(
    project: ProjectRow,
    branches: readonly Branch[],
    imported: ReadonlyMap<string, string>,
  ): ImportSummary['stacks'] {
    return branches.flatMap(({ name }) => {
      const stack = findLatestStack(this.#database, project.id, name);
      if (!stack || stack.status === 'inactive') {
        return [];
      }
      const isNew = imported.get(name) === stack.uuid;
      const result = !isNew ? 'unchanged' : stack.version === 1 ? 'new' : 'new version';
      return [{ branch: name, uuid: stack.uuid, result }];
    });
  }
}

/** The last time a Date can hold, in milliseconds since the epoch: a commit can claim to be from later. */
const LAST_TIME = 8.64e15;

function isDefault(branch: Branch, base: DefaultBranch | undefined): boolean {
  return base?.reference === `refs/heads/${branch.name}`;
}

function hasCommits(database: Database, stack: StackRow, commits: readonly Commit[]): boolean {
  const patches = selectPatches(database, { stackUuid: stack.uuid });
  return (
    patches.length === commits.length &&
    patches.every((patch, index) => patch.commit_sha === commits[index]?.sha)
  );
}

/** The files whose sizes are asked for: all but submodules, which are commits of another repository. */
function blobsOf({ files }: CommitDiff): Set<string> {
  const blobs = files.flatMap(({ oldSha, oldMode, newSha, newMode }) => [
    oldMode === SUBMODULE ? null : oldSha,
    newMode === SUBMODULE ? null : newSha,
  ]);
  return new Set(blobs.filter((sha) => sha !== null));
}

const SUBMODULE = '160000';

function coAuthors(body: string): Person[] {
  return body.split('\n').flatMap((line) => {
    const { name, rest } = /^Co-authored-by:(?<name>[^<]*)<(?<rest>.*)$/i.exec(line.trimEnd())?.groups ?? {};
    const end = rest?.indexOf('>') ?? -1;
    return name !== undefined && rest !== undefined && end > 0 && end === rest.length - 1
      ? [{ name: name.trim(), email: rest.slice(0, -1) }]
      : [];
  });
}

/**
 * The title of a branch of one commit is the commit's; else the branch's name in words. What its folders say is part of
 * that, unless they only say of what kind the branch is, or whose: `parser/error-recovery` is “Parser: error recovery”,
 * `fix/error-recovery` is “Error recovery”.
 */
export function stackTitle(
  branchName: string,
  commits: readonly { title: string; author?: { email: string } }[],
): string {
  const [only, ...others] = commits;
  if (only && others.length === 0 && only.title !== '') {
    return only.title;
  }
  const authors = new Set(commits.map(({ author }) => author?.email.split('@', 1)[0]?.toLowerCase()));
  const parts = branchName.split('/');
  const kept = parts.filter((part, index) => {
    const name = part.toLowerCase();
    return index === parts.length - 1 || !(branchKinds.has(name) || authors.has(name));
  });
  const words = kept.map((part) => part.replaceAll(/[-_\s]+/g, ' ').trim());
  const title = words.filter((part) => part !== '').join(': ');
  return words.at(-1) === '' ? branchName : title.charAt(0).toLocaleUpperCase('en') + title.slice(1);
}

/** Folders that teams sort their branches into. */
const branchKinds = new Set(
  `bug bugfix build chore ci dev docs enhancement experiment feat feature features fix fixes hotfix improvement issue issues
   perf pr refactor review spike style task tasks test tests topic user users wip`.split(/\s+/),
);
