/** VS Code's own git extension, as far as it is used here. */
import * as vscode from 'vscode';

/** The part of the Git extension's interface, version 1, that is used here. */
interface GitExtension {
  enabled: boolean;
  getAPI(version: 1): GitApi;
}

export interface GitApi {
  state: 'uninitialized' | 'initialized';
  onDidChangeState: vscode.Event<GitApi['state']>;
  /** The git that it runs. */
  git: { path: string };
  repositories: Repository[];
  /** The address under which an editor shows a file as it was at a commit. */
  toGitUri(uri: vscode.Uri, ref: string): vscode.Uri;
  onDidOpenRepository: vscode.Event<Repository>;
  onDidCloseRepository: vscode.Event<Repository>;
}

/** A repository that is open in the window. */
export interface Repository {
  rootUri: vscode.Uri;
  state: {
    HEAD: Ref | undefined;
    remotes: Remote[];
    onDidChange: vscode.Event<void>;
  };
  getBranches(query: { remote: boolean }): Promise<Ref[]>;
  /** Fails for a commit that the repository does not have. */
  getCommit(ref: string): Promise<{ hash: string; message: string; parents: string[] }>;
  /** The text of a file at a commit; fails when there is none. */
  show(ref: string, path: string): Promise<string>;
}

interface Remote {
  fetchUrl?: string;
  pushUrl?: string;
}

/** A branch or a tag. */
interface Ref {
  name?: string;
  commit?: string;
}

/** The extension's interface; undefined without git, and where the workspace is not trusted. */
export async function activeGit(): Promise<GitApi | undefined> {
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
