/**
 * A history as real repositories have them, the same from run to run: as many files in a commit, hunks in a file and characters in
 * a message as the thousand newest commits of two public ones have, honojs/hono and jj-vcs/jj in the middle of 2026. Most are small, and
 * a few very large, as has been found of thousands of others (Arafat and Riehle, "The commit size distribution of open source software",
 * 2009; Alali, Kagdi and Maletic, "What's a typical commit?", 2008).
 */
import type { GitRepository } from '../support/gitRepository.ts';
import { Random } from '../support/random.ts';

/** What part of all is at most as large: in between, sizes grow evenly on a logarithmic scale. */
type Quantiles = readonly (readonly [part: number, size: number])[];

const sizes = {
  filesOfCommit: [[0, 1], [0.4, 1], [0.6, 2], [0.75, 3], [0.9, 6], [0.95, 9], [0.99, 28], [1, 60]],
  hunksOfFile: [[0, 1], [0.5, 1], [0.75, 2], [0.9, 5], [0.99, 30], [1, 60]],
  linesOfHunk: [[0, 1], [0.4, 1], [0.6, 2], [0.75, 4], [0.9, 11], [0.99, 50], [1, 150]],
  linesOfFile: [[0, 3], [0.1, 8], [0.25, 30], [0.5, 105], [0.75, 310], [0.9, 900], [0.99, 3700], [1, 8000]],
  wordsOfMessage: [[0, 1], [0.45, 1], [0.5, 10], [0.75, 36], [0.9, 90], [0.99, 400], [1, 1000]],
} satisfies Record<string, Quantiles>; // prettier-ignore

/** Of so many files that a commit changes, one is new, deleted, or moved. */
const oneInNew = 20;
const oneInDeleted = 40;
const oneInMoved = 50;

const filesAtFirst = 600;
/** One of so many commits has another author. */
const authors = 40;

const words =
  'const let return if else for of await async function type interface export import from new this value name path file result error options index key map list row node parse read write find make next size count total default string number true false undefined null'.split(
    ' ',
  );

/** Adds the history to `main`, and then to a branch `topic`, packed as git does. @returns The commit at its end. */
export function addHistory(repository: GitRepository, commits: number): string {
  const history = new History(repository.git('rev-parse', 'main'));
  const stream = [history.first(), ...Array.from({ length: commits }, (_, index) => history.next(index + 1))];
  repository.gitWithInput(stream.join(''), 'fast-import', '--quiet');
  // With one thread, what becomes a difference to what is the same, too.
  repository.git('-c', 'pack.threads=1', 'repack', '-adfq');
  return repository.git('rev-parse', 'topic');
}

class History {
  readonly #random = new Random(1);
  readonly #files = new Map<string, string[]>();
  readonly #root: string;
  #named = 0;

  constructor(root: string) {
    this.#root = root;
  }

  /** The commit of all files, on `main`. */
  first(): string {
    const changes = Array.from({ length: filesAtFirst }, () => this.#add());
    return this.#commit('main', 0, this.#root, changes);
  }

  /** Another commit on `topic`. */
  next(number: number): string {
    const changes = new Map<string, string>();
    for (let left = this.#size('filesOfCommit'); left > 0; left--) {
      const name = this.#random.pick([...this.#files.keys()]) ?? '';
      if (this.#random.oneIn(oneInNew)) {
        changes.set(`new ${left}`, this.#add());
      } else if (!changes.has(name)) {
        changes.set(name, this.#changed(name));
      }
    }
    return this.#commit('topic', number, number === 1 ? 'refs/heads/main' : '', [...changes.values()]);
  }

  /** A size as one of a hundred real ones is. */
  #size(what: keyof typeof sizes): number {
    const quantiles: Quantiles = sizes[what];
    const part = this.#random.below(1_000_000) / 1_000_000;
    const above = quantiles.findIndex(([one]) => one > part);
    const [[low, from], [high, to]] = [quantiles[above - 1] ?? [0, 1], quantiles[above] ?? [1, 1]];
    return Math.round(from * (to / from) ** ((part - low) / (high - low)));
  }

  #words(count: number): string {
    return Array.from({ length: count }, () => this.#random.pick(words)).join(' ');
  }

  #line(): string {
    return this.#random.oneIn(8)
      ? ''
      : `${'  '.repeat(this.#random.below(4))}${this.#words(1 + this.#random.below(10))};`;
  }

  #lines(count: number): string[] {
    return Array.from({ length: count }, () => this.#line());
  }

  #add(): string {
    const number = this.#named++;
    const folder = ['src', `part${number % 7}`, `group${number % 41}`].slice(0, 1 + (number % 3)).join('/');
    const name = `${folder}/${this.#random.pick(words) ?? ''}${number}.ts`;
    this.#files.set(name, this.#lines(this.#size('linesOfFile')));
    return this.#written(name);
  }

  #written(name: string): string {
    const content = (this.#files.get(name) ?? []).map((line) => `${line}\n`).join('');
    return `M 100644 inline ${name}\ndata ${content.length}\n${content}\n`;
  }

  #changed(name: string): string {
    const lines = this.#files.get(name) ?? [];
    if (this.#random.oneIn(oneInDeleted)) {
      this.#files.delete(name);
      return `D ${name}\n`;
    }
    for (let hunks = this.#size('hunksOfFile'); hunks > 0; hunks--) {
      const [removed, added] = [this.#size('linesOfHunk'), this.#size('linesOfHunk')];
      lines.splice(this.#random.below(lines.length + 1), Math.floor(removed / 2), ...this.#lines(added));
    }
    if (!this.#random.oneIn(oneInMoved)) {
      return this.#written(name);
    }
    const moved = name.replace(/(\d+)\.ts$/, `$1m.ts`);
    this.#files.delete(name);
    this.#files.set(moved, lines);
    return `D ${name}\n${this.#written(moved)}`;
  }

  #commit(branch: string, number: number, from: string, changes: readonly string[]): string {
    const author = (number * 7) % authors;
    const who = `Author ${author} <author${author}@example.com> ${1_700_000_000 + number * 3600} +0000`;
    const body = this.#size('wordsOfMessage');
    const message = `Change ${number}: ${this.#words(5)}\n${body > 1 ? `\n${this.#words(body)}\n` : ''}`;
    return [
      `commit refs/heads/${branch}\nauthor ${who}\ncommitter ${who}\n`,
      `data ${message.length}\n${message}`,
      from === '' ? '' : `from ${from}\n`,
      ...changes,
    ].join('');
  }
}
