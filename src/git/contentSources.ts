import * as vscode from 'vscode';
import type { VersionPair } from '../model/reading/outcome.ts';
import { DisposableStore, type Disposable } from '../util/disposable.ts';
import { Emitter } from '../util/event.ts';
import type { Fetched } from './fetchContents.ts';
import { activeGit } from './gitExtension.ts';
import { repositoryAt } from './repository.ts';
import type { WorkspaceRepositories } from './workspaceRepositories.ts';

/** Why contents of files aren't at hand: git may not run, no repository is open, or those that are lack them. */
export type MissingReason = 'untrusted' | 'notOpen' | 'notFetched';

/** The repositories of the window as sources of contents: which there are, and when there may be more in them than before. */
export class ContentSources implements Disposable {
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(new Emitter<undefined>());
  readonly #repositories: WorkspaceRepositories;
  /** Those that somebody has looked into last. */
  #roots: string | undefined;
  /** The times that something was fetched. */
  #fetched = 0;

  /** Fires when more may be at hand: a folder is trusted, a repository was opened, or contents were fetched. */
  readonly onDidChange = this.#changed.event;

  constructor(repositories: WorkspaceRepositories) {
    this.#repositories = repositories;
    this.#disposables.add(
      repositories.onDidChange(() => {
        // Before anybody has looked into them, nobody can have missed any.
        if (this.#roots !== undefined && this.#roots !== this.#knownRoots) {
          this.#roots = this.#knownRoots;
          this.#changed.fire(undefined);
        }
      }),
    );
  }

  /** Git, and the folders of the repositories that are open in the window; there are none where it may not run. */
  async where(): Promise<{ git: string; roots: string[] }> {
    await this.#repositories.start();
    this.#roots ??= this.#knownRoots;
    const git = await activeGit();
    return {
      git: git?.git.path ?? 'git',
      roots: (git?.repositories ?? []).map(({ rootUri }) => rootUri.fsPath),
    };
  }

  /** Stands for what is at hand: with another stamp, there may be more. Empty where there is nothing. */
  async stamp(): Promise<string> {
    const { roots } = await this.where();
    return roots.length > 0 ? JSON.stringify([roots, this.#fetched]) : '';
  }

  /** Why contents may be missing. */
  async whyMissing(): Promise<MissingReason> {
    if (!vscode.workspace.isTrusted) {
      return 'untrusted';
    }
    return (await this.where()).roots.length > 0 ? 'notFetched' : 'notOpen';
  }

  /** Has git fetch what two versions need to be compared. @throws what git said. */
  async fetch(pair: VersionPair, signal?: AbortSignal): Promise<Fetched> {
    const [{ git, roots }, { fetchContents }] = await Promise.all([
      this.where(),
      import('./fetchContents.ts'),
    ]);
    const fetched = await fetchContents(
      roots.map((root) => repositoryAt(git, root)),
      pair,
      signal,
    );
    if (fetched.found > 0) {
      this.#fetched += 1;
      this.#changed.fire(undefined);
    }
    return fetched;
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  get #knownRoots(): string {
    return JSON.stringify(this.#repositories.list.map(({ root }) => root));
  }
}
