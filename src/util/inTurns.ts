/** Work that takes long, done bit by bit: nobody else on this thread waits for all of it. */
import { nextTurn } from './nextTurn.ts';

/** Work of which each step is short, with what it comes to. */
export type Steps<Result> = Generator<undefined, Result>;

/** Milliseconds after which others have their turn. */
const sliceMs = 20;

/** Does all of it now. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) {
      return step.value;
    }
  }
}

/** Does all of it, and has whatever waits meanwhile have its turn. */
export async function inTurns<Result>(steps: Steps<Result>): Promise<Result> {
  let end = performance.now() + sliceMs;
  for (;;) {
    const step = steps.next();
    if (step.done) {
      return step.value;
    }
    if (performance.now() >= end) {
      await nextTurn();
      end = performance.now() + sliceMs;
    }
  }
}
