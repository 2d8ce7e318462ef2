/**
 * Keeps on disk what a window knew of the service, for the next one: so that the view shows at once what it showed before, and
 * stays readable without the service.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Patch } from '../api/types/patches.ts';
import type { Project } from '../api/types/projects.ts';
import type { PatchStack, PatchStackStatus } from '../api/types/stacks.ts';
import { replaceFile } from '../util/atomicFile.ts';
import type { Disposable } from '../util/disposable.ts';
import { inBackground } from '../util/inBackground.ts';
import type { PatchRef, StackRef } from '../util/patchRef.ts';
import type { Known } from './cached.ts';
import type { Listing } from './projectList.ts';

/** A filter of a project's patch stacks. */
export interface StacksOfProject {
  projectId: string;
  status: PatchStackStatus | 'all';
  /** Only those of this branch. */
  branchId?: string;
}

/** A patch stack that is reached through its branch. */
export interface StackOfBranch extends StackRef {
  projectId: string;
  branchId: string;
}

/** A thing with when the service said so, in milliseconds since the epoch. */
interface Kept<T> {
  value: T;
  asOf: number;
}

/** Everything that is kept: of lists of stacks, of stacks that came without their patches, and of patches each with where it is. */
export interface KeptContent {
  projects?: Kept<Listing<Project>>;
  opened: Kept<Project>[];
  stacks: [wanted: StacksOfProject, kept: Kept<PatchStack[]>][];
  stackPatches: [stack: StackOfBranch, kept: Kept<Patch[]>][];
  patches: [patch: PatchRef, kept: Kept<Patch>][];
}

/** Carries what a model knows over to the next window. */
export interface ContentStore extends Disposable {
  read(): Promise<KeptContent | undefined>;
  /** Has what is known then written down in a while; several calls make one write. */
  writeSoon(collect: () => KeptContent): void;
}

/** Raised whenever the shape of what is kept changes: what has another one is not read. */
const format = 2;

/** Milliseconds from a change to its writing. */
const writeDelayMs = 2000;

/** See the module. */
export class ContentFile implements ContentStore {
  readonly #file: string;
  readonly #onFailure: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #collect: (() => KeptContent) | undefined;
  #writing: Promise<void> = Promise.resolve();

  /**
   * @param folder the account's own; it need not exist yet.
   * @param onFailure told when it could not be written: the next window then knows less, and nothing else is wrong.
   */
  constructor(folder: string, onFailure: (error: unknown) => void) {
    this.#file = path.join(folder, 'known.json');
    this.#onFailure = onFailure;
  }

  async read(): Promise<KeptContent | undefined> {
    try {
      const file = JSON.parse(await readFile(this.#file, 'utf8')) as {
        format?: unknown;
        content?: KeptContent;
      };
      return file.format === format ? file.content : undefined;
    } catch {
      return undefined;
    }
  }

  writeSoon(collect: () => KeptContent): void {
    this.#collect = collect;
    this.#timer ??= setTimeout(() => inBackground(this.flush()), writeDelayMs);
  }

  /** Writes now what was to be written soon. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write()).catch(this.#onFailure);
    await this.#writing;
  }

  /** Nothing is written from now on: the account may be another one, or its data deleted. */
  dispose(): void {
    clearTimeout(this.#timer);
    this.#collect = undefined;
  }

  async #write(): Promise<void> {
    const content = this.#collect?.();
    this.#collect = undefined;
    if (!content) {
      return;
    }
    const text = JSON.stringify({ format, content });
    await mkdir(path.dirname(this.#file), { recursive: true, mode: 0o700 });
    await replaceFile(this.#file, text, `${this.#file}.${randomUUID()}`);
  }
}

/** Limits of what is kept: enough for what somebody looks at in a day, and written within milliseconds. */
const mostProjects = 500;
const mostStacks = 300;
const mostEntries = 200;
/** Estimated characters of all entries of one kind, and of one of them. */
const largestSum = 2_000_000;
const largestEntry = 500_000;

/** A list of projects without what is too much to be kept. */
export function boundedProjects({ items, hasMore }: Listing<Project>): Listing<Project> {
  return { items: items.slice(0, mostProjects), hasMore: hasMore || items.length > mostProjects };
}

/** The newest of these entries that are not too much to be kept. */
export function boundedEntries<W, T>(
  entries: Iterable<[wanted: W, known: Known<T> | undefined]>,
  sizeOf: (value: T) => number,
): [wanted: W, kept: Kept<T>][] {
  const known = [...entries]
    .flatMap(([wanted, entry]): [W, Kept<T>][] =>
      entry ? [[wanted, { value: entry.value, asOf: entry.asOf.getTime() }]] : [],
    )
    .sort(([, one], [, other]) => other.asOf - one.asOf);
  let sum = 0;
  return known.slice(0, mostEntries).filter(([, { value }]) => {
    const size = sizeOf(value);
    sum += size > largestEntry ? 0 : size;
    return size <= largestEntry && sum <= largestSum;
  });
}

/** The first stacks of a long list. */
export function boundedStacks(stacks: PatchStack[]): PatchStack[] {
  return stacks.slice(0, mostStacks);
}

/** About how many characters stacks have as JSON. */
export function sizeOfStacks(stacks: readonly PatchStack[]): number {
  return stacks.reduce(
    (sum, { patches = [], description = '' }) => sum + 600 + description.length + sizeOfPatches(patches),
    0,
  );
}

/** About how many characters patches have as JSON. */
export function sizeOfPatches(patches: readonly Patch[]): number {
  return patches.reduce((sum, patch) => sum + sizeOfPatch(patch), 0);
}

/** About how many characters a patch has as JSON. */
export function sizeOfPatch({ sections = [], description = '', statistics }: Patch): number {
  const files = (statistics?.files ?? []).length * 60;
  return sections.reduce(
    (sum, section) => {
      const text =
        section.sectionType === 'text'
          ? section.text
          : section.sectionType === 'diff'
            ? section.diffPatch
            : '';
      return sum + 400 + (text?.length ?? 0);
    },
    800 + files + description.length,
  );
}
