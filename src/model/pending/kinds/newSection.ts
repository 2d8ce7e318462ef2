/** A section that is added. */
import * as v from 'valibot';
import type { PatchSection } from '../../../api/types/patches.ts';
import { markdownOf, patchQueue, patchSchema, showSections } from '../inPatch.ts';
import { changeSchema, type Addition, type Kind } from '../kind.ts';
import type { ChangeAttempt } from '../sending.ts';
import { patchKey, type PatchRef } from '../../../util/patchRef.ts';

const schema = changeSchema(
  // `key` tells several new sections of one patch apart.
  { kind: v.literal('newSection'), patch: patchSchema, key: v.string() },
  // `after` is the code of the section that the new one follows, or the key of another new one; null puts it first.
  { text: v.string(), after: v.nullable(v.string()) },
);
type Change = v.InferOutput<typeof schema>;
type Subject = Change['subject'];
type Content = Change['content'];

/** A section that the service has added. */
interface Written {
  kind: 'newSection';
  patch: PatchRef;
  code: string;
  text: string;
  /** The code of the section before it; null where it is the first. */
  follows: string | null;
}

const addition = {
  become: ({ subject: { patch }, content: { text } }, code, taken) => ({
    subject: { kind: 'sectionText' as const, patch, code },
    content: { base: taken.text, text },
  }),
  takenAs: (content, attempt) => ({ ...content, text: attempt?.text ?? content.text }),
  learn: ({ subject, content, attempt }, added, code) => {
    const waits = content.after === added.key;
    if (subject.patch.changeId !== added.patch.changeId || !(waits || attempt?.codes)) {
      return undefined;
    }
    return {
      ...(waits && { content: { ...content, after: code } }),
      ...(attempt?.codes && { attempt: { ...attempt, codes: [...attempt.codes, code] } }),
    };
  },
  attemptOfTwo: ({ text }, codes) => ({ text, codes }),
} satisfies Addition<Subject, Content>;

/** See the module. */
export const newSection = {
  schema,
  key: ({ patch, key }) => [patchKey(patch, key)],
  queue: patchQueue,
  isNothing: ({ text }) => text === '',
  goOn: (_before, typed) => typed,
  rest: (change, taken, code) => (code === undefined ? change : addition.become(change, code, taken)),

  conflict: {
    sides: ({ text }) => ({ base: '', mine: text }),
    // The person decides if it is that section: its text stays.
    resolve: (content) => content,
  },

  addition,

  /** Reads the patch before a section is added: to find its place, and to see whether an earlier try has arrived after all. */
  send: async ({ subject, content, attempt, read, write }) => {
    const { patch } = subject;
    const { stackUuid, changeId } = patch;
    const answer = await read((client, options) => client.patches.get(stackUuid, changeId, options));
    const { sections = [] } = answer;
    const isNew = ({ sectionType, code }: PatchSection): boolean =>
      sectionType === 'text' && attempt?.codes?.includes(code) === false;
    const added = attempt ? sections.filter(isNew) : [];
    const arrived = attempt && added.find((section) => isFrom(section, attempt));
    const [likely] = added.toSorted((one, other) => likeness(other, attempt) - likeness(one, attempt));
    if (likely && !arrived) {
      // The earlier try, which someone has changed since, or a section of someone else: only a person can tell.
      return { kind: 'conflict', theirs: markdownOf(likely), code: likely.code };
    }
    const place = content.after === null ? 0 : sections.findIndex(({ code }) => code === content.after) + 1;
    // When the section is gone that it was to follow, it goes to the end, even if nobody said so.
    const isAtEnd = place === 0 && content.after !== null;
    const position = isAtEnd ? answer.sections?.length : place;
    const { text, after } = content;
    const creation = { type: 'text' as const, text, ...(position !== undefined && { position }) };
    const section =
      arrived ??
      (await write(
        (client, options) => client.patches.createSection(stackUuid, changeId, creation, options),
        { attempt: { text, codes: sections.map(({ code }) => code) } },
      ));
    const { code } = section;
    const taken = arrived ? { text: attempt.text, after } : content;
    return {
      kind: 'sent',
      taken,
      code,
      written: { kind: 'newSection', patch, code, text: taken.text, follows: after },
      show: showSections(patch, (shown) =>
        shown.filter((other) => other.code !== code).toSpliced(position ?? shown.length, 0, section),
      ),
    };
  },

  inverse: ({ patch, code, text, follows }) => ({
    subject: { kind: 'sectionDeletion' as const, patch, code },
    content: { text, after: follows },
  }),
  before: (sections, { code }) => sections.filter((section) => section.code !== code),
} satisfies Kind<Subject, Content, Written>;

/**
 * True when a section that is new since is the one that was tried before: it has every line of it in order. Someone else may have
 * added to it already, and a service may change how a text ends.
 */
function isFrom(section: PatchSection, attempt: ChangeAttempt): boolean {
  const tried = lines(attempt.text);
  let found = 0;
  for (const line of lines(markdownOf(section))) {
    if (line === tried[found]) {
      found += 1;
    }
  }
  return found === tried.length;
}

/** Counts the lines of the attempt that stand in a section, blank ones aside. */
function likeness(section: PatchSection, attempt: ChangeAttempt | undefined): number {
  const tried = new Set(lines(attempt?.text ?? ''));
  return lines(markdownOf(section)).filter((line) => line !== '' && tried.has(line)).length;
}

function lines(text: string): string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd());
}
