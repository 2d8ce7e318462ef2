/**
 * The things that people do with reviews, as operations: one line of JSON each, in the order in which a device wrote them. See
 * docs/sharing.md. What is read here comes from strangers: it is bounded and checked before anything else sees it.
 */
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { messageOf } from '../../util/messageOf.ts';
import { filledLine, freeText, line } from '../requests.ts';
import { isAfter, type Clock } from './clock.ts';

/** The version of the format. A change that older versions would misread makes the next one; a new kind of operation doesn't. */
const format = 1;
/** Bytes: the largest text of a commit. */
export const largestBatch = 16 * 1024 * 1024;
/** The most entries of a list in an operation. */
const longestList = 10_000;

/** A person on one device: the owner of one ref. */
export interface Writer {
  /** Made from their address: see `personOf`. */
  person: string;
  device: string;
}

const personPattern = '[0-9a-f]{20}';
const devicePattern = '[0-9a-f]{16}';
const writerPath = new RegExp(`^(${personPattern})/(${devicePattern})$`);

/** The name of a person in refs. It gives no address away, and no other address has it. */
export function personOf(email: string): string {
  return createHash('sha256').update(email.trim().toLowerCase()).digest('hex').slice(0, 20);
}

/** `PERSON/DEVICE`, as refs end. */
export function pathOf({ person, device }: Writer): string {
  return `${person}/${device}`;
}

/** The writer that a ref's end names; undefined when it names none. */
export function writerOf(path: string): Writer | undefined {
  const [, person, device] = writerPath.exec(path) ?? [];
  return person === undefined || device === undefined ? undefined : { person, device };
}

const operationId = v.pipe(
  v.string(),
  v.maxLength(60),
  v.regex(new RegExp(`^${personPattern}/${devicePattern}/\\d+$`)),
);
const branch = filledLine(1000);
const sha = v.pipe(v.string(), v.regex(/^[0-9a-f]{40,64}$/));
/** The path of a file, the code of a text, or `message` for that of the commit's message. */
const sectionName = filledLine(4096);
const patch = { branch, change: filledLine(1000), commit: sha };

const known = {
  person: v.object({
    name: filledLine(200),
    email: filledLine(320),
    given_name: v.optional(line(200)),
    family_name: v.optional(line(200)),
  }),
  key: v.object({ fingerprint: filledLine(200), name: filledLine(200), key: v.nullable(filledLine(20_000)) }),
  stack: v.object({
    branch,
    title: v.optional(filledLine(1000)),
    description: v.optional(freeText(100_000)),
    status: v.optional(v.picklist(['active', 'closed'])),
  }),
  version: v.object({
    branch,
    changes: v.pipe(v.array(v.object({ change: patch.change, commit: sha })), v.maxLength(longestList)),
  }),
  text: v.object({
    ...patch,
    section: sectionName,
    text: v.nullable(freeText(1_000_000)),
    over: v.pipe(v.array(operationId), v.maxLength(longestList)),
    base: v.optional(freeText(1_000_000)),
    after: v.optional(v.nullable(sectionName)),
  }),
  order: v.object({ ...patch, order: v.pipe(v.array(sectionName), v.maxLength(longestList)) }),
  review: v.object({
    ...patch,
    patch: filledLine(200),
    says: v.picklist(['signed_off', 'changes_requested']),
  }),
};

type Kinds = { [Kind in keyof typeof known]: { type: Kind } & v.InferOutput<(typeof known)[Kind]> };

/** An operation of each kind that this version knows. */
export type Operation = Kinds[keyof Kinds];
/** Someone wrote a text, or deleted it: then it is null. `over` are the operations whose texts the writer had before them. */
export type TextOperation = Kinds['text'];

/** An operation as it stands in the log; one of a kind that a newer version made has no content here. */
export interface LoggedOperation {
  id: string;
  writer: Writer;
  seq: number;
  clock: Clock;
  content: Operation | undefined;
}

const envelope = v.looseObject({
  seq: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  clock: v.tuple([
    v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
    v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  ]),
  type: v.pipe(v.string(), v.maxLength(100)),
});

/** The last operation of a chain of commits: the next one goes on from there. */
export interface ChainEnd {
  seq: number;
  clock: Clock;
}

/** The end of a chain that has nothing yet. */
export const noChain: ChainEnd = { seq: 0, clock: [0, 0] };

/** Why the operations of a commit are not taken. */
export type Refusal = 'malformed' | 'forged' | 'newer' | 'gap' | 'clock';

/** The operations of one commit, or why they are refused. */
export type Batch = { operations: LoggedOperation[]; end: ChainEnd } | { refusal: Refusal; detail: string };

/** The text of a commit. */
export function encodeBatch(writer: Writer, operations: readonly LoggedOperation[]): string {
  const lines = operations.map(({ seq, clock, content }) => JSON.stringify({ seq, clock, ...content }));
  return [JSON.stringify({ format, ...writer }), ...lines, ''].join('\n');
}

/**
 * Reads the text of a commit. All of it is taken, or nothing.
 *
 * @param writer Whose ref the commit stands in.
 * @param before What the commits before it have come to.
 */
export function decodeBatch(bytes: Uint8Array, writer: Writer, before: ChainEnd): Batch {
  let lines: unknown[];
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    lines = text
      .split('\n')
      .filter((each) => each !== '')
      .map((each) => JSON.parse(each) as unknown);
  } catch (error) {
    return { refusal: 'malformed', detail: messageOf(error) };
  }
  const [header, ...rest] = lines as [Record<string, unknown> | null, ...unknown[]];
  if (header?.['format'] !== format) {
    return Number(header?.['format']) > format
      ? { refusal: 'newer', detail: String(header?.['format']) }
      : { refusal: 'malformed', detail: 'no header' };
  }
  if (header['person'] !== writer.person || header['device'] !== writer.device) {
    return { refusal: 'forged', detail: 'the header names another writer' };
  }
  const operations: LoggedOperation[] = [];
  let end = before;
  for (const each of rest) {
    const read = v.safeParse(envelope, each);
    if (!read.success) {
      return { refusal: 'malformed', detail: v.getDotPath(read.issues[0]) ?? 'operation' };
    }
    const { seq, clock, type } = read.output;
    const id = `${pathOf(writer)}/${seq}`;
    if (seq !== end.seq + 1) {
      return { refusal: 'gap', detail: `${seq} follows ${end.seq}` };
    }
    if (!isAfter(clock, end.clock)) {
      return { refusal: 'clock', detail: `operation ${seq} is older than the one before it` };
    }
    const content = contentOf(type, each);
    if (content && 'issues' in content) {
      return { refusal: 'malformed', detail: `${type}.${v.getDotPath(content.issues[0]) ?? ''}` };
    }
    if (content?.type === 'person' && personOf(content.email) !== writer.person) {
      return { refusal: 'forged', detail: 'the address is of somebody else' };
    }
    operations.push({ id, writer, seq, clock, content });
    end = { seq, clock };
  }
  return { operations, end };
}

function contentOf(
  type: string,
  line: unknown,
): Operation | { issues: [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]] } | undefined {
  if (!Object.hasOwn(known, type)) {
    return undefined;
  }
  const read = v.safeParse<v.GenericSchema>(known[type as keyof typeof known], line);
  return read.success ? ({ type, ...(read.output as object) } as Operation) : { issues: read.issues };
}
