/** Errors that nobody catches, to see that they are heard. */
import assert from 'node:assert/strict';
import { expect } from './expect.ts';
import type { WindowConsole } from './windowConsole.ts';

/** Has errors in the page in which it runs: thrown, rejected, and one that is just words. */
export function plantErrors(): void {
  setTimeout(() => {
    throw new TypeError('planted, and thrown');
  });
  void Promise.reject(new Error('planted, and rejected'));
  setTimeout(() => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- Some do.
    throw 'planted words';
  });
}

/** Waits until each was heard, and forgets them. */
export async function errorsAreHeard({ errors }: WindowConsole): Promise<void> {
  const texts = [
    'Not caught: Error: planted, and rejected',
    'Not caught: TypeError: planted, and thrown',
    'Not caught: planted words',
  ];
  await expect.poll(() => errors.map(({ text }) => text).toSorted()).toEqual(texts);
  await expect.poll(() => errors.some(({ picture }) => picture !== undefined)).toBe(true);
  const thrown = errors.find(({ text }) => text.includes('TypeError'));
  assert.match(thrown?.stack ?? '', /^TypeError: planted, and thrown\n\s+at /);
  errors.splice(0);
}
