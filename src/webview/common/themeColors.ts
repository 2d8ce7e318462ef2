/** Code of the page in the colors of the window's theme, which the extension host knows. */
import type { CodeToColor, ColoredCode, ThemeName, TokenStyle } from '../../util/coloring.ts';
import { over, readableOn, readColor } from './contrast.ts';
import { Store } from './store.ts';
import type { Token } from './tokens.ts';

type Ask = (code: CodeToColor) => Promise<ColoredCode | null>;

/** Counts the times that everything is to be colored anew. */
export const coloring = new Store({ version: 0 });

let askHost: Ask | undefined;

/** Has code colored from now on, and anew whenever the window has another theme. */
export function colorCodeBy(ask: Ask): void {
  askHost = ask;
  let theme = JSON.stringify(themeOfPage());
  new MutationObserver(() => {
    const now = JSON.stringify(themeOfPage());
    if (now !== theme) {
      theme = now;
      colorAnew();
    }
  }).observe(document.body, { attributeFilter: ['class', 'data-vscode-theme-id', 'data-vscode-theme-kind'] });
}

/** Has everything colored anew. */
export function colorAnew(): void {
  classes.clear();
  sheet?.replaceSync('');
  coloring.update({ version: coloring.value.version + 1 });
}

/** The tokens of lines of code; undefined when nothing is known of their colors. */
export async function colorLines(
  name: CodeToColor['name'],
  lines: string[],
  isStart: boolean,
): Promise<Token[][] | undefined> {
  // A host that is gone answers nothing: code can be read without.
  const colored = await askHost?.({ name, theme: themeOfPage(), lines, isStart }).catch(() => null);
  if (!colored) {
    return undefined;
  }
  const classes = colored.styles.map(classOf);
  return lines.map((line, index) => tokensOf(line, colored.lines[index] ?? [], classes));
}

function tokensOf(line: string, lengthsAndStyles: readonly number[], classes: readonly string[]): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (let index = 0; index < lengthsAndStyles.length; index += 2) {
    const end = at + (lengthsAndStyles[index] ?? 0);
    const className = classes[(lengthsAndStyles[index + 1] ?? 0) - 1];
    tokens.push({ text: line.slice(at, end), ...(className !== undefined && { className }) });
    at = end;
  }
  if (at < line.length) {
    tokens.push({ text: line.slice(at) });
  }
  return tokens;
}

/** The color theme of the window. */
export function themeOfPage(): ThemeName {
  const { classList, dataset } = document.body;
  return {
    id: dataset['vscodeThemeId'] ?? '',
    kind: classList.contains('vscode-high-contrast-light')
      ? 'highContrastLight'
      : classList.contains('vscode-high-contrast')
        ? 'highContrast'
        : classList.contains('vscode-light')
          ? 'light'
          : 'dark',
  };
}

/** The looks that there were with this theme so far, each with a class. */
const classes = new Map<string, string>();

let sheet: CSSStyleSheet | undefined;

function classOf(style: TokenStyle): string {
  const key = JSON.stringify(style);
  const known = classes.get(key);
  if (known !== undefined) {
    return known;
  }
  const name = `tok-${classes.size}`;
  classes.set(key, name);
  if (!sheet) {
    sheet = new CSSStyleSheet();
    document.adoptedStyleSheets.push(sheet);
  }
  const rule = addRule(sheet, `.${name}`);
  const lines = [style.underline && 'underline', style.strikethrough && 'line-through'].filter(Boolean);
  // A style sheet refuses what is no value of the property.
  rule.setProperty('color', style.color ?? null);
  rule.setProperty('font-style', style.italic ? 'italic' : null);
  rule.setProperty('font-weight', style.bold ? 'bold' : null);
  rule.setProperty('text-decoration', lines.length > 0 ? lines.join(' ') : null);
  addReadable(sheet, name, style.color);
  return name;
}

function addRule(to: CSSStyleSheet, selector: string): CSSStyleDeclaration {
  return (to.cssRules[to.insertRule(`${selector} {}`)] as CSSStyleRule).style;
}

/** Backgrounds of code that the editor's own colors were not made for, each with what may lie on it, by the names of VS Code. */
const backgrounds = {
  '[data-line-type="add"]': ['diffEditor-insertedLineBackground', 'diffEditor-insertedTextBackground'],
  '[data-line-type="delete"]': ['diffEditor-removedLineBackground', 'diffEditor-removedTextBackground'],
  pre: ['textCodeBlock-background'],
};

/** Has a color stand out from what is behind it there, where it would not. */
function addReadable(to: CSSStyleSheet, name: string, color: string | undefined): void {
  const page = getComputedStyle(document.documentElement);
  const named = (variable: string): ReturnType<typeof readColor> =>
    readColor(page.getPropertyValue(`--vscode-${variable}`));
  const own = color === undefined ? undefined : readColor(color);
  const editor = named('editor-background');
  if (!own || !editor) {
    return;
  }
  for (const [selector, layers] of Object.entries(backgrounds)) {
    let behind = editor;
    const all = layers.flatMap((layer) => {
      const found = named(layer);
      behind = found ? over(found, behind) : behind;
      return found ? [behind] : [];
    });
    const readable = readableOn(own, all);
    if (readable !== own) {
      const [red, green, blue] = readable.map(Math.round);
      addRule(to, `${selector} .${name}`).setProperty('color', `rgb(${red}, ${green}, ${blue})`);
    }
  }
}
