/** Reading what a request carries: path parameters, queries, JSON bodies; every refusal is an `HttpError`. */
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import * as v from 'valibot';
import { forbidden, HttpError, notFound, OutdatedVersionError, type FieldError } from './errors.ts';
import type { Database } from './storage/database.ts';
import { findPatch, type PatchRow } from './storage/patches.ts';
import { contentTag } from '../util/contentTag.ts';
import { canRead, canWrite, findProject, type ProjectRow } from './storage/projects.ts';
import { findLatestStack, findStack, type StackRow } from './storage/stacks.ts';
import type { UserRow } from './storage/users.ts';
import type { View } from './wire.ts';

/** The variables that the guards leave for the operations: who asks, and with which token. */
export interface RequestEnvironment {
  Bindings: HttpBindings;
  Variables: { user: UserRow; accessToken: string };
}

/** The context of an operation. */
export type RequestContext = Context<RequestEnvironment>;

/** The largest JSON body, in bytes, where an operation does not say otherwise. */
const largestJson = 2 * 1024 * 1024;

/** A path parameter, decoded exactly once. */
export function pathParameter(context: RequestContext, name: string): string {
  const value = context.req.param(name);
  if (value === undefined) {
    throw new Error(`The route doesn't have a parameter ${name}.`);
  }
  return value;
}

/** The address the caller reached the service under; the guards have checked it. */
export function originOf(context: RequestContext): string {
  return `http://${context.env.incoming.headers.host ?? ''}`;
}

/** The view from which the answer's records are made. */
export function viewOf(database: Database, context: RequestContext): View {
  return { database, origin: originOf(context), user: context.get('user') };
}

/** Checks values against a schema. @throws HttpError 422 with a message for each field. */
export function validate<Schema extends v.GenericSchema>(
  schema: Schema,
  values: unknown,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, values);
  if (result.success) {
    return result.output;
  }
  const fields: FieldError[] = result.issues.map((issue) => ({
    field: v.getDotPath(issue) ?? 'body',
    message: issue.received === 'undefined' ? 'is required' : issue.message,
  }));
  const sentence = fields.map(({ field, message }) => `${field}: ${message}`).join('; ');
  throw new HttpError(422, 'invalid', sentence, fields);
}

/** The query, checked against a schema. */
export function readQuery<Schema extends v.GenericSchema>(
  context: RequestContext,
  schema: Schema,
): v.InferOutput<Schema> {
  return validate(schema, context.req.query());
}

/** The kind of a request's body: its media type in lower case without parameters, or '' when it has none. */
export function mediaType(context: RequestContext): string {
  return (context.req.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/**
 * The JSON body, checked against a schema. An empty body counts as `{}`: where fields are required the schema says so.
 *
 * @param limit The largest body in bytes.
 * @throws HttpError 413, 415, 400 (no JSON) or 422.
 */
export async function readJson<Schema extends v.GenericSchema>(
  context: RequestContext,
  schema: Schema,
  limit = largestJson,
): Promise<v.InferOutput<Schema>> {
  const bytes = await readBytes(context, limit);
  if (bytes.length === 0) {
    return validate(schema, {});
  }
  requireJson(context);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new HttpError(400, 'malformed_json', "The body isn't valid JSON.");
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new HttpError(422, 'invalid', 'The body must be a JSON object.');
  }
  return validate(schema, value);
}

/** Refuses a body that is not declared as JSON: a page of another site can send other kinds without being asked. */
export function requireJson(context: RequestContext): void {
  if (mediaType(context) !== 'application/json') {
    throw new HttpError(415, 'unsupported_media_type', 'Send the body as application/json.');
  }
}

/**
 * The body's chunks as they come.
 *
 * @throws HttpError 413 as soon as the body is larger than `limit` bytes; 415 for one that is compressed.
 */
export async function* bodyChunks(context: RequestContext, limit: number): AsyncGenerator<Uint8Array> {
  const encoding = context.req.header('content-encoding')?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity') {
    context.header('Accept-Encoding', 'identity');
    throw new HttpError(415, 'unsupported_encoding', 'Send the body without a Content-Encoding.');
  }
  const tooLarge = () =>
    new HttpError(
      413,
      'too_large',
      `The body is too large. At most ${limit.toLocaleString('en')} bytes are allowed here.`,
    );
  if (Number(context.req.header('content-length') ?? 0) > limit) {
    throw tooLarge();
  }
  const body = context.req.raw.body;
  if (!body) {
    return;
  }
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > limit) {
      throw tooLarge();
    }
    yield chunk;
  }
}

async function readBytes(context: RequestContext, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bodyChunks(context, limit)) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A string that can be stored as it is: half of a pair of surrogates would silently become another character. */
const wellFormedText = v.pipe(
  v.string('must be a string'),
  v.check((text) => text.isWellFormed(), 'must be well-formed Unicode'),
);

/** Text of any length up to `maximum` characters. */
export function freeText(maximum: number) {
  return v.pipe(wellFormedText, v.maxLength(maximum, `must be at most ${maximum} characters long`));
}

/** One line of up to `maximum` characters, such as a name. */
export function line(maximum: number) {
  return v.pipe(freeText(maximum), v.regex(/^\P{Cc}*$/u, 'must be one line without control characters'));
}

/** One line of 1 to `maximum` characters that is not blank. */
export function filledLine(maximum: number) {
  return v.pipe(
    line(maximum),
    v.check((text) => text.trim() !== '', 'must not be empty'),
  );
}

/** An int32 in text, as queries carry it, of at least `minimum`. */
export function integerText(minimum: number) {
  return v.pipe(
    v.string(),
    v.regex(/^-?\d{1,10}$/, 'must be an integer'),
    v.transform(Number),
    v.minValue(minimum, `must be at least ${minimum}`),
    v.maxValue(2 ** 31 - 1, 'must be an int32'),
  );
}

/** An ISO 8601 date-time as queries carry it, in milliseconds since the epoch. */
export const dateTimeText = v.pipe(
  v.string(),
  // An unencoded + in a query means a blank.
  v.transform((text) => text.replace(' ', '+')),
  v.regex(
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/i,
    'must be an ISO 8601 date and time, such as 2026-01-31T12:00:00Z',
  ),
  v.check(existsInCalendar, 'must be an existing date and time'),
  v.transform((text) => Date.parse(text)),
);

/** True when a date and time in ISO 8601 exists: `Date.parse` takes February 30 for a day in March. */
function existsInCalendar(text: string): boolean {
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return (
    !Number.isNaN(Date.parse(text)) &&
    !Number.isNaN(day.getTime()) &&
    day.toISOString().startsWith(text.slice(0, 10))
  );
}

/** The project of a path parameter, which the caller may read. @throws HttpError 404 */
export function readableProject(database: Database, context: RequestContext, id: string): ProjectRow {
  const project = /^[1-9]\d{0,14}$/.test(id) ? findProject(database, Number(id)) : undefined;
  if (!project || !canRead(database, context.get('user'), project)) {
    throw notFound(`project ${id}`);
  }
  return project;
}

/** The project of a path parameter, which the caller may change. @throws HttpError 404, or 403 when it is read-only */
export function writableProject(database: Database, context: RequestContext, id: string): ProjectRow {
  const project = readableProject(database, context, id);
  requireWrite(database, context, project);
  return project;
}

function requireWrite(database: Database, context: RequestContext, project: ProjectRow): void {
  if (!canWrite(database, context.get('user'), project)) {
    throw forbidden(`You can view ${project.owner}/${project.slug}, but you can't change it.`);
  }
}

/** The permission that an operation takes: to read alone, or to change something. */
export type Access = 'read' | 'write';

/**
 * The stack of the path parameter `uuid`.
 *
 * @throws HttpError 404 or 403, and 409 when it is to be written and its branch has a newer version: what is written into
 *   an older one no one would read, and the next version would not have it.
 */
export function requestedStack(database: Database, context: RequestContext, access: Access): StackRow {
  const uuid = pathParameter(context, 'uuid');
  const stack = findStack(database, uuid);
  const project = stack && findProject(database, stack.project_id);
  if (!project || !canRead(database, context.get('user'), project)) {
    throw notFound(`patch stack ${uuid}`);
  }
  if (access === 'write') {
    requireWrite(database, context, project);
    requireNewest(database, stack);
  }
  return stack;
}

/** Refuses to write to a version of a stack that is not the newest one of its branch. @throws HttpError 409 */
export function requireNewest(database: Database, stack: StackRow): void {
  const newest = findLatestStack(database, stack.project_id, stack.branch_id);
  if (newest && newest.version > stack.version) {
    throw new OutdatedVersionError(stack.version, newest);
  }
}

/**
 * Says with each answer that writes may name what they were made for (see `requireUnchanged`), and that none gets into an older version
 * of a stack: nobody has to ask before whether there is a newer one.
 */
export async function offerToCompare(context: RequestContext, next: () => Promise<void>): Promise<void> {
  await next();
  context.header('Patch-Stacks-Offers', 'if-match', { append: true });
  context.header('Patch-Stacks-Offers', 'newest-only', { append: true });
}

/**
 * Refuses to replace what isn't what the caller has read, where they say what that was, beside the contract: two that write at the same
 * moment don't overwrite each other. @throws HttpError 412
 *
 * @param content what is there now.
 */
export function requireUnchanged(context: RequestContext, content: string | readonly string[]): void {
  const read = context.req.header('if-match');
  if (read !== undefined && read !== '*' && read !== contentTag(content)) {
    throw new HttpError(412, 'changed_meanwhile', 'Someone else has changed this. Read it again.');
  }
}

/** The patch of the path parameters `uuid` and `change_id`. @throws HttpError 404, 403 or 409, as `requestedStack` */
export function requestedPatch(database: Database, context: RequestContext, access: Access): PatchRow {
  const stack = requestedStack(database, context, access);
  const changeId = pathParameter(context, 'change_id');
  const patch = findPatch(database, stack.uuid, changeId);
  if (!patch) {
    throw notFound(`patch ${changeId}`);
  }
  return patch;
}
