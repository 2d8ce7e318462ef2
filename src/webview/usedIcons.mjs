import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import subsetFont from 'subset-font';

/** Everything in which a page can name an icon. */
const sources = 'src/webview/**/*.{ts,tsx,css}';

/**
 * Leaves of VS Code's icons those that the pages name: all of them are a font of 120 KB and, in each page, styles of 28 KB.
 * An icon is named as a whole, in quotation marks or after `codicon-`.
 * @type {import('esbuild').Plugin}
 */
export const usedIcons = {
  name: 'used-icons',
  setup(current) {
    current.onLoad({ filter: /codicon\.css$/ }, async ({ path: file }) => {
      const { styles, watchFiles } = await read(file);
      return { contents: styles, loader: 'css', resolveDir: path.dirname(file), watchFiles };
    });
    current.onLoad({ filter: /codicon\.ttf$/ }, async ({ path: file }) => {
      const { styles, watchFiles } = await read(file.replace(/ttf$/, 'css'));
      const characters = [...styles.matchAll(/content: "\\([0-9a-f]+)"/g)]
        .map(([, code]) => String.fromCodePoint(parseInt(code, 16)))
        .join('');
      const contents = await subsetFont(await readFile(file), characters, { targetFormat: 'truetype' });
      return { contents, loader: 'file', watchFiles };
    });
  },
};

/**
 * The names of icons in the text of sources, among other words that stand as they do.
 *
 * @param {string} text
 * @returns {Set<string>}
 * @throws {Error} when only the beginning of a name is there.
 */
export function namedIcons(text) {
  const halfNamed = /codicon-[\w-]+\$\{/.exec(text);
  if (halfNamed) {
    throw new Error(`An icon has to be named as a whole: ${halfNamed[0]}`);
  }
  const names = text.matchAll(/(?:['"`]|codicon-)(?:codicon-)?([a-z][a-z0-9-]+)(?=['"`\s])/g);
  return new Set([...names].map(([, name]) => name));
}

/** The styles of the icons that are named, and the files that name them. */
async function read(styleFile) {
  const watchFiles = globSync(sources).map((file) => path.resolve(file));
  const texts = await Promise.all(watchFiles.map((file) => readFile(file, 'utf8')));
  const text = texts.join('\n');
  const named = namedIcons(text);
  // Styles name an icon by its character where they draw it themselves.
  const drawn = new Set([...text.matchAll(/content: '\\([0-9a-f]{4})'/g)].map(([, code]) => code));
  const styles = (await readFile(styleFile, 'utf8')).replaceAll(
    /^\.codicon-([a-z0-9-]+):before \{ content: "\\([0-9a-f]+)" \}\n/gm,
    (rule, name, code) => (named.has(name) || drawn.has(code) ? rule : ''),
  );
  return { styles, watchFiles };
}
