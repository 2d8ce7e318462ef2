import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Patch } from '../../../src/api/types/patches.ts';
import { repositoryAt, type OpenRepository } from '../../../src/git/repository.ts';
import { proseImages } from '../../../src/patch/proseImages.ts';
import { imagePath } from '../../../src/util/proseImage.ts';
import { git } from '../../support/exampleRepository.ts';

/** One transparent point. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const drawing = '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>\n';
const address = `data:image/png;base64,${png.toString('base64')}`;

describe('images of the repository', () => {
  let folder: string;
  let repository: OpenRepository;
  let commitSha: string;
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'prose-images-'));
    git(folder, 'init', '--quiet');
    writeFileSync(path.join(folder, 'a b.png'), png);
    writeFileSync(path.join(folder, 'text.png'), '<script>');
    writeFileSync(path.join(folder, 'drawn.svg'), drawing);
    writeFileSync(path.join(folder, 'many.svg'), `<!DOCTYPE svg [<!ENTITY a "aa">]>\n${drawing}`);
    writeFileSync(path.join(folder, 'vast.svg'), `${drawing}<!--${'x'.repeat(600_000)}-->`);
    writeFileSync(path.join(folder, 'page.svg'), `<html>${drawing}</html>`);
    writeFileSync(path.join(folder, 'large.png'), Buffer.concat([png, Buffer.alloc(4 * 1024 * 1024)]));
    git(folder, 'add', '--all');
    git(folder, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '--quiet', '-m', 'Draw');
    commitSha = git(folder, 'rev-parse', 'HEAD').trim();
    repository = repositoryAt('git', folder);
  });
  after(() => rmSync(folder, { recursive: true }));

  const read = async (
    paths: string[],
    patch: Partial<Patch>,
    repositories: OpenRepository[],
    isTrusted = true,
  ) =>
    proseImages(
      { changeId: 'I1', contributors: [], ...patch },
      paths,
      repositories,
      { isTrusted },
      new AbortController().signal,
    );

  it('are read at the commit of the patch, by their content', async () => {
    assert.deepEqual(
      await read(['a b.png', 'text.png', 'large.png', 'no.png'], { commitSha }, [repository]),
      {
        'a b.png': { address },
        'text.png': { problem: 'otherType' },
        'large.png': { problem: 'tooLarge' },
        'no.png': { problem: 'missing' },
      },
    );
  });

  it('are drawings, too, but none that could become any number of things', async () => {
    assert.deepEqual(
      await read(['drawn.svg', 'many.svg', 'vast.svg', 'page.svg'], { commitSha }, [repository]),
      {
        'drawn.svg': { address: `data:image/svg+xml;base64,${Buffer.from(drawing).toString('base64')}` },
        'many.svg': { problem: 'otherType' },
        'vast.svg': { problem: 'otherType' },
        'page.svg': { problem: 'otherType' },
      },
    );
  });

  it('never lead out of the repository, and are nothing that git takes for a name', async () => {
    for (const bad of ['../a.png', '/etc/a.png', './a b.png', 'x/../a b.png']) {
      assert.deepEqual(await read([bad], { commitSha }, [repository]), { [bad]: { problem: 'missing' } });
    }
    assert.deepEqual(await read(['a b.png'], { commitSha: '--help' }, [repository]), {
      'a b.png': { problem: 'notOpen' },
    });
  });

  it('are not said to be missing where nobody could look for them', async () => {
    const other = '1'.repeat(40);
    assert.deepEqual(await read(['a b.png'], { commitSha }, []), { 'a b.png': { problem: 'notOpen' } });
    assert.deepEqual(await read(['a b.png'], { commitSha: other }, [repository]), {
      'a b.png': { problem: 'notOpen' },
    });
    assert.deepEqual(await read(['a b.png'], { commitSha }, [], false), {
      'a b.png': { problem: 'untrusted' },
    });
  });

  it('are read by the id of their content, and from the diff where there is no git', async () => {
    const newFileSha = git(folder, 'rev-parse', 'HEAD:a b.png').trim();
    const file = { sectionType: 'diff' as const, code: 'a', identifier: 'new.png', newPath: 'new.png' };
    assert.deepEqual(await read(['new.png'], { sections: [{ ...file, newFileSha }] }, [repository]), {
      'new.png': { address },
    });
    const empty = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
    const diffPatch = git(folder, 'diff', '--binary', empty, 'HEAD', '--', 'a b.png');
    assert.deepEqual(await read(['new.png'], { sections: [{ ...file, diffPatch }] }, []), {
      'new.png': { address },
    });
  });

  it('are named relative to the root, and nothing with a scheme or a host is one', () => {
    assert.deepEqual(['docs/a%20b.png', './a.png', '/a.png', 'a.png?raw=true', '../a.png'].map(imagePath), [
      'docs/a b.png',
      'a.png',
      'a.png',
      'a.png',
      '../a.png',
    ]);
    for (const elsewhere of [
      'https://example.org/a.png',
      '//example.org/a.png',
      'data:x',
      'file:a',
      '',
      '#a',
      '%ff',
    ]) {
      assert.equal(imagePath(elsewhere), undefined, elsewhere);
    }
  });
});
