import type { PatchView, SectionView } from '../../../protocol/patchDocument.ts';
import type {
  ChangeElsewhere,
  PatchPending,
  PendingValue,
  PendingKind,
  TextDecision,
  PendingText,
  TextTarget,
} from '../../../protocol/patchWriting.ts';
import { Emitter } from '../../../util/event.ts';
import type { Review } from '../../../util/review.ts';
import type { Silence } from '../../common/SilenceNote.tsx';
import { fitOrder, isSameOrder } from '../reorder/order.ts';
import { SilenceError } from '../../../protocol/rpc.ts';
import {
  TextEdit,
  statusOf,
  targetKey,
  type AskHost,
  type EditStatus,
  type TextKeeping,
} from './textEdit.ts';

/** Something to say at a section, with what can be done about it. */
export interface WritingNote {
  /** The section, or the gap after it: a key as `targetKey` makes it; undefined above the first section. */
  at: string | undefined;
  text: string;
  action?: { label: string; run: () => void };
}

/** A change that the service has taken, or is about to be sent, with the number by which it can be undone, if it can. */
export interface WritingTold {
  text: string;
  change: number;
  undoable: boolean;
}

/** What the page itself says about writing, in the language of the window. */
export interface WritingTexts {
  discarded: string;
  undo: string;
  merged: string;
  saved: string;
  /** Of a text that was to be saved, and no one answered. */
  notSaved: string;
  /** Said once when no one answers, and when someone does again. */
  silent: string;
  answersAgain: string;
  /** Said once when a text is back that was kept while no one answered. */
  handedOver: string;
}

/** Whether nothing of a patch may be changed: its patch stack is closed, or the person is not signed in to its server. */
export function isReadOnly({ stackStatus, signedOutOf }: PatchView): boolean {
  return stackStatus === 'closed' || signedOutOf !== undefined;
}

/** What is written, deleted and moved in a patch, before and until the service has it. */
export class Writing {
  readonly #ask: AskHost;
  readonly #keeping: TextKeeping;
  readonly #texts: WritingTexts;
  readonly #changed = new Emitter<null>();
  readonly #edits = new Map<string, TextEdit>();
  #sections: readonly SectionView[] = [];
  #deletions: PendingValue<string>[] = [];
  #order: PendingValue<string[]> | undefined;
  #signOff: PendingValue<Review> | undefined;
  #elsewhere: readonly ChangeElsewhere[] = [];
  #note: WritingNote | undefined;
  #told: WritingTold | undefined;
  #announcement = '';
  #silence: Silence | undefined;
  /** What was typed before an extension host ended, and is shown as a pending change since; and what waits to be. */
  readonly #handedOver = new Map<string, 'taken' | 'waits'>();
  readonly #goneOnElsewhere = new Set<string>();
  /** The sections that there were when something was sent last. */
  #codesBefore: ReadonlySet<string> | undefined;
  #returnFocus = new Map<string, HTMLElement>();

  /** Whether nothing new may be begun; what was written before can still be sent or taken back. */
  readOnly = false;

  /** Fires when another set of sections is shown or written, and when something is said. */
  readonly onDidChange = this.#changed.event;

  constructor(ask: AskHost, keeping: TextKeeping, texts: WritingTexts) {
    this.#ask = ask;
    this.#keeping = keeping;
    this.#texts = texts;
  }

  get announcement(): string {
    return this.#announcement;
  }

  noteAt(key: string | undefined): WritingNote | undefined {
    return this.#note?.at === key ? this.#note : undefined;
  }

  /** What was changed last, told until it is dismissed. */
  get told(): WritingTold | undefined {
    return this.#told;
  }

  /** Set while no one answers. */
  get silence(): Silence | undefined {
    return this.#silence;
  }

  /** Whether the text of a section was kept while no one answered: it is the pending change now, or waits to be. */
  handedOver(key: string): 'taken' | 'waits' | undefined {
    return this.#handedOver.get(key);
  }

  /** Whether another tab has gone on with what was typed here while no one answered. */
  isGoneOnElsewhere(key: string): boolean {
    return this.#goneOnElsewhere.has(key);
  }

  get deletions(): readonly PendingValue<string>[] {
    return this.#deletions;
  }

  get order(): PendingValue<string[]> | undefined {
    return this.#order;
  }

  get signOff(): PendingValue<Review> | undefined {
    return this.#signOff;
  }

  /** What other windows hold of a section; without a code, of the patch as a whole. */
  elsewhere(code?: string): ChangeElsewhere[] {
    return this.#elsewhere.filter((change) => change.code === code);
  }

  /** Every text that is open. */
  get edits(): TextEdit[] {
    return [...this.#edits.values()];
  }

  /** The text that is open at a section. */
  editOf(key: string): TextEdit | undefined {
    return this.#edits.get(key);
  }

  /**
   * The sections as they are shown: in the wanted order, with the new ones, without those that are deleted. Those that are
   * written have an editor even when the service no longer has them.
   */
  shown(sections: readonly SectionView[]): SectionView[] {
    this.#sections = sections;
    const deleted = new Set(
      this.#deletions.filter(({ problem }) => problem === undefined).map(({ value }) => value),
    );
    const byCode = new Map(sections.map((section) => [section.code, section]));
    for (const edit of this.#edits.values()) {
      const arrived = sections.find((section) => this.#isFrom(section, edit));
      if (arrived) {
        // Its editor stands for it until the service's answer closes that.
        byCode.delete(arrived.code);
      }
    }
    const present = sections.map(({ code }) => code);
    const order = this.#order ? fitOrder(this.#order.value, present) : present;
    const shown = order.flatMap((code) => {
      const section = byCode.get(code);
      return section && !deleted.has(code) ? [section] : [];
    });
    for (const edit of this.#edits.values()) {
      if (!shown.some(({ code }) => code === edit.key)) {
        const after = 'after' in edit.target ? edit.target.after : null;
        const place = shown.findIndex(({ code }) => code === after);
        const section: SectionView = { type: 'text', code: edit.key, text: edit.base };
        shown.splice(
          after === null && 'after' in edit.target ? 0 : place < 0 ? shown.length : place + 1,
          0,
          section,
        );
      }
    }
    return shown;
  }

  /** Says something to screen readers. */
  announce(text: string): void {
    // The same words twice are said twice only if they differ.
    this.#announcement = text === this.#announcement ? `${text}\u00a0` : text;
    this.#changed.fire(null);
  }

  /** Takes in what the service does not have yet, as the extension host keeps it. */
  showPending(pendingChanges: PatchPending): void {
    this.#deletions = pendingChanges.deletions;
    this.#order = pendingChanges.order;
    this.#signOff = pendingChanges.signOff;
    this.#elsewhere = pendingChanges.elsewhere ?? [];
    const kept = new Set(pendingChanges.texts.map(({ target }) => targetKey(target)));
    for (const edit of [...this.#edits.values()]) {
      // Sent or discarded elsewhere. What is only open here, typed or sent from here, this page knows first.
      const known = edit.status.progress === 'kept' || edit.status.progress === 'sending';
      if (!kept.has(edit.key) && known && !edit.sentFromHere) {
        this.#close(edit);
      }
    }
    for (const pending of pendingChanges.texts) {
      this.#showPending(pending);
    }
    this.#changed.fire(null);
  }

  /**
   * Edits a section, if it has a text.
   *
   * @param cursor where the cursor stands at first; else at the end.
   */
  edit(code: string, cursor?: number): boolean {
    const section = this.#sections.find((candidate) => candidate.code === code);
    const open = this.#edits.get(code);
    if (open) {
      open.focus();
      return true;
    }
    if (section?.type !== 'text' || this.readOnly) {
      return false;
    }
    this.#open(
      { target: { code }, base: section.text, text: section.text },
      { progress: 'unchanged' },
      cursor,
    ).focus();
    this.#note = undefined;
    this.#changed.fire(null);
    return true;
  }

  /** Begins a new section. */
  add(after: string | null): void {
    const pending = { target: { key: crypto.randomUUID(), after }, base: '', text: '' };
    this.#note = undefined;
    this.#open(pending, { progress: 'unchanged' }).focus();
    this.#changed.fire(null);
  }

  /** Sends what was written. */
  async save(edit: TextEdit): Promise<void> {
    if (edit.sentFromHere) {
      return;
    }
    if (!edit.isChanged) {
      this.#close(edit);
      return;
    }
    edit.endKeeping();
    edit.status = { progress: 'sending' };
    edit.sentFromHere = true;
    this.#codesBefore = new Set(this.#sections.map(({ code }) => code));
    // What is on its way already comes before it.
    const sent = edit.toSend;
    this.#keeping.hold(sent);
    try {
      const outcome = await this.#ask('sendText', sent);
      this.#keeping.confirm(sent.target, sent.edition);
      if (outcome.kind === 'refused') {
        edit.status = { progress: 'kept', refusal: outcome.refusal };
        return;
      }
      const merged = outcome.merged && !outcome.movedOn;
      this.#note = merged ? { at: outcome.code, text: this.#texts.merged } : undefined;
      this.#announcement = merged ? this.#texts.merged : this.#texts.saved;
      this.#close(edit, outcome.code);
    } catch (error) {
      edit.status =
        error instanceof SilenceError
          ? { progress: 'typing', refusal: { kind: 'unsent', text: this.#texts.notSaved } }
          : { progress: 'kept', refusal: { kind: 'unsent', text: messageOf(error) } };
    } finally {
      edit.sentFromHere = false;
    }
  }

  /** Takes back what was written; that can be undone. */
  async cancel(edit: TextEdit): Promise<void> {
    if (edit.sentFromHere) {
      // No one could say whether the service takes it anyway.
      return;
    }
    const { target, key, isChanged, text, base } = edit;
    const at = 'code' in target ? key : (target.after ?? undefined);
    if (isChanged) {
      // What was typed in the last moment is taken back too, so that it is there again after *Undo*.
      void edit.keepNow();
      edit.endKeeping();
      try {
        await this.#ask('discardText', { target });
      } catch (error) {
        edit.status = { ...edit.status, refusal: { kind: 'unsent', text: messageOf(error) } };
        return;
      }
      edit.forget();
    }
    this.#note =
      isChanged && text !== base
        ? {
            at,
            text: this.#texts.discarded,
            action: { label: this.#texts.undo, run: () => void this.#undoDiscard(target) },
          }
        : undefined;
    this.#announcement = isChanged && text !== base ? this.#texts.discarded : '';
    this.#close(edit, at);
  }

  /** Decides about a text that the service did not take. */
  async decide(edit: TextEdit, decision: TextDecision): Promise<void> {
    void edit.keepNow();
    await this.#try(() => this.#ask('decide', { target: edit.target, decision }));
  }

  /** Takes the note away. */
  dismissNote(): void {
    this.#note = undefined;
    this.#changed.fire(null);
  }

  /** Tells of a change that the service has taken; nothing more is said of the one before. */
  tell(text: string, change: number, undoable: boolean): void {
    this.#told = { text, change, undoable };
    this.#changed.fire(null);
  }

  /** Takes back the change that was told of. */
  undoTold(): void {
    const told = this.#told;
    this.dismissTold();
    if (told) {
      void this.#try(() => this.#ask('undoChange', { change: told.change }));
    }
  }

  /** Says no more of the change that was told of. @param change only if it is this one. */
  dismissTold(change = this.#told?.change): void {
    if (this.#told?.change === change) {
      this.#told = undefined;
      this.#changed.fire(null);
    }
  }

  /** Shows an order at once, and has it sent. */
  reorder(order: string[]): void {
    const present = this.#sections.map(({ code }) => code);
    const before = this.#order ? fitOrder(this.#order.value, present) : present;
    const wanted = order.filter((code) => present.includes(code));
    if (isSameOrder(before, wanted)) {
      return;
    }
    const orderBefore = this.#order;
    this.#order = { value: wanted };
    this.#changed.fire(null);
    void this.#try(
      () => this.#ask('orderSections', { order: wanted }),
      () => (this.#order = orderBefore),
    );
  }

  /**
   * Signs the patch off, or requests changes.
   *
   * @param seen the fingerprint of the patch as it is shown.
   */
  review(review: Review, seen: string): void {
    const signOffBefore = this.#signOff;
    this.#signOff = { value: review };
    this.#changed.fire(null);
    void this.#try(
      () => this.#ask('review', { review, seen }),
      () => (this.#signOff = signOffBefore),
    );
  }

  /** Sends again what the service has not taken. */
  retryPending(kind: PendingKind, code?: string): void {
    void this.#try(() => this.#ask('retryPending', { kind, ...(code !== undefined && { code }) }));
  }

  /** Takes back what the service has not taken. */
  discardPending(kind: PendingKind, code?: string): void {
    void this.#try(() => this.#ask('discardPending', { kind, ...(code !== undefined && { code }) }));
  }

  /** Takes a change over that another window holds. */
  takeOver({ id }: ChangeElsewhere): void {
    void this.#try(() => this.#ask('takeOver', { id }));
  }

  /** Says that no one answers, or that someone does again: then what is not confirmed is kept once more. */
  noteSilence(silence: Silence | undefined): void {
    const before = this.#silence;
    this.#silence = silence;
    if (!before !== !silence) {
      this.#announcement = silence ? this.#texts.silent : this.#texts.answersAgain;
    }
    this.#changed.fire(null);
    if (before && !silence) {
      for (const edit of this.#edits.values()) {
        if (!this.#goneOnElsewhere.has(edit.key)) {
          void edit.keepAgain();
        }
      }
    }
  }

  /** Notes what became of texts that earlier pages had typed. */
  noteHandedOver(outcomes: readonly { target: TextTarget; outcome: 'taken' | 'known' | 'waits' }[]): void {
    for (const { target, outcome } of outcomes) {
      if (outcome !== 'known') {
        this.#handedOver.set(targetKey(target), outcome);
        this.#announcement = this.#texts.handedOver;
      }
    }
    this.#changed.fire(null);
  }

  /** Notes which texts another tab has gone on with. */
  noteGoneOnElsewhere(isGone: (edit: TextEdit) => boolean): void {
    for (const edit of this.edits.filter(isGone)) {
      this.#goneOnElsewhere.add(edit.key);
    }
    this.#changed.fire(null);
  }

  /** Takes in a text that was changed elsewhere. */
  adopt(target: TextTarget, text: string, replaced: string): void {
    this.#edits.get(targetKey(target))?.adopt(text, replaced);
  }

  /** Ends writing on this page: what was typed is kept. */
  close(): void {
    this.keepAll();
    for (const edit of this.#edits.values()) {
      edit.close();
    }
    this.#changed.dispose();
  }

  /** Has everything that was typed kept at once: the page may be going. */
  keepAll(): void {
    for (const edit of this.#edits.values()) {
      void edit.keepNow();
    }
  }

  /** Whether a section is what a new one that is on its way has become. */
  #isFrom(section: SectionView, edit: TextEdit): boolean {
    return (
      !('code' in edit.target) &&
      edit.status.progress === 'sending' &&
      section.type === 'text' &&
      this.#codesBefore?.has(section.code) === false &&
      section.text.trim() === edit.text.trim()
    );
  }

  #showPending(pending: PendingText): void {
    const key = targetKey(pending.target);
    const open = this.#edits.get(key);
    if (!open) {
      // One that is on its way, such as what *Undo* adds again, needs no editor unless it comes back.
      if (!pending.sending) {
        this.#open(pending, statusOf(pending));
      }
    } else if (open.status.progress !== 'typing' && !open.sentFromHere) {
      // What is typed here and what is sent from here this page knows first.
      open.show(pending);
    }
  }

  #open(
    pending: Pick<PendingText, 'target' | 'base' | 'text'>,
    status: EditStatus,
    cursor?: number,
  ): TextEdit {
    const edit = new TextEdit(this.#ask, this.#keeping, pending, status, cursor);
    this.#edits.set(edit.key, edit);
    const focused = document.activeElement;
    if (focused instanceof HTMLElement && focused !== document.body) {
      this.#returnFocus.set(edit.key, focused);
    }
    return edit;
  }

  /** Takes the editor away; the focus goes back to where it was, or to the section that is there now. */
  #close(edit: TextEdit, section?: string): void {
    const before = this.#returnFocus.get(edit.key);
    const focused = document.activeElement;
    this.#returnFocus.delete(edit.key);
    this.#edits.delete(edit.key);
    this.#handedOver.delete(edit.key);
    this.#goneOnElsewhere.delete(edit.key);
    const inSection = focused?.closest('[data-section]')?.getAttribute('data-section') === edit.key;
    const hadFocus = focused === null || focused === document.body || inSection;
    edit.close();
    this.#changed.fire(null);
    if (hadFocus) {
      requestAnimationFrame(() => {
        const now = document.activeElement;
        if (now !== null && now !== document.body && now !== focused) {
          // The person has gone elsewhere meanwhile.
          return;
        }
        const place = document.querySelector<HTMLElement>(
          `[data-section="${CSS.escape(section ?? edit.key)}"]`,
        );
        (before?.isConnected ? before : place)?.focus();
      });
    }
  }

  /** Has something done; when no one does it, what was shown of it is taken back, and why is said. */
  async #try(work: () => Promise<unknown>, takeBack?: () => void): Promise<void> {
    try {
      await work();
    } catch (error) {
      takeBack?.();
      this.announce(messageOf(error));
    }
  }

  async #undoDiscard(target: TextTarget): Promise<void> {
    let pending: PendingText | null;
    try {
      pending = await this.#ask('undoDiscard', { target });
    } catch (error) {
      this.announce(messageOf(error));
      return;
    }
    this.#note = undefined;
    if (pending) {
      // It may have been shown already, as any pending change that comes.
      const edit = this.#edits.get(targetKey(target)) ?? this.#open(pending, statusOf(pending));
      edit.focus();
    }
    this.#changed.fire(null);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
