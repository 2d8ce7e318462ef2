import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { refuseInside } from '../../../../src/service/sharing/remoteFolder.ts';

describe('a remote that is a folder', () => {
  let folder: string;
  let repository: { directory: string; gitDirectory: string; name: string };

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'patch-stacks-remote-')));
    // Another working tree of a clone.
    const directory = path.join(folder, 'tree');
    repository = { directory, gitDirectory: path.join(folder, 'clone', '.git'), name: 'tree' };
    for (const name of ['tree/a b%20c', 'clone/.git', 'clone/evil.git', 'treehouse', '..way']) {
      mkdirSync(path.join(folder, name), { recursive: true });
    }
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const at = (...parts: string[]): string => path.join(folder, ...parts);
  const isRefused = async (...addresses: string[]): Promise<boolean> => {
    try {
      await refuseInside(repository, addresses);
      return false;
    } catch (error) {
      assert.match(String(error), /is in the repository itself/);
      return true;
    }
  };

  it('is refused in the repository, wherever that has its parts, and however it is written', async () => {
    const link = at('link');
    // On Windows, a link to a file needs a right of its own; one to a folder has none as a junction.
    symlinkSync(at('clone'), link, 'junction');
    for (const address of [
      at('tree'),
      at('tree', 'a b%20c'),
      at('tree', 'not', 'there'),
      at('clone', 'evil.git'),
      at('clone', '.git', 'evil'),
      path.join(link, 'evil.git'),
      `${at('treehouse')}${path.sep}..${path.sep}tree`,
      pathToFileURL(at('tree', 'a b%20c')).href,
      pathToFileURL(at('clone', 'evil.git')).href.replace('clone', 'clo%6Ee').replace('file', 'FILE'),
      ...(process.platform === 'win32' ? [] : [`file:/${at('tree')}`, `file://${at('tree')}/x%zz`]),
    ]) {
      assert.equal(await isRefused(address), true, address);
      assert.equal(await isRefused('https://example.com/a.git', address), true, address);
    }
  });

  it('is taken elsewhere, as is every remote that is none', async () => {
    for (const address of [
      at('treehouse'),
      at('..way'),
      at(),
      at('nowhere'),
      pathToFileURL(at('treehouse')).href,
      `https://example.com${at('tree')}`,
      `ssh://example.com${at('tree')}`,
      `example.com:${at('tree')}`,
    ]) {
      assert.equal(await isRefused(address), false, address);
    }
  });
});
