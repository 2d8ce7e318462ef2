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

/**
 * Everything that VS Code itself keeps for the extension, of the window's folder and of all: in a browser it writes that down there, a
 * moment after the extension has handed it over, and what is not there when the window is loaded again is lost.
 */
export function keptByVsCode(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const answer = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error('It could not be read.'));
      });
    const values: unknown[] = [];
    for (const { name = '' } of await indexedDB.databases()) {
      if (name.startsWith('vscode-web-state-db-')) {
        const database = await answer(indexedDB.open(name));
        const items = database.transaction('ItemTable').objectStore('ItemTable');
        values.push(await answer(items.get('patch-stacks.patch-stacks')));
        database.close();
      }
    }
    return values.filter((value) => typeof value === 'string');
  });
}
