/** The commits of the stacks here that the remote has, too. */
import { runGit } from '../git/git.ts';
import type { Repository } from '../git/repository.ts';
import type { Database } from '../storage/database.ts';
import { findLatestStack } from '../storage/stacks.ts';

/** Milliseconds that git may take: there may be many commits. */
const patienceMs = 120_000;

/** See the module. */
export class PushedCommits {
  readonly #database: Database;
  readonly #repository: Repository;
  #looked: { for: string; pushed: ReadonlySet<string> } | undefined;

  constructor(database: Database, repository: Repository) {
    this.#database = database;
    this.#repository = repository;
  }

  /** True for a commit that the remote has; false also for one that wasn't there yet when it was looked at last. */
  has(commit: string): boolean {
    return this.#looked?.pushed.has(commit) === true;
  }

  /**
   * Looks at the newest stacks of branches.
   *
   * @param tips The commits of all branches that the remote has.
   * @throws ServiceError `git_failed` where git can't say.
   */
  async look(
    projectId: number,
    branches: Iterable<string>,
    tips: readonly string[],
    signal?: AbortSignal,
  ): Promise<void> {
    const commits = [...branches].flatMap((branch) => this.#commitsOf(projectId, branch));
    const what = [commits, tips].map((some) => some.join()).join(' ');
    if (this.#looked?.for === what) {
      return;
    }
    const input = [...commits, ...tips.map((tip) => `^${tip}`)].map((line) => `${line}\n`).join('');
    const args = ['rev-list', '--ignore-missing', '--stdin'];
    const printed = await runGit(this.#repository.directory, args, signal, patienceMs, input);
    const unpushed = new Set(printed.split('\n'));
    this.#looked = { for: what, pushed: new Set(commits.filter((commit) => !unpushed.has(commit))) };
  }

  #commitsOf(projectId: number, branch: string): string[] {
    const stack = findLatestStack(this.#database, projectId, branch);
    return this.#database
      .query<{ commit_sha: string }>('SELECT commit_sha FROM patches WHERE stack_uuid = ?')
      .all(stack?.uuid ?? '')
      .map(({ commit_sha }) => commit_sha);
  }
}
