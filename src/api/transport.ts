import { createSecureContext, getCACertificates, rootCertificates } from 'node:tls';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { Dispatcher } from 'undici';
import type * as Dispatchers from './dispatchers.ts';
import { codeOf, Exchange, ExchangeFailure, type Cancellation, type WireResponse } from './exchange.ts';
import type { ProxyChoice } from './proxy.ts';

/** Options for sending requests. Times are milliseconds, sizes bytes. */
export interface TransportLimits {
  /** To connect, TLS included. Default 10,000. */
  connectTimeoutMs: number;
  /** From the request's last byte to the response's headers. Default 30,000. */
  headersTimeoutMs: number;
  /** Between two pieces of a response's body. Default 30,000. */
  bodyTimeoutMs: number;
  /** The largest response that is read, counted after decompression. Default 64 MiB. */
  maxResponseSize: number;
  /** Connections at a time to the server. Default 64. */
  connections: number;
  /** Keeps an idle connection for so long. Default 30,000. */
  keepAliveTimeoutMs: number;
}

interface TransportSettings extends TransportLimits {
  /** E.g. `https://stacks.example`. */
  origin: string;
  proxy: ProxyChoice | undefined;
  /** Verifies certificates; default true. */
  strictSSL: boolean;
  /** Trusts the operating system's certificate authorities, too. */
  systemCertificates: boolean;
  /** More certificate authorities to trust, in PEM. */
  extraCertificates: readonly string[];
}

/** One request as it goes over the wire. */
interface WireRequest {
  method: string;
  /** Path and query, percent-encoded. */
  path: string;
  headers: Record<string, string>;
  body?: string | AsyncIterable<Uint8Array> | undefined;
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
    const { origin, proxy, connectTimeoutMs, connections, keepAliveTimeoutMs } = this.#settings;
    const tls = origin.startsWith('https:') || proxy?.url.startsWith('https:') ? this.#tlsOptions() : {};
    const connect = { ...tls, timeout: connectTimeoutMs };
    const options = {
      connect,
      connections,
      connectTimeout: connectTimeoutMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      // Timed here instead (see `Exchange`): undici's timers are coarse, and differ between HTTP/1.1 and HTTP/2.
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

  async #dispatch(
    dispatcher: Dispatcher,
    request: WireRequest,
    cancellation: Cancellation,
  ): Promise<WireResponse> {
    const response = await new Exchange(this.#settings, cancellation).send(dispatcher, {
      origin: this.#settings.origin,
      path: request.path,
      method: request.method,
      headers: request.headers,
      // undici takes any iterable of bytes; its types do not say so.
      body: (request.body ?? null) as string | null,
    });
    const encoding = response.headers['content-encoding'];
    return encoding === undefined || response.body.length === 0
      ? response
      : this.#decompress(response, String(encoding));
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
