/**
 * Fetches the logs of a remote: all with one run of git, as long as that goes well. Git takes all or nothing, so where it doesn't,
 * they are fetched in halves, until those are alone that it doesn't take. These are set aside, and all others come.
 */
import { ServiceError } from '../errors.ts';

/** A folder of refs at the remote, and the one here in which they are as they were seen last; both end with a slash. */
export interface Place {
  there: string;
  here: string;
}

/** A ref at the remote. */
interface Ref {
  /** Its name at the remote, and here. */
  there: string;
  here: string;
  /** The name of the log: its end. */
  log: string;
  tip: string;
}

/** A log that git didn't take. */
interface SetAside {
  ref: Ref;
  error: unknown;
  /** The rounds before it is tried again: each time twice as many. */
  pause: number;
  left: number;
}

/** Runs git in the repository of the logs, with all that it needs for the way to the remote. @returns What it printed. */
export type RunGit = (args: readonly string[], input?: string) => Promise<string>;

/** Runs of git that one round may take: who has not come by then comes with the next ones. */
const mostRuns = 50;
/** Rounds after which a log that was set aside is tried again, at the latest. */
const longestPause = 64;

const options = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance', '--refmap='];

/** See the module. */
export class LogFetch {
  readonly #places: readonly Place[];
  /** By their names at the remote. */
  readonly #aside = new Map<string, SetAside>();

  constructor(places: readonly Place[]) {
    this.#places = places;
  }

  /** The logs that were set aside, and why. */
  get setAside(): { log: string; reason: unknown }[] {
    return [...this.#aside.values()].map(({ ref, error }) => ({ log: ref.log, reason: error }));
  }

  /**
   * Fetches what is new, and forgets refs that the remote has no longer.
   *
   * @param mend Called before logs are tried one by one, when git has failed: none is to be blamed for what is wrong here.
   * @throws What `git` does where the remote can't be reached.
   */
  async run(address: string, git: RunGit, mend: () => Promise<void>): Promise<void> {
    let hasFailed = false;
    if (this.#aside.size === 0) {
      const all = this.#places.map(({ there, here }) => `+${there}*:${here}*`);
      // A ref that is gone is in the way of one whose name begins with its own.
      const failure = await failureOf(git(['fetch', ...options, '--prune', '--', address, ...all]));
      if (failure === undefined) {
        return;
      }
      hasFailed = true;
    }
    // Where the remote can't be reached, nothing here is to be mended.
    const listed = await this.#list(address, git);
    if (hasFailed) {
      await mend();
    }
    let isMended = hasFailed;
    const seen = await this.#prune(listed, git);
    const isTaken = (ref: Ref): boolean => seen.get(ref.here) === ref.tip;
    listed.filter(isTaken).forEach(({ there }) => this.#aside.delete(there));
    const wanted = listed.filter((ref) => !isTaken(ref) && this.#isDue(ref));
    let left = mostRuns;
    const take = async (refs: readonly Ref[]): Promise<void> => {
      if (refs.length === 0 || left-- <= 0) {
        return;
      }
      const lines = refs.map(({ there, here }) => `+${there}:${here}\n`).join('');
      const failure = await failureOf(git(['fetch', ...options, '--stdin', '--', address], lines));
      if (failure === undefined) {
        refs.forEach(({ there }) => this.#aside.delete(there));
        return;
      }
      const [ref, ...more] = refs;
      if (ref && more.length === 0) {
        // Where the remote can't be reached any more, it isn't the log.
        await this.#list(address, git);
        if (!isMended) {
          isMended = true;
          await mend();
          await take(refs);
          return;
        }
        this.#setAside(ref, failure);
        return;
      }
      const half = Math.ceil(refs.length / 2);
      await take(refs.slice(0, half));
      await take(refs.slice(half));
    };
    // Those that weren't taken before, and are tried again, keep none waiting.
    const again = wanted.filter(({ there }) => this.#aside.has(there));
    await take(wanted.filter((ref) => !again.includes(ref)));
    await take(again);
  }

  /** The logs that the remote has. */
  async #list(address: string, git: RunGit): Promise<Ref[]> {
    const patterns = this.#places.map(({ there }) => `${there}*`);
    const printed = await git(['ls-remote', '--quiet', '--refs', '--', address, ...patterns]);
    return printed.split('\n').flatMap((line) => {
      // What isn't named as logs are is none, and could be taken for something else on the command line.
      const [, tip = '', there = ''] = /^([0-9a-f]{40,64})\t([\w./-]+)$/.exec(line) ?? [];
      const place = this.#places.find((one) => there.startsWith(one.there));
      if (!place) {
        return [];
      }
      const log = there.slice(place.there.length);
      return [{ there, here: `${place.here}${log}`, log, tip }];
    });
  }

  /** Forgets the refs that the remote has no longer. @returns The ends of the others, as they were seen last, by their names here. */
  async #prune(listed: readonly Ref[], git: RunGit): Promise<Map<string, string>> {
    const names = new Set(listed.map(({ there }) => there));
    for (const there of this.#aside.keys()) {
      if (!names.has(there)) {
        this.#aside.delete(there);
      }
    }
    const printed = await git([
      'for-each-ref',
      '--format=%(refname) %(objectname)',
      ...this.#places.map(({ here }) => here),
    ]);
    const seen = new Map(
      printed
        .split('\n')
        .filter(Boolean)
        .map((line) => line.split(' ') as [string, string]),
    );
    const isListed = new Set(listed.map(({ here }) => here));
    const gone = [...seen.keys()].filter((here) => !isListed.has(here));
    if (gone.length > 0) {
      await git(['update-ref', '--stdin'], gone.map((here) => `delete ${here}\n`).join(''));
    }
    return seen;
  }

  #isDue({ there, tip }: Ref): boolean {
    const aside = this.#aside.get(there);
    if (aside?.ref.tip !== tip) {
      return true;
    }
    aside.left--;
    return aside.left < 0;
  }

  #setAside(ref: Ref, error: unknown): void {
    const before = this.#aside.get(ref.there);
    const pause = before?.ref.tip === ref.tip ? Math.min(before.pause * 2, longestPause) : 1;
    this.#aside.set(ref.there, { ref, error, pause, left: pause });
  }
}

/** The failure of a run of git; undefined for one that went well. @throws Where git wasn't run to its end. */
async function failureOf(run: Promise<unknown>): Promise<ServiceError | undefined> {
  try {
    await run;
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'git_failed') {
      return error;
    }
    throw error;
  }
}
