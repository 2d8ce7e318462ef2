/** The one stretch in which two texts differ, and what stands there in the second: what typing changes of a long text. */
export interface TextSplice {
  /** UTF-16 code units from the start of the first text, as far as `to`. */
  from: number;
  to: number;
  insert: string;
}

/** What makes the second text of the first; undefined when they are the same. */
export function spliceBetween(before: string, after: string): TextSplice | undefined {
  if (before === after) {
    return undefined;
  }
  const shorter = Math.min(before.length, after.length);
  const start = longest(shorter, (from, to) => before.slice(from, to) === after.slice(from, to));
  const end = longest(shorter - start, (from, to) => fromEnd(before, from, to) === fromEnd(after, from, to));
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}

/** How far two texts are the same, found by halving: whole stretches are compared faster than their characters. */
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

/** The text with this change. */
export function withSplice(text: string, { from, to, insert }: TextSplice): string {
  return text.slice(0, from) + insert + text.slice(to);
}
