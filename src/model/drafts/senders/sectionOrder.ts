import { mergeOrder } from '../mergeOrder.ts';
import type { Sender } from './sender.ts';

/** Reads the order before it is changed, and makes the same moves in what it is by now. */
export const sendSectionOrder: Sender<'sectionOrder'> = async ({ subject, content, read, write }) => {
  const { patch } = subject;
  const { stackUuid, changeId } = patch;
  const { sections = [] } = await read((client, options) => client.patches.get(stackUuid, changeId, options));
  const before = sections.map(({ identifier }) => identifier);
  const after = mergeOrder(content.base, content.order, before);
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
