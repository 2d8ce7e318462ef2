import * as vscode from 'vscode';
import type { ChangeContents, ChangeSubject } from '../../model/pending/kinds/index.ts';
import type { PendingChange, SendOutcome, TypedOn } from '../../model/pending/pendingChange.ts';
import type { PendingChanges } from '../../model/pending/pendingChanges.ts';
import { continuation } from '../../model/pending/restoredTyping.ts';
import type { PatchSection } from '../../api/types/patches.ts';
import type { RestoreOutcome } from '../../protocol/panel.ts';
import {
  textKey,
  type SendTextOutcome,
  type TextAction,
  type PendingTextState,
  type TextRefusal,
  type TextTarget,
} from '../../protocol/patchWriting.ts';
import { attempt, runCommand } from '../../ui/commands.ts';
import { describeReason } from '../../ui/failures.ts';
import type { Log } from '../../ui/log.ts';
import { sectionTitle } from '../../util/sectionTitle.ts';
import { refusal, textState } from './pendingViews.ts';
import { sendPending, type PendingActions } from './sendChange.ts';
import { conflictText, unclearText } from './texts.ts';
import type { PatchRef } from '../../util/patchRef.ts';

type TextSubject = Extract<ChangeSubject, { kind: 'sectionText' | 'newSection' }>;

/** As `SendTextOutcome`, with the reason, which a page is shown rather than told. */
export type TextOutcome =
  Extract<SendTextOutcome, { kind: 'sent' }> | { kind: 'refused'; refusal: TextRefusal };

/** A text as somebody typed it. */
export interface TypedText {
  patch: PatchRef;
  target: TextTarget;
  /** The text that it began from. */
  base: string;
  text: string;
  /** The page that it was typed on. */
  typedOn?: TypedOn | undefined;
}

/** A text that nobody has confirmed to the page on which it was typed. */
interface UnconfirmedTypedText extends TypedText {
  typedOn: TypedOn;
  /** The text that was confirmed last before that. */
  after: string;
}

/** The texts of sections while they are written, kept as pending changes until the service has them. */
export class SectionTexts {
  readonly #pendingChanges: PendingChanges;
  readonly #actions: PendingActions;
  readonly #log: Log;
  /** Functions that bring back the last discarded texts, by key. */
  readonly #discarded = new Map<string, () => Promise<void>>();
  /** Fires when the pending change of some text is another one. */
  readonly onDidChange: PendingChanges['onDidChange'];

  constructor(pendingChanges: PendingChanges, actions: PendingActions, log: Log) {
    this.#pendingChanges = pendingChanges;
    this.onDidChange = pendingChanges.onDidChange;
    this.#actions = actions;
    this.#log = log;
  }

  /** Keeps what is typed; resolves when it is on disk, or cannot be written there. */
  async saveLocally(typed: TypedText): Promise<PendingTextState> {
    this.#put(typed);
    await this.#pendingChanges.written();
    const pending = this.find(typed.patch, typed.target);
    return pending ? textState(pending, this.#pendingChanges) : { sending: false };
  }

  /**
   * Goes on with what an earlier page had when its extension host ended.
   *
   * @param sections what the patch has.
   */
  async restore(typed: UnconfirmedTypedText, sections: readonly PatchSection[]): Promise<RestoreOutcome> {
    await this.#pendingChanges.takeUp(subjectOf(typed.patch, typed.target), typed.typedOn);
    const outcome = this.#restore(typed, sections);
    await this.#pendingChanges.written();
    // A text that may not be on disk is better stored twice than not at all.
    return this.#pendingChanges.problem ? 'waits' : outcome;
  }

  #restore(typed: UnconfirmedTypedText, sections: readonly PatchSection[]): RestoreOutcome {
    const { patch, target, base, text, after, typedOn } = typed;
    const pending = this.find(patch, target);
    if (!pending && (text === base || isSaved(target, text, sections))) {
      return 'known';
    }
    const next = continuation(
      pending,
      { content: contentOf(typed), after: contentOf({ ...typed, text: after }), typedOn },
      this.#pendingChanges.isKnown(subjectOf(patch, target), typedOn),
    );
    if (next.kind === 'known') {
      return 'known';
    }
    if (next.kind === 'beside') {
      this.#pendingChanges.keepBeside(subjectOf(patch, target), contentOf(typed), titleOf(typed), typedOn);
      return 'kept';
    }
    const { text: joined } = next.content;
    // The text that was confirmed last before it may have been sent since.
    const isSent = !pending && isSaved(target, after, sections);
    this.#put({ patch, target, base: isSent ? after : base, text: joined, typedOn: next.typedOn });
    return 'restored';
  }

  /** Sends a text; before that it is saved locally. */
  async send(typed: TypedText): Promise<TextOutcome> {
    const { target, typedOn } = typed;
    const pending = this.#put(typed);
    const outcome: SendOutcome = pending ? await this.#pendingChanges.send(pending.id) : { kind: 'sent' };
    switch (outcome.kind) {
      case 'sent':
        return {
          kind: 'sent',
          code: outcome.code ?? ('code' in target ? target.code : ''),
          merged: outcome.merged !== undefined,
          movedOn: outcome.newest !== undefined,
          ...(outcome.typedOn &&
            outcome.typedOn.page === typedOn?.page && { edition: outcome.typedOn.edition }),
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
    patch: PatchRef,
    target: TextTarget,
    { undoOffered = true }: { undoOffered?: boolean } = {},
  ): Promise<void> {
    const pending = this.find(patch, target);
    if (pending) {
      this.#discarded.set(
        textKey(patch, target),
        await this.#pendingChanges.discard(pending.id, { undoOffered }),
      );
    }
  }

  /** Brings back what was thrown away last. */
  async undoDiscard(patch: PatchRef, target: TextTarget): Promise<void> {
    const key = textKey(patch, target);
    await this.#discarded.get(key)?.();
    this.#discarded.delete(key);
  }

  /** Does what the person has decided about a text that the service did not take. */
  async actOn(patch: PatchRef, target: TextTarget, action: TextAction): Promise<void> {
    const pending = this.find(patch, target);
    if (!pending) {
      return;
    }
    switch (action) {
      case 'addAgain':
        await attempt(vscode.l10n.t('add the section again'), this.#log, async () => {
          this.#pendingChanges.makeNew(pending.id);
          await sendPending(this.#pendingChanges, this.#actions, pending.id);
        });
        break;
      case 'showOther':
        await runCommand('showUnsentChanges', this.#pendingChanges.besides(pending)?.id);
        break;
      case 'compare':
        await this.#actions.compare(pending.id);
        break;
      case 'merge':
        await this.#actions.resolve(pending.id);
        break;
    }
  }

  find(patch: PatchRef, target: TextTarget): PendingChange<TextSubject> | undefined {
    return this.#pendingChanges.find(subjectOf(patch, target));
  }

  #put(typed: TypedText): PendingChange<TextSubject> | undefined {
    const { patch, target, typedOn } = typed;
    const subject = subjectOf(patch, target);
    this.#pendingChanges.put(subject, contentOf(typed), titleOf(typed), typedOn);
    return this.#pendingChanges.find(subject);
  }
}

function subjectOf(patch: PatchRef, target: TextTarget): TextSubject {
  return 'code' in target
    ? { kind: 'sectionText', patch, code: target.code }
    : { kind: 'newSection', patch, key: target.key };
}

function titleOf({ base, text }: TypedText): string {
  return sectionTitle(text) ?? sectionTitle(base) ?? vscode.l10n.t('Text');
}

function contentOf({ target, base, text }: TypedText): ChangeContents[TextSubject['kind']] {
  return 'code' in target ? { base, text } : { text, after: target.after };
}

/** True when the service has a text of which the page was never told that it arrived. */
function isSaved(target: TextTarget, text: string, sections: readonly PatchSection[]): boolean {
  return sections.some(
    (section) =>
      section.sectionType === 'text' &&
      section.text?.trim() === text.trim() &&
      (!('code' in target) || section.code === target.code),
  );
}
