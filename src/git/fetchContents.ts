/** Gets contents that a repository lacks over the network: with its own configuration, and only where a person asks for it. */
import { unlikeIds } from './patchContents.ts';
import { blobName } from './blobs.ts';
import { readContents } from './commitChanges.ts';
import type { VersionPair } from '../model/reading/outcome.ts';
import type { OpenRepository } from './repository.ts';

/** What came of fetching. */
export interface Fetched {
  /** The number of contents that are at hand now and were not before. */
  found: number;
  /** True when a remote was asked: only then anything can be said of what the remotes have. */
  isAsked: boolean;
}

/**
 * Has git fetch what two versions of a patch need to be compared: their commits, from whichever remote gives them, and where the
 * clone is a partial one, the files themselves. No branch or tag is changed by it.
 *
 * @throws what git said, where no remote could be reached; the signal's reason.
 */
export async function fetchContents(
  repositories: readonly OpenRepository[],
  pair: VersionPair,
  signal?: AbortSignal,
): Promise<Fetched> {
  const ids = [...unlikeIds(pair)];
  const commits = pair.flatMap(({ commitSha }) => blobName(commitSha) ?? []);
  let found = 0;
  let isAsked = false;
  const failures: unknown[] = [];
  for (const repository of repositories) {
    const before = await missingIn(repository, ids, signal);
    if (before.length === 0) {
      continue;
    }
    try {
      const remotes = await remotesOf(repository, signal);
      isAsked ||= remotes.length > 0;
      failures.push(...(await fetchCommits(repository, remotes, commits, signal)));
      await fetchBlobs(repository, await missingIn(repository, before, signal), signal);
    } catch (error) {
      signal?.throwIfAborted();
      failures.push(error);
    }
    found += before.length - (await missingIn(repository, before, signal)).length;
  }
  if (found === 0 && failures.length > 0) {
    throw failures[0];
  }
  return { found, isAsked };
}

async function remotesOf(repository: OpenRepository, signal: AbortSignal | undefined): Promise<string[]> {
  return (await repository.git(['remote'], signal)).split('\n').filter((name) => /^[^-]/.test(name));
}

async function missingIn(
  repository: OpenRepository,
  ids: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const contents = await readContents(repository, ids, signal);
  return ids.filter((id) => (contents.get(id)?.kind ?? 'missing') === 'missing');
}

/** One by one: a remote that lacks one of them gives none of several. @returns what git said where none gave it. */
async function fetchCommits(
  repository: OpenRepository,
  remotes: readonly string[],
  commits: readonly string[],
  signal: AbortSignal | undefined,
): Promise<unknown[]> {
  const options = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance'];
  const failures: unknown[] = [];
  for (const commit of commits) {
    const ofCommit: unknown[] = [];
    for (const remote of remotes) {
      try {
        await repository.git(['fetch', ...options, remote, commit], signal);
        ofCommit.length = 0;
        break;
      } catch (error) {
        signal?.throwIfAborted();
        ofCommit.push(error);
      }
    }
    failures.push(...ofCommit);
  }
  return failures;
}

/** A partial clone gets each file when git asks for it; otherwise it is kept from that here. */
async function fetchBlobs(
  repository: OpenRepository,
  ids: readonly string[],
  signal: AbortSignal | undefined,
): Promise<void> {
  if (ids.length > 0) {
    await repository.gitBytes(['cat-file', '--batch-check'], {
      input: ids.map((id) => `${id}\n`).join(''),
      environment: { GIT_NO_LAZY_FETCH: '0' },
      signal,
    });
  }
}
