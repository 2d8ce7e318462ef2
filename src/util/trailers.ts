/** The trailers of a commit's message: `Signed-off-by: Ada <ada@example.org>`, `Change-Id: I1234`. */

const trailer = /^[A-Za-z][A-Za-z0-9-]*: ./;

/** Those that git and its friends write; others are trailers only in good company. */
const wellKnown = /^([A-Za-z][A-Za-z0-9-]*-by|Change-Id|Cc|Fixes|Closes|Link): ./i;

/**
 * The first line of the trailers at the end of a paragraph: all of its lines look like one, or one at the end is well known.
 *
 * @returns how many lines there are, when none is a trailer.
 */
export function trailersFrom(lines: readonly string[]): number {
  let first = lines.length;
  while (first > 0 && trailer.test(lines[first - 1] ?? '')) {
    first--;
  }
  const found = lines.slice(first);
  return first === 0 || found.some((line) => wellKnown.test(line)) ? first : lines.length;
}
