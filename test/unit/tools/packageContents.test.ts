import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createWriteStream, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { pageOfPackage } from '../../../tools/pack.ts';
import { complaintsAbout, largestPackage } from '../../../tools/packageContents.ts';
import { root } from '../../../tools/provision.ts';

const marketplacePage = readFileSync(path.join(root, 'docs/marketplace.md'), 'utf8');

describe('the check of the package', () => {
  let directory: string;

  before(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'patch-stacks-package-'));
  });

  after(() => rmSync(directory, { recursive: true }));

  async function complaints(files: Record<string, string>): Promise<string[]> {
    const file = path.join(directory, 'test.vsix');
    const zip = new ZipFile();
    for (const [name, content] of Object.entries(files)) {
      zip.addBuffer(Buffer.from(content), name);
    }
    zip.end();
    await pipeline(zip.outputStream, createWriteStream(file));
    return (await complaintsAbout(file)).filter((complaint) => !complaint.endsWith('is missing.'));
  }

  it('finds a package that is too large', async () => {
    const picture = randomBytes(largestPackage).toString('hex');
    const found = await complaints({ 'extension/media/a.png': picture });
    assert.match(found.join(), new RegExp(`^The package has \\d+ bytes: more than ${largestPackage}\\.$`));
  });

  it('finds nothing wrong with what belongs there', async () => {
    assert.deepEqual(
      await complaints({
        'extension/package.json': '{}',
        'extension/dist/chunks/a-B.cjs': 'let a = "/tmp";',
      }),
      [],
    );
  });

  for (const [what, name, content] of [
    ['a file that is not named', 'extension/src/extension.ts', ''],
    ['a dependency', 'extension/node_modules/a/index.js', ''],
    ['a source map', 'extension/dist/extension.cjs', '//# sourceMappingURL=extension.cjs.map'],
    ['a path of this machine', 'extension/dist/extension.cjs', `require("${root.replaceAll('\\', '/')}/x")`],
    ['a token', 'extension/dist/extension.cjs', `"ghp_${'a'.repeat(36)}"`],
    ['a script that needs two bytes a character', 'extension/dist/webview/a.mjs', 'let a = /…/;'],
    ['a key', 'extension/dist/a.md', `-----BEGIN PRIVATE KEY-----\n${'a'.repeat(64)}`],
  ] as const) {
    it(`finds ${what}`, async () => {
      assert.notDeepEqual(await complaints({ [name]: content }), []);
    });
  }

  for (const [what, page] of [
    ['a picture that is in the package', '![A patch](media/icon.png)'],
    ['a picture in the page itself', '![A patch](data:image/png;base64,AAAA)'],
    ['a link that leads nowhere on the web', '[more](docs/nowhere.md)'],
    ['a link without an address', '[more]()'],
    ['how it is built', 'git clone this'],
  ] as const) {
    it(`finds ${what} on the extension's page`, async () => {
      assert.equal((await complaints({ 'extension/readme.md': page })).length, 1);
    });
  }

  it('finds nothing wrong with the page that is packed, which says what the links are that it leaves out', async () => {
    const page = pageOfPackage(marketplacePage, false);
    assert.deepEqual(await complaints({ 'extension/readme.md': page }), []);
    assert.match(page, /What's new is in the changelog\./);
    assert.doesNotMatch(page, /\n\n\n/);
  });

  it('has the names of the repository on a page whose pictures are on the web', () => {
    const targets = [...pageOfPackage(marketplacePage, true).matchAll(/\]\(([^)]*)\)/g)].map(
      ([, target = '']) => target,
    );
    assert.ok(targets.some((target) => target.endsWith('.webp')));
    for (const target of targets) {
      assert.ok(existsSync(path.join(root, target)), target);
    }
  });

  it('finds a library whose license is not told', async () => {
    const manifest = JSON.stringify({
      dependencies: { 'known-one': '1.0.0', one: '1.0.0', '@a/b': '2.0.0' },
    });
    const notices = 'Libraries\n\nknown-one 1.0.0 (MIT)\n  Copyright\n@a/b 1.9.0 (MIT)\n';
    assert.deepEqual(
      await complaints({
        'extension/package.json': manifest,
        'extension/dist/ThirdPartyNotices.txt': notices,
      }),
      [
        "The notices don't have the license of one 1.0.0.",
        "The notices don't have the license of @a/b 2.0.0.",
      ],
    );
  });

  it('finds what is missing', async () => {
    const file = path.join(directory, 'empty.vsix');
    const zip = new ZipFile();
    zip.end();
    await pipeline(zip.outputStream, createWriteStream(file));
    assert.ok((await complaintsAbout(file)).includes('extension/dist/extension.cjs is missing.'));
  });
});
