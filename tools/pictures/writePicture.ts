/** Writes the pictures that the papers of the project show. */
import { mkdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { say } from '../progress.ts';
import { root } from '../provision.ts';
import { notePictureNames } from './pictureNames.ts';

/** A part of a window, and the scale at which it is written. */
export interface Clip {
  x: number;
  y: number;
  width: number;
  height: number;
  scale: number;
}

/**
 * Writes a picture of a page, or of a part of it, as WebP: a third of what PNG takes, and everything that shows these pictures shows it.
 * The names that it shows are noted.
 */
export async function writePicture(page: Page, file: string, clip?: Clip): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: 85,
    ...(clip && { clip }),
  });
  await session.detach();
  await notePictureNames(page, file, clip);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, Buffer.from(data, 'base64'));
  say(`${path.relative(root, file)}  ${Math.round((await stat(file)).size / 1024)} KB`);
}
