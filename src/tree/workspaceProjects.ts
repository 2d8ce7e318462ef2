import type { Project } from '../api/types/projects.ts';
import type { WorkspaceRepositories } from '../git/workspaceRepositories.ts';
import type { Model } from '../model/model.ts';
import { DisposableStore, type Disposable } from '../util/disposable.ts';
import { Emitter } from '../util/event.ts';
import { matchRepositories, nameKey, type WorkspaceProject } from './workspaceMatch.ts';

/** The projects of the repositories that are open in the window. */
export class WorkspaceProjects implements Disposable {
  readonly #repositories: WorkspaceRepositories;
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(new Emitter<undefined>());
  /** Answers of the service about names that the list of projects doesn't have. */
  readonly #lookedUp = new Map<string, Project | undefined>();

  /** Raised when another account is active: what is said about the one before counts no more. */
  #account = 0;

  /** Fires when there may be others. */
  readonly onDidChange = this.#changed.event;

  constructor(repositories: WorkspaceRepositories) {
    this.#repositories = repositories;
    this.#disposables.add(repositories.onDidChange(() => this.#changed.fire(undefined)));
  }

  /** Resolves when the open repositories are known, or have taken too long: rows that come later push others down. */
  ready(): Promise<void> {
    return this.#repositories.start();
  }

  /**
   * Those that are known now, with the branches that are checked out. A remote that is none of the listed projects is looked
   * up meanwhile, so that nothing waits for it.
   */
  find(model: Model, listed: readonly Project[]): WorkspaceProject[] {
    const repositories = this.#repositories.list;
    const { unknown } = matchRepositories(repositories, listed);
    const others: Project[] = [];
    const account = this.#account;
    for (const name of unknown) {
      const key = nameKey(name);
      const before = this.#lookedUp.get(key);
      if (before) {
        others.push(before);
      }
      model.projectNamed(name.owner, name.slug).then(
        (project) => {
          if (project !== before && account === this.#account) {
            this.#lookedUp.set(key, project);
            this.#changed.fire(undefined);
          }
        },
        () => {
          // It is an extra; the list of projects says what is wrong with the service.
        },
      );
    }
    return matchRepositories(repositories, [...listed, ...others]).found;
  }

  /** Forgets what the service said: another account is active. */
  forget(): void {
    this.#account += 1;
    this.#lookedUp.clear();
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
