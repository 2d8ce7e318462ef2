/** The files that the package may hold, and the content that none of them may have. */
import { stat } from 'node:fs/promises';
import os from 'node:os';
import { buffer } from 'node:stream/consumers';
import { openPromise } from 'yauzl';
import { root } from './provision.ts';

/** Everything that is needed, and nothing else. */
const allowed = [
  /^\[Content_Types\]\.xml$/,
  /^extension\.vsixmanifest$/,
  /^extension\/(package(\.nls(\.[a-z-]+)?)?\.json|readme\.md|changelog\.md|LICENSE\.txt)$/,
  /^extension\/dist\/ThirdPartyNotices\.txt$/,
  /^extension\/l10n\/bundle\.l10n\.[a-z-]+\.json$/,
  /^extension\/media\/[\w-]+\.(svg|png)$/,
  /^extension\/media\/walkthrough\/[\w-]+\.svg$/,
  /^extension\/dist\/(coloringWorker|comparisonWorker|extension|formulaWorker|mcp|service|window)\.cjs$/,
  /^extension\/dist\/onig\.wasm\.br$/,
  /^extension\/dist\/chunks\/[\w.-]+\.cjs$/,
  /^extension\/dist\/webview\/[\w-]+\.(mjs|css|woff2)$/,
];

/** Without these the extension does not work, or is no good guest. */
const required = [
  'extension/package.json',
  'extension/package.nls.json',
  'extension/package.nls.de.json',
  'extension/l10n/bundle.l10n.de.json',
  'extension/readme.md',
  'extension/changelog.md',
  'extension/LICENSE.txt',
  'extension/media/icon.png',
  'extension/dist/ThirdPartyNotices.txt',
  'extension/dist/coloringWorker.cjs',
  'extension/dist/comparisonWorker.cjs',
  'extension/dist/extension.cjs',
  'extension/dist/formulaWorker.cjs',
  'extension/dist/mcp.cjs',
  'extension/dist/onig.wasm.br',
  'extension/dist/service.cjs',
  'extension/dist/webview/codicon.woff2',
  'extension/dist/webview/patchDocument.mjs',
];

/** Patterns that give away a secret, a person or a machine. */
const forbidden: readonly [string, RegExp][] = [
  ['a private key', /-----BEGIN [A-Z ]*PRIVATE KEY-----(?:\\n|\r?\n)[A-Za-z0-9+/=]{32,}/],
  ['a token', /\b(?:gh[pousr]_[A-Za-z0-9]{30,}|npm_[A-Za-z0-9]{30,}|glpat-[\w-]{20}|AKIA[A-Z0-9]{16})\b/],
  ['a source map', /[#@] sourceMappingURL=/],
  ['an absolute path of the machine that built it', absolutePaths()],
];

/** Bytes: the largest package, as a file. */
export const largestPackage = 1024 * 1024;

function absolutePaths(): RegExp {
  const escaped = [root, `${os.homedir()}/.`]
    .map((path) => path.replaceAll('\\', '/').replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('|');
  return new RegExp(`${escaped}|file:///(?!\\$)[\\w.-]+/|\\b[A-Z]:\\\\\\\\Users\\\\\\\\`);
}

/** Complaints about the extension's page: it is for those who use the extension, and VS Code shows everything that it refers to. */
function complaintsAboutPage(page: string): string[] {
  const complaints: string[] = [];
  if (/git clone|npm (?:run|start|test)/.test(page)) {
    complaints.push('The page is for those who build the extension, not for those who use it.');
  }
  for (const [, target = ''] of page.matchAll(/\]\(([^)\s]*)\)/g)) {
    if (!target.startsWith('https://')) {
      complaints.push(
        `The page refers to ${target.slice(0, 60)}, which VS Code doesn't show: it isn't on the web.`,
      );
    }
  }
  return complaints;
}

/** The libraries that are shipped, as the manifest names them, of whose license nothing is said. */
function complaintsAboutNotices(manifest: string, notices: string): string[] {
  const { dependencies = {} } = JSON.parse(manifest || '{}') as { dependencies?: Record<string, string> };
  return Object.entries(dependencies)
    .filter(([name, version]) => !notices.includes(`\n${name} ${version} (`))
    .map(([name, version]) => `The notices don't have the license of ${name} ${version}.`);
}

/** Complaints about a package: one sentence for each thing; none when it is fit to publish. */
export async function complaintsAbout(vsix: string): Promise<string[]> {
  const zip = await openPromise(vsix, { lazyEntries: true });
  const complaints: string[] = [];
  const texts = new Map<string, string>();
  const missing = new Set(required);
  for await (const entry of zip.eachEntry()) {
    const { fileName } = entry;
    missing.delete(fileName);
    if (!allowed.some((pattern) => pattern.test(fileName))) {
      complaints.push(`${fileName} doesn't belong in the package.`);
    }
    if (/\.(?:[cm]?js|css|json|md|svg|txt|xml|vsixmanifest)$/.test(fileName)) {
      const text = (await buffer(await zip.openReadStreamPromise(entry))).toString('utf8');
      texts.set(fileName, text);
      for (const [what, pattern] of forbidden) {
        const found = pattern.exec(text);
        if (found) {
          complaints.push(`${fileName} holds ${what}: ${found[0].slice(0, 60)}`);
        }
      }
      const wide = /\.[cm]?js$/.test(fileName) ? /[^\u0000-\u00ff]/.exec(text) : undefined;
      if (wide) {
        complaints.push(`${fileName} takes twice its size in memory, because of "${wide[0]}".`);
      }
    }
  }
  const textOf = (name: string): string => texts.get(`extension/${name}`) ?? '';
  complaints.push(...complaintsAboutPage(textOf('readme.md')));
  complaints.push(...complaintsAboutNotices(textOf('package.json'), textOf('dist/ThirdPartyNotices.txt')));
  complaints.push(...[...missing].map((name) => `${name} is missing.`));
  const { size } = await stat(vsix);
  if (size > largestPackage) {
    complaints.push(`The package has ${size} bytes: more than ${largestPackage}.`);
  }
  return complaints;
}
