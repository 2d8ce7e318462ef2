import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { keepStackText, readKeptStackText, type KeptStackText } from '../../../src/stacks/keptStackText.ts';

describe('the texts that the files of stacks were made of', () => {
  let parent: string;
  let folder: string;
  const kept: KeptStackText = {
    place: { serverUrl: 'https://one.example/api/', projectId: 'P', branchId: 'feature', stackUuid: 'S' },
    base: {
      title: 'Feature',
      description: 'Why.',
      patches: [
        {
          changeId: 'C',
          title: 'One',
          sections: [
            { kind: 'text', code: 't', identifier: 'Text', text: 'Words.', isNew: true },
            { kind: 'text', code: 'u', identifier: 'Text', text: 'Words.' },
            { kind: 'fixed', code: 'f', identifier: 'a.ts', lineCount: 3, print: 'p' },
          ],
        },
      ],
    },
  };

  beforeEach(() => {
    parent = mkdtempSync(path.join(tmpdir(), 'patch-stacks-kept-texts-'));
    folder = path.join(parent, 'texts');
  });

  afterEach(() => rmSync(parent, { recursive: true, force: true }));

  it('come back as they were, also without a branch, for nobody but the person', async () => {
    await keepStackText(folder, 'a', kept);
    const { branchId, ...place } = kept.place;
    assert.equal(branchId, 'feature');
    await keepStackText(folder, 'b', { ...kept, place });
    assert.deepEqual(await readKeptStackText(folder, 'a'), kept);
    assert.deepEqual(await readKeptStackText(folder, 'b'), { ...kept, place });
    if (process.platform !== 'win32') {
      assert.equal(statSync(folder).mode & 0o777, 0o700);
    }
  });

  it('are none where nothing was kept, or something else', async () => {
    assert.equal(await readKeptStackText(folder, 'a'), undefined);
    await keepStackText(folder, 'a', kept);
    const [patch] = kept.base.patches;
    const [text] = patch?.sections ?? [];
    const others: unknown[] = [
      '',
      {},
      { ...kept, place: { ...kept.place, stackUuid: 1 } },
      { ...kept, base: { ...kept.base, title: undefined } },
      { ...kept, base: { ...kept.base, patches: [{ ...patch, sections: [{ ...text, kind: 'other' }] }] } },
      { ...kept, base: { ...kept.base, patches: [{ ...patch, sections: [{ ...text, isNew: 1 }] }] } },
    ];
    for (const other of others) {
      writeFileSync(path.join(folder, 'a.json'), typeof other === 'string' ? other : JSON.stringify(other));
      assert.equal(await readKeptStackText(folder, 'a'), undefined, JSON.stringify(other));
    }
  });

  it('are those of the twenty files that were opened last; other files stay', async () => {
    for (let number = 0; number < 20; number++) {
      await keepStackText(folder, `n${number}`, kept);
      const at = new Date(2026, 0, 1, 0, (number * 7) % 20);
      utimesSync(path.join(folder, `n${number}.json`), at, at);
    }
    writeFileSync(path.join(folder, 'other.txt'), '');
    utimesSync(path.join(folder, 'other.txt'), 0, 0);
    const names = (): string[] => readdirSync(folder).sort();
    const before = names();
    // Once more is no other file.
    await keepStackText(folder, 'n3', kept);
    assert.deepEqual(names(), before);
    await keepStackText(folder, 'new', kept);
    assert.deepEqual(names(), [...before.filter((name) => name !== 'n0.json'), 'new.json'].sort());
  });
});
