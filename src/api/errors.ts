/** The kind of a failure, for callers to switch on. */
export type ApiErrorKind =
  | 'unauthorized'
  | 'forbidden'
  | 'notFound'
  | 'conflict'
  | 'invalid'
  | 'rateLimited'
  | 'server'
  | 'redirect'
  | 'connection'
  | 'tls'
  | 'insecure'
  | 'timeout'
  | 'aborted'
  | 'unreadable'
  | 'tooLarge';

/** The place of a failure. Holds no secret: the path is the template, never the filled-in path. */
export interface ApiErrorContext {
  /** The client method, e.g. `patches.get`. */
  operation: string;
  /** The HTTP method; empty when the failure came before there was a request. */
  method: string;
  /** The path with its parameters unfilled, e.g. `/user/{login}`. */
  pathTemplate: string;
  /** Counts the calls of one client from 1; kept across the retries of a call. */
  requestNumber: number;
}

interface ApiErrorDetails {
  /** HTTP status, when the service answered. */
  status?: number | undefined;
  /** The service's own words, without markup, control characters or secrets. */
  serviceMessage?: string | undefined;
  /** The code of the lower layer, e.g. `ECONNREFUSED`. */
  code?: string | undefined;
}

/** Marks our errors across copies of this module: two bundles of it must recognize each other's. */
const mark = Symbol.for('patch-stacks.ApiError');

/**
 * The only error the client throws. What is not known has no property at all, hence the `declare`d ones. It
 * deliberately has no `cause`: the errors of lower layers can hold request headers or response bytes, so what is
 * useful in them is copied into `code` instead.
 */
export abstract class ApiError extends Error {
  abstract readonly kind: ApiErrorKind;
  readonly operation: string;
  readonly method: string;
  readonly pathTemplate: string;
  readonly requestNumber: number;
  declare readonly status?: number;
  declare readonly serviceMessage?: string;
  declare readonly code?: string;

  constructor(summary: string, context: ApiErrorContext, details: ApiErrorDetails = {}) {
    const said = details.serviceMessage === undefined ? '' : `: ${details.serviceMessage}`;
    super(`${context.operation}: ${summary}${said}`);
    this.operation = context.operation;
    this.method = context.method;
    this.pathTemplate = context.pathTemplate;
    this.requestNumber = context.requestNumber;
    if (details.status !== undefined) {
      this.status = details.status;
    }
    if (details.serviceMessage !== undefined) {
      this.serviceMessage = details.serviceMessage;
    }
    if (details.code !== undefined) {
      this.code = details.code;
    }
    Object.defineProperty(this, mark, { value: true });
    // Set by name and not by class: a minifier renames classes.
    Object.defineProperty(this, 'name', { value: 'ApiError', writable: true, configurable: true });
  }
}

/** 401, or no usable token: the person must sign in (again). */
export class UnauthorizedError extends ApiError {
  readonly kind = 'unauthorized';
}

/** 403: signed in, but not allowed to. */
export class ForbiddenError extends ApiError {
  readonly kind = 'forbidden';
}

/** 404 or 410. */
export class NotFoundError extends ApiError {
  readonly kind = 'notFound';
}

/** The newest version of what a change was refused to an older version of. */
export interface NamedVersion {
  uuid: string;
  version?: string;
}

/** 409 or 412: what the caller based the change on is no longer so. */
export class ConflictError extends ApiError {
  readonly kind = 'conflict';
  /** The newest version, when the change was refused because it was meant for an older one and the service said so. */
  declare readonly newest?: NamedVersion;

  constructor(
    summary: string,
    context: ApiErrorContext,
    details: ApiErrorDetails & { newest?: NamedVersion | undefined } = {},
  ) {
    super(summary, context, details);
    if (details.newest !== undefined) {
      this.newest = details.newest;
    }
  }
}

export interface FieldMessage {
  /** As the service names it (`public_key`), or the path parameter that cannot be sent. */
  field: string;
  message: string;
}

/** 400, 422 and every other refusal of what was sent; without a status when it was refused before sending. */
export class InvalidError extends ApiError {
  readonly kind = 'invalid';
  readonly fields: readonly FieldMessage[];

  constructor(
    summary: string,
    context: ApiErrorContext,
    details: ApiErrorDetails & { fields?: readonly FieldMessage[] } = {},
  ) {
    super(summary, context, details);
    this.fields = details.fields ?? [];
  }
}

/** 429. */
export class RateLimitedError extends ApiError {
  readonly kind = 'rateLimited';
  /** Milliseconds to wait before the next try, when the service said. */
  declare readonly retryAfterMs?: number;

  constructor(
    summary: string,
    context: ApiErrorContext,
    details: ApiErrorDetails & { retryAfterMs?: number | undefined } = {},
  ) {
    super(summary, context, details);
    if (details.retryAfterMs !== undefined) {
      this.retryAfterMs = details.retryAfterMs;
    }
  }
}

/** 5xx. */
export class ServerError extends ApiError {
  readonly kind = 'server';
}

/** A redirect that is not followed: to another origin, of a write, or one too many. */
export class RedirectError extends ApiError {
  readonly kind = 'redirect';
}

/** The service could not be reached, or the connection broke. `code` says how. */
export class ConnectionError extends ApiError {
  readonly kind = 'connection';
}

/** The secure connection could not be set up, e.g. because of an unknown certificate authority. */
export class TlsError extends ApiError {
  readonly kind = 'tls';
}

/** Plain `http:` to a server that is not on this computer, and that was not allowed. */
export class InsecureError extends ApiError {
  readonly kind = 'insecure';
}

/** The service did not answer in time. */
export class TimeoutError extends ApiError {
  readonly kind = 'timeout';
}

/** The caller gave up, or the client was closed. */
export class AbortedError extends ApiError {
  readonly kind = 'aborted';
}

/** The service answered with something that is not what the contract describes. */
export class UnreadableError extends ApiError {
  readonly kind = 'unreadable';
}

/** The response is larger than allowed, or the service said so of the request (413). */
export class TooLargeError extends ApiError {
  readonly kind = 'tooLarge';
}

/** Every error of the client, so that a `switch` on `kind` narrows to the fields of that kind. */
export type AnyApiError =
  | UnauthorizedError
  | ForbiddenError
  | NotFoundError
  | ConflictError
  | InvalidError
  | RateLimitedError
  | ServerError
  | RedirectError
  | ConnectionError
  | TlsError
  | InsecureError
  | TimeoutError
  | AbortedError
  | UnreadableError
  | TooLargeError;

/** Tells the client's errors from all others, also those of another copy of this module. */
export function isApiError(value: unknown): value is AnyApiError {
  return value instanceof Error && mark in value;
}

/** True for a failure that only says that the service couldn't be reached, or didn't answer in time. */
export function isOutOfReach(error: unknown): boolean {
  return isApiError(error) && (error.kind === 'connection' || error.kind === 'timeout');
}

/**
 * True when nothing listens at the server's address. The request has not arrived; or an earlier try has, of one that may be repeated.
 */
export function isRefusedConnection(error: unknown): boolean {
  return isApiError(error) && error.kind === 'connection' && error.code === 'ECONNREFUSED';
}

const uncertainKinds: ReadonlySet<ApiErrorKind> = new Set(['server', 'aborted', 'unreadable', 'tooLarge']);
const neverConnected = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

/**
 * True when the service may have acted on a write that failed in this way. Nobody knows otherwise, so an unknown failure counts.
 */
export function mayHaveArrived(error: unknown): boolean {
  if (!isApiError(error)) {
    return true;
  }
  // What is too large is the answer; or else what was sent, which was not taken.
  if (error.kind === 'tooLarge' && error.status === 413) {
    return false;
  }
  return error.kind === 'connection' || error.kind === 'timeout'
    ? error.code === undefined || !neverConnected.has(error.code)
    : uncertainKinds.has(error.kind);
}

/**
 * Ends well when what is to be deleted is gone already, no matter who did that: a try before, whose answer was lost, may have.
 *
 * @throws why it could not be deleted.
 */
export async function untilGone(deletion: Promise<void>): Promise<void> {
  try {
    await deletion;
  } catch (error) {
    if (!isApiError(error) || error.kind !== 'notFound') {
      throw error;
    }
  }
}
