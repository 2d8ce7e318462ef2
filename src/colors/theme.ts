/** Reads the colors that a theme gives to code, with what the person has changed in them. */
import path from 'node:path';
import { parse } from 'jsonc-parser';
import textmate, { type IRawTheme } from 'vscode-textmate';
import type { ThemeName } from '../util/coloring.ts';
import { membersOf } from '../util/isObject.ts';
import type { Contributed, ContributedTheme } from './contributed.ts';

/** Colors and font styles by the scopes that they are for. */
type Rules = IRawTheme['settings'];

/** The person's settings `editor.tokenColorCustomizations` and `workbench.colorCustomizations`, which they write as they like. */
export interface Customizations {
  tokens: unknown;
  colors: unknown;
}

interface ThemeFile {
  colors: Readonly<Record<string, unknown>>;
  rules: Rules;
}

const emptyTheme: ThemeFile = { colors: {}, rules: [] };

type ReadText = (file: string) => Promise<string>;

/** Files that include each other, at most. */
const mostIncludes = 10;

const bases: Readonly<Record<ThemeName['kind'], string>> = {
  light: 'vs',
  dark: 'vs-dark',
  highContrast: 'hc-black',
  highContrastLight: 'hc-light',
};

/** The color of code that a theme says nothing of, as VS Code has it. */
const plainColors: Readonly<Record<ThemeName['kind'], string>> = {
  light: '#333333',
  dark: '#bbbbbb',
  highContrast: '#ffffff',
  highContrastLight: '#292929',
};

/**
 * The theme as the highlighter takes it; the first rule has the color of the text.
 *
 * @throws when its file can't be read.
 */
export async function readTheme(
  name: ThemeName,
  { themes }: Contributed,
  customizations: Customizations,
  read: ReadText,
): Promise<IRawTheme> {
  const theme = themes.find(({ id }) => id === name.id) ?? defaultTheme(name, themes);
  const { colors, rules } = theme ? await readThemeFile(theme.file, read) : emptyTheme;
  const plain =
    plainColorIn(ofTheme(customizations.colors, name.id)) ?? plainColorIn([colors]) ?? plainColors[name.kind];
  return {
    name: name.id,
    settings: [{ settings: { foreground: plain } }, ...rules, ...customRules(customizations.tokens, name.id)],
  };
}

/** A theme that VS Code brings: the one of the window may be where this computer can't read it. */
function defaultTheme(
  { kind }: ThemeName,
  themes: readonly ContributedTheme[],
): ContributedTheme | undefined {
  return themes.find(({ base, isDefault }) => isDefault && base === bases[kind]);
}

function plainColorIn(all: readonly Readonly<Record<string, unknown>>[]): string | undefined {
  const color = all.findLast((one) => typeof one['editor.foreground'] === 'string')?.['editor.foreground'];
  return typeof color === 'string' ? color : undefined;
}

async function readThemeFile(file: string, read: ReadText, depth = 0): Promise<ThemeFile> {
  const text = await read(file);
  // The highlighter's reader of property lists takes whatever they hold.
  const content: unknown = isJson(file) ? parse(text) : textmate.parseRawGrammar(text, `${file}.plist`);
  const { include, colors, tokenColors, settings } = membersOf(content);
  const from = (other: string): string => path.join(path.dirname(file), other);
  const included =
    typeof include === 'string' && depth < mostIncludes
      ? await readThemeFile(from(include), read, depth + 1)
      : emptyTheme;
  const own =
    typeof tokenColors === 'string' && depth < mostIncludes
      ? (await readThemeFile(from(tokenColors), read, depth + 1)).rules
      : rulesIn(tokenColors ?? settings);
  return { colors: { ...included.colors, ...membersOf(colors) }, rules: [...included.rules, ...own] };
}

function isJson(file: string): boolean {
  return file.toLowerCase().endsWith('.json');
}

/** Scopes of the groups that a person can give a color to by one word. */
const groups: Readonly<Record<string, string[]>> = {
  comments: ['comment', 'punctuation.definition.comment'],
  strings: ['string', 'meta.embedded.assembly'],
  keywords: ['keyword - keyword.operator', 'keyword.control', 'storage', 'storage.type'],
  numbers: ['constant.numeric'],
  types: ['entity.name.type', 'entity.name.class', 'support.type', 'support.class'],
  functions: ['entity.name.function', 'support.function'],
  variables: ['variable', 'entity.name.variable'],
};

function customRules(customizations: unknown, theme: string): Rules {
  return ofTheme(customizations, theme).flatMap((chosen) => [
    ...Object.entries(groups).flatMap(([group, scope]): Rules => {
      const value = chosen[group];
      const settings = typeof value === 'string' ? { foreground: value } : value;
      return settings === undefined ? [] : rulesIn([{ scope, settings }]);
    }),
    ...rulesIn(chosen['textMateRules']),
  ]);
}

/** A person's choices for all themes, and those for this one: `[Name]`, `[Na*]`, or several of them. */
function ofTheme(customizations: unknown, theme: string): Readonly<Record<string, unknown>>[] {
  const all = membersOf(customizations);
  return [
    all,
    ...Object.entries(all).flatMap(([key, value]) =>
      key.startsWith('[') &&
      key.endsWith(']') &&
      key
        .slice(1, -1)
        .split('][')
        .some((name) => isLike(theme, name))
        ? [membersOf(value)]
        : [],
    ),
  ];
}

/** True for a name that fits a pattern in which a star stands for anything. */
function isLike(name: string, pattern: string): boolean {
  const [start = '', ...parts] = pattern.split('*');
  const end = parts.pop();
  if (end === undefined) {
    return name === start;
  }
  let at = start.length;
  for (const part of parts) {
    const found = name.indexOf(part, at);
    if (found < 0) {
      return false;
    }
    at = found + part.length;
  }
  return name.startsWith(start) && name.endsWith(end) && name.length - end.length >= at;
}

function rulesIn(value: unknown): Rules {
  return (Array.isArray(value) ? value : []).flatMap((rule): Rules => {
    const { scope, settings } = membersOf(rule);
    const { foreground, fontStyle } = membersOf(settings);
    const scopes =
      typeof scope === 'string' || (Array.isArray(scope) && scope.every((one) => typeof one === 'string'))
        ? scope
        : undefined;
    // Without a scope it is about the text itself, of which the page knows.
    return scopes === undefined
      ? []
      : [
          {
            scope: scopes,
            settings: {
              ...(typeof foreground === 'string' && { foreground }),
              ...(typeof fontStyle === 'string' && { fontStyle }),
            },
          },
        ];
  });
}
