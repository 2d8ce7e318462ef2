/** Another order of the sections of a patch. */
import * as v from 'valibot';
import type { PatchSection } from '../../../api/types/patches.ts';
import { patchQueue, patchSchema } from '../inPatch.ts';
import { changeSchema, type Kind } from '../kind.ts';
import { mergeOrder } from '../mergeOrder.ts';
import { namedSection, orderText, type NamedSection } from '../orderText.ts';
import { patchKey, type PatchRef } from '../../../util/patchRef.ts';

const schema = changeSchema(
  { kind: v.literal('sectionOrder'), patch: patchSchema },
  // `identifier`s of sections, as `section_order` takes them.
  { base: v.array(v.string()), order: v.array(v.string()) },
);
type Change = v.InferOutput<typeof schema>;
type Content = Change['content'];

/** An order that the service has taken. */
interface Written {
  kind: 'sectionOrder';
  patch: PatchRef;
  before: string[];
  after: string[];
  sections: NamedSection[];
}

/** See the module. */
export const sectionOrder = {
  schema,
  key: ({ patch }) => [patchKey(patch)],
  queue: patchQueue,
  isNothing: ({ base, order }) => isSame(base, order),
  goOn: ({ base }, typed) => ({ ...typed, base }),
  rest: ({ subject, content }, taken) => ({ subject, content: { ...content, base: taken.order } }),

  conflict: {
    sides: ({ base, order }, { order: sections = [] }) => ({
      base: orderText(base, sections),
      mine: orderText(order, sections),
    }),
    resolve: (content, _text, { order }) => ({
      ...content,
      ...(order && { base: order.map(({ identifier }) => identifier) }),
    }),
  },

  /** Reads the order before it is changed, and merges what someone else has moved meanwhile. */
  send: async ({ subject, content, begunIn, read, write }) => {
    const { patch } = subject;
    const { stackUuid, changeId } = patch;
    const { sections } = await read((client, options) => client.patches.get(stackUuid, changeId, options));
    // An answer may say nothing of them: then they stand as they did.
    const before = sections?.map(({ identifier }) => identifier) ?? content.base;
    if (begunIn && !isMovedWithin(content, before)) {
      return { kind: 'sectionGone' };
    }
    const names = (sections ?? []).map(namedSection);
    const merge = mergeOrder(content.base, content.order, before);
    if (merge.kind === 'conflict') {
      return { kind: 'conflict', theirs: orderText(before, names), order: names };
    }
    const { order: after } = merge;
    if (isSame(after, before)) {
      return { kind: 'sent' };
    }
    const changed = await write(
      (client, options) => client.patches.update(stackUuid, changeId, { sectionOrder: after }, options),
      { replaces: before },
    );
    return {
      kind: 'sent',
      written: { kind: 'sectionOrder', patch, before, after, sections: names },
      show: (model) =>
        model.editPatch(patch, (shown) =>
          changed.sections ? { ...shown, sections: changed.sections } : shown,
        ),
    };
  },

  inverse: ({ patch, before, after }) => ({
    subject: { kind: 'sectionOrder' as const, patch },
    content: { base: after, order: before },
  }),
  before: (sections, { before }) => {
    const placeOf = ({ identifier }: PatchSection): number => before.indexOf(identifier);
    return sections.toSorted((one, other) => placeOf(one) - placeOf(other));
  },
} satisfies Kind<Change['subject'], Content, Written>;

/** True when anything that was moved past anything else is still there with it. */
function isMovedWithin({ base, order }: Content, sections: readonly string[]): boolean {
  const left = new Set(sections);
  const isLeft = (identifier: string): boolean => left.has(identifier);
  return !isSame(base.filter(isLeft), order.filter(isLeft));
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item, place) => item === other[place]);
}
