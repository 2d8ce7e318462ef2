/** The local service over a git repository, and what an extension host needs to sign in to it. */
import { startService, type ImportSummary } from '../../src/service/service.ts';
import { say, step } from './progress.ts';

export interface LocalService {
  readonly url: string;
  readonly token: string;
  readonly port: number;
  /** For the extension host: the extension takes the sign-in over when it starts. */
  readonly environment: NodeJS.ProcessEnv;
  readonly close: () => Promise<void>;
}

export interface ServiceOptions {
  readonly repository: string;
  readonly dataDirectory: string;
  /** 0 takes a free one. */
  readonly port?: number;
}

export async function openService(options: ServiceOptions): Promise<LocalService> {
  const { url, token, imported, close } = await step(`Reading ${options.repository}`, async (report) =>
    startService({
      port: 0,
      ...options,
      onProgress: ({ branch, done, total }) => report(`${branch}: ${done} of ${total} commits`),
    }),
  );
  if (imported !== undefined) {
    describe(imported).forEach(say);
  }
  return {
    url,
    token,
    port: Number(new URL(url).port),
    environment: { PATCH_STACKS_SIGN_IN: JSON.stringify({ url, token }) },
    close,
  };
}

/** What was found, and what the person should know about it. */
function describe({ stacks, defaultBranch, headDetached }: ImportSummary): string[] {
  const trunk = defaultBranch ?? 'the default branch';
  const lines = stacks.map(({ branch, result }) => `  ${branch}: ${result}`).slice(0, 20);
  if (stacks.length === 0) {
    lines.push(
      `No branch is ahead of ${trunk}, so there is no patch stack yet: commit something on a branch of your own` +
        ' (git switch -c NAME) and start again.',
    );
  } else if (stacks.length > lines.length) {
    lines.push(`  and ${stacks.length - lines.length} more`);
  }
  if (headDetached) {
    lines.push(
      'The repository is at a detached HEAD: commits made there are on no branch and are not shown until you run' +
        ' git switch -c NAME and start again.',
    );
  }
  return lines;
}
