import { randomUUID } from 'node:crypto';
import { nextTurn } from '../util/nextTurn.ts';
import type { Call, CallOptions, CredentialScheme, StreamBody } from './call.ts';
import { describeEnd, replyError } from './callFailures.ts';
import { jsonText, parseJson, parseJsonExactly } from './decode/json.ts';
import { list, newReport, type List, type Reader } from './decode/values.ts';
import {
  AbortedError,
  InvalidError,
  RedirectError,
  UnauthorizedError,
  UnreadableError,
  type ApiErrorContext,
} from './errors.ts';
import { Flight } from './flight.ts';
import type { ApiLogger } from './logger.ts';
import { PathParameterError, type Path } from './path.ts';
import { redirectOf } from './redirects.ts';
import { dateOf, offersOf, retryAfter, type Reply } from './reply.ts';
import { backoff, isRetryable, type RetryLimits } from './retry.ts';
import type { ServerRoot } from './server.ts';
import { ExchangeFailure } from './exchange.ts';
import type { Transport } from './transport.ts';

/** A call that is ready to be sent. */
interface Ready {
  call: Call;
  target: string;
  token: string | undefined;
  context: ApiErrorContext;
}

/** Times are milliseconds. */
interface RequesterSettings extends RetryLimits {
  root: ServerRoot;
  scheme: CredentialScheme;
  getToken: (signal?: AbortSignal) => Promise<string | undefined>;
  logger: ApiLogger | undefined;
  /** For the whole call: all tries and waits. An upload may take longer as long as it moves. Default 60,000. */
  totalTimeoutMs: number;
  /** Lets equal GETs of one turn of the event loop share one request. Default true. */
  shareReads: boolean;
}

const redirectProblems = {
  nowhere: 'the service redirects to nowhere',
  elsewhere: 'the service redirects to another server',
  inCircles: 'the service redirects in circles',
};

/** Bytes of an answer that are read in a few milliseconds. */
const largeBody = 256 * 1024;

/** Turns calls into decoded results or `ApiError`s: credential, sharing, retries, redirects, decoding, log. */
export class Requester {
  readonly #transport: Transport;
  readonly #settings: RequesterSettings;
  readonly #flights = new Set<Flight>();
  readonly #shared = new Map<string, Flight>();
  #answers = 0;
  #requests = 0;
  #closed = false;
  #offers: readonly string[] = [];
  /** Tells our own local service which window has changed something. */
  readonly #window = randomUUID();

  constructor(transport: Transport, settings: RequesterSettings) {
    this.#transport = transport;
    this.#settings = settings;
  }

  /** The number of responses of the server so far, whatever they said. */
  get answers(): number {
    return this.#answers;
  }

  /** A call whose response must be one record. */
  async read<T>(call: Call, read: Reader<T>, options: CallOptions | undefined): Promise<T> {
    return (await this.#read(call, read, options)).value;
  }

  /** The same, with when the service answered by its own clock, if it said so: that need not be the clock of this computer. */
  async readDated<T>(
    call: Call,
    read: Reader<T>,
    options: CallOptions | undefined,
  ): Promise<{ value: T; answeredAt: Date | undefined }> {
    const { value, reply } = await this.#read(call, read, options);
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

  /** True once the service on this computer has said that it offers something beside the contract. No other service is believed that. */
  offers(what: string): boolean {
    return this.#settings.root.loopback && this.#offers.includes(what);
  }

  /** Ends all calls and refuses new ones. */
  close(): void {
    this.#closed = true;
    for (const flight of this.#flights) {
      flight.cancel('closed');
    }
  }

  async #read<T>(
    call: Call,
    read: Reader<T>,
    options: CallOptions | undefined,
  ): Promise<{ value: T; reply: Reply }> {
    const { context, reply } = await this.#send(call, options);
    const value = await this.#decode(call, context, reply, read);
    if (value === undefined) {
      throw this.#unreadable(context, reply.status, 'the answer is not what it should be');
    }
    return { value, reply };
  }

  async #send(asked: Call, options: CallOptions = {}): Promise<{ context: ApiErrorContext; reply: Reply }> {
    const { ifMatch } = options;
    const call = ifMatch !== undefined && this.offers('if-match') ? { ...asked, ifMatch } : asked;
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
      const reply = await flight.join(context, options.signal, () => this.#unshare(flight));
      this.#offers = offersOf(reply) ?? this.#offers;
      const notYet = call.notYet?.includes(reply.status) === true;
      if (reply.status >= 300 && !notYet) {
        throw replyError(context, reply, [token, ...(call.secrets ?? [])]);
      }
      this.#settings.logger?.debug(
        `${line(context)} → ${reply.status}, ${reply.body.length} bytes, ${since(started)}`,
      );
      return { context, reply: notYet ? { ...reply, body: Buffer.alloc(0) } : reply };
    } catch (error) {
      const failure = describeEnd(error, context, flight);
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

  /**
   * Starts a flight, or finds an equal GET that was begun for the same account in the same turn of the event loop. One that was begun earlier
   * may be answered with what was so before: whoever asks later may have written since, or heard of news, and would take it for what is so now.
   */
  #flight(call: Call, path: Path, token: string | undefined, context: ApiErrorContext): Flight {
    const target = `${this.#settings.root.prefix}${path.path}${call.query ?? ''}`;
    // Whom nobody has opened something for is not counted as somebody who has.
    const purpose = call.ahead === true ? 'ahead' : '';
    const key =
      call.method === 'GET' && this.#settings.shareReads ? `${token ?? ''} ${purpose} ${target}` : undefined;
    const found = key === undefined ? undefined : this.#shared.get(key);
    if (found) {
      return found;
    }
    const flight = new Flight(key);
    if (key !== undefined) {
      this.#shared.set(key, flight);
      setImmediate(() => this.#unshare(flight));
    }
    this.#flights.add(flight);
    flight.reply = this.#fly(flight, { call, target, token, context });
    return flight;
  }

  /** Sends a call until there is an answer to keep, or no more try is safe or allowed. */
  async #fly(flight: Flight, ready: Ready): Promise<Reply> {
    const { call, context } = ready;
    const { totalTimeoutMs, maxRetries, logger } = this.#settings;
    let deadline = performance.now() + totalTimeoutMs;
    let timer = setTimeout(() => flight.cancel('timeout'), totalTimeoutMs);
    const extend = () => {
      deadline = performance.now() + totalTimeoutMs;
      clearTimeout(timer);
      timer = setTimeout(() => flight.cancel('timeout'), totalTimeoutMs);
    };
    try {
      for (let attempt = 0; ; attempt++) {
        const outcome = await this.#attempt(flight, ready, extend);
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
        await flight.pause(wait);
      }
    } finally {
      clearTimeout(timer);
      this.#flights.delete(flight);
      // Whoever has this answer may ask for what has changed since.
      this.#shared.clear();
    }
  }

  /** Milliseconds until the next try; undefined when the outcome is to be kept. */
  #retryWait(call: Call, outcome: Reply | ExchangeFailure, attempt: number): number | undefined {
    const failure = outcome instanceof ExchangeFailure ? outcome : undefined;
    if (!isRetryable({ repeat: call.repeat, status: outcome.status, failure })) {
      return undefined;
    }
    const asked = outcome instanceof ExchangeFailure ? undefined : retryAfter(outcome);
    const wait = asked ?? backoff(attempt, this.#settings);
    return wait <= this.#settings.maxRetryDelayMs ? wait : undefined;
  }

  #unshare(flight: Flight): void {
    if (flight.key !== undefined && this.#shared.get(flight.key) === flight) {
      this.#shared.delete(flight.key);
    }
  }

  /** One try, with its redirects. Returns a failure of the transport instead of throwing it. */
  async #attempt(
    flight: Flight,
    { call, target, token, context }: Ready,
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
        this.#answers++;
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
    if (this.offers('news')) {
      headers['patch-stacks-window'] = this.#window;
    }
    if (call.ahead) {
      headers['sec-purpose'] = 'prefetch';
    }
    if (call.ifMatch !== undefined) {
      headers['if-match'] = call.ifMatch;
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
}

function isGone(outcome: Reply | ExchangeFailure): outcome is Reply {
  return !(outcome instanceof ExchangeFailure) && (outcome.status === 404 || outcome.status === 410);
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
