import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** What becomes of a connection: it leads to the server, nobody answers, or it is cut, as where there is no server. */
type Conduct = 'leads' | 'silent' | 'cut';

/**
 * Stands before a server on loopback, hands on what comes, and keeps what was sent to the server. Each side finds the
 * other's address where it looks for its own, so that the server takes what was meant for the relay. A server that goes away
 * and comes back is played by it: a port that was given back may be somebody else's by then.
 */
export class Relay {
  readonly #server = createServer();
  readonly #sockets = new Set<Socket>();
  readonly #sent: Buffer[] = [];
  #conduct: Conduct = 'leads';

  /** @param serverUrl where the server is; only its port is used. */
  static async start(serverUrl: string): Promise<Relay> {
    const relay = new Relay();
    const theirs = Number(new URL(serverUrl).port);
    relay.#server.on('connection', (client) => {
      relay.#keep(client);
      if (relay.#conduct === 'cut') {
        client.destroy();
      } else if (relay.#conduct === 'leads') {
        const target = connect(theirs, '127.0.0.1');
        relay.#keep(target);
        client.on('data', (bytes) => relay.#sent.push(bytes));
        client.pipe(replacePort(relay.#port, theirs)).pipe(target);
        target.pipe(replacePort(theirs, relay.#port)).pipe(client);
        client.on('close', () => target.destroy());
        target.on('close', () => client.destroy());
      }
    });
    relay.#server.listen(0, '127.0.0.1');
    await once(relay.#server, 'listening');
    return relay;
  }

  get #port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The address of the server behind it, as it is reached through this. */
  throughThis(serverUrl: string): string {
    const url = new URL(serverUrl);
    url.port = String(this.#port);
    return url.href;
  }

  /** Everything that was sent to the server so far. */
  get sent(): string {
    return Buffer.concat(this.#sent).toString('latin1');
  }

  /** Takes connections in another way from now on, and ends those that there are. */
  behave(conduct: Conduct): void {
    this.#conduct = conduct;
    for (const socket of this.#sockets) {
      socket.destroy();
    }
  }

  async stop(): Promise<void> {
    this.behave('cut');
    this.#server.close();
    await once(this.#server, 'close');
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(socket));
  }
}

/** The length stays, for ports that a system gives out have five digits: what counts bytes needs no change. */
function replacePort(from: number, to: number): Transform {
  return new Transform({
    transform(bytes: Buffer, _encoding, done) {
      const text = bytes.toString('latin1').replaceAll(`127.0.0.1:${from}`, `127.0.0.1:${to}`);
      done(null, Buffer.from(text, 'latin1'));
    },
  });
}
