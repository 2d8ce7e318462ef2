/** The branches of the open repositories, by way of VS Code's git extension. */
import { activeGit, type Repository } from './gitExtension.ts';

/** A branch of an open repository. */
interface LocalBranch {
  name: string;
  /** The commit it is at. */
  commit: string | undefined;
  current: boolean;
}

/** The local branches, those that are checked out first; none without git or without a repository. */
export async function localBranches(): Promise<LocalBranch[]> {
  const git = await activeGit();
  const found = await Promise.all((git?.repositories ?? []).map(branchesOf));
  return found.flat().sort((one, other) => Number(other.current) - Number(one.current));
}

async function branchesOf(repository: Repository): Promise<LocalBranch[]> {
  const head = repository.state.HEAD;
  const branches = await repository.getBranches({ remote: false });
  return branches.flatMap(({ name, commit }) =>
    name === undefined ? [] : [{ name, commit, current: name === head?.name }],
  );
}
