/** Links in the prose of a patch: to what a text names in passing. */

/** A line of a file, one-based. */
export interface NamedLine {
  path: string;
  line: number;
  text: string;
}

/** A file, or lines of it, as they are now. */
export interface FileTarget {
  kind: 'file';
  path: string;
  start?: number;
  end?: number;
  lines?: string[];
}

/** A line that the patch adds, in the section of its file. */
export interface LineTarget {
  kind: 'line';
  code: string;
  path: string;
  line: number;
  text: string;
}

/** The thing that is named. */
export type LinkTarget =
  | FileTarget
  /** Lines of a file that nobody finds again: they are gone, or changed beyond recognition. */
  | { kind: 'lost'; path: string }
  | LineTarget
  /** Several lines that may be meant: the person chooses. There are more of them than these. */
  | { kind: 'several'; places: (FileTarget | LineTarget)[]; more: number }
  /** Another patch of the stack. */
  | { kind: 'patch'; changeId: string; title: string }
  /** A commit of an open repository. */
  | { kind: 'commit'; sha: string; title: string }
  | { kind: 'person'; login: string }
  /** A page in the web, such as that of an issue. */
  | { kind: 'address'; url: string };

/** A link, by the words that it is made of. */
export interface ProseLink {
  text: string;
  target: LinkTarget;
  /** The lines of the text, counted from 0, where the words lead there; without them, they do so wherever they stand. */
  within?: { first: number; last: number };
}

/** The links of a text: the same words may lead elsewhere in another paragraph of it. */
export class ProseLinks {
  readonly #byWords = new Map<string, ProseLink[]>();

  constructor(links: readonly ProseLink[] = []) {
    for (const link of links) {
      this.#byWords.set(link.text, [...(this.#byWords.get(link.text) ?? []), link]);
    }
  }

  get isEmpty(): boolean {
    return this.#byWords.size === 0;
  }

  /** Returns true for words that lead somewhere, at one place of the text at least. */
  has(words: string): boolean {
    return this.#byWords.has(words);
  }

  /** The target of words in the block that begins at a line: where nobody knows the line, only that of words that have no other. */
  at(words: string, line: number | undefined): LinkTarget | undefined {
    return this.#byWords
      .get(words)
      ?.find(({ within }) => !within || (line !== undefined && within.first <= line && line <= within.last))
      ?.target;
  }
}

/** The lines of a file that are shown of those that are meant, with a sign that there are more. */
export function startOfLines({ start = 1, end = start, lines = [] }: FileTarget): string {
  return [...lines, ...(end - start + 1 > lines.length ? ['…'] : [])].join('\n');
}

/** The lines of several that may be meant, as they are listed. */
export function listedLines({ places }: Extract<LinkTarget, { kind: 'several' }>): NamedLine[] {
  return places.map((place) =>
    place.kind === 'line'
      ? { path: place.path, line: place.line, text: place.text.trim() }
      : { path: place.path, line: place.start ?? 1, text: (place.lines?.[0] ?? '').trim() },
  );
}
