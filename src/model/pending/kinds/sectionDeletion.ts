/** A section that is deleted. */
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { isNotFound, markdownOf, patchQueue, patchSchema, showSections } from '../inPatch.ts';
import { changeSchema, type Kind } from '../kind.ts';
import { codeInNewest } from '../sectionInNewest.ts';
import { patchKey, type PatchRef } from '../../../util/patchRef.ts';

const schema = changeSchema(
  { kind: v.literal('sectionDeletion'), patch: patchSchema, code: v.string() },
  // The deleted text, so that it can be added again in its place; see a new section.
  { text: v.string(), after: v.nullable(v.string()) },
);
type Change = v.InferOutput<typeof schema>;

/** A section that the service no longer has. */
interface Written {
  kind: 'sectionDeletion';
  patch: PatchRef;
  code: string;
  text: string;
  /** The code of the section before it; null where it was the first. */
  follows: string | null;
}

/** See the module. */
export const sectionDeletion = {
  schema,
  key: ({ patch, code }) => [patchKey(patch, code)],
  queue: patchQueue,
  isNothing: () => false,
  goOn: (_before, typed) => typed,
  rest: (change) => change,

  conflict: {
    sides: ({ text }) => ({ base: text, mine: '' }),
    resolve: (content, _text, { theirs }) => ({ ...content, text: theirs }),
  },

  /** Reads the section before it is deleted: what someone else has written into it meanwhile is not thrown away unseen. */
  send: async ({ subject, content, begunIn, read, write }) => {
    const { patch } = subject;
    const { stackUuid, changeId } = patch;
    const { text, after: follows } = content;
    const code = await codeInNewest({ begunIn, patch, code: subject.code, base: text }, read);
    if (code === undefined) {
      return { kind: 'ambiguous' };
    }
    try {
      const theirs = markdownOf(
        await read((client, options) => client.patches.getSection(stackUuid, changeId, code, options)),
      );
      if (theirs !== text) {
        return { kind: 'conflict', theirs };
      }
      await write((client, options) => client.patches.deleteSection(stackUuid, changeId, code, options), {
        replaces: theirs,
      });
    } catch (error) {
      // Gone is what it should be, whoever did it.
      if (!isNotFound(error)) {
        throw error;
      }
    }
    return {
      kind: 'sent',
      written: { kind: 'sectionDeletion', patch, code, text, follows },
      show: showSections(patch, (sections) => sections.filter((other) => other.code !== code)),
    };
  },

  inverse: ({ patch, text, follows }) => ({
    subject: { kind: 'newSection' as const, patch, key: randomUUID() },
    content: { text, after: follows },
  }),
  before: (sections, { code, text, follows }) => {
    const place = sections.findIndex((section) => section.code === follows) + 1;
    return sections.toSpliced(place, 0, { sectionType: 'text', code, identifier: code, text });
  },
} satisfies Kind<Change['subject'], Change['content'], Written>;
