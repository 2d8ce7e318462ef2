/**
 * Writes the pictures of the walkthrough, which are part of the package: as drawings, each a tenth of what photographs in two themes take.
 * They have the colors of the theme of whoever looks at them, their fonts, and every size.
 */
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { say } from '../progress.ts';
import { root } from '../provision.ts';
import { nameColor } from './drawingColors.ts';
import { notePictureNames } from './pictureNames.ts';
import { iconScale, shortPath } from './shortPath.ts';
import { shapesIn, type Part, type Shape } from './shapes.ts';
import type { Clip } from './writePicture.ts';

const icons = path.join(root, 'node_modules/@vscode/codicons');

/** What lies over everything else in VS Code's window. */
const inFront = '.quick-input-widget';

/**
 * Writes a part of a window as SVG: its surfaces, lines, texts and icons. The names that it shows are noted.
 *
 * @param page has the theme of drawings.
 * @throws when there is a color that the theme of drawings doesn't know.
 */
export async function writeDrawing(page: Page, file: string, clip: Clip): Promise<void> {
  const svg = drawing(await shapesOf(page, clip), clip);
  await notePictureNames(page, file, clip);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, svg);
  say(`${path.relative(root, file)}  ${Math.round(svg.length / 1024)} KB`);
}

/** What is in a part of a window, what lies over other things last. */
async function shapesOf(page: Page, clip: Clip): Promise<Shape[]> {
  const shapes = async (body: Locator, part: Part): Promise<Shape[]> => body.evaluate(shapesIn, part);
  const body = page.locator('body');
  const found = await shapes(body, { ...clip, without: inFront });
  const webview = page.locator('iframe.webview.ready:visible');
  const place = await webview.boundingBox();
  if (place) {
    const document = webview.contentFrame().frameLocator('iframe#active-frame').locator('body');
    const [left, top] = [Math.max(clip.x, place.x), Math.max(clip.y, place.y)];
    const inPage = {
      x: left - place.x,
      y: top - place.y,
      width: Math.min(clip.x + clip.width, place.x + place.width) - left,
      height: Math.min(clip.y + clip.height, place.y + place.height) - top,
    };
    const ofPage = await shapes(document, inPage);
    found.push(...ofPage.map((shape) => ({ ...shape, x: shape.x + place.x, y: shape.y + place.y })));
  }
  const front = await page.locator(inFront).boundingBox();
  const isCovered = ({ x, y, width, height }: Shape): boolean =>
    front !== null &&
    x >= front.x &&
    y >= front.y &&
    x + width <= front.x + front.width &&
    y + height <= front.y + front.height;
  return [...found.filter((shape) => !isCovered(shape)), ...(await shapes(body, { ...clip, only: inFront }))];
}

/** The SVG of some shapes. */
function drawing(shapes: readonly Shape[], { x, y, width, height }: Clip): string {
  const used = new Map<string, string>();
  const lines = shapes
    .map((shape) => drawn({ ...shape, x: shape.x - x, y: shape.y - y }, used))
    .filter((line, index, all) => line !== '' && line !== all[index - 1]);
  const [w, h] = [rounded(width), rounded(height)];
  return [
    // Attributes alone: VS Code lets a drawing have no style sheet.
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${h}" fill="var(--vscode-foreground)" font-family="var(--vscode-font-family)">`,
    `<clipPath id="frame"><rect width="${w}" height="${h}" rx="8"/></clipPath>`,
    ...used.values(),
    '<g clip-path="url(#frame)">',
    ...lines,
    '</g>',
    `<rect x=".5" y=".5" width="${rounded(width - 1)}" height="${rounded(height - 1)}" rx="7.5" fill="none" stroke="var(--vscode-contrastBorder,var(--vscode-widget-border))"/>`,
    '</svg>',
    '',
  ].join('\n');
}

/** One shape. @param used the icons that are drawn, by name, to which its own is added. */
function drawn(shape: Shape, used: Map<string, string>): string {
  const { kind, x, y, width, height } = shape;
  const { color, alpha } = nameColor(shape.color);
  const opacity = alpha * shape.opacity;
  const paint = opacity < 0.995 ? ` opacity="${opacity.toFixed(2).replace(/^0/, '')}"` : '';
  const at = `x="${rounded(x)}" y="${rounded(y)}"`;
  const size = `width="${rounded(width)}" height="${rounded(height)}"`;
  const radius = shape.radius > 0 ? ` rx="${rounded(shape.radius)}"` : '';
  const turn =
    shape.turned === 0
      ? ''
      : ` transform="rotate(${shape.turned} ${rounded(x + width / 2)} ${rounded(y + height / 2)})"`;
  if (kind === 'surface') {
    return `<rect ${at} ${size}${radius}${turn} fill="${orNone(color)}"${paint}/>`;
  }
  if (kind === 'frame') {
    const dashes = shape.look === 'dashed' ? ' stroke-width="2" stroke-dasharray="5 3"' : '';
    return `<rect ${at} ${size}${radius} fill="none" stroke="${orNone(color)}"${dashes}${paint}/>`;
  }
  if (kind === 'icon') {
    const name = shape.text === '' ? ownIcon : iconNames.get(shape.text.codePointAt(0) ?? 0);
    if (name === undefined) {
      return '';
    }
    if (!used.has(name)) {
      used.set(name, name === ownIcon ? ownSymbol() : symbolOf(name));
    }
    return `<use href="#${name}" ${at} ${size}${turn} fill="${color}"${paint}/>`;
  }
  const look = [
    ...(shape.look.includes('m') ? [' font-family="var(--vscode-editor-font-family)"'] : []),
    ...(shape.look.includes('b') ? [' font-weight="600"'] : []),
    ...(shape.look.includes('i') ? [' font-style="italic"'] : []),
    ...(shape.look.includes('u') ? [' text-decoration="underline"'] : []),
  ].join('');
  // Whatever the font, it takes the place that it has.
  const fit = shape.text.length > 1 ? ` textLength="${rounded(width)}" lengthAdjust="spacingAndGlyphs"` : '';
  const escaped = shape.text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text ${at} font-size="${rounded(height)}"${fit}${look} fill="${color}"${paint}>${escaped}</text>`;
}

/** A theme need not have every color: what would be seen behind something then isn't there. */
function orNone(color: string): string {
  return color.replace(/^(var\(--[\w-]+)\)$/, '$1,none)');
}

function rounded(value: number): string {
  return String(Math.round(value * 2) / 2);
}

/** That of the tabs of patches. */
const ownIcon = 'patch';

function ownSymbol(): string {
  const svg = readFileSync(path.join(root, 'media/patch-light.svg'), 'utf8');
  const paths = [...svg.matchAll(/<path[^>]*\/>/g)].join('');
  return `<symbol id="${ownIcon}" viewBox="0 0 24 24"><g fill="none" stroke="var(--vscode-icon-foreground)" stroke-width="1.5">${paths}</g></symbol>`;
}

/** The name of each icon, by the character that it has in the font. */
const iconNames = new Map(
  Object.entries(
    JSON.parse(readFileSync(path.join(icons, 'src/template/mapping.json'), 'utf8')) as Record<
      string,
      string[]
    >,
  ).flatMap(([code, names]) => {
    const name = names.find((one) => existsSync(path.join(icons, `src/icons/${one}.svg`)));
    return name === undefined ? [] : [[Number(code), name] as const];
  }),
);

function symbolOf(name: string): string {
  const svg = readFileSync(path.join(icons, `src/icons/${name}.svg`), 'utf8');
  const whole = [...svg.matchAll(/<path[^>]*? d="([^"]*)"/g)].map(([, d = '']) => d).join('');
  const size = 16 * iconScale;
  return `<symbol id="${name}" viewBox="0 0 ${size} ${size}"><path d="${shortPath(whole)}"/></symbol>`;
}
