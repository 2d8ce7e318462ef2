import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import {
  bundledLibraries,
  complaintsAboutDependencies,
  noticesOf,
  type Library,
} from '../../../tools/notices.mjs';

describe('the notices of libraries', () => {
  let directory: string;

  before(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'patch-stacks-notices-'));
  });

  after(() => rmSync(directory, { recursive: true }));

  function library(
    name: string,
    license: string | undefined,
    code = 'export const used = () => 1;',
  ): Library {
    const folder = path.join(directory, 'node_modules', name);
    mkdirSync(folder, { recursive: true });
    const manifest = { name, version: '1.0.0', license: 'MIT', main: 'index.js', type: 'module' };
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
    writeFileSync(path.join(folder, 'index.js'), code);
    if (license !== undefined) {
      writeFileSync(path.join(folder, 'LICENSE'), license);
    }
    return { name, version: '1.0.0', license: 'MIT', folder };
  }

  it('are for what is in the bundles, also through another library, and for nothing else', async () => {
    library('@scope/inner', 'License');
    library('outer', 'License', `export { used } from '@scope/inner'; export const other = 2;`);
    library('shaken-off', 'License');
    const { metafile } = await build({
      stdin: {
        contents: `import { used } from 'outer'; import { used as not } from 'shaken-off'; console.log(used());`,
        resolveDir: directory,
      },
      bundle: true,
      treeShaking: true,
      write: false,
      metafile: true,
      format: 'esm',
      logLevel: 'silent',
    });
    const names = (await bundledLibraries([metafile])).map(({ name }) => name);
    assert.ok(names.includes('@scope/inner'));
    assert.ok(!names.includes('shaken-off'));
  });

  it('tell each copyright, and a text once for all that have it', async () => {
    const text = 'You may do\nwhat you like.';
    const libraries = [
      library('a', `MIT License\n\nCopyright (c) 2001 Ada\n\n${text}\n`),
      library('b', `Copyright (c) 2002 Grace\r\n\r\n${text.replace('do\n', 'do ')}\r\n`),
      library('c', `Copyright (c) 2003 Emmy\n\nYou may do nothing.`),
    ];
    const notices = await noticesOf(libraries);
    for (const { name } of libraries) {
      assert.ok(notices.includes(`${name} 1.0.0 (MIT)\n  Copyright`), notices);
    }
    assert.equal(notices.split('what you like').length, 2);
    assert.ok(notices.includes('You may do nothing.'));
  });

  it('cannot be made for a library that brings no text', async () => {
    await assert.rejects(noticesOf([library('silent', undefined)]), /silent 1\.0\.0 .* brings no text/);
  });

  it('go with a manifest that tells what is shipped from what is not', () => {
    const shipped = [library('a', 'License'), library('b', 'License')];
    assert.deepEqual(complaintsAboutDependencies(shipped, { dependencies: { a: '1', b: '1' } }), []);
    assert.deepEqual(
      complaintsAboutDependencies(shipped, { dependencies: { a: '1', c: '1' }, devDependencies: { b: '1' } }),
      [
        'b is shipped: it belongs to the dependencies of package.json.',
        'Nothing of c is shipped: it belongs to the devDependencies of package.json.',
      ],
    );
  });
});
