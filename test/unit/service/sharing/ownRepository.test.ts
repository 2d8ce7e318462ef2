import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { OwnRepository } from '../../../../src/service/sharing/ownRepository.ts';

describe("a repository of the service's own", function () {
  this.timeout(60_000);
  let folder: string;
  let own: OwnRepository;

  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'patch-stacks-own-'));
    own = await OwnRepository.open(path.join(folder, 'own'), { 'gc.auto': '0' });
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  /** Writes a commit with so many files, each an object in a file of its own. */
  const write = async (files: number): Promise<void> => {
    const blobs = Array.from(
      { length: files },
      (_none, index) => `M 644 inline ${index}\ndata <<E\n${index}\nE\n`,
    );
    const input = `commit refs/heads/x\ncommitter A <a@example.com> 0 +0000\ndata <<E\nx\nE\n${blobs.join('')}`;
    const args = ['-c', 'fastimport.unpackLimit=100000', 'fast-import', '--quiet', '--force'];
    await own.run(args, { input });
  };
  const count = async (): Promise<{ loose: number; packs: number }> => {
    const printed = String(await own.run(['count-objects', '-v']));
    const of = (name: string): number => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(printed)?.[1]);
    return { loose: of('count'), packs: of('packs') };
  };

  it('packs what has become many files, and nothing before', async () => {
    await write(100);
    await own.tidy();
    assert.deepEqual(await count(), { loose: 102, packs: 0 });
    await write(3000);
    await own.tidy();
    const { loose, packs } = await count();
    // Those of the commit before are nobody's any longer.
    assert.ok(loose <= 102, String(loose));
    assert.equal(packs, 1);
    assert.equal(String(await own.run(['cat-file', 'blob', 'refs/heads/x:2999'])), '2999\n');
  });
});
