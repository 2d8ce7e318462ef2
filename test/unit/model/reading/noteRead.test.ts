import assert from 'node:assert/strict';
import { comparePatches } from '../../../../src/model/reading/comparePatches.ts';
import { withRead, withReview, type NewlyRead } from '../../../../src/model/reading/noteRead.ts';
import type { PatchVersion } from '../../../../src/model/reading/patchVersion.ts';
import type { StackRecord } from '../../../../src/model/reading/readingRecords.ts';
import { readingStates, type PatchReading } from '../../../../src/model/reading/readingStates.ts';
import { type CurrentPatch, lastReadOf } from '../../../../src/model/reading/lastRead.ts';
import { outcomeOf } from '../../../../src/model/reading/outcome.ts';
import { shownStack, StackMaker } from '../../../support/modelStack.ts';
import { Random } from '../../../support/random.ts';

const nothing: StackRecord = { patches: [], elsewhere: [] };

/** A patch of texts: each is a section. */
const patch = (changeId: string, texts: readonly string[]): CurrentPatch => ({
  version: {
    changeId,
    title: changeId,
    message: '',
    sections: texts.map((text) => ({ kind: 'text', code: text, text })),
    files: [],
  },
  fingerprint: JSON.stringify([changeId, texts]),
});
const seen = (of: CurrentPatch, ...sections: number[]): NewlyRead => ({
  patch: of,
  sections: new Set(sections),
  mark: { seen: true },
  at: 1,
});
const reckon = (record: StackRecord, ...current: CurrentPatch[]): PatchReading[] =>
  readingStates(
    record,
    current,
    current.map((now) => {
      const known = record.patches.find(({ changeId }) => changeId === now.version.changeId);
      const older = known && lastReadOf(known, now);
      // A fingerprint tells all that there is in these patches.
      const [changeId, texts] = older ? (JSON.parse(older.fingerprint) as [string, string[]]) : [];
      const was = changeId === undefined || !texts ? undefined : patch(changeId, texts).version;
      return was && outcomeOf(comparePatches(was, now.version)).since;
    }),
  );
const states = (record: StackRecord, ...current: CurrentPatch[]): string[] =>
  reckon(record, ...current).map(({ state }) => state);

describe('what was read of a patch', () => {
  const first = patch('I1', ['Why this is done', 'How it is done', 'What is left']);

  it('is noted section by section, and nothing is written where all was known', () => {
    const begun = withRead(nothing, seen(first, 0));
    assert.deepEqual(states(begun, first), ['partlyRead']);
    assert.equal(begun.patches[0]?.isPending, true);
    assert.equal(withRead(begun, seen(first, 0)), begun);
    const all = withRead(begun, seen(first, 1, 2));
    assert.deepEqual(states(all, first), ['read']);
    assert.deepEqual(
      reckon(all, first)[0]?.sections.map(({ isTicked }) => isTicked),
      [false, false, false],
    );
    const ticked = withRead(all, { ...seen(first, 1), mark: { viewed: true } });
    assert.deepEqual(
      reckon(ticked, first)[0]?.sections.map(({ isTicked }) => isTicked),
      [false, true, false],
    );
  });

  it('tells two sections apart that say the same', () => {
    const twice = patch('I1', ['Same words', 'Same words']);
    const record = withRead(nothing, { ...seen(twice, 1), mark: { viewed: true } });
    assert.deepEqual(
      reckon(record, twice)[0]?.sections.map(({ isTicked }) => isTicked),
      [false, true],
    );
  });

  it('stays noted in the next version, which is changed until all that is new in it was read', () => {
    const all = withRead(nothing, { ...seen(first, 0, 1, 2), snapshot: 'first' });
    const next = patch('I1', ['Why this is done', 'How it is done now', 'What is left']);
    assert.deepEqual(states(all, next), ['changed']);
    const begun = withRead(all, { ...seen(next, 0), snapshot: 'next' });
    assert.deepEqual(states(begun, next), ['changed']);
    assert.deepEqual(begun.patches[0]?.before?.snapshot, 'first');
    const whole = withRead(begun, seen(next, 1));
    assert.deepEqual(states(whole, next), ['read']);
    assert.equal(whole.patches[0]?.isPending, false);
    assert.equal(whole.patches[0].snapshot, 'next');
  });

  it('is compared with what was read of it, and not with a version that was only begun', () => {
    const versions = ['first', 'next', 'last'].map((word) =>
      patch('I1', ['Why this is done', `How: ${word}`]),
    );
    let record = withRead(nothing, { ...seen(versions[0]!, 0, 1), snapshot: 'first' });
    record = withRead(record, { ...seen(versions[1]!, 0), snapshot: 'next' });
    record = withRead(record, { ...seen(versions[2]!, 0), snapshot: 'last' });
    assert.equal(record.patches[0]?.before?.snapshot, 'first');
    record = withRead(record, seen(versions[2]!, 1));
    record = withRead(record, { ...seen(versions[0]!, 0), snapshot: 'first' });
    assert.equal(record.patches[0]?.before?.snapshot, 'last');
  });

  it('is known of a part that has gone into another patch, also after the rest of it was read again', () => {
    const all = withRead(nothing, seen(first, 0, 1, 2));
    const [rest, part] = [patch('I1', ['Why this is done']), patch('I2', ['How it is done', 'What is left'])];
    const again = withRead(all, seen(rest, 0));
    // Nobody has opened the other one yet.
    assert.deepEqual(states(again, rest, part), ['read', 'partlyRead']);
    assert.deepEqual(
      reckon(again, rest, part)[1]?.sections.map(({ isRead }) => isRead),
      [true, true],
    );
  });

  it('is kept of what is gone only where it was read: no one misses anything else', () => {
    const begun = withRead(nothing, seen(first, 1));
    const record = withRead(begun, seen(patch('I1', ['Something else']), 0));
    assert.deepEqual(
      record.elsewhere.map(({ mark }) => mark.seen),
      [true],
    );
    assert.deepEqual(states(record, patch('I2', ['How it is done'])), ['partlyRead']);
    assert.deepEqual(states(record, patch('I2', ['What is left'])), ['unread']);
  });

  it('is not taken for a copy of it while it is where it was', () => {
    const [next, copy] = [patch('I1', ['Why this is done', 'New']), patch('I2', ['Why this is done'])];
    const record = withRead(withRead(nothing, seen(first, 0, 1, 2)), seen(next, 0, 1));
    assert.deepEqual(states(record, next, copy), ['read', 'unread']);
  });

  it('has its version beside it as soon as there was room for that', () => {
    const without = withRead(nothing, seen(first, 0));
    assert.equal(withRead(without, { ...seen(first, 0), snapshot: 'one' }).patches[0]?.snapshot, 'one');
    const [kept] = withRead(
      withRead(nothing, { ...seen(first, 0), snapshot: 'one' }),
      seen(first, 1),
    ).patches;
    assert.equal(kept?.snapshot, 'one');
  });

  it('leaves what was signed off as it was, until that is taken back', () => {
    const said = { patch: first, number: '1', at: 1 };
    const signed = withReview(nothing, { ...said, review: 'signedOff' });
    const signedOff = (record: StackRecord): unknown => record.patches[0]?.signedOff;
    assert.deepEqual(signedOff(signed), { fingerprint: first.fingerprint, number: '1' });
    const next = patch('I1', ['Why this is done', 'New']);
    assert.deepEqual(signedOff(withRead(signed, seen(next, 0, 1))), signedOff(signed));
    const kept = withReview(signed, { ...said, review: 'signedOff', snapshot: 'one' });
    assert.deepEqual(signedOff(kept), { fingerprint: first.fingerprint, number: '1', snapshot: 'one' });
    assert.equal(withReview(kept, { ...said, review: 'signedOff', snapshot: 'one' }), kept);
    assert.equal(signedOff(withReview(kept, { ...said, review: 'changesRequested' })), undefined);
  });

  it('is never noted of what nobody has read, however stacks are rewritten while they are read', () => {
    let noted = 0;
    for (let seed = 0; seed < 150; seed += 1) {
      const random = new Random(seed);
      const maker = new StackMaker(random);
      let stack = maker.stack();
      let record = nothing;
      const read = new Set<number>();
      for (let turn = 0; turn < 4; turn += 1) {
        const shown = shownStack(stack);
        const current = shown.map(({ version }, index) => toCurrent(version, `${turn} ${index}`));
        readingStates(record, current, []).forEach(({ sections }, index) => {
          shown[index]!.version.sections.forEach((section, place) => {
            if (section.kind === 'diff' && sections[place]?.isRead) {
              const hunks = stack.hunks.filter(
                ({ patch: of, file }) => of === shown[index]!.version.changeId && file === section.path,
              );
              noted += hunks.length;
              for (const { id } of hunks) {
                assert.ok(read.has(id), `${seed}.${turn}: hunk ${id} was never read`);
              }
            }
          });
        });
        const chosen = random.pick(current)!;
        const sections = chosen.version.sections.flatMap((_, index) => (random.below(3) > 0 ? index : []));
        record = withRead(record, seen(chosen, ...sections), current);
        for (const index of sections) {
          const section = chosen.version.sections[index];
          stack.hunks
            .filter(({ patch: of }) => of === chosen.version.changeId)
            .filter(({ file }) => section?.kind === 'diff' && section.path === file)
            .forEach(({ id }) => read.add(id));
        }
        stack = maker.rewritten(stack);
      }
    }
    assert.ok(noted > 300, `${noted}`);
  });
});

function toCurrent(version: PatchVersion, fingerprint: string): CurrentPatch {
  return { version, fingerprint };
}
