/**
 * What this window knows of the service: loaded projects, patch stacks and patches. The one place that decides what is
 * stale; features read it and subscribe to its changes, and keep nothing themselves.
 */
import type { ApiClient } from '../api/client.ts';
import type { Patch } from '../api/resources/patches.ts';
import type { Project } from '../api/resources/projects.ts';
import type { PatchStack, PatchStackStatus } from '../api/resources/stacks.ts';
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
export type ModelChange = { kind: 'all' } | { kind: 'projects' } | { kind: 'patch'; address: PatchAddress };

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

  /** The projects, newest activity first, as far as they were asked for. */
  projects(): Promise<Known<Listing<Project>>> {
    return this.#projects.get();
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

  /** Has everything read again when it is looked at next. What is known stays readable until then. */
  refresh(): void {
    this.#projects.markStale();
    for (const cached of [
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
    this.#stacks.clear();
    this.#stackPatches.clear();
    this.#patches.clear();
    this.#changed.fire({ kind: 'all' });
  }

  dispose(): void {
    this.#disposables.dispose();
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
