import assert from 'node:assert/strict';
import type { StackChange } from '../../../src/model/reading/stackChange.ts';
import { changesSummary, changeText } from '../../../src/ui/readingTexts.ts';

const titles = { older: ['One', 'Two', 'Three'], newer: ['Un', 'Deux', 'Trois'] };
const change = (more: Partial<StackChange>): StackChange => ({
  isMoved: false,
  splitInto: [],
  joinedFrom: [],
  movedFrom: [],
  ...more,
});
const outcome = (since: NonNullable<StackChange['outcome']>['since'], isConflict?: true) => ({
  older: 0,
  newer: 0,
  outcome: { since, isCertain: true, ...(isConflict && { isConflict }) },
});

describe('the words for what became of a patch between two versions', () => {
  const texts: [StackChange, string][] = [
    [change(outcome('unchanged')), 'unchanged'],
    [change(outcome('rebased')), 'only rebased'],
    [change(outcome('changed')), 'changed'],
    [change(outcome('changed', true)), 'changed, conflict resolved'],
    [change(outcome('alike')), 'alike as far as the diffs show'],
    [change(outcome('unknown')), "can't be compared: no longer available"],
    [change({ ...outcome('changed'), splitInto: [2, 1] }), 'split into patch 1 "Un", patch 2 "Deux", patch 3 "Trois"'],
    [change({ older: 0, splitInto: [1, 2] }), 'split into patch 2 "Deux", patch 3 "Trois"'],
    [change({ newer: 2, splitFrom: 1 }), 'new (split from patch 2 "Two")'],
    [change({ ...outcome('changed'), joinedFrom: [1, 2] }), 'changed, merged from patch 2 "Two", patch 3 "Three"'],
    [change({ older: 2, joinedInto: 0 }), 'merged into patch 1 "Un"'],
    [change({ ...outcome('changed'), movedFrom: [{ older: 2, lines: 1 }] }), 'changed, 1 line moved from patch 3 "Three"'],
    [change({ newer: 1, movedFrom: [{ older: 2, lines: 5 }] }), 'new, 5 lines moved from patch 3 "Three"'],
    [change({ ...outcome('rebased'), newer: 2, isMoved: true }), 'only rebased, reordered (from 1 to 3)'],
    [change({ older: 1 }), 'dropped'],
    [change({ newer: 1 }), 'new'],
  ]; // prettier-ignore
  for (const [of, text] of texts) {
    it(`are ${text}`, () => assert.equal(changeText(of, titles), text));
  }

  it('count them all, what changed first', () => {
    const all = [...texts.map(([of]) => of), change(outcome('unchanged'))];
    assert.equal(
      changesSummary(all),
      '4 changed, 2 split, 1 merged, 1 dropped, 2 new, 1 reordered, 1 alike as far as the diffs show, 1 not compared, 2 only rebased, 2 unchanged',
    );
    assert.equal(changesSummary([change(outcome('unchanged'))]), '1 unchanged');
  });
});
