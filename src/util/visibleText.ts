/** Texts of strangers as they can stand among our own: in a row, in a title. */

/** Control characters, and those that turn the direction of what follows: with them a text can look like another one. */
const disguises = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** A text without what could disguise it, on one line. */
export function plainText(text: string): string {
  return text.replace(disguises, ' ').trim();
}

/** The same, with every text in it as `plainText` has it. */
export function plainTexts<T>(value: T): T {
  const plain = (part: unknown): unknown => {
    if (typeof part === 'string') {
      return plainText(part);
    }
    if (Array.isArray(part)) {
      return part.map(plain);
    }
    return typeof part === 'object' && part !== null
      ? Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, plain(inner)]))
      : part;
  };
  return plain(value) as T;
}

/** A text in which something can be seen, as plain text; undefined for one of blanks and invisible characters, which names nothing. */
export function visibleText(text: string | undefined): string | undefined {
  return text !== undefined && /[\p{L}\p{N}\p{P}\p{S}]/u.test(text) ? plainText(text) : undefined;
}
