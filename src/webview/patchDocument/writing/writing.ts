import type { PatchView, SectionView } from '../../../protocol/patchDocument.ts';
import {
  isNew,
  targetKey,
  type ChangeElsewhere,
  type UnconfirmedText,
  type LastChange,
  type PatchPending,
  type PendingValue,
  type PendingKind,
  type TextAction,
  type PendingText,
  type TextTarget,
} from '../../../protocol/patchWriting.ts';
import type { RestoreOutcome } from '../../../protocol/panel.ts';
import { Emitter } from '../../../util/event.ts';
import { inBackground } from '../../../util/inBackground.ts';
import type { Review } from '../../../util/review.ts';
import { giveFocus } from '../../common/focusKeeping.ts';
import type { Silence } from '../../common/outbox.ts';
import { fitOrder } from '../../../util/fitOrder.ts';
import { isSameOrder } from './order.ts';
import { SilenceError } from '../../../protocol/rpc.ts';
import { TextEdit, statusOf, type AskHost, type EditStart, type TextOutbox } from './textEdit.ts';
import { messageOf } from '../../../util/messageOf.ts';

/** Something to say at a section, with what can be done about it. */
export interface WritingNote {
  /** The section, or the gap after it: a key as `targetKey` makes it; undefined above the first section. */
  at: string | undefined;
  text: string;
  action?: { label: string; run: () => void };
}

/** The page's own texts about writing, in the language of the window. */
interface WritingTexts {
  discarded: string;
  undo: string;
  merged: string;
  saved: string;
  /** Of a text that was to be saved, and no one answered. */
  notSaved: string;
  /** Said once when no one answers, and when someone does again. */
  silent: string;
  answersAgain: string;
  /** Said once when a text is back that was typed while no one answered, or when it is kept beside another one. */
  restored: string;
  kept: string;
}

/** Returns true when a patch can't be changed: its patch stack is closed, or the person isn't signed in to its server. */
export function isReadOnly({ stackStatus, signedOutOf }: PatchView): boolean {
  return stackStatus === 'closed' || signedOutOf !== undefined;
}

/** The edits, deletions and moves in a patch, before and until the service has them. */
export class Writing {
  readonly #ask: AskHost;
  readonly #outbox: TextOutbox;
  readonly #texts: WritingTexts;
  readonly #changed = new Emitter<null>();
  readonly #edits = new Map<string, TextEdit>();
  #sections: readonly SectionView[] = [];
  #pending: PatchPending = { texts: [], deletions: [] };
  /** True when the person wanted to read on in the next patch after a sign-off that something kept them from. */
  #goesOn = false;
  /** The person's last order and review, shown until the extension host has answered. */
  #said: { [K in 'order' | 'signOff']?: PatchPending[K] | undefined } = {};
  #note: WritingNote | undefined;
  #lastChange: LastChange | undefined;
  #fingerprint = '';
  #unseen: readonly SectionView[] = [];
  /** The number of the last change of which the person wants to hear no more. */
  #dismissed: number | undefined;
  #announcement = '';
  #silence: Silence | undefined;
  /** Texts that were typed before an extension host ended, and are shown as pending changes since. */
  readonly #restored = new Set<string>();
  readonly #goneOnElsewhere = new Set<string>();
  /** The sections that there were when something was sent last. */
  #codesBefore: ReadonlySet<string> | undefined;
  #returnFocus = new Map<string, HTMLElement>();

  /** True when nothing new may be begun; earlier texts can still be sent or taken back. */
  readOnly = false;

  /** Fires when another set of sections is shown or written, and when something is said. */
  readonly onDidChange = this.#changed.event;

  constructor(ask: AskHost, outbox: TextOutbox, texts: WritingTexts) {
    this.#ask = ask;
    this.#outbox = outbox;
    this.#texts = texts;
  }

  get announcement(): string {
    return this.#announcement;
  }

  noteAt(key: string | undefined): WritingNote | undefined {
    return this.#note?.at === key ? this.#note : undefined;
  }

  /** The last change, until the person dismisses it. */
  get lastChange(): LastChange | undefined {
    return this.#lastChange?.number === this.#dismissed ? undefined : this.#lastChange;
  }

  /** The sections that were never on the screen, after the person wanted to sign off. */
  get unseen(): readonly SectionView[] {
    return this.#unseen;
  }

  /** Set while no one answers. */
  get silence(): Silence | undefined {
    return this.#silence;
  }

  /** True for a text that was typed while no one answered, and is the pending change now. */
  isRestored(key: string): boolean {
    return this.#restored.has(key);
  }

  /** Returns true when another tab has gone on with a text that was typed here while no one answered. */
  isGoneOnElsewhere(key: string): boolean {
    return this.#goneOnElsewhere.has(key);
  }

  get deletions(): readonly PendingValue<string>[] {
    return this.#pending.deletions;
  }

  get order(): PendingValue<string[]> | undefined {
    return this.#said.order ?? this.#pending.order;
  }

  get signOff(): PendingValue<Review> | undefined {
    return this.#said.signOff ?? this.#pending.signOff;
  }

  /** The changes of a section that other windows hold; without a code, those of the patch as a whole. */
  elsewhere(code?: string): ChangeElsewhere[] {
    return (this.#pending.elsewhere ?? []).filter((change) => change.code === code);
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
  get shown(): SectionView[] {
    const sections = this.#sections;
    const deleted = new Set(
      this.deletions.filter(({ problem }) => problem === undefined).map(({ value }) => value),
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
    const order = this.order ? fitOrder(this.order.value, present) : present;
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

  /** Takes in how the patch is: its sections, and what the service does not have of it yet. */
  show(patch: PatchView): void {
    this.readOnly = isReadOnly(patch);
    this.#sections = patch.sections;
    this.#pending = patch.pending;
    this.#lastChange = patch.lastChange;
    this.#fingerprint = patch.fingerprint;
    this.#unseen = patch.sections.filter(({ code }) => patch.unseen?.includes(code));
    const pending = new Map(patch.pending.texts.map((text) => [targetKey(text.target), text]));
    for (const edit of this.edits) {
      const text = pending.get(edit.key);
      const known = edit.status.progress === 'savedLocally' || edit.status.progress === 'sending';
      if (text) {
        edit.show(text);
      } else if (known && !edit.sentFromHere && !edit.isStopped) {
        // Sent or discarded elsewhere. What is only open here, typed or sent from here, this page knows first.
        this.#close(edit);
      }
    }
    patch.pending.texts.forEach((text) => this.#openPending(text));
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
    const content = { base: section.text, text: section.text };
    this.#open({ target: { code }, content, status: { progress: 'unchanged' }, cursor }).focus();
    this.#note = undefined;
    this.#changed.fire(null);
    return true;
  }

  /** Begins a new section. */
  add(after: string | null): void {
    const target = { key: crypto.randomUUID(), after };
    this.#note = undefined;
    const content = { base: '', text: '' };
    this.#open({ target, content, status: { progress: 'unchanged' } }).focus();
    this.#changed.fire(null);
  }

  /** Begins a new section before another; at the top where that isn't there. */
  addBefore(code: string | undefined): void {
    const { shown } = this;
    const place = shown.findIndex((section) => section.code === code);
    // One that is new is no place: it has no code yet that would say where this one goes.
    this.add(shown.slice(0, Math.max(0, place)).findLast((section) => !isNew(section.code))?.code ?? null);
  }

  /** Sends what was written. */
  async save(edit: TextEdit): Promise<void> {
    if (edit.sentFromHere || edit.isStopped) {
      return;
    }
    if (!edit.isChanged) {
      this.#close(edit);
      return;
    }
    edit.endSavingLocally();
    edit.status = { progress: 'sending' };
    edit.sentFromHere = true;
    this.#codesBefore = new Set(this.#sections.map(({ code }) => code));
    try {
      const { outcome, sent } = await edit.send();
      this.#outbox.confirm(sent.target, sent.edition);
      edit.sentFromHere = false;
      if (outcome.kind === 'refused') {
        this.#showRefusal(edit);
        return;
      }
      const merged = outcome.merged && !outcome.movedOn;
      this.#note = merged ? { at: outcome.code, text: this.#texts.merged } : undefined;
      this.#announcement = merged ? this.#texts.merged : this.#texts.saved;
      // What was typed while the text waited for its turn was sent with it.
      if (edit.edition === (outcome.edition ?? sent.edition)) {
        this.#close(edit, outcome.code);
        // Another window may have typed into it meanwhile.
        this.#pending.texts.forEach((text) => this.#openPending(text));
        this.#changed.fire(null);
      } else {
        this.#goOn(edit, outcome.code, sent);
      }
    } catch (error) {
      edit.status =
        error instanceof SilenceError
          ? { progress: 'typing', refusal: { kind: 'unsent', text: this.#texts.notSaved } }
          : { progress: 'savedLocally', refusal: { kind: 'unsent', text: messageOf(error) } };
    } finally {
      edit.sentFromHere = false;
    }
  }

  /** Takes back what was written; that can be undone. */
  async cancel(edit: TextEdit): Promise<void> {
    if (edit.sentFromHere || edit.isStopped) {
      // No one could say whether the service takes it anyway.
      return;
    }
    const { target, key, isChanged, text, base } = edit;
    const at = 'code' in target ? key : (target.after ?? undefined);
    if (isChanged) {
      // The typing of the last moment is taken back too, so that it is there again after *Undo*.
      inBackground(edit.saveLocallyNow());
      const goOn = edit.stopSavingLocally();
      try {
        await this.#ask('discardText', { target });
      } catch (error) {
        inBackground(goOn());
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
            action: { label: this.#texts.undo, run: () => inBackground(this.#undoDiscard(target)) },
          }
        : undefined;
    this.#announcement = isChanged && text !== base ? this.#texts.discarded : '';
    this.#close(edit, at);
    // Another text may have waited for that.
    this.#pending.texts.forEach((other) => this.#openPending(other));
    this.#changed.fire(null);
  }

  /** Decides about a text that the service did not take. */
  async actOn(edit: TextEdit, action: TextAction): Promise<void> {
    inBackground(edit.saveLocallyNow());
    await this.#try(() => this.#ask('actOnText', { target: edit.target, action }));
  }

  /** Has the person decide between the versions of a section's text that were written at the same time. */
  async resolveShared(code: string): Promise<void> {
    await this.#try(() => this.#ask('resolveShared', { code }));
  }

  /** Takes the note away. */
  dismissNote(): void {
    this.#note = undefined;
    this.#changed.fire(null);
  }

  /** Takes the last change back. */
  undoLastChange(): void {
    this.#endLastChange('undoChange');
  }

  /** Says no more of the last change. */
  dismissLastChange(): void {
    this.#endLastChange('dismissChange');
  }

  /** Shows an order at once, and has it sent. */
  reorder(order: string[]): void {
    const present = this.#sections.map(({ code }) => code);
    const before = this.order ? fitOrder(this.order.value, present) : present;
    const wanted = order.filter((code) => present.includes(code));
    if (isSameOrder(before, wanted)) {
      return;
    }
    inBackground(this.#say('order', { value: wanted }, () => this.#ask('orderSections', { order: wanted })));
  }

  /**
   * Signs the patch off, or requests changes.
   *
   * @param seen the fingerprint of the patch as it is shown.
   * @param goesOn whether the person then reads on in the next patch.
   */
  review(review: Review, seen: string, goesOn = false): void {
    this.#goesOn = goesOn;
    inBackground(
      this.#say('signOff', { value: review }, () => this.#ask('review', { review, seen, goesOn })),
    );
  }

  /** Signs the patch off with all that was never on the screen. */
  signOffAnyway(): void {
    const [seen, goesOn] = [this.#fingerprint, this.#goesOn];
    inBackground(
      this.#say('signOff', { value: 'signedOff' }, () =>
        this.#ask('review', { review: 'signedOff', seen, anyway: true, goesOn }),
      ),
    );
  }

  /** Says no more of what was never on the screen. */
  dismissUnseen(): void {
    inBackground(this.#try(() => this.#ask('dismissUnseen', {})));
  }

  /** Sends again what the service has not taken. */
  retryPending(kind: PendingKind, code?: string): void {
    inBackground(this.#try(() => this.#ask('retryPending', { kind, ...(code !== undefined && { code }) })));
  }

  /** Takes back what the service has not taken. */
  discardPending(kind: PendingKind, code?: string): void {
    inBackground(this.#try(() => this.#ask('discardPending', { kind, ...(code !== undefined && { code }) })));
  }

  /** Takes a change over that another window holds. */
  takeOver({ id }: ChangeElsewhere): void {
    inBackground(this.#try(() => this.#ask('takeOver', { id })));
  }

  /** Says that no one answers, or that someone does again: then what is not confirmed is told once more. */
  noteSilence(
    silence: Silence | undefined,
    announce: (text: string) => void = (text) => (this.#announcement = text),
  ): void {
    const before = this.#silence;
    this.#silence = silence;
    if (!before !== !silence) {
      announce(silence ? this.#texts.silent : this.#texts.answersAgain);
    }
    this.#changed.fire(null);
    if (before && !silence) {
      for (const edit of this.#edits.values()) {
        if (!this.#goneOnElsewhere.has(edit.key)) {
          inBackground(edit.saveLocallyAgain());
        }
      }
    }
  }

  /** Notes what became of texts that earlier pages had typed. */
  noteRestored(outcomes: readonly { target: TextTarget; outcome: RestoreOutcome }[]): void {
    for (const { target, outcome } of outcomes) {
      if (outcome === 'restored') {
        this.#restored.add(targetKey(target));
      }
      if (outcome === 'restored' || outcome === 'kept') {
        this.#announcement = this.#texts[outcome];
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

  /** Ends writing on this page: what was typed is saved locally. */
  close(): void {
    this.saveAllLocally();
    for (const edit of this.#edits.values()) {
      edit.close();
    }
    this.#changed.dispose();
  }

  /** At once, for the page may be going. */
  saveAllLocally(): void {
    for (const edit of this.#edits.values()) {
      inBackground(edit.saveLocallyNow());
    }
  }

  /** True when a section is the one that a new text on its way has become. */
  #isFrom(section: SectionView, edit: TextEdit): boolean {
    return (
      !('code' in edit.target) &&
      edit.status.progress === 'sending' &&
      section.type === 'text' &&
      this.#codesBefore?.has(section.code) === false &&
      section.text.trim() === edit.text.trim()
    );
  }

  /** Opens an editor for what is pending and has none. */
  #openPending({ target, content, ...state }: PendingText): void {
    const isOpen = this.#edits.has(targetKey(target));
    // One that is on its way, such as what *Undo* adds again, needs none unless it comes back; and what goes on with a new
    // section that is saved here has one.
    const isNeeded = !state.sending && !this.#isGoneOnHere(target);
    if (content && !isOpen && isNeeded) {
      this.#open({ target, content, status: statusOf(state) });
    }
  }

  /** True when a section is new since the last request that isn't answered yet. */
  #isGoneOnHere(target: TextTarget): boolean {
    const isNewHere = this.edits.some((edit) => edit.sentFromHere && isNew(edit.key));
    return isNewHere && 'code' in target && this.#codesBefore?.has(target.code) === false;
  }

  #open(start: EditStart): TextEdit {
    const edit = new TextEdit(this.#ask, this.#outbox, start);
    this.#edits.set(edit.key, edit);
    const focused = document.activeElement;
    if (focused instanceof HTMLElement && focused !== document.body) {
      this.#returnFocus.set(edit.key, focused);
    }
    return edit;
  }

  /** Says why a text was not taken, as this page was told right before. */
  #showRefusal(edit: TextEdit): void {
    const pending = this.#pending.texts.find(({ target }) => targetKey(target) === edit.key);
    if (pending) {
      const { progress } = edit.status;
      edit.status = { ...statusOf(pending), ...(progress === 'typing' && { progress }) };
    } else if (edit.status.progress !== 'typing') {
      // What was typed since stays: nobody else has it.
      this.#close(edit);
    }
  }

  /** Leaves open what was typed into while it was saved: that is a change of its own now. */
  #goOn(edit: TextEdit, code: string, saved: UnconfirmedText): void {
    this.#edits.delete(edit.key);
    const shown = this.#edits.get(code);
    if (shown) {
      this.#close(shown);
    }
    edit.goOn(code, saved);
    this.#edits.set(code, edit);
    this.#changed.fire(null);
  }

  /** Takes the editor away; the focus goes back to where it was, or to the section that is there now. */
  #close(edit: TextEdit, section?: string): void {
    const before = this.#returnFocus.get(edit.key);
    const focused = document.activeElement;
    this.#returnFocus.delete(edit.key);
    this.#edits.delete(edit.key);
    this.#restored.delete(edit.key);
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
        // The person goes on at a section that was added.
        const isAdded = section !== undefined && section !== edit.key;
        giveFocus(before?.isConnected && !isAdded ? before : place);
      });
    }
  }

  /** Shows at once what the person says, and has it done; what is shown afterwards is what the extension host has of it. */
  async #say<K extends 'order' | 'signOff'>(
    kind: K,
    value: NonNullable<PatchPending[K]>,
    work: () => Promise<unknown>,
  ): Promise<void> {
    this.#said = { ...this.#said, [kind]: value };
    this.#changed.fire(null);
    await this.#try(work);
    if (this.#said[kind] === value) {
      this.#said = { ...this.#said, [kind]: undefined };
      this.#changed.fire(null);
    }
  }

  /** Says no more of the last change at once, before the extension host has heard of it. */
  #endLastChange(method: 'undoChange' | 'dismissChange'): void {
    const { lastChange } = this;
    if (lastChange) {
      this.#dismissed = lastChange.number;
      this.#changed.fire(null);
      inBackground(this.#try(() => this.#ask(method, { change: lastChange.number })));
    }
  }

  /** Has something done; when no one does it, why is said. */
  async #try(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.announce(messageOf(error));
    }
  }

  async #undoDiscard(target: TextTarget): Promise<void> {
    await this.#try(async () => {
      // When that is answered, it is shown already, as any pending change that comes.
      await this.#ask('undoDiscard', { target });
      this.#note = undefined;
      this.#edits.get(targetKey(target))?.focus();
      this.#changed.fire(null);
    });
  }
}
