/** Commits of the open repositories, by way of VS Code's git extension. */
import * as vscode from 'vscode';
import { activeGit, type GitApi, type Repository } from './gitExtension.ts';

type Commit = Awaited<ReturnType<Repository['getCommit']>>;

/** A commit that an open repository has. */
export class LocalCommit {
  readonly sha: string;
  /** The first line of its message. */
  readonly title: string;
  readonly #git: GitApi;
  readonly #repository: Repository;
  readonly #parent: string | undefined;

  constructor(git: GitApi, repository: Repository, { hash, message, parents }: Commit) {
    this.#git = git;
    this.#repository = repository;
    this.sha = hash;
    this.title = message.split('\n', 1)[0] ?? '';
    this.#parent = parents[0];
  }

  /** The path of a file of the working tree; undefined when it is in another folder. */
  pathOf(file: vscode.Uri): string | undefined {
    const folder = `${this.#repository.rootUri.path}/`;
    return file.scheme === 'file' && file.path.startsWith(folder)
      ? file.path.slice(folder.length)
      : undefined;
  }

  /** Shows all that it changes. */
  async show(): Promise<void> {
    await vscode.commands.executeCommand('git.viewCommit', this.#repository.rootUri, this.sha);
  }

  /** The file in the working tree; it need not exist. `path` is relative to the repository's root. */
  file(path: string): vscode.Uri {
    return vscode.Uri.joinPath(this.#repository.rootUri, path);
  }

  /** The address of a file as the commit leaves it. */
  after(path: string): vscode.Uri {
    return this.#git.toGitUri(this.file(path), this.sha);
  }

  /** The address of a file as the commit finds it; undefined when the commit is a repository's first. */
  before(path: string): vscode.Uri | undefined {
    return this.#parent === undefined ? undefined : this.#git.toGitUri(this.file(path), this.#parent);
  }

  /** A file as the commit leaves it; undefined when it has none by that path. */
  async text(path: string): Promise<string | undefined> {
    try {
      return await this.#repository.show(this.sha, path);
    } catch {
      return undefined;
    }
  }
}

/** The commit, if one of the open repositories has it. */
export async function findCommit(sha: string | undefined): Promise<LocalCommit | undefined> {
  // It comes from the service, and git would take other texts for options or for names.
  if (sha === undefined || !/^[0-9a-f]{7,64}$/.test(sha)) {
    return undefined;
  }
  const git = await activeGit();
  for (const repository of git?.repositories ?? []) {
    const commit: Commit | undefined = await repository.getCommit(sha).catch(() => undefined);
    // A branch may be called like the beginning of an id.
    if (git && commit?.hash.startsWith(sha) === true) {
      return new LocalCommit(git, repository, commit);
    }
  }
  return undefined;
}
