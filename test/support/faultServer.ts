import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { once } from 'node:events';
import { gzipSync } from 'node:zlib';

/** One request as the server got it, with its whole body. */
export interface SeenRequest {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

/** Answers request number `attempt` (from 1) of a test. */
export type Fault = (response: ServerResponse, request: SeenRequest, attempt: number) => void | Promise<void>;

/**
 * A server on loopback that misbehaves as told. It counts the requests that reach it, and can tell when the last
 * connection to it is gone.
 */
export class FaultServer {
  readonly seen: SeenRequest[] = [];
  /** True when connections are cut as soon as a request begins, before it is read. */
  cutOnArrival = false;
  /** Requests to such an address are left unread, for ever. */
  unread: RegExp | undefined;
  /** The number of requests that have begun since `use`. */
  arrived = 0;
  /** Bytes written to connections that are gone. */
  bytesWritten = 0;
  #fault: Fault = (response) => void response.end('{}');
  readonly #server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    void this.#answer(request, response);
  });
  readonly #sockets = new Set<Socket>();
  #idle: (() => void) | undefined;
  #onArrival: (() => void) | undefined;

  static async start(): Promise<FaultServer> {
    const server = new FaultServer();
    server.#server.on('connection', (socket) => {
      server.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        server.bytesWritten += socket.bytesWritten;
        server.#sockets.delete(socket);
        if (server.#sockets.size === 0) {
          server.#idle?.();
        }
      });
    });
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Forgets what was seen, and misbehaves in another way from now on. */
  use(fault: Fault): void {
    this.seen.length = 0;
    this.arrived = 0;
    this.bytesWritten = 0;
    this.#fault = fault;
  }

  get openConnections(): number {
    return this.#sockets.size;
  }

  /** Resolves when no connection is open: a client that leaks one makes the test run out of time. */
  async idle(): Promise<void> {
    if (this.#sockets.size === 0) {
      return;
    }
    await new Promise<void>((resolve) => (this.#idle = resolve));
    this.#idle = undefined;
  }

  /** Resolves when so many requests have reached the server since `use`. */
  async arrival(count = 1): Promise<void> {
    while (this.seen.length < count) {
      await new Promise<void>((resolve) => (this.#onArrival = resolve));
    }
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) {
      socket.destroy();
    }
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.arrived++;
    if (this.cutOnArrival) {
      request.socket.resetAndDestroy();
      return;
    }
    if (this.unread?.test(request.url ?? '')) {
      return;
    }
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) {
        chunks.push(chunk);
      }
    } catch {
      return;
    }
    const seen = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks),
    };
    this.seen.push(seen);
    this.#onArrival?.();
    await this.#fault(response, seen, this.seen.length);
  }
}

/** A port on loopback where nothing listens. */
export async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const json = { 'content-type': 'application/json' };

/** Answers with a status, headers and a whole body. */
export function reply(
  status: number,
  body: string | Buffer = '',
  headers: Record<string, string> = json,
): Fault {
  return (response) => {
    response.writeHead(status, { ...headers, 'content-length': String(Buffer.byteLength(body)) });
    response.end(body);
  };
}

/** Cuts the connection before a byte of the response. */
export const resetBeforeHeaders: Fault = (response) => {
  response.socket?.resetAndDestroy();
};

/** Cuts the connection in the middle of a body. */
export function resetMidBody(body: string): Fault {
  return (response) => {
    response.writeHead(200, { ...json, 'content-length': String(Buffer.byteLength(body) + 100) });
    response.write(body.slice(0, Math.ceil(body.length / 2)), () => response.socket?.resetAndDestroy());
  };
}

/** Never answers. */
export const stalledHeaders: Fault = () => undefined;

/** Answers with half a body and then nothing more. */
export function stalledBody(body: string): Fault {
  return (response) => {
    response.writeHead(200, { ...json, 'content-length': String(Buffer.byteLength(body) + 100) });
    response.write(body.slice(0, Math.ceil(body.length / 2)));
  };
}

/** Sends a space again and again, for ever. @param afterEach Called when the client has had a turn to read it. */
export function slowDrip(afterEach: () => void): Fault {
  return async (response) => {
    response.writeHead(200, json);
    while (!response.closed) {
      response.write(' ');
      await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setImmediate(resolve));
      afterEach();
    }
  };
}

/** Sends a whole body, one byte at a time. */
export function oneByteChunks(body: string): Fault {
  return async (response) => {
    response.socket?.setNoDelay(true);
    response.writeHead(200, json);
    for (const byte of Buffer.from(body)) {
      response.write(Buffer.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  };
}

/** Sends a JSON text of about this many bytes without saying so before, unless the client hangs up. */
export function hugeJson(bytes: number): Fault {
  return async (response) => {
    response.writeHead(200, json);
    const piece = Buffer.from(`"${'x'.repeat(65_533)}",`);
    const closed = new AbortController();
    response.once('close', () => closed.abort());
    response.write('[');
    for (let sent = 0; sent < bytes && !response.destroyed; sent += piece.length) {
      if (!response.write(piece)) {
        await once(response, 'drain', { signal: closed.signal }).catch(() => undefined);
      }
    }
    response.end('""]');
  };
}

/** Says that a body is huge, and begins it. */
export function hugeLength(bytes: number): Fault {
  return (response) => {
    response.writeHead(200, { ...json, 'content-length': String(bytes) });
    response.write('[');
  };
}

/** Made once: compressing takes a second. */
const bombs: Record<number, Buffer> = {};

/** A small body that becomes huge when decompressed. */
export function gzipBomb(bytes: number): Fault {
  const body = (bombs[bytes] ??= gzipSync(Buffer.alloc(bytes, 0x20)));
  return reply(200, body, { ...json, 'content-encoding': 'gzip' });
}

/** Says another length than it sends, and hangs up after it. */
export function lyingLength(body: string, said: number): Fault {
  return (response) => {
    response.socket?.end(
      `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${said}\r\n\r\n${body}`,
    );
  };
}

/** Answers in one way first, and in another from then on. */
export function first(count: number, fault: Fault, then: Fault): Fault {
  return (response, request, attempt) => (attempt <= count ? fault : then)(response, request, attempt);
}

/** JSON text of arrays in arrays. */
export function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}
