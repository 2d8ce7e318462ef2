import type { Dispatcher } from 'undici';

/** One response. */
export interface WireResponse {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
}

/** Lets the owner of an exchange cancel it. At most one thing listens at a time. */
export interface Cancellation {
  cancelled: boolean;
  onCancel: (() => void) | undefined;
}

/** Why an exchange failed. */
export type FailureKind =
  'connection' | 'tls' | 'timeout' | 'tooLarge' | 'unreadable' | 'unsendable' | 'cancelled';

/**
 * Thrown by the transport only, and never let out of the client. It copies no text from the layers below: their
 * messages and properties can hold headers and response bytes.
 */
export class ExchangeFailure extends Error {
  readonly kind: FailureKind;
  readonly code: string | undefined;
  /** The status, when the response had begun. */
  readonly status: number | undefined;

  constructor(kind: FailureKind, code?: string, status?: number) {
    super(code ?? kind);
    this.kind = kind;
    this.code = code;
    this.status = status;
  }
}

/** Limits of an exchange: times in milliseconds, sizes in bytes. */
interface ExchangeLimits {
  headersTimeoutMs: number;
  bodyTimeoutMs: number;
  maxResponseSize: number;
}

/**
 * One request on its way, and its response. Speaks undici's dispatch protocol directly: `undici.request` would wrap every
 * body in a stream, which costs more than all the rest of this client.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #limits: ExchangeLimits;
  readonly #cancellation: Cancellation;
  readonly #response = Promise.withResolvers<WireResponse>();
  #controller: Dispatcher.DispatchController | undefined;
  #failure: ExchangeFailure | undefined;
  #status: number | undefined;
  #headers: WireResponse['headers'] = {};
  #received = 0;
  readonly #chunks: Buffer[] = [];
  /** Ends an exchange that does not move. */
  #stall: NodeJS.Timeout | undefined;

  constructor(limits: ExchangeLimits, cancellation: Cancellation) {
    this.#limits = limits;
    this.#cancellation = cancellation;
    if (cancellation.cancelled) {
      this.#fail(new ExchangeFailure('cancelled'));
    } else {
      cancellation.onCancel = () => this.#fail(new ExchangeFailure('cancelled'));
    }
  }

  /** Sends the request, unless it was cancelled before; resolves with the response as it came. */
  send(dispatcher: Dispatcher, request: Dispatcher.DispatchOptions): Promise<WireResponse> {
    if (!this.#failure) {
      try {
        dispatcher.dispatch(request, this);
      } catch (error) {
        this.onResponseError(undefined, error);
      }
    }
    return this.#response.promise;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // Cancelled while it waited for a connection.
    if (this.#failure) {
      controller.abort(this.#failure);
    } else {
      this.#failAfter(this.#limits.headersTimeoutMs);
    }
  }

  onBodySent(): void {
    this.#stall?.refresh();
  }

  onResponseStart(_controller: unknown, status: number, headers: WireResponse['headers']): void {
    if (status < 200) {
      return;
    }
    this.#status = status;
    this.#headers = headers;
    if (this.#failure) {
      return;
    }
    const { bodyTimeoutMs, headersTimeoutMs, maxResponseSize } = this.#limits;
    // Most bodies are complete at once: a timer that can serve on is not replaced.
    if (bodyTimeoutMs === headersTimeoutMs) {
      this.#stall?.refresh();
    } else {
      this.#failAfter(bodyTimeoutMs);
    }
    // A length that is too large already is not worth reading up to the limit.
    if (Number(headers['content-length']) > maxResponseSize) {
      this.#fail(new ExchangeFailure('tooLarge', undefined, status));
    }
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    this.#stall?.refresh();
    this.#received += chunk.length;
    if (this.#received > this.#limits.maxResponseSize) {
      this.#fail(new ExchangeFailure('tooLarge', undefined, this.#status));
    } else {
      this.#chunks.push(chunk);
    }
  }

  onResponseEnd(): void {
    if (this.#failure) {
      return;
    }
    clearTimeout(this.#stall);
    this.#cancellation.onCancel = undefined;
    const [first] = this.#chunks;
    const body = this.#chunks.length === 1 && first ? first : Buffer.concat(this.#chunks, this.#received);
    this.#response.resolve({ status: this.#status ?? 0, headers: this.#headers, body });
  }

  onResponseError(_controller: unknown, error: unknown): void {
    this.#fail(describeFailure(error, this.#status));
  }

  #failAfter(milliseconds: number): void {
    clearTimeout(this.#stall);
    this.#stall = setTimeout(() => {
      const code = this.#status === undefined ? 'HEADERS_TIMEOUT' : 'BODY_TIMEOUT';
      this.#fail(new ExchangeFailure('timeout', code, this.#status));
    }, milliseconds);
  }

  #fail(reason: ExchangeFailure): void {
    if (this.#failure) {
      return;
    }
    this.#failure = reason;
    clearTimeout(this.#stall);
    this.#cancellation.onCancel = undefined;
    this.#controller?.abort(reason);
    this.#response.reject(reason);
  }
}

const timeoutCodes = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'ETIMEDOUT']);

/** Tells failures apart by their code: `instanceof` fails when a bundle holds two copies of undici. */
function describeFailure(error: unknown, status: number | undefined): ExchangeFailure {
  if (error instanceof ExchangeFailure) {
    return error;
  }
  const code = proxyRefusal(error) ?? codeOf(error);
  if (timeoutCodes.has(code)) {
    return new ExchangeFailure('timeout', code, status);
  }
  if (isTlsCode(code)) {
    return new ExchangeFailure('tls', code, status);
  }
  if (code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW') {
    return new ExchangeFailure('unreadable', code, status);
  }
  return new ExchangeFailure('connection', code, status);
}

/** `PROXY_407` and the like: undici says only in words that it was the proxy that refused. */
function proxyRefusal(error: unknown): string | undefined {
  const status = error instanceof Error ? /^Proxy .*\((\d{3})\)/.exec(error.message)?.[1] : undefined;
  return status === undefined ? undefined : `PROXY_${status}`;
}

function isTlsCode(code: string): boolean {
  return (
    /^(ERR_TLS_|ERR_SSL_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|CRL_|INVALID_CA|HOSTNAME_MISMATCH)/.test(
      code,
    ) ||
    code === 'EPROTO' ||
    code === 'UND_ERR_PRX_TLS'
  );
}

/** The first code in an error or in the errors it was made from (`AggregateError` of several addresses). */
export function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) {
    return 'UNKNOWN';
  }
  if ('code' in error && typeof error.code === 'string') {
    return error.code;
  }
  // Whatever isn't HTTP at all has no code.
  if ('name' in error && error.name === 'HTTPParserError') {
    return 'HPE_INVALID';
  }
  if (error instanceof AggregateError && error.errors.length > 0) {
    return codeOf(error.errors[0]);
  }
  return 'UNKNOWN';
}
