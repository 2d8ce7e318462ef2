import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Patch, PatchSection } from '../../../src/api/types/patches.ts';
import type { Model } from '../../../src/model/model.ts';
import type { PendingChange } from '../../../src/model/pending/pendingChange.ts';
import { Readings } from '../../../src/model/reading/readings.ts';
import { findStale, noteStillTrue, StaleTexts, type StaleContext } from '../../../src/patch/staleTexts.ts';

const ref = { projectId: '1', branchId: 'topic', stackUuid: 'v2', changeId: 'I1' };
const patch = (version: string, text: string, added: string): Patch => {
  const sections: PatchSection[] = [
    { sectionType: 'text', code: 'text', identifier: 'text', text },
    {
      sectionType: 'diff',
      code: 'file',
      identifier: 'a.ts',
      newPath: 'a.ts',
      diffPatch: `@@ -3,2 +3,3 @@\n before\n+${added}\n after\n`,
    },
  ];
  return { changeId: 'I1', version, contributors: [], sections };
};
const written = patch('1', 'Why.', 'one');
const typed: PendingChange = {
  id: '1',
  subject: { kind: 'sectionText', patch: ref, code: 'text' },
  content: { base: 'Why.', text: 'Why now.' },
  title: '',
  state: 'editing',
  startedAt: '',
  changedAt: '',
};

const unasked = (): never => {
  throw new Error('Nobody is to be asked.');
};

describe('texts that are older than their code', () => {
  let folder: string;
  let readings: Readings;
  let told: PromiseWithResolvers<void>;
  let stale: StaleTexts;
  const context = (): StaleContext => {
    const model = {
      located: () => ref,
      stackOfPatch: async () => ({ stack: { uuid: 'v2', createdAt: '2' }, patches: [] }),
      stacks: async () => ({ value: [{ uuid: 'v1', branchId: 'topic', createdAt: '1' }] }),
      patchUnopened: async () => written,
    } as unknown as Model;
    return { model, readings: async () => readings };
  };
  const start = (): void => {
    stale = new StaleTexts(context(), () => told.resolve());
    stale.begin();
  };
  /** The marks of a patch, once they are others. */
  const marks = async (now: Patch, changes: readonly PendingChange[] = []) => {
    told = Promise.withResolvers();
    stale.view(ref, now, changes);
    await told.promise;
    return stale.view(ref, now, changes);
  };

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'stale-texts-'));
    readings = new Readings({ folder, limit: () => 1e6, onFailure: (error) => assert.ifError(error) });
    start();
  });
  afterEach(async () => {
    stale.dispose();
    readings.dispose();
    await rm(folder, { recursive: true });
  });

  const marked = {
    text: { number: '1', files: [{ path: 'a.ts', kind: 'changed', code: 'file', line: 4 }], more: 0 },
  };

  it('are marked with what has changed, until they are written anew', async () => {
    const now = patch('2', 'Why.', 'two');
    assert.deepEqual(await marks(now), marked);
    assert.equal(stale.find('text')?.stackUuid, 'v1');
    assert.equal(await marks(now, [typed]), undefined);
    assert.deepEqual(await marks(now), marked);
  });

  it('are not marked any more once they are said to be true, on this computer, until the code changes again', async () => {
    const now = patch('2', 'Why.', 'two');
    await marks(now);
    const [found, ...others] = await findStale(context(), ref, now, []);
    assert.ok(found);
    assert.deepEqual(others, []);
    assert.deepEqual(await findStale(context(), ref, now, [], 'another'), []);
    await noteStillTrue(context(), ref, found);
    assert.deepEqual(await findStale(context(), ref, now, []), []);
    stale.drop('text');
    assert.equal(stale.view(ref, now, []), undefined);
    start();
    assert.deepEqual(await marks(patch('2', 'Why.', 'three')), marked);
    // A reading is noted beside it.
    await readings.note({ projectId: '1', branchId: 'topic' }, now, ['text'], { seen: true });
    assert.equal(await marks(now), undefined);
  });

  it('are not looked for before the document is drawn', async () => {
    const waiting = new StaleTexts(
      { model: { located: unasked } as unknown as Model, readings: unasked },
      unasked,
    );
    assert.equal(waiting.view(ref, patch('2', 'Why.', 'two'), []), undefined);
    waiting.dispose();
  });
});
