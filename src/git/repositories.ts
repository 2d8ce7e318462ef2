import { activeGit } from './gitExtension.ts';
import { repositoryAt, type OpenRepository } from './repository.ts';

/** The repositories that are open in the window; none without git, and where the workspace is not trusted. */
export async function openRepositories(): Promise<OpenRepository[]> {
  const git = await activeGit();
  return (git?.repositories ?? []).map(({ rootUri }) => repositoryAt(git?.git.path ?? 'git', rootUri.fsPath));
}
