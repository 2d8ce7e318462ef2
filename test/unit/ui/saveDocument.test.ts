import assert from 'node:assert/strict';
import { saveDocument } from '../../../src/ui/saveDocument.ts';

/** Saves a document whose saves end as given. @returns whether it is saved, and how many were not asked for. */
async function save(...outcomes: boolean[]): Promise<[isSaved: boolean, left: number]> {
  const isSaved = await saveDocument({ save: async () => outcomes.shift() ?? false });
  return [isSaved, outcomes.length];
}

describe('a document that is saved', () => {
  it('is saved once', async () => {
    assert.deepEqual(await save(true, true), [true, 1]);
  });

  it('is saved also where VS Code was just saving the text before', async () => {
    assert.deepEqual(await save(false, true), [true, 0]);
  });

  it('is not where it cannot be, and then not tried for ever', async () => {
    assert.deepEqual(await save(false, false, true), [false, 1]);
  });
});
