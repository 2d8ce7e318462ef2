/**
 * The libraries whose code is in what the build makes, and the texts of their licenses: each of them asks for that much of
 * whoever passes it on.
 */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** @typedef {{ name: string, version: string, license: string, folder: string }} Library */

/** Whose copyright it is, where a library says so without a file of its own. All of them are under the MIT license. */
const withoutFile = new Map([
  ['@vscode/l10n', 'Copyright (c) Microsoft Corporation. All rights reserved.'],
  ['assert-plus', 'Copyright (c) 2012 Mark Cavage'],
]);

/** Addresses that stand for the text of a license that may be named by its address instead. */
const byAddress = new Map([
  [
    'CC-BY-4.0',
    'Creative Commons Attribution 4.0 International, https://creativecommons.org/licenses/by/4.0/legalcode\n' +
      'The font in this package was changed: it holds those icons only that are used.',
  ],
]);

/**
 * The libraries of which something is in what was built, by name.
 *
 * @param {readonly import('esbuild').Metafile[]} metafiles
 * @returns {Promise<Library[]>}
 */
export async function bundledLibraries(metafiles) {
  const folders = new Set();
  for (const { outputs } of metafiles) {
    for (const { inputs } of Object.values(outputs)) {
      for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
        const folder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
        if (folder !== undefined && bytesInOutput > 0) {
          folders.add(folder);
        }
      }
    }
  }
  const libraries = await Promise.all(
    [...folders].map(async (folder) => {
      const manifest = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
      const { name, version, license } = manifest;
      return { name, version, license, folder };
    }),
  );
  return libraries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/**
 * Complaints about what a manifest says of the libraries that are shipped: those are its `dependencies`, and everything else is
 * for work on the project only. The check for known vulnerabilities goes by that.
 *
 * @param {readonly Library[]} libraries
 * @param {{ dependencies?: Record<string, string>, devDependencies?: Record<string, string> }} manifest
 * @returns {string[]}
 */
export function complaintsAboutDependencies(libraries, { dependencies = {}, devDependencies = {} }) {
  const shipped = new Set(libraries.map(({ name }) => name));
  return [
    ...Object.keys(devDependencies)
      .filter((name) => shipped.has(name))
      .map((name) => `${name} is shipped: it belongs to the dependencies of package.json.`),
    ...Object.keys(dependencies)
      .filter((name) => !shipped.has(name))
      .map((name) => `Nothing of ${name} is shipped: it belongs to the devDependencies of package.json.`),
  ];
}

/**
 * The notices of libraries: each with its copyright, and below them the text of the license that they have in common.
 *
 * @param {readonly Library[]} libraries
 * @returns {Promise<string>}
 * @throws {Error} when a library brings no text of its license.
 */
export async function noticesOf(libraries) {
  /** @type {Map<string, { text: string, lines: string[] }>} */
  const groups = new Map();
  const mit = textOf(await licenseFile('node_modules/preact')).text;
  for (const { name, version, license, folder } of libraries) {
    const known = withoutFile.get(name);
    const file = byAddress.get(license) ?? (await licenseFile(folder));
    if (known === undefined && file === undefined) {
      throw new Error(
        `${name} ${version} (${license}) brings no text of its license: say in notices.mjs what it is.`,
      );
    }
    const { copyright, text } = known === undefined ? textOf(file) : { copyright: [known], text: mit };
    const key = text.replaceAll(/[\s*"'“”]+/g, ' ').toLowerCase();
    const group = groups.get(key) ?? { text, lines: [] };
    groups.set(key, group);
    group.lines.push(`${name} ${version} (${license})`, ...copyright.map((line) => `  ${line}`));
  }
  const rule = `\n\n${'-'.repeat(80)}\n\n`;
  const parts = [...groups.values()].map(({ text, lines }) => `${lines.join('\n')}\n\n${text}`);
  return `${['Patch Stacks holds parts of these libraries, under these licenses.', ...parts].join(rule)}\n`;
}

async function licenseFile(folder) {
  const names = await readdir(folder);
  const texts = await Promise.all(
    names
      .filter((name) => /^(?:licen[cs]e|copying|notice)(?:[-.](?:MIT|md|txt))*$/i.test(name))
      .sort()
      .map((name) => readFile(path.join(folder, name), 'utf8')),
  );
  return texts.length > 0 ? texts.join('\n\n') : undefined;
}

/** The copyright lines at the beginning of a license, without its heading, and what comes after them. */
function textOf(file) {
  const lines = file.split(/\r?\n/).map((line) => line.trimEnd());
  const copyright = [];
  let index = 0;
  for (; index < lines.length; index++) {
    const line = lines[index].trim().replace(/^#+ /, '');
    if (/^(?:copyright\b(?! notice)|\(c\)|©|all rights reserved)/i.test(line)) {
      copyright.push(line);
    } else if (!/^(?:|[=-]+|(?:the )?[\w\s-]*licen[cs]e(?: \(\w+\))?)$/i.test(line)) {
      break;
    }
  }
  return { copyright, text: lines.slice(index).join('\n').trim() };
}
