/** Writes the paths of icons in fewer characters: they are more than half of a drawing. */

/** Parts of a pixel that can be told apart in an icon. */
export const iconScale = 8;

/** How many numbers each step takes. */
const lengths: Readonly<Record<string, number>> = { M: 2, L: 2, H: 1, V: 1, C: 6 };

/**
 * A path in steps from where the one before it ended, in whole numbers.
 *
 * @param path in pixels, with steps to places in the picture: M, L, H, V, C and Z, as those of codicons.
 * @throws when it has others.
 */
export function shortPath(path: string): string {
  let [x, y, startX, startY] = [0, 0, 0, 0];
  let short = '';
  const step = (name: string, numbers: readonly number[]): void => {
    short += name + numbers.join(' ').replaceAll(' -', '-');
  };
  for (const [, name = '', all = ''] of path.matchAll(/([A-Z])([^A-Z]*)/g)) {
    const numbers = (all.match(/-?\d*\.?\d+(?:e-?\d+)?/g) ?? []).map((number) =>
      Math.round(Number(number) * iconScale),
    );
    const length = lengths[name];
    if (name === 'Z') {
      short += 'z';
      [x, y] = [startX, startY];
    } else if (length === undefined) {
      throw new Error(`An icon has a step that is not expected: ${name}.`);
    }
    for (let at = 0; length !== undefined && at < numbers.length; at += length) {
      const to = numbers.slice(at, at + length);
      const moved = to.map((number, index) => number - (name === 'V' || index % 2 === 1 ? y : x));
      // What follows the first place is a line to each.
      step(name === 'M' && at > 0 ? 'l' : name.toLowerCase(), moved);
      x = name === 'V' ? x : (to.at(name === 'H' ? 0 : -2) ?? x);
      y = name === 'H' ? y : (to.at(-1) ?? y);
      [startX, startY] = name === 'M' ? [x, y] : [startX, startY];
    }
  }
  return short;
}
