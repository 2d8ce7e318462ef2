import assert from 'node:assert/strict';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { openPromise } from 'yauzl';
import { ZipFile } from 'yazl';
import { squeeze } from '../../../tools/squeeze.ts';

const files = {
  '[Content_Types].xml': '<Types/>',
  'extension/dist/a.cjs': 'let a = "something that is said again";\n'.repeat(500),
  'extension/dist/chunks/a-*.cjs': 'let b;\n',
  'extension/empty.txt': '',
};

describe('a squeezed archive', () => {
  let folder: string;
  let file: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'patch-stacks-squeeze-'));
    file = path.join(folder, 'a.zip');
    await pack(1);
  });
  after(() => rm(folder, { recursive: true }));

  async function pack(day: number): Promise<void> {
    const zip = new ZipFile();
    for (const [name, content] of Object.entries(files)) {
      zip.addBuffer(Buffer.from(content), name, { mtime: new Date(2026, 0, day) });
    }
    zip.end();
    await writeFile(file, await buffer(zip.outputStream));
  }

  it('holds the same files, and nothing else', async () => {
    const squeezed = path.join(folder, 'b.zip');
    await writeFile(squeezed, await squeeze(file));
    const zip = await openPromise(squeezed, { lazyEntries: true });
    const found: Record<string, string> = {};
    for await (const entry of zip.eachEntry()) {
      found[entry.fileName] = await text(await zip.openReadStreamPromise(entry));
    }
    assert.deepEqual(found, files);
  });

  it('holds what a file is to have in its place', async () => {
    const squeezed = path.join(folder, 'c.zip');
    const change = (name: string, content: Buffer): Buffer | string =>
      name === 'extension/empty.txt' ? 'not any more' : content;
    await writeFile(squeezed, await squeeze(file, change));
    const zip = await openPromise(squeezed, { lazyEntries: true });
    const found: Record<string, string> = {};
    for await (const entry of zip.eachEntry()) {
      found[entry.fileName] = await text(await zip.openReadStreamPromise(entry));
    }
    assert.deepEqual(found, { ...files, 'extension/empty.txt': 'not any more' });
  });

  it('is smaller', async () => {
    assert.ok((await squeeze(file)).length < (await stat(file)).size);
  });

  it('is the same whenever its files were made', async () => {
    const first = await squeeze(file);
    await pack(2);
    assert.deepEqual(await squeeze(file), first);
  });
});
