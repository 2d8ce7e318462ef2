/** The one stretch in which two texts differ, and what stands there in the second: what typing changes of a long text. */
export interface TextSplice {
  /** UTF-16 code units from the start of the first text, as far as `to`. */
  from: number;
  to: number;
  insert: string;
}

/** Finds the splice that turns the first text into the second; undefined when they are the same. */
export function spliceBetween(before: string, after: string): TextSplice | undefined {
  if (before === after) {
    return undefined;
  }
  const shorter = Math.min(before.length, after.length);
  const start = longest(shorter, (from, to) => before.slice(from, to) === after.slice(from, to));
  const end = longest(shorter - start, (from, to) => fromEnd(before, from, to) === fromEnd(after, from, to));
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}

/** Finds by halving how far two texts are the same: whole stretches are compared faster than their characters. */
function longest(most: number, isSame: (from: number, to: number) => boolean): number {
  let [same, other] = [0, most + 1];
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2);
    if (isSame(same, middle)) {
      same = middle;
    } else {
      other = middle;
    }
  }
  return same;
}

function fromEnd(text: string, from: number, to: number): string {
  return text.slice(text.length - to, text.length - from);
}
