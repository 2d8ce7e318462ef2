/**
 * The logs of all devices, as commits in a bare repository of the service's own. The person's repository is only asked for the
 * address of its remote: no hook, command or helper that it names is ever run here. Those of the person themself are.
 */
import { existsSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Remote } from '../../protocol/localService.ts';
import { ServiceError } from '../errors.ts';
import { ByteReader } from '../git/byteReader.ts';
import { askGit } from '../git/git.ts';
import type { Person } from '../git/repository.ts';
import { LogFetch, type Place, type RunGit } from './logFetch.ts';
import { endOf, largestBatch, pathOf, writerOf, type ChainEnd, type Writer } from './operations.ts';
import { collect, messageFrom, OwnRepository, remotePatienceMs, withoutPassword } from './ownRepository.ts';
import { askingNobody, signingKeys, type SigningSettings } from './signingKeys.ts';
import { decodeHead, encodeHead, headName, linesByFile, snapshotFolder } from './snapshots.ts';

const shared = 'refs/patch-stacks/v1/';
/** The same for hosts that take only branches. */
const sharedBranches = 'refs/heads/patch-stacks/v1/';
/** The refs of the remote, as they were seen last. */
const seen = 'refs/seen/refs/';
const seenBranches = 'refs/seen/branches/';
/** The logs that the remote doesn't have any longer, as far as they were taken in here. */
const kept = 'refs/kept/';

/** Where logs are at a remote, and where they are kept here as they were seen last. */
const places: readonly Place[] = [
  { there: shared, here: seen },
  { there: sharedBranches, here: seenBranches },
];
/**
 * A ref beside the logs that each push of one moves, too. Git lists refs in the order of their names, and hosts move them in it: behind the logs, it
 * says nothing of one that isn't there yet. Versions that don't know it don't fetch it.
 */
const moved = 'refs/patch-stacks/v1_moved';
const movedBranch = 'refs/heads/patch-stacks/v1_moved';
/** Git asks for refs of these names alone, and takes it that there is none. */
const movedRefs = [`+${moved}*:refs/moved/refs*`, `+${movedBranch}*:refs/moved/branches*`];
/** Looks at all logs that follow where somebody has pushed one without moving it: an older version does so. */
const looksAfterUntold = 60;
/** Tries to move it where that was refused beside a log that was taken. */
const mostTellings = 3;
/** Pushes without it where the remote took a log only so, until it is tried again: what was in the way may be gone. */
const pushesUntold = 16;
/** The file of a commit's operations. */
export const operationsFile = 'operations';

/** As many objects are asked of one git. */
const atOnce = 1000;

/** Settings of the logs' repository; objects of strangers are checked before they are taken. */
const settings = {
  'transfer.fsckObjects': 'true',
  'core.bigFileThreshold': String(largestBatch),
  'core.fsync': 'all',
  'gc.auto': '0',
  'fetch.recurseSubmodules': 'false',
  'push.recurseSubmodules': 'no',
};

/** Thrown when the remote cannot be reached. */
export class OfflineError extends Error {
  override name = 'OfflineError';
}

/** Thrown when the remote does not take what is pushed; the message is what it says. */
export class RefusedPushError extends Error {
  override name = 'RefusedPushError';
}

/** Thrown when the repository of the logs is damaged, or gone. */
export class DamagedLogsError extends Error {
  override name = 'DamagedLogsError';
}

/** A commit of a log with its text, or why it has none that could be read. */
export type ReadCommit = { sha: string; bytes: Buffer } | { sha: string; unreadable: string };

/** The object that a name of git stands for; of one that is too large its bytes, of one that isn't there nothing. */
export type ReadObject = { type: string; bytes: Buffer } | { size: number | undefined };

/** What a ref ends at. */
interface SeenRef {
  tip: string;
  type: string;
}

/** The commits that came to a log, or the news that it is not the log any more that it was. */
export type NewCommits = { commits: AsyncIterable<ReadCommit> | Iterable<ReadCommit> } | { rewritten: true };

/** The remotes of a repository, with the address to which is pushed, without a password. */
export async function listRemotes(directory: string, signal?: AbortSignal): Promise<Remote[]> {
  const names = (await askGit(directory, ['remote'], signal))?.split('\n').filter(Boolean) ?? [];
  return Promise.all(
    names.map(async (name) => {
      const address = await askGit(directory, ['remote', 'get-url', '--push', '--', name], signal);
      return { name, address: withoutPassword(address ?? '') };
    }),
  );
}

/** The address of a remote of a repository. @throws ServiceError `no_remote` */
export async function remoteAddress(
  directory: string,
  remote: string,
  signal?: AbortSignal,
): Promise<{ fetch: string; push: string }> {
  const names = (await askGit(directory, ['remote'], signal))?.split('\n') ?? [];
  if (!names.includes(remote)) {
    throw new ServiceError('no_remote', `${directory} doesn't have a remote ${remote}. Name another one.`);
  }
  const ask = async (...options: string[]): Promise<string> =>
    (await askGit(directory, ['remote', 'get-url', ...options, '--', remote], signal)) ?? '';
  const [fetch, push] = await Promise.all([ask(), ask('--push')]);
  if (fetch === '' || push === '') {
    throw new ServiceError('no_remote', `The remote ${remote} of ${directory} doesn't have an address.`);
  }
  return { fetch: absolute(directory, fetch), push: absolute(directory, push) };
}

/** A folder is meant from where the repository is; everything else is an address already. */
function absolute(directory: string, address: string): string {
  const isFolder = !/^[^/\\]{2,}:/.test(address);
  return isFolder ? path.resolve(directory, address) : address;
}

/** The logs of one project. */
export class SharedLogs {
  /** True where its repository was made anew, and nobody has fetched into it: what the one before it had isn't there. */
  lacksAll = false;
  #git: OwnRepository;
  readonly #author: Person;
  readonly #signingKeys: () => Promise<SigningSettings[]>;
  readonly #fetch: LogFetch;
  /** The names of the logs that the remote had when it was looked at last, and of those that are kept though it has them no longer. */
  #present: ReadonlySet<string> = new Set();
  #vanished: ReadonlyMap<string, string> = new Map();
  /** The refs of its repository; undefined where they have to be read. Nobody else writes there. */
  #refs: Map<string, SeenRef> | undefined;
  /** The snapshot of the commit that was written last: what a commit has never changes. */
  #lastSnapshot: { commit: string; tree: string | undefined } | undefined;
  /** What the remote said of the ref that each push moves, before all logs were fetched; undefined where they have to be. */
  #told: string | undefined;
  /** The next looks in which they are, for somebody doesn't move it. */
  #untoldLeft = 0;
  /** The next pushes without that ref: the remote has refused what it took without it. */
  #pushesUntold = 0;
  /** True where the remote has refused that ref alone, again and again. */
  #refusesToTell = false;

  private constructor(git: OwnRepository, author: Person, publishedKeys: () => readonly string[]) {
    this.#git = git;
    this.#author = author;
    this.#signingKeys = async () => signingKeys(git.directory, publishedKeys());
    this.#fetch = new LogFetch(places);
  }

  /**
   * Opens the repository of the logs, and makes it where there is none.
   *
   * @param author Who writes to it here.
   * @param publishedKeys Their public SSH keys.
   */
  static async open(
    directory: string,
    author: Person,
    publishedKeys: () => readonly string[] = () => [],
    signal?: AbortSignal,
  ): Promise<SharedLogs> {
    const lacksAll = !existsSync(directory);
    const logs = new SharedLogs(
      await OwnRepository.open(directory, settings, { signal }),
      author,
      publishedKeys,
    );
    logs.lacksAll = lacksAll;
    return logs;
  }

  /** True where its repository is whole. */
  async isSound(signal?: AbortSignal): Promise<boolean> {
    // Something has failed.
    this.lookAnew();
    this.#told = undefined;
    return this.#git.isSound(true, signal);
  }

  /** @throws DamagedLogsError where its repository isn't whole: what has failed then isn't the remote's fault, nor a log's. */
  async #requireSound(isThorough: boolean, signal?: AbortSignal): Promise<void> {
    if (!(await this.#git.isSound(isThorough, signal))) {
      throw new DamagedLogsError('The repository of the logs is damaged.');
    }
  }

  /** Makes its repository anew, with what can still be read of the logs that the remote may not have. */
  async renew(signal?: AbortSignal): Promise<void> {
    const { directory } = this.#git;
    const damaged = `${directory}-damaged`;
    await rm(damaged, { recursive: true, force: true });
    if (existsSync(directory)) {
      await rename(directory, damaged);
    }
    this.#git = await OwnRepository.open(directory, settings, { signal });
    this.lookAnew();
    this.#told = undefined;
    this.lacksAll = true;
    for (const refs of [shared, kept]) {
      try {
        await this.#git.run(['fetch', '--quiet', '--no-write-fetch-head', damaged, `${refs}*:${refs}*`], {
          signal,
          environment: { GIT_ALLOW_PROTOCOL: 'file' },
        });
      } catch {
        // It's damaged.
        signal?.throwIfAborted();
      }
    }
    await rm(damaged, { recursive: true, force: true });
  }

  /** Has one's own log end where it does at the remote, unless it has more. @returns The number of its last operation; 0 where there is none. */
  async restoreOwn(writer: Writer, signal?: AbortSignal): Promise<number> {
    const log = pathOf(writer);
    const own = `${shared}${log}`;
    const here = await this.ownTip(writer, signal);
    const refs = await this.#allRefs(signal);
    const there = (refs.get(`${seenBranches}${log}`) ?? refs.get(`${seen}${log}`))?.tip;
    const isBehind =
      there !== undefined &&
      (here === undefined ||
        String(await this.#git.run(['rev-list', '--max-count=1', here, `^${there}`, '--'], { signal })) ===
          '');
    const tip = isBehind ? there : here;
    if (isBehind) {
      await this.#git.run(['update-ref', own, there], { signal });
      this.lookAnew();
    }
    this.lacksAll = false;
    return tip === undefined ? 0 : this.lastOperation(tip, writer, signal);
  }

  /**
   * Fetches everybody's logs: those that git doesn't take are set aside, and keep no other one back.
   *
   * @param isThorough False where that need not be as long as the remote says that nobody has pushed one.
   * @throws OfflineError
   */
  async fetch(address: string, signal?: AbortSignal, isThorough = true): Promise<void> {
    if (await this.#git.unlock()) {
      // As it does with each log that is set aside.
      this.#told = undefined;
    }
    try {
      const environment = await this.#git.wayTo(address, signal);
      // All of it together takes no longer than one run of git may.
      const late = AbortSignal.timeout(remotePatienceMs);
      const inTime = signal ? AbortSignal.any([signal, late]) : late;
      const run = async (args: readonly string[], input?: string): Promise<string> =>
        (
          await this.#git.run(args, { signal: inTime, environment, input, patienceMs: remotePatienceMs })
        ).toString('utf8');
      const mend = async (): Promise<void> => {
        await this.#git.unlock();
        await this.#requireSound(false, inTime);
      };
      const told = await this.#askWhatMoved(address, run);
      if (!isThorough && this.#isAsBefore(told)) {
        return;
      }
      const before = this.#refs;
      const hasMoved = told !== this.#told;
      this.#told = undefined;
      this.lookAnew();
      await this.#fetch.run(address, run, mend);
      this.#untoldLeft--;
      if (before && !hasMoved && hasOtherLogs(before, await this.#allRefs(inTime))) {
        this.#untoldLeft = looksAfterUntold;
      }
      this.#told = told;
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof DamagedLogsError) {
        throw error;
      }
      try {
        await this.#git.run(['for-each-ref', '--count=1'], { signal });
      } catch (cause) {
        // Git gets nowhere from here.
        signal?.throwIfAborted();
        throw new DamagedLogsError(messageFrom(cause), { cause });
      }
      throw new OfflineError(messageFrom(error), { cause: error });
    }
  }

  /** What the remote says of the ref that each push moves; undefined where it has none, or where that can't be fetched. */
  async #askWhatMoved(address: string, git: RunGit): Promise<string | undefined> {
    try {
      const options = ['--quiet', '--no-tags', '--no-auto-maintenance', '--refmap='];
      await git(['fetch', ...options, '--', address, ...movedRefs]);
      const noted = await readFile(path.join(this.#git.directory, 'FETCH_HEAD'), 'utf8');
      return noted.includes("patch-stacks/v1_moved' of ") ? noted : undefined;
    } catch {
      // What is wrong is found out with the logs themselves.
      return undefined;
    }
  }

  /** True where nobody has pushed a log, and no other reason is to fetch them. */
  #isAsBefore(told: string | undefined): boolean {
    return told !== undefined && told === this.#told && this.#untoldLeft <= 0;
  }

  /** Has the refs of its repository read again: something may have happened to them. */
  lookAnew(): void {
    this.#refs = undefined;
  }

  /** The refs of its repository that are logs or may be. */
  async #allRefs(signal?: AbortSignal): Promise<Map<string, SeenRef>> {
    if (!this.#refs) {
      const format = '--format=%(objectname) %(objecttype) %(refname)';
      const folders = [shared, seen, seenBranches, kept];
      const printed = await this.#git.run(['for-each-ref', format, ...folders], { signal });
      const lines = printed.toString('utf8').split('\n').filter(Boolean);
      this.#refs = new Map(
        lines.map((line) => {
          const [tip = '', type = '', ref = ''] = line.split(' ');
          return [ref, { tip, type }];
        }),
      );
    }
    return this.#refs;
  }

  /** Notes where a ref is now. */
  #noteRef(ref: string, tip: string): void {
    this.#refs?.set(ref, { tip, type: 'commit' });
  }

  /** Packs what has become many files. */
  async tidy(signal?: AbortSignal): Promise<void> {
    await this.#git.tidy(signal);
  }

  /** The logs that git didn't take as they are at the remote, with its words for that. */
  get setAside(): readonly { log: string; reason: string }[] {
    return this.#fetch.setAside.map(({ log, reason }) => ({
      log,
      // The first line says what is wrong, and the others who else gave up because of it.
      reason: `it can't be fetched: ${messageFrom(reason).split('\n', 1).join('')}`,
    }));
  }

  /** True when one's own log is among the branches of the remote. */
  async isBranch(writer: Writer, signal?: AbortSignal): Promise<boolean> {
    return (await this.#allRefs(signal)).has(`${seenBranches}${pathOf(writer)}`);
  }

  /**
   * Pushes one's own log, which only ever goes forward.
   *
   * @param asBranch Whether it goes among the branches; where it has gone before else.
   * @returns True when there was something to push.
   * @throws OfflineError, RefusedPushError
   */
  async push(
    address: string,
    writer: Writer,
    { asBranch = false, signal }: { asBranch?: boolean; signal?: AbortSignal | undefined } = {},
  ): Promise<boolean> {
    const own = `${shared}${pathOf(writer)}`;
    const there = `${asBranch ? sharedBranches : shared}${pathOf(writer)}`;
    const seenThere = `${asBranch ? seenBranches : seen}${pathOf(writer)}`;
    const refs = await this.#allRefs(signal);
    const tip = refs.get(own)?.tip;
    if (tip === undefined || tip === refs.get(seenThere)?.tip) {
      return false;
    }
    await this.#pushTelling(address, [`${own}:${there}`], { asBranch, signal });
    await this.#git.run(['update-ref', seenThere, tip], { signal });
    this.#noteRef(seenThere, tip);
    return true;
  }

  /**
   * Pushes the logs that are kept though the remote has them no longer. What it has more of by then stays as it is.
   *
   * @throws OfflineError; RefusedPushError where it takes some of them not.
   */
  async pushKept(address: string, asBranch: boolean, signal?: AbortSignal): Promise<void> {
    const there = asBranch ? sharedBranches : shared;
    const refs = [...this.#vanished.keys()].map((log) => `${kept}${log}:${there}${log}`);
    if (refs.length > 0) {
      await this.#pushTelling(address, refs, { asBranch, signal });
    }
  }

  /** Pushes logs, and has the ref move by which others see that; without it where the remote doesn't take them otherwise. */
  async #pushTelling(
    address: string,
    refs: readonly string[],
    { asBranch, signal }: { asBranch: boolean; signal: AbortSignal | undefined },
  ): Promise<void> {
    const [from = ''] = refs[0]?.split(':') ?? [];
    const telling = `+${from}:${asBranch ? movedBranch : moved}`;
    if (this.#pushesUntold > 0) {
      this.#pushesUntold--;
      await this.#push(address, refs, signal);
      return;
    }
    let isTold: boolean;
    try {
      isTold = await this.#push(address, [...refs, telling], signal);
    } catch (error) {
      if (!(error instanceof RefusedPushError)) {
        throw error;
      }
      await this.#push(address, refs, signal);
      this.#pushesUntold = pushesUntold;
      return;
    }
    // Git doesn't take a ref that somebody else moves at the same time: who has seen that move would take it for this one.
    for (let left = this.#refusesToTell ? 0 : mostTellings; !isTold && left > 0; left--) {
      isTold = await this.#push(address, [telling], signal);
    }
    this.#refusesToTell = !isTold;
  }

  /** @returns False where the remote has taken all but the ref by which others see it: those that look at all logs see it all the same. */
  async #push(address: string, refs: readonly string[], signal: AbortSignal | undefined): Promise<boolean> {
    const { input, output, ended } = this.#git.start(
      ['push', '--porcelain', '--no-verify', '--no-signed', '--', address, ...refs],
      { signal, environment: await this.#git.wayTo(address, signal) },
    );
    input.end();
    const printed = (await collect(output)).toString('utf8');
    try {
      await ended;
      return true;
    } catch (error) {
      this.#git.noteFailure();
      signal?.throwIfAborted();
      const refused = [...printed.matchAll(/^!\t[^\t]*:([^\t]*)\t(.*)$/gm)];
      const others = refused.filter(([, ref = '']) => ref !== moved && ref !== movedBranch);
      if (refused.length > 0 && others.length === 0) {
        return false;
      }
      const refusal = others[0]?.[2];
      if (refusal === undefined || refusal.includes('unpacker error')) {
        await this.#requireSound(true, signal);
      }
      const said = messageFrom(error);
      throw refusal === undefined
        ? new OfflineError(said, { cause: error })
        : new RefusedPushError(`${refusal}: ${said}`, { cause: error });
    }
  }

  /**
   * The ends of all logs of the remote, by `PERSON/DEVICE`, and of those that are kept though it has them no longer; those that end at something else
   * than a commit; and the number of refs that are no logs.
   */
  async seenTips(
    signal?: AbortSignal,
  ): Promise<{ tips: Map<string, string>; endless: string[]; strange: number }> {
    const refs = await this.#allRefs(signal);
    const vanished = new Map<string, string>();
    const tips = new Map<string, string>();
    const endless = new Set<string>();
    let strange = 0;
    for (const [ref, { tip, type }] of refs) {
      if (ref.startsWith(shared)) {
        continue;
      }
      if (ref.startsWith(kept)) {
        vanished.set(ref.slice(kept.length), tip);
        continue;
      }
      const isBranch = ref.startsWith(seenBranches);
      const log = ref.slice((isBranch ? seenBranches : seen).length);
      if (!writerOf(log)) {
        strange++;
      } else if (type !== 'commit') {
        endless.add(log);
      } else if (isBranch || !tips.has(log)) {
        // A log that has gone among the branches goes on there.
        tips.set(log, tip);
      }
    }
    this.#present = new Set([...tips.keys(), ...endless]);
    this.#vanished = vanished;
    const isEndless = (log: string): boolean => !tips.has(log);
    return { tips: new Map([...vanished, ...tips]), endless: [...endless].filter(isEndless), strange };
  }

  /** True when the remote had a log when all of them were looked at last. */
  isPresent(log: string): boolean {
    return this.#present.has(log);
  }

  /**
   * Keeps the logs that the remote has no longer: nothing else here may name their commits.
   *
   * @param taken The ends of all logs that were taken in, by their names.
   * @returns The names of those that are kept.
   */
  async keep(
    taken: readonly (readonly [log: string, tip: string])[],
    signal?: AbortSignal,
  ): Promise<string[]> {
    const gone = new Map(taken.filter(([log]) => !this.#present.has(log)));
    const over = [...this.#vanished.keys()].filter((log) => !gone.has(log));
    const lines = [
      ...[...gone]
        .filter(([log, tip]) => this.#vanished.get(log) !== tip)
        .map(([log, tip]) => `update ${kept}${log} ${tip}\n`),
      ...over.map((log) => `delete ${kept}${log}\n`),
    ];
    if (lines.length > 0) {
      await this.#git.run(['update-ref', '--stdin'], { signal, input: lines.join('') });
      this.lookAnew();
    }
    this.#vanished = gone;
    return [...gone.keys()];
  }

  /** The end of one's own log. */
  async ownTip(writer: Writer, signal?: AbortSignal): Promise<string | undefined> {
    return (await this.#allRefs(signal)).get(`${shared}${pathOf(writer)}`)?.tip;
  }

  /**
   * The commits of one's own log that the remote's doesn't have, and can't get, for that goes on otherwise; with the last operation before them.
   * Undefined where one of both is a part of the other.
   */
  async forkOf(
    writer: Writer,
    signal?: AbortSignal,
  ): Promise<{ commits: AsyncIterable<ReadCommit>; end: ChainEnd | undefined } | undefined> {
    const log = pathOf(writer);
    const own = `${shared}${log}`;
    const ends = await this.#allRefs(signal);
    const tip = ends.get(own)?.tip;
    const remote = (ends.get(`${seenBranches}${log}`) ?? ends.get(`${seen}${log}`))?.tip;
    if (tip === undefined || remote === undefined || tip === remote) {
      return undefined;
    }
    const list = async (...range: string[]): Promise<string[]> =>
      (await this.#git.run(['rev-list', '--first-parent', '--reverse', ...range, '--'], { signal }))
        .toString('latin1')
        .split('\n')
        .filter(Boolean);
    if ((await list('--max-count=1', remote, `^${tip}`)).length === 0) {
      return undefined;
    }
    const shas = await list(tip, `^${remote}`);
    const before = shas[0] === undefined ? tip : await this.#tip(`${shas[0]}^1`, signal);
    const end = before === undefined ? undefined : endOf(await this.#operations(before, signal));
    return { commits: this.#contents(shas, signal), end };
  }

  /** The number of the last operation of one's own log. */
  async lastOperation(tip: string, writer: Writer, signal?: AbortSignal): Promise<number> {
    const end = endOf(await this.#operations(tip, signal));
    if (!end) {
      throw new Error(`The last commit of the log ${pathOf(writer)} doesn't have operations.`);
    }
    return end.seq;
  }

  /** Reads a log on from a commit, or from its beginning. @throws ServiceError `git_failed` */
  async read(tip: string, after: string | undefined, signal?: AbortSignal): Promise<NewCommits> {
    const only = after === undefined ? undefined : await this.#onlyCommit(tip, after, signal);
    if (only) {
      return { commits: [only] };
    }
    const listed = await this.#git.run(
      [
        'rev-list',
        '--first-parent',
        '--reverse',
        '--parents',
        tip,
        ...(after === undefined ? [] : [`^${after}`]),
        '--',
      ],
      { signal },
    );
    const commits = listed
      .toString('latin1')
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(' '));
    if (commits[0]?.[1] !== after) {
      return { rewritten: true };
    }
    return {
      commits: this.#contents(
        commits.map(([sha = '']) => sha),
        signal,
      ),
    };
  }

  /** The only commit that came to a log since another one, as is most often so: then git needn't say which ones came. */
  async #onlyCommit(
    tip: string,
    after: string,
    signal: AbortSignal | undefined,
  ): Promise<ReadCommit | undefined> {
    const found: ReadObject[] = [];
    for await (const object of this.objects([tip, `${tip}:${operationsFile}`], signal)) {
      found.push(object);
    }
    const [commit, text] = found;
    if (!commit || !text || !('bytes' in commit && 'bytes' in text) || text.type !== 'blob') {
      return undefined;
    }
    const [, parent] = /^tree [0-9a-f]+\nparent ([0-9a-f]+)\n/.exec(commit.bytes.toString('latin1')) ?? [];
    return commit.type === 'commit' && parent === after ? { sha: tip, bytes: text.bytes } : undefined;
  }

  /** Reads the objects that names of git stand for, in that order. */
  async *objects(names: readonly string[], signal?: AbortSignal): AsyncGenerator<ReadObject> {
    let count = 0;
    while (count < names.length) {
      for await (const object of this.#someObjects(names.slice(count, count + atOnce), signal)) {
        count++;
        yield object;
      }
    }
  }

  /** Reads some of them, up to one that is too large. */
  async *#someObjects(names: readonly string[], signal: AbortSignal | undefined): AsyncGenerator<ReadObject> {
    const git = this.#git.start(['cat-file', '--batch'], { signal });
    git.input.end(names.map((name) => `${name}\n`).join(''));
    const reader = new ByteReader(git.output);
    try {
      for (const name of names) {
        const line = (await reader.line()) ?? (await git.fail(name));
        const [, type, digits] = /^[0-9a-f]{40,64} (\w+) (\d+)$/.exec(line) ?? [];
        const size = Number(digits);
        if (type === undefined) {
          yield { size: undefined };
        } else if (size > largestBatch) {
          yield { size };
          return;
        } else {
          const bytes = (await reader.bytes(size + 1)) ?? (await git.fail(`all of ${name}`));
          yield { type, bytes: bytes.subarray(0, size) };
        }
      }
    } finally {
      git.stop();
    }
  }

  /**
   * Adds a commit to one's own log.
   *
   * @param others The ends of other logs that were seen since the last one.
   * @param takesSnapshot Whether it has a snapshot of all that is before it, instead of the one that is there already.
   */
  async append(
    writer: Writer,
    text: string,
    others: readonly string[],
    { takesSnapshot = false, signal }: { takesSnapshot?: boolean; signal?: AbortSignal | undefined } = {},
  ): Promise<void> {
    const before = await this.ownTip(writer, signal);
    const blob = await this.#write(['hash-object', '-w', '--stdin'], text, signal);
    const snapshot =
      before !== undefined && takesSnapshot
        ? await this.#takeSnapshot(writer, before, signal)
        : before && (await this.#snapshotOf(before, signal));
    const entries = [
      `100644 blob ${blob}\t${operationsFile}\n`,
      ...(snapshot === undefined ? [] : [`040000 tree ${snapshot}\t${snapshotFolder}\n`]),
    ];
    const tree = await this.#write(['mktree'], entries.join(''), signal);
    // The first parent is the log's own: it begins with a commit that has none.
    const parents = before === undefined ? [] : [before, ...others];
    const commit = await this.#commit([tree, ...parents.flatMap((parent) => ['-p', parent])], signal);
    const ref = `${shared}${pathOf(writer)}`;
    await this.#git.run(['update-ref', ref, commit, before ?? ''], { signal });
    this.#noteRef(ref, commit);
    this.#lastSnapshot = { commit, tree: snapshot };
  }

  /** The tree of the snapshot that a commit has. */
  async #snapshotOf(commit: string, signal: AbortSignal | undefined): Promise<string | undefined> {
    return this.#lastSnapshot?.commit === commit
      ? this.#lastSnapshot.tree
      : this.#tip(`${commit}:${snapshotFolder}`, signal);
  }

  /** The files of the snapshot that a commit has, with the blob of each. */
  async snapshotFiles(commit: string, signal?: AbortSignal): Promise<Map<string, string>> {
    const listed = await askGit(
      this.#git.directory,
      ['ls-tree', '--full-tree', `${commit}:${snapshotFolder}`],
      signal,
    );
    const lines = listed?.split('\n') ?? [];
    return new Map(
      lines.map((line) => [line.slice(line.indexOf('\t') + 1), line.split(/[ \t]/, 3)[2] ?? '']),
    );
  }

  /** Writes a snapshot of a log up to a commit, on top of the one that the commit has. @returns The tree, if there is one. */
  async #takeSnapshot(writer: Writer, commit: string, signal?: AbortSignal): Promise<string | undefined> {
    const before = await this.#tip(`${commit}:${snapshotFolder}`, signal);
    const blobs = await this.snapshotFiles(commit, signal);
    const head = blobs.get(headName);
    const since = head === undefined ? undefined : decodeHead(await this.#blob(head, signal), writer)?.commit;
    const read = await this.read(commit, since, signal);
    const added = new Map<string, string[]>();
    let last: Buffer | undefined;
    for await (const each of 'commits' in read ? read.commits : []) {
      if ('unreadable' in each) {
        return before;
      }
      for (const [file, text] of linesByFile(each.sha, each.bytes)) {
        added.set(file, [...(added.get(file) ?? []), text]);
      }
      last = each.bytes;
    }
    const end = last && endOf(last);
    if (!end) {
      return before;
    }
    const files = new Map([[headName, Buffer.from(encodeHead(writer, { ...end, commit }))]]);
    for (const [file, texts] of added) {
      const blob = blobs.get(file);
      const parts = texts.map((text) => Buffer.from(text));
      const whole = Buffer.concat(blob === undefined ? parts : [await this.#blob(blob, signal), ...parts]);
      if (whole.length > largestBatch) {
        // Nobody reads so much at once: the log is read on from the snapshot that it has.
        return before;
      }
      files.set(file, whole);
    }
    const written = await this.#writeBlobs([...files.values()], signal);
    [...files.keys()].forEach((file, index) => blobs.set(file, written[index] ?? ''));
    const entries = [...blobs].map(([file, blob]) => `100644 blob ${blob}\t${file}\n`).join('');
    return this.#write(['mktree'], entries, signal);
  }

  /** Writes some blobs with one run of git. @returns Their names. */
  async #writeBlobs(contents: readonly Buffer[], signal?: AbortSignal): Promise<string[]> {
    const parts = contents.flatMap((bytes, index) => [
      Buffer.from(`blob\nmark :${index + 1}\ndata ${bytes.length}\n`),
      bytes,
      Buffer.from(`\nget-mark :${index + 1}\n`),
    ]);
    return (
      await this.#write(
        ['-c', 'fastimport.unpackLimit=1', 'fast-import', '--quiet'],
        Buffer.concat(parts),
        signal,
      )
    ).split('\n');
  }

  async #operations(commit: string, signal?: AbortSignal): Promise<Buffer> {
    return this.#blob(`${commit}:${operationsFile}`, signal);
  }

  async #blob(sha: string, signal?: AbortSignal): Promise<Buffer> {
    return this.#git.run(['cat-file', 'blob', sha], { signal });
  }

  /** Makes a commit, signed where a key is at hand. */
  async #commit(args: readonly string[], signal?: AbortSignal): Promise<string> {
    const { name, email } = this.#author;
    const who = (role: string) => ({ [`GIT_${role}_NAME`]: name || email, [`GIT_${role}_EMAIL`]: email });
    const run = async (settingsOfKey?: Record<string, string>): Promise<string> => {
      const printed = await this.#git.run(
        ['commit-tree', ...(settingsOfKey ? ['-S'] : []), ...args, '-m', 'Share reviews'],
        {
          signal,
          environment: {
            ...who('AUTHOR'),
            ...who('COMMITTER'),
            ...askingNobody,
            ...this.#git.configured(settingsOfKey),
          },
        },
      );
      return printed.toString('latin1').trim();
    };
    for (const key of await this.#signingKeys()) {
      try {
        return await run(key);
      } catch {
        // Its private half isn't here, or nobody has unlocked it.
        signal?.throwIfAborted();
      }
    }
    return run();
  }

  async *#contents(shas: readonly string[], signal?: AbortSignal): AsyncGenerator<ReadCommit> {
    const texts = this.objects(
      shas.map((sha) => `${sha}:${operationsFile}`),
      signal,
    );
    let index = 0;
    for await (const text of texts) {
      const sha = shas[index++] ?? '';
      if ('bytes' in text && text.type === 'blob') {
        yield { sha, bytes: text.bytes };
      } else {
        const size = 'size' in text ? text.size : undefined;
        if (size === undefined && (await this.#lacksFile(sha, signal))) {
          throw new DamagedLogsError(`The repository of the logs lacks what ${sha} has.`);
        }
        yield { sha, unreadable: size === undefined ? 'it has no operations' : `it has ${size} bytes` };
      }
    }
  }

  /** True where a commit has a file of operations, which isn't there. */
  async #lacksFile(sha: string, signal?: AbortSignal): Promise<boolean> {
    const listed = await this.#git.run(['ls-tree', sha, '--', operationsFile], { signal });
    return listed.includes(' blob ');
  }

  async #tip(ref: string, signal?: AbortSignal): Promise<string | undefined> {
    return askGit(this.#git.directory, ['rev-parse', '--verify', '--quiet', '--end-of-options', ref], signal);
  }

  async #write(args: readonly string[], input: string | Buffer, signal?: AbortSignal): Promise<string> {
    return (await this.#git.run(args, { signal, input })).toString('latin1').trim();
  }
}

/** True where a log that the remote has, or had, is not what it was. */
function hasOtherLogs(before: ReadonlyMap<string, SeenRef>, now: ReadonlyMap<string, SeenRef>): boolean {
  return [...now].some(
    ([ref, { tip }]) => places.some(({ here }) => ref.startsWith(here)) && before.get(ref)?.tip !== tip,
  );
}
