/**
 * How the windows of a person reach a local service that runs already, and how they know that it is theirs: anybody on the computer
 * may listen at the port where it was. The service leaves a secret beside its data, which nobody else can read, and proves that it
 * knows it before it is told anything. The connection of the proof is held: it ends when the service does.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { isObject } from './isObject.ts';

/** What a service leaves beside its data, for its user alone. */
export interface RunningService {
  /** The API root, `http://127.0.0.1:PORT/api`. */
  readonly url: string;
  /** The access token of the person it runs for: never log it. */
  readonly token: string;
  readonly secret: string;
  readonly pid: number;
}

/** A service that has proved to be ours. */
export interface ReachedService extends Pick<RunningService, 'url' | 'token'> {
  /** Resolves when it ends, or `leave` is called. */
  readonly ended: Promise<void>;
  /** Lets go of it. */
  readonly leave: () => void;
}

/** Milliseconds in which a service on this computer proves who it is. */
const patienceMs = 5_000;

/** Bytes of an answer to the question for the proof, at most. */
const longestAnswer = 4_096;

/** The file in the data directory of a service that runs. */
export function runningFile(dataDirectory: string): string {
  return path.join(dataDirectory, 'running.json');
}

/** The proof that one knows a secret: of who asks, or of who answers, so that neither can be sent back. */
export function proofOf(secret: string, who: 'asks' | 'answers', nonce: string): string {
  return createHmac('sha256', secret).update(`${who} ${nonce}`).digest('base64url');
}

/** Whether a proof is the one that was to come; takes the same time either way. */
export function isProof(given: string | undefined, expected: string): boolean {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * Finds the service that runs over a data directory; undefined when none does, or what listens there is none of ours. Nothing that is
 * worth anything is sent before it has proved itself.
 */
export async function reachRunning(dataDirectory: string): Promise<ReachedService | undefined> {
  const left = await readRunning(dataDirectory);
  if (!left) {
    return undefined;
  }
  const { url, token, secret } = left;
  const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  // The end of the connection says as much.
  socket.on('error', () => undefined);
  socket.setTimeout(patienceMs, () => socket.destroy());
  const nonce = randomBytes(32).toString('base64url');
  const { host } = new URL(url);
  socket.write(
    `CONNECT proof:1 HTTP/1.1\r\nHost: ${host}\r\nX-Nonce: ${nonce}\r\nX-Proof: ${proofOf(secret, 'asks', nonce)}\r\n\r\n`,
  );
  const answer = await Promise.race([readHead(socket), closed.then(() => '')]);
  const [, proof] = /^x-proof: (\S+)\r$/im.exec(answer) ?? [];
  if (!isProof(proof, proofOf(secret, 'answers', nonce))) {
    socket.destroy();
    return undefined;
  }
  socket.setTimeout(0);
  return { url, token, ended: closed, leave: () => socket.destroy() };
}

/** The head of an answer, with its empty line; what came until then when it is too long. */
async function readHead(socket: net.Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.setEncoding('latin1').on('data', (more: string) => {
      text += more;
      if (text.includes('\r\n\r\n') || text.length > longestAnswer) {
        resolve(text);
      }
    });
  });
}

async function readRunning(dataDirectory: string): Promise<RunningService | undefined> {
  try {
    const left: unknown = JSON.parse(await readFile(runningFile(dataDirectory), 'utf8'));
    return isRunningService(left) ? left : undefined;
  } catch {
    // None runs; or it is just being started.
    return undefined;
  }
}

function isRunningService(value: unknown): value is RunningService {
  if (!isObject(value)) {
    return false;
  }
  const { url, token, secret, pid } = value;
  return (
    typeof url === 'string' &&
    /^http:\/\/127\.0\.0\.1:\d{1,5}\/api$/.test(url) &&
    typeof token === 'string' &&
    typeof secret === 'string' &&
    secret.length >= 32 &&
    typeof pid === 'number'
  );
}
