import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import {
  makeFile,
  ReadingRecords,
  type PatchRecord,
  type StackRecord,
} from '../../../../src/model/reading/readingRecords.ts';
import type { StackName } from '../../../../src/model/reading/stackName.ts';

const stack: StackName = { projectId: '1', branchId: 'topic' };
const other: StackName = { projectId: '1', branchId: 'other' };
const patch = (changeId: string, more: Partial<PatchRecord> = {}): PatchRecord => ({
  changeId,
  fingerprint: `print of ${changeId}`,
  wording: 'words',
  content: 'all of it',
  hunks: [
    {
      print: { patch: changeId, path: 'a', lines: 'l', before: ['+b'], after: [], isTelling: true },
      mark: { seen: true, viewed: false },
    },
  ],
  isPending: false,
  readAt: 1,
  ...more,
});
const adding =
  (record: PatchRecord) =>
  ({ patches, elsewhere }: StackRecord): StackRecord => ({ patches: [...patches, record], elsewhere });

describe('the records of what was read', () => {
  let folder: string;
  let failures: unknown[];
  let records: ReadingRecords;

  beforeEach(async () => {
    folder = path.join(await mkdtemp(path.join(tmpdir(), 'patch-stacks-records-')), 'records');
    failures = [];
    records = new ReadingRecords(folder, (error) => failures.push(error));
  });

  afterEach(() => rm(path.dirname(folder), { recursive: true }));

  const again = (): ReadingRecords => new ReadingRecords(folder, (error) => failures.push(error));
  const files = async (): Promise<string[]> => (await readdir(folder)).toSorted();

  it('are there in the next window, for each stack its own', async () => {
    assert.deepEqual(await records.read(stack), { patches: [], elsewhere: [] });
    await records.update(stack, adding(patch('I1')));
    assert.deepEqual(await records.update(stack, adding(patch('I2'))), {
      patches: [patch('I1'), patch('I2')],
      elsewhere: [],
    });
    await records.update(other, adding(patch('I3')));
    assert.deepEqual(await again().read(stack), { patches: [patch('I1'), patch('I2')], elsewhere: [] });
    assert.deepEqual(await again().read(other), { patches: [patch('I3')], elsewhere: [] });
    assert.equal((await files()).length, 2);
    assert.deepEqual(failures, []);
  });

  it('lose nothing when several windows write at once', async function () {
    this.timeout(60_000);
    const windows = ['a', 'b', 'c'].map((name) =>
      fork(path.join(import.meta.dirname, '../../../support/markingProcess.ts'), [folder, name, '20'], {
        execArgv: ['--disable-warning=ExperimentalWarning'],
      }),
    );
    const codes = await Promise.all(windows.map((window) => once(window, 'exit')));
    assert.deepEqual(
      codes.map(([code]) => code as number),
      [0, 0, 0],
    );
    const { patches } = await records.read(stack);
    assert.equal(new Set(patches.map(({ changeId }) => changeId)).size, 60);
    assert.equal((await files()).length, 1);
  });

  it('are made anew when others were written and cleaned up meanwhile', async () => {
    await records.update(stack, adding(patch('I1')));
    let isFirst = true;
    // Two windows are faster: the number that this one has chosen is free again.
    const slow = new ReadingRecords(
      folder,
      (error) => failures.push(error),
      async (file, text) => {
        if (isFirst) {
          isFirst = false;
          await again().update(stack, adding(patch('I2')));
          await again().update(stack, adding(patch('I3')));
        }
        return makeFile(file, text);
      },
    );
    await slow.update(stack, adding(patch('I4')));
    const ids = (await again().read(stack)).patches.map(({ changeId }) => changeId);
    assert.deepEqual(ids, ['I1', 'I2', 'I3', 'I4']);
  });

  it('are as good as missing when they are damaged, whatever is in them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.string(), fc.json(), fc.constant('{"format":1,"record":{"patches":{}}}')),
        async (text) => {
          await records.update(stack, adding(patch('I1')));
          const [name = ''] = await files();
          await writeFile(path.join(folder, name), text);
          assert.deepEqual(await again().read(stack), { patches: [], elsewhere: [] });
          assert.deepEqual(await again().update(stack, () => ({ patches: [], elsewhere: [] })), {
            patches: [],
            elsewhere: [],
          });
        },
      ),
      { numRuns: 20 },
    );
    await records.update(stack, adding(patch('I2')));
    assert.deepEqual((await again().read(stack)).patches.length, 1);
    assert.deepEqual(failures, []);
  });

  it('stay as they were when they cannot be written, and that is said once', async () => {
    let isFull = false;
    const full = new ReadingRecords(
      folder,
      (error) => failures.push(error),
      async (file, text) => {
        if (isFull) {
          throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
        }
        return makeFile(file, text);
      },
    );
    await full.update(stack, adding(patch('I1')));
    isFull = true;
    assert.deepEqual(await full.update(stack, adding(patch('I2'))), {
      patches: [patch('I1')],
      elsewhere: [],
    });
    await full.update(stack, adding(patch('I3')));
    assert.equal(failures.length, 1);
    isFull = false;
    await full.update(stack, adding(patch('I4')));
    isFull = true;
    await full.update(stack, adding(patch('I5')));
    assert.equal(failures.length, 2);
    assert.deepEqual((await again().read(stack)).patches.length, 2);
  });

  it('name the snapshots of what is still to be read', async () => {
    await records.update(stack, adding(patch('I1', { snapshot: 'a', isPending: true })));
    await records.update(stack, adding(patch('I2', { snapshot: 'b' })));
    await records.update(other, adding(patch('I3', { snapshot: 'c', isPending: true })));
    assert.deepEqual(await again().neededSnapshots(), new Set(['a', 'c']));
  });

  it('name the snapshots of what was signed off', async () => {
    await records.update(stack, adding(patch('I1', { signedOff: { fingerprint: 'f', snapshot: 'a' } })));
    await records.update(stack, adding(patch('I2', { signedOff: { fingerprint: 'g' }, snapshot: 'b' })));
    await records.update(other, adding(patch('I3', { signedOff: { fingerprint: 'h', snapshot: 'c' } })));
    assert.deepEqual(await again().signedOffSnapshots(), new Set(['a', 'c']));
  });
});
