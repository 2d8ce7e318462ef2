import type { Node } from './nodes.ts';
import type { SectionRef } from '../util/patchRef.ts';

/**
 * The order of a patch's sections after some of them were dropped on a row.
 *
 * @param dragged the ids of their rows.
 * @returns undefined when they cannot be dropped there, or stand there already.
 */
export function orderAfterDrop(
  dragged: readonly string[],
  target: Node,
): { patch: SectionRef; codes: string[] } | undefined {
  const parent = target.kind === 'section' ? target.parent : target;
  if (parent?.kind !== 'patch') {
    return undefined;
  }
  const sections = (parent.children ?? []).filter((node) => node.kind === 'section');
  const moved = sections.filter(({ id }) => dragged.includes(id));
  const others = sections.filter(({ id }) => !dragged.includes(id));
  const [first] = moved;
  if (!first || moved.length < dragged.length || dragged.includes(target.id)) {
    return undefined;
  }
  // A section from above goes behind the target, so that it stands where the target stood.
  const fromAbove = target.kind === 'section' && sections.indexOf(first) < sections.indexOf(target);
  const place = target.kind === 'section' ? others.indexOf(target) + (fromAbove ? 1 : 0) : 0;
  const order = others.toSpliced(place, 0, ...moved);
  return order.every((node, index) => node === sections[index])
    ? undefined
    : { patch: parent, codes: order.map(({ sectionCode }) => sectionCode) };
}
