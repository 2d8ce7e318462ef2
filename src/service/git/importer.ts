/**
 * Imports a git repository: each branch ahead of its base becomes a patch stack, each commit a patch. Those are the local branches, and
 * what others have pushed lately (see `othersBranches.ts`).
 *
 * A stack holds every commit that the base has not (see `listBranches`), base to tip, including those of branches merged into
 * it. A merge commit itself is a patch only where it changed something by hand (see `findManualMerges`); merges of the
 * base into the branch are not the branch's work and leave no trace.
 *
 * The first stack of a project is listed at once where it is long, and what its commits change is read then (see `laterReading.ts`). Any
 * other stack is `loading` while its commits are read, a few at a time, so that memory holds no more than one commit's diff
 * and a small batch. The last step names the changes, takes over what people wrote, and makes the stack `active`, all
 * in one transaction: a kill at any moment leaves a stack that loads, which the next start deletes, one that is listed, which the next
 * import reads, or a whole one.
 */
import type { Base, BranchList, RemoteBranches } from '../../util/branchBases.ts';
import { ServiceError } from '../errors.ts';
import { GroupedWrites, type Database } from '../storage/database.ts';
import { copyAll, findByCommit, selectPatches, selectUnread, type PatchRow } from '../storage/patches.ts';
import {
  createProject,
  deleteUnusedDiffs,
  findProjectByRepository,
  freeSlug,
  type ProjectRow,
} from '../storage/projects.ts';
import { pruneVersions } from '../storage/pruning.ts';
import {
  activateStack,
  createStack,
  deleteStack,
  findLatestStack,
  findStack,
  hasOtherStacks,
  requireStack,
  setStackBase,
  setStackStatus,
  type StackRow,
} from '../storage/stacks.ts';
import { ensureOrganization, findUser } from '../storage/users.ts';
import { authorKeyOf } from './changeIds.ts';
import { listBranchCommits, type ListedBranch } from './branchCommits.ts';
import { CommitReader, type ReadCommit } from './commitReader.ts';
import { commitOnBranch, type Commit } from './commits.ts';
import { listBranches } from './bases.ts';
import { readDeclaredEncodings } from './declaredEncodings.ts';
import { RepositoryDecoder } from './encodings.ts';
import { moveTexts } from '../storage/textsWithoutPatch.ts';
import { carryOver, type LoadedPatch } from './carryOver.ts';
import { LaterReading } from './laterReading.ts';
import { leaveOutLong, leftOutAt, type OthersBranches } from './othersBranches.ts';
import { RebasedPatches } from './rebasedPatches.ts';
import { openRepository, parseRemote, type Branch, type Repository } from './repository.ts';
import { batchCost, costOf, PatchWriter, type FileSizes } from './writePatch.ts';

/** Told while a repository is imported, for a progress bar. */
export interface ImportProgress {
  /** The branch that is being read. */
  branch: string;
  /** Commits read so far, of how many, over all branches. */
  done: number;
  total: number;
}

export interface ImportOptions {
  onProgress?: ((progress: ImportProgress) => void) | undefined;
  /**
   * Called once the first stack can be read, that of the branch that is checked out where it has changed, with the number of
   * commits that are still to be read.
   */
  onReadable?: ((left: number) => void) | undefined;
  /** The repository, where somebody is opening it already; and its branches, where they are read meanwhile. */
  opened?: Promise<Repository> | undefined;
  read?: Promise<BranchList> | undefined;
  /** Ends the import; what was read of a branch that is not complete is forgotten. */
  signal?: AbortSignal | undefined;
}

export interface ImportSummary {
  /** The id of the project the repository is imported into. */
  projectId: number;
  /** `owner/slug` of that project. */
  project: string;
  /** The bases of the branches, such as `origin/main`, the most frequent first. */
  bases: string[];
  /** True when no branch is checked out: commits made there are on no branch and aren't imported. */
  headDetached: boolean;
  /** The branches that have a stack now. */
  stacks: { branch: string; base?: string; uuid: string; result: 'new' | 'new version' | 'unchanged' }[];
  /** The branches whose commits git could not list, and why. */
  unreadable: { branch: string; reason: string }[];
}

/** Commits that are soon read: whoever waits for them sees everything at once. */
export const shortStack = 200;
/** The cost of a commit that the version before has. */
const costOfCopy = 0.04;

/** One commit that was not yet written; where it was not read, there is a patch of it. */
interface Batched {
  position: number;
  commit: Commit;
  /** The patch of it in the version before. */
  row: PatchRow | undefined;
  read: ReadCommit | undefined;
}

/** The change id of a patch until its stack has loaded. */
function loadingId({ sha }: Commit): string {
  return `loading ${sha}`;
}

function requireRead(read: ReadCommit | undefined, { sha }: Commit): ReadCommit {
  if (!read) {
    throw new Error(`There's no patch of commit ${sha}.`);
  }
  return read;
}

/** A branch that is to be read. */
interface Job {
  branch: Branch;
  /** Undefined for one that others are compared with. */
  base: Base | undefined;
  /** The commit that the version is recorded as made from. */
  oplogSha: string;
  /** Makes a version even when nothing has changed. */
  always: boolean;
  /** What is noted of where the branch stands, if that isn't the commit that is read. */
  standsAt?: string;
}

/** The work to be done for a branch. */
interface Plan {
  job: Job;
  commits: readonly Commit[];
  merges: ReadonlyMap<string, Set<string>>;
  /** The version before. */
  latest: StackRow | undefined;
  /** The stack of the branch that this one was before it was renamed. */
  renamed: StackRow | undefined;
  /** The patches of the version before, base to tip. */
  before: readonly PatchRow[];
  /** The same by commit. */
  stored: ReadonlyMap<string, PatchRow>;
  /** True when the version before has the same commits. */
  isKnown: boolean;
  unread: readonly Commit[];
}

/** The last stack of a branch that is not there any more. */
interface GoneStack {
  stack: StackRow;
  /** Authors, author dates and titles of its commits. */
  changes: ReadonlySet<string>;
}

/** The settings that a person has made for their repositories. */
export interface RepositoryWishes {
  /** The branch, tag or commit that all branches are compared with; left out, each is compared with what it left. */
  base?: string | undefined;
  /** The encoding of files that aren't UTF-8, where the repository declares none; left out, it is guessed. */
  encoding?: string | undefined;
  /** Branches of a remote that somebody shares: they have stacks, too, where there are no local ones of their names. */
  also?: (() => RemoteBranches | undefined) | undefined;
}

/** Imports repositories into a database. Imports run one at a time: `service.ts` sees to that. */
export class Importer {
  readonly #database: Database;
  readonly #ownerId: number;
  readonly #base: string | undefined;
  readonly #encoding: string | undefined;
  readonly #also: () => RemoteBranches | undefined;
  /** The repositories this process has opened, by git directory. */
  readonly #repositories = new Map<string, Repository>();
  /** By directory. */
  readonly #decoders = new Map<string, RepositoryDecoder>();
  /** Reads what was only listed. */
  readonly later: LaterReading;

  /**
   * @param ownerId The user whose projects the imported repositories become.
   * @param wishes What the person knows of their repositories.
   */
  constructor(database: Database, ownerId: number, { base, encoding, also }: RepositoryWishes = {}) {
    this.#database = database;
    this.#ownerId = ownerId;
    this.#base = base;
    this.#encoding = encoding;
    this.#also = also ?? (() => undefined);
    this.later = new LaterReading(database);
  }

  /**
   * Imports what is new in a repository. Where nothing is, nothing is written.
   *
   * @throws ServiceError `no_repository`, `empty_repository`, `no_base`, `git_missing`, `git_old` or `git_failed`; the
   *   signal's reason.
   */
  async import(folder: string, options: ImportOptions = {}): Promise<ImportSummary> {
    const { signal } = options;
    const repository = await (options.opened ?? openRepository(folder, signal));
    this.#repositories.set(repository.gitDirectory, repository);
    const { branches, bases, current, origin } = await listBranches(
      repository,
      this.#base,
      signal,
      this.#others(),
      options.read,
    );
    const project = this.#project(repository, origin);
    const changed = branches
      .filter((branch) => !this.#isImported(project, branch, bases.get(branch.name)))
      // The branch that someone is working on comes first.
      .sort((one, other) => Number(other.name === current) - Number(one.name === current));
    const uuids = new Map<string, string>();
    const jobs = changed.map((branch): Job => {
      const base = bases.get(branch.name);
      return { branch, base, oplogSha: branch.tip, always: false };
    });
    const unreadable = await this.#importBranches(repository, project, jobs, branches, uuids, options);
    this.#retireMissing(project, branches);
    this.#noteBases(project, branches, bases);
    if (uuids.size > 0) {
      pruneVersions(this.#database, project.id);
      deleteUnusedDiffs(this.#database);
      this.#database.shrink();
    }
    return {
      projectId: project.id,
      project: `${project.owner}/${project.slug}`,
      bases: namesOf(branches, bases),
      headDetached: current === undefined,
      stacks: this.#summary(project, branches, bases, uuids),
      unreadable,
    };
  }

  /**
   * Makes the next version of a branch's stack, whether or not the branch has changed (contract §4, POST /patch_stack).
   *
   * @param oplogSha What the version is made from: a commit of the branch, or any other event, which means its tip.
   * @returns undefined when the project's repository has no such branch, or nothing in it that its base has not.
   */
  async publish(
    project: ProjectRow,
    branchName: string,
    oplogSha: string,
    signal?: AbortSignal,
  ): Promise<StackRow | undefined> {
    const gitDirectory = project.repository ?? '';
    const repository = this.#repositories.get(gitDirectory) ?? (await openRepository(gitDirectory, signal));
    const { branches, bases } = await listBranches(repository, this.#base, signal, this.#others());
    const base = bases.get(branchName);
    const branch = branches.find(({ name }) => name === branchName);
    if (!branch || !base) {
      return undefined;
    }
    const tip = (await commitOnBranch(repository, oplogSha, branch.tip, signal)) ?? branch.tip;
    const uuids = new Map<string, string>();
    // A version of an older commit is not what the branch stands at: but the next import must not undo it.
    const job = { branch: { ...branch, tip }, base, oplogSha, always: true, standsAt: branch.tip };
    const [failure] = await this.#importBranches(repository, project, [job], branches, uuids, { signal });
    if (failure) {
      throw new ServiceError('git_failed', failure.reason);
    }
    const uuid = uuids.get(branchName);
    return uuid === undefined ? undefined : findStack(this.#database, uuid);
  }

  /**
   * Brings the stacks of branches up to date, with a few processes for all of them.
   *
   * @param existing All branches.
   * @param uuids Gets the stacks that were written, by branch.
   * @returns The branches whose commits git could not list.
   */
  async #importBranches(
    repository: Repository,
    project: ProjectRow,
    jobs: readonly Job[],
    existing: readonly Branch[],
    uuids: Map<string, string>,
    { onProgress, onReadable, signal }: ImportOptions,
  ): Promise<ImportSummary['unreadable']> {
    const decoder = await this.#decoderOf(repository);
    const { listed: found, unreadable } = await listBranchCommits(repository, jobs, decoder, signal);
    const listed = found.map((branch) => leaveOutLong(branch));
    // That of `main` has none.
    const first = listed.find(({ commits }) => commits.length > 0);
    if (first && this.#isListedFirst(project, first)) {
      uuids.set(first.job.branch.name, this.#list(project, first));
    }
    const options = { onProgress, onReadable, signal };
    const before = await this.#readLater(repository, project, listed, decoder, options);
    const planned = new Set<string>();
    const gone = this.#goneStacks(project, existing);
    const plans = listed.map((branch) => this.#plan(project, branch, planned, gone));
    const unread = plans.flatMap((plan) => plan.unread);
    const reader =
      unread.length === 0 ? undefined : await CommitReader.start(repository, unread, decoder, signal);
    // Somebody has asked for a version that they publish; anything else is imported again.
    const writes = new GroupedWrites(this.#database, !jobs.some(({ always }) => always));
    let done = 0;
    const tell = (branch: string): void =>
      onProgress?.({ branch, done: before + done, total: before + unread.length });
    const tellReadable = (): void => {
      if (uuids.size > 0) {
        onReadable?.(unread.length - done);
      }
    };
    try {
      for (const plan of plans) {
        const { name } = plan.job.branch;
        tell(name);
        if (plan.unread.length === 0 && plan.isKnown) {
          writes.add(1, () => this.#keep(project, plan));
          continue;
        }
        const onCommit = (): void => {
          signal?.throwIfAborted();
          done++;
          tell(name);
        };
        await this.#load(repository, project, plan, reader, writes, uuids, onCommit, signal);
        if (uuids.size === 0) {
          // The first stack can be read while the others are.
          writes.flush();
          tellReadable();
        }
      }
      writes.flush();
    } finally {
      reader?.stop();
    }
    return unreadable;
  }

  /**
   * True for the first branch of a project, where it is so long that reading what its commits change takes more time than anybody
   * waits. With nothing before it, what they change isn't needed to name them, either.
   */
  #isListedFirst(project: ProjectRow, { job, commits }: ListedBranch<Job>): boolean {
    return commits.length > shortStack && !job.always && !hasOtherStacks(this.#database, project.id);
  }

  /** Makes a stack of what is known of its commits without what they change: that is read later. @returns Its uuid. */
  #list(project: ProjectRow, branch: ListedBranch<Job>): string {
    const database = this.#database;
    const list = (): string => {
      const plan = this.#plan(project, branch, new Set(), []);
      const { uuid } = this.#createLoadingStack(project, plan);
      const writer = new PatchWriter(database, project.id);
      const loaded = plan.commits.map((commit, position): LoadedPatch => {
        const id = writer.list({ stackUuid: uuid, changeId: loadingId(commit), position }, commit);
        return { id, commit, body: '', patchSha: '' };
      });
      this.#finish(project, plan, uuid, loaded, new RebasedPatches(database, project.id, []));
      return uuid;
    };
    return database.transaction(list, { isRepeatable: true });
  }

  /** Reads what was only listed, now or by an import that was broken off. @returns As many patches. */
  async #readLater(
    repository: Repository,
    project: ProjectRow,
    listed: readonly ListedBranch<Job>[],
    decoder: RepositoryDecoder,
    { onProgress, onReadable, signal }: ImportOptions,
  ): Promise<number> {
    const rows = selectUnread(this.#database, project.id);
    if (rows.length === 0) {
      return 0;
    }
    onReadable?.(rows.length);
    const branch = listed[0]?.job.branch.name ?? '';
    const commits = listed.flatMap((one) => one.commits.map(({ sha }) => sha));
    const total = new Set([...rows.map((row) => row.commit_sha), ...commits]).size;
    let done = 0;
    const onCommit = (): void => {
      signal?.throwIfAborted();
      done++;
      onProgress?.({ branch, done, total });
    };
    await this.later.read({ repository, projectId: project.id, decoder, onCommit, signal }, rows, listed);
    return rows.length;
  }

  /**
   * Compares the commits of a branch with what is stored.
   *
   * @param planned The commits that are read for other branches; gets those that are for this one.
   * @param gone The stacks of branches that are not there any more.
   */
  #plan(
    project: ProjectRow,
    { job, commits, merges }: ListedBranch<Job>,
    planned: Set<string>,
    gone: readonly GoneStack[],
  ): Plan {
    const latest = findLatestStack(this.#database, project.id, job.branch.name);
    const before = latest ? selectPatches(this.#database, { stackUuid: latest.uuid }) : [];
    const stored = new Map(before.map((patch) => [patch.commit_sha, patch]));
    const isKnown =
      commits.length === 0 ||
      (!job.always &&
        before.length === commits.length &&
        before.every((patch, index) => patch.commit_sha === commits[index]?.sha));
    const hasStacks = hasOtherStacks(this.#database, project.id);
    const unread = commits.filter(({ sha }) => {
      // A part that git lacked the last time may be there now.
      const row =
        stored.get(sha) ??
        (hasStacks ? findByCommit(this.#database, project.id, job.branch.name, sha) : undefined);
      return row?.incomplete !== 0 && !planned.has(sha);
    });
    unread.forEach(({ sha }) => planned.add(sha));
    const changes = commits.map((commit) => `${authorKeyOf(commit)} ${commit.title}`);
    const renamed = latest
      ? undefined
      : gone.find((one) => changes.some((change) => one.changes.has(change)));
    return { job, commits, merges, latest, renamed: renamed?.stack, before, stored, isKnown, unread };
  }

  /** The stacks of branches that were there at the last import: one of them may have another name now. */
  #goneStacks(project: ProjectRow, branches: readonly Branch[]): GoneStack[] {
    const names = new Set(branches.map(({ name }) => name));
    return this.#remembered(project)
      .filter((name) => !names.has(name))
      .flatMap((name) => findLatestStack(this.#database, project.id, name) ?? [])
      .map((stack) => {
        const patches = selectPatches(this.#database, { stackUuid: stack.uuid });
        return { stack, changes: new Set(patches.map(({ author_key, title }) => `${author_key} ${title}`)) };
      });
  }

  #others(): OthersBranches {
    return { shared: this.#also(), now: this.#database.now() };
  }

  /** The branches of the last import. */
  #remembered(project: ProjectRow): string[] {
    return this.#database
      .query<{ branch_id: string }>('SELECT branch_id FROM imported_branches WHERE project_id = ?')
      .all(project.id)
      .map(({ branch_id }) => branch_id);
  }

  /** Leaves a branch's stack as it is, or retires it when the branch is not ahead any more. */
  #keep(project: ProjectRow, { job, commits, latest, stored }: Plan): void {
    if (commits.length === 0) {
      this.#retire(project, job.branch.name);
    } else if (latest?.status === 'inactive') {
      activateStack(this.#database, latest.uuid, 'active');
    }
    const isIncomplete = commits.some(({ sha }) => stored.get(sha)?.incomplete === 1);
    this.#rememberBranch(project, job, isIncomplete);
  }

  /** The project of a repository, created on first sight: after its remote, else after its folder and the owner. */
  #project(repository: Repository, origin: string | undefined): ProjectRow {
    const database = this.#database;
    const existing = findProjectByRepository(database, repository.gitDirectory);
    if (existing) {
      return existing;
    }
    const create = (): ProjectRow => {
      const owner = findUser(database, this.#ownerId);
      if (!owner) {
        throw new Error('The user that this service runs for no longer exists.');
      }
      const remote = origin === undefined ? undefined : parseRemote(origin);
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
    };
    // Else it is imported again.
    return database.transaction(create, { isRepeatable: true });
  }

  /** The decoder of a repository's texts: it gets to know their encoding. */
  async #decoderOf({ directory }: Repository): Promise<RepositoryDecoder> {
    const known = this.#decoders.get(directory);
    if (known) {
      return known;
    }
    const decoder = new RepositoryDecoder(await readDeclaredEncodings(directory, this.#encoding));
    this.#decoders.set(directory, decoder);
    return decoder;
  }

  #isImported(project: ProjectRow, branch: Branch, base: Base | undefined): boolean {
    const row = this.#database
      .query<{ tip_sha: string; base_sha: string }>(
        'SELECT tip_sha, base_sha FROM imported_branches WHERE project_id = ? AND branch_id = ?',
      )
      .get(project.id, branch.name);
    const isKnown =
      row?.tip_sha === branch.tip || (branch.isUnasked === true && row?.tip_sha === leftOutAt(branch));
    return isKnown && row.base_sha === (base?.tip ?? '');
  }

  /** @param isIncomplete Looks again the next time. */
  #rememberBranch(project: ProjectRow, { branch, base, standsAt }: Job, isIncomplete: boolean): void {
    this.#database.run(
      `INSERT INTO imported_branches (project_id, branch_id, tip_sha, base_sha) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET tip_sha = excluded.tip_sha, base_sha = excluded.base_sha`,
      project.id,
      branch.name,
      isIncomplete ? '' : (standsAt ?? branch.tip),
      base?.tip ?? '',
    );
  }

  /**
   * Makes the next version of a stack: what the version before has is copied, the rest is read. A long one is loading
   * meanwhile, and is written a few commits at a time; short ones are written together.
   */
  async #load(
    repository: Repository,
    project: ProjectRow,
    plan: Plan,
    reader: CommitReader | undefined,
    writes: GroupedWrites,
    uuids: Map<string, string>,
    onCommit: () => void,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { job, commits, merges, latest, renamed, stored } = plan;
    const unread = new Set(plan.unread.map(({ sha }) => sha));
    const database = this.#database;
    const patchesBefore = selectPatches(database, { stackUuid: (renamed ?? latest)?.uuid ?? '' });
    const rebased = new RebasedPatches(database, project.id, patchesBefore);
    const loaded: LoadedPatch[] = [];
    let stack: StackRow | undefined;
    let batch: Batched[] = [];
    let cost = 0;
    const begin = () => (stack ??= this.#createLoadingStack(project, plan));
    const writeBatch = (sizes: FileSizes | undefined) => {
      const target = begin();
      loaded.push(...this.#writeBatch(project, target, batch, sizes));
      batch = [];
      cost = 0;
    };
    let isChanged = !plan.isKnown;
    let isIncomplete = false;
    try {
      for (const [position, commit] of commits.entries()) {
        if (!reader || !unread.has(commit.sha)) {
          const row = stored.get(commit.sha);
          if (!row && patchesBefore.length > 0) {
            rebased.noteStored(commit, this.#findRead(project, job.branch, commit, writes));
          }
          batch.push({ position, commit, row, read: undefined });
          cost += costOfCopy;
        } else {
          const read = await reader.next(commit, merges.get(commit.sha));
          isChanged ||= stored.get(commit.sha)?.patch_sha !== read.diff.patchSha;
          isIncomplete ||= read.isIncomplete;
          rebased.noteRead(commit, read.diff);
          batch.push({ position, commit, row: undefined, read });
          cost += costOf(read);
          onCommit();
        }
        if (isChanged && cost >= batchCost) {
          const sizes = await reader?.sizes();
          writes.flush();
          database.transaction(() => writeBatch(sizes), { isRepeatable: true });
        }
      }
      if (!isChanged) {
        writes.add(1, () => this.#keep(project, plan));
        return;
      }
      const isLong = stack !== undefined;
      const sizes = await reader?.sizes();
      await rebased.decide(repository, signal);
      writes.add(cost, () => {
        writeBatch(sizes);
        const { uuid } = begin();
        this.#finish(project, plan, uuid, loaded, rebased);
        this.#rememberBranch(project, job, isIncomplete);
        uuids.set(job.branch.name, uuid);
      });
      if (isLong) {
        writes.flush();
      }
    } catch (error) {
      if (stack) {
        deleteStack(database, stack.uuid);
      }
      throw error;
    }
  }

  /** Names the patches of a stack that has loaded, takes over what people did, and puts it in the place of the version before. */
  #finish(
    { id }: ProjectRow,
    { job, latest, renamed }: Plan,
    uuid: string,
    loaded: readonly LoadedPatch[],
    rebased: RebasedPatches,
  ): void {
    const database = this.#database;
    if (renamed) {
      moveTexts(database, id, renamed.branch_id, job.branch.name);
    }
    const previous = selectPatches(database, { stackUuid: (renamed ?? latest)?.uuid ?? '' });
    carryOver(database, id, requireStack(database, uuid), previous, loaded, rebased);
    // A stack that somebody closed stays closed when its branch moves on, until they reopen or publish it.
    const before = latest && findStack(database, latest.uuid);
    activateStack(database, uuid, before?.status === 'closed' && !job.always ? 'closed' : 'active');
    setStackBase(database, requireStack(database, uuid), job.base?.name ?? null);
  }

  /** The patch of a commit that was read for another branch, maybe a moment ago. */
  #findRead(
    project: ProjectRow,
    branch: Branch,
    { sha }: Commit,
    writes: GroupedWrites,
  ): PatchRow | undefined {
    const find = (): PatchRow | undefined => findByCommit(this.#database, project.id, branch.name, sha);
    const found = find();
    if (found) {
      return found;
    }
    writes.flush();
    return find();
  }

  #createLoadingStack(project: ProjectRow, { job, commits, renamed }: Plan): StackRow {
    return createStack(this.#database, {
      projectId: project.id,
      branchId: job.branch.name,
      oplogSha: job.oplogSha,
      title: stackTitle(job.branch.name, commits),
      status: 'loading',
      renamed,
    });
  }

  /** Writes commits into a stack that is loading: those that were read, and copies of the others. */
  #writeBatch(
    project: ProjectRow,
    { uuid, branch_id }: StackRow,
    batch: readonly Batched[],
    sizes: FileSizes | undefined,
  ): LoadedPatch[] {
    const changeIdOf = ({ commit }: Batched): string => loadingId(commit);
    const copied = batch
      .filter(({ read }) => !read)
      .flatMap((one) => {
        const row = one.row ?? findByCommit(this.#database, project.id, branch_id, one.commit.sha, uuid);
        return row ? [{ one, row }] : [];
      });
    const rows = new Map(copied.map(({ one, row }) => [one, row]));
    const copies = copyAll(
      this.#database,
      uuid,
      copied.map(({ one, row }) => ({ id: row.id, changeId: changeIdOf(one), position: one.position })),
    );
    const writer = new PatchWriter(this.#database, project.id);
    return batch.map((one) => {
      const { commit, position } = one;
      const row = rows.get(one);
      const copy = copies.get(position);
      if (row && copy !== undefined) {
        return { id: copy, commit, body: row.message_body, patchSha: row.patch_sha, copyOf: row };
      }
      const read = requireRead(one.read, commit);
      const id = writer.write({ stackUuid: uuid, changeId: changeIdOf(one), position }, read, sizes);
      return { id, commit, body: read.body, patchSha: read.diff.patchSha };
    });
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
    for (const name of this.#remembered(project)) {
      if (names.has(name)) {
        continue;
      }
      this.#retire(project, name);
      this.#database.run(
        'DELETE FROM imported_branches WHERE project_id = ? AND branch_id = ?',
        project.id,
        name,
      );
    }
  }

  /** Says of each stack what it is compared with, also where that is called something else since. */
  #noteBases(project: ProjectRow, branches: readonly Branch[], bases: ReadonlyMap<string, Base>): void {
    this.#database.transaction(() => {
      for (const { name } of branches) {
        const stack = findLatestStack(this.#database, project.id, name);
        const base = bases.get(name)?.name;
        if (stack && base !== undefined && stack.status !== 'inactive') {
          setStackBase(this.#database, stack, base);
        }
      }
    });
  }

  #summary(
    project: ProjectRow,
    branches: readonly Branch[],
    bases: ReadonlyMap<string, Base>,
    imported: ReadonlyMap<string, string>,
  ): ImportSummary['stacks'] {
    return branches.flatMap(({ name }) => {
      const stack = findLatestStack(this.#database, project.id, name);
      if (!stack || stack.status === 'inactive') {
        return [];
      }
      const isNew = imported.get(name) === stack.uuid;
      const result = !isNew ? 'unchanged' : stack.version === 1 ? 'new' : 'new version';
      const base = bases.get(name)?.name;
      return [{ branch: name, ...(base !== undefined && { base }), uuid: stack.uuid, result }];
    });
  }
}

/** The names of the bases, the most frequent first; when there is no other branch, the names that a base would have. */
function namesOf(branches: readonly Branch[], bases: ReadonlyMap<string, Base>): string[] {
  if (bases.size === 0) {
    return branches.map(({ name }) => name);
  }
  const counts = new Map<string, number>();
  for (const { name } of bases.values()) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort(([, one], [, other]) => other - one).map(([name]) => name);
}

/** The title of a stack until someone gives it one: its only commit's, else its branch's name, as the person wrote that. */
export function stackTitle(branchName: string, commits: readonly { title: string }[]): string {
  const [only, ...others] = commits;
  return only && others.length === 0 && only.title !== '' ? only.title : branchName;
}
