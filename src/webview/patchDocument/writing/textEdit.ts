import {
  targetKey,
  type UnconfirmedText,
  type PatchWritingHost,
  type PendingTextState,
  type PendingContent,
  type PendingText,
  type SendTextOutcome,
  type TextRefusal,
  type TextTarget,
  type TypedText,
} from '../../../protocol/patchWriting.ts';
import { SilenceError } from '../../../protocol/rpc.ts';
import { Emitter } from '../../../util/event.ts';
import { inBackground } from '../../../util/inBackground.ts';
import type { TextChanges } from '../../../util/textChanges.ts';
import type { ChangeSet } from '@codemirror/state';
import type { MarkdownEditor, MarkdownEditorOptions } from '../editor/markdownEditor.ts';
import type { MarkName } from '../editor/marks.ts';
import { messageOf } from '../../../util/messageOf.ts';

export interface EditStatus {
  progress: 'unchanged' | 'typing' | 'savedLocally' | 'sending';
  refusal?: TextRefusal;
  /** Why it is not on disk. */
  notSavedLocally?: string;
  /** Set as long as it is as an agent has proposed it. */
  proposed?: true;
  /** Set while another text of the same waits until this one is gone. */
  hasOther?: true;
}

/** The status of a pending change that the extension host tells of. */
export function statusOf(state: PendingTextState): EditStatus {
  const { sending, refusal, notSavedLocally, proposed, hasOther } = state;
  return {
    progress: sending ? 'sending' : 'savedLocally',
    ...(refusal && { refusal }),
    ...(notSavedLocally !== undefined && { notSavedLocally }),
    ...(proposed && { proposed }),
    ...(hasOther && { hasOther }),
  };
}

/** Asks the extension host about the patch that is shown; the part of the connection that writing needs. */
export type AskHost = <K extends keyof PatchWritingHost>(
  method: K,
  parameters: Omit<Parameters<PatchWritingHost[K]>[0], 'patch'>,
) => Promise<Awaited<ReturnType<PatchWritingHost[K]>>>;

/** Keeps a text on the page's side until the extension host has it on disk; see `Outbox`. */
export interface TextOutbox {
  page: string;
  hold: (text: UnconfirmedText) => void;
  /** Everything up to this edition is on disk, or isn't wanted any more. */
  confirm: (target: TextTarget, edition: number) => void;
}

/** The beginning of an edit. */
export interface EditStart {
  target: TextTarget;
  content: Pick<PendingContent, 'base' | 'text'>;
  status: EditStatus;
  /** The place of the cursor at first; else the end. */
  cursor?: number | undefined;
}

/** The last edition of any text on this page. */
let lastEdition = 0;

/** Milliseconds after which something typed is saved locally: a burst of keys is one message. */
const localSaveDelayMs = 50;

/** Tests give one without a page. */
interface EditorModule {
  createMarkdownEditor: (options: MarkdownEditorOptions) => MarkdownEditor;
}

/** Larger than all the rest, so it comes when someone writes. */
const loadEditor = (): Promise<EditorModule> => import('../editor/markdownEditor.ts');

/**
 * A text that is open for writing. It outlives its place on the page: when that is drawn again, scrolled away or moved, the
 * editor with its cursor and its history is put into the new place as it was.
 */
export class TextEdit {
  sentFromHere = false;
  readonly #ask: AskHost;
  readonly #outbox: TextOutbox;
  readonly #changed = new Emitter<EditStatus>();
  readonly #typed = new Emitter<null>();
  readonly #marksChanged = new Emitter<ReadonlySet<MarkName>>();
  readonly #cursor: number | undefined;
  #target: TextTarget;
  #base: string;
  #text: string;
  /** The text that the extension host is known to have on disk. */
  #confirmed: string;
  #status: EditStatus;
  #editor: MarkdownEditor | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wantsFocus = false;
  #marks: ReadonlySet<MarkName> = new Set();
  /** Grows with each key, and is larger than that of any text before. */
  #edition = ++lastEdition;
  /** That of the last key; 0 before there is one. */
  #typedLast = 0;
  /** The edition that was sent or discarded last. */
  #ended = 0;
  /** The edition that the extension host was told of last, and what was typed since; unknown when it has to be told all. */
  #knownEdition: number | undefined;
  #typedSince: ChangeSet | undefined;
  #savedLocally: Promise<unknown> = Promise.resolve();
  #isStopped = false;
  #closed = false;

  /** Fires with each new status. */
  readonly onDidChange = this.#changed.event;
  /** Fires with each change of the text. */
  readonly onDidType = this.#typed.event;
  /** Fires with the marks around the cursor when they are others. */
  readonly onDidChangeMarks = this.#marksChanged.event;

  constructor(ask: AskHost, outbox: TextOutbox, { target, content, status, cursor }: EditStart) {
    this.#ask = ask;
    this.#outbox = outbox;
    this.#target = target;
    this.#base = content.base;
    this.#text = content.text;
    this.#confirmed = content.text;
    this.#status = status;
    this.#cursor = cursor;
  }

  get target(): TextTarget {
    return this.#target;
  }

  get key(): string {
    return targetKey(this.#target);
  }

  get status(): EditStatus {
    return this.#status;
  }

  set status(status: EditStatus) {
    this.#status = status;
    this.#changed.fire(status);
  }

  /** The marks around the cursor. */
  get marks(): ReadonlySet<MarkName> {
    return this.#marks;
  }

  /** The text that the change began from. */
  get base(): string {
    return this.#base;
  }

  get text(): string {
    return this.#editor?.text ?? this.#text;
  }

  get isChanged(): boolean {
    return this.text !== this.#base || this.#status.progress !== 'unchanged';
  }

  /** True when the text that the extension host was told of last is still the one here, or has become it by typing. */
  get isKnownToHost(): boolean {
    return this.#knownEdition !== undefined;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Undefined until its place on the page is there and the editor has been loaded. */
  get editor(): MarkdownEditor | undefined {
    return this.#editor;
  }

  /** Puts the editor into its place on the page; the first time it is loaded. */
  async attach(
    place: HTMLElement,
    words: { label: string; placeholder: string },
    keys: Pick<MarkdownEditorOptions, 'onSave' | 'onCancel' | 'onScroll' | 'onImages' | 'names'>,
    load: () => Promise<EditorModule> = loadEditor,
  ): Promise<void> {
    const { createMarkdownEditor } = await load();
    if (this.#closed) {
      return;
    }
    this.#editor ??= createMarkdownEditor({
      text: this.#text,
      ...words,
      ...keys,
      cursor: this.#cursor ?? this.#text.length,
      onChange: (changes) => this.#onType(changes),
      onMarks: (marks) => this.#onMarks(marks),
      onBlur: () => inBackground(this.saveLocallyNow()),
    });
    place.append(this.#editor.dom);
    if (this.#wantsFocus) {
      this.#wantsFocus = false;
      this.#editor.focus();
    }
    this.#typed.fire(null);
  }

  /** Takes the editor out of a place that goes, unless it has another one by now. */
  detach(place: HTMLElement): void {
    if (this.#editor?.dom.parentElement === place) {
      this.#editor.dom.remove();
    }
  }

  /** Gives the editor the focus, now or when it is there. */
  focus(): void {
    if (this.#editor?.dom.isConnected) {
      this.#editor.focus();
    } else {
      this.#wantsFocus = true;
    }
  }

  /** Takes in a text that was changed elsewhere. */
  #adopt(text: string): void {
    this.#text = text;
    this.#confirmed = text;
    this.#editor?.adopt(text);
    // Further typing isn't a change of the text that the host was told of.
    this.#knownEdition = undefined;
    this.#typed.fire(null);
  }

  /** Has the extension host send it. @returns what became of it, and what of it was sent. */
  async send(): Promise<{ outcome: SendTextOutcome; sent: UnconfirmedText }> {
    for (
      let message = (): Omit<TypedText, 'patch'> => this.#changedText();
      ;
      message = () => this.#wholeText()
    ) {
      const sent = this.#hold();
      const outcome = await this.#ask('sendText', message());
      if (outcome) {
        return { outcome, sent };
      }
    }
  }

  /** Grows with each key, across all texts of the page. */
  get edition(): number {
    return this.#edition;
  }

  /** Holds it here until someone confirms it. */
  #hold(): UnconfirmedText {
    const unconfirmed = this.#unconfirmed;
    this.#outbox.hold(unconfirmed);
    return unconfirmed;
  }

  get #unconfirmed(): UnconfirmedText {
    return {
      target: this.target,
      base: this.#base,
      text: this.text,
      after: this.#confirmed,
      page: this.#outbox.page,
      edition: this.#edition,
    };
  }

  /** Resolves when all that was typed is on disk. */
  async saveLocallyNow(): Promise<void> {
    if (this.#timer !== undefined) {
      this.#cancelLocalSave();
      this.#savedLocally = Promise.all([this.#savedLocally, this.#saveLocally()]);
    }
    await this.#savedLocally;
  }

  /**
   * Tells all that no one has confirmed once more: the extension host is there again, and may be another one. Nothing that is
   * being taken back: it has been told of that, and what came after it would be there again.
   */
  async saveLocallyAgain(): Promise<void> {
    if (this.#status.progress === 'typing' && !this.#isStopped) {
      this.#cancelLocalSave();
      this.#knownEdition = undefined;
      await this.#saveLocally();
    }
  }

  /** Takes in how its pending change is, unless more was typed here since. */
  show(pending: PendingText): void {
    const { content, notSavedLocally } = pending;
    // An extension host that knows nothing of this page may not have heard yet of what is typed, or sent, here.
    const isAhead = this.#status.progress === 'typing' || (this.sentFromHere && this.isKnownToHost);
    if (content?.over === undefined ? isAhead : this.#typedLast > content.over) {
      return;
    }
    if (content && content.text !== this.text) {
      this.#adopt(content.text);
    }
    if (this.sentFromHere) {
      // This page learns the outcome of its own request first.
      return;
    }
    this.status = statusOf(pending);
    if (notSavedLocally === undefined) {
      this.#confirmed = this.text;
      this.forget();
    }
  }

  /**
   * Goes on after a save with what was typed since.
   *
   * @param code that of the section: a new one has it only now.
   */
  goOn(code: string, saved: UnconfirmedText): void {
    const { target } = this;
    const progress = this.#status.progress === 'typing' ? 'typing' : 'savedLocally';
    this.#target = { code };
    this.#base = saved.text;
    this.#knownEdition = undefined;
    if (progress === 'typing') {
      this.#hold();
    }
    if (this.key !== targetKey(target)) {
      // Nothing of it stays under the name that it had as a new section: no one would confirm that any more.
      this.#outbox.confirm(target, this.#edition);
    }
    this.status = { progress };
  }

  /** Keeps nothing of it here any more: the extension host has it, or it is not wanted. */
  forget(edition = this.#edition): void {
    this.#outbox.confirm(this.target, edition);
  }

  /** Keeps nothing any more of what was typed so far: all of it is sent or discarded. */
  endSavingLocally(): void {
    this.#cancelLocalSave();
    this.#ended = this.#edition;
  }

  /** Keeps nothing that is typed while all of it is taken back. @returns goes on: it could not be. */
  stopSavingLocally(): () => Promise<void> {
    this.#isStopped = true;
    this.endSavingLocally();
    return async () => {
      this.#isStopped = false;
      await this.saveLocallyAgain();
    };
  }

  /** Takes the editor off the page for good. */
  close(): void {
    this.#closed = true;
    this.#cancelLocalSave();
    this.#text = this.text;
    this.#editor?.dom.remove();
    this.#editor?.dispose();
    this.#editor = undefined;
    this.#changed.dispose();
    this.#typed.dispose();
    this.#marksChanged.dispose();
  }

  #cancelLocalSave(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #onMarks(marks: ReadonlySet<MarkName>): void {
    if (marks.size !== this.#marks.size || [...marks].some((mark) => !this.#marks.has(mark))) {
      this.#marks = marks;
      this.#marksChanged.fire(marks);
    }
  }

  async #saveLocally(): Promise<void> {
    let typed = this.#hold();
    let status: EditStatus;
    try {
      // At once: what is asked after it must not come before it.
      let answer = await this.#ask('saveTextLocally', this.#changedText());
      if (!answer && typed.edition > this.#ended) {
        typed = this.#hold();
        answer = await this.#ask('saveTextLocally', this.#wholeText());
      }
      if (!answer) {
        return;
      }
      status = statusOf(answer);
      if (status.notSavedLocally === undefined) {
        this.#confirmed = typed.text;
        this.forget(typed.edition);
      }
    } catch (error) {
      this.#knownEdition = undefined;
      if (error instanceof SilenceError) {
        // The outbox has it, and the page says so.
        return;
      }
      const notSavedLocally = messageOf(error);
      status = { ...this.#status, progress: 'savedLocally', notSavedLocally };
    }
    if (this.#status.progress === 'typing' && this.#edition === typed.edition) {
      this.status = status;
    }
  }

  /** The typing since the extension host was told last, or the whole text when it has to be told that. */
  #changedText(): Omit<TypedText, 'patch'> {
    const after = this.#knownEdition;
    // Nothing may have been typed since: then all of it stays.
    const changes = (this.#typedSince?.toJSON() as TextChanges | undefined) ?? [this.text.length];
    return after === undefined ? this.#wholeText() : this.#message({ after, changes });
  }

  #wholeText(): Omit<TypedText, 'patch'> {
    return this.#message({ base: this.#base, text: this.text });
  }

  #message(typed: TypedText['typed']): Omit<TypedText, 'patch'> {
    // It tells all of it: once more would take back what somebody has made of it elsewhere by then.
    this.#cancelLocalSave();
    this.#knownEdition = this.#edition;
    this.#typedSince = undefined;
    return { target: this.#target, typed, page: this.#outbox.page, edition: this.#edition };
  }

  #onType(changes: ChangeSet): void {
    this.#typedSince = this.#typedSince?.compose(changes) ?? changes;
    this.#edition = ++lastEdition;
    this.#typedLast = this.#edition;
    if (!this.#isStopped) {
      this.#timer ??= setTimeout(() => inBackground(this.saveLocallyNow()), localSaveDelayMs);
    }
    if (this.#status.progress !== 'typing') {
      // A refusal stays on the page until the text is sent again.
      this.status = { ...this.#status, progress: 'typing' };
    }
    this.#typed.fire(null);
  }
}
