/** The resolution of a conflict that stands in the text of a section: two people who share through Git wrote it at the same time. */
import * as v from 'valibot';
import { splitConflict } from '../../../util/sharedConflict.ts';
import { patchQueue, patchSchema } from '../inPatch.ts';
import { changeSchema, type Kind } from '../kind.ts';
import { patchKey } from '../../../util/patchRef.ts';
import { sectionText } from './sectionText.ts';

const schema = changeSchema(
  { kind: v.literal('sharedConflict'), patch: patchSchema, code: v.string() },
  // `base` is the text with the conflict, and so is `text` until it is resolved.
  { base: v.string(), text: v.string() },
);
type Change = v.InferOutput<typeof schema>;
type Subject = Change['subject'];
type Content = Change['content'];

/** A resolution is a text of the section like any other, for the service and for whoever undoes it. */
type Written = Parameters<typeof sectionText.inverse>[0];

/** See the module. */
export const sharedConflict = {
  schema,
  key: ({ patch, code }) => [patchKey(patch, code)],
  queue: patchQueue,
  isNothing: () => false,
  goOn: ({ base }, typed) => ({ ...typed, base }),
  rest: ({ subject, content }, taken) => ({ subject, content: { ...content, base: taken.text } }),

  conflict: {
    sides: ({ base, text }, { isShared }) => {
      const both = isShared === true ? splitConflict(base) : undefined;
      return both ? { base: both.before, mine: both.later } : { base, mine: text };
    },
    resolve: ({ base }, text, { isShared, theirs }) => ({ base: isShared === true ? base : theirs, text }),
  },

  lost: {
    isLost: sectionText.lost.isLost,
    anew: ({ subject, content }, key) => sectionText.lost.anew({ subject: textOf(subject), content }, key),
  },
  send: ({ subject, ...sending }) => sectionText.send({ ...sending, subject: textOf(subject) }),
  inverse: sectionText.inverse,
  before: sectionText.before,
} satisfies Kind<Subject, Content, Written>;

/** The same text as something that is written. */
function textOf({ patch, code }: Subject) {
  return { kind: 'sectionText' as const, patch, code };
}
