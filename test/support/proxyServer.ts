import { once } from 'node:events';
import { createServer, request as forward, type IncomingHttpHeaders } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

/** A request that a proxy got. */
export interface ProxiedRequest {
  /** `CONNECT host:port`, or a method and a whole URL. */
  line: string;
  headers: IncomingHttpHeaders;
}

/** A real forward proxy on loopback: it tunnels TLS, forwards plain HTTP, and resolves any name to one port. */
export class ProxyServer {
  readonly seen: ProxiedRequest[] = [];
  /** `user:password`, when it asks for them. */
  credentials: string | undefined;
  /** Answers every request with this status instead of forwarding it. */
  refuseWith: number | undefined;
  readonly #server = createServer();
  readonly #sockets = new Set<Socket>();

  /** Forwards everything to a port on this computer, whatever host was asked for. */
  static async start(targetPort: () => number): Promise<ProxyServer> {
    const proxy = new ProxyServer();
    const server = proxy.#server;
    server.on('connection', (socket) => proxy.#keep(socket));
    server.on('connect', (request, client, head) => {
      const refusal = proxy.#note(`CONNECT ${request.url}`, request.headers);
      if (refusal !== undefined) {
        client.end(`HTTP/1.1 ${refusal} No\r\nproxy-authenticate: Basic\r\ncontent-length: 0\r\n\r\n`);
        return;
      }
      const target = connect(targetPort(), '127.0.0.1', () => {
        client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        target.write(head);
        client.pipe(target).pipe(client);
      });
      proxy.#keep(target);
      target.on('error', () => client.destroy());
      client.on('error', () => target.destroy());
    });
    server.on('request', (request, response) => {
      const refusal = proxy.#note(`${request.method} ${request.url}`, request.headers);
      if (refusal !== undefined) {
        response.writeHead(refusal, { 'proxy-authenticate': 'Basic' }).end('<title>Proxy</title>');
        return;
      }
      const headers = { ...request.headers };
      delete headers['proxy-authorization'];
      const { pathname, search } = new URL(request.url ?? '');
      const onward = forward(
        { port: targetPort(), host: '127.0.0.1', method: request.method, path: pathname + search, headers },
        (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        },
      );
      request.pipe(onward);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  /** `host:port`. */
  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) {
      socket.destroy();
    }
    this.#server.close();
    await once(this.#server, 'close');
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(socket));
  }

  #note(line: string, headers: IncomingHttpHeaders): number | undefined {
    this.seen.push({ line, headers });
    const expected = this.credentials && `Basic ${Buffer.from(this.credentials).toString('base64')}`;
    return expected !== undefined && headers['proxy-authorization'] !== expected ? 407 : this.refuseWith;
  }
}
