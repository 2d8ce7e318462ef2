/**
 * Snapshots of logs: the operations of a log by their branches, in the tree of its newest commits. Whoever begins to read it takes those of
 * the branches that there are, and leaves years of others alone. A snapshot says nothing that the log doesn't: whoever has begun with one
 * holds it against the log later, at leisure.
 */
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { atOnce, type Steps } from '../../util/inTurns.ts';
import { isAfter } from './clock.ts';
import {
  clockSchema,
  encodeHeader,
  jsonLines,
  operationOf,
  readingLines,
  refusalOfHeader,
  seqSchema,
  shaSchema,
  type ChainEnd,
  type LoggedOperation,
  type Refused,
  type Writer,
} from './operations.ts';

/** The folder in the tree of a commit. */
export const snapshotFolder = 'snapshot';
/** The file in it that says up to where it goes. */
export const headName = 'head';
/** As many operations come before a device takes a new snapshot of its log. */
export const operationsPerSnapshot = 500;

/** The end of the part of a log that a snapshot has. */
export interface SnapshotHead extends ChainEnd {
  /** The last commit of that part. */
  commit: string;
}

/** An operation of a snapshot; one that is signed names the commit that it came with. */
export interface SnapshotOperation {
  operation: LoggedOperation;
  commit: string | undefined;
}

/** The file of the operations on a branch; without one, of those that are about none. */
export function fileOf(branch?: string): string {
  return branch === undefined ? 'general' : createHash('sha256').update(branch).digest('hex').slice(0, 40);
}

const headSchema = v.looseObject({ seq: seqSchema, clock: clockSchema, commit: shaSchema });

/** The text of the file that says up to where a snapshot goes. */
export function encodeHead(writer: Writer, { seq, clock, commit }: SnapshotHead): string {
  return `${encodeHeader(writer, { seq, clock, commit })}\n`;
}

/** Reads it; undefined where it isn't one of this format and writer. */
export function decodeHead(bytes: Uint8Array, writer: Writer): SnapshotHead | undefined {
  const lines = jsonLines(bytes);
  const value = Array.isArray(lines) ? lines[0]?.value : undefined;
  if (refusalOfHeader(value, writer) || !v.is(headSchema, value)) {
    return undefined;
  }
  const { seq, clock, commit } = value;
  return { seq, clock, commit };
}

const onBranch = v.looseObject({ branch: v.string() });
const review = v.looseObject({ type: v.literal('review') });
const mark = v.strictObject({ commit: shaSchema });

/** The lines that a commit adds to each file of a snapshot: its operations as they stand there, after its name where one of them is a review. */
export function linesByFile(sha: string, bytes: Uint8Array): Map<string, string> {
  return atOnce(findingLines(sha, bytes));
}

/** The same line by line. */
export function* findingLines(sha: string, bytes: Uint8Array): Steps<Map<string, string>> {
  const lines = yield* readingLines(bytes);
  const files = new Map<string, { text: string; isSigned: boolean }>();
  for (const { line, value } of Array.isArray(lines) ? lines.slice(1) : []) {
    yield;
    const file = fileOf(v.is(onBranch, value) ? value.branch : undefined);
    const { text, isSigned } = files.get(file) ?? { text: '', isSigned: false };
    files.set(file, { text: `${text}${line}\n`, isSigned: isSigned || v.is(review, value) });
  }
  const name = `${JSON.stringify({ commit: sha })}\n`;
  return new Map([...files].map(([file, { text, isSigned }]) => [file, isSigned ? `${name}${text}` : text]));
}

/** Reads the operations on a branch, or on none, of a snapshot, line by line. */
export function* decodingFile(
  bytes: Uint8Array,
  writer: Writer,
  branch: string | undefined,
  head: SnapshotHead,
): Steps<SnapshotOperation[] | Refused> {
  const lines = yield* readingLines(bytes);
  if (!Array.isArray(lines)) {
    return lines;
  }
  const found: SnapshotOperation[] = [];
  let commit: string | undefined;
  let last: ChainEnd | undefined;
  for (const { value } of lines) {
    yield;
    if (v.is(mark, value)) {
      ({ commit } = value);
      continue;
    }
    const operation = operationOf(value, writer);
    if ('refusal' in operation) {
      return operation;
    }
    const { seq, clock, content } = operation;
    if (seq <= (last?.seq ?? 0) || seq > head.seq) {
      return { refusal: 'gap', detail: String(seq) };
    }
    if ((last && !isAfter(clock, last.clock)) || isAfter(clock, head.clock)) {
      return { refusal: 'clock', detail: String(seq) };
    }
    if (content && ('branch' in content ? content.branch : undefined) !== branch) {
      return { refusal: 'malformed', detail: `${seq} is about something else` };
    }
    found.push({ operation, commit });
    last = { seq, clock };
  }
  return found;
}
