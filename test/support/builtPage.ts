/** Our pages as they were built, for a browser without VS Code: every request to their address is answered from `dist`. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Route } from 'playwright-core';
import { root } from '../../tools/provision.ts';

/** An address that is never asked for in truth. */
export const pageOrigin = 'https://page.test';

/** What the files of the pages are, by their endings. */
const types: Readonly<Record<string, string>> = {
  mjs: 'text/javascript',
  css: 'text/css',
  woff2: 'font/woff2',
};

/**
 * Answers a request for a page, which is empty but for its styles, or for one of the files of the pages. The page's script is
 * `/NAME.mjs`, a module.
 *
 * @param name the page, as its folder in `src/webview` is called.
 * @returns whether it was one.
 */
export async function answerFromBuild(route: Route, name: string): Promise<boolean> {
  const { origin, pathname } = new URL(route.request().url());
  if (origin !== pageOrigin) {
    return false;
  }
  if (pathname === '/') {
    const styles = ['allPages', name].map((file) => `<link rel="stylesheet" href="/${file}.css">`).join('');
    const body = `<!DOCTYPE html><html data-shows="${name}">${styles}<body class="vscode-light"></body>`;
    await route.fulfill({ contentType: 'text/html', body });
    return true;
  }
  const contentType = types[/^\/[\w-]+\.(\w+)$/.exec(pathname)?.[1] ?? ''];
  if (contentType === undefined) {
    return false;
  }
  await route.fulfill({ body: await readFile(path.join(root, 'dist/webview', pathname)), contentType });
  return true;
}
