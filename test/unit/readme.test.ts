/** Holds the README and the documents that it leads to against the manifest and the files that there are. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);

const read = (name: string): string => readFileSync(new URL(name, root), 'utf8');

interface Manifest {
  contributes: {
    configuration: { properties: Record<string, { default: unknown }> };
  };
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

const manifest = JSON.parse(read('package.json')) as Manifest;
const readme = read('README.md');

/** The rows of the table whose head begins like this, as their cells. */
function table(head: string): string[][] {
  const start = readme.indexOf(`| ${head}`);
  assert.ok(start >= 0, `there is no table “${head}”`);
  const [rows = ''] = readme.slice(start).split('\n\n');
  return rows
    .split('\n')
    .slice(2)
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

describe('README.md', () => {
  it('explains every setting with its default', () => {
    const properties = Object.entries(manifest.contributes.configuration.properties);
    const expected = properties.map(([name, setting]) => [
      `\`${name}\``,
      setting.default === '' ? '' : `\`${String(setting.default)}\``,
    ]);
    const explained = table('Setting').map(([name, , standard]) => [name, standard]);
    assert.deepEqual(explained.sort(), expected.sort());
  });

  it('has every setting explained on the page of the package, too', () => {
    const page = read('docs/marketplace.md');
    for (const name of Object.keys(manifest.contributes.configuration.properties)) {
      assert.ok(page.includes(`\`${name}\``), name);
    }
    for (const [, target = ''] of page.matchAll(/\]\(([^)#:]+)\)/g)) {
      assert.ok(existsSync(new URL(`docs/${target}`, root)), target);
    }
  });

  it('names every library that is shipped, and none that is not there', () => {
    const named = table('Library').flatMap(([names = '']) => names.replaceAll('\\', '').split(', '));
    const stands = (library: string): boolean =>
      named.some((name) => library === name || (name.endsWith('*') && library.startsWith(name.slice(0, -1))));
    const installed = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
    const sources = globSync('src/**/*.{ts,tsx}', { cwd: root }).map(read).join('\n');
    const shipped = installed.filter(
      (library) => sources.includes(`'${library}'`) || sources.includes(`'${library}/`),
    );
    assert.deepEqual(
      shipped.filter((library) => !stands(library)),
      [],
    );
    const isThere = (name: string): boolean =>
      installed.some(
        (library) => library === name || (name.endsWith('*') && library.startsWith(name.slice(0, -1))),
      );
    assert.deepEqual(
      named.filter((name) => name !== 'node:sqlite' && !isThere(name)),
      [],
    );
  });

  it('names scripts and files that there are', () => {
    for (const [, script = ''] of readme.matchAll(/`npm (?:run )?([a-z:]+)/g)) {
      assert.ok(script in manifest.scripts, script);
    }
    for (const [, target = ''] of readme.matchAll(/\]\(([^)#:]+)\)/g)) {
      assert.ok(existsSync(new URL(target, root)), target);
    }
  });

  it('leads to documents that name files and folders that there are', () => {
    const documents = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/*.md', { cwd: root })];
    assert.ok(documents.length > 3, documents.join(', '));
    const missing = documents.flatMap((document) =>
      [...read(document).matchAll(/`((?:src|test|tools|docs|media)\/[\w./-]+)`/g)]
        .map(([, named = '']) => named)
        .filter((named) => !/NAME|FEATURE/.test(named) && !existsSync(new URL(named, root)))
        .map((named) => `${document}: ${named}`),
    );
    assert.deepEqual(missing, []);
  });

  it('is short enough to be read', () => {
    assert.ok(readme.trimEnd().split('\n').length <= 130);
  });
});

describe('CHANGELOG.md', () => {
  it('says each thing once', () => {
    const entries = read('CHANGELOG.md')
      .split(/\n(?=- |#|\n)/)
      .filter((entry) => entry.startsWith('- '))
      .map((entry) => new Set(entry.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu)));
    const twins = entries.flatMap((words, at) =>
      entries.slice(at + 1).filter((others) => {
        const shared = [...words].filter((word) => others.has(word)).length;
        return shared > 0.7 * Math.min(words.size, others.size);
      }),
    );
    assert.ok(entries.length > 40);
    assert.deepEqual(
      twins.map((words) => [...words].join(' ')),
      [],
    );
  });
});
