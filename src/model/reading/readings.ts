/** The readings of an account, in a folder that all of its windows share: notes them, and tells of them. */
import path from 'node:path';
import type { Patch } from '../../api/types/patches.ts';
import type { Disposable } from '../../util/disposable.ts';
import { Emitter } from '../../util/event.ts';
import { nextTurn } from '../../util/nextTurn.ts';
import type { Review } from '../../util/review.ts';
import { Turns } from '../../util/turns.ts';
import { fingerprintOf } from '../fingerprint.ts';
import type { Mark } from './carryMarks.ts';
import { hunksBySection, prepareHunks } from './hunks.ts';
import { withRead, withReview } from './noteRead.ts';
import { versionOf, type PatchVersion } from './patchVersion.ts';
import { ReadingRecords, type PatchRecord, type ReadVersion, type StackRecord } from './readingRecords.ts';
import { readingStates, withMoved, type PatchReading } from './readingStates.ts';
import { isLeftToRead } from './readSoFar.ts';
import { SinceReadFinder, type Judge } from './sinceRead.ts';
import { Snapshots } from './snapshots.ts';
import type { StackName } from './stackName.ts';
import { type CurrentPatch, isSameVersion, lastReadOf } from './lastRead.ts';
import type { SinceRead } from './outcome.ts';

/** The collaborators and settings of `Readings`. */
export interface ReadingsOptions {
  /** The account's own; it need not exist yet. */
  folder: string;
  /** Bytes that all versions that are kept may take. */
  limit: () => number;
  /** Told when something could not be kept, or could not be compared. */
  onFailure: (error: unknown) => void;
  now?: () => number;
  /** Reckons how far patches of a stack were read, as `readingStates` does; for those that are too large to be reckoned here. */
  reckonLarge?: (...parameters: Parameters<typeof readingStates>) => Promise<PatchReading[]>;
  /** Compares with the contents of files; without it, nothing but what the service tells is compared. */
  judge?: Judge;
}

/** Versions of a patch other than the one that is there, as far as there are any. */
export interface EarlierVersions {
  lastRead?: ReadVersion;
  signedOff?: ReadVersion;
}

/** Characters of a text or a diff of which the hunks are found as fast as a turn of the event loop may take. */
const largestSection = 1_000_000;

/** Hunks that are found again as fast as that. */
const mostHunksAtOnce = 5_000;

/** Texts that were confirmed, which are remembered. */
const mostStillTrue = 2_000;

/** Things to note of sections of a patch; see `note` and `noteWritten`. */
interface Noting {
  codes: readonly string[];
  mark: Partial<Mark>;
  others?: readonly Patch[];
  isOwnWriting?: true;
}

/** See the module. */
export class Readings implements Disposable {
  readonly #records: ReadingRecords;
  readonly #snapshots: Snapshots;
  readonly #now: () => number;
  readonly #since: SinceReadFinder;
  readonly #reckonLarge: NonNullable<ReadingsOptions['reckonLarge']>;
  /** Prepared patches: they are asked for again whenever anything in their stack was read. */
  readonly #known = new WeakMap<Patch, CurrentPatch>();
  readonly #changed = new Emitter<StackName>();
  /** Notes one thing after another: what was written in a patch comes after what was seen of it before that. */
  readonly #turns = new Turns(1);

  /** Fires when something else of a stack was read, in this window. */
  readonly onDidChange = this.#changed.event;

  constructor({ folder, limit, onFailure, now = Date.now, reckonLarge, judge }: ReadingsOptions) {
    this.#records = new ReadingRecords(path.join(folder, 'read'), onFailure);
    this.#snapshots = new Snapshots({
      folder: path.join(folder, 'versions'),
      limit,
      needed: () => this.#records.neededSnapshots(),
      signedOff: () => this.#records.signedOffSnapshots(),
      onFailure,
    });
    this.#since = new SinceReadFinder((read) => this.keptVersion(read), judge, onFailure);
    this.#now = now;
    this.#reckonLarge = reckonLarge ?? (async (...parameters) => readingStates(...parameters));
  }

  /**
   * Notes what was done with sections of a patch. Never fails: what cannot be written is not known later.
   *
   * @param codes of the sections.
   * @param others the other patches of the stack, as far as they are known.
   */
  async note(
    stack: StackName,
    patch: Patch,
    codes: readonly string[],
    mark: Partial<Mark>,
    others: readonly Patch[] = [],
  ): Promise<void> {
    await this.noteShown(stack, () => patch, codes, mark, others);
  }

  /**
   * Notes what was done with sections of a patch that is on the screen, unless another version of it is by the time of this note's turn:
   * what the person has written in it meanwhile would be news to them.
   *
   * @param shown gives the patch; undefined when it is not there any more.
   * @returns false when it was not.
   */
  noteShown(
    stack: StackName,
    shown: () => Patch | undefined,
    codes: readonly string[],
    mark: Partial<Mark>,
    others: readonly Patch[] = [],
  ): Promise<boolean> {
    return this.#turns.take(async () => {
      const patch = shown();
      if (patch) {
        await this.#note(stack, patch, { codes, mark, others });
      }
      return patch !== undefined;
    });
  }

  async #note(
    stack: StackName,
    patch: Patch,
    { codes, mark, others = [], isOwnWriting }: Noting,
  ): Promise<void> {
    const current = this.#current(patch);
    await prepareHunks(current.version);
    const sections = new Set(
      (patch.sections ?? []).flatMap(({ code }, index) => (codes.includes(code) ? index : [])),
    );
    const before = await this.#records.read(stack);
    const known = before.patches.find(({ changeId }) => changeId === patch.changeId);
    const isKept = known?.snapshot !== undefined && isSameVersion(known, current);
    const snapshot = isKept ? undefined : await this.#snapshots.write(current.version);
    // Of what the person has written themselves nobody asks what became of it: they are there, and go on.
    const [became] = isOwnWriting ? [] : await this.#since.find(before, [current]);
    const outcome = { isChanged: false };
    const withOthers = others.filter(({ sections: all }) => all).map((other) => this.#current(other));
    await this.#records.update(stack, (record) => {
      const next = withRead(
        record,
        {
          patch: current,
          since: became?.since,
          number: patch.version,
          sections,
          mark,
          at: this.#now(),
          snapshot,
          isOwnWriting,
        },
        withOthers,
      );
      outcome.isChanged = next !== record;
      return next;
    });
    if (outcome.isChanged) {
      this.#changed.fire(stack);
    }
  }

  /**
   * Notes that the person has seen what became of a patch as a whole, such as what is gone from it: of one that has changed, or came
   * of another one, that is all where everything in it was read. Of any other, nothing is noted.
   *
   * @param shown gives the patch; undefined when another version of it is on the screen by now.
   * @returns false when it is.
   */
  async noteWhole(
    stack: StackName,
    shown: () => Patch | undefined,
    others: readonly Patch[] = [],
  ): Promise<boolean> {
    const patch = shown();
    if (!patch) {
      return false;
    }
    const all = [...others.filter(({ changeId }) => changeId !== patch.changeId), patch];
    const known = all.filter(({ sections }) => sections);
    const reading = (await this.states(stack, known)).at(-1);
    if (
      reading &&
      isLeftToRead(reading.state) &&
      reading.state !== 'unread' &&
      reading.state !== 'partlyRead' &&
      reading.sections.every(({ isRead }) => isRead)
    ) {
      return this.noteShown(stack, shown, [], {}, others);
    }
    return true;
  }

  /**
   * Notes that the person has written something in a patch that they had read: what is there now holds nothing else that is new.
   *
   * @param was the patch before that.
   * @param codes of the sections that are theirs.
   */
  noteWritten(stack: StackName, was: Patch, patch: Patch, codes: readonly string[]): Promise<void> {
    return this.#turns.take(async () => {
      const { patches } = await this.#records.read(stack);
      const known = patches.find(({ changeId }) => changeId === patch.changeId);
      if (known && [was, patch].some((one) => isSameVersion(known, this.#current(one)))) {
        await this.#note(stack, patch, { codes, mark: { seen: true }, isOwnWriting: true });
      }
    });
  }

  /** Notes what the person has said of a version of a patch. Never fails: what cannot be written is not known later. */
  async noteReview(stack: StackName, patch: Patch, review: Review): Promise<void> {
    const current = this.#current(patch);
    const snapshot = review === 'signedOff' ? await this.#snapshots.write(current.version) : undefined;
    const outcome = { isChanged: false };
    await this.#records.update(stack, (record) => {
      const said = { patch: current, number: patch.version, review, at: this.#now(), snapshot };
      const next = withReview(record, said);
      outcome.isChanged = next !== record;
      return next;
    });
    if (outcome.isChanged) {
      this.#changed.fire(stack);
    }
  }

  /** Prints of texts of a stack, with the code that the person said they are still true of. */
  async stillTrue(stack: StackName): Promise<ReadonlySet<string>> {
    return new Set((await this.#records.read(stack)).stillTrue);
  }

  /** Notes that texts are still true. Never fails: what cannot be written is not known later. */
  async noteStillTrue(stack: StackName, prints: readonly string[]): Promise<void> {
    await this.#records.update(stack, (record) => ({
      ...record,
      stillTrue: [...new Set([...(record.stillTrue ?? []), ...prints])].slice(-mostStillTrue),
    }));
  }

  /** A version of a patch that the person has read, by its fingerprint; undefined when it was not, or is not kept any more. */
  async versionRead(
    stack: StackName,
    changeId: string,
    fingerprint: string,
  ): Promise<PatchVersion | undefined> {
    const { patches } = await this.#records.read(stack);
    const known = patches.find((one) => one.changeId === changeId);
    const read = [known, known?.before, known?.signedOff].find((one) => one?.fingerprint === fingerprint);
    return read && this.keptVersion(read);
  }

  /** The versions of a stack's patches that were signed off last, by the change ids. */
  async signedOff(stack: StackName): Promise<ReadonlyMap<string, ReadVersion>> {
    const { patches } = await this.#records.read(stack);
    return new Map(patches.flatMap(({ changeId, signedOff }) => (signedOff ? [[changeId, signedOff]] : [])));
  }

  /** Resolves to true when something in a stack was read. */
  isBegun(stack: StackName): Promise<boolean> {
    return this.#records.has(stack);
  }

  /** The progress of reading each patch of a stack, as the patches are now, in their order. */
  async states(stack: StackName, patches: readonly Patch[]): Promise<PatchReading[]> {
    // Nobody is told that they have not read what they have just written.
    await this.#turns.next();
    const record = await this.#records.read(stack);
    if (record.patches.length === 0 && record.elsewhere.length === 0) {
      // However large a patch is, it is there at once when it is opened for the first time.
      return patches.map(unreadPatch);
    }
    const current: CurrentPatch[] = [];
    for (const patch of patches) {
      if (!this.#known.has(patch)) {
        await nextTurn();
      }
      current.push(this.#current(patch));
    }
    const became = await this.#since.find(record, current);
    const reckoned = await this.#reckon(
      record,
      current,
      became.map((one) => one?.since),
    );
    const states = reckoned.map((reading, index) => withMoved(reading, became[index]));
    await this.#notePending(stack, record, patches, states);
    return states;
  }

  /** The versions of a patch that were read last, and signed off, before the one that is there. */
  async earlierVersions(stack: StackName, patch: Patch): Promise<EarlierVersions> {
    const { patches } = await this.#records.read(stack);
    const known = patches.find(({ changeId }) => changeId === patch.changeId);
    if (!known) {
      return {};
    }
    const current = this.#current(patch);
    const lastRead = lastReadOf(known, current);
    const { signedOff } = known;
    return {
      ...(lastRead && { lastRead }),
      ...(signedOff && signedOff.fingerprint !== current.fingerprint && { signedOff }),
    };
  }

  /** What was read last of each patch of a stack, whichever of its versions that is in. */
  async lastRead(stack: StackName): Promise<readonly PatchRecord[]> {
    return (await this.#records.read(stack)).patches;
  }

  /** A version that was kept; undefined when it was given up. */
  keptVersion({ snapshot }: ReadVersion): Promise<PatchVersion | undefined> {
    return snapshot === undefined ? Promise.resolve(undefined) : this.#snapshots.read(snapshot);
  }

  /** Of each section of a version of a patch, whether all of it was read. */
  async sectionsRead(stack: StackName, version: PatchVersion): Promise<boolean[]> {
    const record = await this.#records.read(stack);
    const [reading] = await this.#reckon(record, [{ version, fingerprint: '' }], []);
    return reading?.sections.map(({ isRead }) => isRead) ?? [];
  }

  /** In turns of the event loop, or elsewhere when a turn would be too long. */
  async #reckon(
    record: StackRecord,
    current: readonly CurrentPatch[],
    since: readonly (SinceRead | undefined)[],
  ): Promise<PatchReading[]> {
    if (current.some(({ version }) => hasLargeSection(version))) {
      return this.#reckonLarge(record, current, since);
    }
    let hunks = 0;
    for (const { version } of current) {
      await prepareHunks(version);
      hunks += hunksBySection(version).reduce((sum, section) => sum + section.length, 0);
    }
    return hunks > mostHunksAtOnce
      ? this.#reckonLarge(record, current, since)
      : readingStates(record, current, since);
  }

  #current(patch: Patch): CurrentPatch {
    const current = this.#known.get(patch) ?? {
      version: versionOf(patch),
      fingerprint: fingerprintOf(patch),
    };
    this.#known.set(patch, current);
    return current;
  }

  dispose(): void {
    this.#changed.dispose();
  }

  /** Keeps the snapshots of patches with something new to read. */
  async #notePending(
    stack: StackName,
    { patches: records }: StackRecord,
    patches: readonly Patch[],
    states: readonly PatchReading[],
  ): Promise<void> {
    const pending = new Set(
      patches.flatMap(({ changeId }, index) => {
        const state = states[index]?.state;
        return state === 'read' || state === 'unchanged' ? [] : changeId;
      }),
    );
    if (records.some(({ changeId, isPending }) => !isPending && pending.has(changeId))) {
      await this.#records.update(stack, (record) => ({
        ...record,
        patches: record.patches.map((one) => (pending.has(one.changeId) ? { ...one, isPending: true } : one)),
      }));
    }
  }
}

/** The progress of reading a patch of a stack in which nothing was read. */
function unreadPatch({ sections = [] }: Patch): PatchReading {
  return { state: 'unread', sections: sections.map(() => ({ isRead: false, isTicked: false })) };
}

function hasLargeSection({ sections, files }: PatchVersion): boolean {
  return (
    sections.some((section) => section.kind === 'text' && section.text.length > largestSection) ||
    files.some(({ diff = '' }) => diff.length > largestSection)
  );
}
