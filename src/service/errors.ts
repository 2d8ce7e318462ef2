/**
 * The two kinds of failure of the local service: a request that is refused (`HttpError`), and a service that cannot
 * start or cannot import (`ServiceError`). Anything else that is thrown is a defect and answers 500.
 */

export interface FieldError {
  /** The name of the body field, query or path parameter. */
  field: string;
  message: string;
}

/** The statuses a request can be refused with. */
type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 409 | 410 | 412 | 413 | 415 | 422 | 429 | 503;

/** A refused request: becomes `{error, error_code}` and, for invalid fields, `errors: [{field, message}]`. */
export class HttpError extends Error {
  readonly status: RefusalStatus;
  /** A stable word for programs, in snake case. */
  readonly code: string;
  readonly fields: readonly FieldError[];
  /** Further properties of the answer, for programs. */
  readonly details: Readonly<Record<string, unknown>> = {};

  constructor(status: RefusalStatus, code: string, message: string, fields: readonly FieldError[] = []) {
    super(message);
    this.name = 'HttpError';
    this.status = status;
    this.code = code;
    this.fields = fields;
  }
}

/** The refusal for a record that is not there, or that the caller may not know of. */
export function notFound(what: string): HttpError {
  return new HttpError(404, 'not_found', `Couldn't find ${what}.`);
}

/** The refusal for a field whose value cannot be used. */
export function invalid(field: string, message: string): HttpError {
  return new HttpError(422, 'invalid', `${field}: ${message}`, [{ field, message }]);
}

/** The refusal of a write to what is no longer the newest version: the answer names that one as `newest`. */
export class OutdatedVersionError extends HttpError {
  override readonly details: { newest: { uuid: string; version: number } };

  constructor(version: number, newest: { uuid: string; version: number }) {
    super(
      409,
      'outdated_version',
      `Version ${version} of the patch stack is out of date. Write to the newest one: version ${newest.version}, ${newest.uuid}.`,
    );
    this.details = { newest: { uuid: newest.uuid, version: newest.version } };
  }
}

/** The refusal for something the caller can see but may not change. */
export function forbidden(message: string): HttpError {
  return new HttpError(403, 'forbidden', message);
}

/** Why the service cannot start or import. */
type ServiceErrorCode =
  | 'port_taken'
  | 'data_locked'
  | 'data_unusable'
  | 'git_missing'
  | 'git_old'
  | 'no_repository'
  | 'empty_repository'
  | 'git_failed'
  | 'git_silent'
  | 'no_base'
  | 'no_remote'
  | 'remote_inside'
  | 'no_identity';

/** A failure with one clear sentence that says what to do: safe to show to a person as it is. */
export class ServiceError extends Error {
  readonly code: ServiceErrorCode;

  constructor(code: ServiceErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ServiceError';
    this.code = code;
  }
}
