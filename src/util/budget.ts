/**
 * The one place that bounds texts of strangers before anything runs over them: a match, a loop over characters, a page. What
 * is cut is at most what no one reads: the end of a title that is longer than a screen is wide.
 */

/** The beginning of a text, without half a character at its end. */
export function startOf(text: string, length: number): string {
  if (text.length <= length) {
    return text;
  }
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length);
}

/** The beginning of a text that is longer than it may be, with an ellipsis that says so. */
export function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${startOf(text, length - 1)}…`;
}

/** A regular expression that sees no more of a text than its beginning. */
export interface BoundedPattern {
  test(text: string): boolean;
  exec(text: string): RegExpExecArray | null;
  /** Replaces in the beginning, and gives the beginning only. */
  replace(text: string, replacement: string | ((...found: (string | undefined)[]) => string)): string;
}

/**
 * Bounds an expression that takes more time than the text is long. The limit is a number that stands there as it is: the test
 * that tries every expression reads it.
 */
export function within(limit: number, pattern: RegExp): BoundedPattern {
  return {
    test: (text) => pattern.test(startOf(text, limit)),
    exec: (text) => pattern.exec(startOf(text, limit)),
    replace: (text, replacement) =>
      typeof replacement === 'string'
        ? startOf(text, limit).replace(pattern, replacement)
        : startOf(text, limit).replace(pattern, replacement),
  };
}

/** A text without some characters at its end. An expression would try at each of them, wherever they stand. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) {
    end -= 1;
  }
  return text.slice(0, end);
}
