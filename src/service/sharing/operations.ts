/**
 * The things that people do with reviews, as operations: one line of JSON each, in the order in which a device wrote them. See
 * docs/sharing.md. What is read here comes from strangers: it is bounded and checked before anything else sees it.
 */
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { Withheld } from '../../protocol/localService.ts';
import { atOnce, type Steps } from '../../util/inTurns.ts';
import { messageOf } from '../../util/messageOf.ts';
import { filledLine, freeText, line } from '../requests.ts';
import { isAfter, largestCount, type Clock } from './clock.ts';

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
/** The name of a commit. */
export const shaSchema = v.pipe(v.string(), v.regex(/^[0-9a-f]{40,64}$/));
/** The path of a file (see `fileName`), the code of a text, or `message` for that of the commit's message. */
const sectionName = filledLine(4096);
const plainPath = /^\P{Cc}*$/u;

/** The name of a file's section. One line can't have every path as it is: those that need it are quoted, as JSON does. */
export function fileName(path: string): string {
  return path.isWellFormed() && plainPath.test(path)
    ? `/${path}`
    : JSON.stringify(path).replaceAll(
        // JSON leaves these as they are.
        /[\u007f-\u009f]/g,
        (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
}
const patch = { branch, change: filledLine(1000), commit: shaSchema };

/** The number of an operation in its log. */
export const seqSchema = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
/** A number of things, or none. */
export const countSchema = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
/** The time of an operation. */
export const clockSchema = v.tuple([countSchema, v.pipe(countSchema, v.maxValue(largestCount))]);
const place = { seq: seqSchema, clock: clockSchema };

/** The lines of each kind of operation that this version knows. */
const known = {
  person: v.object({
    ...place,
    type: v.literal('person'),
    name: filledLine(200),
    email: filledLine(320),
    given_name: v.optional(line(200)),
    family_name: v.optional(line(200)),
  }),
  key: v.object({
    ...place,
    type: v.literal('key'),
    fingerprint: filledLine(200),
    name: filledLine(200),
    key: v.nullable(filledLine(20_000)),
  }),
  stack: v.object({
    ...place,
    type: v.literal('stack'),
    branch,
    title: v.optional(filledLine(1000)),
    description: v.optional(freeText(100_000)),
    status: v.optional(v.picklist(['active', 'closed'])),
  }),
  version: v.object({
    ...place,
    type: v.literal('version'),
    branch,
    changes: v.pipe(v.array(v.object({ change: patch.change, commit: shaSchema })), v.maxLength(longestList)),
  }),
  text: v.object({
    ...place,
    type: v.literal('text'),
    ...patch,
    section: sectionName,
    text: v.nullable(freeText(1_000_000)),
    over: v.pipe(v.array(operationId), v.maxLength(longestList)),
    base: v.optional(freeText(1_000_000)),
    after: v.optional(v.nullable(sectionName)),
  }),
  order: v.object({
    ...place,
    type: v.literal('order'),
    ...patch,
    order: v.pipe(v.array(sectionName), v.maxLength(longestList)),
  }),
  ahead: v.object({
    ...place,
    type: v.literal('ahead'),
    log: v.pipe(v.string(), v.regex(writerPath)),
    clock_of: v.nullable(countSchema),
  }),
  review: v.object({
    ...place,
    type: v.literal('review'),
    ...patch,
    patch: filledLine(200),
    says: v.picklist(['signed_off', 'changes_requested']),
  }),
};

type Lines = { [Kind in keyof typeof known]: v.InferOutput<(typeof known)[Kind]> };
type Line = Lines[keyof Lines];
type Operations = { [Kind in keyof Lines]: Omit<Lines[Kind], keyof typeof place> };

/** An operation of each kind that this version knows. */
export type Operation = Operations[keyof Operations];

/** Commits that one operation names: it is to fit into a commit, whatever they are called. */
const longestVersion = 1000;

/**
 * The operations that name commits of a branch, as many as it takes. Changes that none can name are left out: a trailer may be as long as
 * it likes, and the others are to be shared all the same.
 */
export function versionsOf(branch: string, commits: Operations['version']['changes']): Operation[] {
  const named = commits.filter(({ change }) => v.is(patch.change, change));
  return Array.from({ length: Math.ceil(named.length / longestVersion) }, (_, index) => ({
    type: 'version',
    branch,
    changes: named.slice(index * longestVersion, (index + 1) * longestVersion),
  }));
}

/** Someone wrote a text, or deleted it: then it is null. `over` are the operations whose texts the writer had before them. */
export type TextOperation = Operations['text'];

/** The same by name: valibot's own choice among several schemas takes ten times as long. */
const lineSchemas = new Map<string, v.GenericSchema<unknown, Line>>(Object.entries(known));
const lineOfAny = v.looseObject({ ...place, type: v.pipe(v.string(), v.maxLength(100)) });
const typed = v.looseObject({ type: v.string() });

/** An operation as it stands in the log; one of a kind that a newer version made has no content here. */
export interface LoggedOperation {
  id: string;
  writer: Writer;
  seq: number;
  clock: Clock;
  content: Operation | undefined;
}

/** The last operation of a chain of commits: the next one goes on from there. */
export interface ChainEnd {
  seq: number;
  clock: Clock;
}

/** One that was noted. */
export const chainEndSchema = v.object({ seq: countSchema, clock: clockSchema });

/** The end of a chain that has nothing yet. */
export const noChain: ChainEnd = { seq: 0, clock: [0, 0] };

/** Why the operations of a commit are not taken. */
export type Refusal = 'malformed' | 'forged' | 'newer' | 'gap' | 'clock';

/** That something is not taken, and why. */
export interface Refused {
  refusal: Refusal;
  detail: string;
  /** The rule that what is malformed breaks, as valibot calls it. */
  rule?: string;
}

/** The operations of one commit, or why they are refused. */
export type Batch = { operations: LoggedOperation[]; end: ChainEnd } | Refused;

/** The text of a commit. */
export function encodeBatch(writer: Writer, operations: readonly LoggedOperation[]): string {
  const lines = operations.map(({ seq, clock, content }) => JSON.stringify({ seq, clock, ...content }));
  return [encodeHeader(writer), ...lines, ''].join('\n');
}

/** Why an operation can't be shared: nobody would take it, nor anything behind it. Undefined where it can. */
export function whyWithheld(operation: LoggedOperation, before: ChainEnd): Withheld['why'] | undefined {
  const { writer } = operation;
  // As everybody else will read it.
  const bytes = Buffer.from(encodeBatch(writer, [operation]));
  if (bytes.length > largestBatch) {
    return 'tooLong';
  }
  const batch = decodeBatch(bytes, writer, before);
  if (!('refusal' in batch)) {
    return undefined;
  }
  switch (batch.rule) {
    case 'max_length':
      return 'tooLong';
    case 'regex':
      return 'characters';
    default:
      return 'unreadable';
  }
}

/** The first line of what a device writes. */
export function encodeHeader({ person, device }: Writer, more: object = {}): string {
  return JSON.stringify({ format, person, device, ...more });
}

/**
 * Reads the text of a commit. All of it is taken, or nothing.
 *
 * @param writer Whose ref the commit stands in.
 * @param before What the commits before it have come to.
 */
export function decodeBatch(bytes: Uint8Array, writer: Writer, before: ChainEnd): Batch {
  return atOnce(decodingBatch(bytes, writer, before));
}

/** The same line by line. */
export function* decodingBatch(bytes: Uint8Array, writer: Writer, before: ChainEnd): Steps<Batch> {
  const lines = yield* readingLines(bytes);
  if (!Array.isArray(lines)) {
    return lines;
  }
  const [header, ...rest] = lines;
  const refused = refusalOfHeader(header?.value, writer);
  if (refused) {
    return refused;
  }
  const operations: LoggedOperation[] = [];
  let end = before;
  for (const { value } of rest) {
    yield;
    const operation = operationOf(value, writer);
    if ('refusal' in operation) {
      return operation;
    }
    const { seq, clock } = operation;
    if (seq !== end.seq + 1) {
      return { refusal: 'gap', detail: `${seq} follows ${end.seq}` };
    }
    if (!isAfter(clock, end.clock)) {
      return { refusal: 'clock', detail: `operation ${seq} is older than the one before it` };
    }
    operations.push(operation);
    end = { seq, clock };
  }
  return { operations, end };
}

/** A line of a text as it stands there, and as what it says. */
export interface JsonLine {
  line: string;
  value: unknown;
}

/** The lines of a text that have something. */
export function jsonLines(bytes: Uint8Array): JsonLine[] | Refused {
  return atOnce(readingLines(bytes));
}

/** The same line by line. */
export function* readingLines(bytes: Uint8Array): Steps<JsonLine[] | Refused> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const found: JsonLine[] = [];
    for (let start = 0; start < text.length;) {
      yield;
      const next = text.indexOf('\n', start);
      const end = next === -1 ? text.length : next;
      if (end > start) {
        const line = text.slice(start, end);
        if (hasTooMany(line)) {
          return { refusal: 'malformed', detail: 'a line has too many values' };
        }
        found.push({ line, value: JSON.parse(line) as unknown });
      }
      start = end + 1;
    }
    return found;
  } catch (error) {
    return { refusal: 'malformed', detail: messageOf(error) };
  }
}

/** Values of a line: lists have far fewer, and whoever reads one with millions of them keeps everybody waiting. */
const mostValues = 100_000;

/** True for a line of JSON with more values than an operation has. */
function hasTooMany(line: string): boolean {
  if (line.length <= mostValues) {
    return false;
  }
  let count = 0;
  let isText = false;
  for (let index = 0; index < line.length && count <= mostValues; index++) {
    const code = line.charCodeAt(index);
    if (code === quote) {
      isText = !isText;
    } else if (isText) {
      index += code === backslash ? 1 : 0;
    } else if (code === comma || code === bracket || code === brace) {
      count++;
    }
  }
  return count > mostValues;
}

const [quote, backslash, comma, bracket, brace] = ['"', '\\', ',', '[', '{'].map((character) =>
  character.charCodeAt(0),
);

/** The last operation in the text of a commit; undefined where it has none. */
export function endOf(bytes: Uint8Array): ChainEnd | undefined {
  const lines = jsonLines(bytes);
  const last = Array.isArray(lines) ? lines.at(-1)?.value : undefined;
  return v.is(lineOfAny, last) ? { seq: last.seq, clock: last.clock } : undefined;
}

const headerOfAny = v.looseObject({ format: v.number() });
const headerOfThis = v.looseObject({ format: v.literal(format), person: v.string(), device: v.string() });

/** Why nothing behind a header is taken; undefined where it is one of this format and writer. */
export function refusalOfHeader(header: unknown, writer: Writer): Refused | undefined {
  if (!v.is(headerOfThis, header)) {
    return v.is(headerOfAny, header) && header.format > format
      ? { refusal: 'newer', detail: String(header.format) }
      : { refusal: 'malformed', detail: 'no header' };
  }
  return header.person === writer.person && header.device === writer.device
    ? undefined
    : { refusal: 'forged', detail: 'the header names another writer' };
}

/** The operation that a line is, or why it is refused. */
export function operationOf(line: unknown, writer: Writer): LoggedOperation | Refused {
  const type = v.is(typed, line) ? line.type : '';
  const schema = lineSchemas.get(type);
  if (!schema) {
    const read = v.safeParse(lineOfAny, line);
    // Of a newer version, if it is one at all.
    return read.success ? { ...placeOf(read.output, writer), content: undefined } : malformed(read.issues[0]);
  }
  const read = v.safeParse(schema, line);
  if (!read.success) {
    return malformed(read.issues[0], type);
  }
  const { seq, clock, ...content } = read.output;
  if (content.type === 'person' && personOf(content.email) !== writer.person) {
    return { refusal: 'forged', detail: 'the address is of somebody else' };
  }
  return { ...placeOf({ seq, clock }, writer), content };
}

function placeOf({ seq, clock }: ChainEnd, writer: Writer): Omit<LoggedOperation, 'content'> {
  return { id: `${pathOf(writer)}/${seq}`, writer, seq, clock };
}

function malformed(issue: v.BaseIssue<unknown>, ...type: string[]): Refused {
  return {
    refusal: 'malformed',
    detail: [...type, v.getDotPath(issue) ?? 'operation'].join('.'),
    rule: issue.type,
  };
}
