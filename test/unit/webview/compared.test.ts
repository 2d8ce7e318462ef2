/** A patch that is compared with another version of it, as its page shows it. */
import assert from 'node:assert/strict';
import type { ComparisonView, SectionComparison, SectionView } from '../../../src/protocol/patchDocument.ts';
import { patchAsText } from '../../../src/webview/patchDocument/patchAsText.ts';
import {
  isChangeByItself,
  isShownWhole,
  withComparison,
} from '../../../src/webview/patchDocument/reading/compared.ts';
import { comparedText, summaryText } from '../../../src/webview/patchDocument/reading/comparisonTexts.ts';
import { isFolded } from '../../../src/webview/patchDocument/reading/reading.ts';
import { patchView } from '../../support/patchPage.ts';

const since = '--- a\n+++ b\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n-- three\n+++ three\n';
const whole = `diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,9 +1,9 @@\n${'+line\n'.repeat(9)}`;
const became = (part: Partial<SectionComparison>): SectionComparison => ({
  verdict: 'same',
  isMoved: false,
  isFolded: part.verdict === undefined || part.verdict === 'same' || part.verdict === 'rebased',
  wasRead: true,
  ...part,
});
const file = (code: string): SectionView => ({
  type: 'diff',
  code,
  path: `${code}.ts`,
  added: 9,
  deleted: 0,
  diff: whole,
  diffLength: whole.length,
  diffLines: 13,
});
const text = (code: string): SectionView => ({ type: 'text', code, text: 'One two four.' });
const comparison: ComparisonView = {
  with: { kind: 'lastRead', number: '1' },
  verdict: 'changed',
  isFromDiffs: false,
  sections: {
    changed: became({ verdict: 'changed', diff: since, baseLines: [[1, 1]] }),
    rebased: became({ verdict: 'rebased' }),
    unread: became({ verdict: 'changed', wasRead: false }),
    prose: became({ verdict: 'changed', textBefore: 'One two three.', isMoved: true }),
    stays: became({}),
  },
  removed: [{ kind: 'text', text: 'Goes away.', after: null }],
};
const sections = [file('changed'), file('rebased'), file('unread'), text('prose'), text('stays')];
const patch = { ...patchView(sections), sections, comparison };

describe('a patch that is compared', () => {
  const shown = withComparison(patch);
  const at = (code: string): SectionView => {
    const section = shown.sections.find((one) => one.code === code);
    assert.ok(section);
    return section;
  };

  it('has of a file what changed since, and of the others what they are', () => {
    const changed = at('changed');
    assert.ok(changed.type === 'diff');
    const { diff, diffLength, diffLines, added, deleted } = changed;
    assert.deepEqual([diff, diffLength, diffLines, added, deleted], [since, since.length, 8, 2, 2]);
    for (const code of ['rebased', 'unread']) {
      const section = at(code);
      assert.equal(section.type === 'diff' && section.diff, whole);
    }
  });

  it('is the same again when nothing of it is another, so that nothing is drawn or searched anew', () => {
    const again = withComparison({ ...patch, title: 'Another' });
    assert.equal(again.sections, shown.sections);
    const [first, ...others] = sections;
    const edited = withComparison({
      ...patch,
      sections: [{ ...first, code: 'changed' } as SectionView, ...others],
    });
    assert.notEqual(edited.sections[0], shown.sections[0]);
    assert.equal(edited.sections[1], shown.sections[1]);
    assert.equal(withComparison({ ...patch, sections: patch.sections }).sections, shown.sections);
  });

  it('folds what did not change, until the person opens it', () => {
    const state = {
      folded: new Map<string, boolean>(),
      ticked: new Set<string>(),
      generated: new Set<string>(),
    };
    const folded = (over = state): string[] =>
      shown.sections.filter((section) => isFolded(section, over)).map(({ code }) => code);
    assert.deepEqual(folded(), ['rebased', 'stays']);
    assert.deepEqual(folded({ ...state, folded: new Map([['stays', false]]) }), ['rebased']);
  });

  it('goes to what changed as a whole, and not to what is told line by line', () => {
    assert.deepEqual(
      shown.sections.filter(isChangeByItself).map(({ code }) => code),
      ['prose'],
    );
  });

  it('takes for seen what is shown whole, and what changed of what was read', () => {
    assert.ok(shown.sections.every(isShownWhole));
    const of = withComparison({
      ...patch,
      comparison: {
        ...comparison,
        sections: { changed: became({ verdict: 'changed', diff: since, wasRead: false }) },
      },
    });
    assert.deepEqual(
      of.sections.map((section) => isShownWhole(section)),
      [false, true, true, true, true],
    );
  });

  it('says what became of each section, and of all of them', () => {
    assert.deepEqual(
      shown.sections.map((section) => comparedText(section)),
      ['changed since then', 'only rebased', 'changed, unread', 'changed since then, moved', 'read'],
    );
    assert.equal(summaryText(comparison), 'Sections: 3 changed, 1 removed, 1 moved, 1 only rebased, 1 read.');
    assert.equal(summaryText({ ...comparison, verdict: 'unchanged' }), 'Nothing changed.');
  });

  it('says from where and to where something was moved, if that is all that changed', () => {
    const place = (path: string, line: number) => ({ path, line });
    const moved = [
      { from: place('src/a.ts', 3), to: place('src/a.ts', 20) },
      { from: place('a\u202e', 1), to: place('b', 2) },
    ];
    const sections = { prose: became({ verdict: 'changed' }) };
    const one: ComparisonView = { ...comparison, sections, removed: [], moved: moved.slice(0, 1) };
    assert.equal(summaryText(one), 'Only moved: from src/a.ts:3 to src/a.ts:20. Sections: 1 changed.');
    assert.match(
      summaryText({ ...one, moved }),
      /^Only moved: from src\/a\.ts:3 to src\/a\.ts:20, from a:1 to b:2\. /,
    );
    const many = Array.from({ length: 11 }, () => moved[0]!);
    assert.match(summaryText({ ...one, moved: many }), /(from \S+ to \S+, ){10}…\. Sections/);
    assert.doesNotMatch(summaryText({ ...one, moved: many.slice(1) }), /…/);
    for (const not of [
      { ...one, moved: [] },
      { ...comparison, sections },
      { ...one, verdict: 'rebased' as const },
    ]) {
      assert.doesNotMatch(summaryText(not), /moved: from/i);
    }
  });

  it('says of diffs that are alike no more than that', () => {
    const alike: ComparisonView = {
      ...comparison,
      verdict: 'unchanged',
      isFromDiffs: true,
      sections: { prose: became({}), rebased: became({ verdict: 'same', isFromDiffs: true }) },
      removed: [],
    };
    assert.equal(summaryText(alike), 'Alike as far as the diffs show.');
    assert.equal(
      summaryText({ ...alike, verdict: 'changed' }),
      'Sections: 1 read, 1 alike as far as the diffs show.',
    );
    assert.equal(
      summaryText({
        ...alike,
        verdict: 'rebased',
        sections: { ...alike.sections, stays: became({ verdict: 'rebased' }) },
      }),
      'Alike as far as the diffs show. Sections: 1 only rebased, 1 read, 1 alike as far as the diffs show.',
    );
    const text = (of: Partial<SectionComparison>): string =>
      comparedText({ ...file('rebased'), compared: became(of) });
    assert.equal(text({ isFromDiffs: true }), 'alike as far as the diffs show');
    assert.equal(text({}), 'read');
    assert.equal(text({ wasRead: false }), 'unchanged');
    assert.equal(text({ wasRead: false, isFolded: false }), 'unread');
    assert.equal(text({ wasRead: false, isFolded: false, verdict: 'rebased' }), 'unread');
  });

  it('is told as text without what did not change', async () => {
    const { text: told } = await patchAsText(shown, shown.sections, new Map(), undefined);
    assert.match(told, /Compared with version 1, which you last read\. Sections: 3 changed/);
    assert.match(told, /Removed since then: /);
    assert.match(
      told,
      /Section 1 of 5: changed\.ts \(changed since then\)\nline 1: one\nremoved, line 2: two/,
    );
    assert.match(told, /Section 2 of 5: rebased\.ts \(only rebased\)\n\nSection 3/);
    assert.match(told, /One two four\.\n\nRemoved: three\nAdded: four/);
    assert.match(told, /Section 5 of 5: [^\n]* \(read\)\n$/);
  });
});
