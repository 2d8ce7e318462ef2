import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Patch, PatchSection } from '../../../src/api/types/patches.ts';
import type { PendingChanges, SentChange } from '../../../src/model/pending/pendingChanges.ts';
import { Readings } from '../../../src/model/reading/readings.ts';
import { followWriting } from '../../../src/unsent/followWriting.ts';
import { Emitter } from '../../../src/util/event.ts';
import { until } from '../../support/until.ts';

const ref = { stackUuid: 's', changeId: 'I1' };
const stack = { projectId: '1', branchId: 'topic' };
const text = (code: string, content: string): PatchSection => ({
  sectionType: 'text',
  code,
  identifier: code,
  text: content,
});
const patch = (...sections: PatchSection[]): Patch => ({
  changeId: 'I1',
  title: 'Title',
  contributors: [],
  sections,
});

describe('what the person has written', () => {
  let folder: string;
  let readings: Readings;
  let known: Patch | undefined;
  let noted: number;
  const sent = new Emitter<SentChange>();
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'patch-stacks-written-'));
    readings = new Readings({
      folder,
      limit: () => 1_000_000,
      onFailure: (error) => assert.fail(String(error)),
    });
    noted = 0;
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Has read a patch, and changes it; tells how far it is read then. */
  async function write(
    before: Patch,
    after: Patch,
    change: SentChange['change'],
  ): Promise<string | undefined> {
    await readings.note(
      stack,
      before,
      (before.sections ?? []).map(({ code }) => code),
      { seen: true },
    );
    const following = followWriting(
      { onDidSend: sent.event } as Pick<PendingChanges, 'onDidSend'> as PendingChanges,
      { knownContent: () => known, located: (of) => ({ ...of, ...stack }) },
      async () => ({
        noteWritten: async (...args) => {
          await readings.noteWritten(...args);
          noted += 1;
        },
      }),
      { warn: (message: string) => assert.fail(message) } as never,
    );
    known = after;
    sent.fire({ id: '', title: '', change });
    await until(async () => noted === 1);
    following.dispose();
    return (await readings.states(stack, [after]))[0]?.state;
  }

  it('is read by them: a text, a new one, one that is gone, and the order', async () => {
    const [a, b, c] = [text('a', 'one'), text('b', 'two'), text('c', 'three')];
    const written = text('a', 'another');
    assert.equal(
      await write(patch(a, b), patch(written, b), {
        kind: 'sectionText',
        patch: ref,
        code: 'a',
        before: 'one',
        after: 'another',
      }),
      'read',
    );
    noted = 0;
    assert.equal(
      await write(patch(a, b), patch(a, b, c), {
        kind: 'newSection',
        patch: ref,
        code: 'c',
        text: 'three',
        follows: 'b',
      }),
      'read',
    );
    noted = 0;
    assert.equal(
      await write(patch(a, b, c), patch(a, c), {
        kind: 'sectionDeletion',
        patch: ref,
        code: 'b',
        text: 'two',
        follows: 'a',
      }),
      'read',
    );
    noted = 0;
    assert.equal(
      await write(patch(a, b, c), patch(c, a, b), {
        kind: 'sectionOrder',
        patch: ref,
        before: ['a', 'b', 'c'],
        after: ['c', 'a', 'b'],
        sections: [],
      }),
      'read',
    );
    assert.deepEqual(
      await readings.earlierVersions(stack, patch(c, a, b)).then(({ lastRead }) => lastRead?.number),
      undefined,
    );
  });

  it('hides nothing that somebody else has changed before', async () => {
    const [a, b] = [text('a', 'one'), text('b', 'two')];
    const theirs = text('b', 'of somebody else');
    assert.equal(
      await write(patch(a, b), patch(text('a', 'another'), theirs), {
        kind: 'sectionText',
        patch: ref,
        code: 'a',
        before: 'one',
        after: 'another',
      }),
      'changed',
    );
  });

  it('is told in the log where it can not be kept, and is not looked for where nobody knows the patch', async () => {
    const warnings: string[] = [];
    let asked = 0;
    const following = followWriting(
      { onDidSend: sent.event } as Pick<PendingChanges, 'onDidSend'> as PendingChanges,
      { knownContent: () => known, located: (of) => ({ ...of, ...stack }) },
      async () => {
        asked += 1;
        throw new Error('no space left');
      },
      { warn: (message: string) => void warnings.push(message) } as never,
    );
    const change = { kind: 'sectionText', patch: ref, code: 'a', before: 'one', after: 'two' } as const;
    known = undefined;
    sent.fire({ id: '', title: '', change });
    known = { ...patch(), sections: undefined } as unknown as Patch;
    sent.fire({ id: '', title: '', change });
    sent.fire({ id: '', title: '', change: { kind: 'form', form: 'profile' } as never });
    assert.equal(asked, 0);
    known = patch(text('a', 'two'));
    sent.fire({ id: '', title: '', change });
    await until(async () => warnings.length > 0);
    assert.deepEqual(warnings, ['What was written could not be noted: Error: no space left']);
    assert.equal(asked, 1);
    following.dispose();
  });
});
