/** Says what became of patches since somebody read them: in one way, whoever tells of it. */
import { nextTurn } from '../../util/nextTurn.ts';
import { isRead } from './carryMarks.ts';
import { comparePatches } from './comparePatches.ts';
import { isSameVersion, lastReadOf, type CurrentPatch } from './lastRead.ts';
import { outcomeOf, type Became, type VersionPair } from './outcome.ts';
import type { PatchVersion } from './patchVersion.ts';
import type { ReadVersion, StackRecord } from './readingRecords.ts';

/** Compares versions with the contents of files. */
export interface Judge {
  /** Stands for the places where contents are looked for; empty when there is none. */
  sources: () => Promise<string>;
  /** Compares pairs of versions, in their order. */
  judge: (pairs: readonly VersionPair[]) => Promise<Became[]>;
}

/** Versions that are compared in one task. */
const mostAtOnce = 64;

/** Characters of the diffs of versions that are compared in a turn of the event loop. */
const largestInTurn = 100_000;

/** Answers that are kept, at least: all that is on the screen is asked for again whenever something was read. */
const mostKept = 5_000;

/** Of a version that isn't kept, or can't be compared. */
const unknown: Became = { since: 'unknown' };

/** A patch of which is asked what became of it. */
interface Question {
  key: string;
  lastRead: ReadVersion;
  newer: PatchVersion;
}

/** See the module. */
export class SinceReadFinder {
  readonly #keptVersion: (read: ReadVersion) => Promise<PatchVersion | undefined>;
  readonly #judge: Judge | undefined;
  readonly #onFailure: (error: unknown) => void;
  readonly #known = new Map<string, Promise<Became>>();

  /**
   * @param keptVersion gives a version that was read; undefined when it isn't kept.
   * @param judge without one, nothing but what the service tells is compared.
   * @param onFailure told when contents could not be compared: then nothing is said but what the diffs show.
   */
  constructor(
    keptVersion: (read: ReadVersion) => Promise<PatchVersion | undefined>,
    judge: Judge | undefined,
    onFailure: (error: unknown) => void,
  ) {
    this.#keptVersion = keptVersion;
    this.#judge = judge;
    this.#onFailure = onFailure;
  }

  /** Says of each patch what became of it since it was read last; undefined where there is nothing to compare it with. */
  async find(record: StackRecord, current: readonly CurrentPatch[]): Promise<(Became | undefined)[]> {
    const records = new Map(record.patches.map((known) => [known.changeId, known]));
    const lastRead = current.map((patch) => {
      const known = records.get(patch.version.changeId);
      // Of what was read as it is, nobody is told what it was before.
      const isDone = known && isSameVersion(known, patch) && known.hunks.every(isRead);
      return known && !isDone ? lastReadOf(known, patch) : undefined;
    });
    if (lastRead.every((version) => version === undefined)) {
      return current.map(() => undefined);
    }
    const sources = (await this.#judge?.sources()) ?? '';
    const questions = current.map(({ version, fingerprint }, index): Question | undefined => {
      const read = lastRead[index];
      return (
        read && {
          key: JSON.stringify([read.snapshot ?? read.fingerprint, fingerprint, sources]),
          lastRead: read,
          newer: version,
        }
      );
    });
    const open = questions.flatMap((question) =>
      question && !this.#known.has(question.key) ? [question] : [],
    );
    this.#ask(open, sources !== '');
    const answers = questions.map(async (question) => question && this.#known.get(question.key));
    const tooMany = this.#known.size - Math.max(mostKept, questions.length);
    [...this.#known.keys()].slice(0, Math.max(0, tooMany)).forEach((key) => this.#known.delete(key));
    return Promise.all(answers);
  }

  #ask(questions: readonly Question[], hasContents: boolean): void {
    for (let at = 0; at < questions.length; at += mostAtOnce) {
      const some = questions.slice(at, at + mostAtOnce);
      const before = this.#known.get(questions[at - 1]?.key ?? '');
      const answers = Promise.resolve(before)
        .then(() => this.#answer(some, hasContents))
        .catch((error: unknown): Became[] => {
          this.#onFailure(error);
          // What is said once must not be said for good: the next one who asks may be luckier.
          some.forEach(({ key }) => this.#known.delete(key));
          return [];
        });
      some.forEach(({ key }, index) =>
        this.#known.set(
          key,
          answers.then((found) => found[index] ?? unknown),
        ),
      );
    }
  }

  /** In their order. Fails where a version that was kept can't be read or compared. */
  async #answer(questions: readonly Question[], hasContents: boolean): Promise<Became[]> {
    const found = new Map<Question, Became>();
    const open: { question: Question; pair: VersionPair }[] = [];
    for (const question of questions) {
      const older = await this.#keptVersion(question.lastRead);
      if (!older) {
        found.set(question, unknown);
        continue;
      }
      const pair: VersionPair = [older, question.newer];
      const isSmall = pair.every((version) => sizeOf(version) < largestInTurn);
      const outcome = isSmall ? outcomeOf(comparePatches(...pair)) : undefined;
      if (outcome) {
        found.set(question, outcome);
        await nextTurn();
      }
      if (!outcome || (hasContents && !outcome.isCertain)) {
        open.push({ question, pair });
      }
    }
    if (this.#judge && open.length > 0) {
      try {
        const judged = await this.#judge.judge(open.map(({ pair }) => pair));
        open.forEach(({ question }, index) => found.set(question, judged[index] ?? unknown));
      } catch (error) {
        this.#onFailure(error);
        // The next one who asks may be luckier.
        open.forEach(({ question: { key } }) => this.#known.delete(key));
      }
    }
    return questions.map((question) => found.get(question) ?? unknown);
  }
}

/** Characters of what there is to compare. */
function sizeOf({ sections, files, message }: PatchVersion): number {
  return (
    sections.reduce((sum, section) => sum + (section.kind === 'text' ? section.text.length : 0), 0) +
    files.reduce((sum, { diff = '' }) => sum + diff.length, message.length)
  );
}
