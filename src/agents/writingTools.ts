/**
 * The tools by which agents write. All that they make is a proposal: a pending change that a person sees in the document, and sends or
 * not. It is refused when the patch is not as the agent has read it, and where a person has a change of their own.
 */
import { randomUUID } from 'node:crypto';
import type { ChangeContent, ChangeSubject } from '../model/pending/kinds/index.ts';
import { isOfKind } from '../model/pending/pendingChange.ts';
import { targetKey } from '../protocol/patchWriting.ts';
import { sectionTitle } from '../util/sectionTitle.ts';
import { plainText } from '../util/visibleText.ts';
import type { PatchRef } from '../util/patchRef.ts';
import { pathOf } from '../model/prose/filesByName.ts';
import type { PatchSection } from '../api/types/patches.ts';
import { agentPatch, type AgentPatch, type AgentReadings } from './agentFingerprint.ts';
import { Answer, seenText, type ToolAnswer } from './answer.ts';
import type { ReadingTools, ToolParts } from './readingTools.ts';
import { ToolRefusal, type ToolInput } from './toolTable.ts';

/** The tools that write. */
export type WritingToolName = 'draftSection' | 'editSection' | 'proposeOrder';

/** Something that is written into a patch, as the person is asked about it. */
export interface Proposal {
  patch: PatchRef;
  /** The title of the patch: a stranger's words. */
  title: string;
  kind: WritingToolName;
  /** Exactly what is written: a text, or the names of the sections in their order. */
  text: string;
  /** The section that it is about; a draft by its own key, once it is there. */
  section?: string;
  /** The text that is there now, in the place of which another is written, and which section of how many that is. */
  replaces?: { text: string; number: number; count: number };
  /** The name of the section that a new one goes before; undefined for one at the end. */
  before?: string;
}

/** A change of the kind that a proposal makes. */
interface ProposedChange<S extends ChangeSubject = ChangeSubject> {
  subject: S;
  content: ChangeContent<S>;
  title: string;
}

type WritingInput = ToolInput<WritingToolName>;

/** See the module. */
export class WritingTools {
  readonly #parts: ToolParts;
  readonly #reading: ReadingTools;
  readonly #read: AgentReadings;
  readonly #onPropose: (proposal: Proposal) => void;

  constructor(
    parts: ToolParts,
    {
      reading,
      read,
      onPropose,
    }: { reading: ReadingTools; read: AgentReadings; onPropose: (proposal: Proposal) => void },
  ) {
    this.#parts = parts;
    this.#reading = reading;
    this.#read = read;
    this.#onPropose = onPropose;
  }

  draftSection(input: ToolInput<'draftSection'>): Promise<ToolAnswer> {
    return this.#write('draftSection', input, (now, patch) => changeFor.draftSection(input, now, patch));
  }

  editSection(input: ToolInput<'editSection'>): Promise<ToolAnswer> {
    return this.#write('editSection', input, (now, patch) => changeFor.editSection(input, now, patch));
  }

  proposeOrder(input: ToolInput<'proposeOrder'>): Promise<ToolAnswer> {
    return this.#write('proposeOrder', input, (now, patch) => changeFor.proposeOrder(input, now, patch));
  }

  /**
   * Says exactly what a tool would write, for the person to agree.
   *
   * @throws {ToolRefusal} when it would be refused.
   */
  async describe(name: WritingToolName, input: WritingInput): Promise<Proposal> {
    const patch = await this.#reading.located(input, input.patch);
    const now = await this.#reading.patch(input, input.patch);
    this.#refuseOther(input, now);
    changeFor[name](input as never, now, patch);
    return proposalOf(name, input, now, patch);
  }

  async #write(
    name: WritingToolName,
    input: WritingInput,
    change: (now: AgentPatch, patch: PatchRef) => ProposedChange,
  ): Promise<ToolAnswer> {
    const { pendingChanges, model } = this.#parts;
    const patch = await this.#reading.located(input, input.patch);
    const { value: stacks } = await model.stacks(patch.projectId, 'all');
    if (stacks.find(({ uuid }) => uuid === patch.stackUuid)?.status === 'closed') {
      throw new ToolRefusal('The patch stack is closed. Only a person can reopen it.');
    }
    // Another window may have written meanwhile.
    await pendingChanges.reload();
    const { patch: read } = await this.#reading.patch(input, input.patch, true);
    // From here to the proposal nothing is waited for: nobody can change anything in between.
    const now = agentPatch(model.knownContent(patch) ?? read, pendingChanges.list());
    this.#refuseOther(input, now);
    const { subject, content, title } = change(now, patch);
    if (!pendingChanges.propose(subject, content, title)) {
      throw new ToolRefusal(
        "The person has a change of their own here that isn't saved yet. It is not overwritten: nothing was proposed.",
      );
    }
    const after = agentPatch(now.patch, pendingChanges.list());
    this.#read.note(after);
    await pendingChanges.flush();
    const proposal = proposalOf(name, input, now, patch);
    this.#onPropose(
      'key' in subject ? { ...proposal, section: targetKey({ ...subject, after: null }) } : proposal,
    );
    const answer = new Answer();
    answer.say(
      'Proposed, and not saved: the person sees it in the patch document, and saves it, changes it, or discards it.',
      ...('key' in subject ? [`The draft is section ${answer.id(subject.key)}.`] : []),
      `fingerprint: ${after.fingerprint}`,
    );
    return answer.page(1);
  }

  #refuseOther({ fingerprint }: WritingInput, now: AgentPatch): void {
    if (fingerprint !== now.fingerprint) {
      const answer = new Answer();
      const changes = this.#read.changes(fingerprint, now, (code) => answer.id(code));
      throw new ToolRefusal(
        [
          'Refused: the patch is not as you have read it. Nothing was written. Read it again with readPatch.',
          ...changes,
        ].join('\n'),
      );
    }
  }
}

/** The change that each tool makes. @throws {ToolRefusal} when it fits nothing that is there. */
const changeFor = {
  draftSection({ text, before }: ToolInput<'draftSection'>, { sections }: AgentPatch, patch: PatchRef) {
    const place = before === undefined ? sections.length : sections.findIndex(({ code }) => code === before);
    if (place < 0) {
      throw new ToolRefusal('There is no section with the code that the draft is to go before.');
    }
    const subject = { kind: 'newSection' as const, patch, key: randomUUID() };
    return {
      subject,
      content: { text: written(text), after: sections[place - 1]?.code ?? null },
      title: titleOf(text),
    };
  },

  editSection({ section: code, text }: ToolInput<'editSection'>, now: AgentPatch, patch: PatchRef) {
    const draft = now.changes
      .filter((change) => isOfKind(change, 'newSection'))
      .find(({ subject }) => subject.key === code);
    if (draft) {
      return {
        subject: draft.subject,
        content: { ...draft.content, text: written(text) },
        title: titleOf(text),
      };
    }
    const section = now.patch.sections?.find((one) => one.code === code);
    if (!section || !now.sections.some((one) => one.code === code)) {
      throw new ToolRefusal('There is no section with that code.');
    }
    if (section.sectionType !== 'text') {
      throw new ToolRefusal('That section shows what the commit changes, and has no text.');
    }
    const subject = { kind: 'sectionText' as const, patch, code };
    return { subject, content: { base: section.text ?? '', text: written(text) }, title: titleOf(text) };
  },

  proposeOrder(
    { order }: ToolInput<'proposeOrder'>,
    { patch: { sections = [], title, changeId } }: AgentPatch,
    patch: PatchRef,
  ) {
    const identifiers = new Map(sections.map(({ code, identifier }) => [code, identifier]));
    const isWhole = order.length === sections.length && new Set(order).size === order.length;
    if (!isWhole || order.some((code) => !identifiers.has(code))) {
      throw new ToolRefusal(
        'The order must name each saved section of the patch once, and no other. Drafts keep their places.',
      );
    }
    return {
      subject: { kind: 'sectionOrder' as const, patch },
      content: {
        base: sections.map(({ identifier }) => identifier),
        order: order.flatMap((code) => identifiers.get(code) ?? []),
      },
      title: title ?? changeId,
    };
  },
} satisfies {
  [N in WritingToolName]: (input: ToolInput<N>, now: AgentPatch, patch: PatchRef) => ProposedChange;
};

/** A text as it is written: with nothing in it that the person wouldn't see. */
function written(text: string): string {
  const seen = seenText(text);
  if (seen.trim() === '') {
    throw new ToolRefusal('There is no text. Only a person can delete a section.');
  }
  return seen;
}

function titleOf(text: string): string {
  return sectionTitle(text) ?? text.trim().slice(0, 50);
}

function proposalOf(
  kind: WritingToolName,
  input: WritingInput,
  { patch: { title, changeId }, sections }: AgentPatch,
  patch: PatchRef,
): Proposal {
  const byCode = new Map(sections.map((section) => [section.code, section]));
  const text =
    'order' in input
      ? input.order.map((code, index) => `${index + 1}. ${nameOf(byCode.get(code))}`).join('\n')
      : seenText(input.text);
  const section = 'section' in input ? input.section : 'before' in input ? input.before : undefined;
  const there = section === undefined ? undefined : byCode.get(section);
  return {
    ...{ patch, title: title ?? changeId, kind, text },
    ...(section !== undefined && { section }),
    ...(kind === 'draftSection' && there && { before: nameOf(there) }),
    ...(kind === 'editSection' &&
      there?.sectionType === 'text' && {
        replaces: {
          text: seenText(there.text ?? ''),
          number: sections.indexOf(there) + 1,
          count: sections.length,
        },
      }),
  };
}

/** The name of a section in one line, so that it can't pass for several. */
function nameOf(section: PatchSection | undefined): string {
  switch (section?.sectionType) {
    case 'text':
      return plainText(seenText(titleOf(section.text ?? '')));
    case 'diff':
      return plainText(seenText(pathOf(section)));
    default:
      return section?.code ?? '';
  }
}
