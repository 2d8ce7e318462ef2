/**
 * The local service as a process that the extension starts: `embedded REPOSITORY DATA_DIRECTORY [BASE [ENCODING]]`. It tells what happens
 * over its channel to the extension host, and ends when that channel does, so that it never outlives the window.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { LocalServiceMessage } from '../protocol/localService.ts';
import { ServiceError, startService, type LocalService } from './service.ts';
import { messageOf } from '../util/messageOf.ts';

const [repository = '.', dataDirectory = '.', base = '', encoding = ''] = process.argv.slice(2);
const portFile = path.join(dataDirectory, 'port');

function tell(message: LocalServiceMessage): void {
  process.send?.(message);
}

async function start(port: number, signal: AbortSignal): Promise<LocalService> {
  return startService({
    repository,
    dataDirectory,
    base: base === '' ? undefined : base,
    encoding,
    port,
    signal,
    readyWhen: 'readable',
    onProgress: ({ branch, done, total }) => tell({ kind: 'progress', branch, done, total }),
  });
}

/** The port of the last time: the window's account, its links and its pending changes belong to the same address then. */
async function lastPort(): Promise<number> {
  const port = Number(await readFile(portFile, 'utf8').catch(() => '0'));
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : 0;
}

async function main(): Promise<void> {
  const stop = new AbortController();
  const disconnected = new Promise<void>((resolve) => {
    process.once('disconnect', () => {
      stop.abort(new Error('The window was closed.'));
      resolve();
    });
  });
  const port = await lastPort();
  const service = await start(port, stop.signal).catch((error: unknown) => {
    if (port !== 0 && error instanceof ServiceError && error.code === 'port_taken') {
      return start(0, stop.signal);
    }
    throw error;
  });
  await writeFile(portFile, new URL(service.url).port);
  const isImported = service.imported !== undefined;
  tell({ kind: 'ready', url: service.url, token: service.token, isImported });
  if (!isImported) {
    const failure = await Promise.race([service.importing, disconnected]).then(() => undefined, messageOf);
    if (process.connected) {
      tell({ kind: 'imported', ...(failure !== undefined && { failure }) });
    }
  }
  await disconnected;
  await service.close();
}

main().catch((error: unknown) => {
  const code = error instanceof ServiceError ? error.code : 'unknown';
  tell({ kind: 'failed', code, message: messageOf(error) });
  process.disconnect();
  process.exitCode = 1;
});
