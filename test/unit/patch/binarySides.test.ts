import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DiffSection } from '../../../src/api/types/patches.ts';
import { repositoryAt, type OpenRepository } from '../../../src/git/repository.ts';
import { binarySides } from '../../../src/patch/binarySides.ts';
import { git } from '../../support/exampleRepository.ts';

/** One transparent point. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const image = `data:image/png;base64,${png.toString('base64')}`;

describe('both sides of a file that is no text', () => {
  let folder: string;
  let repository: OpenRepository;
  let commitSha: string;
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'binary-sides-'));
    git(folder, 'init', '--quiet');
    const commit = (): void => {
      git(folder, 'add', '--all');
      git(folder, '-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit', '--quiet', '-m', 'Draw');
    };
    writeFileSync(path.join(folder, 'a.png'), png);
    writeFileSync(path.join(folder, 'large.bin'), Buffer.alloc(8 * 1024 * 1024 + 1));
    commit();
    writeFileSync(path.join(folder, 'a.png'), Buffer.concat([png, Buffer.from('more')]));
    writeFileSync(path.join(folder, 'new.zip'), Buffer.from('PK\u0003\u0004, and so on'));
    commit();
    commitSha = git(folder, 'rev-parse', 'HEAD').trim();
    repository = repositoryAt('git', folder);
  });
  after(() => rmSync(folder, { recursive: true }));

  const read = (part: Partial<DiffSection>, repositories = [repository], sha = commitSha) =>
    binarySides(
      { commitSha: sha },
      { sectionType: 'diff', code: 'a', identifier: 'a', ...part },
      repositories,
      new AbortController().signal,
    );
  const idOf = (name: string): string => git(folder, 'rev-parse', name).trim();
  const both = {
    before: { size: png.length, kind: 'PNG', image },
    after: { size: png.length + 4, kind: 'PNG' },
  };
  const withoutLater = ({ before, after }: Awaited<ReturnType<typeof read>>) => ({
    before,
    after: after && { size: after.size, kind: after.kind },
  });

  it('are read by the ids of their contents, and in the commit when nobody said those', async () => {
    const ids = { baseFileSha: idOf('HEAD~:a.png'), newFileSha: idOf('HEAD:a.png') };
    assert.deepEqual(withoutLater(await read(ids, [repository], 'abcdef0')), both);
    assert.deepEqual(withoutLater(await read({ newPath: 'a.png' })), both);
    assert.deepEqual(withoutLater(await read({ oldPath: 'a.png', newPath: 'a.png' })), both);
  });

  it('are one where the file is new or gone, of a kind that its content tells', async () => {
    const file = { oldPath: 'new.zip', newPath: 'new.zip' };
    assert.deepEqual(
      await read({ ...file, diffPatch: 'diff --git a/new.zip b/new.zip\nnew file mode 100644\n' }),
      {
        after: { size: 15, kind: 'ZIP' },
      },
    );
    const gone = 'diff --git a/a.png b/a.png\ndeleted file mode 100644\n';
    assert.deepEqual(await read({ newPath: 'a.png', diffPatch: gone }), { before: both.before });
  });

  it('have their size alone when they are too large', async () => {
    const size = 8 * 1024 * 1024 + 1;
    assert.deepEqual(await read({ newPath: 'large.bin' }), {
      before: { size, tooLarge: true },
      after: { size, tooLarge: true },
    });
  });

  it('come from the diff where there is no git, and from nowhere else', async () => {
    const diffPatch = git(folder, 'show', '--binary', '--format=', 'HEAD~', '--', 'a.png');
    assert.deepEqual((await read({ newPath: 'a.png', diffPatch }, [])).after, both.before);
    assert.deepEqual(await read({ newPath: 'a.png' }, []), {});
    assert.deepEqual(await read({ newPath: 'a.png', newFileSha: '--help' }, [repository], '--help'), {});
    assert.deepEqual(await read({ newPath: '../../../etc/passwd' }), {});
  });
});
