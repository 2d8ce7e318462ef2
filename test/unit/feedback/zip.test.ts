import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileModes, zipFiles, ZipTooLargeError, type ZipEntry } from '../../../src/feedback/zip.ts';

describe('a zip file', () => {
  let folder: string;
  let target: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'patch-stacks-zip-'));
    target = path.join(folder, 'a.zip');
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  function entry(name: string, ...chunks: readonly string[]): ZipEntry {
    const content = async function* (): AsyncIterable<Buffer> {
      for (const chunk of chunks) {
        yield Buffer.from(chunk);
      }
    };
    return { path: name, mode: fileModes.file, content };
  }

  const options = (limit = 1e9) => ({
    limit,
    signal: new AbortController().signal,
    onProgress: (): void => undefined,
  });

  it('can be read by its owner only, and takes the place of no other', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    await zipFiles(target, [entry('a', 'a')], options());
    assert.equal(statSync(target).mode & 0o777, 0o600);
    await assert.rejects(zipFiles(target, [entry('a', 'a')], options()), { code: 'EEXIST' });
  });

  it('tells how much is in it after each piece', async () => {
    const told: number[] = [];
    const onProgress = (done: number): void => void told.push(done);
    await zipFiles(target, [entry('a', 'one', 'two'), entry('b', 'three')], { ...options(), onProgress });
    assert.deepEqual(told, [3, 6, 11]);
  });

  it('is as large as it says, and may be exactly as large as the limit', async () => {
    const size = await zipFiles(target, [entry('a', 'text')], options());
    assert.equal(size, statSync(target).size);
    rmSync(target);
    assert.equal(await zipFiles(target, [entry('a', 'text')], options(size)), size);
    rmSync(target);
    await assert.rejects(zipFiles(target, [entry('a', 'text')], options(size - 1)), (error) => {
      return error instanceof ZipTooLargeError && error.name === 'ZipTooLargeError';
    });
  });

  it('fails with what a file fails with, and takes nothing of the next', async () => {
    const failing: ZipEntry = {
      path: 'failing',
      mode: fileModes.file,
      content: async function* () {
        yield Buffer.from('begun');
        throw new Error('The disk is gone.');
      },
    };
    let isBegun = false;
    const next: ZipEntry = {
      path: 'next',
      mode: fileModes.file,
      content: async function* () {
        isBegun = true;
        yield Buffer.from('next');
      },
    };
    await assert.rejects(zipFiles(target, [failing, next], options()), /The disk is gone/);
    assert.ok(!isBegun);
    // It is closed by then: on Windows it could not be deleted otherwise.
    rmSync(target);
  });

  it('fails where its folder is not there', async () => {
    const nowhere = path.join(folder, 'nowhere', 'a.zip');
    await assert.rejects(zipFiles(nowhere, [entry('a', 'a')], options()), { code: 'ENOENT' });
    assert.ok(!existsSync(nowhere));
  });

  it('is refused for a name that leads out of it', async () => {
    await assert.rejects(
      async () => zipFiles(target, [entry('../a', 'a')], options()),
      /invalid relative path/,
    );
  });

  it('stops at the signal, with its reason', async () => {
    const controller = new AbortController();
    const onProgress = (): void => controller.abort(new Error('enough'));
    const zipping = zipFiles(target, [entry('a', 'one', 'two')], {
      limit: 1e9,
      signal: controller.signal,
      onProgress,
    });
    await assert.rejects(zipping, /enough/);
    writeFileSync(target, '');
  });
});
