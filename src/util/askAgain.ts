/** Milliseconds between two questions. */
const pausesMs = [50, 100, 200, 400, 800, 1600];

/**
 * Times at which to ask what VS Code knows in a moment: at once, and after pauses that grow, three seconds in all. Whoever has the answer
 * leaves the loop.
 *
 * @returns the number of the question, from 0 on.
 */
export async function* askAgain(): AsyncGenerator<number, void, undefined> {
  yield 0;
  for (const [index, pauseMs] of pausesMs.entries()) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    yield index + 1;
  }
}
