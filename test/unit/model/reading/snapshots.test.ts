import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PatchVersion } from '../../../../src/model/reading/patchVersion.ts';
import { Snapshots } from '../../../../src/model/reading/snapshots.ts';
import { replaceFile } from '../../../../src/util/atomicFile.ts';
import { Random } from '../../../support/random.ts';

const version = (changeId: string, message = 'words '.repeat(1000)): PatchVersion => ({
  changeId,
  title: 'Title',
  message,
  sections: [{ kind: 'text', code: 'c', text: 'Text' }],
  files: [],
});

describe('the snapshots of what was read', () => {
  let folder: string;
  let failures: unknown[];

  beforeEach(async () => {
    folder = path.join(await mkdtemp(path.join(tmpdir(), 'patch-stacks-snapshots-')), 'snapshots');
    failures = [];
  });

  afterEach(() => rm(path.dirname(folder), { recursive: true }));

  const open = (
    limit = 1e9,
    needed: string[] = [],
    replace = replaceFile,
    signedOff: string[] = [],
  ): Snapshots =>
    new Snapshots({
      folder,
      limit: () => limit,
      needed: async () => new Set(needed),
      signedOff: async () => new Set(signedOff),
      onFailure: (error) => failures.push(error),
      replaceFile: replace,
    });
  const files = (): Promise<string[]> => readdir(folder);
  const fileOf = (key: string | undefined): string => path.join(folder, `${key}.snapshot`);
  const size = async (): Promise<number> =>
    (
      await Promise.all((await files()).map(async (name) => (await stat(path.join(folder, name))).size))
    ).reduce((sum, each) => sum + each, 0);

  it('are read in the next window, compressed, each version once', async () => {
    const key = await open().write(version('I1'));
    assert.equal(await open().write(version('I1')), key);
    assert.notEqual(await open().write(version('I2')), key);
    assert.equal((await files()).length, 2);
    assert.ok((await stat(fileOf(key))).size < 500);
    assert.deepEqual(await open().read(key ?? ''), version('I1'));
    assert.equal(await open().read('f'.repeat(64)), undefined);
    assert.deepEqual(failures, []);
  });

  for (const [what, damage] of Object.entries({
    'cut short': (bytes: Buffer) => bytes.subarray(0, bytes.length / 2),
    empty: () => Buffer.alloc(0),
    'no longer what was written': () => randomBytes(100),
  })) {
    it(`are missing when they are ${what}, and can be kept again`, async () => {
      const key = await open().write(version('I1'));
      await writeFile(fileOf(key), damage(await readFile(fileOf(key))));
      assert.equal(await open().read(key ?? ''), undefined);
      assert.equal(await open().write(version('I1')), key);
      assert.deepEqual(await open().read(key ?? ''), version('I1'));
    });
  }

  it('are missing when they are those of another version', async () => {
    const [key, other] = [await open().write(version('I1')), await open().write(version('I2'))];
    await writeFile(fileOf(key), await readFile(fileOf(other)));
    assert.equal(await open().read(key ?? ''), undefined);
  });

  it('are given up after all others when they were signed off', async () => {
    const large = (index: number): PatchVersion => version(`I${index}`, randomBytes(3000).toString('base64'));
    const signed = (await open().write(large(0))) ?? '';
    const read = (await open().write(large(1))) ?? '';
    const then = new Date(Date.now() - 60_000);
    await utimes(fileOf(signed), then, then);
    const latest = (await open(9_000, [], replaceFile, [signed]).write(large(2))) ?? '';
    assert.deepEqual((await files()).sort(), [`${signed}.snapshot`, `${latest}.snapshot`].sort());
    assert.ok(read !== '');
    const last = (await open(5_000, [], replaceFile, [signed]).write(large(3))) ?? '';
    assert.deepEqual(await files(), [`${last}.snapshot`]);
  });

  it('are given up when there are too many: first those that nobody has read for the longest time', async () => {
    const keys: string[] = [];
    const large = (index: number): PatchVersion => version(`I${index}`, randomBytes(3000).toString('base64'));
    const limit = 14_000;
    for (let index = 0; index < 6; index += 1) {
      const key = (await open(limit, keys.slice(1, 2)).write(large(index))) ?? '';
      keys.push(key);
      if (index < 4) {
        // Written this many minutes ago; the first was read since.
        const then = new Date(Date.now() - (10 - index) * 60_000);
        await utimes(fileOf(key), then, then);
      }
      if (index === 3) {
        await open().read(keys[0] ?? '');
      }
    }
    const left = await files();
    const isThere = keys.map((key) => left.includes(`${key}.snapshot`));
    // The second is needed, so that the third and fourth have gone.
    assert.deepEqual(isThere, [true, true, false, false, true, true]);
    assert.ok((await size()) <= limit);
    assert.deepEqual(failures, []);
  });

  it('are never given up while they are needed, however many others come, and take no more room than there is', async () => {
    const random = new Random(21);
    const needed: string[] = [];
    const limit = 40_000;
    const snapshots = open(limit, needed);
    for (let index = 0; index < 120; index += 1) {
      const bytes = randomBytes(500 + random.below(2_500)).toString('base64');
      const key = (await snapshots.write(version(`I${index}`, bytes))) ?? '';
      if (random.below(10) === 0) {
        needed.push(key);
        // There is room for these, and for the latest.
        needed.splice(0, needed.length - 8);
      }
      const left = new Set(await files());
      assert.deepEqual(
        needed.filter((one) => !left.has(`${one}.snapshot`)),
        [],
        `given up after ${index}`,
      );
      assert.ok((await size()) <= limit, `${await size()} bytes after ${index}`);
    }
  });

  it('are kept without room when all of them are needed', async () => {
    const needed: string[] = [];
    const snapshots = open(5_000, needed);
    for (let index = 0; index < 6; index += 1) {
      needed.push((await snapshots.write(version(`I${index}`, randomBytes(3_000).toString('base64')))) ?? '');
    }
    assert.equal((await files()).length, 6);
  });

  it('say once that the disk is full, and leave nothing behind', async () => {
    let isFull = true;
    const full = open(1e9, [], async (...args) => {
      if (isFull) {
        throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
      }
      await replaceFile(...args);
    });
    assert.equal(await full.write(version('I1')), undefined);
    assert.equal(await full.write(version('I2')), undefined);
    assert.equal(failures.length, 1);
    assert.deepEqual(await files(), []);
    isFull = false;
    assert.notEqual(await full.write(version('I1')), undefined);
    isFull = true;
    await full.write(version('I3'));
    assert.equal(failures.length, 2);
  });
});
