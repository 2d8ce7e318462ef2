/** The branches of the open repositories, by way of VS Code's git extension. */
import * as vscode from 'vscode';

/** What this needs of the extension's interface, version 1. */
interface GitExtension {
  enabled: boolean;
  getAPI(version: 1): GitApi;
}

interface GitApi {
  state: 'uninitialized' | 'initialized';
  onDidChangeState: vscode.Event<GitApi['state']>;
  repositories: Repository[];
}

interface Repository {
  state: { HEAD: Ref | undefined };
  getBranches(query: { remote: boolean }): Promise<Ref[]>;
}

interface Ref {
  name?: string;
  commit?: string;
}

/** A branch of an open repository. */
export interface LocalBranch {
  name: string;
  /** The commit it is at. */
  commit: string | undefined;
  /** Whether it is checked out. */
  current: boolean;
}

/** The local branches, those that are checked out first; none without git or without a repository. */
export async function localBranches(): Promise<LocalBranch[]> {
  const git = await activeGit();
  const found = await Promise.all((git?.repositories ?? []).map(branchesOf));
  return found.flat().sort((one, other) => Number(other.current) - Number(one.current));
}

async function activeGit(): Promise<GitApi | undefined> {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  const exported = await extension?.activate();
  // Turned off by a setting, it has no interface to give.
  if (!exported?.enabled) {
    return undefined;
  }
  const git = exported.getAPI(1);
  if (git.state === 'uninitialized') {
    await new Promise<void>((resolve) => {
      const subscription = git.onDidChangeState(() => {
        subscription.dispose();
        resolve();
      });
    });
  }
  return git;
}

async function branchesOf(repository: Repository): Promise<LocalBranch[]> {
  const head = repository.state.HEAD;
  const branches = await repository.getBranches({ remote: false });
  return branches.flatMap(({ name, commit }) =>
    name === undefined ? [] : [{ name, commit, current: name === head?.name }],
  );
}
