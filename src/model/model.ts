/**
 * Knows the service for this window: loaded projects, patch stacks and patches. The one place that decides what is stale; features
 * read it and subscribe to its changes, and keep nothing themselves.
 */
import { isDeepStrictEqual } from 'node:util';
import { isApiError, untilGone } from '../api/errors.ts';
import type { Patch } from '../api/types/patches.ts';
import type { Project, ProjectCreation, ProjectUpdate } from '../api/types/projects.ts';
import type { PatchStack, StackUpdate } from '../api/types/stacks.ts';
import type { OwnUser, User } from '../api/types/users.ts';
import { DisposableStore, type Disposable } from '../util/disposable.ts';
import { Emitter } from '../util/event.ts';
import type { AskService } from './askService.ts';
import { CachedBy, type Cached, type Known } from './cached.ts';
import { Freshness, type Shown } from './freshness.ts';
import {
  boundedEntries,
  boundedProjects,
  boundedStacks,
  sizeOfPatch,
  sizeOfPatches,
  sizeOfStacks,
  type ContentStore,
  type KeptContent,
  type StackOfBranch,
  type StacksOfProject,
} from './keptContent.ts';
import { newestIn, standingOf, type Standing } from './newestVersion.ts';
import { ProjectList, type Listing } from './projectList.ts';
import { opinionsOf, type Me, type PatchOpinions } from './review.ts';
import { patchKey, type PatchRef, type StackRef } from '../util/patchRef.ts';

/** The filter without its project. */
type StacksWanted = Omit<StacksOfProject, 'projectId'>;

/** Tells who shows something of the service which of it to read again. */
export type ModelChange =
  | { kind: 'all' }
  /** The set of projects, their order, or how much is known of them. */
  | { kind: 'projects' }
  /** One project. Its stacks and their patches may have changed with it. */
  | { kind: 'project'; projectId: string }
  | { kind: 'stacks'; projectId: string }
  /** The patches of a stack that came without them. */
  | { kind: 'stackPatches'; stackUuid: string }
  | { kind: 'patch'; patch: PatchRef };

/** A place that is on the screen; the page of a stack shows no one patch. */
interface ShownPlace {
  projectId?: string | undefined;
  stackUuid?: string | undefined;
}

/** True when something may be another one than what is shown. */
export function concerns(change: ModelChange, { projectId, stackUuid }: ShownPlace): boolean {
  switch (change.kind) {
    case 'all':
      return true;
    case 'projects':
      return false;
    case 'project':
    case 'stacks':
      return change.projectId === projectId;
    case 'stackPatches':
      return change.stackUuid === stackUuid;
    case 'patch':
      return change.patch.stackUuid === stackUuid;
  }
}

/**
 * The freshness that an answer needs. `atOnce`: whatever is known, however old; what is out of date is brought up to date
 * meanwhile, and `onDidChange` tells if that made a difference.
 */
type HowFresh = 'upToDate' | 'atOnce';

interface ModelOptions {
  now?: () => Date;
  /** Keeps what is known for the next window. */
  store?: ContentStore | undefined;
  /** Who is signed in. */
  me?: Me | undefined;
}

/** See the module. */
export class Model implements Disposable {
  readonly #ask: AskService;
  readonly #now: () => Date;
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(new Emitter<ModelChange>());
  #projects: ProjectList;
  /** Projects by owner and slug, also those that there are not. */
  readonly #named: CachedBy<{ owner: string; slug: string }, Project | undefined>;
  /** Names that logins have or have not. */
  readonly #logins: CachedBy<string, User | undefined>;
  readonly #stacks: CachedBy<StacksOfProject, PatchStack[]>;
  readonly #stackPatches: CachedBy<StackOfBranch, Patch[]>;
  readonly #patches: CachedBy<PatchRef, Patch>;
  /** Those that nobody has opened. */
  readonly #unopened: CachedBy<PatchRef, Patch>;
  /**
   * Each listed project as it was when its stacks and patches were last marked as stale, or when it was listed first. The list can't tell:
   * it is also read again by itself, and is then newer than they are.
   */
  readonly #takenIn = new Map<string, Project>();
  /** The same of those that somebody looked at alone. */
  readonly #looked = new Map<string, Project>();
  #store: ContentStore | undefined;
  #me: Me | undefined;
  #restored: Promise<void>;

  /** Keeps what is on the screen as it is on the service. */
  readonly freshness: Freshness;

  /** Fires when what was read before should be read again. */
  readonly onDidChange = this.#changed.event;

  constructor(ask: AskService, { now = () => new Date(), store, me }: ModelOptions = {}) {
    this.#ask = async (operation, options) => {
      let tells = false;
      const answer = await ask(async (client) => {
        const result = await operation(client);
        tells = client.news.isOffered;
        return result;
      }, options);
      this.freshness.noteAnswer(tells);
      return answer;
    };
    this.#now = now;
    this.#projects = new ProjectList(this.#ask, now);
    this.#named = new CachedBy(
      ({ owner, slug }) => JSON.stringify([owner, slug]),
      ({ owner, slug }) => unlessNone(this.#lookUp(owner, slug)),
      now,
    );
    this.#logins = new CachedBy(
      (login) => login,
      (login) => unlessNone(this.#ask((client) => client.users.get(login))),
      now,
    );
    this.#stacks = new CachedBy(
      ({ projectId, status, branchId }) => JSON.stringify([projectId, status, branchId]),
      async ({ projectId, ...wanted }) =>
        (await this.#ask((client) => client.stacks.list(projectId, wanted))).items,
      now,
    );
    this.#stackPatches = new CachedBy(
      ({ projectId, branchId, stackUuid }) => JSON.stringify([projectId, branchId, stackUuid]),
      async ({ projectId, branchId, stackUuid }) => {
        const latest = await this.#ask((client) => client.stacks.latestForBranch(projectId, branchId));
        return latest.uuid === stackUuid ? (latest.patches ?? []) : [];
      },
      now,
    );
    this.#patches = new CachedBy(
      (ref) => patchKey(ref),
      ({ stackUuid, changeId }) => this.#ask((client) => client.patches.get(stackUuid, changeId)),
      now,
    );
    this.#unopened = new CachedBy(
      (ref) => patchKey(ref),
      ({ stackUuid, changeId }) =>
        this.#ask((client) => client.patches.get(stackUuid, changeId, { ahead: true })),
      now,
    );
    this.freshness = this.#disposables.add(
      new Freshness({
        look: (shown) => this.#lookAt(shown),
        nextMark: (after, signal) =>
          ask(async ({ news }) => (news.isOffered ? news.next(after, { signal }) : undefined), {
            isUnasked: true,
          }),
      }),
    );
    this.#store = store;
    this.#me = me;
    this.#restored = this.#restore();
  }

  /** The projects, newest activity first, as far as they were asked for; before them those that were opened by name. */
  async projects(freshness: HowFresh = 'upToDate'): Promise<Known<Listing<Project>>> {
    await this.#restored;
    const known =
      freshness === 'upToDate'
        ? await this.#projects.get()
        : await this.#projects.getAtOnce(() => this.#tell({ kind: 'projects' }));
    known.value.items.forEach((project) => this.#noteSeen(project));
    this.#keepSoon();
    return known;
  }

  /** Reads the next page of projects. */
  async loadMoreProjects(): Promise<void> {
    if (await this.#projects.loadMore()) {
      this.#tell({ kind: 'projects' });
    }
  }

  /**
   * Asks for what has changed in the projects, in one request as a rule. Rows keep their places; what changed is told
   * project by project.
   *
   * @throws what the client throws.
   */
  async update(): Promise<void> {
    const before = this.#projects.known;
    let update;
    if (before && before.failure === undefined && !before.fromBefore) {
      try {
        update = await this.#projects.update();
      } catch (error) {
        this.#tell({ kind: 'projects' });
        throw error;
      }
    }
    if (!update) {
      await this.#readAgain();
      return;
    }
    for (const projectId of this.#takeInProjects()) {
      this.#markProjectStale(projectId);
      this.#tell({ kind: 'project', projectId });
    }
    if (update.added) {
      this.#tell({ kind: 'projects' });
    }
  }

  /** The patch stacks of a project in a state, as the service orders them. */
  async stacks(
    projectId: string,
    wanted: StacksWanted['status'] | StacksWanted,
    freshness: HowFresh = 'upToDate',
  ): Promise<Known<PatchStack[]>> {
    await this.#restored;
    const { status, branchId }: StacksWanted = typeof wanted === 'string' ? { status: wanted } : wanted;
    const filter = { status, ...(branchId !== undefined && { branchId }) };
    const cached = this.#stacks.of({ projectId, ...filter });
    return this.#read(cached, freshness, { kind: 'stacks', projectId });
  }

  /** The patches of a stack, base to tip. */
  async patchesOfStack(
    projectId: string,
    stack: PatchStack,
    freshness: HowFresh = 'upToDate',
  ): Promise<Known<Patch[]>> {
    if (stack.patches) {
      // The list of stacks brought them: there is nothing to keep twice.
      return { value: stack.patches, asOf: this.#now() };
    }
    const { uuid: stackUuid, branchId } = stack;
    if (branchId === undefined) {
      return { value: [], asOf: this.#now() };
    }
    await this.#restored;
    const cached = this.#stackPatches.of({ projectId, branchId, stackUuid });
    return this.#read(cached, freshness, { kind: 'stackPatches', stackUuid });
  }

  /**
   * The stack a patch belongs to, with its patches in order.
   *
   * @returns undefined when it is not said in the project, or the project no longer has the stack.
   */
  async stackOfPatch(ref: PatchRef): Promise<{ stack: PatchStack; patches: Patch[] } | undefined> {
    const { projectId, stackUuid } = ref;
    const stack = projectId === undefined ? undefined : await this.findStack(projectId, stackUuid);
    return stack && projectId !== undefined
      ? { stack, patches: (await this.patchesOfStack(projectId, stack)).value }
      : undefined;
  }

  /** A stack of a project, as some list has it; undefined when the project no longer has it. */
  async findStack(projectId: string, stackUuid: string): Promise<PatchStack | undefined> {
    await this.#restored;
    const isIt = ({ uuid }: PatchStack): boolean => uuid === stackUuid;
    // A list that has it may be out of date by now: what is known is the answer, and `onDidChange` tells when it changes.
    const holder = this.#stackLists(projectId).find(({ cached }) => cached.known?.value.some(isIt));
    const { value } = holder
      ? await this.#read(holder.cached, 'atOnce', { kind: 'stacks', projectId })
      : await this.stacks(projectId, 'all');
    return value.find(isIt);
  }

  /** The project of a stack, as far as some list that was loaded has it; without asking. */
  projectOfStack(stackUuid: string): string | undefined {
    return this.#stacks.entries.find(({ cached }) =>
      cached.known?.value.some(({ uuid }) => uuid === stackUuid),
    )?.wanted.projectId;
  }

  /**
   * The newest version of a patch stack and the one in which somebody reads it, where a list that is known says that this one isn't the
   * newest any more; without asking.
   *
   * @param isGone true when the service no longer has that version: then it isn't in the lists, and nothing of it is `read`.
   */
  newerVersion(
    ref: StackRef,
    isGone: boolean,
  ): { read: PatchStack | undefined; newest: PatchStack } | undefined {
    const { projectId } = ref;
    for (const { cached } of projectId === undefined ? [] : this.#stackLists(projectId)) {
      const stacks = cached.known?.value ?? [];
      const read = stacks.find(({ uuid }) => uuid === ref.stackUuid);
      const newest = read?.status === 'inactive' ? newestIn(stacks, read.branchId) : undefined;
      if (read && newest) {
        return { read, newest };
      }
    }
    const newest =
      isGone && projectId !== undefined
        ? this.#stackLists(projectId).flatMap(
            ({ cached }) => newestIn(cached.known?.value ?? [], ref.branchId) ?? [],
          )[0]
        : undefined;
    return newest && newest.uuid !== ref.stackUuid ? { read: undefined, newest } : undefined;
  }

  /** Completes the place of a patch: a project and branch that it doesn't name are looked up in what is loaded. */
  located(ref: PatchRef): PatchRef {
    if (ref.projectId !== undefined && ref.branchId !== undefined) {
      return ref;
    }
    for (const { wanted, cached } of this.#stacks.entries) {
      const stack = cached.known?.value.find(({ uuid }) => uuid === ref.stackUuid);
      if (stack) {
        return { ...ref, projectId: wanted.projectId, branchId: stack.branchId };
      }
    }
    return ref;
  }

  /**
   * Returns the newest version of a patch stack, and how the version in which somebody reads a patch stands to it: asked of the
   * service each time. When it is newer than those in the lists, they are read again.
   *
   * @throws what the client throws.
   */
  async standing(ref: PatchRef, signal?: AbortSignal): Promise<Standing> {
    const located = this.located(ref);
    const standing = await standingOf(this.#ask, located, signal);
    this.noteStanding(located, standing);
    return standing;
  }

  /** Has the lists of patch stacks read again when they do not have the newest version of one yet. */
  noteStanding({ projectId }: PatchRef, standing: Standing): void {
    if (projectId === undefined || (standing.kind !== 'older' && standing.kind !== 'gone')) {
      return;
    }
    const known = this.#stackLists(projectId).flatMap(({ cached }) => cached.known?.value ?? []);
    if (!known.some(({ uuid }) => uuid === standing.newest.uuid)) {
      this.#staleStacks(projectId);
    }
  }

  /** A patch with its sections. */
  async patch(ref: PatchRef, freshness: HowFresh = 'upToDate'): Promise<Known<Patch>> {
    await this.#restored;
    return this.#read(this.#cachedPatch(ref), freshness, { kind: 'patch', patch: ref });
  }

  /** A patch with its sections, for what is told of it before anybody opens it: so it does not count as read. */
  async patchUnopened({ stackUuid, changeId }: PatchRef): Promise<Patch> {
    await this.#restored;
    const ref = { stackUuid, changeId };
    const isOpened = this.knownPatch(ref) !== undefined;
    return (await (isOpened ? this.#cachedPatch(ref) : this.#unopened.of(ref)).get()).value;
  }

  /** The known content of a patch, even if nobody has opened it; without asking. */
  knownContent(ref: PatchRef): Patch | undefined {
    return this.knownUnopened(ref)?.value;
  }

  /** The known state of a patch, even if nobody has opened it; without asking. */
  knownUnopened(ref: PatchRef): Known<Patch> | undefined {
    return this.knownPatch(ref) ?? this.#unopened.find(ref)?.known;
  }

  /** The known state of a patch, without asking. */
  knownPatch(ref: PatchRef): Known<Patch> | undefined {
    return this.#patches.find(ref)?.known;
  }

  /** A patch as it is known by itself or from the list of its stack, and then without its sections; without asking. */
  patchSummary(ref: PatchRef): Patch | undefined {
    const { stackUuid, changeId } = ref;
    const stacks = this.#stacks.entries.flatMap(({ cached }) => cached.known?.value ?? []);
    const lists = this.#stackPatches.entries.filter(({ wanted }) => wanted.stackUuid === stackUuid);
    const patches = [
      ...stacks.filter(({ uuid }) => uuid === stackUuid).flatMap((stack) => stack.patches ?? []),
      ...lists.flatMap(({ cached }) => cached.known?.value ?? []),
    ];
    return this.knownPatch(ref)?.value ?? patches.find((patch) => patch.changeId === changeId);
  }

  /** Who is signed in, as far as it is known. */
  get me(): Me | undefined {
    return this.#me;
  }

  /** Everybody's opinions of a patch, and that of the person who is signed in. */
  opinions(patch: Patch): PatchOpinions {
    return opinionsOf(patch, this.#me);
  }

  /** Reads a patch again, whatever is known of it. */
  async refreshPatch(ref: PatchRef): Promise<Known<Patch>> {
    await this.#restored;
    const cached = this.#cachedPatch(ref);
    cached.markStale();
    const known = await cached.get();
    this.#keepSoon();
    return known;
  }

  /** Has a patch read again when it is looked at next, because something about it has changed. */
  markPatchStale(ref: PatchRef): void {
    this.#patches.find(ref)?.markStale();
    this.#unopened.find(ref)?.markStale();
    this.#tell({ kind: 'patch', patch: ref });
  }

  /** Shows what the service has taken in a patch that is loaded. */
  editPatch(ref: PatchRef, edit: (patch: Patch) => Patch): void {
    const cached = this.#cachedPatch(ref);
    this.#unopened.find(ref)?.edit(edit);
    if (!cached.known) {
      // Only the list of its stack may say something of it.
      if (ref.projectId !== undefined) {
        this.refreshStacks(ref.projectId);
      }
      return;
    }
    cached.edit(edit);
    this.#editSummary(ref, edit);
    this.#tell({ kind: 'patch', patch: ref });
  }

  /** The caller's own user, with their organizations and what they may do with their projects; not kept. */
  ownUser(): Promise<OwnUser> {
    return this.#ask((client) => client.users.me());
  }

  /** A project, as it is listed if it is. */
  async findProject(projectId: string): Promise<Project> {
    const { items } = (await this.projects('atOnce')).value;
    return items.find(({ repositoryId }) => repositoryId === projectId) ?? this.project(projectId);
  }

  /** A project as it is now. */
  project(projectId: string): Promise<Project> {
    return this.#ask((client) => client.projects.get(projectId));
  }

  /** Finds a project by its owner and slug, and lists it from now on. */
  async openProject(owner: string, slug: string): Promise<Project> {
    const project = await this.#lookUp(owner, slug);
    this.#projects.open(project);
    this.#tell({ kind: 'projects' });
    return project;
  }

  /** The project of an owner with a slug; undefined when there is none that one may see. Asked once, until a refresh. */
  async projectNamed(owner: string, slug: string): Promise<Project | undefined> {
    return (await this.#named.of({ owner, slug }).get()).value;
  }

  /** The user with a login; undefined when there is none. Asked once, until a refresh. */
  async userNamed(login: string): Promise<User | undefined> {
    return (await this.#logins.of(login).get()).value;
  }

  /** Creates a project. */
  async createProject(creation: ProjectCreation): Promise<Project> {
    const project = await this.#ask((client) => client.projects.create(creation));
    this.#projects.edit((items) => [project, ...items]);
    this.#tell({ kind: 'projects' });
    return project;
  }

  /** Changes a project. */
  async updateProject(projectId: string, update: ProjectUpdate): Promise<Project> {
    return this.#putProject(await this.#ask((client) => client.projects.update(projectId, update)));
  }

  /** Deletes a project. */
  async deleteProject(projectId: string): Promise<void> {
    await untilGone(this.#ask((client) => client.projects.delete(projectId)));
    this.#projects.remove(projectId);
    this.#named.clear();
    this.#tell({ kind: 'projects' });
  }

  /** Connects a project to an organization: to one of its projects, else to one with the slug of this project. */
  async connectProject(
    projectId: string,
    target: { organizationSlug: string; projectSlug?: string },
  ): Promise<Project> {
    return this.#putProject(await this.#ask((client) => client.projects.connect(projectId, target)));
  }

  /** Disconnects a project from its organization. */
  async disconnectProject(projectId: string): Promise<void> {
    await this.#ask((client) => client.projects.disconnect(projectId));
    this.#projects.edit((items) =>
      items.map((item) => (item.repositoryId === projectId ? withoutParent(item) : item)),
    );
    this.#projects.markStale(projectId);
    this.#tell({ kind: 'projects' });
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
    const takeBack = this.showStack(projectId, { ...stack, ...update });
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
    this.#markStale();
    this.#tell({ kind: 'all' });
  }

  /** Has the stacks of a project read again when they are looked at next. */
  refreshStacks(projectId: string): void {
    this.#stackLists(projectId).forEach(({ cached }) => cached.markStale());
    this.#tell({ kind: 'stacks', projectId });
  }

  /**
   * Shows a stack as it will be, in each list that it then belongs to.
   *
   * @returns shows it again as it was.
   */
  showStack(projectId: string, changed: PatchStack): () => void {
    const before = this.#stackLists(projectId).flatMap(({ wanted, cached }) => {
      const { known } = cached;
      if (!known) {
        return [];
      }
      cached.set(withStack(known.value, changed, wanted));
      return [{ cached, value: known.value }];
    });
    this.#tell({ kind: 'stacks', projectId });
    return () => {
      for (const { cached, value } of before) {
        cached.set(value);
      }
      this.#staleStacks(projectId);
    };
  }

  /** Has the patches of a stack that came without them read again when they are looked at next. */
  refreshPatchesOfStack(stackUuid: string): void {
    for (const { wanted, cached } of this.#stackPatches.entries) {
      if (wanted.stackUuid === stackUuid) {
        cached.markStale();
      }
    }
    this.#tell({ kind: 'stackPatches', stackUuid });
  }

  /**
   * Forgets everything: another account is active.
   *
   * @param account who is signed in now, and where is kept what is known for them.
   */
  reset({ store, me }: Pick<ModelOptions, 'store' | 'me'> = {}): void {
    this.#store?.dispose();
    this.#store = store;
    this.#me = me;
    this.#projects = new ProjectList(this.#ask, this.#now);
    this.#named.clear();
    this.#logins.clear();
    this.#stacks.clear();
    this.#stackPatches.clear();
    this.#patches.clear();
    this.#unopened.clear();
    this.#takenIn.clear();
    this.#looked.clear();
    this.freshness.reset();
    this.#restored = this.#restore();
    this.#changed.fire({ kind: 'all' });
  }

  dispose(): void {
    this.#store?.dispose();
    this.#disposables.dispose();
  }

  async #read<T>(cached: Cached<T>, freshness: HowFresh, change: ModelChange): Promise<Known<T>> {
    const known =
      freshness === 'upToDate' ? await cached.get() : await cached.getAtOnce(() => this.#tell(change));
    this.#keepSoon();
    return known;
  }

  /** Changes a patch in the lists that came with it, too: they may know more of it than who has opened it, or less. */
  #editSummary({ stackUuid, changeId }: PatchRef, edit: (patch: Patch) => Patch): void {
    const edited = (patch: Patch): Patch => {
      const summary = { ...edit(patch) };
      // Lists come without the sections.
      delete summary.sections;
      return summary;
    };
    const withSummary = (patches: Patch[]): Patch[] =>
      patches.map((one) => (one.changeId === changeId ? edited(one) : one));
    for (const { cached: stacks } of this.#stacks.entries) {
      if (stacks.known?.value.some(({ uuid, patches }) => uuid === stackUuid && patches)) {
        stacks.edit((value) =>
          value.map((stack) =>
            stack.uuid === stackUuid && stack.patches
              ? { ...stack, patches: withSummary(stack.patches) }
              : stack,
          ),
        );
      }
    }
    for (const { wanted, cached } of this.#stackPatches.entries) {
      if (wanted.stackUuid === stackUuid) {
        cached.edit(withSummary);
      }
    }
  }

  #tell(change: ModelChange): void {
    this.#keepSoon();
    this.#changed.fire(change);
  }

  /** Notes a project as it is when it is listed first: none of its stacks or patches was read before. */
  #noteSeen(project: Project): void {
    if (!this.#takenIn.has(project.repositoryId)) {
      this.#takenIn.set(project.repositoryId, project);
    }
  }

  /** Notes the projects as they are listed now. @returns the ids of those that have changed since they were noted last. */
  #takeInProjects(): string[] {
    const { listed } = this.#projects;
    const changed = listed.filter((project) => {
      const before = this.#takenIn.get(project.repositoryId);
      return before && !isDeepStrictEqual(before, project);
    });
    listed.forEach((project) => this.#takenIn.set(project.repositoryId, project));
    return changed.map(({ repositoryId }) => repositoryId);
  }

  /** Marks all but the projects. */
  #markStale(): void {
    this.#named.clear();
    this.#logins.clear();
    for (const { cached } of [
      ...this.#stacks.entries,
      ...this.#stackPatches.entries,
      ...this.#patches.entries,
      ...this.#unopened.entries,
    ]) {
      cached.markStale();
    }
  }

  /** Marks all that is known of what is in a project: also patches of stacks that no list has, for the filter may hide those. */
  #markProjectStale(projectId: string): void {
    const ofOthers = new Set<string>();
    for (const { wanted, cached } of this.#stacks.entries) {
      if (wanted.projectId === projectId) {
        cached.markStale();
      } else {
        cached.known?.value.forEach(({ uuid }) => ofOthers.add(uuid));
      }
    }
    for (const { wanted, cached } of this.#stackPatches.entries) {
      if (wanted.projectId === projectId) {
        cached.markStale();
      }
    }
    for (const { wanted, cached } of [...this.#patches.entries, ...this.#unopened.entries]) {
      if (!ofOthers.has(wanted.stackUuid)) {
        cached.markStale();
      }
    }
  }

  /** @throws why the projects cannot be read. */
  async #readAgain(): Promise<void> {
    this.#projects.markStale();
    const { failure } = await this.projects();
    if (failure !== undefined) {
      throw failure instanceof Error
        ? failure
        : new Error('The projects cannot be read.', { cause: failure });
    }
    this.#takeInProjects();
    this.#markStale();
    this.#tell({ kind: 'all' });
  }

  #lookUp(owner: string, slug: string): Promise<Project> {
    return this.#ask(async (client) => client.projects.get(await client.projects.lookup(owner, slug)));
  }

  #putProject(project: Project): Project {
    this.#projects.put(project);
    this.#tell({ kind: 'projects' });
    return project;
  }

  #stackLists(projectId: string): { wanted: StacksWanted; cached: Cached<PatchStack[]> }[] {
    return this.#stacks.entries.filter(({ wanted }) => wanted.projectId === projectId);
  }

  /** Has the stacks of a project read again, and the projects, which count them. */
  #staleStacks(projectId: string): void {
    for (const { cached } of this.#stackLists(projectId)) {
      cached.markStale();
    }
    this.#projects.markStale(projectId);
    this.#tell({ kind: 'stacks', projectId });
  }

  /** A patch, and nothing else that is known of it, such as its row. */
  #cachedPatch({ stackUuid, changeId }: PatchRef): Cached<Patch> {
    return this.#patches.of({ stackUuid, changeId });
  }

  /** Asks what has changed in that which is shown, in one request as a rule. */
  async #lookAt(shown: readonly Shown[]): Promise<void> {
    const ids = new Set(shown.flatMap((each) => (each === 'projects' ? [] : each.projectId)));
    if (shown.includes('projects')) {
      await this.update();
      this.#projects.listed.forEach(({ repositoryId }) => ids.delete(repositoryId));
    }
    await Promise.all([...ids].map((projectId) => this.#lookAtProject(projectId)));
  }

  /** Asks whether something in a project has changed, where the list of all of them isn't on the screen, or hasn't got it. */
  async #lookAtProject(projectId: string): Promise<void> {
    const before = this.#looked.get(projectId) ?? this.#takenIn.get(projectId);
    const now = await this.project(projectId);
    this.#looked.set(projectId, now);
    if (
      before &&
      before.updatedAt === now.updatedAt &&
      (now.updatedAt !== undefined || isDeepStrictEqual(before, now))
    ) {
      return;
    }
    this.#markProjectStale(projectId);
    this.#tell({ kind: 'project', projectId });
  }

  /** Has what is known written down in a while. */
  #keepSoon(): void {
    this.#store?.writeSoon(() => this.#contentToKeep());
  }

  #contentToKeep(): KeptContent {
    const { known, opened } = this.#projects;
    const entriesOf = <W, T>(all: CachedBy<W, T>): [W, Known<T> | undefined][] =>
      all.entries.map(({ wanted, cached }) => [wanted, cached.known]);
    const keptStacks = entriesOf(this.#stacks).map(
      ([wanted, stacks]): [StacksOfProject, Known<PatchStack[]> | undefined] => [
        wanted,
        stacks && { ...stacks, value: boundedStacks(stacks.value) },
      ],
    );
    return {
      ...(known && { projects: { value: boundedProjects(known.value), asOf: known.asOf.getTime() } }),
      opened: opened.map(({ value, asOf }) => ({ value, asOf: asOf.getTime() })),
      stacks: boundedEntries(keptStacks, sizeOfStacks),
      stackPatches: boundedEntries(entriesOf(this.#stackPatches), sizeOfPatches),
      patches: boundedEntries(entriesOf(this.#patches), sizeOfPatch),
    };
  }

  /** Puts back what an earlier window knew. */
  async #restore(): Promise<void> {
    const store = this.#store;
    const content = await store?.read();
    // Another account may be active by now.
    if (content && store === this.#store) {
      try {
        this.#putBack(content);
      } catch {
        // Somebody has changed the file: what could be read of it is there, the rest is asked for.
      }
    }
  }

  #putBack(content: KeptContent): void {
    const { projects, opened, stacks, stackPatches, patches } = content;
    const dated = <T>({ value, asOf }: { value: T; asOf: number }): { value: T; asOf: Date } => ({
      value,
      asOf: new Date(asOf),
    });
    this.#projects.restore(projects && dated(projects), opened.map(dated));
    stacks.forEach(([wanted, { value, asOf }]) => this.#stacks.of(wanted).restore(value, new Date(asOf)));
    stackPatches.forEach(([wanted, { value, asOf }]) =>
      this.#stackPatches.of(wanted).restore(value, new Date(asOf)),
    );
    patches.forEach(([ref, { value, asOf }]) => this.#cachedPatch(ref).restore(value, new Date(asOf)));
  }
}

/** A list of the stacks that are wanted, after one of them has changed. */
function withStack(stacks: PatchStack[], changed: PatchStack, wanted: StacksWanted): PatchStack[] {
  const { status, branchId } = wanted;
  const others = stacks.filter(({ uuid }) => uuid !== changed.uuid);
  if (
    (status !== 'all' && status !== changed.status) ||
    (branchId !== undefined && branchId !== changed.branchId)
  ) {
    return others;
  }
  return others.length < stacks.length
    ? stacks.map((stack) => (stack.uuid === changed.uuid ? changed : stack))
    : [changed, ...stacks];
}

/** Undefined of what there is not, or what one may not see. */
async function unlessNone<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isApiError(error) && (error.kind === 'notFound' || error.kind === 'forbidden')) {
      return undefined;
    }
    throw error;
  }
}

function withoutParent(project: Project): Project {
  const copy = { ...project };
  delete copy.parentProject;
  return copy;
}
