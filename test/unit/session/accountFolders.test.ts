/** The folder that each account has on this computer. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AccountFolders } from '../../../src/session/accountFolders.ts';

describe('the folders of accounts', () => {
  const ada = { serverUrl: 'https://a.example', userId: 'ada' };
  const others = [
    { serverUrl: 'https://b.example', userId: 'ada' },
    { serverUrl: 'https://a.example', userId: 'bob' },
  ];
  let storage: string;
  let folders: AccountFolders;
  beforeEach(() => {
    storage = mkdtempSync(path.join(tmpdir(), 'patch-stacks-accounts-'));
    folders = new AccountFolders(storage);
  });
  afterEach(() => rmSync(storage, { recursive: true, force: true }));

  /** Puts files into the folder of an account's unsent changes. */
  function put(account: typeof ada, ...names: readonly string[]): void {
    mkdirSync(folders.pendingFolder(account), { recursive: true });
    names.forEach((name) => writeFileSync(path.join(folders.pendingFolder(account), name), ''));
  }

  it('are the same each time, another one for each server and user, and tell neither', () => {
    const all = [ada, ...others].map((account) => folders.folder(account));
    assert.equal(new Set(all).size, all.length);
    assert.equal(folders.folder({ ...ada }), all[0]);
    for (const folder of all) {
      assert.equal(path.dirname(folder), path.join(storage, 'accounts'));
      assert.match(path.basename(folder), /^[0-9a-f]{32}$/);
    }
    assert.equal(folders.pendingFolder(ada), path.join(folders.folder(ada), 'pending'));
  });

  it('say how many changes are not sent: none where there is no folder, and nothing where it cannot be read', async () => {
    assert.equal(await folders.pendingCount(ada), 0);
    put(ada, '1.json', '2.json', '3.json.tmp');
    assert.equal(await folders.pendingCount(ada), 2);
    mkdirSync(folders.folder(others[0]!), { recursive: true });
    writeFileSync(folders.pendingFolder(others[0]!), 'no folder');
    assert.equal(await folders.pendingCount(others[0]!), undefined);
  });

  it('are deleted with all that is in them, and one by one; also where there is none', async () => {
    put(ada, '1.json');
    put(others[0]!, '1.json');
    await folders.delete(ada);
    await folders.delete(others[1]!);
    assert.ok(!existsSync(folders.folder(ada)));
    assert.equal(await folders.pendingCount(others[0]!), 1);
  });
});
