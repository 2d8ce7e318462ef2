/**
 * Stacks of commits, rewritten as their authors do: amended, reworded, reordered, split, squashed, dropped, rebased. The commits come
 * of the history of a repository, which stays as it is.
 */
import { execFileSync } from 'node:child_process';
import { GitRepository } from './gitRepository.ts';
import { linesOf } from '../../src/model/reading/mergeLines.ts';
import type { Random } from './random.ts';

/** The ways in which a stack is rewritten. */
export const stackRewriteKinds = [
  'amend',
  'reword',
  'reorder',
  'split',
  'squash',
  'drop',
  'add',
  'rebase',
] as const;
export type StackRewriteKind = (typeof stackRewriteKinds)[number];

/** A commit of a version, and the name that its change goes by in all versions. */
export interface StackCommit {
  sha: string;
  change: string;
}

/** A version of a stack: the commit it is based on, and its own, base to tip. */
export interface StackOfCommits {
  base: string;
  commits: StackCommit[];
}

/** A stack, and what somebody made of it. */
export interface RewrittenStack {
  kinds: StackRewriteKind[];
  older: StackOfCommits;
  newer: StackOfCommits;
  /** The names of changes that the newer version lacks, none of which is in another one. */
  dropped: string[];
}

/** A commit of the newer version, as it is to be made. */
interface Step {
  change: string;
  /** Commits to take over, one after the other. */
  of: readonly string[];
  /** The files of it that this one takes, and none else; where it is undefined, all. */
  only?: (file: string, index: number) => boolean;
  message?: string;
  /** Files, and what is put into each. */
  write?: (tip: string) => ReadonlyMap<string, string>;
}

/** The commits of a repository that can be stacks. */
export class StackRewriter {
  readonly repository: GitRepository;
  readonly #random: Random;
  readonly #parents = new Map<string, string>();
  readonly #candidates: string[];

  /** @param directory a repository whose history is taken. */
  constructor(directory: string, random: Random) {
    this.repository = GitRepository.create();
    this.#random = random;
    const git = (...args: string[]): string =>
      execFileSync('git', args, { cwd: directory, encoding: 'utf8' }).trim();
    const objects = git('rev-parse', '--path-format=absolute', '--git-path', 'objects');
    this.repository.write('.git/objects/info/alternates', `${objects}\n`);
    const log = this.repository.git('log', '--max-count=20000', '--format=%H %P', git('rev-parse', 'HEAD'));
    for (const line of log.split('\n')) {
      const [sha = '', parent, ...more] = line.split(' ');
      if (parent !== undefined && parent !== '' && more.length === 0) {
        this.#parents.set(sha, parent);
      }
    }
    this.#candidates = [...this.#parents.keys()];
  }

  /** A stack of some commits in a row, in two versions; undefined where chance has found none. */
  next(): RewrittenStack | undefined {
    const random = this.#random;
    const shas: string[] = [];
    let at = random.pick(this.#candidates);
    for (let left = 2 + random.below(6); left > 0 && at !== undefined; left -= 1) {
      const parent = this.#parents.get(at);
      if (parent === undefined) {
        break;
      }
      shas.unshift(at);
      at = parent;
    }
    const base = at;
    if (base === undefined || shas.length < 2) {
      return undefined;
    }
    const older = { base, commits: shas.map((sha, index) => ({ sha, change: `I${index}` })) };
    const kinds = stackRewriteKinds.filter(() => random.oneIn(3));
    const { steps, dropped } = this.#steps(older, kinds);
    let onto = base;
    for (let steps = kinds.includes('rebase') ? 1 + random.below(20) : 0; steps > 0; steps -= 1) {
      onto = this.#parents.get(onto) ?? onto;
    }
    const commits: StackCommit[] = [];
    let tip = onto;
    for (const step of steps) {
      const sha = this.#make(tip, step);
      if (sha === undefined) {
        // Nothing is left of it on this base; of a part, the other one may have all.
        dropped.push(...(step.only ? [] : [step.change]));
      } else {
        commits.push({ sha, change: step.change });
        tip = sha;
      }
    }
    return commits.length === 0 ? undefined : { kinds, older, newer: { base: onto, commits }, dropped };
  }

  #steps(
    { commits }: StackOfCommits,
    kinds: readonly StackRewriteKind[],
  ): { steps: Step[]; dropped: string[] } {
    const random = this.#random;
    let steps = commits.map(({ sha, change }): Step => ({ change, of: [sha] }));
    const dropped: string[] = [];
    for (const kind of kinds) {
      const at = random.below(steps.length);
      const step = steps[at];
      if (!step) {
        continue;
      }
      switch (kind) {
        case 'amend':
          steps[at] = { ...step, write: (tip) => this.#amendment(step.of[0] ?? '', tip) };
          break;
        case 'reword':
          steps[at] = { ...step, message: `Other words ${random.below(1e6)}\n\nAnd a reason.` };
          break;
        case 'reorder': {
          const rest = steps.toSpliced(at, 1);
          steps = rest.toSpliced(random.below(rest.length + 1), 0, step);
          break;
        }
        case 'split': {
          const middle = 1 + random.below(2);
          const { message, ...first } = step;
          steps.splice(
            at,
            1,
            { ...first, only: (_, index) => index < middle },
            {
              ...step,
              change: `${step.change} split`,
              message: message ?? `The rest ${random.below(1e6)}`,
            },
          );
          break;
        }
        case 'squash': {
          const next = steps[at + 1];
          if (next && !step.only && !next.only && !next.write) {
            steps.splice(at, 2, { ...step, of: [...step.of, ...next.of] });
          }
          break;
        }
        case 'drop':
          if (steps.length > 1 && !step.only && !step.change.includes('split')) {
            steps = steps.toSpliced(at, 1);
            dropped.push(step.change);
          }
          break;
        case 'add': {
          const name = `added-${random.below(1e6)}.txt`;
          const text = Array.from({ length: 10 }, () => `A new line ${random.below(1e6)}\n`).join('');
          const added = {
            change: `added ${name}`,
            of: [],
            message: `Add ${name}`,
            write: () => new Map([[name, text]]),
          };
          steps = steps.toSpliced(at, 0, added);
          break;
        }
        case 'rebase':
          break;
      }
    }
    return { steps, dropped };
  }

  /** One of the files of a commit with another line in it, as it is at a commit; none where it has no text. */
  #amendment(of: string, tip: string): ReadonlyMap<string, string> {
    const name = this.#random.pick(this.#files(of));
    if (name === undefined) {
      return new Map();
    }
    try {
      const text = `${this.repository.git('cat-file', 'blob', `${tip}:${name}`)}\n`;
      const lines = linesOf(text);
      const amended = lines.toSpliced(
        this.#random.below(lines.length),
        0,
        `amended ${this.#random.below(1e6)}\n`,
      );
      return text.includes('\0') ? new Map() : new Map([[name, amended.join('')]]);
    } catch {
      // It is deleted there, or a submodule.
      return new Map();
    }
  }

  #files(sha: string): string[] {
    const names = this.repository.git(
      'diff-tree',
      '-r',
      '-z',
      '--no-commit-id',
      '--name-only',
      '--root',
      sha,
    );
    return names.split('\0').filter((name) => name !== '');
  }

  /** Makes a commit on another one; undefined when it would change nothing. A conflict is resolved by leaving its marks there. */
  #make(tip: string, { of, only, message, write }: Step): string | undefined {
    const git = this.repository;
    let parent = tip;
    for (const sha of of) {
      const ours = git.git(
        'commit-tree',
        `${parent}^{tree}`,
        '-p',
        this.#parents.get(sha) ?? '',
        '-m',
        'Ours',
      );
      let tree = this.#mergedTree(ours, sha);
      if (only) {
        const files = this.#files(sha).filter((name, index) => only(name, index));
        tree = this.#tree(parent, (name) => git.git('ls-tree', tree, '--', name), files);
      }
      parent = this.#commit(parent, tree, sha);
    }
    const source = of[0];
    if (write) {
      const texts = write(parent);
      const tree = this.#tree(
        parent,
        (name) => {
          const id = git.gitWithInput(texts.get(name) ?? '', 'hash-object', '-w', '--stdin');
          return `100644 blob ${id}\t${name}`;
        },
        [...texts.keys()],
      );
      parent = this.#commit(parent, tree, source);
    }
    const [before, after] = [tip, parent].map((sha) => git.git('rev-parse', `${sha}^{tree}`));
    if (before === after || after === undefined) {
      return undefined;
    }
    return this.#commit(tip, after, source, message);
  }

  /** A tree with some of its files as they are given, as `git ls-tree` writes them; empty for those that are not there. */
  #tree(from: string, lineOf: (name: string) => string, files: readonly string[]): string {
    const git = this.repository;
    git.git('read-tree', from);
    for (const name of files) {
      const [, mode, id] = /^(\d+) \w+ (\w+)\t/.exec(lineOf(name)) ?? [];
      if (mode === undefined || id === undefined) {
        git.git('update-index', '--force-remove', '--', name);
      } else {
        git.git('update-index', '--add', '--cacheinfo', `${mode},${id},${name}`);
      }
    }
    return git.git('write-tree');
  }

  #mergedTree(ours: string, theirs: string): string {
    try {
      return this.repository.git('merge-tree', '--write-tree', '--no-messages', ours, theirs);
    } catch (error) {
      const { stdout = '' } = error as { stdout?: string };
      return stdout.split('\n')[0] ?? '';
    }
  }

  /** As its source was written, and by whom, unless there is another message. */
  #commit(parent: string, tree: string, source?: string, message?: string): string {
    const shown = (format: string): string =>
      source === undefined ? 'Somebody' : this.repository.git('show', '-s', `--format=${format}`, source);
    return this.repository.gitWithInput(
      message ?? shown('%B'),
      ...['-c', `author.name=${shown('%an')}`, '-c', `author.email=${shown('%ae')}`],
      ...['commit-tree', tree, '-p', parent, '-F', '-'],
    );
  }

  remove(): void {
    this.repository.remove();
  }
}
