/** A page on a slower processor than the one of this machine: what a test takes for granted too early shows there. */
import type { Page } from 'playwright-core';

const slow = Number(process.env['PATCH_STACKS_TEST_SLOW'] ?? 1);

/**
 * Slows a page down as often as PATCH_STACKS_TEST_SLOW says, and our pages in it: the browser of the tests has all of a window in
 * one process. Workers run as they do.
 */
export async function slowDown(page: Page): Promise<void> {
  if (slow > 1) {
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slow });
  }
}
