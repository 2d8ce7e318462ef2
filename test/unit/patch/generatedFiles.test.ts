import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { repositoryAt } from '../../../src/git/repository.ts';
import { generatedFiles } from '../../../src/patch/generatedFiles.ts';
import { git } from '../../support/exampleRepository.ts';

describe('files that the attributes of a repository call generated', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'generated-files-'));
    git(folder, 'init', '--quiet');
    writeFileSync(
      path.join(folder, '.gitattributes'),
      'api/** linguist-generated\n*.snap linguist-generated=true\napi/own.ts -linguist-generated\n',
    );
  });
  after(() => rmSync(folder, { recursive: true }));

  const find = (paths: string[]) =>
    generatedFiles(
      paths.map((newPath) => ({ sectionType: 'diff', code: newPath, identifier: newPath, newPath })),
      [repositoryAt('git', `${folder}-gone`), repositoryAt('git', folder)],
      new AbortController().signal,
    );

  it('are found by all that git knows of attributes', async () => {
    assert.deepEqual(await find(['api/a b.ts', 'api/own.ts', 'src/a.ts', 'src/a.snap']), [
      'api/a b.ts',
      'src/a.snap',
    ]);
  });

  it('are none where nothing is asked, or a path leads out of it', async () => {
    assert.deepEqual(await find([]), []);
    assert.deepEqual(await find(['../a.snap']), []);
  });
});
