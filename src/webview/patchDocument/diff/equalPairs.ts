import { diffArrays } from 'diff';

/** The most lines that are looked for among others. */
const largestComparison = 2_000;

/** The texts that stand on both sides, in the order that they have on both: the indices of each, before and after. */
export function equalPairs(
  before: readonly string[],
  after: readonly string[],
): [before: number, after: number][] {
  if (before.length === after.length && before.every((text, index) => text === after[index])) {
    return before.map((_text, index) => [index, index]);
  }
  if (before.length + after.length > largestComparison) {
    return [];
  }
  const pairs: [number, number][] = [];
  let [oldIndex, newIndex] = [0, 0];
  for (const { value, added, removed } of diffArrays([...before], [...after])) {
    for (let count = value.length; count > 0; count--) {
      if (!added && !removed) {
        pairs.push([oldIndex, newIndex]);
      }
      oldIndex += added ? 0 : 1;
      newIndex += removed ? 0 : 1;
    }
  }
  return pairs;
}
