/**
 * The state that the operations of all people come to. It depends only on which operations there are, never on the order in which they
 * came: of two that say the same thing of something, the later one counts, and texts are merged (`mergeVersions.ts`).
 */
import { isAfter, type Clock } from './clock.ts';
import { valueOf, type TextHistory, type TextVersion } from './mergeVersions.ts';
import { pathOf, type LoggedOperation, type Operation, type TextOperation } from './operations.ts';

/** The place for all that the fold has: keys and values, which can be thrown away. */
export interface FoldStore {
  get(key: string): string | undefined;
  set(key: string, value: string): void;
  /** The keys that begin like this. */
  keys(prefix: string): string[];
}

/** A value, and when it was said. */
interface Said<Value> {
  value: Value;
  clock: Clock;
  id: string;
}

/** A text of which there may be several versions that nobody has joined. */
interface TextState {
  /** The operations that no other one has replaced. */
  heads: string[];
  /** Operations that another one has replaced, and that are not there yet. */
  early: string[];
  /** The first operation that began it. */
  root?: Said<Beginning> | undefined;
}

/** The place that a text was put in, and what it said before anybody shared a version of it. */
interface Beginning {
  after?: string | null | undefined;
  base?: string | undefined;
}

/** The place of a patch among all that is shared. */
export interface SharedPatch {
  branch: string;
  change: string;
}

/** A person as they describe themself. */
export type SharedPerson = Omit<Extract<Operation, { type: 'person' }>, 'type'>;

/** A text as all operations come to. */
export interface SharedText {
  /** Null when it is deleted. */
  text: string | null;
  /** The operations that whoever writes it next has before them. */
  heads: string[];
  /** The section that it was put behind; null for the beginning, undefined where nobody said. */
  after: string | null | undefined;
  /** When it was first put there. */
  since: Clock;
}

type Says = Extract<Operation, { type: 'review' }>['says'];

/** The word that somebody has on a patch. */
export interface SharedReview {
  person: string;
  /** The name of what the patch changed then. */
  patch: string;
  says: Says;
  at: number;
}

const stackFields = ['title', 'description', 'status'] as const;

function keyOf(kind: string, ...parts: string[]): string {
  return JSON.stringify([kind, ...parts]);
}

/** All keys that begin with these parts begin like this. */
function prefixOf(kind: string, ...parts: string[]): string {
  return `${keyOf(kind, ...parts).slice(0, -1)},`;
}

function lastPart(key: string): string {
  return (JSON.parse(key) as string[]).at(-1) ?? '';
}

/** The operations that were added, and what they come to. */
export class Fold {
  readonly #store: FoldStore;

  constructor(store: FoldStore) {
    this.#store = store;
  }

  /**
   * Adds an operation; one that was added before changes nothing. Those of one device come in their order.
   *
   * @returns The patch that it is about, if it is about one.
   */
  add({ id, writer, seq, clock, content }: LoggedOperation): SharedPatch | undefined {
    const device = keyOf('device', pathOf(writer));
    if (seq <= ((this.#read(device) as number | undefined) ?? 0)) {
      return undefined;
    }
    this.#write(device, seq);
    const say = (key: string, value: unknown): void => this.#say(key, { value, clock, id });
    switch (content?.type) {
      case 'person': {
        const { type, ...person } = content;
        say(keyOf(type, writer.person), person);
        return undefined;
      }
      case 'key':
        say(keyOf('key', writer.person, content.fingerprint), { name: content.name, key: content.key });
        return undefined;
      case 'stack':
        for (const field of stackFields) {
          if (content[field] !== undefined) {
            say(keyOf('stack', content.branch, field), content[field]);
          }
        }
        return undefined;
      case 'version':
        for (const { change, commit } of content.changes) {
          this.#nameFirst(keyOf('name', content.branch, commit), { value: change, clock, id });
        }
        return undefined;
      case 'text':
        this.#addText(id, clock, content);
        return content;
      case 'order':
        say(keyOf('order', content.branch, content.change), content.order);
        return content;
      case 'review':
        say(keyOf('review', content.branch, content.change, content.patch, writer.person), content.says);
        return content;
      case undefined:
        // Of a newer version, which will make something of it: the log keeps it.
        return undefined;
    }
  }

  /** The people who have described themselves. */
  people(): { person: string; described: SharedPerson }[] {
    return this.#list<SharedPerson>(prefixOf('person')).map(([key, { value }]) => ({
      person: lastPart(key),
      described: value,
    }));
  }

  /** The SSH keys of a person, those that were taken away included: they have no key. */
  keysOf(person: string): { fingerprint: string; name: string; key: string | null }[] {
    return this.#list<{ name: string; key: string | null }>(prefixOf('key', person)).map(
      ([key, { value }]) => ({ fingerprint: lastPart(key), ...value }),
    );
  }

  /** The branches of which there is a version. */
  branches(): Set<string> {
    return new Set(this.#store.keys(prefixOf('name')).map((key) => (JSON.parse(key) as string[])[1] ?? ''));
  }

  /** The title, description and status that people gave a stack. */
  stack(branch: string): { title?: string; description?: string; status?: 'active' | 'closed' } {
    return Object.fromEntries(
      this.#list<string>(prefixOf('stack', branch)).map(([key, { value }]) => [lastPart(key), value]),
    );
  }

  /** The change that a commit of a branch is a version of, as it was called first. */
  changeOf(branch: string, commit: string): string | undefined {
    return (this.#read(keyOf('name', branch, commit)) as Said<string> | undefined)?.value;
  }

  /** The names of the texts that a patch has or had. */
  sections({ branch, change }: SharedPatch): string[] {
    return this.#store.keys(prefixOf('text', branch, change)).map(lastPart);
  }

  /** A text; undefined when nobody has written one of that name. */
  text({ branch, change }: SharedPatch, section: string): SharedText | undefined {
    const state = this.#read(keyOf('text', branch, change, section)) as TextState | undefined;
    if (!state || state.heads.length === 0) {
      return undefined;
    }
    const { heads, root } = state;
    const text = valueOf(heads, this.#history, root?.value.base ?? '');
    return { text, heads, after: root?.value.after, since: root?.clock ?? [0, 0] };
  }

  /** The order that somebody gave the sections of a patch. */
  order({ branch, change }: SharedPatch): string[] | undefined {
    return (this.#read(keyOf('order', branch, change)) as Said<string[]> | undefined)?.value;
  }

  /** The latest word that each person has on each version of a patch. */
  reviews({ branch, change }: SharedPatch): SharedReview[] {
    return this.#list<Says>(prefixOf('review', branch, change)).map(([key, { value, clock }]) => {
      const [patch = '', person = ''] = (JSON.parse(key) as string[]).slice(-2);
      return { person, patch, says: value, at: clock[0] };
    });
  }

  readonly #history: TextHistory = (id) => this.#read(keyOf('op', id)) as TextVersion | undefined;

  #addText(
    id: string,
    clock: Clock,
    { branch, change, section, text, over, base, after }: TextOperation,
  ): void {
    this.#write(keyOf('op', id), { id, clock, text, over } satisfies TextVersion);
    const key = keyOf('text', branch, change, section);
    const { heads, early, root } = (this.#read(key) as TextState | undefined) ?? { heads: [], early: [] };
    const device = id.slice(0, id.lastIndexOf('/') + 1);
    // Whatever a device says it had before it, it had what it wrote itself.
    const isHead = (head: string): boolean => !over.includes(head) && !head.startsWith(device);
    const missing = over.filter((other) => !this.#history(other));
    const begun = { value: { after, base }, clock, id };
    this.#write(key, {
      heads: [...heads.filter(isHead), ...(early.includes(id) ? [] : [id])].sort(),
      early: [...new Set([...early.filter((other) => other !== id), ...missing])].sort(),
      root: over.length === 0 && (!root || comesAfter(root, begun)) ? begun : root,
    } satisfies TextState);
  }

  /** Has the later one of two count. */
  #say(key: string, said: Said<unknown>): void {
    const before = this.#read(key) as Said<unknown> | undefined;
    if (!before || comesAfter(said, before)) {
      this.#write(key, said);
    }
  }

  /** Has the earlier one of two count. */
  #nameFirst(key: string, said: Said<string>): void {
    const before = this.#read(key) as Said<string> | undefined;
    if (!before || comesAfter(before, said)) {
      this.#write(key, said);
    }
  }

  #list<Value>(prefix: string): [string, Said<Value>][] {
    return this.#store.keys(prefix).flatMap((key) => {
      const said = this.#read(key) as Said<Value> | undefined;
      return said ? [[key, said] as [string, Said<Value>]] : [];
    });
  }

  /** The caller knows what it wrote under which key. */
  #read(key: string): unknown {
    const value = this.#store.get(key);
    return value === undefined ? undefined : JSON.parse(value);
  }

  #write(key: string, value: object | number): void {
    this.#store.set(key, JSON.stringify(value));
  }
}

function comesAfter(one: Pick<Said<unknown>, 'clock' | 'id'>, other: typeof one): boolean {
  return isAfter(one.clock, other.clock) || (!isAfter(other.clock, one.clock) && one.id > other.id);
}
