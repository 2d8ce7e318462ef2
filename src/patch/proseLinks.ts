/** Finds what the text of a section names: files and lines of them, patches, commits, people, symbols. */
import type { DiffSection, Patch } from '../api/types/patches.ts';
import { issuesOf } from '../git/address.ts';
import { readBlob } from '../git/blobs.ts';
import { findCommit } from '../git/commits.ts';
import { findDefinitions } from '../git/definitions.ts';
import { openRepositories, repositoryWith } from '../git/repositories.ts';
import type { OpenRepository } from '../git/repository.ts';
import type { Model } from '../model/model.ts';
import type { KnownLines } from '../model/prose/followLines.ts';
import { fileOf, followReference } from '../model/prose/followReference.ts';
import { LineLinks } from '../model/prose/lineLinks.ts';
import { targetOfWord, type LinkPlaces } from '../model/prose/proseLinks.ts';
import { targetOfSymbol } from '../model/prose/symbols.ts';
import { WrittenVersions } from '../model/prose/writtenIn.ts';
import { startOf } from '../util/budget.ts';
import type { PatchRef } from '../util/patchRef.ts';
import type { LinkTarget, ProseLink } from '../util/proseLink.ts';
import { paragraphsOf } from '../util/paragraphs.ts';
import {
  inlineCodeIn,
  issuesIn,
  symbolOf,
  wordsIn,
  type NamedSymbol,
  type ProseWord,
} from '../util/proseNames.ts';

/** Characters of a text that are looked at, and links that are made of it. */
const longestText = 100_000;
const mostLinks = 500;

/** Files, commits and symbols that git is asked for, and people that the service is. */
const mostAsked = 100;
const mostPeople = 20;
const mostSymbols = 100;

/** Bytes up to which a file is read. */
const largestFile = 4 * 1024 * 1024;

/** See the module. @param markdown the text of a section of the patch. */
export async function proseLinks(
  model: Model,
  ref: PatchRef,
  markdown: string,
  signal: AbortSignal,
): Promise<ProseLink[]> {
  const patch = await model.patchUnopened(ref);
  const text = startOf(markdown, longestText);
  const stack = await model.stackOfPatch(ref).catch(() => undefined);
  const finder = new LinkFinder(
    model,
    { patch, patches: stack?.patches ?? [] },
    new WrittenVersions(model, ref, patch, stack?.stack.createdAt),
    signal,
  );
  const links = new Map<string, LinkTarget>();
  const lines = new LineLinks();
  for (const { text: paragraph, index } of paragraphsOf(text)) {
    for (const word of wordsIn(paragraph)) {
      const isKnown = word.start === undefined ? links.has(word.text) : lines.has(word.text, index);
      const isWanted = links.size + lines.size < mostLinks && !isKnown;
      const target = isWanted ? await finder.ofWord(word, paragraph) : undefined;
      if (isWanted && word.start !== undefined) {
        lines.add(word.text, { paragraph, index, target });
      } else if (target) {
        links.set(word.text, target);
      }
    }
  }
  const symbols = await symbolLinks(inlineCodeIn(text), patch, signal);
  for (const [name, target] of symbols) {
    if (links.size + lines.size < mostLinks && !links.has(name)) {
      links.set(name, target);
    }
  }
  const issues = issuesIn(text).filter(({ text: name }) => !links.has(name));
  const page = issues.length > 0 ? await issuesPage(patch, signal) : undefined;
  for (const { text: name, number } of issues) {
    if (page !== undefined && links.size + lines.size < mostLinks) {
      links.set(name, { kind: 'address', url: page + number });
    }
  }
  return [...[...links].map(([name, target]) => ({ text: name, target })), ...lines.linksOf(text)];
}

/** Symbols in backticks: where a line of the commit defines them, else where the patch has them. */
async function symbolLinks(
  codes: readonly string[],
  { sections = [], commitSha }: Patch,
  signal: AbortSignal,
): Promise<Map<string, LinkTarget>> {
  const symbols = new Map<string, NamedSymbol>();
  for (const code of codes) {
    const symbol = symbolOf(code);
    if (symbol && symbols.size < mostSymbols) {
      symbols.set(code, symbol);
    }
  }
  const definitions = await findDefinitions(commitSha, [...symbols.values()], signal);
  return new Map(
    [...symbols].flatMap(([code, { written }]) => {
      const target = targetOfSymbol(code, sections, definitions.get(written));
      return target ? [[code, target]] : [];
    }),
  );
}

/** The remotes that stand for the repository itself: others are those of people. */
const ownRemotes = ['origin', 'upstream'];

/** The address of the issues of the repository that has the patch, by its remotes: nothing is asked of them. */
async function issuesPage({ commitSha }: Patch, signal: AbortSignal): Promise<string | undefined> {
  const repository = await repositoryWith(commitSha, signal);
  const remotes: string[] = [];
  for (const name of repository ? ownRemotes : []) {
    remotes.push((await repository?.git(['remote', 'get-url', name], signal).catch(() => '')) ?? '');
  }
  return issuesOf(remotes.map((remote) => remote.trim()));
}

class LinkFinder {
  readonly #model: Pick<Model, 'userNamed'>;
  readonly #places: LinkPlaces;
  readonly #versions: WrittenVersions;
  readonly #signal: AbortSignal;
  readonly #files = new Map<string, Promise<KnownLines | undefined>>();
  #filesAtTop: Promise<ReadonlySet<string>> | undefined;
  #repository: Promise<OpenRepository | undefined> | undefined;
  #pathsAsked = 0;
  #commitsAsked = 0;
  #peopleAsked = 0;

  constructor(
    model: Pick<Model, 'userNamed'>,
    places: LinkPlaces,
    versions: WrittenVersions,
    signal: AbortSignal,
  ) {
    this.#model = model;
    this.#places = places;
    this.#versions = versions;
    this.#signal = signal;
  }

  /** @param paragraph that the word stands in. */
  async ofWord(word: ProseWord, paragraph: string): Promise<LinkTarget | undefined> {
    const target = await this.#targetOf(word, paragraph);
    return target && 'path' in target && leadsOut(target.path) ? undefined : target;
  }

  async #targetOf(word: ProseWord, paragraph: string): Promise<LinkTarget | undefined> {
    this.#signal.throwIfAborted();
    const { name: path, start, end } = word;
    if (start !== undefined && end !== undefined) {
      const written = await this.#versions.of(paragraph);
      return followReference({ path, start, end }, written.patch, this.#places.patch, this.#linesOfFile);
    }
    return (
      targetOfWord(word, this.#places) ??
      (await this.#commitOf(path)) ??
      (await this.#personOf(path)) ??
      (await this.#fileOf(path))
    );
  }

  /** A commit that no patch of the stack is. */
  async #commitOf(name: string): Promise<LinkTarget | undefined> {
    if (!/^[0-9a-f]{7,64}$/.test(name) || this.#commitsAsked >= mostAsked) {
      return undefined;
    }
    this.#commitsAsked += 1;
    const commit = await findCommit(name);
    return commit && { kind: 'commit', sha: commit.sha, title: commit.title };
  }

  /** Somebody who has nothing to do with the stack. */
  async #personOf(name: string): Promise<LinkTarget | undefined> {
    if (!/^@[\p{L}\p{N}][\p{L}\p{N}_.-]{0,99}$/u.test(name) || this.#peopleAsked >= mostPeople) {
      return undefined;
    }
    this.#peopleAsked += 1;
    const login = name.slice(1);
    // Without the server it is a word like any other.
    const user = await this.#model.userNamed(login).catch(() => undefined);
    return user?.login === login ? { kind: 'person', login } : undefined;
  }

  /** A whole file: of the patch, or one that was there. */
  async #fileOf(name: string): Promise<LinkTarget | undefined> {
    const { patch } = this.#places;
    // Other words could be anything.
    if (!/[./]|^[A-Z]/.test(name)) {
      return undefined;
    }
    const file = fileOf(patch, name);
    if (file) {
      return { kind: 'file', path: file.newPath ?? file.oldPath ?? file.identifier };
    }
    const isThere = name.includes('/')
      ? await this.#hasFile(name)
      : (await (this.#filesAtTop ??= this.#listTop())).has(name);
    return isThere ? { kind: 'file', path: name } : undefined;
  }

  /** Returns true for a file of any kind that the commit has, an image as well as code; not for a folder. */
  async #hasFile(path: string): Promise<boolean> {
    if (path.endsWith('/') || this.#pathsAsked >= mostAsked) {
      return false;
    }
    this.#pathsAsked += 1;
    const repository = await this.#repositoryOfPatch();
    const name = `${this.#places.patch.commitSha ?? ''}:${path}`;
    const type = await repository?.git(['cat-file', '-t', name], this.#signal).catch(() => '');
    return type?.trim() === 'blob';
  }

  #repositoryOfPatch(): Promise<OpenRepository | undefined> {
    return (this.#repository ??= repositoryWith(this.#places.patch.commitSha, this.#signal));
  }

  /** The names of the files that the repository has at its top: git is asked for them once, not for each word that could be one. */
  async #listTop(): Promise<ReadonlySet<string>> {
    const { commitSha } = this.#places.patch;
    const repository = await this.#repositoryOfPatch();
    const list = await repository?.git(['ls-tree', '-z', commitSha ?? ''], this.#signal).catch(() => '');
    return new Set(
      list?.split('\0').flatMap((entry) => /^100[0-7]+ blob [0-9a-f]+\t(.+)$/s.exec(entry)?.[1] ?? []),
    );
  }

  readonly #linesOfFile = (
    patch: Patch,
    path: string,
    file: DiffSection | undefined,
  ): Promise<KnownLines | undefined> => {
    const key = JSON.stringify([patch.commitSha, patch.version, path, file?.newFileSha]);
    const known = this.#files.get(key);
    if (known || this.#files.size >= mostAsked) {
      return known ?? Promise.resolve(undefined);
    }
    const lines = this.#read(patch, path, file);
    this.#files.set(key, lines);
    return lines;
  };

  async #read(patch: Patch, path: string, file: DiffSection | undefined): Promise<KnownLines | undefined> {
    for (const repository of file?.newFileSha === undefined ? [] : await openRepositories()) {
      const text = await readBlob(repository, file?.newFileSha, largestFile, this.#signal);
      if (text !== undefined) {
        return linesOf(text);
      }
    }
    const text = await (await findCommit(patch.commitSha))?.text(path);
    return text === undefined ? undefined : linesOf(text);
  }
}

/** Returns true for a path out of the repository: strangers name what they like, also in what they say of their own files. */
function leadsOut(path: string): boolean {
  return path.startsWith('/') || path.split('/').includes('..');
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
