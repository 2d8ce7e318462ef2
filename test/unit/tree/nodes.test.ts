import assert from 'node:assert/strict';
import type { PatchStack } from '../../../src/api/types/stacks.ts';
import {
  familyNode,
  loadedRows,
  loadMoreNode,
  noticeNode,
  ownerNode,
  patchNode,
  projectNode,
  sectionNode,
  stackNode,
  takeInRows,
  workspaceNode,
  type Node,
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

  it('have ids of their own, which tell in every refresh what is expanded and selected', () => {
    const owner = ownerNode('ada', true, 3);
    assert.deepEqual(owner, {
      kind: 'owner',
      id: 'owner:ada',
      parent: undefined,
      owner: 'ada',
      isSelf: true,
      openReviews: 3,
    });
    assert.equal(ownerNode(undefined, false, 0).id, 'owners');
    assert.deepEqual(workspaceNode(), { kind: 'workspace', id: 'workspace', parent: undefined });
    assert.deepEqual(loadMoreNode(), { kind: 'loadMore', id: 'loadMore', parent: undefined });
    const root = { repositoryId: '7' };
    assert.deepEqual(familyNode(owner, root, 2), {
      kind: 'family',
      id: 'family:7',
      parent: owner,
      root,
      openReviews: 2,
    });
    assert.equal(project.id, 'project:1');
    assert.equal(stackNode(project, stack('a')).id, 'project:1/branch:a');
    assert.equal(stackNode(project, stack('a', { status: 'closed' })).id, 'project:1/stack:uuid-a');
    const { branchId, ...nameless } = stack('a');
    assert.equal(stackNode(project, nameless).id, `project:1/stack:uuid-${branchId}`);
    const row = stackNode(project, stack('main'));
    assert.ok(row.checkedOut);
    assert.ok(!stackNode(project, stack('a')).checkedOut);
    assert.ok(!stackNode(projectNode(owner, root), nameless).checkedOut);
    const patch = patchNode(row, 'https://x', { changeId: 'I1', contributors: [] });
    assert.equal(patch.id, 'project:1/branch:main/patch:I1');
    const section = { sectionType: 'text' as const, code: 'c', identifier: 'c' };
    assert.deepEqual(sectionNode(patch, section), {
      kind: 'section',
      id: 'project:1/branch:main/patch:I1/section:c',
      parent: patch,
      ...refOf(patch),
      sectionCode: 'c',
      section,
    });
    assert.deepEqual(noticeNode(row, 'Nothing.'), {
      kind: 'notice',
      id: 'project:1/branch:main/notice',
      parent: row,
      text: 'Nothing.',
    });
    assert.equal(noticeNode(row, 'Nothing.', 'retry').remedy, 'retry');
  });

  it('are at hand where the person is here because of them', () => {
    const root = { repositoryId: '7' };
    assert.ok(projectNode(workspaceNode(), root).isAtHand);
    assert.ok(projectNode(ownerNode('ada', true, 0), root, { isOnly: true }).isAtHand);
    assert.ok(!projectNode(ownerNode('ada', true, 0), root).isAtHand);
  });

  it('are drawn again for whatever they show: the branch that is checked out, a number, a text', () => {
    const isDrawnAgain = (before: Node, now: Node): boolean => takeInRows([before], [now]).redrawn.length > 0;
    const root = { repositoryId: '7', name: 'A' };
    const at = (branch: string | undefined, of = root): ProjectNode =>
      projectNode(ownerNode('ada', true, 0), of, { branch });
    assert.equal(isDrawnAgain(at('main'), at('main')), false);
    assert.equal(isDrawnAgain(at('main'), at('main', { ...root })), false);
    assert.equal(isDrawnAgain(at('main'), at('topic')), true);
    assert.equal(isDrawnAgain(at('main'), at('topic', { ...root })), true);
    assert.equal(isDrawnAgain(at('main'), at(undefined, { ...root, name: 'B' })), true);
    const onBranch = (branch: string) => stackNode({ ...project, branch }, stack('a'));
    assert.equal(isDrawnAgain(onBranch('a'), onBranch('a')), false);
    assert.equal(isDrawnAgain(onBranch('a'), onBranch('b')), true);
    assert.equal(isDrawnAgain(ownerNode('ada', true, 1), ownerNode('ada', true, 1)), false);
    assert.equal(isDrawnAgain(ownerNode('ada', true, 1), ownerNode('ada', true, 2)), true);
    const parent = ownerNode('ada', true, 0);
    assert.equal(isDrawnAgain(noticeNode(parent, 'a'), noticeNode(ownerNode('ada', true, 9), 'a')), false);
    assert.equal(isDrawnAgain(noticeNode(parent, 'a'), noticeNode(parent, 'b')), true);
    const before = { ...parent, children: [project] };
    assert.equal(isDrawnAgain(before, { ...parent, children: [] }), false);
    assert.deepEqual(before.children, [project], 'they are taken in by themselves');
    const fresh = { ...parent };
    const [row] = takeInRows([{ ...parent }], [fresh]).rows;
    assert.ok(!('children' in row!));
  });

  it('are others where one of another kind has the same id', () => {
    const now = { ...ownerNode('ada', true, 0), id: project.id };
    const changes = takeInRows([project], [now]);
    assert.equal(changes.rows[0], now);
    assert.deepEqual(changes.redrawn, []);
  });
});
