/** Builds real git repositories for tests, out of reach of the machine's and the person's git configuration. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** When the first commit of a test repository is made, in seconds since the epoch; each further one a minute later. */
const firstCommit = Date.UTC(2026, 0, 1, 12) / 1000;

/** Someone who commits. */
export interface Author {
  name: string;
  email: string;
}

/** Who commits where a test does not say otherwise. */
export const ada: Author = { name: 'Ada Lovelace', email: 'ada@example.com' };

/** A second author. */
export const grace: Author = { name: 'Grace Hopper', email: 'grace@example.com' };

/**
 * The configuration that is Ada's, and not the machine's. Without the last ones each commit, rebase, fetch and push would start git once or
 * twice more, to see whether there is something to tidy up.
 */
const configuration = `[user]
\tname = ${ada.name}
\temail = ${ada.email}
[commit]
\tgpgSign = false
[maintenance]
\tauto = false
[receive]
\tautogc = false
`;

/** A repository with one commit, of which the others are copies. */
let startedRepository: GitRepository | undefined;

/** A folder that is not there yet, in one of its own. */
function placeFor(name: string): string {
  return path.join(mkdtempSync(path.join(tmpdir(), 'patch-stacks-git-')), name);
}

/** A git repository in a folder of its own. */
export class GitRepository {
  readonly directory: string;
  #time = firstCommit;

  private constructor(directory: string) {
    this.directory = directory;
  }

  /**
   * Creates an empty repository.
   *
   * @param name The name of its folder.
   * @param initialBranch The branch its first commit goes to.
   * @param objectFormat The hash that its ids are.
   */
  static create(name = 'example', initialBranch = 'main', objectFormat = 'sha1'): GitRepository {
    const repository = new GitRepository(placeFor(name));
    mkdirSync(repository.directory);
    const format = `--object-format=${objectFormat}`;
    repository.git('init', '--quiet', '--template=', '--initial-branch', initialBranch, format);
    appendFileSync(path.join(repository.directory, '.git/config'), configuration);
    return repository;
  }

  /** A remote as at a forge, which has no files of its own. @param settings Those of its git. */
  static remote(settings: Readonly<Record<string, string>> = {}): GitRepository {
    const remote = GitRepository.create('remote');
    for (const [key, value] of Object.entries({ 'core.bare': 'true', ...settings })) {
      remote.git('config', key, value);
    }
    return remote;
  }

  /** One that is there already. */
  static at(directory: string): GitRepository {
    return new GitRepository(directory);
  }

  /** Creates a repository whose branch `main` has one commit with a `README.md`. */
  static withMain(name = 'example'): GitRepository {
    if (startedRepository === undefined) {
      const started = GitRepository.create();
      process.once('exit', () => started.remove());
      startedRepository = started;
      startedRepository.commitFile('README.md', '# Example\n', 'Start');
    }
    const repository = new GitRepository(placeFor(name));
    // Copying it is far quicker than starting git eight times.
    cpSync(startedRepository.directory, repository.directory, { recursive: true });
    repository.#time = startedRepository.#time;
    return repository;
  }

  /** Has all of its files be written a minute ago: those of just now may be written once more in the same moment, and are looked at again. */
  age(): void {
    const then = new Date(Date.now() - 60_000).toISOString();
    execFileSync('find', [path.join(this.directory, '.git'), '-exec', 'touch', '-d', then, '{}', '+']);
  }

  /** Runs git in the repository and gives what it printed, without the last newline. */
  git(...args: string[]): string {
    return this.gitWithInput('', ...args);
  }

  /** Runs git with something on its standard input. */
  gitWithInput(input: string | Buffer, ...args: string[]): string {
    const date = `${this.#time} +0000`;
    return execFileSync('git', args, {
      cwd: this.directory,
      input,
      encoding: 'utf8',
      maxBuffer: 256 * 1024 * 1024,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        HOME: this.directory,
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_AUTHOR_DATE: date,
        GIT_COMMITTER_DATE: date,
        GIT_EDITOR: 'true',
        LC_ALL: 'C',
      },
    }).replace(/\n$/, '');
  }

  /** Writes a file into the working tree. A name in bytes may be one that is no UTF-8. */
  write(name: string | Buffer, content: string | Buffer): void {
    if (typeof name === 'string') {
      mkdirSync(path.dirname(path.join(this.directory, name)), { recursive: true });
      writeFileSync(path.join(this.directory, name), content);
    } else {
      writeFileSync(Buffer.concat([Buffer.from(`${this.directory}/`), name]), content);
    }
  }

  /** Replaces something in a file of the working tree. */
  replace(name: string, from: string, to: string): void {
    this.write(name, readFileSync(path.join(this.directory, name), 'utf8').replace(from, to));
  }

  /** Commits everything in the working tree, a minute after the commit before; gives its SHA. */
  commit(message: string, author: Author = ada): string {
    this.#time += 60;
    this.git('add', '--all');
    this.gitWithInput(
      message,
      'commit',
      '--quiet',
      '--allow-empty',
      '--allow-empty-message',
      '--cleanup=verbatim',
      `--author=${author.name} <${author.email}>`,
      '--file=-',
    );
    return this.head();
  }

  /** Writes one file and commits it; gives the commit's SHA. */
  commitFile(name: string, content: string | Buffer, message: string, author: Author = ada): string {
    this.write(name, content);
    return this.commit(message, author);
  }

  /** Replaces the last commit by everything in the working tree, keeping author and author date; gives its SHA. */
  amend(message?: string): string {
    this.#time += 60;
    this.git('add', '--all');
    this.git(
      'commit',
      '--quiet',
      '--amend',
      '--allow-empty',
      ...(message === undefined ? ['--no-edit'] : ['-m', message]),
    );
    return this.head();
  }

  /** Creates a branch here, or at a revision, and checks it out. */
  branch(name: string, from = 'HEAD'): void {
    this.git('switch', '--quiet', '--create', name, from);
  }

  /** Checks a branch out. */
  switch(name: string): void {
    this.git('switch', '--quiet', name);
  }

  /** Merges a branch into the current one with a merge commit; gives its SHA. */
  merge(name: string, message = `Merge ${name}`): string {
    this.#time += 60;
    this.git('merge', '--quiet', '--no-ff', '-m', message, name);
    return this.head();
  }

  /** Rebases the current branch; gives its new tip. */
  rebase(onto: string): string {
    this.#time += 60;
    this.git('rebase', '--quiet', onto);
    return this.head();
  }

  /** The SHA of the current commit: read without starting git, where it is a file of its own. */
  head(): string {
    const read = (name: string): string =>
      readFileSync(path.join(this.directory, '.git', name), 'utf8').trim();
    try {
      const head = read('HEAD');
      const sha = head.startsWith('ref: ') ? read(head.slice('ref: '.length)) : head;
      if (/^[0-9a-f]{40,64}$/.test(sha)) {
        return sha;
      }
    } catch {
      // It is packed with others, or in another form.
    }
    return this.git('rev-parse', 'HEAD');
  }

  /**
   * Adds many small commits to a branch at once, without a working tree: each changes one of a hundred files.
   *
   * @param from The revision a new branch starts at.
   */
  addCommits(branch: string, count: number, from: string): void {
    const start = this.git('rev-parse', from);
    const commits = Array.from({ length: count }, (_, number) => {
      const message = `Change ${number} of ${branch}\n\nWhy ${number}.\n`;
      const content = Array.from({ length: 40 }, (_unused, line) => `${branch} ${number} ${line}\n`).join('');
      const who = `${ada.name} <${ada.email}> ${this.#time + number * 60} +0000`;
      return [
        `commit refs/heads/${branch}`,
        `author ${who}`,
        `committer ${who}`,
        `data ${Buffer.byteLength(message)}`,
        message,
        ...(number === 0 ? [`from ${start}`] : []),
        `M 100644 inline files/${number % 100}.txt`,
        `data ${Buffer.byteLength(content)}`,
        content,
      ].join('\n');
    });
    this.#time += count * 60;
    this.gitWithInput(commits.join('\n'), 'fast-import', '--quiet');
  }

  /** Deletes the repository's folder. */
  remove(): void {
    rmSync(path.dirname(this.directory), { recursive: true, force: true });
  }
}
