/** The local service over a git repository, and what is needed to sign in to it. */
import { describeCode } from '../src/service/describeCode.ts';
import { describeImport } from '../src/service/describeImport.ts';
import { describeSharing } from '../src/service/describeSharing.ts';
import { startAtLastPort } from '../src/service/lastPort.ts';
import { describeRestored } from '../src/service/service.ts';
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
  /** The port to begin with when it was at none before; 0 takes a free one. */
  readonly port?: number;
  /** See `ServiceOptions`. */
  readonly isTokenNew?: boolean;
}

/** Milliseconds after which what somebody changes is shared, together with what they change meanwhile. */
const afterWritesMs = 1_000;

export async function openService({ share, ...options }: ServiceOptions): Promise<LocalService> {
  const { url, token, imported, importRepository, close } = await step(
    `Reading ${options.repository}`,
    async (report) =>
      startAtLastPort({
        port: 0,
        ...options,
        onFollowed: (changed) => describeImport(changed).forEach(say),
        onRestored: (restored) => say(describeRestored(restored)),
        ...(share !== undefined && {
          share: {
            remote: share,
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
  return {
    url,
    token,
    port: Number(new URL(url).port),
    importNew: async () => {
      await importRepository();
    },
    close,
  };
}
