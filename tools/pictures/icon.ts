import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { root } from '../provision.ts';

/**
 * Draws the icon of the package, which must be a PNG, from its SVG. The one that is there has a palette, which makes it a third as large:
 * the package has no room for more.
 */
export async function drawIcon(browser: Browser): Promise<string> {
  const page = await browser.newPage({ viewport: { width: 256, height: 256 } });
  const svg = await readFile(path.join(root, 'media/source/icon.svg'), 'utf8');
  await page.setContent(`<style>body { margin: 0; } svg { display: block; }</style>${svg}`);
  const file = path.join(root, 'media/icon.png');
  await page.screenshot({ path: file, omitBackground: true });
  await page.close();
  return file;
}
