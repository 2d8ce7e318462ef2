import * as vscode from 'vscode';
import type { ChangeContents, ChangeSubject } from '../../model/pending/kinds/index.ts';
import type { PendingChange, SendOutcome, TypedOn } from '../../model/pending/pendingChange.ts';
import type { PendingChanges } from '../../model/pending/pendingChanges.ts';
import { continuation } from '../../model/pending/keptTyping.ts';
import type { PatchSection } from '../../api/types/patches.ts';
import type { PatchAddress } from '../../model/patchAddress.ts';
import type { HandOverOutcome } from '../../protocol/panel.ts';
import type { SendTextOutcome, TextDecision, PendingText, TextTarget } from '../../protocol/patchWriting.ts';
import { attempt } from '../../ui/commands.ts';
import { describeReason } from '../../ui/failures.ts';
import type { Log } from '../../ui/log.ts';
import { sectionTitle } from '../../util/sectionTitle.ts';
import { refusal, pendingText } from './pendingViews.ts';
import { sendPending, type Decisions } from './sendChange.ts';
import { conflictText, unclearText } from './texts.ts';

type TextSubject = Extract<ChangeSubject, { kind: 'sectionText' | 'newSection' }>;

/** A text as somebody typed it. */
export interface TypedText {
  patch: PatchAddress;
  target: TextTarget;
  /** The text that it began from. */
  base: string;
  text: string;
  /** The page that it was typed on. */
  typedOn?: TypedOn | undefined;
}

/** A text that a page has kept because nobody confirmed it. */
export interface KeptTyped extends TypedText {
  typedOn: TypedOn;
  /** The text that was confirmed last before that. */
  after: string;
}

/** The texts of sections while they are written, kept as pending changes until the service has them. */
export class SectionTexts {
  readonly #pendingChanges: PendingChanges;
  readonly #decisions: Decisions;
  readonly #log: Log;
  /** How to bring back what was discarded last, by what it was. */
  readonly #discarded = new Map<string, () => Promise<void>>();
  /** Fires when what is kept of some text is another thing. */
  readonly onDidChange: PendingChanges['onDidChange'];

  constructor(pendingChanges: PendingChanges, decisions: Decisions, log: Log) {
    this.#pendingChanges = pendingChanges;
    this.onDidChange = pendingChanges.onDidChange;
    this.#decisions = decisions;
    this.#log = log;
  }

  /** Keeps what is typed; resolves when it is on disk, or cannot be written there. */
  async keep(typed: TypedText): Promise<PendingText> {
    this.#put(typed);
    await this.#pendingChanges.written();
    const { patch, target, base, text } = typed;
    const pending = this.find(patch, target);
    return pendingText(pending, this.#pendingChanges.problem) ?? { target, base, text, sending: false };
  }

  /**
   * Goes on with what an earlier page had when its extension host ended.
   *
   * @param sections what the patch has.
   */
  async takeOver(kept: KeptTyped, sections: readonly PatchSection[]): Promise<HandOverOutcome> {
    const outcome = this.#takeOver(kept, sections);
    await this.#pendingChanges.written();
    // What is not on disk is better kept twice than not at all.
    return this.#pendingChanges.problem ? 'waits' : outcome;
  }

  #takeOver(kept: KeptTyped, sections: readonly PatchSection[]): HandOverOutcome {
    const { patch, target, base, text, after, typedOn } = kept;
    const pending = this.find(patch, target);
    if (!pending && (text === base || isSaved(target, text, sections))) {
      return 'known';
    }
    const next = continuation(pending, {
      content: contentOf(kept),
      after: contentOf({ ...kept, text: after }),
      typedOn,
    });
    if (next.kind !== 'put') {
      return next.kind;
    }
    const { text: joined } = next.content as { text: string };
    this.#put({ patch, target, base, text: joined, typedOn: next.typedOn });
    return 'taken';
  }

  /** Sends a text; before that it is kept. */
  async send(typed: TypedText): Promise<SendTextOutcome> {
    const { target } = typed;
    const pending = this.#put(typed);
    const outcome: SendOutcome = pending ? await this.#pendingChanges.send(pending.id) : { kind: 'sent' };
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
      case 'failed':
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
    const pending = this.find(patch, target);
    if (pending) {
      this.#discarded.set(
        discardKey(patch, target),
        await this.#pendingChanges.discard(pending.id, { undoOffered }),
      );
    }
  }

  /** Brings back what was thrown away last. */
  async undoDiscard(patch: PatchAddress, target: TextTarget): Promise<PendingText | undefined> {
    const key = discardKey(patch, target);
    await this.#discarded.get(key)?.();
    this.#discarded.delete(key);
    return pendingText(this.find(patch, target), this.#pendingChanges.problem);
  }

  /** Does what the person has decided about a text that the service did not take. */
  async decide(patch: PatchAddress, target: TextTarget, decision: TextDecision): Promise<void> {
    const pending = this.find(patch, target);
    if (!pending) {
      return;
    }
    switch (decision) {
      case 'addAgain':
        await attempt(vscode.l10n.t('add the section again'), this.#log, async () => {
          this.#pendingChanges.makeNew(pending.id);
          await sendPending(this.#pendingChanges, this.#decisions, pending.id);
        });
        break;
      case 'compare':
        await this.#decisions.compare(pending.id);
        break;
      case 'merge':
        await this.#decisions.decide(pending.id);
        break;
    }
  }

  find(patch: PatchAddress, target: TextTarget): PendingChange<TextSubject> | undefined {
    return this.#pendingChanges.find(subjectOf(patch, target));
  }

  #put(typed: TypedText): PendingChange<TextSubject> | undefined {
    const { patch, target, base, text, typedOn } = typed;
    const subject = subjectOf(patch, target);
    const title = sectionTitle(text) ?? sectionTitle(base) ?? vscode.l10n.t('Text');
    this.#pendingChanges.put(subject, contentOf(typed), title, typedOn);
    return this.#pendingChanges.find(subject);
  }
}

/** What the pending change of a text changes. */
export function subjectOf(patch: PatchAddress, target: TextTarget): TextSubject {
  return 'code' in target
    ? { kind: 'sectionText', patch, code: target.code }
    : { kind: 'newSection', patch, key: target.key };
}

function contentOf({ target, base, text }: TypedText): ChangeContents[TextSubject['kind']] {
  return 'code' in target ? { base, text } : { text, after: target.after };
}

/** Whether the service has a text: what became of it was not told to the page any more. */
function isSaved(target: TextTarget, text: string, sections: readonly PatchSection[]): boolean {
  return sections.some(
    (section) =>
      section.sectionType === 'text' &&
      section.text?.trim() === text.trim() &&
      (!('code' in target) || section.code === target.code),
  );
}

function discardKey({ stackUuid, changeId }: PatchAddress, target: TextTarget): string {
  return JSON.stringify([stackUuid, changeId, 'code' in target ? target.code : target.key]);
}
