/**
 * The local service as a process that the extension starts: `embedded REPOSITORY OLDER [BASE [ENCODING [REMOTE [branch]]]]`, where OLDER is the folder in
 * which earlier versions kept the data of each repository that it was tried on. It tells what happens
 * over its channel to the extension host, and ends when that channel does, so that it never outlives the window. Where another one has
 * the data, and is of the same user, it says so and ends: that one serves all windows.
 */
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type {
  LocalServiceAnswer,
  LocalServiceMessage,
  LocalServiceRequest,
  SharingNews,
  SharingRequest,
} from '../protocol/localService.ts';
import { openRepository } from './git/repository.ts';
import { startAtLastPort } from './lastPort.ts';
import { ServiceError, type LocalService } from './service.ts';
import type { SharingOptions, SharingStatus } from './sharing/sharing.ts';
import { findStore, foldersIn, type Store } from './stores.ts';
import { inBackground } from '../util/inBackground.ts';
import { messageOf } from '../util/messageOf.ts';
import { reachRunning } from '../util/runningService.ts';

const [repository = '.', older = '.', base = '', encoding = '', remote = '', as = ''] = process.argv.slice(2);

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
    onRound: (status) => {
      lastNews = newsFrom(status);
      tell({ kind: 'sharing', news: lastNews });
    },
  };
}

async function start(
  dataDirectory: string,
  signal: AbortSignal,
  share = remote !== '',
): Promise<LocalService> {
  return startAtLastPort({
    repository,
    dataDirectory,
    base: base === '' ? undefined : base,
    encoding,
    signal,
    isTokenNew: true,
    readyWhen: 'readable',
    // The window hears of what is new as of any other change.
    onFollowed: () => undefined,
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

/** Does what needs data that no other service has, as soon as that is so. */
async function whenFree<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  const end = Date.now() + patienceMs;
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'data_locked' || Date.now() > end) {
        throw error;
      }
      if (isFirst) {
        tell({ kind: 'waiting' });
      }
      await delay(lookEveryMs, undefined, { signal });
    }
  }
}

/** Starts the service; undefined when one has the data already that serves this window, too. */
async function startUnlessRunning(data: string, signal: AbortSignal): Promise<LocalService | undefined> {
  try {
    return await start(data, signal);
  } catch (error) {
    const code = error instanceof ServiceError ? error.code : '';
    if (['no_remote', 'remote_inside', 'no_identity'].includes(code)) {
      // The window asks for it again, and tells why it can't be.
      return start(data, signal, false);
    }
    const other = code === 'data_locked' ? await reachRunning(data) : undefined;
    if (!other) {
      throw error;
    }
    other.leave();
    return undefined;
  }
}

/** Where the data of the repository lies. Data of an earlier version that is still in use is waited for. */
async function findData(signal: AbortSignal): Promise<Store> {
  const opened = await openRepository(repository, signal);
  const before = [...foldersIn(older), path.join(opened.directory, '.vscode-test', 'service')];
  return whenFree(signal, () => findStore(opened, before));
}

function newsFrom({
  waiting,
  trouble,
  reason,
  takenAt,
  problems,
  unfinished,
  strangers,
  withheld,
}: SharingStatus): SharingNews {
  return {
    at: Date.now(),
    waiting,
    ...(trouble !== undefined && { trouble }),
    ...(reason !== undefined && { reason }),
    ...(takenAt !== undefined && { takenAt }),
    problems: problems.map(({ log, reason: why, who }) => ({
      what: log === '' ? why : `${log}: ${why}`,
      ...(who !== undefined && { who }),
    })),
    ...(unfinished && { unfinished: unfinished.map(({ who }) => (who === undefined ? {} : { who })) }),
    ...(strangers && { strangers }),
    ...(withheld && { withheld }),
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
    case 'pushAgain':
      return { news: newsFrom(await service.pushAgain()) };
    case 'addDevice':
      return { news: newsFrom(await service.addDevice(request.device)) };
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
  const { signal } = stop;
  const { directory: data, copiedFrom, others } = await findData(signal);
  if (copiedFrom !== undefined) {
    tell({ kind: 'copied', from: copiedFrom, others });
  }
  const service = await whenFree(signal, () => startUnlessRunning(data, signal));
  if (!service) {
    tell({ kind: 'running', data });
    process.disconnect();
    return;
  }
  listen(service);
  const { url, token, imported } = service;
  tell({
    kind: 'ready',
    url,
    token,
    data,
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
