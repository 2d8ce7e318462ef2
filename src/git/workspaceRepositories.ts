import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../util/disposable.ts';
import { Emitter } from '../util/event.ts';
import { inBackground } from '../util/inBackground.ts';
import { activeGit, type GitApi, type Repository } from './gitExtension.ts';

/** A repository that is open in the window. */
interface WorkspaceRepository {
  /** Its folder. */
  root: string;
  /** The addresses of its remotes. */
  remotes: string[];
  /** The branch that is checked out. */
  branch: string | undefined;
}

/**
 * The repositories that are open in the window, as VS Code's git extension knows them. There are none without it, and Git is
 * not run in a workspace that is not trusted.
 */
export class WorkspaceRepositories implements Disposable {
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(new Emitter<undefined>());
  readonly #watched = new Map<Repository, Disposable>();
  #git: GitApi | undefined;
  #known: WorkspaceRepository[] = [];
  #ready: Promise<void> | undefined;

  /** Fires when a repository was opened or closed, or has another branch or other remotes. */
  readonly onDidChange = this.#changed.event;

  /** The open repositories, as far as they are known now. */
  get list(): readonly WorkspaceRepository[] {
    return this.#known;
  }

  /**
   * Begins to look, once.
   *
   * @returns when the repositories are known; after two seconds at the latest, for git may take long to start.
   */
  start(): Promise<void> {
    this.#ready ??= this.#start();
    return this.#ready;
  }

  dispose(): void {
    this.#watched.forEach((watcher) => watcher.dispose());
    this.#watched.clear();
    this.#disposables.dispose();
  }

  async #start(): Promise<void> {
    // Git is not there until the folder is trusted, and for a moment after that.
    this.#disposables.add(vscode.extensions.onDidChange(() => inBackground(this.#watch())));
    if (!vscode.workspace.isTrusted) {
      return;
    }
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, 2_000);
    });
    await Promise.race([this.#watch(), tooLong]);
    clearTimeout(timer);
  }

  async #watch(): Promise<void> {
    // Without git there is nothing to show, and nothing to say.
    const git = await activeGit().catch(() => undefined);
    if (!git || this.#git || this.#disposables.disposed) {
      return;
    }
    this.#git = git;
    git.repositories.forEach((repository) => this.#add(repository));
    this.#disposables.add(git.onDidOpenRepository((repository) => this.#add(repository)));
    this.#disposables.add(
      git.onDidCloseRepository((repository) => {
        this.#watched.get(repository)?.dispose();
        this.#watched.delete(repository);
        this.#look();
      }),
    );
  }

  #add(repository: Repository): void {
    if (!this.#watched.has(repository)) {
      this.#watched.set(
        repository,
        repository.state.onDidChange(() => this.#look()),
      );
      this.#look();
    }
  }

  /** A repository changes with every file in it; only some of that matters here. */
  #look(): void {
    const now = (this.#git?.repositories ?? []).map(describe);
    if (!isDeepStrictEqual(now, this.#known)) {
      this.#known = now;
      this.#changed.fire(undefined);
    }
  }
}

function describe({ rootUri, state }: Repository): WorkspaceRepository {
  return {
    root: rootUri.fsPath,
    remotes: state.remotes.flatMap(({ fetchUrl, pushUrl }) => fetchUrl ?? pushUrl ?? []),
    branch: state.HEAD?.name,
  };
}
