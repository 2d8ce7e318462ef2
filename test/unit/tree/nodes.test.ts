import assert from 'node:assert/strict';
import type { PatchStack } from '../../../src/api/types/stacks.ts';
import {
  loadedRows,
  ownerNode,
  patchNode,
  projectNode,
  stackNode,
  takeInRows,
  type ProjectNode,
  type StackNode,
} from '../../../src/tree/nodes.ts';
import { refOf } from '../../../src/util/patchRef.ts';

const project = projectNode(ownerNode('ada', true, 0), { repositoryId: '1' }, { branch: 'main' });
const stack = (branchId: string, rest: Partial<PatchStack> = {}): PatchStack => ({
  uuid: `uuid-${branchId}`,
  branchId,
  status: 'active',
  version: '1',
  contributors: [],
  ...rest,
});
const rows = (...stacks: PatchStack[]): StackNode[] => stacks.map((one) => stackNode(project, one));

describe('the rows of the stacks view', () => {
  it('stay the same objects, and only those are drawn again that look different', () => {
    const before = rows(stack('a'), stack('b'), stack('c'));
    before[1]!.children = [patchNode(before[1]!, 'https://x', { changeId: 'I1', contributors: [] })];
    const changes = takeInRows(before, rows(stack('a'), stack('b', { title: 'B' }), stack('c')));
    assert.deepEqual(changes.redrawn, [before[1]]);
    assert.equal(changes.listChanged, false);
    assert.ok(changes.rows.every((row, index) => row === before[index]));
    assert.equal(before[1]!.stack.title, 'B');
    assert.equal(before[1]!.children.length, 1, 'what is below stays');
  });

  it('keep their ids when the stack of a branch gets a new version', () => {
    const before = rows(stack('a'));
    const { id } = before[0]!;
    const changes = takeInRows(before, rows(stack('a', { uuid: 'another', version: '2' })));
    assert.equal(changes.listChanged, false);
    assert.equal(before[0]!.id, id);
    assert.equal(before[0]!.stack.uuid, 'another');
  });

  it('are another list when one comes, goes or moves', () => {
    const before = rows(stack('a'), stack('b'));
    for (const now of [
      rows(stack('a')),
      rows(stack('b'), stack('a')),
      rows(stack('a'), stack('b'), stack('c')),
    ]) {
      assert.equal(takeInRows(before, now).listChanged, true);
    }
    assert.equal(takeInRows(undefined, []).listChanged, true);
  });

  it('are drawn again for newer activity of a project only when they say another age', () => {
    const day = 24 * 60 * 60_000;
    const at = (age: number | undefined, name = 'A'): ProjectNode =>
      projectNode(ownerNode('ada', true, 0), {
        repositoryId: '1',
        name,
        ...(age !== undefined && { updatedAt: new Date(Date.now() - age).toISOString() }),
      });
    const isDrawnAgain = (before: ProjectNode, now: ProjectNode): boolean =>
      takeInRows([before], [now]).redrawn.length > 0;
    assert.equal(isDrawnAgain(at(3.5 * day), at(3.4 * day)), false);
    assert.equal(isDrawnAgain(at(3.5 * day), at(1.5 * day)), true);
    assert.equal(isDrawnAgain(at(3.5 * day), at(undefined)), true);
    assert.equal(isDrawnAgain(at(undefined), at(3.5 * day)), true);
    assert.equal(isDrawnAgain(at(undefined), at(undefined)), false);
    assert.equal(isDrawnAgain(at(3.5 * day), at(3.5 * day, 'B')), true);
  });

  it('are not drawn again for what only concerns the rows below', () => {
    const before = rows(stack('a', { patches: [] }));
    const patches = [{ changeId: 'I1', contributors: [] }];
    assert.deepEqual(takeInRows(before, rows(stack('a', { patches }))).redrawn, []);
    assert.equal(before[0]!.stack.patches, patches);
  });

  it('have the stack of the branch that is checked out marked', () => {
    assert.deepEqual(
      rows(stack('main'), stack('a')).map(({ checkedOut }) => checkedOut),
      [true, false],
    );
  });

  it('hand out references that do not change with the row', () => {
    const [parent] = rows(stack('a'));
    const row = patchNode(parent!, 'https://x', { changeId: 'I1', contributors: [] });
    const reference = refOf(row);
    takeInRows([row], [patchNode(stackNode(project, stack('a', { uuid: 'new' })), 'https://x', row.patch)]);
    assert.equal(row.stackUuid, 'new');
    assert.equal(reference.stackUuid, 'uuid-a');
    assert.ok(!('parent' in reference));
  });

  it('are walked as far as they were looked at', () => {
    const before = rows(stack('a'), stack('b'));
    before[0]!.children = [patchNode(before[0]!, '', { changeId: 'I1', contributors: [] })];
    assert.deepEqual(
      [...loadedRows(before)].map(({ kind }) => kind),
      ['stack', 'patch', 'stack'],
    );
  });
});
