/** The names that the pictures of the project show: kept beside them, so that a test notices one that the product has no more. */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { format, resolveConfig } from 'prettier';
import { root } from '../provision.ts';
import type { Clip } from './writePicture.ts';

/** The names that each picture shows, by its file without the theme: `screenshots/patch`. */
export type PictureNames = Readonly<Record<string, readonly string[]>>;

const file = path.join(root, 'media/pictureNames.json');

export function readPictureNames(): PictureNames {
  return JSON.parse(readFileSync(file, 'utf8')) as PictureNames;
}

/** The key of a picture in `PictureNames`, whichever theme it is in. @param picture its path in `media`. */
export function keyOfPicture(picture: string): string {
  return picture.replaceAll('\\', '/').replace(/(?:-(?:light|dark))?\.(?:webp|svg)$/, '');
}

/**
 * Everything that the product says on screen, in English, with its placeholders: the texts of the code and those of the manifest, which VS Code
 * also shows with the name of the extension in front of them.
 */
export function productTexts(): ReadonlySet<string> {
  const texts = (name: string): Record<string, string> =>
    JSON.parse(readFileSync(path.join(root, name), 'utf8')) as Record<string, string>;
  const ofManifest = texts('package.nls.json');
  const product = ofManifest['extension.displayName'] ?? '';
  return new Set([
    ...Object.keys(texts('l10n/bundle.l10n.de.json')),
    ...Object.values(ofManifest),
    ...Object.values(ofManifest).map((text) => `${product}: ${text}`),
  ]);
}

/**
 * Finds which of the product's texts were on screen.
 *
 * @param seen what was on screen, also what others wrote: of that there is nothing in the answer.
 * @param texts see `productTexts`.
 */
export function namesAmong(seen: Iterable<string>, texts: ReadonlySet<string>): string[] {
  const withValues = [...texts]
    .filter((text) => /\{\d\}/.test(text))
    .map((text) => {
      const parts = text.split(/\{\d\}/);
      const escaped = parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
      const letters = parts.join('').replaceAll(/\W/g, '').length;
      return { text, letters, pattern: new RegExp(`^${escaped.join('.+')}$`, 's') };
    })
    // The one that leaves least to its values says most; one that leaves them nearly everything fits whatever others wrote.
    .sort((one, other) => other.letters - one.letters);
  const names = new Set<string>();
  for (const whole of seen) {
    // A row of the view says several things.
    const parts = texts.has(whole) ? [whole] : [whole, ...whole.split(/ · |: |, /)];
    for (const part of parts.map((text) => text.trim())) {
      const name = texts.has(part)
        ? part
        : withValues.find(({ letters, pattern }) => letters > part.length / 3 && pattern.test(part))?.text;
      if (name !== undefined) {
        names.add(name);
      }
    }
  }
  return [...names].sort();
}

/** Notes the names that a picture shows. @param picture its path. @param clip the part of the page that it shows. */
export async function notePictureNames(page: Page, picture: string, clip?: Clip): Promise<void> {
  const shown = clip ?? { x: 0, y: 0, ...(page.viewportSize() ?? { width: 0, height: 0 }) };
  const seen = await page.locator('body').evaluate(textsIn, shown);
  const webview = page.locator('iframe.webview.ready:visible');
  const place = await webview.boundingBox();
  if (place) {
    const inPage = { ...shown, x: shown.x - place.x, y: shown.y - place.y };
    const document = webview.contentFrame().frameLocator('iframe#active-frame');
    seen.push(...(await document.locator('body').evaluate(textsIn, inPage)));
  }
  const names = {
    ...readPictureNames(),
    [keyOfPicture(path.relative(path.join(root, 'media'), picture))]: namesAmong(seen, productTexts()),
  };
  const sorted = Object.fromEntries(Object.entries(names).sort(([a], [b]) => (a < b ? -1 : 1)));
  await writeFile(
    file,
    await format(JSON.stringify(sorted), { ...(await resolveConfig(file)), filepath: file }),
  );
}

/** Runs in a page: the texts of which a line has its middle in a part of it, each by itself and with what is beside it. */
function textsIn(body: Element, part: { x: number; y: number; width: number; height: number }): string[] {
  const texts = new Set<string>();
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { parentElement: parent } = node;
    range.selectNodeContents(node);
    const isSeen = [...range.getClientRects()].some((box) => {
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      const isInPart = x > part.x && y > part.y && x < part.x + part.width && y < part.y + part.height;
      // Something else may lie over it, or the place where it would be is not scrolled to.
      const top = isInPart ? document.elementFromPoint(x, y) : null;
      return top !== null && (top.contains(node) || parent?.contains(top) === true);
    });
    // What is for screen readers alone stands in an element of one pixel.
    if (parent && isSeen && parent.getBoundingClientRect().width > 1) {
      for (const text of [node.textContent, parent.textContent, parent.parentElement?.textContent]) {
        if (text && text.length < 200) {
          texts.add(text.replaceAll(/\s+/g, ' ').trim());
        }
      }
    }
  }
  return [...texts];
}
