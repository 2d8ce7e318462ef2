/** A version of a patch as git has it: for when the service does not have it any more. */
import type { FileChange } from '../model/reading/fileChange.ts';
import type { PatchVersion } from '../model/reading/patchVersion.ts';
import { diffTree, readChanges } from './commitChanges.ts';
import type { OpenRepository } from './repository.ts';
import { asWritten } from '../util/bytesText.ts';

/**
 * The title, the message and the files of a commit. It has no sections: those are the service's alone.
 *
 * @param sha in full.
 * @returns undefined when the repository does not have it.
 * @throws the signal's reason.
 */
export async function versionOfCommit(
  repository: OpenRepository,
  sha: string,
  changeId: string,
  signal?: AbortSignal,
): Promise<PatchVersion | undefined> {
  // Git would take other texts for options or for names.
  if (!/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(sha)) {
    return undefined;
  }
  try {
    const changes = (await readChanges(repository, [sha], signal)).get(sha);
    if (!changes) {
      return undefined;
    }
    const written = await repository.git(['show', '--no-patch', '--format=%B', sha], signal);
    const [title = '', ...message] = written.trim().split('\n');
    const { parent } = changes;
    const printed = await repository.gitBytes(
      [
        ...diffTree.filter((option) => option !== '-z' && option !== '--raw'),
        '-p',
        '--root',
        '--no-commit-id',
      ].concat(parent === undefined ? [sha] : [parent, sha]),
      { signal },
    );
    // No line of a hunk begins like this.
    const diffs = printed.toString('utf8').split(/^(?=diff --git )/m);
    const isWhole = diffs.length === changes.files.length;
    const files = changes.files.map((file, index): FileChange => ({
      ...file,
      oldPath: asWritten(file.oldPath),
      path: asWritten(file.path),
      ...(isWhole && { diff: diffs[index] }),
    }));
    return { changeId, commitSha: sha, title, message: message.join('\n').trim(), sections: [], files };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof Error && 'code' in error) {
      return undefined;
    }
    throw error;
  }
}
