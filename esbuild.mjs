/**
 * Builds everything that is generated into dist/: the extension host's code, the webviews' code and,
 * with --tests, the suite that runs inside an extension host.
 *
 *   node esbuild.mjs [--production] [--tests] [--watch]
 */
import { build, context, transform } from 'esbuild';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

const args = new Set(process.argv.slice(2));
const production = args.has('--production');

/** @type {import('esbuild').BuildOptions} */
const common = {
  bundle: true,
  minify: production,
  sourcemap: production ? false : 'linked',
  target: 'node22',
  logLevel: 'warning',
  legalComments: 'none',
};

/**
 * esbuild splits code only for ECMAScript modules, and VS Code loads CommonJS extensions fastest: so the host's code is
 * bundled as modules with a shared chunk for each dynamic import, and every output file is then turned into CommonJS.
 * @type {import('esbuild').Plugin}
 */
const splitCommonJs = {
  name: 'split-commonjs',
  setup(current) {
    current.initialOptions.write = false;
    current.onEnd(async ({ outputFiles = [] }) => {
      await mkdir('dist', { recursive: true });
      await Promise.all(
        outputFiles.map(async (file) => {
          if (!file.path.endsWith('.mjs')) {
            await writeFile(file.path, file.contents);
            return;
          }
          const { code } = await transform(file.text, {
            format: 'cjs',
            target: 'node22',
            // Makes a dynamic import a require(), which is what loads a CommonJS chunk.
            supported: { 'dynamic-import': false },
            minify: production,
            platform: 'node',
            legalComments: 'none',
          });
          const commonJs = code.replaceAll(/(require\(["']\.[^"']*)\.mjs(["']\))/g, '$1.cjs$2');
          await mkdir(path.dirname(file.path), { recursive: true });
          await writeFile(file.path.replace(/\.mjs$/, '.cjs'), commonJs);
        }),
      );
    });
  },
};

/** @type {import('esbuild').BuildOptions[]} */
const targets = [
  {
    ...common,
    // The CommonJS step would leave the maps pointing at the wrong lines: debugging builds are read unminified.
    sourcemap: false,
    entryPoints: { extension: 'src/extension.ts', service: 'src/service/embedded.ts' },
    outdir: 'dist',
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[name]-[hash]',
    platform: 'node',
    format: 'esm',
    splitting: true,
    external: ['vscode'],
    plugins: [splitCommonJs],
  },
  {
    ...common,
    target: 'chrome128',
    entryPoints: {
      feedback: 'src/webview/feedback/main.tsx',
      patchDocument: 'src/webview/patchDocument/main.tsx',
      patchStatuses: 'src/webview/patchStatuses/main.tsx',
      profile: 'src/webview/profile/main.tsx',
      release: 'src/webview/release/main.tsx',
      userCard: 'src/webview/userCard/main.tsx',
    },
    outdir: 'dist/webview',
    platform: 'browser',
    format: 'iife',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.ttf': 'file' },
    assetNames: '[name]',
  },
];
if (args.has('--tests')) {
  targets.push({
    ...common,
    sourcemap: 'inline',
    entryPoints: ['test/host/suite/index.ts', 'test/host/suite/**/*.test.ts'],
    outbase: 'test/host/suite',
    outdir: 'dist/test/host',
    outExtension: { '.js': '.cjs' },
    platform: 'node',
    format: 'cjs',
    // Node.js 22, on which older editors run, does not take mocha's module for the class it exports.
    alias: { mocha: 'mocha/lib/mocha.cjs' },
    external: ['vscode', 'mocha/lib/mocha.cjs'],
  });
}

if (args.has('--watch')) {
  const contexts = await Promise.all(targets.map((target) => context(target)));
  await Promise.all(contexts.map((one) => one.watch()));
  process.stdout.write('watching\n');
} else {
  await rm('dist', { recursive: true, force: true });
  await Promise.all(targets.map((target) => build(target)));
}
