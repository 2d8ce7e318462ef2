import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { accountReadings } from '../../../src/accountReadings.ts';
import type { Patch } from '../../../src/api/types/patches.ts';
import { settingId } from '../../../src/contributions.ts';
import type { WindowParts } from '../../../src/windowParts.ts';
import { DisposableStore } from '../../../src/util/disposable.ts';
import { silentLog } from '../../support/silentLog.ts';

const setting = settingId('keptVersionsLimit');
const megabyte = 1024 * 1024;

describe('the versions that an account has read', () => {
  let directory: string;
  let disposables: DisposableStore;

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'patch-stacks-versions-'));
    disposables = new DisposableStore();
  });
  afterEach(async () => {
    disposables.dispose();
    await vscode.workspace.getConfiguration().update(setting, undefined, vscode.ConfigurationTarget.Global);
    await rm(directory, { recursive: true, force: true });
  });

  /** Has versions read of 300 KB each, none of which can be compressed. @returns the bytes that are kept of them. */
  async function read(count: number): Promise<number> {
    const readings = await accountReadings(
      {
        connection: { session: async () => ({ id: 'one' }) },
        folders: { folder: () => directory },
        log: silentLog,
        disposables,
      } as unknown as WindowParts,
      { sources: async () => '', judge: async () => assert.fail('nothing has changed') },
      () => undefined,
    )();
    for (let index = 0; index < count; index += 1) {
      const text = randomBytes(300 * 1024).toString('base64');
      const patch: Patch = {
        changeId: `I${index}`,
        contributors: [],
        sections: [{ sectionType: 'text', code: 'a', identifier: 'a', text }],
      };
      await readings?.note({ projectId: '1', branchId: 'topic' }, patch, ['a'], { seen: true });
    }
    const folder = path.join(directory, 'versions');
    const sizes = await Promise.all(
      (await readdir(folder)).map(async (name) => (await stat(path.join(folder, name))).size),
    );
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  it('may take 200 MB where nobody has said otherwise', async () => {
    assert.equal(vscode.workspace.getConfiguration().get(setting), 200);
    assert.ok((await read(6)) > 1.5 * megabyte);
  });

  it('take no more than the setting says', async () => {
    await vscode.workspace.getConfiguration().update(setting, 1, vscode.ConfigurationTarget.Global);
    const size = await read(6);
    assert.ok(size > 0 && size <= megabyte, String(size));
  });
});
