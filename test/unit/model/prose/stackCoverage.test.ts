import assert from 'node:assert/strict';
import type { DiffSection, Patch, PatchSection } from '../../../../src/api/types/patches.ts';
import type { PendingChange } from '../../../../src/model/pending/pendingChange.ts';
import { stackCoverage, writtenStack } from '../../../../src/model/prose/stackCoverage.ts';
import { textsOf } from '../../../support/patchVersions.ts';

const stack = { projectId: '1', branchId: 'topic', stackUuid: 'shown' };
const text = (code: string, markdown: string): PatchSection => ({
  sectionType: 'text',
  code,
  identifier: code,
  text: markdown,
});
const hunkAt = (line: number): string => `@@ -${line},2 +${line},3 @@\n before\n+line ${line}\n after\n`;
const file = (path: string, ...lines: number[]): DiffSection => ({
  sectionType: 'diff',
  code: path,
  identifier: path,
  oldPath: path,
  newPath: path,
  diffPatch: lines.map(hunkAt).join(''),
});
const patch = (changeId: string, sections?: PatchSection[], version = '1'): Patch => ({
  changeId,
  contributors: [],
  version,
  ...(sections && { sections }),
});
const typed = (changeId: string, code: string, words: string, stackUuid = 'shown'): PendingChange => ({
  id: `${changeId} ${code}`,
  title: '',
  state: 'editing',
  startedAt: '',
  changedAt: '',
  subject: { kind: 'sectionText', patch: { stackUuid, changeId }, code },
  content: { base: '', text: words },
});
const inProject: PendingChange = {
  ...typed('I1', 't', ''),
  subject: { kind: 'stackTitle', stackUuid: 'shown' } as unknown as PendingChange['subject'],
};

describe('the patches of a stack as they are written', () => {
  it('have what is typed in them, in whichever version, and nothing of other patches', () => {
    const written = writtenStack(
      [patch('I1', [text('t', 'One.')]), patch('I2', [text('t', 'Two.')]), patch('I3')],
      [typed('I2', 't', 'Typed.', 'an older one'), inProject],
    );
    assert.deepEqual(written, [
      { changeId: 'I1', sections: [text('t', 'One.')] },
      { changeId: 'I2', sections: [text('t', 'Typed.')] },
      { changeId: 'I3', sections: [] },
    ]);
  });
});

describe('how far prose explains the patches of a stack', () => {
  const bare = [patch('I1'), patch('I2')];
  const modelOf = (...patches: Patch[]) => ({
    ...textsOf(patches[0] ?? patch('I1')).model,
    patchUnopened: async ({ stackUuid, changeId }: { stackUuid: string; changeId: string }) => {
      assert.equal(stackUuid, stack.stackUuid);
      const found = patches.find((one) => one.changeId === changeId);
      assert.ok(found);
      return found;
    },
  });

  it('is told of each by its hunks, whose content is asked for', async () => {
    const model = modelOf(
      patch('I1', [file('a.ts', 1, 11, 21), text('t', 'See a.ts:12 and b.ts.'), file('b.ts', 1)]),
      patch('I2', [text('t', ''), file('a.ts', 1)]),
    );
    assert.deepEqual(
      await stackCoverage(model, stack, bare, []),
      new Map([
        ['I1', { hunks: 4, explained: 2 }],
        ['I2', { hunks: 1, explained: 0 }],
      ]),
    );
    assert.deepEqual(
      await stackCoverage(model, stack, bare, [typed('I2', 't', 'Because.')]),
      new Map([
        ['I1', { hunks: 4, explained: 2 }],
        ['I2', { hunks: 1, explained: 1 }],
      ]),
    );
  });

  it('follows the lines that texts name from the versions in which they were written', async () => {
    const says = text('t', 'See a.ts:2.');
    // The same hunk, thirty lines further down.
    const moved = { ...file('a.ts', 1), diffPatch: hunkAt(1).replaceAll('1,', '31,') };
    const now = patch('I1', [moved, says], '2');
    const older = patch('I1', [file('a.ts', 1), says]);
    const { model } = textsOf(now, [older]);
    const asked: string[] = [];
    const following = {
      ...model,
      located: (ref: Parameters<typeof model.located>[0]) => {
        asked.push(`${ref.stackUuid} ${ref.changeId}`);
        return model.located(ref);
      },
      patchUnopened: async ({ stackUuid }: { stackUuid: string }) => (stackUuid === 'shown' ? now : older),
    } as typeof model;
    assert.deepEqual(
      await stackCoverage(following, stack, [patch('I1')], []),
      new Map([['I1', { hunks: 1, explained: 1 }]]),
    );
    assert.ok(asked.length > 0 && asked.every((ref) => ref === 'shown I1'), asked.join());
  });
});
