/** By which address the account of a local service is known, and what it is called. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type * as vscode from 'vscode';
import { LocalTrialFolders } from '../../../src/accounts/localTrialFolders.ts';
import { noteCopied } from '../../../src/util/copiedData.ts';
import { serverName, serverPlace } from '../../../src/session/serverName.ts';

const [url, other] = ['http://127.0.0.1:4101', 'http://127.0.0.1:4102'];
const [known, reached] = [`${url}/api`, `${other}/api`];

class Memory implements Pick<vscode.Memento, 'get' | 'update'> {
  readonly #values = new Map<string, unknown>();

  get<T>(key: string, fallback?: T): T {
    return (this.#values.get(key) ?? fallback) as T;
  }

  async update(key: string, value: unknown): Promise<void> {
    this.#values.set(key, value);
  }
}

describe('the account of a local service', () => {
  let memory: Memory;
  let folders: LocalTrialFolders;
  /** A data directory that is there. */
  let data: string;

  beforeEach(async () => {
    memory = new Memory();
    folders = new LocalTrialFolders(memory as Memory & vscode.Memento);
    data = await mkdtemp(path.join(tmpdir(), 'patch-stacks-data-'));
  });

  afterEach(() => rm(data, { recursive: true, force: true }));

  it('is known by its first address, wherever it is reached later', async () => {
    assert.deepEqual(await folders.remember(url, { folder: '/projects/click', data }), { serverUrl: known });
    const moved = { serverUrl: known, address: reached };
    assert.deepEqual(await folders.remember(other, { folder: '/projects/click', data }), moved);
    assert.deepEqual(await folders.remember(other, { folder: '/projects/click-worktree', data }), moved);
    // Also in a window that is opened afterwards.
    const later = new LocalTrialFolders(memory as Memory & vscode.Memento);
    assert.deepEqual(await later.remember(other, { folder: '/projects/click', data }), moved);
    assert.deepEqual(await later.remember(url, { folder: '/projects/click', data }), { serverUrl: known });
    assert.equal(later.placeOf(reached), undefined);
  });

  it('is another one than that of a repository whose service had the port, while that one is there', async () => {
    const [click, moved] = [path.join(data, 'click'), path.join(data, 'moved')];
    await mkdir(click);
    await folders.remember(url, { folder: click, data });
    const ky = { folder: '/projects/ky', data: '/data/ky' };
    const server = await folders.remember(url, ky);
    assert.match(server.serverUrl, /^http:\/\/[0-9a-f]{16}\.localhost\/api$/);
    assert.equal(server.address, known);
    assert.deepEqual(await folders.remember(other, ky), { ...server, address: reached });
    assert.equal(folders.placeOf(known)?.folder, click);
    await rename(click, moved);
    const copied = { folder: moved, data: '/data/moved' };
    assert.deepEqual(await folders.remember(url, copied), { serverUrl: known });
  });

  it('goes on where the data was copied to, unless the repository is still in its old place', async () => {
    const [click, moved] = [path.join(data, 'click'), path.join(data, 'moved')];
    await mkdir(click);
    await folders.remember(url, { folder: click, data });
    noteCopied(data, '/data/moved');
    const now = { folder: moved, data: '/data/moved' };
    assert.deepEqual(await folders.remember(other, now), { serverUrl: reached });
    await memory.update('localTrials', { [known]: { folder: click, data } });
    await rename(click, moved);
    assert.deepEqual(await folders.remember(other, now), { serverUrl: known, address: reached });
    // Also where an earlier version had it elsewhere, and nothing was moved.
    await memory.update('localTrials', { [known]: { folder: moved, data } });
    assert.deepEqual(await folders.remember(other, now), { serverUrl: known, address: reached });
    await memory.update('localTrials', { [known]: { folder: click, data: '/data/of/another' } });
    assert.deepEqual(await folders.remember(other, now), { serverUrl: reached });
  });

  it('of two that there were for a repository goes on where its service is', async () => {
    await memory.update('localTrials', {
      [known]: { folder: '/projects/click', data },
      [reached]: { folder: '/projects/click', data },
    });
    assert.deepEqual(await folders.remember(url, { folder: '/projects/click', data }), { serverUrl: known });
    assert.deepEqual(await folders.remember(other, { folder: '/projects/click', data }), {
      serverUrl: reached,
    });
  });

  it('of an earlier version is recognized by its folder', async () => {
    await memory.update('localTrials', { [known]: '/projects/click' });
    const moved = { serverUrl: known, address: reached };
    assert.deepEqual(await folders.remember(other, { folder: '/projects/click', data }), moved);
  });

  it('is called by its repository, and others by their hosts', async () => {
    await folders.remember(url, { folder: '/projects/click', data });
    assert.equal(serverName(known), 'click (local)');
    assert.equal(serverPlace(known), '/projects/click');
    assert.equal(serverName('http://127.0.0.1:4103/api'), '127.0.0.1:4103');
    assert.equal(serverPlace('https://patches.example.com/api'), 'https://patches.example.com/api');
    await memory.update('localTrials', { 'http://127.0.0.1:4104/api': '/projects/ky' });
    assert.ok(new LocalTrialFolders(memory as Memory & vscode.Memento));
    assert.equal(serverName('http://127.0.0.1:4104/api'), 'ky (local)');
  });
});
