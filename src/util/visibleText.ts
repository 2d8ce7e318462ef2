/** Texts of strangers as they can stand among our own: in a row, in a title. */

/** Control characters, and those that turn the direction of what follows: with them a text can look like another one. */
const disguises = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** A text without what could disguise it, on one line. */
export function plainText(text: string): string {
  return text.replace(disguises, ' ').trim();
}

/** A text in which something can be seen, as plain text; undefined for one of blanks and invisible characters, which names nothing. */
export function visibleText(text: string | undefined): string | undefined {
  return text !== undefined && /[\p{L}\p{N}\p{P}\p{S}]/u.test(text) ? plainText(text) : undefined;
}
