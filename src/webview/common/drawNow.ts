/** Drawing at once what has been changed, for whoever goes on with the elements that come of it. */
import { options } from 'preact';

let waiting: (() => void) | undefined;

// As Preact does it by itself, but that it can be done before.
options.debounceRendering = (draw) => {
  waiting = draw;
  queueMicrotask(drawNow);
};

/** Draws what has been changed and is not drawn yet. */
export function drawNow(): void {
  const draw = waiting;
  waiting = undefined;
  draw?.();
}
