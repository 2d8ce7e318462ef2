/**
 * Builds everything that is generated into dist/, or another folder: the extension host's code, the webviews' code, the notices of
 * the libraries in them and, with --tests, the suite that runs inside an extension host.
 *
 *   node esbuild.mjs [--production] [--tests] [--watch] [--out FOLDER]
 */
import { minify } from '@swc/core';
import { build, context } from 'esbuild';
import { globSync, readFileSync, realpathSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Script } from 'node:vm';
import { brotliCompressSync } from 'node:zlib';
import { bundledLibraries, complaintsAboutDependencies, noticesOf } from './tools/notices.mjs';
import { usedIcons } from './tools/usedIcons.mjs';
import { windowFiles } from './tools/windowFiles.mjs';

const { values } = parseArgs({
  options: {
    production: { type: 'boolean', default: false },
    tests: { type: 'boolean', default: false },
    watch: { type: 'boolean', default: false },
    out: { type: 'string', default: 'dist' },
  },
});
const { production } = values;
/** The folder that is built into. */
const out = path.resolve(values.out);

/** @type {import('esbuild').BuildOptions} */
const common = {
  bundle: true,
  minify: production,
  sourcemap: production ? false : 'linked',
  target: 'node22',
  logLevel: 'warning',
  legalComments: 'none',
  // V8 keeps two bytes for each character of a file that has a single one that needs them.
  charset: 'ascii',
};

/**
 * The way from modules to CommonJS files: a dynamic import becomes a require(), which is what loads a CommonJS chunk.
 * See tools/windowFiles.mjs.
 * @type {import('esbuild').BuildOptions}
 */
const commonJs = {
  format: 'cjs',
  platform: 'node',
  target: 'node22',
  supported: { 'dynamic-import': false },
  minify: production,
  legalComments: 'none',
  charset: 'ascii',
};

/**
 * The entry is bundled by itself, and written as the few statements of CommonJS that it needs: what esbuild would write to
 * be ready for any module takes longer than all that the entry does.
 * @type {import('esbuild').Plugin}
 */
const smallCommonJs = {
  name: 'small-commonjs',
  setup(current) {
    current.initialOptions.write = false;
    current.onResolve({ filter: /^\.\/window\.ts$/ }, () => ({ path: './window.cjs', external: true }));
    current.onEnd(async ({ outputFiles = [] }) => {
      for (const { path: file, text } of outputFiles) {
        const code = text
          // Asking for the API takes VS Code a moment, each time.
          .replaceAll(/import ?\* ?as ([\w$]+) ?from ?["']vscode["'];/g, 'const $1=vscodeApi;')
          .replaceAll(/import\((["'].*?["'])\)/g, 'Promise.resolve().then(()=>require($1))')
          .replace(/export ?\{([^}]*)\};/, (_all, names) => {
            const exported = names.replaceAll(/([\w$]+) as ([\w$]+)/g, '$2:$1');
            return `module.exports={${exported}};`;
          });
        const script = `"use strict";const vscodeApi=require("vscode");${code}`;
        // Refuses whatever else only a module can have.
        new Script(script, { filename: file });
        await mkdir(path.dirname(file), { recursive: true });
        await writeFile(file, script);
      }
    });
  },
};

/** What several programs need of a library, or of a file of ours that needs nothing else: each is a file of its own, in the package once. */
const sharedModules = new Map([
  ['branchBases', path.resolve('src/util/branchBases.ts')],
  ['ignore', 'ignore'],
  ['valibot', 'valibot'],
]);

/**
 * Leaves what is shared in its files: what runs beside the window needs some of the same.
 * @param {string} folder where those files are, as the files that are built name it.
 * @param {string} ending that of their names.
 * @returns {import('esbuild').Plugin}
 */
function shared(folder, ending = '.cjs') {
  return {
    name: 'shared',
    setup(current) {
      current.onResolve({ filter: /./ }, ({ kind, path: wanted, resolveDir }) => {
        const module = wanted.startsWith('.') ? path.resolve(resolveDir, wanted) : wanted;
        const found = [...sharedModules].find(([, one]) => kind !== 'entry-point' && one === module);
        return found && { path: `${folder}${found[0]}${ending}`, external: true };
      });
    },
  };
}

/**
 * What the programs take of Valibot, which is many functions: a file that several programs load can't tell what each of them takes.
 * @returns {Promise<string>} a module with that, and nothing else.
 */
async function takenOfValibot() {
  const texts = globSync('src/**/*.{ts,tsx}').map((file) => readFileSync(file, 'utf8'));
  const users = texts.filter((text) => text.includes("from 'valibot'"));
  if (users.some((text) => !/^import (?:type )?\* as v from 'valibot';$/m.test(text))) {
    throw new Error('Valibot is imported as v: that is how it is found what is taken of it.');
  }
  const named = new Set(users.flatMap((text) => [...text.matchAll(/\bv\.(\w+)/g)].map(([, name]) => name)));
  const taken = Object.keys(await import('valibot')).filter((name) => named.has(name));
  return `export { ${taken.join(', ')} } from 'valibot';`;
}

/**
 * undici brings its parser of HTTP twice: for processors that work on several bytes at once, and for all. What services answer
 * has short headers, on which the one is no faster than the other.
 * @type {import('esbuild').Plugin}
 */
const oneHttpParser = {
  name: 'one-http-parser',
  setup(current) {
    current.onResolve({ filter: /\/llhttp_simd-wasm\.js$/ }, ({ path: file, resolveDir }) => ({
      path: path.resolve(resolveDir, file.replace('_simd', '')),
    }));
  },
};

/**
 * undici carries that parser as base64, of which an archive finds little to make smaller: packed beforehand it is half of that.
 * @type {import('esbuild').Plugin}
 */
const packedHttpParser = {
  name: 'packed-http-parser',
  setup(current) {
    current.onLoad({ filter: /[\\/]llhttp-wasm\.js$/ }, async ({ path: file }) => {
      const text = await readFile(file, 'utf8');
      const packed = text
        .replace(/Buffer\.from\(wasmBase64, 'base64'\)/, "require('node:zlib').brotliDecompressSync($&)")
        .replace(/(?<=wasmBase64 = ')[^']+/, (base64) =>
          brotliCompressSync(Buffer.from(base64, 'base64')).toString('base64'),
        );
      return { contents: packed };
    });
  },
};

/**
 * Of all that undici says of the parser's protocol it asks for errors and for the kind of a message.
 * @type {import('esbuild').Plugin}
 */
const usedConstants = {
  name: 'used-constants',
  setup(current) {
    current.onLoad({ filter: /[\\/]llhttp[\\/]constants\.js$/ }, async ({ path: file }) => {
      const text = await readFile(file, 'utf8');
      const used = [...text.matchAll(/^exports\.(?:ERROR|TYPE) = \{[^}]*\};/gm)];
      return { contents: used.join('\n') };
    });
  },
};

/**
 * The engine of the expressions that grammars are made of, which the thread that colors code unpacks: it is most of what that needs,
 * and packed like this it is a third smaller than an archive makes it.
 * @type {import('esbuild').Plugin}
 */
const packedEngine = {
  name: 'packed-engine',
  setup(current) {
    current.onEnd(async () => {
      const engine = await readFile('node_modules/vscode-oniguruma/release/onig.wasm');
      await mkdir(out, { recursive: true });
      await writeFile(path.join(out, 'onig.wasm.br'), brotliCompressSync(engine));
    });
  },
};

/** Libraries and parts of them that are loaded and that nothing here comes to use, and what stands in their place. */
const unusedLibraries = new Map([
  // sshpk only reads public keys here: it reckons with numbers and curves for private keys and for signatures alone. Nothing asks it for
  // those, nor for fingerprints.
  ...['bcrypt-pbkdf', 'ecc-jsbn', 'ecc-jsbn/lib/ec', 'jsbn', 'tweetnacl'].map((name) => [name, '{}']),
  // Of the forms that a public key can have it is given a single one, which is none of ASN.1.
  ['asn1', '{}'],
  ...['certificate', 'dhe', 'ed-compat', 'fingerprint', 'identity', 'signature'].map((name) => [
    `sshpk/lib/${name}`,
    '{}',
  ]),
  ...['auto', 'dnssec', 'pem', 'pkcs1', 'pkcs8', 'putty', 'ssh', 'ssh-private'].map((name) => [
    `sshpk/lib/formats/${name}`,
    '{}',
  ]),
  // strtok3 says with it what it does when an environment variable of its own asks for that.
  ['debug', '() => () => undefined'],
  // undici reads forms with them that are the body of a request: here, a body is text.
  ...['fetch/body.js', 'fetch/formdata', 'webidl'].map((name) => [`undici/lib/web/${name}`, '{}']),
  // The MCP library checks with it what clients answer when a server asks them something: nothing here does.
  ...['ajv', 'ajv-formats'].map((name) => [name, '{}']),
  // Every schema of Zod brings what makes JSON Schema of it: those of the MCP library are for checking alone.
  ...['to-json-schema', 'json-schema-processors'].map((name) => [
    `zod/v4/core/${name}.js`,
    [
      ...['allProcessors', 'createStandardJSONSchemaMethod', 'createToJSONSchemaMethod', 'extractDefs'],
      ...['finalize', 'initializeContext', 'processSchema', 'toJSONSchema'],
    ]
      .map((one) => `export function ${one}() {}`)
      .join('\n'),
  ]),
  // Of the forms that a body can be, the local service takes those of several parts.
  ['@fastify/busboy/lib/types/urlencoded', '{ detect: /(?!)/ }'],
  // file-type reads bytes that are there: no stream, and no blob. What it reads as text is in encodings that Node.js knows.
  ...['BlobTokenizer', 'ReadStreamTokenizer'].map((name) => [
    `strtok3/lib/${name}.js`,
    `export class ${name} {}`,
  ]),
  ...['StreamReader', 'WebStreamByobReader', 'WebStreamDefaultReader'].map((name) => [
    `strtok3/lib/stream/${name}.js`,
    `export class ${name} {}`,
  ]),
  ['strtok3/lib/stream/WebStreamReaderFactory.js', 'export function makeWebStreamReader() {}'],
  [
    '@borewit/text-codec',
    'export const textDecode = (bytes, encoding) => new TextDecoder(encoding).decode(bytes); export function textEncode() {}',
  ],
  // The endings and types of all that file-type knows, for those who ask for a list.
  ['file-type/source/supported.js', '{}'],
]);

/** As esbuild names the files in it: several clones can share it by a link. */
const librariesFolder = realpathSync('node_modules');

/** @type {import('esbuild').Plugin} */
const withoutUnusedLibraries = {
  name: 'without-unused-libraries',
  setup(current) {
    current.onResolve({ filter: /^[@a-z.]/ }, ({ path: wanted, resolveDir }) => {
      const name = wanted.startsWith('.')
        ? path.relative(librariesFolder, path.resolve(resolveDir, wanted))
        : wanted;
      return unusedLibraries.has(name) ? { path: name, namespace: 'unused' } : undefined;
    });
    current.onLoad({ filter: /./, namespace: 'unused' }, ({ path: name }) => ({
      contents: unusedLibraries.get(name).replace(/^(?!export )/, 'module.exports = '),
    }));
  },
};

/**
 * Escapes in a library what esbuild does not: see `charset`. It leaves regular expressions as they are.
 * @type {import('esbuild').Plugin}
 */
const asciiExpressions = {
  name: 'ascii-expressions',
  setup(current) {
    current.onLoad({ filter: /[\\/]markdown-it\.mjs$/ }, async ({ path: file }) => ({
      contents: (await readFile(file, 'utf8')).replaceAll('…', String.raw`\u2026`),
    }));
  },
};

/** Files that share nothing: they have to be there at once, or are what pages load later. */
const filesApart = {
  patchDocument: 'src/webview/patchDocument/main.tsx',
  markdownEditor: 'src/webview/patchDocument/editor/markdownEditor.ts',
};

/**
 * An entry that another one loads later is a file that shares nothing: a chunk of both would be a request more before either
 * can start.
 * @type {import('esbuild').Plugin}
 */
const entriesApart = {
  name: 'entries-apart',
  setup(current) {
    const names = new Map(Object.entries(filesApart).map(([name, file]) => [path.resolve(file), name]));
    current.onResolve({ filter: /^\./ }, ({ kind, path: file, resolveDir }) => {
      const name = kind === 'dynamic-import' ? names.get(path.resolve(resolveDir, file)) : undefined;
      return name === undefined ? undefined : { path: `./${name}.mjs`, external: true };
    });
  },
};

/**
 * What the file of the document hands on, pages take from there.
 * @type {import('esbuild').Plugin}
 */
const handedOnByTheDocument = {
  name: 'handed-on-by-the-document',
  setup(current) {
    const list = path.resolve('src/webview/patchDocument/handedOn.ts');
    const names = [...readFileSync(list, 'utf8').matchAll(/^export .* from '(.*)';$/gm)].map(
      ([, name]) => name,
    );
    const files = names.map((name) => (name.startsWith('.') ? path.resolve(path.dirname(list), name) : name));
    current.onResolve({ filter: /\.tsx?$|^[@p]/ }, ({ path: name, resolveDir }) =>
      files.includes(name.startsWith('.') ? path.resolve(resolveDir, name) : name)
        ? { path: './patchDocument.mjs', external: true }
        : undefined,
    );
  },
};

/**
 * Code that several pages need, and code that a page loads later, are files of their own.
 * @type {import('esbuild').BuildOptions}
 */
const pages = {
  ...common,
  target: 'chrome128',
  outdir: path.join(out, 'webview'),
  outExtension: { '.js': '.mjs' },
  chunkNames: '[name]-[hash]',
  platform: 'browser',
  format: 'esm',
  splitting: true,
  jsx: 'automatic',
  jsxImportSource: 'preact',
  loader: { '.woff2': 'file' },
  assetNames: '[name]',
  plugins: [usedIcons, asciiExpressions, entriesApart],
};

/** @type {import('esbuild').BuildOptions[]} */
const targets = [
  {
    ...common,
    sourcemap: false,
    entryPoints: { extension: 'src/extension.ts' },
    outdir: out,
    outExtension: { '.js': '.cjs' },
    platform: 'node',
    format: 'esm',
    external: ['vscode'],
    plugins: [smallCommonJs],
  },
  {
    ...common,
    // The CommonJS step would leave the maps pointing at the wrong lines: debugging builds are read unminified.
    sourcemap: false,
    // The thread that compares has most of its code from what the window loads for that.
    entryPoints: { window: 'src/window.ts', comparisonWorker: 'src/git/comparisonWorker.ts' },
    outdir: out,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[name]-[hash]',
    platform: 'node',
    format: 'esm',
    splitting: true,
    external: ['vscode'],
    // Node.js itself defines this where it bundles undici: it leaves out a parser that nobody has chosen.
    define: { esbuildDetection: '1' },
    plugins: [
      oneHttpParser,
      packedHttpParser,
      usedConstants,
      withoutUnusedLibraries,
      shared('./', '.mjs'),
      windowFiles(out, commonJs),
    ],
  },
  ...(await Promise.all(
    [...sharedModules].map(async ([name, module]) => ({
      ...common,
      ...commonJs,
      sourcemap: false,
      ...(name === 'valibot'
        ? { stdin: { contents: await takenOfValibot(), resolveDir: '.' } }
        : { entryPoints: [module] }),
      outfile: path.join(out, 'chunks', `${name}.cjs`),
    })),
  )),
  {
    ...common,
    ...commonJs,
    sourcemap: false,
    entryPoints: { service: 'src/service/embedded.ts' },
    outdir: out,
    outExtension: { '.js': '.cjs' },
    plugins: [shared('./chunks/'), withoutUnusedLibraries],
  },
  {
    ...common,
    ...commonJs,
    sourcemap: false,
    // A program of its own, which agents start, with whatever Node they have: it has nothing of the window but a line to it.
    target: 'node18',
    entryPoints: { mcp: 'src/agents/mcp/main.ts' },
    outdir: out,
    outExtension: { '.js': '.cjs' },
    plugins: [shared('./chunks/'), withoutUnusedLibraries],
  },
  {
    ...common,
    ...commonJs,
    sourcemap: false,
    entryPoints: { coloringWorker: 'src/colors/coloringWorker.ts' },
    outdir: out,
    outExtension: { '.js': '.cjs' },
    // The other form of jsonc-parser finds its parts only while it runs.
    mainFields: ['module', 'main'],
    plugins: [shared('./chunks/'), packedEngine],
  },
  {
    ...common,
    ...commonJs,
    sourcemap: false,
    entryPoints: { formulaWorker: 'src/colors/formulaWorker.ts' },
    outdir: out,
    outExtension: { '.js': '.cjs' },
  },
  {
    ...pages,
    // The extension host loads the first, too, and draws the beginnings of documents with it.
    splitting: false,
    entryPoints: filesApart,
  },
  {
    ...pages,
    plugins: [...pages.plugins, handedOnByTheDocument],
    entryPoints: {
      allPages: 'src/webview/common/allPages.css',
      allForms: 'src/webview/common/form.css',
      feedback: 'src/webview/feedback/main.tsx',
      patchStatuses: 'src/webview/patchStatuses/main.tsx',
      profile: 'src/webview/profile/main.tsx',
      release: 'src/webview/release/main.tsx',
      stackPage: 'src/webview/stackPage/main.tsx',
      // Drawn in the extension host.
      stackExport: 'src/webview/stackExport/main.ts',
      userCard: 'src/webview/userCard/main.tsx',
    },
  },
];
/**
 * What esbuild has made small, SWC makes 4 % smaller in an archive: it finds names that come again more often, and more that can be
 * left out.
 */
async function makeSmaller(file) {
  const { code } = await minify(await readFile(file, 'utf8'), {
    module: file.endsWith('.mjs'),
    toplevel: true,
    ecma: 2022,
    format: { asciiOnly: true },
  });
  await writeFile(file, code);
}

/** The tests that run in the extension host: they are not shipped, nor is what only they need. @type {import('esbuild').BuildOptions[]} */
const tests = [
  {
    ...common,
    sourcemap: 'inline',
    entryPoints: ['test/host/suite/index.ts', 'test/host/suite/**/*.test.ts'],
    outbase: 'test/host/suite',
    outdir: path.join(out, 'test/host'),
    outExtension: { '.js': '.cjs' },
    platform: 'node',
    format: 'cjs',
    external: ['vscode', 'mocha'],
  },
];
const wanted = values.tests ? [...targets, ...tests] : targets;

if (values.watch) {
  const contexts = await Promise.all(wanted.map((target) => context(target)));
  await Promise.all(contexts.map((one) => one.watch()));
  process.stdout.write('watching\n');
} else {
  await rm(out, { recursive: true, force: true });
  const results = await Promise.all(wanted.map((target) => build({ ...target, metafile: true })));
  const shipped = results.slice(0, targets.length);
  const libraries = await bundledLibraries(shipped.map(({ metafile }) => metafile));
  const complaints = complaintsAboutDependencies(
    libraries,
    JSON.parse(await readFile('package.json', 'utf8')),
  );
  if (complaints.length > 0) {
    throw new Error(complaints.join('\n'));
  }
  await writeFile(path.join(out, 'ThirdPartyNotices.txt'), await noticesOf(libraries));
  if (production) {
    await Promise.all(globSync(path.join(out, '**/*.{cjs,mjs}')).map(makeSmaller));
  }
}
