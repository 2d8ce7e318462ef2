import { renameSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { isProof, proofOf, runningFile, type RunningService } from '../util/runningService.ts';
import { newSecret } from './storage/tokens.ts';

/**
 * Leaves beside the data how this service is reached, and proves to whoever can read that that it is the one: see
 * `src/util/runningService.ts`. The question is a CONNECT, which no web page can send.
 *
 * @returns Takes it back, and ends the connections over which that was asked.
 * @throws what the file system says.
 */
export function tellRunning(
  server: Server,
  dataDirectory: string,
  { url, token }: Pick<RunningService, 'url' | 'token'>,
): () => void {
  const secret = newSecret();
  const held = new Set<Duplex>();
  server.on('connect', ({ headers }: IncomingMessage, socket: Duplex) => {
    // Whoever asks may be gone at any time.
    socket.on('error', () => undefined);
    const [nonce, asked] = [headers['x-nonce'], headers['x-proof']];
    if (typeof nonce !== 'string' || !isProof(String(asked), proofOf(secret, 'asks', nonce))) {
      socket.destroy();
      return;
    }
    held.add(socket);
    socket.once('close', () => held.delete(socket));
    socket.write(`HTTP/1.1 200 OK\r\nX-Proof: ${proofOf(secret, 'answers', nonce)}\r\n\r\n`);
    // Nothing more is said; but without reading, its end would go unnoticed.
    socket.resume();
  });
  const file = runningFile(dataDirectory);
  const running: RunningService = { url, token, secret, pid: process.pid };
  rmSync(`${file}.new`, { force: true });
  writeFileSync(`${file}.new`, JSON.stringify(running), { mode: 0o600, flag: 'wx' });
  renameSync(`${file}.new`, file);
  return () => {
    rmSync(file, { force: true });
    held.forEach((socket) => socket.destroy());
  };
}
