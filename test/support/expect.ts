/** Assertions on what a page shows, which wait for it: a page that draws a moment after its test has looked is not wrong. */
import assert from 'node:assert/strict';
import { expect as impatient } from '@playwright/test';
import type { Locator } from 'playwright-core';
import { patienceMs } from './until.ts';

/** Playwright's own, as patient as all else that waits for a window. */
export const expect = impatient.configure({ timeout: patienceMs });

/**
 * Asserts that something is not there when it would be: at a moment that a sign tells, which comes no earlier. It is looked for
 * once, because what is there by mistake may go by itself, as messages do.
 */
export async function expectNone(what: Locator, { once }: { once: Locator }): Promise<void> {
  await once.first().waitFor();
  if ((await what.count()) > 0) {
    assert.fail(`${String(what)} is there`);
  }
}
