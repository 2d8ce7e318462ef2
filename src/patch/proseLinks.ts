/** Finds what the text of a section names: files and lines of them, patches, people, symbols. */
import type { DiffSection, Patch } from '../api/types/patches.ts';
import { readBlob } from '../git/blobs.ts';
import { findCommit } from '../git/commits.ts';
import { openRepositories } from '../git/repositories.ts';
import type { Model } from '../model/model.ts';
import type { KnownLines } from '../model/prose/followLines.ts';
import { fileOf, followReference } from '../model/prose/followReference.ts';
import { targetOfSymbol, targetOfWord, type LinkPlaces } from '../model/prose/proseLinks.ts';
import { writtenIn } from '../model/prose/writtenIn.ts';
import { startOf } from '../util/budget.ts';
import type { PatchRef } from '../util/patchRef.ts';
import type { LinkTarget, ProseLink } from '../util/proseLink.ts';
import { inlineCodeIn, wordsIn, type ProseWord } from '../util/proseNames.ts';

/** Characters of a text that are looked at, links that are made of it, and files that git is asked for. */
const longestText = 100_000;
const mostLinks = 500;
const mostAsked = 100;

/** Bytes up to which a file is read. */
const largestFile = 4 * 1024 * 1024;

/** See the module. @param code that of the section. */
export async function proseLinks(
  model: Model,
  ref: PatchRef,
  code: string,
  signal: AbortSignal,
): Promise<ProseLink[]> {
  const patch = (await model.patch(ref)).value;
  const { sections = [] } = patch;
  const section = sections.find((one) => one.code === code);
  if (section?.sectionType !== 'text' || section.text === undefined) {
    return [];
  }
  const text = startOf(section.text, longestText);
  const stack = await model.stackOfPatch(ref).catch(() => undefined);
  const written = section.text;
  const finder = new LinkFinder(
    { patch, patches: stack?.patches ?? [] },
    () => writtenIn(model, ref, patch, written, stack?.stack.createdAt),
    signal,
  );
  const links = new Map<string, LinkTarget>();
  for (const word of wordsIn(text)) {
    const target = links.size < mostLinks && !links.has(word.text) ? await finder.ofWord(word) : undefined;
    if (target) {
      links.set(word.text, target);
    }
  }
  for (const name of inlineCodeIn(text)) {
    const target = links.size < mostLinks && !links.has(name) ? targetOfSymbol(name, sections) : undefined;
    if (target) {
      links.set(name, target);
    }
  }
  return [...links].map(([name, target]) => ({ text: name, target }));
}

class LinkFinder {
  readonly #places: LinkPlaces;
  readonly #findWritten: () => Promise<Patch>;
  readonly #signal: AbortSignal;
  readonly #files = new Map<string, Promise<KnownLines | undefined>>();
  #written: Promise<Patch> | undefined;

  /** @param findWritten finds the version of the patch in which the text was written. */
  constructor(places: LinkPlaces, findWritten: () => Promise<Patch>, signal: AbortSignal) {
    this.#places = places;
    this.#findWritten = findWritten;
    this.#signal = signal;
  }

  async ofWord(word: ProseWord): Promise<LinkTarget | undefined> {
    this.#signal.throwIfAborted();
    const { name: path, start, end } = word;
    if (start !== undefined && end !== undefined) {
      this.#written ??= this.#findWritten();
      return followReference(
        { path, start, end },
        await this.#written,
        this.#places.patch,
        this.#linesOfFile,
      );
    }
    return targetOfWord(word, this.#places) ?? (await this.#fileOf(path));
  }

  /** A whole file: of the patch, or one that was there. */
  async #fileOf(name: string): Promise<LinkTarget | undefined> {
    const { patch } = this.#places;
    const file = /[./]|^[A-Z]/.test(name) ? fileOf(patch, name) : undefined;
    if (file) {
      return { kind: 'file', path: file.newPath ?? file.oldPath ?? file.identifier };
    }
    // Of other words nobody asks git: they could be anything.
    const isPath = name.includes('/') && /[^/]$/.test(name);
    return isPath && (await this.#linesOfFile(patch, name, undefined))
      ? { kind: 'file', path: name }
      : undefined;
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
    // It comes from strangers: it must not lead out of the repository.
    if (path.startsWith('/') || path.split('/').includes('..')) {
      return undefined;
    }
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

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
