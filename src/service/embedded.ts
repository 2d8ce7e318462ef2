/**
 * The local service as a process that the extension starts: `embedded REPOSITORY DATA_DIRECTORY [BASE [ENCODING [REMOTE [branch]]]]`. It tells what happens
 * over its channel to the extension host, and ends when that channel does, so that it never outlives the window. Where another one has
 * the data, and is of the same user, it says so and ends: that one serves all windows.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type {
  LocalServiceAnswer,
  LocalServiceMessage,
  LocalServiceRequest,
  SharingNews,
  SharingRequest,
} from '../protocol/localService.ts';
import { ServiceError, startService, type LocalService } from './service.ts';
import type { SharingOptions, SharingStatus } from './sharing/sharing.ts';
import { inBackground } from '../util/inBackground.ts';
import { messageOf } from '../util/messageOf.ts';
import { reachRunning } from '../util/runningService.ts';

const [repository = '.', dataDirectory = '.', base = '', encoding = '', remote = '', as = ''] =
  process.argv.slice(2);
const portFile = path.join(dataDirectory, 'port');

/** Milliseconds after which what the person changes is shared, together with what they change meanwhile. */
const afterWritesMs = 1_000;

/** Milliseconds in which one that has the data still is waited for: that of a window that is loaded again ends when its host does. */
const patienceMs = 30_000;

/** Milliseconds between two looks at whether it has ended. */
const lookEveryMs = 250;

function tell(message: LocalServiceMessage): void {
  if (process.connected) {
    process.send?.(message);
  }
}

/** The news of the last round, for a window that asks late. */
let lastNews: SharingNews | undefined;

function sharingThrough(name: string, asBranch: boolean): SharingOptions {
  return {
    remote: name,
    asBranch,
    afterWritesMs,
    onRound: (status, isNew) => {
      lastNews = newsFrom(status, isNew);
      tell({ kind: 'sharing', news: lastNews });
    },
  };
}

async function start(port: number, signal: AbortSignal, share = remote !== ''): Promise<LocalService> {
  return startService({
    repository,
    dataDirectory,
    base: base === '' ? undefined : base,
    encoding,
    port,
    signal,
    isTokenNew: true,
    readyWhen: 'readable',
    onFollowed: () => tell({ kind: 'followed' }),
    onRestored: ({ trouble, keptIn, copiedAt }) =>
      tell({
        kind: 'restored',
        trouble,
        copiedAt: copiedAt.getTime(),
        ...(keptIn !== undefined && { keptIn }),
      }),
    ...(share && { share: sharingThrough(remote, as === 'branch') }),
    onProgress: ({ branch, done, total }) => tell({ kind: 'progress', branch, done, total }),
  });
}

/** Starts when no other service has the data any more; undefined when one has that serves this window, too. */
async function startWhenFree(...parameters: Parameters<typeof start>): Promise<LocalService | undefined> {
  const [, signal] = parameters;
  const end = Date.now() + patienceMs;
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await start(...parameters);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'data_locked' || Date.now() > end) {
        throw error;
      }
      const other = await reachRunning(dataDirectory);
      if (other) {
        other.leave();
        return undefined;
      }
      if (isFirst) {
        tell({ kind: 'waiting' });
      }
      await delay(lookEveryMs, undefined, { signal });
    }
  }
}

/** The port of the last time: the window's account, its links and its pending changes belong to the same address then. */
async function lastPort(): Promise<number> {
  const port = Number(await readFile(portFile, 'utf8').catch(() => '0'));
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : 0;
}

function newsFrom({ waiting, trouble, reason, problems }: SharingStatus, isNew = true): SharingNews {
  return {
    at: Date.now(),
    waiting,
    isNew,
    ...(trouble !== undefined && { trouble }),
    ...(reason !== undefined && { reason }),
    problems: problems.map(({ log, reason: why }) => (log === '' ? why : `${log}: ${why}`)),
  };
}

async function answerTo(service: LocalService, request: SharingRequest): Promise<LocalServiceAnswer> {
  switch (request.kind) {
    case 'remotes': {
      // Nothing of the sharing is loaded before somebody asks for it.
      const { listRemotes } = await import('./sharing/logs.ts');
      return { remotes: await listRemotes(repository) };
    }
    case 'share':
      await service.startSharing(sharingThrough(request.remote, request.asBranch));
      return lastNews ? { news: lastNews } : {};
    case 'stopSharing':
      await service.stopSharing();
      lastNews = undefined;
      return {};
    case 'shareNow':
      return { news: newsFrom(await service.shareNow()) };
  }
}

function listen(service: LocalService): void {
  process.on('message', (request: LocalServiceRequest) => {
    inBackground(
      answerTo(service, request)
        .catch((error: unknown): LocalServiceAnswer => ({
          failure: {
            code: error instanceof ServiceError ? error.code : 'unknown',
            message: messageOf(error),
          },
        }))
        .then((answer) => tell({ kind: 'answer', id: request.id, answer })),
    );
  });
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
  const service = await startWhenFree(port, stop.signal).catch((error: unknown) => {
    const code = error instanceof ServiceError ? error.code : '';
    if (port !== 0 && code === 'port_taken') {
      return start(0, stop.signal);
    }
    if (code === 'no_remote' || code === 'no_identity') {
      // The window asks for it again, and tells why it can't be.
      return start(port, stop.signal, false);
    }
    throw error;
  });
  if (!service) {
    tell({ kind: 'running' });
    process.disconnect();
    return;
  }
  await writeFile(portFile, new URL(service.url).port);
  listen(service);
  const { url, token, imported } = service;
  tell({
    kind: 'ready',
    url,
    token,
    isImported: imported !== undefined,
    ...(imported && { projectId: String(imported.projectId) }),
  });
  if (!imported) {
    const ended: Omit<Extract<LocalServiceMessage, { kind: 'imported' }>, 'kind'> = await Promise.race([
      service.importing,
      disconnected,
    ]).then(
      (summary) => (summary ? { projectId: String(summary.projectId) } : {}),
      (error: unknown) => ({ failure: messageOf(error) }),
    );
    tell({ kind: 'imported', ...ended });
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
