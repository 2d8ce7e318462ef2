/** Shares a project through a remote of its repository: fetches what others wrote, tells what was changed here, and pushes that. */
import { isDeepStrictEqual } from 'node:util';
import { createHash } from 'node:crypto';
import path from 'node:path';
import * as v from 'valibot';
import type { SharingTrouble, Withheld } from '../../protocol/localService.ts';
import type { RemoteBranches } from '../../util/branchBases.ts';
import { inTurns } from '../../util/inTurns.ts';
import { messageOf } from '../../util/messageOf.ts';
import { Turns } from '../../util/turns.ts';
import { plainTexts, undisguised } from '../../util/visibleText.ts';
import { ServiceError } from '../errors.ts';
import { openRepository, readIdentity, type Repository } from '../git/repository.ts';
import type { Database } from '../storage/database.ts';
import { findProjectByRepository } from '../storage/projects.ts';
import { findLatestStack, lastChangeOfStacks } from '../storage/stacks.ts';
import { adoptEmail, findUser, sshKeysOf, type UserRow } from '../storage/users.ts';
import {
  admitAll,
  admitOwn,
  checkOneSnapshot,
  checkSignatures,
  forgetFold,
  forgetFoldInTurns,
  logStateSchema,
  type AdmissionParts,
  type LogProblem,
} from './admission.ts';
import { beginAnew, beginAnother, leaveLog, newDevice, operationsLeft } from './anotherDevice.ts';
import { BranchesAtRemote } from './branchesAtRemote.ts';
import { Changes } from './changes.ts';
import { HybridClock } from './clock.ts';
import { takenAt } from './clocksAhead.ts';
import { FetchedBranches } from './fetchedBranches.ts';
import { Fold, foldVersion } from './fold.ts';
import { OfflineError, RefusedPushError, remoteAddress, SharedLogs } from './logs.ts';
import {
  chainEndSchema,
  clockSchema,
  countSchema,
  encodeBatch,
  noChain,
  pathOf,
  personOf,
  writerOf,
  type LoggedOperation,
  type Writer,
} from './operations.ts';
import { OwnDevices } from './ownDevices.ts';
import { OwnLog } from './ownLog.ts';
import { PushedCommits } from './pushedCommits.ts';
import { refuseInside } from './remoteFolder.ts';
import { reconciling } from './reconcile.ts';
import { isDamage, takeUp } from './renewal.ts';
import { operationsPerSnapshot } from './snapshots.ts';
import { SharingStore } from './store.ts';
import { troubleOf } from './troubles.ts';

/** The remote through which a project is shared. */
export interface SharingOptions {
  /** The name of the remote. */
  remote: string;
  /** Has the log go among the branches of the remote, as it does by itself where the host takes nothing else. */
  asBranch?: boolean | undefined;
  /** Devices that are the person's, too: see `SharingStatus.strangers`. */
  devices?: readonly string[] | undefined;
  /** Pushes again, at the first time, what the remote has no longer: see `Sharing.pushAgain`. */
  again?: boolean | undefined;
  /** Seconds between two times that it is looked at. */
  everySeconds?: number | undefined;
  /** Milliseconds after which what somebody changes here is shared; left out, that waits for the next time. */
  afterWritesMs?: number | undefined;
  /** Told whenever something about the sharing has changed. */
  onChange?: ((status: SharingStatus) => void) | undefined;
  /** Told each time that it was shared, or tried; `isNew` where something of others has come, or has its place here only now. */
  onRound?: ((status: SharingStatus, isNew: boolean) => void) | undefined;
}

/** The state of the sharing. */
export interface SharingStatus {
  state: 'shared' | 'offline' | 'refused' | 'ahead';
  /** The number of changes here that the remote has not. */
  waiting: number;
  /** Why the remote was not reached, or did not take them: in the words of git, and sorted. */
  reason?: string;
  trouble?: SharingTrouble;
  /** When others take what is dated ahead of their clocks, in milliseconds since the epoch. */
  takenAt?: number;
  /** The logs of others of which something was not taken; with the name of whose they are, where it is known. */
  problems: readonly (LogProblem & { who?: string })[];
  /** The logs of others that are so long that not all of them is taken in yet: the next rounds go on. */
  unfinished?: readonly { log: string; who?: string }[];
  /** Devices that share in the person's name, and of which nothing is taken in before they have said that they are theirs. */
  strangers?: readonly string[];
  /** What the person said here and that can't be shared as it is, if anything. */
  withheld?: readonly Withheld[];
}

/** The part of the state that says what has gone wrong. */
type Failure = Pick<SharingStatus, 'state' | 'reason' | 'trouble'>;

/** What came of taking in the logs. */
interface TakenIn {
  problems: LogProblem[];
  /** True when the remote has all of the own log. */
  isPushed: boolean;
  sides: AdmissionParts;
}

/** All that the sharing of a service is made of. */
export interface SharingParts {
  database: Database;
  dataDirectory: string;
  ownerId: number;
  now: () => number;
  repository: string;
  options: SharingOptions;
  /** Imports what is new in the repository. */
  importRepository: (signal: AbortSignal) => Promise<unknown>;
  /** Told of failures that are defects. */
  onDefect: (error: unknown) => void;
}

const defaultSeconds = 60;
/** Milliseconds from a round after which there is more of somebody's log to the next one: whoever asks the service something comes first. */
const unfinishedMs = 1_000;
/** Rounds between two in which all logs are looked at, whatever the remote says: who has pushed one without saying so is seen by then. */
const roundsPerLook = 10;
/** Rounds between two looks whether the service's own repositories have become many files. */
const roundsPerTidying = 100;
/** The first pass is what changed here; the second one has nothing to say unless somebody changes something meanwhile. */
const mostPasses = 3;

/** A project that is shared, until it is stopped. */
export class Sharing {
  readonly #parts: SharingParts;
  readonly #repository: Repository;
  readonly #addresses: { fetch: string; push: string };
  readonly #logs: SharedLogs;
  readonly #store: SharingStore;
  readonly #fold: Fold;
  readonly #changes: Changes;
  readonly #clock: HybridClock;
  #own: OwnLog;
  readonly #devices: OwnDevices;
  #strangers: readonly string[] = [];
  #unfinished: readonly string[] = [];
  #withheld: readonly Withheld[] = [];
  readonly #stop = new AbortController();
  readonly #atRemote: BranchesAtRemote;
  readonly #pushed: PushedCommits;
  /** The branches of the remote of which somebody has shared a version. */
  #branches: ReadonlySet<string>;
  /** Those that were looked for although a stack of theirs is there, which an import without the sharing has put away. */
  readonly #lookedFor = new Set<string>();
  readonly #turns = new Turns(1);
  #timer: NodeJS.Timeout | undefined;
  #soon: NodeJS.Timeout | undefined;
  #told: SharingStatus | undefined;
  #rounds = 0;
  /** Why the branches couldn't be fetched the last time, which is told once. */
  #branchTrouble: string | undefined;
  /** True where something of others has come of which nobody was told yet: a round that fails tells nothing. */
  #isUntold = false;
  /** True when the remote had the own log, and has it no longer. */
  #isGone = false;
  /** True when the person has said that what is gone there is to be pushed again. */
  #pushesAgain: boolean;

  private constructor(
    parts: SharingParts,
    repository: Repository,
    addresses: { fetch: string; push: string },
    logs: SharedLogs,
    atRemote: BranchesAtRemote,
    store: SharingStore,
    devices: OwnDevices,
    writer: Writer,
  ) {
    this.#parts = parts;
    this.#pushesAgain = parts.options.again ?? false;
    this.#repository = repository;
    this.#addresses = addresses;
    this.#logs = logs;
    this.#atRemote = atRemote;
    this.#store = store;
    this.#branches = new Set(store.readAs(v.array(v.string()), 'branches'));
    this.#fold = new Fold(store);
    this.#changes = new Changes(parts.database, this.#fold);
    this.#pushed = new PushedCommits(parts.database, repository);
    this.#clock = new HybridClock(parts.now, store.readAs(clockSchema, 'clock'));
    this.#devices = devices;
    this.#own = new OwnLog(writer, store, this.#fold, this.#clock);
  }

  /** Begins to share. @throws ServiceError `no_remote`, `remote_inside` or `no_identity` */
  static async start(parts: SharingParts, signal?: AbortSignal): Promise<Sharing> {
    const owner = await identifiedOwner(parts, signal);
    if (!owner || owner.email === '') {
      throw new ServiceError(
        'no_identity',
        'Sharing needs an email address. Run "git config --global user.email you@example.com", and try again.',
      );
    }
    const repository = await openRepository(parts.repository, signal);
    const addresses = await remoteAddress(repository.directory, parts.options.remote, signal);
    await refuseInside(repository, [addresses.fetch, addresses.push]);
    const space = createHash('sha256')
      .update(`${repository.gitDirectory}\0${addresses.fetch}`)
      .digest('hex')
      .slice(0, 16);
    const store = new SharingStore(parts.database, space);
    const folder = path.join(parts.dataDirectory, 'sharing', space);
    const logs = await SharedLogs.open(
      folder,
      { name: owner.name, email: owner.email },
      () => sshKeysOf(parts.database, parts.ownerId).map(({ public_key }) => public_key),
      signal,
    );
    const person = personOf(owner.email);
    const devices = new OwnDevices(parts.database, person);
    parts.options.devices?.forEach((one) => devices.add(one));
    let device = store.readAs(v.string(), 'device');
    const missing =
      device === undefined ? 0 : await operationsMissing(logs, store, { person, device }, signal);
    if (device !== undefined && missing > 0) {
      // A copy of the database took its place: what its log says since then is taken in as of another device.
      leaveLog({ store, fold: new Fold(store) });
      store.write(1, 'left', device);
      device = undefined;
    } else if (missing < 0) {
      if (!(await logs.isSound(signal))) {
        await logs.renew(signal);
      }
      logs.lacksAll = true;
      parts.onDefect(new Error(damaged));
    }
    foldAnew(store);
    const writer = { person, device: device ?? newDevice() };
    store.write(writer.device, 'device');
    devices.add(writer.device);
    const fetched = await FetchedBranches.open(`${folder}-branches`, repository, store, signal);
    const atRemote = new BranchesAtRemote(repository, addresses.fetch, fetched, parts.now);
    return new Sharing(parts, repository, addresses, logs, atRemote, store, devices, writer);
  }

  /** The branches of the remote that have stacks here because somebody shares them. */
  get shown(): RemoteBranches {
    return {
      remote: this.#parts.options.remote,
      branches: this.#branches,
      newer: this.#atRemote.newer,
    };
  }

  /**
   * Shares now, and from then on every so many seconds.
   *
   * @param isThorough Whether all logs are looked at, also where the remote says that nobody has pushed one: somebody asks for it.
   */
  async run(isThorough = true): Promise<SharingStatus> {
    clearTimeout(this.#timer);
    try {
      return await this.#turns.take(() => this.#soundRound(isThorough));
    } finally {
      if (!this.#stop.signal.aborted) {
        const seconds = this.#parts.options.everySeconds ?? defaultSeconds;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.runInBackground(), seconds * 1000);
      }
    }
  }

  /** Shares now, and pushes all logs that the remote has no longer: a host may have been replaced, or somebody has deleted them. */
  async pushAgain(): Promise<SharingStatus> {
    this.#pushesAgain = true;
    return this.run();
  }

  /** Takes in from now on what another device shares in the person's name, who has said that it's theirs. */
  async addDevice(device: string): Promise<SharingStatus> {
    this.#devices.add(device);
    return this.run();
  }

  /** Shares now; failures go to whoever is told of defects. */
  runInBackground(): void {
    this.run(false).catch((error: unknown) => {
      if (!this.#stop.signal.aborted) {
        this.#parts.onDefect(error);
      }
    });
  }

  /** Notes that somebody has changed something here, which is shared soon, together with what follows at once. */
  noteWrite(): void {
    const { afterWritesMs } = this.#parts.options;
    if (afterWritesMs !== undefined) {
      this.#goOnSoon(afterWritesMs);
    }
  }

  #goOnSoon(delayMs: number): void {
    if (!this.#stop.signal.aborted) {
      this.#soon ??= setTimeout(() => this.runInBackground(), delayMs);
    }
  }

  /** Ends it, whatever it is doing: the next start goes on from there. */
  async close(): Promise<void> {
    this.#stop.abort(new Error('The service is stopping.'));
    clearTimeout(this.#timer);
    clearTimeout(this.#soon);
    await this.#turns.next();
  }

  /** One round; and once more, with another repository of the logs, where that one is found to be damaged. */
  async #soundRound(isThorough: boolean): Promise<SharingStatus> {
    const { signal } = this.#stop;
    signal.throwIfAborted();
    try {
      return await this.#round(isThorough, signal);
    } catch (error) {
      if (!(await isDamage(error, this.#logs, signal))) {
        throw error;
      }
      this.#parts.onDefect(new Error(damaged, { cause: error }));
      await this.#logs.renew(signal);
      return this.#round(true, signal);
    }
  }

  async #round(isThorough: boolean, signal: AbortSignal): Promise<SharingStatus> {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    const { haveMoved, ...fetched } = await this.#fetch(
      isThorough || this.#rounds % roundsPerLook === 0,
      signal,
    );
    let { failure } = fetched;
    if (failure && this.#logs.lacksAll) {
      return this.#tell(failure, []);
    }
    const before = this.#taken();
    const { size } = this.#fold.branches();
    const { problems, isPushed, sides } = await this.#takeIn(signal).finally(() => {
      this.#isUntold ||= !isDeepStrictEqual(this.#taken(), before);
    });
    if (this.#fold.branches().size > size) {
      // Those are fetched the next time.
      this.noteWrite();
    }
    // What was said of the versions before is told before there are others.
    let hasWritten = await this.#settle(sides, problems, signal);
    if (haveMoved) {
      await this.#parts.importRepository(signal);
      hasWritten = (await this.#settle(sides, problems, signal)) || hasWritten;
    }
    if (!failure && this.#isGone && !this.#pushesAgain) {
      failure = { state: 'refused', trouble: 'vanished', reason: 'what was shared is no longer there' };
    }
    failure ??= await failureOf(async () => {
      // Starting git is most of what a round costs in which nothing is new.
      if (hasWritten || !isPushed || this.#pushesAgain || this.#parts.options.asBranch === true) {
        await this.#push(this.#own.writer, signal);
      }
      await this.#pushKept(signal);
      this.#store.write(this.#own.end.seq, 'pushed');
      // Until now only the database had what a damaged log would have lost.
      this.#own.forgetUpTo(this.#store.readAs(countSchema, 'written') ?? 0);
    }, signal);
    const status = this.#tell(failure, problems);
    if (!(await checkOneSnapshot({ logs: this.#logs, store: this.#store }, signal))) {
      await forgetFoldInTurns({ store: this.#store, fold: this.#fold });
      this.noteWrite();
    }
    if (this.#unfinished.length > 0) {
      this.#goOnSoon(unfinishedMs);
    }
    await this.#tidy(signal);
    return status;
  }

  /** Makes what is here and what is shared the same, and writes what is only here. @returns True when something was written. */
  async #settle(
    sides: AdmissionParts,
    problems: readonly LogProblem[],
    signal: AbortSignal,
  ): Promise<boolean> {
    // Operations that came earlier may have waited for the version that they are about.
    await this.#reconcile(sides.branches, problems, signal);
    let hasWritten = false;
    for (let time = 0; time < mostPasses && (await this.#write(sides, signal)); time++) {
      hasWritten = true;
      // Only now it's known how what was said here is signed.
      await admitOwn(sides, this.#own.writer, signal);
      await checkSignatures(sides, signal);
      await this.#reconcile(sides.branches, problems, signal);
    }
    return hasWritten;
  }

  /** Tells how it stands. */
  #tell(failure: Failure | undefined, problems: readonly LogProblem[]): SharingStatus {
    const status = this.#statusOf(failure, problems);
    const { onChange, onRound } = this.#parts.options;
    if (!isDeepStrictEqual(this.#told, status)) {
      this.#told = status;
      onChange?.(status);
    }
    onRound?.(status, this.#isUntold);
    this.#isUntold = false;
    return status;
  }

  #statusOf(failure: Failure | undefined, problems: readonly LogProblem[]): SharingStatus {
    const waiting = this.#own.end.seq - (this.#store.readAs(countSchema, 'pushed') ?? 0);
    const clocks = this.#store.listAs(logStateSchema, 'log').map(([, { clock }]) => clock[0]);
    const aheadUntil = takenAt(this.#own, this.#fold, this.#parts.now(), Math.max(0, ...clocks));
    return {
      state: 'shared',
      ...(aheadUntil !== undefined && { state: 'ahead', trouble: 'clockAhead', takenAt: aheadUntil }),
      ...failure,
      waiting,
      // Strangers have written what some of the words are from.
      problems: plainTexts(problems.map((problem) => ({ ...problem, ...this.#whose(problem) }))),
      ...(this.#unfinished.length > 0 && {
        unfinished: plainTexts(this.#unfinished.map((log) => ({ log, ...this.#whose({ log }) }))),
      }),
      ...(this.#strangers.length > 0 && { strangers: this.#strangers }),
      ...(this.#withheld.length > 0 && { withheld: this.#withheld }),
    };
  }

  /** Fetches the logs and the branches: at once, for most of it is the way to the remote and back. */
  async #fetch(
    isThorough: boolean,
    signal: AbortSignal,
  ): Promise<{ failure: Failure | undefined; haveMoved: boolean }> {
    const branches = this.#atRemote.fetch(this.shown, this.#fold.branches(), isThorough, signal);
    // Neither is left alone where the other one fails.
    const ended = branches.then(
      () => undefined,
      () => undefined,
    );
    const failure = await failureOf(async () => {
      await this.#pushLeft(signal);
      await this.#logs.fetch(this.#addresses.fetch, signal, isThorough);
      if (this.#logs.lacksAll && !(await takeUp(this.#logs, this.#store, this.#own, signal))) {
        this.#own = beginAnew({ store: this.#store, fold: this.#fold, clock: this.#clock }, this.#own.writer);
        this.#devices.add(this.#own.writer.device);
      }
    }, signal).finally(() => ended);
    const { haveMoved, trouble } = await branches;
    this.#tellBranchTrouble(failure ? undefined : trouble);
    return { failure, haveMoved };
  }

  /** Packs the service's own repositories now and then. */
  async #tidy(signal: AbortSignal): Promise<void> {
    this.#rounds++;
    if (this.#rounds % roundsPerTidying !== 1) {
      return;
    }
    try {
      await this.#logs.tidy(signal);
      await this.#atRemote.tidy(signal);
    } catch (error) {
      // All that is shared is there as it was.
      signal.throwIfAborted();
      this.#parts.onDefect(error);
    }
  }

  /** Tells once why the branches can't be fetched: what people say is shared all the same. */
  #tellBranchTrouble(trouble: unknown): void {
    const message = trouble === undefined ? undefined : messageOf(trouble);
    if (message !== undefined && message !== this.#branchTrouble) {
      this.#parts.onDefect(trouble);
    }
    this.#branchTrouble = message;
  }

  #whose({ log }: Pick<LogProblem, 'log'>): { who?: string } {
    const described = this.#fold.people().find(({ person }) => person === writerOf(log)?.person)?.described;
    return described ? { who: described.name === '' ? described.email : described.name } : {};
  }

  /** The ends of the logs of others, as far as they are taken in. */
  #taken(): [log: string, seq: number][] {
    return this.#store.listAs(logStateSchema, 'log').map(([log, { seq }]) => [log, seq]);
  }

  /** Pushes logs that this device has left, as far as the remote doesn't have them. */
  async #pushLeft(signal: AbortSignal): Promise<void> {
    for (const [device] of this.#store.list('left')) {
      try {
        await this.#push({ ...this.#own.writer, device }, signal);
      } catch (error) {
        // What the remote has of it is more, or other.
        if (!(error instanceof RefusedPushError)) {
          throw error;
        }
      }
      this.#store.forget('left', device);
    }
  }

  /** Pushes an own log to where it has gone before, or else to where the host takes it. */
  async #push(writer: Writer, signal: AbortSignal): Promise<void> {
    const push = async (asBranch: boolean): Promise<boolean> =>
      this.#logs.push(this.#addresses.push, writer, { asBranch, signal });
    if ((this.#parts.options.asBranch ?? false) || (await this.#logs.isBranch(writer, signal))) {
      await push(true);
      return;
    }
    try {
      await push(false);
    } catch (error) {
      if (!(error instanceof RefusedPushError) || troubleOf(error.message, 'refused') !== 'noSuchRefs') {
        throw error;
      }
      await push(true);
    }
  }

  /** Pushes the logs that the remote has no longer, if the person wants that. */
  async #pushKept(signal: AbortSignal): Promise<void> {
    if (!this.#pushesAgain) {
      return;
    }
    const asBranch = await this.#logs.isBranch(this.#own.writer, signal);
    try {
      await this.#logs.pushKept(this.#addresses.push, asBranch, signal);
    } catch (error) {
      // Somebody has pushed one of them meanwhile, and more of it.
      if (!(error instanceof RefusedPushError)) {
        throw error;
      }
    }
    this.#pushesAgain = false;
  }

  /** Keeps what the remote has no longer. @returns The logs of others that are gone, where the own one is not. */
  async #keepGone(signal: AbortSignal): Promise<LogProblem[]> {
    const taken = this.#store.listAs(logStateSchema, 'log');
    const gone = await this.#logs.keep(
      taken.flatMap(([log, { tip }]) => (tip === undefined ? [] : [[log, tip] as const])),
      signal,
    );
    const isPushed = (this.#store.readAs(countSchema, 'pushed') ?? 0) > 0;
    this.#isGone = isPushed && !this.#logs.isPresent(pathOf(this.#own.writer));
    return this.#isGone || this.#pushesAgain
      ? []
      : gone.map((log) => ({ log, reason: "it's gone from the remote: what it said before still counts" }));
  }

  /** Takes in all logs, and goes on as another device where the own one isn't the one that the remote has. */
  async #takeIn(signal: AbortSignal): Promise<TakenIn> {
    const taken = await this.#admit(signal);
    // Git needn't say again that both are the same.
    const left = taken.isPushed ? undefined : await operationsLeft(this.#logs, this.#own, signal);
    if (!left) {
      return taken;
    }
    const sides = { store: this.#store, fold: this.#fold, clock: this.#clock };
    this.#own = beginAnother(sides, this.#own.writer, left);
    this.#devices.add(this.#own.writer.device);
    return this.#admit(signal);
  }

  /** Takes in all logs, the own one included: the fold may have been thrown away. */
  async #admit(signal: AbortSignal): Promise<TakenIn> {
    const sides = {
      logs: this.#logs,
      store: this.#store,
      fold: this.#fold,
      clock: this.#clock,
      now: this.#parts.now,
      branches: this.#atRemote.names,
      isStranger: (writer: Writer) => this.#devices.isStranger(writer),
    };
    const admitted = await admitAll(sides, this.#own.writer, signal);
    this.#strangers = admitted.strangers;
    this.#unfinished = admitted.unfinished;
    const problems = [...this.#logs.setAside, ...admitted.problems, ...(await this.#keepGone(signal))];
    this.#fold.add(this.#own.outbox.map(([, operation]) => operation));
    await checkSignatures(sides, signal);
    return { problems, isPushed: admitted.isPushed, sides };
  }

  async #reconcile(
    atRemote: ReadonlySet<string>,
    problems: readonly LogProblem[],
    signal: AbortSignal,
  ): Promise<void> {
    const { database, ownerId, importRepository } = this.#parts;
    this.#branches = new Set([...this.#fold.branches()].filter((branch) => atRemote.has(branch)));
    // The import at the next start comes before the first round.
    this.#store.write([...this.#branches], 'branches');
    let project = findProjectByRepository(database, this.#repository.gitDirectory);
    const changedAt = (): number | undefined => project && lastChangeOfStacks(database, project.id);
    const before = changedAt();
    const isMissing = (branch: string): boolean => {
      const stack = project && findLatestStack(database, project.id, branch);
      return !stack || (stack.status === 'inactive' && !this.#lookedFor.has(branch));
    };
    if ([...this.#branches].some(isMissing)) {
      this.#branches.forEach((branch) => this.#lookedFor.add(branch));
      await importRepository(signal);
      project = findProjectByRepository(database, this.#repository.gitDirectory);
    }
    if (!project) {
      return;
    }
    await this.#pushed.look(project.id, atRemote, [...this.#atRemote.tips], signal);
    const { emit, withheld } = this.#own.begin();
    const steps = reconciling({
      database,
      store: this.#store,
      fold: this.#fold,
      changes: this.#changes,
      projectId: project.id,
      writer: this.#own.writer,
      emit,
      isPushed: (commit) => this.#pushed.has(commit),
      ownerId,
      branches: atRemote,
      problems,
    });
    try {
      await inTurns(steps);
    } finally {
      this.#isUntold ||= changedAt() !== before;
    }
    this.#withheld = withheld;
  }

  /** Writes the operations that are not in the log yet. @returns True when there were any. */
  async #write(sides: AdmissionParts, signal: AbortSignal): Promise<boolean> {
    const { writer } = this.#own;
    const noted = this.#store.readAs(countSchema, 'written') ?? 0;
    const outbox = this.#own.outbox.map(([, operation]) => operation).filter(({ seq }) => seq > noted);
    const last = outbox.at(-1);
    if (!last) {
      return false;
    }
    // What is written goes on from what is there, and not from what was there.
    this.#logs.lookAnew();
    const own = await admitOwn(sides, writer, signal);
    // It may have more than was noted: a kill after the commit was written and before that.
    const written = this.#store.readAs(logStateSchema, 'own log')?.seq ?? 0;
    const operations = outbox.filter(({ seq }) => seq > written);
    if (operations.length > 0) {
      const seen = this.#store
        .listAs(logStateSchema, 'log')
        .map(([log, { tip = '' }]) => ({ log, tip }))
        .filter(({ log, tip }) => tip !== '' && this.#store.read('linked', log) !== tip);
      const others = own === undefined ? [] : seen.map(({ tip }) => tip);
      for (const batch of batches(operations)) {
        const before = (batch[0]?.seq ?? 1) - 1;
        const snapshot = this.#store.readAs(countSchema, 'snapshot') ?? 0;
        const takesSnapshot = before - snapshot >= operationsPerSnapshot;
        await this.#logs.append(writer, encodeBatch(writer, batch), others.splice(0), {
          takesSnapshot,
          signal,
        });
        if (takesSnapshot) {
          this.#store.write(before, 'snapshot');
        }
      }
      if (own !== undefined) {
        seen.forEach(({ log, tip }) => this.#store.write(tip, 'linked', log));
      }
    }
    this.#store.write(last.seq, 'written');
    return operations.length > 0;
  }
}

/** Why the remote was not reached, or did not take something; undefined where all went well. @throws whatever else goes wrong. */
async function failureOf(work: () => Promise<unknown>, signal: AbortSignal): Promise<Failure | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof OfflineError || error instanceof RefusedPushError)) {
      throw error;
    }
    const reason = undisguised(messageOf(error));
    const trouble = troubleOf(reason, error instanceof OfflineError ? 'offline' : 'refused');
    return { state: trouble === 'offline' ? 'offline' : 'refused', reason, trouble };
  }
}

/** The person whom the service runs for, with the address that git knows by now. */
async function identifiedOwner(
  { database, ownerId, repository }: SharingParts,
  signal: AbortSignal | undefined,
): Promise<UserRow | undefined> {
  const owner = findUser(database, ownerId);
  if (owner?.email !== '') {
    return owner;
  }
  const { name, email } = await readIdentity(repository, owner, signal);
  return email === '' ? owner : adoptEmail(database, owner, { name, email });
}

/** Throws away what another version has made of all logs: it is made again of them. */
function foldAnew(store: SharingStore): void {
  if (store.read('fold') === foldVersion) {
    return;
  }
  forgetFold({ store, fold: new Fold(store) });
  store.write(foldVersion, 'fold');
}

/**
 * The number of operations that the own log has and the database doesn't know, which is of an earlier time; less than none where it is the log that
 * lacks some, and was deleted or damaged, or is a copy.
 */
async function operationsMissing(
  logs: SharedLogs,
  store: SharingStore,
  writer: Writer,
  signal: AbortSignal | undefined,
): Promise<number> {
  let written = 0;
  try {
    const tip = await logs.ownTip(writer, signal);
    written = tip === undefined ? 0 : await logs.lastOperation(tip, writer, signal);
  } catch (error) {
    if (!(await isDamage(error, logs, signal))) {
      throw error;
    }
    return -1;
  }
  if (written < (store.readAs(countSchema, 'written') ?? 0)) {
    return -1;
  }
  const left = store.list('outbox').filter(([, operation]) => (operation as LoggedOperation).seq > written);
  const { seq } = store.readAs(chainEndSchema, 'end') ?? noChain;
  return written + left.length - seq;
}

/** What is told where that is so. */
const damaged = 'The repository of what is shared is damaged. It was made anew from the remote.';

/** Characters of a commit's text, as a rule. */
const longestBatch = 1_000_000;

function batches(operations: readonly LoggedOperation[]): LoggedOperation[][] {
  const result: LoggedOperation[][] = [];
  let size = Infinity;
  for (const operation of operations) {
    const length = JSON.stringify(operation).length;
    if (size + length > longestBatch) {
      result.push([]);
      size = 0;
    }
    result.at(-1)?.push(operation);
    size += length;
  }
  return result;
}
