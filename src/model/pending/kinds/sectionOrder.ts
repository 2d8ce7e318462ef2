import { mergeOrder } from '../mergeOrder.ts';
import { namedSection, orderText } from '../orderText.ts';
import type { Sender } from '../sender.ts';

/** Reads the order before it is changed, and joins what somebody else has moved meanwhile. */
export const sendSectionOrder: Sender<'sectionOrder'> = async ({
  subject,
  content,
  begunIn,
  read,
  write,
}) => {
  const { patch } = subject;
  const { stackUuid, changeId } = patch;
  const { sections = [] } = await read((client, options) => client.patches.get(stackUuid, changeId, options));
  const before = sections.map(({ identifier }) => identifier);
  if (begunIn && !isMovedWithin(content, before)) {
    return { kind: 'sectionGone' };
  }
  const merge = mergeOrder(content.base, content.order, before);
  if (merge.kind === 'conflict') {
    const order = sections.map(namedSection);
    const text = (identifiers: string[]): string => orderText(identifiers, order);
    return {
      kind: 'conflict',
      base: text(content.base),
      theirs: text(before),
      mine: text(content.order),
      order,
    };
  }
  const { order: after } = merge;
  if (after.every((identifier, place) => identifier === before[place])) {
    return { kind: 'sent' };
  }
  const changed = await write((client, options) =>
    client.patches.update(stackUuid, changeId, { sectionOrder: after }, options),
  );
  return {
    kind: 'sent',
    change: { kind: 'sectionOrder', patch, before, after },
    show: (shown) => (changed.sections ? { ...shown, sections: changed.sections } : shown),
  };
};

/** Whether anything that was moved past anything else is still there with it. */
function isMovedWithin(
  { base, order }: { base: readonly string[]; order: readonly string[] },
  sections: readonly string[],
): boolean {
  const left = new Set(sections);
  const [was, wanted] = [base, order].map((all) => all.filter((identifier) => left.has(identifier)));
  return (
    was?.length !== wanted?.length ||
    was?.some((identifier, place) => identifier !== wanted?.[place]) === true
  );
}
