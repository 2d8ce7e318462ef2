/** A change of the text of a section. */
import * as v from 'valibot';
import type { PatchSection } from '../../../api/types/patches.ts';
import { ifThere, markdownOf, patchQueue, patchSchema, showSections } from '../inPatch.ts';
import { changeSchema, type Kind } from '../kind.ts';
import type { ChangeAttempt, Sending, SendResult } from '../sending.ts';
import { mergeText } from '../../../util/mergeText.ts';
import { codeInNewest } from '../sectionInNewest.ts';
import { patchKey, type PatchRef } from '../../../util/patchRef.ts';

const schema = changeSchema(
  { kind: v.literal('sectionText'), patch: patchSchema, code: v.string() },
  { base: v.string(), text: v.string() },
);
type Change = v.InferOutput<typeof schema>;

/** A text that the service has taken: as *sharedConflict* where no other version is left beside it. */
export interface WrittenText {
  kind: 'sectionText' | 'sharedConflict';
  patch: PatchRef;
  code: string;
  before: string;
  after: string;
}

/** See the module. */
export const sectionText = {
  schema,
  key: ({ patch, code }) => [patchKey(patch, code)],
  queue: patchQueue,
  isNothing: ({ base, text }) => text === base,
  goOn: ({ base }, typed) => ({ ...typed, base }),
  rest: ({ subject, content }, taken) => ({ subject, content: { ...content, base: taken.text } }),
  isBehind: ({ subject: { patch, code }, content: { base } }, model) => {
    const section = model.knownPatch(patch)?.value.sections?.find((known) => known.code === code);
    return section !== undefined && markdownOf(section) !== base;
  },

  conflict: {
    sides: ({ base, text }) => ({ base, mine: text }),
    resolve: (_content, text, { theirs }) => ({ base: theirs, text }),
  },

  lost: {
    // The section is gone, or cannot be told from others: its text can only become one of its own.
    isLost: (failure) => failure === 'deleted' || failure === 'ambiguous',
    anew: ({ subject: { patch, code }, content: { text } }, key) => ({
      subject: { kind: 'newSection' as const, patch, key },
      content: { text, after: code },
    }),
  },

  send: async (sending) => sendText(sending),

  inverse: ({ patch, code, before, after }) => ({
    subject: { kind: 'sectionText' as const, patch, code },
    content: { base: after, text: before },
  }),
  before: (sections, { code, before }) =>
    sections.map((section) =>
      section.code === code && section.sectionType === 'text' ? { ...section, text: before } : section,
    ),
} satisfies Kind<Change['subject'], Change['content'], WrittenText>;

/**
 * Reads the section before its text is replaced, unless the service compares it with what is known here, and merges what someone else has
 * written meanwhile.
 *
 * @param resolves The versions that the text was decided over: it's written also where it says what the service has.
 */
export async function sendText(
  {
    subject,
    content,
    attempt,
    begunIn,
    believed,
    read,
    write,
  }: Sending<Omit<Change['subject'], 'kind'>, Change['content']>,
  resolves: readonly string[] = [],
): Promise<SendResult<never, WrittenText>> {
  const { patch } = subject;
  const { stackUuid, changeId } = patch;
  const code = await codeInNewest({ begunIn, patch, code: subject.code, base: content.base }, read);
  if (code === undefined) {
    return { kind: 'ambiguous' };
  }
  const known = believed?.find((section) => section.code === code);
  // Only a write is compared, and one that may have arrived is looked for.
  const isBelieved =
    known !== undefined &&
    markdownOf(known) === content.base &&
    content.text !== content.base &&
    !attempt &&
    resolves.length === 0;
  const there = isBelieved
    ? known
    : await ifThere(read((client, options) => client.patches.getSection(stackUuid, changeId, code, options)));
  if (!there) {
    return { kind: 'deleted' };
  }
  let section: PatchSection = there;
  const theirs = markdownOf(section);
  // When an earlier try arrived after all, what was typed by then is in the text already.
  const arrived = attempt?.text === theirs;
  const base = arrived ? (attempt.typed ?? theirs) : baseWithout(attempt, theirs, content.base);
  const merge = mergeText(base, content.text, theirs);
  if (merge.kind === 'conflict') {
    return { kind: 'conflict', theirs };
  }
  const { text } = merge;
  let replacedUnread = false;
  if (text !== theirs || resolves.length > 0) {
    const answer = await ifThere(
      write(
        (client, options) =>
          client.patches.updateSection(stackUuid, changeId, code, { text, resolves }, options),
        {
          replaces: theirs,
          attempt: { text, typed: content.text, before: theirs, ...(base !== content.base && { base }) },
        },
      ),
    );
    if (!answer) {
      return { kind: 'deleted' };
    }
    // An earlier try of ours may have arrived in between.
    replacedUnread = !attempt && !isBelieved && isMoreThanNext(section.version, answer.version);
    // The service's own answer: that need not be every character that it was sent.
    section = { ...section, ...answer, sectionType: 'text', text: markdownOf(answer) || text };
    if (!('versions' in answer)) {
      delete section.versions;
    }
  }
  const after = markdownOf(section);
  const before = arrived ? (attempt.before ?? content.base) : theirs;
  const isDecided = resolves.length > 0 && section.sectionType === 'text' && section.versions === undefined;
  const kind = isDecided ? 'sharedConflict' : 'sectionText';
  return {
    kind: 'sent',
    ...((isDecided || before !== after) && { written: { kind, patch, code, before, after } }),
    ...(text !== content.text && { merged: text }),
    ...(replacedUnread && { replacedUnread }),
    show: showSections(patch, (sections) => sections.map((other) => (other.code === code ? section : other))),
  };
}

/** The text to begin from where a try has not arrived: one before that may have, and then it is what was typed by then. */
function baseWithout(attempt: ChangeAttempt | undefined, theirs: string, base: string): string {
  return attempt?.before === theirs ? (attempt.base ?? base) : base;
}

/** True when there was yet another version between one that was read and the one that a write has made, as far as they are counted. */
function isMoreThanNext(read: string | undefined, written: string | undefined): boolean {
  const numberOf = (version = ''): number => (/^\d+$/.test(version) ? Number(version) : NaN);
  return numberOf(written) > numberOf(read) + 1;
}
