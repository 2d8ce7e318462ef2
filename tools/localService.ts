/** The local service over a git repository, and what is needed to sign in to it. */
import { setTimeout as delay } from 'node:timers/promises';
import { describeCode } from '../src/service/describeCode.ts';
import { describeImport } from '../src/service/describeImport.ts';
import { describeSharing } from '../src/service/describeSharing.ts';
import { ServiceError } from '../src/service/errors.ts';
import { startAtLastPort } from '../src/service/lastPort.ts';
import { describeRestored } from '../src/service/service.ts';
import { inBackground } from '../src/util/inBackground.ts';
import { reachRunning } from '../src/util/runningService.ts';
import { say, step } from './progress.ts';

export interface LocalService {
  readonly url: string;
  readonly token: string;
  readonly port: number;
  /** Imports what is new in the repository. */
  readonly importNew: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface ServiceOptions {
  readonly repository: string;
  /** The base of all branches; left out, each is compared with the one it left. */
  readonly base?: string | undefined;
  readonly dataDirectory: string;
  /** The remote through which reviews are shared; left out, none are. */
  readonly share?: string | undefined;
  /** Other devices of the person's that share in their name. */
  readonly devices?: readonly string[];
  /** The port to begin with when it was at none before; 0 takes a free one. */
  readonly port?: number;
  /** See `ServiceOptions` of the service. */
  readonly isTokenNew?: boolean;
}

/** A service of this process, or one of another process over the same data. */
interface Serving {
  readonly url: string;
  readonly token: string;
  readonly importNew: () => Promise<void>;
  readonly close: () => Promise<void>;
  /** Resolves when it has ended, whoever has ended it. */
  readonly ended: Promise<void>;
}

/** Milliseconds after which what somebody changes is shared, together with what they change meanwhile. */
const afterWritesMs = 1_000;

/** Milliseconds in which a service that has the data is waited for that can't be reached: it is just starting, or ending. */
const patienceMs = 30_000;

/** Milliseconds between two looks at it. */
const lookEveryMs = 250;

/**
 * Starts the service. Where a window has one for the same data already, that is used, until it ends: then one is started here, so that
 * other windows go on.
 */
export async function openService(options: ServiceOptions): Promise<LocalService> {
  const stop = new AbortController();
  let serving = await serve(options, stop.signal);
  const { url, token } = serving;
  const follow = async (): Promise<void> => {
    for (;;) {
      await serving.ended;
      if (stop.signal.aborted) {
        return;
      }
      serving = await serve(options, stop.signal);
    }
  };
  const following = follow();
  inBackground(following.catch((error: unknown) => (stop.signal.aborted ? undefined : say(String(error)))));
  return {
    url,
    token,
    port: Number(new URL(url).port),
    importNew: () => serving.importNew(),
    close: async () => {
      stop.abort();
      await serving.close();
      await following.catch(() => undefined);
    },
  };
}

async function serve(options: ServiceOptions, signal: AbortSignal): Promise<Serving> {
  const end = Date.now() + patienceMs;
  for (;;) {
    try {
      return await startOwn(options, signal);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'data_locked' || Date.now() > end) {
        throw error;
      }
      const reached = await reachRunning(options.dataDirectory);
      if (reached) {
        say(`Using the local service that is already running at ${reached.url}`);
        return { ...reached, importNew: async () => undefined, close: async () => reached.leave() };
      }
    }
    await delay(lookEveryMs, undefined, { signal });
  }
}

async function startOwn(
  { share, devices, ...options }: ServiceOptions,
  signal: AbortSignal,
): Promise<Serving> {
  const { url, token, imported, importRepository, close } = await step(
    `Reading ${options.repository}`,
    async (report) =>
      startAtLastPort({
        port: 0,
        ...options,
        signal,
        onFollowed: (changed) => describeImport(changed).forEach(say),
        onRestored: (restored) => say(describeRestored(restored)),
        ...(share !== undefined && {
          share: {
            remote: share,
            devices,
            afterWritesMs,
            onChange: (status) => describeSharing(status).forEach(say),
          },
        }),
        tellCode: (code, name) => say(describeCode(code, name)),
        onProgress: ({ branch, done, total }) => report(`${branch}: ${done} of ${total} commits`),
      }),
  );
  if (imported !== undefined) {
    describeImport(imported).forEach(say);
  }
  const ended = Promise.withResolvers<undefined>();
  return {
    url,
    token,
    importNew: async () => {
      await importRepository();
    },
    close: async () => {
      await close();
      ended.resolve(undefined);
    },
    ended: ended.promise,
  };
}
