import assert from 'node:assert/strict';
import type { PatchSection } from '../../../src/api/types/patches.ts';
import { stackCoverage, writtenStack } from '../../../src/model/prose/stackCoverage.ts';
import { textsOf } from '../../support/patchVersions.ts';
import { nextUnexplained } from '../../../src/patch/nextUnexplained.ts';
import type { Whereabouts } from '../../../src/patch/stackPlaces.ts';

const file = (code: string, diffPatch: string): PatchSection => ({
  sectionType: 'diff',
  code,
  identifier: code,
  newPath: `${code}.ts`,
  diffPatch,
});
const text = (code: string, markdown: string): PatchSection => ({
  sectionType: 'text',
  code,
  identifier: code,
  text: markdown,
});
const two = '@@ -1,2 +1,3 @@\n context\n+added\n context\n@@ -20,3 +21,2 @@\n context\n-removed\n context\n';
const patch = (changeId: string, ...sections: PatchSection[]) => ({ changeId, contributors: [], sections });
const stack = [
  patch('a', file('a1', two), text('a2', 'About a3.ts.'), file('a3', two)),
  patch('b', text('b1', 'Why.'), file('b2', two)),
  patch('c', file('c1', 'old mode 100644\nnew mode 100755\n'), file('c2', two), text('c3', 'See c2.ts:2.')),
];

const walk = (from: Whereabouts, count: number): string[] => {
  const found: string[] = [];
  let here = from;
  for (let step = 0; step < count; step += 1) {
    const { changeId, sectionCode, line } = nextUnexplained(writtenStack(stack, []), here) ?? {};
    found.push(`${sectionCode ?? changeId ?? ''}${line ? `:${line.side} ${line.line}` : ''}`);
    here = { changeId, sectionCode, line };
  }
  return found;
};

describe('the next hunk that no prose explains', () => {
  it('is the next one in the patch, then in the patches after it, and then the first again', () => {
    assert.deepEqual(walk({}, 6), ['a1:new 2', 'a1:old 21', 'c1', 'c2:old 21', 'a1:new 2', 'a1:old 21']);
  });

  it('is the one after the line that has the focus', () => {
    const at = (line: number) => ({ changeId: 'a', sectionCode: 'a1', line: { side: 'new', line } as const });
    assert.deepEqual(walk(at(1), 1), ['a1:new 2']);
    assert.deepEqual(walk(at(2), 1), ['a1:old 21']);
    assert.deepEqual(walk({ changeId: 'b', sectionCode: 'b2' }, 1), ['c1']);
  });

  it('is none when every hunk is explained', () => {
    assert.equal(nextUnexplained(writtenStack(stack.slice(1, 2), []), {}), undefined);
  });

  it('is one of those that are counted, with what the author has typed', async () => {
    const model = {
      ...textsOf(patch('a')).model,
      patchUnopened: async ({ changeId }: { changeId: string }) =>
        stack.find((one) => one.changeId === changeId) ?? assert.fail(),
    };
    const counts = async (...changes: Parameters<typeof writtenStack>[1]) => [
      ...(await stackCoverage(model, { stackUuid: 'stack' }, stack, changes)),
    ];
    assert.deepEqual(await counts(), [
      ['a', { hunks: 4, explained: 2 }],
      ['b', { hunks: 2, explained: 2 }],
      ['c', { hunks: 3, explained: 1 }],
    ]);
    const typed = {
      id: '1',
      subject: { kind: 'newSection', patch: { stackUuid: 'older', changeId: 'c' }, key: 'new' },
      content: { text: 'Why.', after: 'c1' },
      title: '',
      state: 'editing',
      startedAt: '',
      changedAt: '',
    } as const;
    assert.deepEqual((await counts(typed))[2], ['c', { hunks: 3, explained: 2 }]);
  });
});
