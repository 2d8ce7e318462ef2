import * as vscode from 'vscode';
import type { Draft, DraftContents, DraftSubject, SendOutcome } from '../../model/drafts/draft.ts';
import type { Drafts } from '../../model/drafts/drafts.ts';
import type { PatchAddress } from '../../model/model.ts';
import type {
  SendTextOutcome,
  TextDecision,
  TextDraftView,
  TextTarget,
} from '../../protocol/patchWriting.ts';
import { attempt } from '../../ui/commands.ts';
import { describeReason } from '../../ui/failures.ts';
import type { Log } from '../../ui/log.ts';
import { sectionTitle } from '../../util/sectionTitle.ts';
import { refusal, textDraftView } from './draftViews.ts';
import { sendDraft, type Decisions } from './sendChange.ts';
import { conflictText, unclearText } from './texts.ts';

type TextSubject = Extract<DraftSubject, { kind: 'sectionText' | 'newSection' }>;

/** A text as somebody typed it. */
export interface TypedText {
  patch: PatchAddress;
  target: TextTarget;
  /** The text that it began from. */
  base: string;
  text: string;
}

/** The texts of sections while they are written, kept as drafts until the service has them. */
export class SectionTexts {
  readonly #drafts: Drafts;
  readonly #decisions: Decisions;
  readonly #log: Log;
  /** How to bring back what was discarded last, by what it was. */
  readonly #discarded = new Map<string, () => Promise<void>>();
  /** Fires when what is kept of some text is another thing. */
  readonly onDidChange: Drafts['onDidChange'];

  constructor(drafts: Drafts, decisions: Decisions, log: Log) {
    this.#drafts = drafts;
    this.onDidChange = drafts.onDidChange;
    this.#decisions = decisions;
    this.#log = log;
  }

  /** Keeps what is typed. */
  keep(typed: TypedText): TextDraftView {
    const draft = this.#put(typed);
    return textDraftView(draft, this.#drafts.problem) ?? { ...typed, sending: false };
  }

  /** Sends a text; before that it is kept. */
  async send(typed: TypedText): Promise<SendTextOutcome> {
    const { target } = typed;
    const draft = this.#put(typed);
    const outcome: SendOutcome = draft ? await this.#drafts.send(draft.id) : { kind: 'sent' };
    switch (outcome.kind) {
      case 'sent':
        return {
          kind: 'sent',
          code: outcome.code ?? ('code' in target ? target.code : ''),
          merged: outcome.merged !== undefined,
          movedOn: outcome.newest !== undefined,
        };
      case 'conflict':
        return {
          kind: 'refused',
          refusal: {
            kind: 'conflict',
            text: outcome.code === undefined ? conflictText(outcome.newest) : unclearText(),
          },
        };
      case 'unsent':
        return {
          kind: 'refused',
          refusal:
            outcome.failure.kind === 'unknown'
              ? { kind: 'unsent', text: describeReason(outcome.error) }
              : refusal(outcome.failure),
        };
    }
  }

  /**
   * Throws away what was typed; see `undoDiscard`.
   *
   * @param undoOffered whether *Undo* is offered where that is done; else a message offers it.
   */
  async discard(
    patch: PatchAddress,
    target: TextTarget,
    { undoOffered = true }: { undoOffered?: boolean } = {},
  ): Promise<void> {
    const draft = this.find(patch, target);
    if (draft) {
      this.#discarded.set(discardKey(patch, target), await this.#drafts.discard(draft.id, { undoOffered }));
    }
  }

  /** Brings back what was thrown away last. */
  async undoDiscard(patch: PatchAddress, target: TextTarget): Promise<TextDraftView | undefined> {
    const key = discardKey(patch, target);
    await this.#discarded.get(key)?.();
    this.#discarded.delete(key);
    return textDraftView(this.find(patch, target), this.#drafts.problem);
  }

  /** Does what the person has decided about a text that the service did not take. */
  async decide(patch: PatchAddress, target: TextTarget, decision: TextDecision): Promise<void> {
    const draft = this.find(patch, target);
    if (!draft) {
      return;
    }
    switch (decision) {
      case 'addAgain':
        await attempt(vscode.l10n.t('Adding the section again'), this.#log, async () => {
          this.#drafts.makeNewSection(draft.id);
          await sendDraft(this.#drafts, this.#decisions, draft.id);
        });
        break;
      case 'compare':
        await this.#decisions.compare(draft.id);
        break;
      case 'merge':
        await this.#decisions.decide(draft.id);
        break;
    }
  }

  /** What is kept of a text, if anything. */
  find(patch: PatchAddress, target: TextTarget): Draft<TextSubject> | undefined {
    return this.#drafts.find(subjectOf(patch, target));
  }

  #put({ patch, target, base, text }: TypedText): Draft<TextSubject> | undefined {
    const subject = subjectOf(patch, target);
    const content: DraftContents[TextSubject['kind']] =
      'code' in target ? { base, text } : { text, after: target.after };
    this.#drafts.put(subject, content, sectionTitle(text) ?? sectionTitle(base) ?? vscode.l10n.t('Text'));
    return this.#drafts.find(subject);
  }
}

/** What the draft of a text changes. */
export function subjectOf(patch: PatchAddress, target: TextTarget): TextSubject {
  return 'code' in target
    ? { kind: 'sectionText', patch, code: target.code }
    : { kind: 'newSection', patch, key: target.key };
}

function discardKey({ stackUuid, changeId }: PatchAddress, target: TextTarget): string {
  return JSON.stringify([stackUuid, changeId, 'code' in target ? target.code : target.key]);
}
