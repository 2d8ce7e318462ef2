/** The names by which a person may choose a commit of an open repository, and its tags. */
import type { OpenRepository } from './repository.ts';

/** A commit. */
interface RevisionCommit {
  /** All of its hex digits. */
  sha: string;
  subject: string;
  /** True when a remote branch has it, as far as is known here. */
  pushed: boolean;
}

/**
 * The commit that a branch, a tag, a short SHA or any other revision stands for.
 *
 * @returns undefined when it stands for none, or for several.
 */
export async function commitOfRevision(
  repository: OpenRepository,
  revision: string,
  signal?: AbortSignal,
): Promise<RevisionCommit | undefined> {
  // Git would take it for an option.
  if (revision.startsWith('-')) {
    return undefined;
  }
  let shown: string;
  try {
    // In two steps: a search for a message, such as `:/Mend`, goes on to the end of what it is given.
    const object = await verify(repository, revision, signal);
    const sha = await verify(repository, `${object}^{commit}`, signal);
    shown = await repository.git(['show', '--no-patch', '--format=%H%x00%s', sha], signal);
  } catch (error) {
    if (isGitRefusal(error)) {
      return undefined;
    }
    throw error;
  }
  const [sha = '', subject = ''] = shown.trimEnd().split('\0');
  const remoteBranch = await repository.git(
    ['for-each-ref', '--count=1', `--contains=${sha}`, '--format=%(refname)', 'refs/remotes'],
    signal,
  );
  return { sha, subject, pushed: remoteBranch.trim() !== '' };
}

/** The names of all tags. */
export async function tagNames(repository: OpenRepository, signal?: AbortSignal): Promise<string[]> {
  const printed = await repository.git(['tag', '--list'], signal);
  return printed.split('\n').filter((name) => name !== '');
}

async function verify(repository: OpenRepository, revision: string, signal?: AbortSignal): Promise<string> {
  return (await repository.git(['rev-parse', '--verify', '--quiet', revision], signal)).trim();
}

function isGitRefusal(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'number';
}
