import assert from 'node:assert/strict';
import { Expansion, type KeptExpansion } from '../../../src/tree/expansion.ts';
import {
  familyNode,
  noticeNode,
  ownerNode,
  projectNode,
  stackNode,
  workspaceNode,
  type Node,
} from '../../../src/tree/nodes.ts';

const owner = ownerNode('ada', true, 0);
const project = (id: string): ReturnType<typeof projectNode> => projectNode(owner, { repositoryId: id });
const stack = stackNode(project('1'), { uuid: 's', contributors: [] });

describe('the rows that are expanded', () => {
  let kept: KeptExpansion | undefined;
  let writes: number;
  const memory = {
    read: () => kept,
    write: (now: KeptExpansion) => {
      kept = now;
      writes += 1;
    },
  };
  /** The rows of an account in a new window. */
  const open = (account = 'ada'): Expansion => {
    const expansion = new Expansion(memory);
    expansion.turnTo(account);
    return expansion;
  };

  beforeEach(() => {
    kept = undefined;
    writes = 0;
  });

  it('are at first those that lead to what the person is here for', () => {
    const at = (node: Node): boolean => open().isExpanded(node);
    assert.ok(at(workspaceNode()));
    assert.ok(at(owner));
    assert.ok(at(familyNode(owner, { repositoryId: '1' }, 0)));
    assert.ok(at(projectNode(workspaceNode(), { repositoryId: '1' })));
    assert.ok(at(projectNode(owner, { repositoryId: '1' }, { isOnly: true })));
    assert.ok(!at(project('1')));
    assert.ok(!at(stack));
    assert.ok(!at(noticeNode(stack, 'Nothing.')));
    assert.equal(writes, 0);
  });

  it('are as the person has left them, also in the next window', () => {
    const first = open();
    first.note(stack, true);
    first.note(owner, false);
    for (const expansion of [first, open()]) {
      assert.ok(expansion.isExpanded(stack));
      assert.ok(!expansion.isExpanded(owner));
    }
    assert.deepEqual(kept, { account: 'ada', changed: [stack.id, owner.id] });
    first.note(stack, false);
    first.note(owner, true);
    assert.deepEqual(kept, { account: 'ada', changed: [] });
    assert.ok(open().isExpanded(owner));
  });

  it('are not those of another account', () => {
    const expansion = open();
    expansion.note(stack, true);
    expansion.turnTo('ada');
    assert.ok(expansion.isExpanded(stack));
    expansion.turnTo('bob');
    assert.ok(!expansion.isExpanded(stack));
    expansion.turnTo('ada');
    assert.ok(expansion.isExpanded(stack), 'what was kept is still that of the first');
    expansion.turnTo('bob');
    expansion.note(owner, false);
    assert.deepEqual(kept, { account: 'bob', changed: [owner.id] });
  });

  it('are none once all are collapsed', () => {
    const expansion = open();
    expansion.note(stack, true);
    expansion.noteAllCollapsed([owner, stack, project('1')]);
    assert.ok(![owner, stack, project('1')].some((row) => expansion.isExpanded(row)));
    assert.deepEqual(kept, { account: 'ada', changed: [owner.id] });
  });

  it('are forgotten where very many were changed, those first that were changed longest ago', () => {
    const expansion = open();
    const projects = Array.from({ length: 52 }, (_, number) => project(String(number)));
    projects.forEach((one) => expansion.note(one, true));
    expansion.note(projects[1]!, true);
    const next = open();
    assert.deepEqual(
      projects.filter((one) => !next.isExpanded(one)),
      [projects[0], projects[2]],
    );
    assert.equal(kept?.changed.length, 50);
  });
});
