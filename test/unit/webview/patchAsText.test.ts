/** The accessible view of a patch: all of it as plain text. */
import assert from 'node:assert/strict';
import type { PatchView, SectionView } from '../../../src/protocol/patchDocument.ts';
import { patchAsText } from '../../../src/webview/patchDocument/patchAsText.ts';

const diff = [
  'diff --git a/src/a.ts b/src/a.ts',
  '--- a/src/a.ts',
  '+++ b/src/a.ts',
  '@@ -1,3 +1,4 @@',
  ' one',
  '-two',
  '+  2  ',
  '+',
  ' three',
  '',
].join('\n');

const file = (part: Partial<SectionView> = {}): SectionView =>
  ({
    type: 'diff',
    code: 'f',
    path: 'src/a.ts',
    diffLength: diff.length,
    diffLines: 9,
    ...part,
  }) as SectionView;

const sections: SectionView[] = [
  { type: 'text', code: 't', text: '# Why\r\n\r\nBecause.\r\n' },
  file(),
  file({
    code: 'b',
    path: 'logo.png',
    oldSize: 446_464,
    newSize: 8_499,
    diff: 'diff --git a/logo.png b/logo.png\nBinary files differ\n',
  }),
  { type: 'unreadable', code: 'u', title: 'Odd' },
];

const patch = {
  title: 'Greet people',
  position: { stackTitle: 'Greetings', index: 2, count: 3 },
  authors: [{ name: 'Ada' }, { name: 'Bob' }],
  signedOff: [{ name: 'Cy' }],
  rejected: [],
  description: 'Described.',
  sections,
} as unknown as PatchView;

describe('a patch as text', () => {
  const diffs = new Map([['f', diff]]);

  it('says what the patch is, and what became of each line', async () => {
    const { text, line } = await patchAsText(patch, sections, diffs, undefined);
    assert.equal(line, 0);
    assert.equal(
      text,
      [
        'Greet people',
        'Patch 2 of 3: Greetings',
        'Authors: Ada, Bob',
        'Signed off by: Cy',
        '',
        'Described.',
        '',
        'Section 1 of 4: Why',
        '# Why',
        '',
        'Because.',
        '',
        'Section 2 of 4: src/a.ts',
        'line 1: one',
        'removed, line 2: two',
        'added, line 2:   2',
        'added, line 3: blank',
        'line 4: three',
        '',
        'Section 3 of 4: logo.png',
        'Binary file, 436 KB → 8.3 KB',
        '',
        'Section 4 of 4: Odd',
        'Couldn\'t read section "Odd".',
        '',
      ].join('\n'),
    );
  });

  it('says of lines that they were moved, where to and where from', async () => {
    const other = file({ code: 'g', path: 'lib/b.ts' });
    const { text } = await patchAsText(
      patch,
      [file(), other],
      new Map([
        ['f', diff],
        ['g', diff],
      ]),
      undefined,
      {
        f: [{ side: 'old', start: 2, count: 1, other: { code: 'g', line: 2 } }],
        g: [{ side: 'new', start: 2, count: 2, other: { code: 'f', line: 2 } }],
      },
    );
    const [, ofA = '', ofB = ''] = text.split(/^Section .*$/m);
    assert.match(ofA, /^removed, line 2: two, moved to b\.ts, line 2$/m);
    assert.match(ofA, /^added, line 3: blank$/m);
    assert.match(ofB, /^removed, line 2: two$/m);
    assert.match(ofB, /^added, line 2:   2, moved from a\.ts, line 2$/m);
    assert.match(ofB, /^added, line 3: blank, moved$/m);
    // Of a file that is compared, these would be the lines of another diff.
    const compared = { verdict: 'changed', isMoved: false, isFolded: false, wasRead: true, diff } as const;
    const moves = { f: [{ side: 'old' as const, start: 2, count: 1, other: { code: 'f', line: 2 } }] };
    const shown = await patchAsText(patch, [file({ compared })], new Map([['f', diff]]), undefined, moves);
    assert.match(shown.text, /^removed, line 2: two$/m);
  });

  it('begins where the person is: at a section, or at a line of its diff', async () => {
    const at = async (place: Parameters<typeof patchAsText>[3]): Promise<string | undefined> => {
      const { text, line } = await patchAsText(patch, sections, diffs, place);
      return text.split('\n')[line];
    };
    assert.equal(await at({ code: 't' }), 'Section 1 of 4: Why');
    assert.equal(await at({ code: 'f' }), 'Section 2 of 4: src/a.ts');
    assert.equal(await at({ code: 'f', line: { side: 'old', line: 2 } }), 'removed, line 2: two');
    assert.equal(await at({ code: 'f', line: { side: 'new', line: 2 } }), 'added, line 2:   2');
    assert.equal(await at({ code: 'f', line: { side: 'new', line: 4 } }), 'line 4: three');
    // A line that the text does not have, and a section that is gone.
    assert.equal(await at({ code: 'f', line: { side: 'new', line: 99 } }), 'Section 2 of 4: src/a.ts');
    assert.equal(await at({ code: 'gone' }), 'Greet people');
  });

  it('says nothing twice that the first section says', async () => {
    const same = { ...patch, description: '# Why\n\nBecause.' };
    const { text } = await patchAsText(
      same,
      [{ ...sections[0]!, text: '# Why\n\nBecause.\n' } as SectionView],
      diffs,
      undefined,
    );
    assert.equal(text.split('Because.').length, 3);
    const { text: once } = await patchAsText(
      { ...same, sections: [{ type: 'text', code: 't', text: '# Why\n\nBecause.\n' }] },
      sections.slice(0, 1),
      diffs,
      undefined,
    );
    assert.equal(once.split('Because.').length, 2);
  });
});
