import { setTimeout } from 'node:timers/promises';

/** Milliseconds for which a test waits for what a window shows: only what fails ever takes them. */
export const patienceMs = 60_000;

/**
 * Waits until something is so which no element of the page shows. Where it cannot be found out it is not so yet: a page that comes
 * or goes at the moment cannot be asked.
 *
 * @throws Error after a minute, with the last reason why it could not be found out as its cause.
 */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + patienceMs;
  for (;;) {
    let cause: unknown;
    try {
      if (await isSo()) {
        return;
      }
    } catch (error) {
      cause = error;
    }
    if (Date.now() >= end) {
      const reason = cause instanceof Error ? ` (${cause.message})` : '';
      throw new Error(`Not so after a minute: ${isSo.toString()}${reason}`, { cause });
    }
    await setTimeout(50);
  }
}
