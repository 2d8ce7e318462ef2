/** Resolves in the next turn of the event loop, after whatever waits already. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
