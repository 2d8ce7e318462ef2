import { usualMilliseconds } from '../support/yardstick.ts';
import { formatAmount, quartiles } from './measure.ts';

/** A machine that is slower than the one of the aims by more than this, or less steady, says little of aims in milliseconds. */
const tolerated = 1.25;

/**
 * What the machine could do while it measured, for the reader of the figures.
 *
 * @param times milliseconds of a processor that the yardstick took, before and after each group.
 */
export function describeMachine(times: readonly number[]): string {
  const [low, middle, high] = quartiles(times);
  const isSlow = middle > usualMilliseconds * tolerated;
  const isUnsteady = high > low * tolerated;
  return [
    `A fixed piece of work took ${formatAmount(middle)} ms here (half of its runs ${formatAmount(low)} to ${formatAmount(high)}), ` +
      `and takes ${usualMilliseconds} ms on the machine that the aims were set on.`,
    ...(isSlow ? ['This one is slower: aims in milliseconds may be missed for that alone.'] : []),
    ...(isUnsteady ? ['It is not steady: a result near its aim says little, of ratios too.'] : []),
  ].join(' ');
}
