import { jsonText, parseJson, parseJsonExactly } from './decode/json.ts';
import { serviceMessage } from './decode/message.ts';
import { list, newReport, type List, type Reader } from './decode/values.ts';
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
import type { ApiLogger } from './logger.ts';
import { PathParameterError, type Path } from './path.ts';
import { nextTurn } from '../util/nextTurn.ts';
import { maskSecrets } from '../util/secrets/maskSecrets.ts';
import { redirectOf } from './redirects.ts';
import { backoff, isRetryable, parseRetryAfter, type Repeat, type RetryLimits } from './retry.ts';
import type { ServerRoot } from './server.ts';
import { ExchangeFailure, type Cancellation, type Transport, type WireResponse } from './transport.ts';

/** What every operation takes as its last parameter. */
export interface CallOptions {
  /** Ends the call: it fails with an `AbortedError`. */
  signal?: AbortSignal | undefined;
}

/** How a request carries its credential. */
export type CredentialScheme = 'x-auth-token' | 'bearer';

/** A body that is made afresh for every try. */
export interface StreamBody {
  contentType: string;
  /** Bytes. */
  contentLength: number;
  open: () => AsyncIterable<Uint8Array>;
}

/** One call of an operation. */
export interface Call {
  /** E.g. `patches.get`. */
  operation: string;
  method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** What it means to send it twice: on that it depends whether it is tried again. */
  repeat: Repeat;
  /** Made when the call starts, so that a parameter that cannot be sent fails like everything else. */
  path: () => Path;
  /** With its `?`. */
  query?: string;
  /** A JSON body; properties that are undefined are left out. */
  json?: object;
  stream?: StreamBody;
  /** Whether a response that is no JSON is taken as text, for responses the contract does not describe. */
  plainText?: boolean;
  /** Parameters that must not show in a message, beside the access token. */
  secrets?: readonly string[];
  /** Statuses that count as an empty answer. */
  notYet?: readonly number[];
}

/** What the requester needs. Times are milliseconds. */
export interface RequesterSettings extends RetryLimits {
  root: ServerRoot;
  scheme: CredentialScheme;
  getToken: (signal?: AbortSignal) => Promise<string | undefined>;
  logger: ApiLogger | undefined;
  /** For the whole call: all tries and waits. An upload may take longer as long as it moves. Default 60,000. */
  totalTimeout: number;
  /** Whether equal GETs at the same time share one request. Default true. */
  shareReads: boolean;
}

/** The complete answer of the service to a call, whatever its status. */
interface Reply {
  status: number;
  headers: WireResponse['headers'];
  body: Buffer;
}

/** What is wrong with a redirect that is not followed. */
const redirectProblems = {
  nowhere: 'the service redirects to nowhere',
  elsewhere: 'the service redirects to another server',
  inCircles: 'the service redirects in circles',
};
/** Bytes of an answer that are read in a few milliseconds. */
const largeBody = 256 * 1024;

/** A call on its way: all its tries, redirects and waits, for one or more callers. */
class Flight implements Cancellation {
  cancelled = false;
  onCancel: (() => void) | undefined;
  cause: 'aborted' | 'timeout' | 'closed' = 'aborted';
  waiters = 0;
  reply: Promise<Reply> | undefined;
  /** What equal calls share it by. */
  readonly key: string | undefined;

  constructor(key: string | undefined) {
    this.key = key;
  }

  cancel(cause: Flight['cause']): void {
    if (this.cancelled) {
      return;
    }
    this.cancelled = true;
    this.cause = cause;
    this.onCancel?.();
  }
}

/** Turns calls into decoded results or `ApiError`s: credential, sharing, retries, redirects, decoding, log. */
export class Requester {
  readonly #transport: Transport;
  readonly #settings: RequesterSettings;
  readonly #flights = new Set<Flight>();
  readonly #shared = new Map<string, Flight>();
  #requests = 0;
  #closed = false;

  constructor(transport: Transport, settings: RequesterSettings) {
    this.#transport = transport;
    this.#settings = settings;
  }

  /** A call whose response must be one record. */
  async read<T>(call: Call, read: Reader<T>, options: CallOptions | undefined): Promise<T> {
    return (await this.readDated(call, read, options)).value;
  }

  /** The same, with when the service answered by its own clock, if it said so: that need not be the clock of this computer. */
  async readDated<T>(
    call: Call,
    read: Reader<T>,
    options: CallOptions | undefined,
  ): Promise<{ value: T; answeredAt: Date | undefined }> {
    const { context, reply } = await this.#send(call, options);
    const value = await this.#decode(call, context, reply, read);
    if (value === undefined) {
      throw this.#unreadable(context, reply.status, 'the answer is not what it should be');
    }
    return { value, answeredAt: dateOf(reply) };
  }

  /** A call whose response may be one record, or something else that does not matter. */
  async readOptional<T>(
    call: Call,
    read: Reader<T>,
    options: CallOptions | undefined,
  ): Promise<T | undefined> {
    const { context, reply } = await this.#send(call, options);
    return this.#decode(call, context, reply, read);
  }

  /** A call whose response is a list. One with records of which none can be read is no list, and above all not an empty one. */
  async readList<T>(call: Call, read: Reader<T>, options: CallOptions | undefined): Promise<List<T>> {
    const readSome: Reader<List<T>> = (value, report) => {
      const found = list(value, read, report);
      return found.items.length === 0 && found.dropped > 0 ? undefined : found;
    };
    return this.read(call, readSome, options);
  }

  /**
   * A call whose response the contract does not describe, once the service has said yes. It is read anyway: a
   * page of a captive portal also has status 200, and taking it for a yes would lose what was written.
   */
  async run(call: Call, options: CallOptions | undefined): Promise<void> {
    await this.readOptional({ ...call, plainText: true }, () => undefined, options);
  }

  /** Ends all calls and refuses new ones. */
  close(): void {
    this.#closed = true;
    for (const flight of this.#flights) {
      flight.cancel('closed');
    }
  }

  async #send(call: Call, options: CallOptions = {}): Promise<{ context: ApiErrorContext; reply: Reply }> {
    const context: ApiErrorContext = {
      operation: call.operation,
      method: call.method,
      pathTemplate: '',
      requestNumber: ++this.#requests,
    };
    const path = this.#path(call, context);
    context.pathTemplate = path.template;
    const token = await this.#token(context, options.signal);
    if (this.#closed) {
      throw new AbortedError('the client is closed', context);
    }
    const started = performance.now();
    const flight = this.#flight(call, path, token, context);
    try {
      const reply = await this.#join(flight, context, options.signal);
      const notYet = call.notYet?.includes(reply.status) === true;
      if (reply.status >= 300 && !notYet) {
        throw replyError(context, reply, [token, ...(call.secrets ?? [])]);
      }
      this.#settings.logger?.debug(
        `${line(context)} → ${reply.status}, ${reply.body.length} bytes, ${since(started)}`,
      );
      return { context, reply: notYet ? { ...reply, body: Buffer.alloc(0) } : reply };
    } catch (error) {
      const failure = this.#describe(error, context, flight);
      const status = failure.status === undefined ? '' : ` ${failure.status}`;
      const code = failure.code === undefined ? '' : ` ${failure.code}`;
      this.#settings.logger?.warn(`${line(context)} → ${failure.kind}${status}${code}, ${since(started)}`);
      throw failure;
    }
  }

  #path(call: Call, context: ApiErrorContext): Path {
    try {
      return call.path();
    } catch (error) {
      if (!(error instanceof PathParameterError)) {
        throw error;
      }
      const { parameter, message, template } = error;
      throw new InvalidError(
        message,
        { ...context, pathTemplate: template },
        { fields: [{ field: parameter, message }] },
      );
    }
  }

  async #token(context: ApiErrorContext, signal: AbortSignal | undefined): Promise<string | undefined> {
    if (signal?.aborted) {
      throw new AbortedError('aborted', context);
    }
    let token: string | undefined;
    try {
      token = await untilAborted(this.#settings.getToken(signal), signal);
    } catch {
      // Whatever the secret storage said may hold the secret.
      if (signal?.aborted) {
        throw new AbortedError('aborted', context);
      }
      throw new UnauthorizedError('the access token could not be read', context);
    }
    if (token === undefined || token === '') {
      return undefined;
    }
    if (!/^[\x21-\x7e]+$/.test(token)) {
      throw new UnauthorizedError('the access token holds characters that cannot be sent', context);
    }
    return token;
  }

  /** Starts a flight, or finds an equal GET that is already on its way for the same account. */
  #flight(call: Call, path: Path, token: string | undefined, context: ApiErrorContext): Flight {
    const target = `${this.#settings.root.prefix}${path.path}${call.query ?? ''}`;
    const key = call.method === 'GET' && this.#settings.shareReads ? `${token ?? ''} ${target}` : undefined;
    const found = key === undefined ? undefined : this.#shared.get(key);
    if (found) {
      return found;
    }
    const flight = new Flight(key);
    if (key !== undefined) {
      this.#shared.set(key, flight);
    }
    this.#flights.add(flight);
    flight.reply = this.#fly(flight, call, target, token, context);
    return flight;
  }

  /** Waits for a flight on behalf of one caller. The flight is canceled when its last caller has left. */
  #join(flight: Flight, context: ApiErrorContext, signal: AbortSignal | undefined): Promise<Reply> {
    const reply = flight.reply ?? Promise.reject(new ExchangeFailure('cancelled'));
    flight.waiters++;
    if (signal === undefined) {
      return reply;
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        flight.waiters--;
        if (flight.waiters === 0) {
          // A new caller must not join a flight that is being canceled.
          this.#unshare(flight);
          flight.cancel('aborted');
        }
        reject(new AbortedError('aborted', context));
      };
      signal.addEventListener('abort', leave, { once: true });
      const settle = () => signal.removeEventListener('abort', leave);
      reply.then(
        (value) => {
          settle();
          resolve(value);
        },
        (error: unknown) => {
          settle();
          reject(error instanceof Error ? error : new Error('unknown'));
        },
      );
    });
  }

  /** Sends a call until there is an answer to keep, or no more try is safe or allowed. */
  async #fly(
    flight: Flight,
    call: Call,
    target: string,
    token: string | undefined,
    context: ApiErrorContext,
  ): Promise<Reply> {
    const { totalTimeout, maxRetries, logger } = this.#settings;
    let deadline = performance.now() + totalTimeout;
    let timer = setTimeout(() => flight.cancel('timeout'), totalTimeout);
    const extend = () => {
      deadline = performance.now() + totalTimeout;
      clearTimeout(timer);
      timer = setTimeout(() => flight.cancel('timeout'), totalTimeout);
    };
    try {
      for (let attempt = 0; ; attempt++) {
        const outcome = await this.#attempt(flight, call, target, token, context, extend);
        if (attempt > 0 && call.repeat === 'remove' && isGone(outcome)) {
          // An earlier try has arrived after all.
          return { ...outcome, status: 204, body: Buffer.alloc(0) };
        }
        const wait = attempt < maxRetries ? this.#retryWait(call, outcome, attempt) : undefined;
        if (wait === undefined || performance.now() + wait >= deadline) {
          if (outcome instanceof ExchangeFailure) {
            throw outcome;
          }
          return outcome;
        }
        const { status, code } =
          outcome instanceof ExchangeFailure ? outcome : { ...outcome, code: undefined };
        logger?.info(
          `${line(context)} → ${status ?? code ?? 'failed'}, try ${attempt + 2} in ${Math.round(wait)} ms`,
        );
        await sleep(wait, flight);
      }
    } finally {
      clearTimeout(timer);
      this.#flights.delete(flight);
      this.#unshare(flight);
    }
  }

  /** Milliseconds until the next try; undefined when the outcome is to be kept. */
  #retryWait(call: Call, outcome: Reply | ExchangeFailure, attempt: number): number | undefined {
    const failure = outcome instanceof ExchangeFailure ? outcome : undefined;
    if (!isRetryable({ repeat: call.repeat, status: outcome.status, failure })) {
      return undefined;
    }
    const asked = failure ? undefined : retryAfter(outcome as Reply);
    const wait = asked ?? backoff(attempt, this.#settings);
    return wait <= this.#settings.maxRetryDelay ? wait : undefined;
  }

  #unshare(flight: Flight): void {
    if (flight.key !== undefined && this.#shared.get(flight.key) === flight) {
      this.#shared.delete(flight.key);
    }
  }

  /** One try, with its redirects. Returns a failure of the transport instead of throwing it. */
  async #attempt(
    flight: Flight,
    call: Call,
    target: string,
    token: string | undefined,
    context: ApiErrorContext,
    extend: () => void,
  ): Promise<Reply | ExchangeFailure> {
    let path = target;
    for (let hops = 0; ; hops++) {
      let reply: Reply;
      try {
        reply = await this.#transport.exchange(
          { method: call.method, path, headers: this.#headers(call, token), body: bodyOf(call, extend) },
          flight,
        );
      } catch (error) {
        if (error instanceof ExchangeFailure && error.kind !== 'cancelled') {
          return error;
        }
        throw error;
      }
      const redirect =
        call.method === 'GET' ? redirectOf(reply, this.#settings.root.origin, path, hops) : undefined;
      if (!redirect) {
        return reply;
      }
      if ('problem' in redirect) {
        throw new RedirectError(redirectProblems[redirect.problem], context, { status: reply.status });
      }
      path = redirect.path;
    }
  }

  #headers(call: Call, token: string | undefined): Record<string, string> {
    const headers: Record<string, string> = { accept: 'application/json', 'accept-encoding': 'gzip, br' };
    if (token !== undefined) {
      if (this.#settings.scheme === 'bearer') {
        headers['authorization'] = `Bearer ${token}`;
      } else {
        headers['x-auth-token'] = token;
      }
    }
    if (call.stream) {
      headers['content-type'] = call.stream.contentType;
      headers['content-length'] = String(call.stream.contentLength);
    } else if (call.json) {
      headers['content-type'] = 'application/json';
    }
    return headers;
  }

  async #decode<T>(
    call: Call,
    context: ApiErrorContext,
    reply: Reply,
    read: Reader<T>,
  ): Promise<T | undefined> {
    // Megabytes take tens of milliseconds, in which whoever shares the event loop does nothing: each step gets its own turn.
    const isLarge = reply.body.length > largeBody;
    if (isLarge) {
      await nextTurn();
    }
    const text = reply.status === 204 || reply.status === 205 ? '' : jsonText(reply.body);
    if (text === undefined) {
      throw this.#unreadable(context, reply.status, 'the answer is not valid Unicode');
    }
    if (text.trim() === '') {
      return read(undefined, newReport());
    }
    if (isLarge) {
      await nextTurn();
    }
    let value = parseJson(text);
    if (value === undefined && call.plainText === true && isPlainText(reply, text)) {
      value = text.trim();
    }
    if (value === undefined) {
      throw this.#unreadable(context, reply.status, 'the answer is not JSON');
    }
    if (isLarge) {
      await nextTurn();
    }
    let report = newReport();
    let result = read(value, report);
    if (report.lostDigits) {
      report = newReport();
      result = read(parseJsonExactly(text), report);
    }
    if (report.dropped > 0) {
      this.#settings.logger?.warn(`${line(context)}: ${report.dropped} records without identifier left out`);
    }
    return result;
  }

  #unreadable(context: ApiErrorContext, status: number, summary: string): UnreadableError {
    this.#settings.logger?.warn(`${line(context)} → unreadable ${status}: ${summary}`);
    return new UnreadableError(summary, context, { status });
  }

  /** What ended a flight, as the error of one of its callers: each has its own request number. */
  #describe(error: unknown, context: ApiErrorContext, flight: Flight): AnyApiError {
    if (isApiError(error)) {
      return error;
    }
    const { kind, code, status } =
      error instanceof ExchangeFailure ? error : new ExchangeFailure('connection');
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
}

/** Whether the service says that there is no such thing. */
function isGone(outcome: Reply | ExchangeFailure): outcome is Reply {
  return !(outcome instanceof ExchangeFailure) && (outcome.status === 404 || outcome.status === 410);
}

/** The error for a complete answer that is not a success. */
function replyError(
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
        retryAfter: retryAfter(reply),
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

function isPlainText(reply: Reply, text: string): boolean {
  const type = String(reply.headers['content-type'] ?? 'text/plain');
  return type.startsWith('text/plain') && !text.trimStart().startsWith('<');
}

/** The body for one try: made afresh, as a stream can be read only once. */
function bodyOf(call: Call, moved: () => void): string | AsyncIterable<Uint8Array> | undefined {
  if (call.stream) {
    return watched(call.stream, moved);
  }
  return call.json === undefined ? undefined : JSON.stringify(call.json);
}

/** Reports every piece, so that an upload that moves does not run out of time. */
async function* watched(stream: StreamBody, moved: () => void): AsyncIterable<Uint8Array> {
  try {
    for await (const piece of stream.open()) {
      moved();
      yield piece;
    }
  } catch {
    throw new ExchangeFailure('unsendable', 'ATTACHMENT');
  }
}

/** Waits, unless the flight is canceled first. */
function sleep(milliseconds: number, flight: Cancellation): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = () => {
      clearTimeout(timer);
      flight.onCancel = undefined;
      reject(new ExchangeFailure('cancelled'));
    };
    const timer = setTimeout(() => {
      flight.onCancel = undefined;
      resolve();
    }, milliseconds);
    flight.onCancel = fail;
    if (flight.cancelled) {
      fail();
    }
  });
}

/** A promise that fails as soon as the signal is aborted, whatever becomes of `promise`. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) {
    return promise;
  }
  return new Promise((resolve, reject) => {
    const abort = () => reject(new Error('aborted'));
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function line(context: ApiErrorContext): string {
  return `#${context.requestNumber} ${context.method} ${context.pathTemplate}`;
}

function since(started: number): string {
  return `${Math.round(performance.now() - started)} ms`;
}

/** When the service answered, by its own clock; undefined when it did not say. */
function dateOf({ headers }: Reply): Date | undefined {
  const said = headers['date'];
  const time = typeof said === 'string' ? Date.parse(said) : NaN;
  return Number.isNaN(time) ? undefined : new Date(time);
}

/** Milliseconds that the service asks for; a time that it names is one of its own clock. */
function retryAfter(reply: Reply): number | undefined {
  return parseRetryAfter(reply.headers['retry-after'], dateOf(reply)?.getTime());
}
