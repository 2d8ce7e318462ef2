import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import subsetFont from 'subset-font';

/** Everything in which a page can name an icon. */
const sources = 'src/webview/**/*.{ts,tsx,css}';

/**
 * Leaves of VS Code's icons those that the pages name: all of them are a font of 120 KB and, in each page, styles of 28 KB.
 * An icon is named as a whole, in quotation marks or after `codicon-`, or drawn by its character.
 * @type {import('esbuild').Plugin}
 */
export const usedIcons = {
  name: 'used-icons',
  setup(current) {
    current.onLoad({ filter: /codicon\.css$/ }, async ({ path: file }) => {
      const { styles, watchFiles } = await read(file);
      return { contents: styles, loader: 'css', resolveDir: path.dirname(file), watchFiles };
    });
    current.onResolve({ filter: /codicon\.ttf/ }, ({ resolveDir }) => ({
      path: path.join(resolveDir, 'codicon.woff2'),
    }));
    current.onLoad({ filter: /codicon\.woff2$/ }, async ({ path: file }) => {
      const { styles, watchFiles } = await read(file.replace(/woff2$/, 'css'));
      const characters = [...styles.matchAll(/content: "\\([0-9a-f]+)"/g)]
        .map(([, code]) => String.fromCodePoint(parseInt(code, 16)))
        .join('');
      const contents = await subsetFont(await readFile(file.replace(/woff2$/, 'ttf')), characters, {
        targetFormat: 'woff2',
      });
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
  const names = text.matchAll(
    /['"`](?:codicon-)?([a-z][a-z0-9-]+)(?=['"`\s])|codicon-([a-z][a-z0-9-]+)(?![\w$-])/g,
  );
  return new Set([...names].map(([, quoted, ofClass]) => quoted ?? ofClass));
}

/**
 * The characters in the text of sources that can be those of icons: styles draw some icons themselves.
 *
 * @param {string} text
 * @returns {Set<number>}
 */
export function drawnCharacters(text) {
  const escaped = [...text.matchAll(/\\u?\{?0*([ef][0-9a-f]{3})(?![0-9a-f])/gi)].map(([, code]) =>
    parseInt(code, 16),
  );
  const literal = [...text.matchAll(/[\u{e000}-\u{f8ff}]/gu)].map(([character]) => character.codePointAt(0));
  return new Set([...escaped, ...literal]);
}

/** The styles of the icons that are named, and the files that name them. */
async function read(styleFile) {
  const watchFiles = globSync(sources).map((file) => path.resolve(file));
  const texts = await Promise.all(watchFiles.map((file) => readFile(file, 'utf8')));
  const text = texts.join('\n');
  const named = namedIcons(text);
  const drawn = drawnCharacters(text);
  const all = (await readFile(styleFile, 'utf8')).replace('format("truetype")', 'format("woff2")');
  const styles = all.replaceAll(
    /^\.codicon-([a-z0-9-]+):before \{ content: "\\([0-9a-f]+)" \}\n/gm,
    (rule, name, code) => (named.has(name) || drawn.has(parseInt(code, 16)) ? rule : ''),
  );
  return { styles, watchFiles };
}
