import assert from 'node:assert/strict';
import { orderAfterDrop } from '../../../src/tree/dropOrder.ts';
import {
  ownerNode,
  patchNode,
  projectNode,
  sectionNode,
  stackNode,
  type Node,
  type PatchNode,
  type SectionNode,
} from '../../../src/tree/nodes.ts';

function patchWith(changeId: string, ...codes: string[]): { patch: PatchNode; sections: SectionNode[] } {
  const project = projectNode(ownerNode('ada', true, 0), { repositoryId: '1' });
  const stack = stackNode(project, { uuid: 's', contributors: [] });
  const patch = patchNode(stack, 'https://x', { changeId, contributors: [] });
  const sections = codes.map((code) => sectionNode(patch, { sectionType: 'text', code, identifier: code }));
  patch.children = sections;
  return { patch, sections };
}

describe('dropping sections', () => {
  const { patch, sections } = patchWith('I1', 'a', 'b', 'c', 'd');
  const [a, b, c, d] = sections as [SectionNode, SectionNode, SectionNode, SectionNode];
  const after = (dragged: SectionNode[], target: Node): string | undefined =>
    orderAfterDrop(
      dragged.map(({ id }) => id),
      target,
    )?.codes.join('');

  it('puts them where the target stands, from above and from below', () => {
    assert.equal(after([a], c), 'bcad');
    assert.equal(after([d], b), 'adbc');
    assert.equal(after([a], b), 'bacd');
    assert.equal(after([a, b], d), 'cdab');
    assert.equal(after([d, b], a), 'bdac');
  });

  it('puts them first when they are dropped on the patch', () => {
    assert.equal(after([c], patch), 'cabd');
    assert.equal(orderAfterDrop([c.id], patch)?.patch, patch);
  });

  it('does nothing where they cannot go, or stand already', () => {
    const other = patchWith('I2', 'x', 'y');
    assert.equal(after([a], other.sections[0]!), undefined);
    assert.equal(after([a], other.patch), undefined);
    assert.equal(after([a, other.sections[0]!], c), undefined);
    assert.equal(after([a], a), undefined);
    assert.equal(after([a], patch), undefined);
    assert.equal(after([a], patch.parent!), undefined);
    assert.equal(after([], c), undefined);
  });
});
