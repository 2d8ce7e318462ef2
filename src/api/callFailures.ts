/** Turns the outcome of a failed call into one of this client's errors. */
import { serviceMessage } from './decode/message.ts';
import {
  AbortedError,
  ConflictError,
  ConnectionError,
  ForbiddenError,
  InvalidError,
  NotFoundError,
  RateLimitedError,
  RedirectError,
  ServerError,
  TimeoutError,
  TlsError,
  TooLargeError,
  UnauthorizedError,
  UnreadableError,
  isApiError,
  type AnyApiError,
  type ApiErrorContext,
  type FieldMessage,
} from './errors.ts';
import { maskSecrets } from '../util/secrets/maskSecrets.ts';
import type { Flight } from './flight.ts';
import { retryAfter, type Reply } from './reply.ts';
import { ExchangeFailure } from './exchange.ts';

/** Returns the end of a flight as an error for one of its callers: each has its own request number. */
export function describeEnd(error: unknown, context: ApiErrorContext, flight: Flight): AnyApiError {
  if (isApiError(error)) {
    return error;
  }
  const { kind, code, status } = error instanceof ExchangeFailure ? error : new ExchangeFailure('connection');
  const details = { code, status };
  // The status came, only the words that explain it are lost.
  if (status !== undefined && status >= 400 && kind !== 'cancelled') {
    return replyError(context, { status, headers: {}, body: Buffer.alloc(0) }, []);
  }
  switch (kind) {
    case 'cancelled':
      if (flight.cause === 'timeout') {
        return new TimeoutError('no answer in time', context, { code: 'TOTAL_TIMEOUT' });
      }
      return new AbortedError(flight.cause === 'closed' ? 'the client is closed' : 'aborted', context);
    case 'timeout':
      return new TimeoutError('no answer in time', context, details);
    case 'tls':
      return new TlsError('no secure connection', context, details);
    case 'tooLarge':
      return new TooLargeError('the answer is too large', context, details);
    case 'unreadable':
      return new UnreadableError('the answer cannot be read', context, details);
    case 'unsendable':
      return new InvalidError('an attachment cannot be read', context, { code });
    case 'connection':
      return new ConnectionError(
        status === undefined ? 'the service cannot be reached' : 'the connection broke',
        context,
        details,
      );
  }
}

/** The error for a complete answer that is not a success. */
export function replyError(
  context: ApiErrorContext,
  reply: Reply,
  secrets: readonly (string | undefined)[],
): AnyApiError {
  const { status } = reply;
  const said = serviceMessage(reply.body);
  const mask = (text: string) => maskSecrets(text, secrets);
  const details = { status, serviceMessage: said.message === undefined ? undefined : mask(said.message) };
  const answered = `the service answered ${status}`;
  switch (status) {
    case 401:
      return new UnauthorizedError(answered, context, details);
    case 403:
      return new ForbiddenError(answered, context, details);
    case 404:
    case 410:
      return new NotFoundError(answered, context, details);
    case 407:
      return new ConnectionError('the proxy asks for credentials', context, {
        ...details,
        code: 'PROXY_AUTH',
      });
    case 408:
      return new TimeoutError(answered, context, details);
    case 409:
    case 412:
      return new ConflictError(answered, context, { ...details, newest: said.newest });
    case 413:
      return new TooLargeError(answered, context, details);
    case 429:
      return new RateLimitedError(answered, context, {
        ...details,
        retryAfterMs: retryAfter(reply),
      });
    default:
      if (status >= 500) {
        return new ServerError(answered, context, details);
      }
      if (status < 400) {
        return new RedirectError(answered, context, details);
      }
      return new InvalidError(answered, context, {
        ...details,
        fields: said.fields.map((entry): FieldMessage => ({
          field: mask(entry.field),
          message: mask(entry.message),
        })),
      });
  }
}
