/**
 * Takes in what other devices have written, each log from its beginning on, and in it nothing that breaks a rule, nor anything after
 * that. What is refused depends on the log alone, so that everybody refuses the same; only what is dated ahead waits for its time.
 */
import { createHash, type Hash } from 'node:crypto';
import * as v from 'valibot';
import { inTurns, type Steps } from '../../util/inTurns.ts';
import { membersOf } from '../../util/isObject.ts';
import { nextTurn } from '../../util/nextTurn.ts';
import { ServiceError } from '../errors.ts';
import { isAfter, type HybridClock } from './clock.ts';
import { foldKinds, type Fold, type UncheckedReview } from './fold.ts';
import { DamagedLogsError, operationsFile, type SharedLogs } from './logs.ts';
import {
  chainEndSchema,
  decodingBatch,
  noChain,
  operationOf,
  pathOf,
  readingLines,
  refusalOfHeader,
  shaSchema,
  writerOf,
  type ChainEnd,
  type LoggedOperation,
  type Writer,
} from './operations.ts';
import { signatureOf, type Signature } from './signatures.ts';
import {
  decodingFile,
  decodeHead,
  fileOf,
  headName,
  findingLines,
  snapshotFolder,
  type SnapshotHead,
  type SnapshotOperation,
} from './snapshots.ts';
import type { SharingStore } from './store.ts';

/** Milliseconds that a clock may be ahead of this computer's. */
export const mostAheadMs = 60 * 60 * 1000;

/** Something in a log that was not taken, in words. */
export interface LogProblem {
  /** `PERSON/DEVICE`. */
  log: string;
  reason: string;
  /** The time that what waits is dated with, in milliseconds since the epoch. */
  dated?: number;
}

type Reason = Omit<LogProblem, 'log'>;

/** The part of a log that was taken in. */
interface LogState extends ChainEnd {
  /** The last commit that was. */
  tip?: string;
  /** The end that the log had when something in it was refused. */
  refused?: { tip: string; reason: string };
  /** The snapshot that it was begun with. */
  begun?: { at: string; head: SnapshotHead; isChecked?: true };
}

/** The same as it was noted. */
export const logStateSchema = v.object({
  ...chainEndSchema.entries,
  tip: v.exactOptional(shaSchema),
  refused: v.exactOptional(v.object({ tip: shaSchema, reason: v.string() })),
  begun: v.exactOptional(
    v.object({
      at: shaSchema,
      head: v.object({ ...chainEndSchema.entries, commit: shaSchema }),
      isChecked: v.exactOptional(v.literal(true)),
    }),
  ),
});

const reasons = {
  malformed: "it isn't written as the format says",
  forged: "it's in somebody else's name",
  newer: 'a newer version of Patch Stacks wrote it',
  gap: 'an operation is missing or stands there twice',
  clock: 'its clock goes back',
};

/** What a log may bring in a round, about: the commit that passes it is taken in whole. */
export interface LogBudget {
  operations: number;
  bytes: number;
}

/** All that logs are taken into. */
export interface AdmissionParts {
  logs: SharedLogs;
  store: SharingStore;
  fold: Fold;
  clock: HybridClock;
  now: () => number;
  /** The branches that there are: a log that is new here may be begun with a snapshot, without what is about others. */
  branches: ReadonlySet<string>;
  /** True for a device of which nothing is taken in: it speaks for the person, who has not said that it's theirs. */
  isStranger: (writer: Writer) => boolean;
  /** Left out, what it may in a round. */
  most?: LogBudget | undefined;
}

/** The reason for which all logs are to be read anew. */
class ReadAnew extends Error {}

/** Logs that are read at the same time: each takes some runs of git. */
const atOnce = 4;
/** Operations that are taken in at once: the disk is waited for once, and so does whoever asks the service something. */
const slice = 500;
/** A log that has more is read on in the next rounds, and keeps nobody else waiting. */
const mostInRound: LogBudget = { operations: 20_000, bytes: 16 * 1024 * 1024 };
const unlimited: LogBudget = { operations: Infinity, bytes: Infinity };
/** Operations of snapshots that are gathered: those on a branch lie together in the database. */
const mostGathered = 5_000;

/** The same in lists of so many at most. */
function slicesOf<Item>(items: readonly Item[], most = 2_000): Item[][] {
  return Array.from({ length: Math.ceil(items.length / most) }, (_none, index) =>
    items.slice(index * most, (index + 1) * most),
  );
}

/**
 * Takes in all logs: that which is written here, as the others read it, and what is new in those that were fetched.
 *
 * @param own The log that is written here.
 * @returns What was not taken, the devices of which nothing is, the logs of which there is more, and whether the remote has all of the
 *   own log, as far as it was seen.
 * @throws Error when that one isn't as it was written.
 */
export async function admitAll(
  parts: AdmissionParts,
  own: Writer,
  signal?: AbortSignal,
): Promise<{ problems: LogProblem[]; strangers: string[]; unfinished: string[]; isPushed: boolean }> {
  const { store } = parts;
  // A kill while logs were begun has left some of their operations.
  if (store.read('beginning') !== undefined || (await hasMissed(parts, signal))) {
    await forgetFoldInTurns(parts);
  }
  store.write([...parts.branches], 'live');
  for (;;) {
    try {
      const seen = await parts.logs.seenTips(signal);
      const ownTip = await admitOwn(parts, own, signal);
      const isPushed = seen.tips.get(pathOf(own)) === ownTip;
      const others = [...seen.tips].flatMap(([log, tip]) => {
        const writer = writerOf(log);
        return writer && log !== pathOf(own) ? [{ log, tip, writer }] : [];
      });
      const [strange = [], known = []] = [true, false].map((is) =>
        others.filter(({ writer }) => parts.isStranger(writer) === is),
      );
      const { problems, unfinished } = await admit(parts, known, seen.strange, signal);
      problems.push(...seen.endless.map((log) => ({ log, reason: "it doesn't end with a commit" })));
      return { problems, strangers: strange.map(({ writer }) => writer.device), unfinished, isPushed };
    } catch (error) {
      if (!(error instanceof ReadAnew)) {
        throw error;
      }
      await forgetFoldInTurns(parts);
    }
  }
}

/** The same as `forgetFold`, with turns for others between: there may be millions of rows. */
export async function forgetFoldInTurns(parts: Pick<AdmissionParts, 'store' | 'fold'>): Promise<void> {
  // A kill meanwhile is noted by that: then it's gone on with.
  parts.store.write(1, 'beginning');
  for (const kind of ['log', ...foldKinds]) {
    while (parts.store.forgetSome(kind)) {
      await nextTurn();
    }
  }
  forgetFold(parts);
}

/** Throws away what was made of all logs: it is made again of them. */
export function forgetFold({ store, fold }: Pick<AdmissionParts, 'store' | 'fold'>): void {
  fold.noteForgotten();
  store.transaction(() => {
    ['log', ...foldKinds].forEach((kind) => store.forgetAll(kind));
    store.forget('own log');
    store.forget('beginning');
  });
}

/** True where there is a branch that wasn't there before, and operations on it that were left out. */
async function hasMissed({ logs, store, branches }: AdmissionParts, signal?: AbortSignal): Promise<boolean> {
  const before = new Set(store.readAs(v.array(v.string()), 'live'));
  const files = [...branches].filter((branch) => !before.has(branch)).map((branch) => fileOf(branch));
  if (files.length === 0) {
    return false;
  }
  const states = [
    store.readAs(logStateSchema, 'own log'),
    ...store.listAs(logStateSchema, 'log').map(([, state]) => state),
  ];
  const names = states.flatMap((state) =>
    state?.begun ? files.map((file) => `${state.begun?.at}:${snapshotFolder}/${file}`) : [],
  );
  for await (const object of logs.objects(names, signal)) {
    if ('bytes' in object) {
      return true;
    }
  }
  return false;
}

/**
 * Takes in the log that is written here, as the others read it: what the fold doesn't have of it, and in which commits it is.
 *
 * @returns Its last commit.
 * @throws Error when it is not as it was written.
 */
export async function admitOwn(
  parts: AdmissionParts,
  own: Writer,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const { logs, store } = parts;
  const tip = await logs.ownTip(own, signal);
  const noted = (): LogState | undefined => store.readAs(logStateSchema, 'own log');
  const before = noted()?.tip;
  if (tip === undefined && before !== undefined) {
    throw new DamagedLogsError(`The log ${pathOf(own)} is gone from this computer.`);
  }
  if (tip === undefined || tip === before) {
    return tip;
  }
  // Whatever the computer's clock says by now, it is what was written here; and it's taken in whole, for what is said here goes on from it.
  const unhurried = { ...parts, now: () => Infinity, most: unlimited };
  if (!noted()) {
    await begin(unhurried, [{ writer: own, tip, name: ['own log'] }], signal);
  }
  const { problem } = await readOn(unhurried, own, tip, noted() ?? noChain, ['own log'], signal);
  if (problem !== undefined) {
    throw new Error(`The log ${pathOf(own)} isn't as it was written on this computer: ${problem.reason}`);
  }
  return tip;
}

/**
 * Takes in what is new in logs that were fetched.
 *
 * @param strange The number of refs that are no logs.
 * @returns What was not taken, and the logs of which there is more.
 */
async function admit(
  parts: AdmissionParts,
  open: readonly { log: string; tip: string; writer: Writer }[],
  strange: number,
  signal?: AbortSignal,
): Promise<{ problems: LogProblem[]; unfinished: string[] }> {
  const { store } = parts;
  const found = new Map<string, Reason>();
  const unfinished: string[] = [];
  const isNew = ({ log }: { log: string }): boolean => store.readAs(logStateSchema, 'log', log) === undefined;
  await begin(
    parts,
    open.filter(isNew).map(({ log, ...rest }) => ({ ...rest, name: ['log', log] })),
    signal,
  );
  const next = open.values();
  const work = async (): Promise<void> => {
    for (const { log, tip, writer } of next) {
      const before = store.readAs(logStateSchema, 'log', log);
      if (tip === before?.tip) {
        continue;
      }
      const { problem, hasMore } =
        before?.refused?.tip === tip
          ? { problem: { reason: before.refused.reason } }
          : await readOn(parts, writer, tip, before ?? noChain, ['log', log], signal);
      if (problem !== undefined) {
        found.set(log, problem);
      }
      if (hasMore === true) {
        unfinished.push(log);
      }
    }
  };
  // All of them end before anything is thrown away: none is to write into what is read anew.
  const ends = await Promise.allSettled(Array.from({ length: atOnce }, work));
  for (const end of ends) {
    if (end.status === 'rejected') {
      throw end.reason;
    }
  }
  const problems = [
    ...(strange > 0 ? [{ log: '', reason: `some refs aren't logs (${strange})` }] : []),
    ...open.flatMap(({ log }) => {
      const problem =
        found.get(log) ??
        (isDistrusted(store, log) ? { reason: 'its snapshot says something else than it does' } : undefined);
      return problem === undefined ? [] : [{ log, ...problem }];
    }),
  ];
  return { problems, unfinished: unfinished.sort() };
}

/** A log of which nothing is taken in, and the name of what is noted of it. */
interface NewLog {
  writer: Writer;
  tip: string;
  name: readonly string[];
}

/**
 * Begins logs with their newest snapshots, branch by branch: what the fold has of one lies together in the database. Those that have none are
 * left to be read from their beginnings.
 */
async function begin(parts: AdmissionParts, news: readonly NewLog[], signal?: AbortSignal): Promise<void> {
  const { logs, store, fold, branches } = parts;
  const begun = await withSnapshots(parts, news, signal);
  const files = [undefined, ...branches].flatMap((branch) => begun.map((log) => ({ ...log, branch })));
  const names = files.map(({ tip, branch }) => `${tip}:${snapshotFolder}/${fileOf(branch)}`);
  let gathered: SnapshotOperation[] = [];
  const take = async (): Promise<void> => {
    for (const some of slicesOf(gathered)) {
      store.transaction(() => {
        store.write(1, 'beginning');
        fold.addSome(some);
      });
      await nextTurn();
    }
    gathered = [];
  };
  let index = 0;
  let areTrusted = true;
  for await (const object of logs.objects(names, signal)) {
    const file = files[index++];
    if (file && ('bytes' in object || object.size !== undefined)) {
      const { writer, branch, head } = file;
      const read =
        'bytes' in object ? await inTurns(decodingFile(object.bytes, writer, branch, head)) : undefined;
      if (Array.isArray(read)) {
        gathered.push(...read);
      } else {
        distrust(store, writer);
        areTrusted = false;
      }
    }
    if (index % begun.length === 0 || gathered.length >= mostGathered) {
      await take();
    }
  }
  if (!areTrusted) {
    // Once for all of them.
    throw new ReadAnew();
  }
  store.transaction(() => {
    for (const { writer, tip, name, head } of begun) {
      fold.begin(writer, head.seq);
      const { seq, clock: time, commit } = head;
      store.write({ seq, clock: time, tip: commit, begun: { at: tip, head } } satisfies LogState, ...name);
    }
    store.forget('beginning');
  });
}

/** Those that have a snapshot which can be begun with, and how far that goes. */
async function withSnapshots(
  { logs, store, now }: AdmissionParts,
  news: readonly NewLog[],
  signal?: AbortSignal,
): Promise<(NewLog & { head: SnapshotHead })[]> {
  const trusted = news.filter(({ writer }) => !isDistrusted(store, pathOf(writer)));
  const names = trusted.map(({ tip }) => `${tip}:${snapshotFolder}/${headName}`);
  const found: (NewLog & { head: SnapshotHead })[] = [];
  let index = 0;
  for await (const object of logs.objects(names, signal)) {
    const log = trusted[index++];
    const head = log && 'bytes' in object ? decodeHead(object.bytes, log.writer) : undefined;
    if (log && head && head.clock[0] <= now() + mostAheadMs) {
      found.push({ ...log, head });
    }
  }
  return found;
}

/** The operations of a commit, or some of them. */
interface CommitOperations {
  sha: string;
  operations: LoggedOperation[];
}

/** The same in lists that take about as long as each other, one at least: many small commits in one, and a large one in several. */
function slicesOfCommits(commits: readonly CommitOperations[]): CommitOperations[][] {
  const slices: CommitOperations[][] = [[]];
  let size = 0;
  for (const { sha, operations } of commits) {
    let part: LoggedOperation[] | undefined;
    for (const operation of operations) {
      if (size >= slice) {
        slices.push([]);
        size = 0;
        part = undefined;
      }
      if (!part) {
        part = [];
        slices.at(-1)?.push({ sha, operations: part });
      }
      part.push(operation);
      size += weightOf(operation);
    }
  }
  return slices;
}

/** The rows that the fold has of an operation, about. */
function weightOf({ content }: LoggedOperation): number {
  return (
    1 + (content?.type === 'text' ? content.over : content?.type === 'version' ? content.changes : []).length
  );
}

/** What came of reading a log on: why something in it was not taken, or that there is more than it may bring at once. */
interface ReadOn {
  problem?: Reason;
  hasMore?: true;
}

/** Reads a log on, commit by commit. */
async function readOn(
  { logs, store, fold, clock, now, most = mostInRound }: AdmissionParts,
  writer: Writer,
  tip: string,
  before: LogState,
  name: readonly string[],
  signal?: AbortSignal,
): Promise<ReadOn> {
  let state = before;
  let gathered: CommitOperations[] = [];
  let count = 0;
  const left = { ...most };
  const take = async (): Promise<void> => {
    const slices = slicesOfCommits(gathered);
    for (const [index, some] of slices.entries()) {
      store.transaction(() => {
        some.forEach(({ sha, operations }) => fold.add(operations, sha));
        if (index === slices.length - 1) {
          clock.see(state.clock);
          store.write(clock.last, 'clock');
          store.write(state, ...name);
        }
      });
      await nextTurn();
    }
    gathered = [];
    count = 0;
  };
  const refuse = async (reason: string): Promise<ReadOn> => {
    await take();
    store.write({ ...state, refused: { tip, reason } }, ...name);
    return { problem: { reason } };
  };
  const isBegun = state.begun !== undefined && state.tip === state.begun.head.commit;
  const read = await logs.read(tip, state.tip, signal).catch((error: unknown) => {
    // The commit that a snapshot names may be any, or none.
    if (isBegun && error instanceof ServiceError && error.code === 'git_failed') {
      return { rewritten: true as const };
    }
    throw error;
  });
  if ('rewritten' in read) {
    if (isBegun) {
      distrust(store, writer);
      throw new ReadAnew();
    }
    return refuse('it was rewritten: what it said before still counts');
  }
  for await (const commit of read.commits) {
    if ('unreadable' in commit) {
      return refuse(`commit ${commit.sha} can't be read: ${commit.unreadable}`);
    }
    const batch = await inTurns(decodingBatch(commit.bytes, writer, state));
    if ('refusal' in batch) {
      return refuse(`commit ${commit.sha} is refused: ${reasons[batch.refusal]} (${batch.detail})`);
    }
    if (batch.end.clock[0] > now() + mostAheadMs) {
      await take();
      const [dated] = batch.end.clock;
      return { problem: { reason: `commit ${commit.sha} waits: its clock is far ahead`, dated } };
    }
    gathered.push({ sha: commit.sha, operations: batch.operations });
    state = { ...state, ...batch.end, tip: commit.sha };
    count += batch.operations.length;
    left.operations -= batch.operations.length;
    left.bytes -= commit.bytes.length;
    if (Math.min(left.operations, left.bytes) <= 0 && commit.sha !== tip) {
      await take();
      return { hasMore: true };
    }
    if (count >= slice) {
      await take();
    }
  }
  await take();
  return {};
}

function isDistrusted(store: SharingStore, log: string): boolean {
  return store.read('distrusted', log) !== undefined;
}

/** Notes that the snapshots of a log aren't to be used: what was made of one is to be thrown away. */
function distrust(store: SharingStore, writer: Writer): void {
  store.write(1, 'distrusted', pathOf(writer));
}

/**
 * Holds the snapshot that one log was begun with against that log: whoever comes later must come to the same as everybody else.
 *
 * @returns False where it says something else: then all logs are to be read anew.
 */
export async function checkOneSnapshot(
  { logs, store }: Pick<AdmissionParts, 'logs' | 'store'>,
  signal?: AbortSignal,
): Promise<boolean> {
  for (const [log, state] of store.listAs(logStateSchema, 'log')) {
    const writer = writerOf(log);
    if (writer && state.begun && state.begun.isChecked !== true) {
      const isSame = await isOfLog(logs, writer, state.begun, signal);
      if (isSame) {
        store.write({ ...state, begun: { ...state.begun, isChecked: true } }, 'log', log);
      } else {
        store.write(1, 'distrusted', log);
      }
      return isSame;
    }
  }
  return true;
}

async function isOfLog(
  logs: SharedLogs,
  writer: Writer,
  { at, head }: NonNullable<LogState['begun']>,
  signal?: AbortSignal,
): Promise<boolean> {
  const read = await logs.read(head.commit, undefined, signal);
  const digests = new Map<string, Hash>();
  let end = noChain;
  for await (const commit of 'commits' in read ? read.commits : []) {
    const batch = 'bytes' in commit ? await inTurns(decodingBatch(commit.bytes, writer, end)) : undefined;
    if (!batch || 'refusal' in batch || !('bytes' in commit)) {
      return false;
    }
    ({ end } = batch);
    for (const [file, text] of await inTurns(findingLines(commit.sha, commit.bytes))) {
      const digest = digests.get(file) ?? createHash('sha256');
      digests.set(file, digest.update(text));
    }
  }
  const files = await logs.snapshotFiles(at, signal);
  files.delete(headName);
  if (
    end.seq !== head.seq ||
    isAfter(end.clock, head.clock) ||
    isAfter(head.clock, end.clock) ||
    files.size !== digests.size
  ) {
    return false;
  }
  const names = [...files.keys()];
  let index = 0;
  for await (const object of logs.objects([...files.values()], signal)) {
    const digest = digests.get(names[index++] ?? '');
    const there = 'bytes' in object ? createHash('sha256').update(object.bytes).digest('hex') : undefined;
    if (!digest || digest.digest('hex') !== there) {
      return false;
    }
  }
  return index === names.length;
}

/** Looks at the signatures of reviews that came since the last time. */
export async function checkSignatures(
  { logs, store, fold }: Pick<AdmissionParts, 'logs' | 'store' | 'fold'>,
  signal?: AbortSignal,
): Promise<void> {
  const reviews = fold.unchecked();
  const commits = [...new Set(reviews.map(({ commit }) => commit))];
  const names = commits.flatMap((commit) => [commit, `${commit}:${operationsFile}`]);
  const proofs = new Map<string, Proof>();
  let object: Buffer | undefined;
  let index = 0;
  for await (const read of logs.objects(names, signal)) {
    const commit = commits[Math.floor(index / 2)] ?? '';
    const bytes = 'bytes' in read ? read.bytes : undefined;
    if (index++ % 2 === 0) {
      object = bytes;
    } else if (object && bytes) {
      proofs.set(commit, { signature: signatureOf(object), ...(await inTurns(readingProof(bytes))) });
    }
  }
  for (const some of slicesOf(reviews)) {
    store.transaction(() => {
      for (const review of some) {
        const proof = proofs.get(review.commit);
        // One that the snapshot names may be another one, or none.
        fold.sign(review, proof && says(proof, review) ? proof.signature : 'bad');
      }
    });
    await nextTurn();
  }
}

/** A commit that vouches for a review. */
interface Proof {
  signature: Signature | undefined;
  header: unknown;
  /** What the lines after that say, by the numbers of their operations. */
  bySeq: ReadonlyMap<unknown, readonly unknown[]>;
}

/** Reads the text of a commit line by line, once for all reviews that came with it. */
function* readingProof(bytes: Buffer): Steps<Pick<Proof, 'header' | 'bySeq'>> {
  const lines = yield* readingLines(bytes);
  const [header, ...values] = Array.isArray(lines) ? lines.map(({ value }) => value) : [];
  const bySeq = new Map<unknown, unknown[]>();
  for (const value of values) {
    const { seq } = membersOf(value);
    const before = bySeq.get(seq) ?? [];
    before.push(value);
    bySeq.set(seq, before);
  }
  return { header, bySeq };
}

/** True where a commit has a review as it counts. */
function says({ header, bySeq }: Proof, { id, says: word, about }: UncheckedReview): boolean {
  const writer = writerOf(id.slice(0, id.lastIndexOf('/')));
  const seq = Number(id.slice(id.lastIndexOf('/') + 1));
  if (!writer || refusalOfHeader(header, writer)) {
    return false;
  }
  return (bySeq.get(seq) ?? []).some((value) => {
    const operation = operationOf(value, writer);
    return (
      'content' in operation &&
      operation.seq === seq &&
      operation.content?.type === 'review' &&
      operation.content.says === word &&
      operation.content.commit === about
    );
  });
}
