/** Texts of strangers as they can stand among our own: in a row, in a title. */

import { shortened, startOf } from './budget.ts';

/** Characters of a name: no one reads more, and more would push everything else out of sight. */
const longestName = 300;

/**
 * Control characters, ends of lines, and those that turn the direction of what follows: with them a text can look like another
 * one.
 */
const disguises = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** A text without what could disguise it, on one line, and no longer than a name is. */
export function plainText(text: string): string {
  const beginning = startOf(text, longestName * 2);
  const plain = beginning.replace(disguises, ' ').trim();
  return shortened(beginning === text ? plain : `${plain}…`, longestName);
}

/** A text of any length and several lines without what could disguise it. */
export function undisguised(text: string): string {
  return text.replaceAll(/(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ');
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
