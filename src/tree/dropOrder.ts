import type { PatchReference } from '../contributions.ts';
import type { Node, SectionNode } from './nodes.ts';

/**
 * The order of a patch's sections after some of them were dropped on a row.
 *
 * @returns undefined when they cannot be dropped there, or stand there already.
 */
export function orderAfterDrop(
  dragged: readonly SectionNode[],
  target: Node,
): { patch: PatchReference; codes: string[] } | undefined {
  const parent = target.kind === 'section' ? target.parent : target;
  if (parent?.kind !== 'patch' || dragged.some((node) => node.parent !== parent)) {
    return undefined;
  }
  const sections = (parent.children ?? []).filter((node) => node.kind === 'section');
  const moved = sections.filter((node) => dragged.includes(node));
  const others = sections.filter((node) => !dragged.includes(node));
  const [first] = moved;
  if (!first || (target.kind === 'section' && dragged.includes(target))) {
    return undefined;
  }
  // What comes from above goes behind the target, so that it stands where the target stood.
  const fromAbove = target.kind === 'section' && sections.indexOf(first) < sections.indexOf(target);
  const place = target.kind === 'section' ? others.indexOf(target) + (fromAbove ? 1 : 0) : 0;
  const order = others.toSpliced(place, 0, ...moved);
  return order.every((node, index) => node === sections[index])
    ? undefined
    : { patch: parent, codes: order.map(({ sectionCode }) => sectionCode) };
}
