import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Attachments, AttachmentTooLargeError } from '../../../src/feedback/attachments.ts';
import { repositoryAt } from '../../../src/git/repository.ts';
import { GitRepository } from '../../support/gitRepository.ts';
import { readZip } from '../../support/zip.ts';

describe('the attachments of feedback', () => {
  let folder: string;
  let told: { done: number; total: number }[];
  const opened: Attachments[] = [];

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'patch-stacks-attachments-'));
    told = [];
  });

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one[Symbol.asyncDispose]()));
    rmSync(folder, { recursive: true });
  });

  async function begin(limit = 1e9): Promise<Attachments> {
    const attachments = await Attachments.begin({
      folder,
      limit,
      signal: new AbortController().signal,
      onProgress: (done, total) => told.push({ done, total }),
    });
    opened.push(attachments);
    return attachments;
  }

  function write(name: string, content: string): string {
    const file = path.join(folder, name);
    writeFileSync(file, content);
    return file;
  }

  const isTooLarge =
    (attachment: 'repository' | 'data') =>
    (error: unknown): boolean =>
      error instanceof AttachmentTooLargeError &&
      error.attachment === attachment &&
      error.name === 'AttachmentTooLargeError';

  it('tell how much of them is packed, of how much', async () => {
    const attachments = await begin();
    const { fileName } = await attachments.data([
      write('a.txt', 'a'.repeat(10)),
      write('b.txt', 'b'.repeat(20)),
    ]);
    assert.equal(fileName, 'data.zip');
    assert.deepEqual(told, [
      { done: 10, total: 30 },
      { done: 30, total: 30 },
    ]);
  });

  it('send one zip file as it is, whatever the case of its ending, and pack anything else', async () => {
    const attachments = await begin();
    const zip = write('Whole.ZIP', 'as it is');
    assert.equal((await attachments.data([zip])).fileName, 'Whole.ZIP');
    assert.deepEqual(told, []);
    const both = await attachments.data([zip, write('a.txt', 'a')]);
    assert.equal(both.fileName, 'data.zip');
    const one = await attachments.data([write('b.txt', 'b')]);
    assert.equal(one.fileName, 'data.zip');
    const chunks: Uint8Array[] = [];
    for await (const chunk of one.open()) {
      chunks.push(chunk);
    }
    assert.deepEqual([...(await readZip(Buffer.concat(chunks))).keys()], ['b.txt']);
  });

  it('may be exactly as large as the limit, and not a byte more', async () => {
    const zip = write('whole.zip', 'x'.repeat(100));
    assert.equal((await (await begin(100)).data([zip])).size, 100);
    await assert.rejects((await begin(99)).data([zip]), isTooLarge('data'));
    const text = write('a.txt', 'text');
    const { size } = await (await begin()).data([text]);
    assert.equal((await (await begin(size)).data([text])).size, size);
    await assert.rejects((await begin(size - 1)).data([text]), isTooLarge('data'));
  });

  it('of a repository that is too large say so, and of another tell how much of it is packed', async () => {
    const repository = GitRepository.withMain();
    try {
      repository.commitFile('a.txt', 'a'.repeat(1000), 'Add a');
      const here = repositoryAt('git', repository.directory);
      await assert.rejects((await begin(10)).repository(here, ''), isTooLarge('repository'));
      told = [];
      await (await begin()).repository(here, '');
      const files = repository.git('ls-files').split('\n');
      const total = files.reduce(
        (sum, name) => sum + statSync(path.join(repository.directory, name)).size,
        0,
      );
      assert.deepEqual(told.at(-1), { done: total, total });
    } finally {
      repository.remove();
    }
  });

  it('are gone when they are disposed of, and can be packed again before', async () => {
    const attachments = await begin();
    const file = write('a.txt', 'a');
    await attachments.data([file]);
    await attachments.data([file]);
    const packed = readdirSync(folder).filter((name) => name.startsWith('packed-'));
    assert.equal(packed.length, 1);
    await attachments[Symbol.asyncDispose]();
    await attachments[Symbol.asyncDispose]();
    assert.ok(!existsSync(path.join(folder, packed[0] ?? '')));
  });
});
