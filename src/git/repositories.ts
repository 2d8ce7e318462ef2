import { hasObject } from './blobs.ts';
import { activeGit } from './gitExtension.ts';
import { repositoryAt, type OpenRepository } from './repository.ts';

/** The repositories that are open in the window; none without git, and where the workspace is not trusted. */
export async function openRepositories(): Promise<OpenRepository[]> {
  const git = await activeGit();
  return (git?.repositories ?? []).map(({ rootUri }) => repositoryAt(git?.git.path ?? 'git', rootUri.fsPath));
}

/** The open repository that has a commit; undefined where none has it, and for a text that is no id of one. */
export async function repositoryWith(
  commitSha: string | undefined,
  signal: AbortSignal,
): Promise<OpenRepository | undefined> {
  // It comes from the service, and git would take other texts for options or for names.
  if (commitSha === undefined || !/^[0-9a-f]{7,64}$/.test(commitSha)) {
    return undefined;
  }
  for (const repository of await openRepositories()) {
    if (await hasObject(repository, `${commitSha}^{commit}`, signal)) {
      return repository;
    }
  }
  return undefined;
}
