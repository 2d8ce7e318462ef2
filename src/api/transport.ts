import { createSecureContext, getCACertificates, rootCertificates } from 'node:tls';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { Dispatcher } from 'undici';
import type * as Dispatchers from './dispatchers.ts';
import type { ProxyChoice } from './proxy.ts';

/** How requests are sent. Times are milliseconds, sizes bytes. */
export interface TransportLimits {
  /** To connect, TLS included. Default 10,000. */
  connectTimeout: number;
  /** From the request's last byte to the response's headers. Default 30,000. */
  headersTimeout: number;
  /** Between two pieces of a response's body. Default 30,000. */
  bodyTimeout: number;
  /** The largest response that is read, counted after decompression. Default 64 MiB. */
  maxResponseSize: number;
  /** Connections at a time to the server. Default 64. */
  connections: number;
  /** How long an idle connection is kept. Default 30,000. */
  keepAliveTimeout: number;
}

/** What the transport must know beside its limits. */
export interface TransportSettings extends TransportLimits {
  /** E.g. `https://stacks.example`. */
  origin: string;
  proxy: ProxyChoice | undefined;
  /** Whether certificates are verified; default true. */
  strictSSL: boolean;
  /** Whether certificate authorities of the operating system are trusted, too. */
  systemCertificates: boolean;
  /** More certificate authorities to trust, in PEM. */
  extraCertificates: readonly string[];
}

/** One request as it goes over the wire. */
export interface WireRequest {
  method: string;
  /** Path and query, percent-encoded. */
  path: string;
  headers: Record<string, string>;
  body?: string | AsyncIterable<Uint8Array> | undefined;
}

/** One response, decompressed. */
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

let dispatchers: Promise<typeof Dispatchers> | undefined;

/** Sends requests to one server through one pool of connections. The only place that knows undici. */
export class Transport {
  readonly #settings: TransportSettings;
  #dispatcher: Dispatcher | undefined;
  #opening: Promise<Dispatcher> | undefined;
  #closed = false;

  constructor(settings: TransportSettings) {
    this.#settings = settings;
  }

  /**
   * Sends one request and reads the whole response, whatever its status. Follows no redirect and tries only once.
   * Throws an `ExchangeFailure`.
   */
  exchange(request: WireRequest, cancellation: Cancellation): Promise<WireResponse> {
    return this.#dispatcher
      ? this.#dispatch(this.#dispatcher, request, cancellation)
      : this.#open().then((dispatcher) => this.#dispatch(dispatcher, request, cancellation));
  }

  /** Cuts all connections. */
  async close(): Promise<void> {
    this.#closed = true;
    const dispatcher = this.#dispatcher ?? (await this.#opening?.catch(() => undefined));
    this.#dispatcher = undefined;
    await dispatcher?.destroy();
  }

  /** Loads undici on first use: it is large, and an editor that never signs in does not need it. */
  async #open(): Promise<Dispatcher> {
    this.#opening ??= (dispatchers ??= import('./dispatchers.ts')).then((module) =>
      this.#createDispatcher(module),
    );
    const dispatcher = await this.#opening;
    if (this.#closed) {
      throw new ExchangeFailure('cancelled');
    }
    this.#dispatcher = dispatcher;
    return dispatcher;
  }

  #createDispatcher(module: typeof Dispatchers): Dispatcher {
    const { origin, proxy, connectTimeout, connections, keepAliveTimeout } = this.#settings;
    const tls = origin.startsWith('https:') || proxy?.url.startsWith('https:') ? this.#tlsOptions() : {};
    const connect = { ...tls, timeout: connectTimeout };
    const options = {
      connect,
      connections,
      connectTimeout,
      keepAliveTimeout,
      // Timed here instead (see #dispatch): undici's timers are coarse, and differ between HTTP/1.1 and HTTP/2.
      headersTimeout: 0,
      bodyTimeout: 0,
      allowH2: true,
    };
    if (proxy === undefined) {
      return new module.Agent(options);
    }
    return new module.EnvHttpProxyAgent({
      ...options,
      httpProxy: proxy.url,
      httpsProxy: proxy.url,
      noProxy: proxy.noProxy,
      requestTls: connect,
      proxyTls: connect,
    });
  }

  #tlsOptions(): object {
    const { strictSSL, systemCertificates, extraCertificates } = this.#settings;
    if (!strictSSL) {
      return { rejectUnauthorized: false };
    }
    if (!systemCertificates && extraCertificates.length === 0) {
      return {};
    }
    // Older editors run a Node without getCACertificates: there only the built-in authorities are known.
    const authorities =
      typeof getCACertificates === 'function' ? getCACertificates('default') : rootCertificates;
    const system =
      systemCertificates && typeof getCACertificates === 'function' ? getCACertificates('system') : [];
    // One context for all connections: reading a few hundred certificates takes tens of milliseconds.
    return { secureContext: createSecureContext({ ca: [...authorities, ...system, ...extraCertificates] }) };
  }

  /**
   * Speaks undici's dispatch protocol directly: `undici.request` would wrap every body in a stream, which costs more
   * than all the rest of this client.
   */
  #dispatch(dispatcher: Dispatcher, request: WireRequest, cancellation: Cancellation): Promise<WireResponse> {
    const { origin, maxResponseSize, headersTimeout, bodyTimeout } = this.#settings;
    const decompress = (response: WireResponse, encoding: string) => this.#decompress(response, encoding);
    return new Promise<WireResponse>((resolve, reject) => {
      let controller: Dispatcher.DispatchController | undefined;
      let failure: ExchangeFailure | undefined;
      let status: number | undefined;
      let headers: WireResponse['headers'] = {};
      let received = 0;
      const chunks: Buffer[] = [];
      /** Ends an exchange that does not move. */
      let stall: NodeJS.Timeout | undefined;

      const fail = (reason: ExchangeFailure) => {
        if (failure) {
          return;
        }
        failure = reason;
        clearTimeout(stall);
        cancellation.onCancel = undefined;
        controller?.abort(reason);
        reject(reason);
      };
      const stalled = () => {
        const code = status === undefined ? 'HEADERS_TIMEOUT' : 'BODY_TIMEOUT';
        fail(new ExchangeFailure('timeout', code, status));
      };
      if (cancellation.cancelled) {
        fail(new ExchangeFailure('cancelled'));
        return;
      }
      cancellation.onCancel = () => fail(new ExchangeFailure('cancelled'));

      const handler: Dispatcher.DispatchHandler = {
        onRequestStart(started) {
          controller = started;
          // Cancelled while it waited for a connection.
          if (failure) {
            started.abort(failure);
          } else {
            stall = setTimeout(() => fail(new ExchangeFailure('timeout', 'HEADERS_TIMEOUT')), headersTimeout);
          }
        },
        onBodySent() {
          stall?.refresh();
        },
        onResponseStart(_controller, statusCode, responseHeaders) {
          if (statusCode < 200) {
            return;
          }
          status = statusCode;
          headers = responseHeaders;
          if (failure) {
            return;
          }
          // Most bodies are complete at once: a timer that can serve on is not replaced.
          if (bodyTimeout === headersTimeout) {
            stall?.refresh();
          } else {
            clearTimeout(stall);
            stall = setTimeout(stalled, bodyTimeout);
          }
          // A length that is too large already is not worth reading up to the limit.
          if (Number(responseHeaders['content-length']) > maxResponseSize) {
            fail(new ExchangeFailure('tooLarge', undefined, status));
          }
        },
        onResponseData(_controller, chunk) {
          stall?.refresh();
          received += chunk.length;
          if (received > maxResponseSize) {
            fail(new ExchangeFailure('tooLarge', undefined, status));
          } else {
            chunks.push(chunk);
          }
        },
        onResponseEnd() {
          if (failure) {
            return;
          }
          clearTimeout(stall);
          cancellation.onCancel = undefined;
          const [first] = chunks;
          const body = chunks.length === 1 && first ? first : Buffer.concat(chunks, received);
          const response = { status: status ?? 0, headers, body };
          const encoding = headers['content-encoding'];
          if (encoding === undefined || received === 0) {
            resolve(response);
          } else {
            resolve(decompress(response, String(encoding)));
          }
        },
        onResponseError(_controller, error) {
          fail(describeFailure(error, status));
        },
      };
      try {
        dispatcher.dispatch(
          {
            origin,
            path: request.path,
            method: request.method,
            headers: request.headers,
            // undici takes any iterable of bytes; its types do not say so.
            body: (request.body ?? null) as string | null,
          },
          handler,
        );
      } catch (error) {
        fail(describeFailure(error, status));
      }
    });
  }

  /** Undoes `content-encoding`, and stops at the size limit: a small body can hold a very large one. */
  async #decompress(response: WireResponse, encoding: string): Promise<WireResponse> {
    const { maxResponseSize } = this.#settings;
    const codings = encoding
      .toLowerCase()
      .split(',')
      .map((coding) => coding.trim())
      .filter((coding) => coding !== '' && coding !== 'identity');
    // More than two layers have no honest use.
    if (codings.length > 2) {
      throw new ExchangeFailure('unreadable', 'CONTENT_ENCODING', response.status);
    }
    let body = response.body;
    for (const coding of codings.reverse()) {
      const decode = decoders[coding];
      if (decode === undefined) {
        throw new ExchangeFailure('unreadable', 'CONTENT_ENCODING', response.status);
      }
      try {
        body = await decode(body, { maxOutputLength: maxResponseSize });
      } catch (error) {
        const code = codeOf(error);
        const kind = code === 'ERR_BUFFER_TOO_LARGE' ? 'tooLarge' : 'unreadable';
        throw new ExchangeFailure(kind, code, response.status);
      }
    }
    return { ...response, body };
  }
}

type Decoder = (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;
const decoders: Readonly<Record<string, Decoder | undefined>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

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
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) {
    return 'UNKNOWN';
  }
  if ('code' in error && typeof error.code === 'string') {
    return error.code;
  }
  // What is no HTTP at all has no code.
  if ('name' in error && error.name === 'HTTPParserError') {
    return 'HPE_INVALID';
  }
  if (error instanceof AggregateError && error.errors.length > 0) {
    return codeOf(error.errors[0]);
  }
  return 'UNKNOWN';
}
