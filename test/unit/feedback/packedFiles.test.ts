import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { PackedFiles } from '../../../src/feedback/packedFiles.ts';

describe('what is packed for feedback', () => {
  let folder: string;
  const opened: PackedFiles[] = [];

  beforeEach(async () => {
    folder = path.join(await mkdtemp(path.join(tmpdir(), 'patch-stacks-packed-')), 'feedback');
  });

  afterEach(async () => {
    opened.splice(0).forEach((packed) => packed.dispose());
    await rm(path.dirname(folder), { recursive: true, force: true });
  });

  function open(intervalMs = 5): PackedFiles {
    const packed = new PackedFiles(folder, { intervalMs });
    opened.push(packed);
    return packed;
  }

  /** Leaves something packed behind, as a window that was killed. */
  async function leave(name: string): Promise<void> {
    await mkdir(path.join(folder, 'windows'), { recursive: true });
    await writeFile(path.join(folder, 'windows', name), hostname());
    await mkdir(path.join(folder, name));
    await writeFile(path.join(folder, name, 'repository.zip'), 'secret');
  }

  it('can be read by its owner only', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    assert.equal((await stat(await open().folder())).mode & 0o777, 0o700);
  });

  it('is deleted when its window was killed, and left alone when it lives', async () => {
    const living = await open().folder();
    await writeFile(path.join(living, 'repository.zip'), 'of a window that sends it');
    const { pid: gone } = spawnSync(process.execPath, ['-e', '']);
    await leave(`${gone}-abc123`);
    // Another program has been given the number of this one's process.
    await leave(`${process.ppid}-abc123`);
    await mkdir(path.join(folder, 'of nobody'));
    await open().sweep();
    assert.deepEqual((await readdir(folder)).sort(), [path.basename(living), 'windows'].sort());
    assert.deepEqual(await readdir(living), ['repository.zip']);
    assert.deepEqual(await readdir(path.join(folder, 'windows')), [path.basename(living)]);
  });

  it('is deleted also where timers end early, so that some looks do not count', async () => {
    await leave(`${process.ppid}-abc123`);
    // Node leaves off the fraction.
    await open(5.9).sweep();
    assert.deepEqual(await readdir(folder), ['windows']);
  });

  it('is looked after where there is nothing yet, and is left alone where the folder can not be read', async () => {
    await open().sweep();
    await writeFile(folder, 'no folder');
    await assert.rejects(open().sweep(), { code: 'ENOTDIR' });
  });

  it('is not looked after any more once the window ends, and others need not wait for it', async () => {
    const living = open();
    await living.folder();
    await writeFile(path.join(folder, path.basename(await living.folder()), 'a'), '');
    const ending = open(60_000);
    const swept = ending.sweep();
    ending.dispose();
    living.dispose();
    assert.deepEqual(await readdir(path.join(folder, 'windows')), []);
    const other = open();
    await other.sweep();
    assert.deepEqual(await readdir(folder), ['windows']);
    await swept;
  });
});
