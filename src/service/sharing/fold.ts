/**
 * The state that the operations of all people come to. It depends only on which operations there are, never on the order in which they
 * came: of two that say the same thing of something, the later one counts, and texts are joined as far as they can be (`mergeVersions.ts`).
 */
import { atOnce, type Steps } from '../../util/inTurns.ts';
import type { GivenName } from './changeNames.ts';
import { isAfter, type Clock } from './clock.ts';
import { Marks } from './marks.ts';
import { TextVersions, type JoinedVersion, type TextHistory, type TextVersion } from './mergeVersions.ts';
import {
  pathOf,
  type LoggedOperation,
  type Operation,
  type TextOperation,
  type Writer,
} from './operations.ts';
import type { Signature } from './signatures.ts';

/** The place for all that the fold has: keys and values that JSON can have, which can be thrown away. */
export interface FoldStore {
  /** Whoever gets a value doesn't change it: others may have it, too. */
  get(key: string): unknown;
  set(key: string, value: object | number): void;
  delete(key: string): void;
  /** The keys that begin like this. */
  keys(prefix: string): string[];
  /** The same with their values, in the order of the keys. */
  entries(prefix: string): [key: string, value: unknown][];
}

/**
 * The version of what the fold makes of operations. What another version has made of them is thrown away, and made again: it may be of kinds
 * of operations that only one of the two knows.
 */
export const foldVersion = 6;

/** The beginnings of all keys that the fold has. */
export const foldKinds = [
  'device',
  'person',
  'key',
  'stack',
  'name',
  'text',
  'early',
  'op',
  'order',
  'review',
  'unchecked',
  'ahead',
] as const satisfies readonly (keyof FoldValues)[];

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

/** A version of a text that conflicts with the one that is shown. */
export interface OtherVersion {
  text: string;
  /** What both were made of. */
  before: string;
  /** The operations that whoever decides against it replaces. */
  heads: string[];
  /** Who said the last of them, and when. */
  person: string;
  at: number;
}

/** A text as all operations come to, as it is shown on one device. */
export interface SharedText {
  /** Null when it is deleted. Of versions that conflict, it's that of the device, else one of its person, else the latest. */
  text: string | null;
  /** The operations that whoever writes it next has before them. */
  heads: string[];
  /** The person who said the last of them; undefined when it is deleted. */
  person: string | undefined;
  /** The versions that conflict with it, the latest first. */
  others: OtherVersion[];
  /** The section that it was put behind; null for the beginning, undefined where nobody said. */
  after: string | null | undefined;
  /** When it was first put there. */
  since: Clock;
}

type Says = Extract<Operation, { type: 'review' }>['says'];

/** A review, under its patch and person. */
interface SaidReview {
  says: Says;
  commit: string;
  signature?: Signature;
}

/** A review whose signature nobody has looked at. */
export interface UncheckedReview {
  /** Of the fold. */
  key: Key<Said<SaidReview>>;
  /** Of its operation. */
  id: string;
  says: Says;
  /** The commit of the branch that it is about. */
  about: string;
  /** The commit of the log that it came with. */
  commit: string;
}

/** The word that somebody has on a patch. */
export interface SharedReview extends SaidReview {
  person: string;
  /** The name of what the patch changed then. */
  patch: string;
  at: number;
}

const stackFields = ['title', 'description', 'status'] as const;

/** The value under the keys of each kind. */
interface FoldValues {
  /** The last operation of a device. */
  device: number;
  person: Said<SharedPerson>;
  key: Said<{ name: string; key: string | null }>;
  stack: Said<string>;
  /** When a person first gave a commit that name. */
  name: Pick<Said<string>, 'clock' | 'id'>;
  text: TextState;
  /** The clock of the last operation of a text that has replaced one which isn't there yet. */
  early: Clock;
  op: TextVersion;
  order: Said<string[]>;
  review: Said<SaidReview>;
  /** The operation of a review, and the commit of the log that it came with. */
  unchecked: { id: string; commit: string };
  /** The time of the first operation of a log that waits at a device; null where none does any more. */
  ahead: Said<number | null>;
}

declare const valueUnder: unique symbol;

/** A key of the store, with the type of its value. */
type Key<Value> = string & { readonly [valueUnder]?: Value };

function keyOf<Kind extends keyof FoldValues>(kind: Kind, ...parts: string[]): Key<FoldValues[Kind]> {
  return JSON.stringify([kind, ...parts]);
}

/** The beginning of all keys of a kind that have these parts. */
function beginningOf(kind: keyof FoldValues, ...parts: string[]): string {
  return `${keyOf(kind, ...parts).slice(0, -1)},`;
}

function reviewKey(
  person: string,
  { branch, change, patch }: Extract<Operation, { type: 'review' }>,
): Key<Said<SaidReview>> {
  return keyOf('review', branch, change, patch, person);
}

/** The parts that a key was made of, without its kind. */
function partsOf(key: string): string[] {
  return (JSON.parse(key) as string[]).slice(1);
}

function lastPart(key: string): string {
  return partsOf(key).at(-1) ?? '';
}

/** The operations that were added, and what they come to. */
export class Fold {
  readonly #store: FoldStore;
  #marks = new Marks();
  #branches: Set<string> | undefined;
  /** Operations that texts would depend on if they were there, each with the patches of these texts by their keys. */
  readonly #missing = new Map<string, Map<string, SharedPatch>>();
  /** What texts of one patch come to that have several heads, by their keys, and the state that this was made of. */
  readonly #joined = new Map<string, { of: string; text: SharedText | undefined }>();

  constructor(store: FoldStore) {
    this.#store = store;
  }

  /** What has changed since this was asked the last time. */
  takeMarks(): Marks {
    const marks = this.#marks;
    this.#marks = new Marks();
    return marks;
  }

  /** Notes that all of it was thrown away. */
  noteForgotten(): void {
    this.#marks.isAll = true;
    this.#branches = undefined;
    this.#joined.clear();
  }

  /**
   * Adds operations of one device in their order; one that was added before changes nothing.
   *
   * @param commit The commit of the log that they came with, once they are in one.
   */
  add(operations: readonly LoggedOperation[], commit?: string): void {
    const [first] = operations;
    if (!first) {
      return;
    }
    const device = keyOf('device', pathOf(first.writer));
    const before = this.#read(device) ?? 0;
    let last = before;
    for (const operation of operations) {
      if (operation.seq <= last) {
        this.#noteCommit(operation, commit);
      } else {
        last = operation.seq;
        this.#add(operation, commit);
      }
    }
    if (last > before) {
      this.#write(device, last);
    }
  }

  /** Adds some operations of logs that are begun in their middle, each of them once. */
  addSome(operations: readonly { operation: LoggedOperation; commit: string | undefined }[]): void {
    operations.forEach(({ operation, commit }) => this.#add(operation, commit));
  }

  /** Begins a log in its middle: the operations up to that one are there, or left out. */
  begin(writer: Writer, seq: number): void {
    this.#write(keyOf('device', pathOf(writer)), seq);
  }

  #add(operation: LoggedOperation, commit: string | undefined): void {
    const { id, writer, clock, content } = operation;
    const say = <Value>(key: Key<Said<Value>>, value: Value): void => this.#say(key, { value, clock, id });
    if (content) {
      this.#marks.note(content);
    }
    switch (content?.type) {
      case 'person': {
        const { type, ...person } = content;
        say(keyOf(type, writer.person), person);
        return;
      }
      case 'key':
        say(keyOf('key', writer.person, content.fingerprint), { name: content.name, key: content.key });
        return;
      case 'stack':
        for (const field of stackFields) {
          if (content[field] !== undefined) {
            say(keyOf('stack', content.branch, field), content[field]);
          }
        }
        return;
      case 'version':
        for (const { change, commit } of content.changes) {
          this.#nameFirst(keyOf('name', content.branch, commit, writer.person, change), clock, id);
          this.#branches?.add(content.branch);
        }
        return;
      case 'text':
        this.#addText(id, clock, content);
        return;
      case 'ahead':
        say(keyOf('ahead', content.log, pathOf(writer)), content.clock_of);
        return;
      case 'order':
        say(keyOf('order', content.branch, content.change), content.order);
        return;
      case 'review':
        say(reviewKey(writer.person, content), {
          says: content.says,
          commit: content.commit,
        } satisfies SaidReview);
        this.#noteCommit(operation, commit);
        return;
      case undefined:
        // Of a newer version, which will make something of it: the log keeps it.
        return;
    }
  }

  /** Notes that somebody has still to look at how what counts of a review is signed. */
  #noteCommit({ id, writer, content }: LoggedOperation, commit: string | undefined): void {
    if (content?.type !== 'review' || commit === undefined) {
      return;
    }
    const key = reviewKey(writer.person, content);
    if (this.#read(key)?.id === id) {
      this.#write(keyOf('unchecked', key), { id, commit });
    }
  }

  /** The reviews that count, and of which nobody has looked at the signature. */
  unchecked(): UncheckedReview[] {
    return this.#list('unchecked').flatMap(([unchecked, noted]) => {
      const key = keyOf('review', ...partsOf(lastPart(unchecked)));
      const said = this.#read(key);
      return said?.id === noted.id
        ? [{ key, id: said.id, says: said.value.says, about: said.value.commit, commit: noted.commit }]
        : [];
    });
  }

  /** Notes the signature of a review: that of the commit that it came with, if it has one. */
  sign({ key, id }: Pick<UncheckedReview, 'key' | 'id'>, signature: Signature | undefined): void {
    const said = this.#read(key);
    if (said?.id === id) {
      const { says, commit } = said.value;
      this.#write(key, { ...said, value: { says, commit, ...(signature !== undefined && { signature }) } });
      this.#store.delete(keyOf('unchecked', key));
      const [branch = '', change = ''] = partsOf(key);
      this.#marks.noteBranch(branch, change);
    }
  }

  /** The people who have described themselves. */
  people(): { person: string; described: SharedPerson }[] {
    return this.#list('person').map(([key, { value }]) => ({
      person: lastPart(key),
      described: value,
    }));
  }

  /** The SSH keys of a person, those that were taken away included: they have no key. */
  keysOf(person: string): { fingerprint: string; name: string; key: string | null }[] {
    return this.#list('key', person).map(([key, { value }]) => ({ fingerprint: lastPart(key), ...value }));
  }

  /** The branches of which there is a version. */
  branches(): ReadonlySet<string> {
    this.#branches ??= new Set(this.#keys('name').map((key) => partsOf(key)[0] ?? ''));
    return this.#branches;
  }

  /** The title, description and status that people gave a stack. */
  stack(branch: string): { title?: string; description?: string; status?: 'active' | 'closed' } {
    return Object.fromEntries(this.#list('stack', branch).map(([key, { value }]) => [lastPart(key), value]));
  }

  /** The changes that people have said a commit of a branch is a version of. */
  names(branch: string, commit: string): GivenName[] {
    return this.#list('name', branch, commit).map(([key, given]) => {
      const [person = '', change = ''] = partsOf(key).slice(-2);
      return { person, change, ...given };
    });
  }

  /** The times of operations of a log that wait at other devices, each with the time there. */
  waitingElsewhere(log: string): { dated: number; at: number }[] {
    return this.#list('ahead', log).flatMap(([, { value, clock }]) =>
      value === null ? [] : [{ dated: value, at: clock[0] }],
    );
  }

  /** The names of the texts that a patch has or had. */
  sections({ branch, change }: SharedPatch): string[] {
    return this.#keys('text', branch, change).map(lastPart);
  }

  /** A text as a device shows it; undefined when nobody has written one of that name. */
  text(place: SharedPatch, section: string, viewer: Writer): SharedText | undefined {
    const key = keyOf('text', place.branch, place.change, section);
    return this.#textOf(place, viewer, key, this.#read(key));
  }

  /** All texts that a patch has or had, by their names. */
  texts(place: SharedPatch, viewer: Writer): Map<string, SharedText | undefined> {
    const states = this.#list('text', place.branch, place.change);
    return new Map(states.map(([key, state]) => [lastPart(key), this.#textOf(place, viewer, key, state)]));
  }

  /** Joins the texts of a patch that have several heads, which may take seconds: until another patch is asked for, they are at hand. */
  *joining(place: SharedPatch, viewer: Writer): Steps<void> {
    this.#joined.clear();
    for (const [key, state] of this.#list('text', place.branch, place.change)) {
      if (state.heads.length > 1) {
        const text = yield* this.#joiningText(place, viewer, state);
        this.#joined.set(key, { of: stateFor(viewer, state), text });
      }
    }
  }

  /** True where no text of a patch has to be joined before it can be read. */
  isJoined(place: SharedPatch, viewer: Writer): boolean {
    return this.#list('text', place.branch, place.change).every(
      ([key, state]) => state.heads.length <= 1 || this.#joined.get(key)?.of === stateFor(viewer, state),
    );
  }

  #textOf(
    place: SharedPatch,
    viewer: Writer,
    key: Key<TextState>,
    state: TextState | undefined,
  ): SharedText | undefined {
    const joined = this.#joined.get(key);
    return joined && state && joined.of === stateFor(viewer, state)
      ? joined.text
      : atOnce(this.#joiningText(place, viewer, state));
  }

  *#joiningText(
    place: SharedPatch,
    viewer: Writer,
    state: TextState | undefined,
  ): Steps<SharedText | undefined> {
    if (!state || state.heads.length === 0) {
      return undefined;
    }
    const { heads, root } = state;
    const history: TextHistory = (id) => {
      const version = this.#history(id);
      if (!version) {
        // It may come with whatever it is about: then this is another text.
        const patches = this.#missing.get(id) ?? new Map<string, SharedPatch>();
        this.#missing.set(id, patches.set(keyOf('text', place.branch, place.change), place));
      }
      return version && heads.length > 1 ? this.#withoutLater(version) : version;
    };
    const versions = new TextVersions(history, root?.value.base ?? '');
    const joined = yield* versions.join(heads);
    const shown = joined.toSorted((one, other) => nearnessOf(one, viewer) - nearnessOf(other, viewer)).at(-1);
    const others = joined.filter((version) => version !== shown).reverse();
    const inOthers = new Set(others.flatMap((other) => other.heads));
    const before: string[] = [];
    for (const other of others) {
      before.push(yield* versions.baseOf(shown?.heads ?? [], other.heads));
    }
    return {
      text: shown?.text ?? null,
      heads: heads.filter((id) => !inOthers.has(id)),
      person: shown && lastWriter(shown),
      others: others.map((other, index) => ({
        text: other.text,
        before: before[index] ?? '',
        heads: other.heads,
        person: lastWriter(other),
        at: other.clock[0],
      })),
      after: root?.value.after,
      since: root?.clock ?? [0, 0],
    };
  }

  /** The order that somebody gave the sections of a patch. */
  order({ branch, change }: SharedPatch): string[] | undefined {
    return this.#read(keyOf('order', branch, change))?.value;
  }

  /** The latest word that each person has on each version of a patch. */
  reviews({ branch, change }: SharedPatch): SharedReview[] {
    return this.#list('review', branch, change).map(([key, { value, clock }]) => {
      const [patch = '', person = ''] = partsOf(key).slice(-2);
      return { person, patch, ...value, at: clock[0] };
    });
  }

  readonly #history: TextHistory = (id) => this.#read(keyOf('op', id));

  /** A version without those that it names and that were written after it: nobody has read them by then. */
  #withoutLater(version: TextVersion): TextVersion {
    const isEarlier = (id: string): boolean => {
      const other = this.#history(id);
      return !other || isAfter(version.clock, other.clock);
    };
    return { ...version, over: version.over.filter(isEarlier) };
  }

  #addText(
    id: string,
    clock: Clock,
    { branch, change, section, text, over, base, after }: TextOperation,
  ): void {
    this.#write(keyOf('op', id), { id, clock, text, over } satisfies TextVersion);
    const waiting = this.#missing.get(id);
    if (waiting) {
      waiting.forEach((place) => this.#marks.noteBranch(place.branch, place.change));
      this.#missing.delete(id);
      this.#joined.clear();
    }
    const key = keyOf('text', branch, change, section);
    const { heads, root } = this.#read(key) ?? { heads: [] };
    const device = id.slice(0, id.lastIndexOf('/') + 1);
    const { over: replaced } = this.#withoutLater({ id, clock, text, over });
    // Whatever a device says it had before it, it had what it wrote itself.
    const isHead = (head: string): boolean => !replaced.includes(head) && !head.startsWith(device);
    // Each by itself: somebody may name any number of them.
    const earlyKey = (other: string): Key<Clock> => keyOf('early', branch, change, section, other);
    const replacedAt = this.#read(earlyKey(id));
    if (replacedAt) {
      this.#store.delete(earlyKey(id));
    }
    for (const other of over.filter((one) => !this.#history(one))) {
      const by = this.#read(earlyKey(other));
      if (!by || isAfter(clock, by)) {
        this.#write(earlyKey(other), clock);
      }
    }
    const begun = { value: { after, base }, clock, id };
    this.#write(key, {
      heads: [...heads.filter(isHead), ...(replacedAt && isAfter(replacedAt, clock) ? [] : [id])].sort(),
      root: over.length === 0 && (!root || comesAfter(root, begun)) ? begun : root,
    } satisfies TextState);
  }

  /** Has the later one of two count. */
  #say<Value>(key: Key<Said<Value>>, said: Said<Value>): void {
    const before = this.#read(key);
    if (!before || comesAfter(said, before)) {
      this.#write(key, said);
    }
  }

  /** Has the earlier one of two count. */
  #nameFirst(key: Key<FoldValues['name']>, clock: Clock, id: string): void {
    const before = this.#read(key);
    if (!before || comesAfter(before, { clock, id })) {
      this.#write(key, { clock, id });
    }
  }

  /** The keys of a kind that begin with these parts, and what is there. */
  #list<Kind extends keyof FoldValues>(
    kind: Kind,
    ...parts: string[]
  ): [Key<FoldValues[Kind]>, FoldValues[Kind]][] {
    return this.#store.entries(beginningOf(kind, ...parts)) as [Key<FoldValues[Kind]>, FoldValues[Kind]][];
  }

  #keys<Kind extends keyof FoldValues>(kind: Kind, ...parts: string[]): Key<FoldValues[Kind]>[] {
    return this.#store.keys(beginningOf(kind, ...parts));
  }

  /** The keys alone say of which type their values are: nobody else writes there. */
  #read<Value>(key: Key<Value>): Value | undefined {
    return this.#store.get(key) as Value | undefined;
  }

  #write<Value extends object | number>(key: Key<Value>, value: Value): void {
    this.#store.set(key, value);
  }
}

/** The person who said an operation. */
function personIn(id: string): string {
  return id.slice(0, id.indexOf('/'));
}

/** More for what was written on a device than for what its person has written elsewhere, and nothing for what others have. */
function nearnessOf({ heads }: JoinedVersion, viewer: Writer): number {
  const isOf = (writer: string): boolean => heads.some((id) => id.startsWith(`${writer}/`));
  return isOf(pathOf(viewer)) ? 2 : isOf(viewer.person) ? 1 : 0;
}

/** All that a text comes from, but for what is missing. */
function stateFor(viewer: Writer, state: TextState): string {
  return JSON.stringify([pathOf(viewer), state]);
}

function lastWriter({ heads }: JoinedVersion): string {
  return personIn(heads.at(-1) ?? '');
}

function comesAfter(one: Pick<Said<unknown>, 'clock' | 'id'>, other: typeof one): boolean {
  return isAfter(one.clock, other.clock) || (!isAfter(other.clock, one.clock) && one.id > other.id);
}
