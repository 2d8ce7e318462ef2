import type { Page } from 'playwright-core';

/** All that our pages keep in the browser of what was typed. */
export function keptInBrowser(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    Object.keys(localStorage).flatMap((key) =>
      key.startsWith('patch-stacks/outbox/') && key !== 'patch-stacks/outbox/forgotten'
        ? [localStorage.getItem(key) ?? '']
        : [],
    ),
  );
}
