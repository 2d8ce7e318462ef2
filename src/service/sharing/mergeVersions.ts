/**
 * Joins the versions of a text that people wrote at the same time: three ways, on what they had in common. Those that conflict stay as they are,
 * beside each other, until somebody decides.
 */
import type { Steps } from '../../util/inTurns.ts';
import { mergingText, type MergeBudget } from '../../util/mergeText.ts';
import { isAfter, type Clock } from './clock.ts';

/** One version of a text: what an operation says. */
export interface TextVersion {
  id: string;
  clock: Clock;
  /** Null where it was deleted. */
  text: string | null;
  /** The versions that its writer had before them. */
  over: string[];
}

/** Finds the version that an operation made; undefined when it is not there. */
export type TextHistory = (id: string) => TextVersion | undefined;

/** What several versions come to that could be joined. */
export interface JoinedVersion {
  text: string;
  /** The operations that it is made of, the earliest first. */
  heads: string[];
  /** When the last of them was said. */
  clock: Clock;
}

/** One that isn't a deletion. */
type HeadVersion = Pick<JoinedVersion, 'text' | 'clock'> & { id: string };

/** As many versions are looked through for what two have in common. */
const mostVersions = 10_000;
/** As many times in a row people may have merged across each other before one of the bases is as good as another. */
const deepest = 8;
/** As many versions are joined: those of more devices than that at once are nobody's work. */
const mostJoined = 32;
/** Characters that are merged for one text: what is left then stays beside the others. */
const mostMerged = 8_000_000;
/** Pairs of equal lines and words that are compared for one text. */
const mostPairs = 1_000_000;

/** The versions of a text, whatever number of them there is by now. */
export class TextVersions {
  readonly #history: TextHistory;
  readonly #base: string;
  #left = mostMerged;
  readonly #budget: MergeBudget = { pairs: mostPairs };

  /** @param base What versions that have no other in common began with. */
  constructor(history: TextHistory, base: string) {
    this.#history = history;
    this.#base = base;
  }

  /**
   * What versions come to that nobody has joined: one text where none conflicts with another. It depends on them alone, so everybody
   * has the same.
   *
   * @returns Those that conflict, the latest last; none where all of them are deletions.
   */
  *join(heads: readonly string[], depth = 0): Steps<JoinedVersion[]> {
    const versions = sorted(heads.flatMap((head) => this.#history(head) ?? []));
    const joined: JoinedVersion[] = [];
    for (const { id, clock, text } of versions.filter((one) => one.text !== null).slice(-mostJoined)) {
      if (text !== null && !(yield* this.#addToOne(joined, { id, clock, text }, depth))) {
        joined.push({ text, heads: [id], clock });
      }
    }
    return joined.sort((one, other) => (isAfter(one.clock, other.clock) ? 1 : -1));
  }

  /**
   * What two versions were made of.
   *
   * @param depth The number of merges that it is the base of.
   */
  *baseOf(ours: readonly string[], theirs: readonly string[], depth = 0): Steps<string> {
    const common = this.#commonOf(ours, theirs, depth);
    if (common.length === 0) {
      return this.#base;
    }
    const [first, second] = yield* this.join(common, depth + 1);
    // Of those that conflict, what they were made of is in both, too.
    return first && second ? yield* this.baseOf(first.heads, second.heads, depth + 1) : (first?.text ?? '');
  }

  /** Joins a version with the first of others that it doesn't conflict with. @returns False where there is none. */
  *#addToOne(all: readonly JoinedVersion[], version: HeadVersion, depth: number): Steps<boolean> {
    for (const joined of all) {
      if (yield* this.#add(joined, version, depth)) {
        return true;
      }
    }
    return false;
  }

  /** Joins a version with others. @returns False where they conflict. */
  *#add(joined: JoinedVersion, { id, clock, text }: HeadVersion, depth: number): Steps<boolean> {
    if (this.#left <= 0) {
      return false;
    }
    yield;
    const base = yield* this.baseOf(joined.heads, [id], depth);
    this.#left -= base.length + joined.text.length + text.length;
    const merged = yield* mergingText(base, joined.text, text, this.#budget);
    if (merged.kind === 'conflict') {
      return false;
    }
    Object.assign(joined, { text: merged.text, heads: [...joined.heads, id], clock } satisfies JoinedVersion);
    return true;
  }

  /** The latest versions that others have in common. */
  #commonOf(ours: readonly string[], theirs: readonly string[], depth: number): string[] {
    const before = this.#ancestorsOf(ours);
    const common = [...this.#ancestorsOf(theirs).values()].filter(({ id }) => before.has(id));
    const older = new Set(common.flatMap(({ over }) => over));
    const latest = sorted(common.filter(({ id }) => !older.has(id))).map(({ id }) => id);
    return depth < deepest ? latest : latest.slice(-1);
  }

  /** These versions and all that were before them. */
  #ancestorsOf(ids: readonly string[]): Map<string, TextVersion> {
    const found = new Map<string, TextVersion>();
    const open = [...ids];
    for (let id = open.pop(); id !== undefined && found.size < mostVersions; id = open.pop()) {
      const version = found.has(id) ? undefined : this.#history(id);
      if (version) {
        found.set(id, version);
        open.push(...version.over);
      }
    }
    return found;
  }
}

function sorted(versions: readonly TextVersion[]): TextVersion[] {
  return versions.toSorted((one, other) =>
    isAfter(one.clock, other.clock) ? 1 : isAfter(other.clock, one.clock) || one.id < other.id ? -1 : 1,
  );
}
