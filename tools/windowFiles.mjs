/** Makes the files of the window of the chunks into which esbuild has split its code. */
import { build } from 'esbuild';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** What is loaded before the first row is there, beside the window itself and the client. */
const untilFirstRow = [
  'src/accounts/signIn.ts',
  'src/accounts/signInFile.ts',
  'src/feedback/packedFiles.ts',
  'src/model/keptContent.ts',
  'src/model/model.ts',
  'src/session/openClient.ts',
];

/** Characters: a chunk that is larger is a file of its own, since most of those who load the others do not need it. */
const largestPart = 20_000;

/**
 * esbuild splits code only for ECMAScript modules, and VS Code loads CommonJS extensions fastest: so the window is bundled as modules
 * with a chunk for each dynamic import, and the chunks are then joined into a few files of CommonJS. VS Code takes most of a
 * millisecond to find and load a file, and an archive makes little smaller what is small already. In the file of the window is what
 * it needs at once. In the others nothing runs before it is asked for.
 *
 * @param {string} out the folder that is built into.
 * @param {import('esbuild').BuildOptions} commonJs how those files are written.
 * @returns {import('esbuild').Plugin}
 */
export function windowFiles(out, commonJs) {
  return {
    name: 'window-files',
    setup(current) {
      current.initialOptions.write = false;
      current.initialOptions.metafile = true;
      current.onEnd(async ({ outputFiles = [], metafile, errors }) => {
        if (errors.length > 0 || metafile === undefined) {
          return;
        }
        const texts = new Map(outputFiles.map(({ path: file, text }) => [file, text]));
        const files = filesOf(metafile);
        const places = placesOf(files);
        await mkdir(path.join(out, 'chunks'), { recursive: true });
        await Promise.all(
          [...files].map(async ([name, chunks]) =>
            writeFile(path.join(out, name), await join({ name, chunks, texts, places, commonJs })),
          ),
        );
      });
    },
  };
}

/** The files that are made, with the chunks that each is made of: the first one of the window is the window. */
function filesOf(metafile) {
  const chunks = Object.entries(metafile.outputs).map(([file, { bytes, entryPoint }]) => ({
    file: path.resolve(file),
    bytes,
    entryPoint,
  }));
  const withAllItNeeds = ({ file }) => [file, ...neededAtOnce(file, metafile)];
  const window = withAllItNeeds(chunks.find(({ entryPoint }) => entryPoint === 'src/window.ts'));
  const start = chunks
    .filter(({ entryPoint }) => untilFirstRow.includes(entryPoint))
    .flatMap(withAllItNeeds)
    .filter((file) => !window.includes(file));
  const files = new Map([
    ['window.cjs', window],
    ['chunks/start.cjs', [...new Set(start)]],
    ['chunks/later.cjs', []],
  ]);
  for (const { file, bytes, entryPoint } of chunks) {
    if (!window.includes(file) && !start.includes(file)) {
      const isApart = bytes > largestPart && entryPoint !== undefined;
      const name = `chunks/${isApart ? path.basename(entryPoint, '.ts') : 'later'}.cjs`;
      files.set(name, [...(files.get(name) ?? []), file]);
    }
  }
  return files;
}

/** The files that a file imports statically, and those that they do. */
function neededAtOnce(file, { outputs }, found = []) {
  for (const imported of outputs[path.relative('.', file)].imports) {
    const target = path.resolve(imported.path);
    if (imported.kind === 'import-statement' && !imported.external && !found.includes(target)) {
      found.push(target);
      neededAtOnce(target, { outputs }, found);
    }
  }
  return found;
}

/** The file that each chunk is in, and what gives the chunk there: a value in the window, elsewhere a function that runs it first. */
function placesOf(files) {
  return new Map(
    [...files].flatMap(([name, chunks]) =>
      chunks.map((chunk, index) => [
        path.basename(chunk),
        { name, member: name === 'window.cjs' ? `c${index}` : `c${index}()` },
      ]),
    ),
  );
}

/** One file of several chunks. */
async function join({ name, chunks, texts, places, commonJs }) {
  const lines = chunks.map((chunk, index) => {
    const file = JSON.stringify(chunk);
    return name === 'window.cjs'
      ? `export * as c${index} from ${file};`
      : `export const c${index} = () => require(${file});`;
  });
  const all = name === 'window.cjs' ? [`export * from ${JSON.stringify(chunks[0])};`, ...lines] : lines;
  const { outputFiles } = await build({
    ...commonJs,
    stdin: { contents: all.join('\n'), resolveDir: path.dirname(chunks[0]) },
    bundle: true,
    write: false,
    external: ['vscode'],
    // It warns of each import of which nothing is taken.
    logLevel: 'error',
    plugins: [inMemory(chunks, texts)],
  });
  const folder = path.dirname(name);
  const code = withoutCopies(outputFiles[0].text)
    .replaceAll(/require\(["']vscode["']\)/g, 'vscodeApi')
    .replaceAll(/require\(["']chunk:([^"']*)["']\)/g, (_all, chunk) => {
      const place = places.get(chunk) ?? { name: `chunks/${chunk.replace(/mjs$/, 'cjs')}` };
      const file = path.posix.relative(folder, place.name);
      const loaded = `require("${file.startsWith('.') ? '' : './'}${file}")`;
      return place.member === undefined ? loaded : `${loaded}.${place.member}`;
    });
  // Asking for the API takes VS Code a moment, each time.
  return `"use strict";const vscodeApi=require("vscode");${inTurnsOfTheirOwn(code)}`;
}

/**
 * Gives the chunks of a file to esbuild, which leaves alone what is in other files. A chunk is not run because of one that takes nothing
 * of it: nothing in the window is imported for what it does by being loaded (test/unit/structure.test.ts).
 */
function inMemory(chunks, texts) {
  return {
    name: 'in-memory',
    setup(current) {
      current.onResolve({ filter: /\.mjs$/ }, ({ path: specifier, resolveDir }) => {
        const file = path.resolve(resolveDir, specifier);
        return chunks.includes(file)
          ? { path: file, namespace: 'memory', sideEffects: false }
          : { path: `chunk:${path.basename(file)}`, external: true, sideEffects: false };
      });
      current.onLoad({ filter: /./, namespace: 'memory' }, ({ path: file }) => ({
        contents: texts.get(file) ?? '',
        resolveDir: path.dirname(file),
      }));
    },
  };
}

/**
 * Loads what is imported later in a turn of the event loop of its own: several files that need each other would be read, parsed
 * and run in one, for as long as which no other extension does anything.
 */
function inTurnsOfTheirOwn(code) {
  return code.replaceAll(
    /Promise\.resolve\(\)\.then\((?=\(\) ?=> ?(?:(?:[\w$]+\()?require\(|\([\w$]+\(\), ?[\w$]+\)))/g,
    'new Promise(setImmediate).then(',
  );
}

/**
 * Takes VS Code's API and the chunks of other files as they are: esbuild would make a copy for every module that imports them, as it
 * does for any module that may have a default export, and those copies took more time and memory than the rest of the start.
 */
function withoutCopies(code) {
  return code.replaceAll(
    /[\w$]+\((require\(["'](?:vscode|chunk:(?!ignore\.)[^"']+)["']\))(?:, ?1)?\)/g,
    '$1',
  );
}
