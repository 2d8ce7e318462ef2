import { usualMilliseconds } from '../support/yardstick.ts';
import { formatAmount, quartiles } from './measure.ts';

/** Slower than usual by more than this, a machine says little of aims in milliseconds; where its runs differ by more, of any aim. */
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
      `and usually takes ${usualMilliseconds} ms.`,
    ...(isSlow
      ? ['This machine is slower than usual: aims in milliseconds may be missed for that alone.']
      : []),
    ...(isUnsteady ? ['It is not steady: a result near its aim says little, of ratios too.'] : []),
  ].join(' ');
}
