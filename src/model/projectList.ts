import { isDeepStrictEqual } from 'node:util';
import type { Project } from '../api/types/projects.ts';
import { parseTimestamp } from '../api/timestamp.ts';
import { Cached, type Known } from './cached.ts';
import type { AskService } from './askService.ts';

/** The first pages of a list. */
export interface Listing<T> {
  items: T[];
  hasMore: boolean;
}

/** Projects on a page. */
const pageSize = 50;

/** Projects to ask for at a time when that many were shown before. */
const largestPage = 500;

/**
 * A millisecond may not be enough: services that keep whole seconds round down. What is asked for again without having
 * changed costs nothing but its bytes.
 */
const overlapMs = 1000;

/**
 * The caller's projects, newest activity first, as far as they were asked for. Before them stand those that were opened by
 * name, which the caller's own need not have among them.
 */
export class ProjectList {
  readonly #ask: AskService;
  readonly #now: () => Date;
  readonly #listed: Cached<Listing<Project>>;
  readonly #opened = new Map<string, Cached<Project>>();
  #rest: AsyncIterator<Project> | undefined;

  constructor(ask: AskService, now: () => Date) {
    this.#ask = ask;
    this.#now = now;
    this.#listed = new Cached((before) => this.#load(before?.items.length ?? 0), now);
  }

  get known(): Known<Listing<Project>> | undefined {
    const { known } = this.#listed;
    return known && this.#withOpened(known);
  }

  /** The projects that the caller's own list has, as far as it was asked for. */
  get listed(): Project[] {
    return this.#listed.known?.value.items ?? [];
  }

  /** The projects that were opened by name. */
  get opened(): Known<Project>[] {
    return [...this.#opened.values()].flatMap(({ known }) => known ?? []);
  }

  /** Brought up to date. @throws what the client throws, when nothing is known. */
  async get(): Promise<Known<Listing<Project>>> {
    const [known] = await Promise.all([
      this.#listed.get(),
      ...[...this.#opened.values()].map((cached) => cached.get()),
    ]);
    return this.#withOpened(known);
  }

  /** Returns what is known, at once; see `Cached`. */
  async getAtOnce(tell: () => void): Promise<Known<Listing<Project>>> {
    const [known] = await Promise.all([
      this.#listed.getAtOnce(tell),
      ...[...this.#opened.values()].map((cached) => cached.getAtOnce(tell)),
    ]);
    return this.#withOpened(known);
  }

  /** Reads the next page. @returns whether there was one. */
  async loadMore(): Promise<boolean> {
    const before = (await this.#listed.get()).value;
    if (!before.hasMore) {
      return false;
    }
    const known = new Set(before.items.map(({ repositoryId }) => repositoryId));
    const count = pageFor(known.size);
    const reading = this.#ask(async (client) => {
      this.#rest ??= client.projects.iterate({ pageSize: count })[Symbol.asyncIterator]();
      // Projects that were updated meanwhile are listed already.
      return take(this.#rest, count, ({ repositoryId }) => !known.has(repositoryId));
    });
    const next = await reading.catch((error: unknown) => {
      // An iterator that has failed once says afterwards that there is nothing more.
      this.#rest = undefined;
      throw error;
    });
    this.#listed.edit(({ items }) => {
      const listed = new Set(items.map(({ repositoryId }) => repositoryId));
      const added = next.items.filter(({ repositoryId }) => !listed.has(repositoryId));
      return { items: [...items, ...added], hasMore: next.hasMore };
    });
    return true;
  }

  /**
   * Asks what has changed since the newest activity that is known of: one request, unless much has. Everything keeps its
   * place; what is new comes first.
   *
   * @returns whether there are new ones; undefined when that cannot be told and the whole list has to be read again.
   * @throws what the client throws; what is known is then marked as not up to date.
   */
  async update(): Promise<{ added: boolean } | undefined> {
    const { known } = this.#listed;
    const times = known?.value.items.flatMap((project) => lastActivity(project) ?? []) ?? [];
    if (!known || times.length === 0) {
      return undefined;
    }
    // Not spread into a call: there may be more than a call takes.
    const newest = times.reduce((one, other) => Math.max(one, other));
    const oldest = times.reduce((one, other) => Math.min(one, other));
    let found: Listing<Project>;
    try {
      const since = new Date(newest - overlapMs);
      found = await this.#ask((client) =>
        take(client.projects.iterate({ since, pageSize })[Symbol.asyncIterator](), largestPage),
      );
    } catch (error) {
      this.#listed.fail(error);
      throw error;
    }
    if (found.hasMore) {
      return undefined;
    }
    const listed = new Set(known.value.items.map(({ repositoryId }) => repositoryId));
    // A project that hasn't changed and isn't listed comes with a later page.
    const isOfLaterPage = (project: Project): boolean =>
      known.value.hasMore && !listed.has(project.repositoryId) && (lastActivity(project) ?? oldest) <= oldest;
    return this.#takeIn(found.items.filter((project) => !isOfLaterPage(project)));
  }

  /** Lists a project that was opened by name. */
  open(project: Project): void {
    const { repositoryId } = project;
    this.#openedProject(repositoryId).set(project);
  }

  /** Puts back what an earlier window knew. */
  restore(
    listed: { value: Listing<Project>; asOf: Date } | undefined,
    opened: readonly { value: Project; asOf: Date }[],
  ): void {
    if (listed) {
      this.#listed.restore(listed.value, listed.asOf);
    }
    for (const { value, asOf } of opened) {
      this.#openedProject(value.repositoryId).restore(value, asOf);
    }
  }

  /** Shows a change of the list at once, and has it read again, for its order may have changed too. */
  edit(change: (items: Project[]) => Project[]): void {
    this.#listed.edit((listing) => ({ ...listing, items: change(listing.items) }));
    this.#listed.markStale();
  }

  /** Shows what a project is now. */
  put(project: Project): void {
    const { repositoryId } = project;
    this.#opened.get(repositoryId)?.set(project);
    this.edit((items) => items.map((item) => (item.repositoryId === repositoryId ? project : item)));
  }

  /** Takes a project from the list. */
  remove(projectId: string): void {
    this.#opened.delete(projectId);
    this.edit((items) => items.filter(({ repositoryId }) => repositoryId !== projectId));
  }

  /** Has the list, or one of the opened projects only, read again when it is asked for next. */
  markStale(openedId?: string): void {
    if (openedId === undefined) {
      this.#opened.forEach((cached) => cached.markStale());
    } else {
      this.#opened.get(openedId)?.markStale();
    }
    this.#listed.markStale();
  }

  #takeIn(found: readonly Project[]): { added: boolean } {
    const update = new Map(found.map((project) => [project.repositoryId, project]));
    this.#listed.edit(({ items, hasMore }) => {
      const merged = items.map((item) => {
        const project = update.get(item.repositoryId);
        update.delete(item.repositoryId);
        return project && !isDeepStrictEqual(project, item) ? project : item;
      });
      return { items: [...update.values(), ...merged], hasMore };
    });
    return { added: update.size > 0 };
  }

  #withOpened(known: Known<Listing<Project>>): Known<Listing<Project>> {
    if (this.#opened.size === 0) {
      return known;
    }
    const { items, hasMore } = known.value;
    const listed = new Set(items.map(({ repositoryId }) => repositoryId));
    const others = this.opened
      .map(({ value }) => value)
      .filter(({ repositoryId }) => !listed.has(repositoryId));
    return { ...known, value: { items: [...others, ...items], hasMore } };
  }

  #openedProject(projectId: string): Cached<Project> {
    let cached = this.#opened.get(projectId);
    if (!cached) {
      cached = new Cached(() => this.#ask((client) => client.projects.get(projectId)), this.#now);
      this.#opened.set(projectId, cached);
    }
    return cached;
  }

  /** As many as were shown before, so that a refresh takes no row away. */
  async #load(shown: number): Promise<Listing<Project>> {
    const { rest, listing } = await this.#ask(async (client) => {
      const iterator = client.projects.iterate({ pageSize: pageFor(shown) })[Symbol.asyncIterator]();
      return { rest: iterator, listing: await take(iterator, Math.max(pageSize, shown)) };
    });
    this.#rest = rest;
    return listing;
  }
}

function pageFor(shown: number): number {
  return Math.min(Math.max(pageSize, shown), largestPage);
}

function lastActivity({ updatedAt }: Project): number | undefined {
  return parseTimestamp(updatedAt)?.getTime();
}

async function take<T>(
  iterator: AsyncIterator<T>,
  count: number,
  accepts: (item: T) => boolean = () => true,
): Promise<Listing<T>> {
  const items: T[] = [];
  while (items.length < count) {
    const next = await iterator.next();
    if (next.done) {
      return { items, hasMore: false };
    }
    if (accepts(next.value)) {
      items.push(next.value);
    }
  }
  return { items, hasMore: true };
}
