/** The icons that the person's file icon theme gives to files: read from the folder of the extension that has it. */
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { mostIcons, type FileIcon, type FileIcons, type FilesWithIcons } from '../util/fileIcon.ts';
import { membersOf } from '../util/isObject.ts';
import type { ContributedLanguage } from './contributed.ts';

/** Bytes that a theme may have, and one of its fonts or images. */
const largestTheme = 8 * 1024 * 1024;
const largestFont = 2 * 1024 * 1024;
const largestImage = 64 * 1024;

const imageTypes: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.gif': 'image/gif',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
};

type Languages = readonly Pick<ContributedLanguage, 'id' | 'endings' | 'fileNames'>[];

/**
 * See the module.
 *
 * @param themeFile of the active theme.
 * @throws when it can't be read.
 */
export async function fileIcons(
  themeFile: string,
  languages: Languages,
  { paths, kind }: FilesWithIcons,
): Promise<FileIcons> {
  const theme = membersOf(JSON.parse((await readBounded(themeFile, largestTheme)).toString('utf8')));
  const more = { light: 'light', highContrast: 'highContrast', highContrastLight: 'highContrast', dark: '' }[
    kind
  ];
  const parts = [membersOf(theme[more]), theme];
  const files = new Map(
    paths.slice(0, mostIcons).map((file) => [file, definitionOf(file, parts, languages)]),
  );
  const ids = [...new Set([...files.values()].flatMap((id) => id ?? []))];
  const drawn = new Drawn(path.dirname(themeFile), theme);
  for (const id of ids) {
    await drawn.add(id);
  }
  return {
    icons: drawn.icons,
    fonts: drawn.fonts,
    files: Object.fromEntries(
      [...files].flatMap(([file, id]) => {
        const index = drawn.indices.get(id ?? '');
        return index === undefined ? [] : [[file, index]];
      }),
    ),
  };
}

/** The icon of a file by its name, its ending or its language, by what the theme has for the kind of color theme first. */
function definitionOf(
  file: string,
  parts: readonly Record<string, unknown>[],
  languages: Languages,
): string | undefined {
  const lower = file.toLowerCase();
  const name = lower.slice(lower.lastIndexOf('/') + 1);
  const endings = name.split('.').map((_part, index, all) => all.slice(index + 1).join('.'));
  const names = lower.split('/').map((_part, index, all) => all.slice(index).join('/'));
  const wanted: [key: string, names: readonly string[]][] = [
    ['fileNames', names],
    ['fileExtensions', endings.filter((ending) => ending !== '')],
    ['languageIds', languagesOf(name, languages)],
  ];
  for (const [key, candidates] of wanted) {
    for (const candidate of candidates) {
      for (const part of parts) {
        const found = membersOf(part[key])[candidate];
        if (typeof found === 'string') {
          return found;
        }
      }
    }
  }
  const plain = parts.map(({ file: icon }) => icon).find((icon) => typeof icon === 'string');
  return plain;
}

/** The last one that says so counts, as with VS Code; and the longest ending. */
function languagesOf(name: string, languages: Languages): string[] {
  const named = languages.findLast(({ fileNames }) => fileNames.includes(name));
  const ended = languages
    .flatMap(({ id, endings }) =>
      endings.filter((ending) => name.endsWith(ending)).map((ending) => ({ id, ending })),
    )
    .reduceRight<{ id: string; ending: string } | undefined>(
      (best, one) => (best && best.ending.length >= one.ending.length ? best : one),
      undefined,
    );
  return [named?.id, ended?.id].flatMap((id) => id ?? []);
}

/** The icons of a theme that are needed, with the fonts that they are drawn with. */
class Drawn {
  readonly icons: FileIcon[] = [];
  readonly fonts: FileIcons['fonts'] = [];
  readonly indices = new Map<string, number>();
  readonly #folder: string;
  readonly #theme: Record<string, unknown>;
  readonly #fontIndices = new Map<string, number | undefined>();

  constructor(folder: string, theme: Record<string, unknown>) {
    this.#folder = folder;
    this.#theme = theme;
  }

  async add(id: string): Promise<void> {
    const icon = await this.#read(membersOf(membersOf(this.#theme['iconDefinitions'])[id])).catch(
      () => undefined,
    );
    if (icon) {
      this.indices.set(id, this.icons.push(icon) - 1);
    }
  }

  async #read(definition: Record<string, unknown>): Promise<FileIcon | undefined> {
    const { iconPath, fontCharacter, fontColor, fontId } = definition;
    if (typeof iconPath === 'string') {
      const type = imageTypes[path.extname(iconPath).toLowerCase()];
      const content =
        type === undefined ? undefined : await readBounded(path.join(this.#folder, iconPath), largestImage);
      return content && { image: `data:${type};base64,${content.toString('base64')}` };
    }
    const font = typeof fontCharacter === 'string' ? await this.#font(fontId) : undefined;
    return typeof fontCharacter === 'string' && font !== undefined
      ? {
          character: characterOf(fontCharacter),
          font,
          ...(typeof fontColor === 'string' && { color: fontColor }),
        }
      : undefined;
  }

  /** The index of a font; without an id it is the first of the theme. */
  async #font(id: unknown): Promise<number | undefined> {
    const fonts = Array.isArray(this.#theme['fonts']) ? this.#theme['fonts'].map(membersOf) : [];
    const font = typeof id === 'string' ? fonts.find((one) => one['id'] === id) : fonts[0];
    const [source] = Array.isArray(font?.['src']) ? font['src'].map(membersOf) : [];
    const file = source?.['path'];
    if (typeof file !== 'string') {
      return undefined;
    }
    if (!this.#fontIndices.has(file)) {
      const content = await readBounded(path.join(this.#folder, file), largestFont);
      const size = font?.['size'];
      const known = { content: content.toString('base64'), ...(typeof size === 'string' && { size }) };
      this.#fontIndices.set(file, this.fonts.push(known) - 1);
    }
    return this.#fontIndices.get(file);
  }
}

/** Themes write a character as style sheets do, `\E001`, or as it is. */
function characterOf(text: string): string {
  const [, code] = /^\\([0-9a-f]{1,6})$/i.exec(text) ?? [];
  const point = Number.parseInt(code ?? '', 16);
  return code === undefined || point > 0x10_ffff ? text.slice(0, 4) : String.fromCodePoint(point);
}

async function readBounded(file: string, largest: number): Promise<Buffer> {
  const { size } = await stat(file);
  if (size > largest) {
    throw new Error('The file is too large.');
  }
  return readFile(file);
}
