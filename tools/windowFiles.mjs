/** Makes the files of the window, and of the thread that compares, of the chunks into which esbuild has split their code. */
import { build } from 'esbuild';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** The files that do something when they are loaded, with what does it. The first is the window, the others are threads of its own. */
const entryFiles = { 'window.cjs': 'src/window.ts', 'comparisonWorker.cjs': 'src/git/comparisonWorker.ts' };

/** What a thread and the window both need, and the window not at once: a file that knows nothing of VS Code. */
const sharedWithThread = 'chunks/comparing.cjs';

/** What a thread may need of the window's own file, which it cannot load: it has a copy. There is nothing in these that both would have to share. */
const copied = ['git/repository.ts', 'util/isObject.ts', 'util/lazy.ts', 'util/nextTurn.ts'].map(
  (file) => `src/${file}`,
);

/**
 * What is loaded together, with all that it needs and the ones before it have not: until the first row is there (beside the window itself
 * and the client), for what rows say of reading and of what is not sent, and for the document of a patch.
 */
const together = {
  start: [
    'src/accounts/signIn.ts',
    'src/accounts/signInFile.ts',
    'src/feedback/packedFiles.ts',
    'src/model/keptContent.ts',
    'src/model/model.ts',
    'src/session/openClient.ts',
  ],
  readings: ['src/model/reading/readings.ts'],
  pendingChanges: ['src/model/pending/pendingChanges.ts'],
  patchPanels: ['src/patch/patchPanels.ts'],
};

/** Characters: a chunk that is larger is a file of its own, since most of those who load the others do not need it. */
const largestPart = 20_000;

/** Characters: what a feature loads by and by is a file of its own if it is as much. */
const smallestFeature = 10_000;

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
        const copies = copiesFor(files, metafile);
        await mkdir(path.join(out, 'chunks'), { recursive: true });
        await Promise.all(
          [...files].map(async ([name, chunks]) =>
            writeFile(
              path.join(out, name),
              await join({ name, chunks, copies: copies.get(name) ?? [], texts, places, commonJs }),
            ),
          ),
        );
      });
    },
  };
}

/**
 * The files that are made, with the chunks that each is made of: the first one of the window is the window. What several features need is
 * in a file, with those that need little.
 */
function filesOf({ outputs }) {
  const files = new Map();
  const left = new Map(Object.entries(outputs));
  const put = (name, chunks) => {
    const taken = chunks.filter((chunk) => left.delete(chunk));
    if (taken.length > 0) {
      files.set(name, [...(files.get(name) ?? []), ...taken]);
    }
  };
  const entries = new Map(Object.entries(outputs).map(([chunk, { entryPoint }]) => [entryPoint, chunk]));
  const needed = new Map([...entries].map(([entry, chunk]) => [entry, neededAtOnce(chunk, outputs)]));
  const [[window, root], ...threads] = Object.entries(entryFiles);
  put(window, needed.get(root));
  const putTogether = (name) =>
    put(
      `chunks/${name}.cjs`,
      together[name].flatMap((one) => needed.get(one)),
    );
  putTogether('start');
  for (const [thread, entry] of threads) {
    const [own, ...shared] = needed.get(entry);
    put(thread, [own]);
    put(sharedWithThread, shared);
  }
  Object.keys(together).forEach(putTogether);
  for (const [chunk, output] of [...left]) {
    if (output.bytes > largestPart) {
      put(`chunks/${nameOf(output)}.cjs`, [chunk]);
    }
  }
  const features = Object.groupBy(left.keys(), (chunk) => {
    const users = [...entries.keys()].filter((entry) => needed.get(entry).includes(chunk));
    const names = new Set(users.map((entry) => entry.split('/')[1]));
    return names.size === 1 ? [...names][0] : 'shared';
  });
  for (const [feature, chunks] of Object.entries(features)) {
    const bytes = chunks.reduce((sum, chunk) => sum + outputs[chunk].bytes, 0);
    put(`chunks/${bytes < smallestFeature ? 'shared' : feature}.cjs`, chunks);
  }
  return files;
}

/**
 * The chunks of the window's own file that the files of a thread have a copy of.
 *
 * @throws Error where that has more than `copied`, or VS Code's API, which no thread can load.
 */
function copiesFor(files, { outputs }) {
  const inWindow = [...files.get('window.cjs'), ...files.get('chunks/start.cjs')];
  return new Map(
    [...Object.keys(entryFiles).slice(1), sharedWithThread].map((name) => {
      const needed = new Set(files.get(name).flatMap((chunk) => neededAtOnce(chunk, outputs)));
      const callers = [...needed].filter((chunk) =>
        outputs[chunk].imports.some(({ path: imported }) => imported === 'vscode'),
      );
      if (callers.length > 0) {
        throw new Error(
          `A thread can't load VS Code's API, as ${callers.map((chunk) => nameOf(outputs[chunk])).join(', ')} does.`,
        );
      }
      const copies = inWindow.filter((chunk) => needed.has(chunk));
      const others = copies
        .flatMap((chunk) => Object.keys(outputs[chunk].inputs))
        .filter((input) => !copied.includes(input));
      if (others.length > 0) {
        throw new Error(`The window and ${name} would each have their own ${others.join(', ')}.`);
      }
      return [name, copies];
    }),
  );
}

/** What is most of a chunk: the file that is imported, or the library. */
function nameOf({ entryPoint, inputs }) {
  const [[largest]] = Object.entries(inputs).sort(([, a], [, b]) => b.bytesInOutput - a.bytesInOutput);
  const library = /^.*node_modules\/(?:@[^/]+\/)?([^/]+)/.exec(largest)?.[1];
  return path.parse(entryPoint ?? library ?? largest).name;
}

/** A chunk, the chunks that it imports statically, and those that they do. */
function neededAtOnce(chunk, outputs, found = [chunk]) {
  for (const imported of outputs[chunk].imports) {
    if (imported.kind === 'import-statement' && !imported.external && !found.includes(imported.path)) {
      found.push(imported.path);
      neededAtOnce(imported.path, outputs, found);
    }
  }
  return found;
}

/** The file that each chunk is in, and what gives the chunk there: a value in an entry, elsewhere a function that runs it first. */
function placesOf(files) {
  return new Map(
    [...files].flatMap(([name, chunks]) =>
      chunks.map((chunk, index) => [
        path.basename(chunk),
        { name, member: name in entryFiles ? `c${index}` : `c${index}()` },
      ]),
    ),
  );
}

/** One file of several chunks. */
async function join({ name, chunks: relative, copies, texts, places, commonJs }) {
  const chunks = relative.map((chunk) => path.resolve(chunk));
  const lines = chunks.map((chunk, index) => {
    const file = JSON.stringify(chunk);
    return name in entryFiles
      ? `export * as c${index} from ${file};`
      : `export const c${index} = () => require(${file});`;
  });
  const all = name in entryFiles ? [`export * from ${JSON.stringify(chunks[0])};`, ...lines] : lines;
  const { outputFiles } = await build({
    ...commonJs,
    stdin: { contents: all.join('\n'), resolveDir: path.dirname(chunks[0]) },
    bundle: true,
    write: false,
    external: ['vscode'],
    // It warns of each import of which nothing is taken.
    logLevel: 'error',
    plugins: [inMemory([...chunks, ...copies.map((chunk) => path.resolve(chunk))], texts)],
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
  // Asking for the API takes VS Code a moment, each time; a thread has none.
  const api = code.includes('vscodeApi') ? 'const vscodeApi=require("vscode");' : '';
  return `"use strict";${api}${inTurnsOfTheirOwn(code)}`;
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
