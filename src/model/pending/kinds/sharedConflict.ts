/** The decision between two versions of a text that people who share through Git wrote at the same time. */
import * as v from 'valibot';
import { patchKey } from '../../../util/patchRef.ts';
import { patchQueue, patchSchema } from '../inPatch.ts';
import { changeSchema, type Kind } from '../kind.ts';
import { sectionText, sendText, type WrittenText } from './sectionText.ts';

const schema = changeSchema(
  { kind: v.literal('sharedConflict'), patch: patchSchema, code: v.string() },
  {
    /** The version that is shown, which is `text`, too, until somebody has decided. */
    base: v.string(),
    text: v.string(),
    /** What both versions were made of. */
    before: v.optional(v.string(), ''),
    /** The ids of the versions that are decided over. */
    resolves: v.optional(v.array(v.string()), []),
  },
);
type Change = v.InferOutput<typeof schema>;
type Subject = Change['subject'];
type Content = Change['content'];

/** See the module. */
export const sharedConflict = {
  schema,
  key: ({ patch, code }) => [patchKey(patch, code)],
  queue: patchQueue,
  isNothing: () => false,
  goOn: ({ base }, typed) => ({ ...typed, base }),
  rest: ({ subject, content }, taken) => ({ subject, content: { ...content, base: taken.text } }),

  conflict: {
    sides: ({ base, text, before }, { isShared }) =>
      isShared === true ? { base: before, mine: base } : { base, mine: text },
    resolve: (content, text, { isShared, theirs }) => ({
      ...content,
      base: isShared === true ? content.base : theirs,
      text,
    }),
  },

  lost: {
    isLost: sectionText.lost.isLost,
    anew: ({ subject, content: { base, text } }, key) =>
      sectionText.lost.anew({ subject: textOf(subject), content: { base, text } }, key),
  },
  send: async (sending) => sendText(sending, sending.content.resolves),
  // The text as it was, and not the other versions: where the decision left it as it was, there is nothing to undo.
  inverse: (written) => (written.before === written.after ? undefined : sectionText.inverse(written)),
  before: sectionText.before,
} satisfies Kind<Subject, Content, WrittenText>;

/** The same text as something that is written. */
function textOf({ patch, code }: Subject) {
  return { kind: 'sectionText' as const, patch, code };
}
