import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';

/** Waits until something is so which no element of the page shows. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 10_000;
  while (!(await isSo())) {
    assert.ok(Date.now() < end, `not so after ten seconds: ${isSo.toString()}`);
    await setTimeout(50);
  }
}
