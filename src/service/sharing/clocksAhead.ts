/**
 * Whoever has a clock that is ahead can't know it: what they write waits at everybody else's. So everybody says of which log something waits
 * with them, and that device tells its person.
 */
import * as v from 'valibot';
import { mostAheadMs, type LogProblem } from './admission.ts';
import type { Fold } from './fold.ts';
import { countSchema, pathOf } from './operations.ts';
import type { Emit, OwnLog } from './ownLog.ts';
import type { SharingStore } from './store.ts';

interface TellParts {
  store: SharingStore;
  emit: Emit;
}

/** Says of which logs something waits here, once, and of which nothing does any more. */
export function tellWaiting({ store, emit }: TellParts, problems: readonly LogProblem[]): void {
  const waiting = new Map(problems.flatMap(({ log, dated }) => (dated === undefined ? [] : [[log, dated]])));
  const told = new Map(store.listAs(v.nullable(countSchema), 'told ahead'));
  for (const log of new Set([...waiting.keys(), ...told.keys()])) {
    const dated = waiting.get(log) ?? null;
    const before = told.get(log) ?? null;
    const isNews = dated === null || before === null ? dated !== before : dated >= before + mostAheadMs;
    if (isNews) {
      emit({ type: 'ahead', log, clock_of: dated }, log, {
        shared: () => {
          if (dated === null) {
            store.forget('told ahead', log);
          } else {
            store.write(dated, 'told ahead', log);
          }
        },
        // It is tried again with the next round.
        withheld: () => undefined,
      });
    }
  }
}

/**
 * The time from which on others take all that is written here, in milliseconds since the epoch; undefined where they do already.
 *
 * @param now The computer's time.
 * @param latest The latest time in the logs of others.
 */
export function takenAt(
  { writer, end }: OwnLog,
  fold: Fold,
  now: number,
  latest: number,
): number | undefined {
  const [last] = end.clock;
  const waiting = fold.waitingElsewhere(pathOf(writer)).flatMap(({ dated, at }) => {
    // Somebody's time has come, and that of a device which has been off since then comes some day.
    const isOver = latest >= dated - mostAheadMs || now - dated > dated - at;
    return dated <= last && !isOver ? [dated] : [];
  });
  // Once the clock of this computer is right again, it is known here.
  const until = Math.max(last > now + mostAheadMs ? last : 0, ...waiting);
  return until === 0 ? undefined : until - mostAheadMs;
}
