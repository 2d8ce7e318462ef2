/** An author who goes on in a clone that is open in a window: commits, and rewrites what others have read. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { git } from './exampleRepository.ts';

/** Somebody else than whoever is signed in; see `LocalService.addUser`. */
export const emmy = { login: 'emmy', name: 'Emmy', email: 'emmy@example.org' };

/** Lines that can be told apart. @param special what stands in some of them. */
export function numberedLines(
  prefix: string,
  special: Readonly<Record<number, string>> = {},
  count = 40,
): string {
  return Array.from({ length: count }, (_, line) => `${special[line] ?? `${prefix} ${line}`}\n`).join('');
}

/** See the module. */
export class Author {
  readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  /** Runs git, and gives what it printed. */
  git(...args: string[]): string {
    return git(this.directory, ...args);
  }

  /** Writes a file of the working tree, or several. */
  write(files: Readonly<Record<string, string | Uint8Array>>): void {
    for (const [name, content] of Object.entries(files)) {
      writeFileSync(path.join(this.directory, name), content);
    }
  }

  /** Replaces something in a file of the working tree. */
  replace(name: string, from: string, to: string): void {
    const file = path.join(this.directory, name);
    writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
  }

  /** Deletes a file of the working tree. */
  delete(name: string): void {
    rmSync(path.join(this.directory, name));
  }

  /** Commits everything in the working tree. */
  commit(...paragraphs: string[]): void {
    this.git('add', '--all');
    this.git('commit', '--quiet', this.#author, ...messages(paragraphs));
  }

  /** The same in the place of the last commit; without a message that stays. */
  amend(...paragraphs: string[]): void {
    this.git('add', '--all');
    const message = paragraphs.length > 0 ? messages(paragraphs) : ['--no-edit'];
    this.git('commit', '--quiet', '--amend', this.#author, ...message);
  }

  /** Begins a branch at `main`. */
  begin(branch: string): void {
    this.git('switch', '--quiet', '--create', branch, 'main');
  }

  /** Commits something to `main` as if it had been pushed: what stacks are based on. */
  goOnWithMain(message: string, change: () => void): void {
    this.git('switch', '--quiet', 'main');
    change();
    this.commit(message);
    this.git('update-ref', 'refs/remotes/origin/main', 'main');
  }

  /** Rebases a branch onto `main`. */
  rebase(branch: string): void {
    this.git('rebase', '--quiet', 'main', branch);
  }

  /** Changes a commit of a branch by its title, and puts those after it on top. @param change commits, or amends. */
  rewrite(branch: string, title: string, change: () => void): void {
    const commit = this.git('log', '--format=%H', '-1', '--fixed-strings', `--grep=${title}`, branch).trim();
    this.git('switch', '--quiet', '--detach', commit);
    change();
    this.git('rebase', '--quiet', '--onto', 'HEAD', commit, branch);
  }

  get #author(): string {
    return `--author=${emmy.name} <${emmy.email}>`;
  }
}

function messages(paragraphs: readonly string[]): string[] {
  return paragraphs.flatMap((paragraph) => ['-m', paragraph]);
}
