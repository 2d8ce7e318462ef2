/**
 * What this window knows of the service: loaded projects, patch stacks and patches. The one place that decides what is
 * stale; features read it and subscribe to its changes, and keep nothing themselves.
 */
import type { ApiClient } from '../api/client.ts';
import type { Patch } from '../api/resources/patches.ts';
import type { Project, ProjectCreation, ProjectUpdate } from '../api/resources/projects.ts';
import type { PatchStack, PatchStackStatus, StackUpdate } from '../api/resources/stacks.ts';
import type { OwnUser } from '../api/resources/users.ts';
import { DisposableStore, type Disposable } from '../util/disposable.ts';
import { Emitter } from '../util/event.ts';
import { Cached, type Known } from './cached.ts';

export type { Known } from './cached.ts';

/** The first pages of a list. */
export interface Listing<T> {
  items: T[];
  /** Whether the service has more. */
  hasMore: boolean;
}

/** Where a patch is; the project and branch are known when it was reached through them. */
export interface PatchAddress {
  projectId?: string | undefined;
  branchId?: string | undefined;
  stackUuid: string;
  changeId: string;
}

/** What has changed: one patch, or anything. */
export type ModelChange =
  | { kind: 'all' }
  | { kind: 'projects' }
  | { kind: 'stacks'; projectId: string }
  | { kind: 'patch'; address: PatchAddress };

/** Projects asked for at a time. */
const projectPageSize = 50;

/** Asks the service on behalf of the active account. */
export type AskService = <T>(operation: (client: ApiClient) => Promise<T>) => Promise<T>;

/** See the module. */
export class Model implements Disposable {
  readonly #ask: AskService;
  readonly #now: () => Date;
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(new Emitter<ModelChange>());
  #projects: Cached<Listing<Project>>;
  #moreProjects: AsyncIterator<Project> | undefined;
  /** Projects that somebody opened by name: the list of their own need not have them. */
  readonly #opened = new Map<string, Cached<Project>>();
  readonly #stacks = new Map<string, Cached<PatchStack[]>>();
  readonly #stackPatches = new Map<string, Cached<Patch[]>>();
  readonly #patches = new Map<string, Cached<Patch>>();

  /** Fires when what was read before should be read again. */
  readonly onDidChange = this.#changed.event;

  constructor(ask: AskService, now: () => Date = () => new Date()) {
    this.#ask = ask;
    this.#now = now;
    this.#projects = this.#cachedProjects();
  }

  /** The projects, newest activity first, as far as they were asked for; before them those that were opened by name. */
  async projects(): Promise<Known<Listing<Project>>> {
    const [known, ...opened] = await Promise.all([
      this.#projects.get(),
      ...[...this.#opened.values()].map((cached) => cached.get()),
    ]);
    const { items, hasMore } = known.value;
    const listed = new Set(items.map(({ repositoryId }) => repositoryId));
    const others = opened.map(({ value }) => value).filter(({ repositoryId }) => !listed.has(repositoryId));
    return others.length === 0 ? known : { ...known, value: { items: [...others, ...items], hasMore } };
  }

  /** Reads the next page of projects. */
  async loadMoreProjects(): Promise<void> {
    const before = (await this.#projects.get()).value;
    const iterator = this.#moreProjects;
    if (!before.hasMore || !iterator) {
      return;
    }
    const next = await this.#ask(() => take(iterator, projectPageSize));
    this.#projects.set({ items: [...before.items, ...next.items], hasMore: next.hasMore });
    this.#changed.fire({ kind: 'projects' });
  }

  /** The patch stacks of a project in a state, as the service orders them. */
  stacks(projectId: string, status: PatchStackStatus | 'all'): Promise<Known<PatchStack[]>> {
    return cachedIn(
      this.#stacks,
      `${status}/${projectId}`,
      async () => (await this.#ask((client) => client.stacks.list(projectId, { status }))).items,
      this.#now,
    ).get();
  }

  /** The patches of a stack, base to tip. */
  patchesOfStack(projectId: string, stack: PatchStack): Promise<Known<Patch[]>> {
    const load = async (): Promise<Patch[]> => {
      if (stack.patches) {
        return stack.patches;
      }
      const { branchId } = stack;
      if (branchId === undefined) {
        return [];
      }
      const latest = await this.#ask((client) => client.stacks.latestForBranch(projectId, branchId));
      return latest.uuid === stack.uuid ? (latest.patches ?? []) : [];
    };
    if (stack.patches) {
      // The list of stacks brought them: there is nothing to keep twice.
      return Promise.resolve({ value: stack.patches, asOf: this.#now() });
    }
    return cachedIn(this.#stackPatches, stack.uuid, load, this.#now).get();
  }

  /**
   * The stack a patch belongs to, with its patches in order.
   *
   * @returns undefined when the address does not say the project, or the project no longer has the stack.
   */
  async stackOfPatch(address: PatchAddress): Promise<{ stack: PatchStack; patches: Patch[] } | undefined> {
    const { projectId, stackUuid } = address;
    if (projectId === undefined) {
      return undefined;
    }
    const knownBefore = [...this.#stacks]
      .filter(([key]) => key.endsWith(`/${projectId}`))
      .flatMap(([, cached]) => cached.known?.value ?? [])
      .find((stack) => stack.uuid === stackUuid);
    const stack =
      knownBefore ??
      (await this.stacks(projectId, 'all')).value.find((candidate) => candidate.uuid === stackUuid);
    return stack && { stack, patches: (await this.patchesOfStack(projectId, stack)).value };
  }

  /** A patch with its sections. */
  patch(address: PatchAddress): Promise<Known<Patch>> {
    return this.#cachedPatch(address).get();
  }

  /** Reads a patch again, whatever is known of it. */
  refreshPatch(address: PatchAddress): Promise<Known<Patch>> {
    const cached = this.#cachedPatch(address);
    cached.markStale();
    return cached.get();
  }

  /** Shows what the service has taken in a patch that is loaded. */
  editPatch(address: PatchAddress, edit: (patch: Patch) => Patch): void {
    const cached = this.#cachedPatch(address);
    if (cached.known) {
      cached.set(edit(cached.known.value));
      this.#changed.fire({ kind: 'patch', address });
    }
  }

  /** The caller's own user, with their organizations and what they may do with their projects; not kept. */
  ownUser(): Promise<OwnUser> {
    return this.#ask((client) => client.users.me());
  }

  /** A project as it is now. */
  project(projectId: string): Promise<Project> {
    return this.#ask((client) => client.projects.get(projectId));
  }

  /** Finds a project by its owner and slug, and lists it from now on. */
  async openProject(owner: string, slug: string): Promise<Project> {
    const project = await this.#ask(async (client) =>
      client.projects.get(await client.projects.lookup(owner, slug)),
    );
    const { repositoryId } = project;
    cachedIn(this.#opened, repositoryId, () => this.project(repositoryId), this.#now).set(project);
    this.#changed.fire({ kind: 'projects' });
    return project;
  }

  /** Creates a project. */
  async createProject(creation: ProjectCreation): Promise<Project> {
    const project = await this.#ask((client) => client.projects.create(creation));
    this.#editProjects((items) => [project, ...items]);
    return project;
  }

  /** Changes a project. */
  async updateProject(projectId: string, update: ProjectUpdate): Promise<Project> {
    const project = await this.#ask((client) => client.projects.update(projectId, update));
    this.#putProject(project);
    return project;
  }

  /** Deletes a project. */
  async deleteProject(projectId: string): Promise<void> {
    await this.#ask((client) => client.projects.delete(projectId));
    this.#opened.delete(projectId);
    this.#editProjects((items) => items.filter(({ repositoryId }) => repositoryId !== projectId));
  }

  /** Connects a project to an organization: to one of its projects, else to one with the slug of this project. */
  async connectProject(
    projectId: string,
    target: { organizationSlug: string; projectSlug?: string },
  ): Promise<Project> {
    const project = await this.#ask((client) => client.projects.connect(projectId, target));
    this.#putProject(project);
    return project;
  }

  /** Disconnects a project from its organization. */
  async disconnectProject(projectId: string): Promise<void> {
    await this.#ask((client) => client.projects.disconnect(projectId));
    this.#opened.get(projectId)?.markStale();
    this.#editProjects((items) =>
      items.map((item) => (item.repositoryId === projectId ? withoutParent(item) : item)),
    );
  }

  /** Makes a patch stack from a branch and a timeline event. */
  async createStack(creation: {
    projectId: string;
    branchId: string;
    oplogSha: string;
  }): Promise<PatchStack> {
    const stack = await this.#ask((client) => client.stacks.create(creation));
    this.#staleStacks(creation.projectId);
    return stack;
  }

  /**
   * Changes a patch stack. It shows at once, and is taken back when the service refuses.
   *
   * @throws what the client throws.
   */
  async updateStack(projectId: string, stack: PatchStack, update: StackUpdate): Promise<void> {
    const takeBack = this.#showStack(projectId, { ...stack, ...update });
    try {
      await this.#ask((client) => client.stacks.update(stack.uuid, update));
    } catch (error) {
      takeBack();
      throw error;
    }
    this.#staleStacks(projectId);
  }

  /** The latest stack of a branch; the lists are read again when they do not have it yet. */
  async latestStack(projectId: string, branchId: string): Promise<PatchStack> {
    const latest = await this.#ask((client) => client.stacks.latestForBranch(projectId, branchId));
    const known = this.#stackLists(projectId).flatMap(({ cached }) => cached.known?.value ?? []);
    if (!known.some(({ uuid, status }) => uuid === latest.uuid && status === latest.status)) {
      this.#staleStacks(projectId);
    }
    return latest;
  }

  /** The latest stack of a branch with what was done about each patch; not kept. */
  patchStatuses(projectId: string, branchId: string): Promise<PatchStack> {
    return this.#ask((client) => client.stacks.patchStatuses(projectId, branchId));
  }

  /** Has everything read again when it is looked at next. What is known stays readable until then. */
  refresh(): void {
    this.#projects.markStale();
    for (const cached of [
      ...this.#opened.values(),
      ...this.#stacks.values(),
      ...this.#stackPatches.values(),
      ...this.#patches.values(),
    ]) {
      cached.markStale();
    }
    this.#changed.fire({ kind: 'all' });
  }

  /** Forgets everything: another account is active. */
  reset(): void {
    this.#projects = this.#cachedProjects();
    this.#moreProjects = undefined;
    this.#opened.clear();
    this.#stacks.clear();
    this.#stackPatches.clear();
    this.#patches.clear();
    this.#changed.fire({ kind: 'all' });
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /** Shows a change of the list of projects at once, and has the list read again, for its order may have changed too. */
  #editProjects(edit: (items: Project[]) => Project[]): void {
    const { known } = this.#projects;
    if (known) {
      this.#projects.set({ ...known.value, items: edit(known.value.items) });
    }
    this.#projects.markStale();
    this.#changed.fire({ kind: 'projects' });
  }

  #putProject(project: Project): void {
    this.#opened.get(project.repositoryId)?.set(project);
    this.#editProjects((items) =>
      items.map((item) => (item.repositoryId === project.repositoryId ? project : item)),
    );
  }

  #stackLists(projectId: string): { status: string; cached: Cached<PatchStack[]> }[] {
    return [...this.#stacks].flatMap(([key, cached]) => {
      const slash = key.indexOf('/');
      return key.slice(slash + 1) === projectId ? [{ status: key.slice(0, slash), cached }] : [];
    });
  }

  /** Has the stacks of a project read again, and the projects, which count them. */
  #staleStacks(projectId: string): void {
    for (const { cached } of this.#stackLists(projectId)) {
      cached.markStale();
    }
    this.#projects.markStale();
    this.#opened.get(projectId)?.markStale();
    this.#changed.fire({ kind: 'stacks', projectId });
  }

  /**
   * Shows a stack as it will be, in each list that it then belongs to.
   *
   * @returns shows it again as it was.
   */
  #showStack(projectId: string, changed: PatchStack): () => void {
    const before = this.#stackLists(projectId).flatMap(({ status, cached }) => {
      const { known } = cached;
      if (!known) {
        return [];
      }
      cached.set(withStack(known.value, changed, status));
      return [{ cached, value: known.value }];
    });
    this.#changed.fire({ kind: 'stacks', projectId });
    return () => {
      for (const { cached, value } of before) {
        cached.set(value);
      }
      this.#staleStacks(projectId);
    };
  }

  #cachedProjects(): Cached<Listing<Project>> {
    return new Cached<Listing<Project>>(async (before) => {
      const projects = await this.#ask(async (client) => {
        const iterator = client.projects.iterate({ pageSize: projectPageSize })[Symbol.asyncIterator]();
        // As many as were shown before, so that a refresh takes no row away.
        const listing = await take(iterator, Math.max(projectPageSize, before?.items.length ?? 0));
        return { iterator, listing };
      });
      this.#moreProjects = projects.iterator;
      return projects.listing;
    }, this.#now);
  }

  #cachedPatch(address: PatchAddress): Cached<Patch> {
    const { stackUuid, changeId } = address;
    return cachedIn(
      this.#patches,
      `${stackUuid}/${changeId}`,
      () => this.#ask((client) => client.patches.get(stackUuid, changeId)),
      this.#now,
    );
  }
}

/** A list of the stacks with a status, after one of them has changed. */
function withStack(stacks: PatchStack[], changed: PatchStack, listed: string): PatchStack[] {
  const known = stacks.some(({ uuid }) => uuid === changed.uuid);
  if (listed !== 'all' && listed !== changed.status) {
    return stacks.filter(({ uuid }) => uuid !== changed.uuid);
  }
  return known
    ? stacks.map((stack) => (stack.uuid === changed.uuid ? changed : stack))
    : [changed, ...stacks];
}

function withoutParent(project: Project): Project {
  const copy = { ...project };
  delete copy.parentProject;
  return copy;
}

async function take<T>(iterator: AsyncIterator<T>, count: number): Promise<Listing<T>> {
  const items: T[] = [];
  while (items.length < count) {
    const next = await iterator.next();
    if (next.done) {
      return { items, hasMore: false };
    }
    items.push(next.value);
  }
  return { items, hasMore: true };
}

function cachedIn<T>(
  map: Map<string, Cached<T>>,
  key: string,
  load: () => Promise<T>,
  now: () => Date,
): Cached<T> {
  let cached = map.get(key);
  if (!cached) {
    cached = new Cached(load, now);
    map.set(key, cached);
  }
  return cached;
}
