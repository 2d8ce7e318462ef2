import type {
  KeptText,
  PatchWritingHost,
  PendingTextState,
  PendingText,
  TextRefusal,
  TextTarget,
} from '../../../protocol/patchWriting.ts';
import { SilenceError } from '../../../protocol/rpc.ts';
import { Emitter } from '../../../util/event.ts';
import { spliceBetween } from '../../../util/textSplice.ts';
import type { MarkdownEditor } from './markdownEditor.ts';
import type { MarkName } from './marks.ts';

/** How far what is written is, as the person sees it. */
export interface EditStatus {
  progress: 'unchanged' | 'typing' | 'kept' | 'sending';
  refusal?: TextRefusal;
  /** Why it is not on disk. */
  notKept?: string;
}

/** How far a pending change is that the extension host tells of. */
export function statusOf({ sending, refusal, notKept }: PendingTextState): EditStatus {
  return {
    progress: sending ? 'sending' : 'kept',
    ...(refusal && { refusal }),
    ...(notKept !== undefined && { notKept }),
  };
}

/** Asks the extension host about the patch that is shown; the part of the connection that writing needs. */
export type AskHost = <K extends keyof PatchWritingHost>(
  method: K,
  parameters: Omit<Parameters<PatchWritingHost[K]>[0], 'patch'>,
) => Promise<Awaited<ReturnType<PatchWritingHost[K]>>>;

/** Keeps a text on the page's side until the extension host has it on disk; see `Outbox`. */
export interface TextKeeping {
  page: string;
  hold: (kept: KeptText) => void;
  /** What is known of it up to an edition is on disk, or is not wanted any more. */
  confirm: (target: TextTarget, edition: number) => void;
}

/** The last edition of any text on this page. */
let lastEdition = 0;

/** Milliseconds after which something typed is kept: a burst of keys is one message. */
const keepDelay = 50;

/** Identifies what is written within a patch: the code of the section, or that of one that is not there yet. */
export function targetKey(target: TextTarget): string {
  return 'code' in target ? target.code : `${newPrefix}${target.key}`;
}

const newPrefix = 'new:';

/** Whether a section is only being written: the service does not know it yet. */
export function isNew(key: string): boolean {
  return key.startsWith(newPrefix);
}

/**
 * A text that is open for writing. It outlives its place on the page: when that is drawn again, scrolled away or moved, the
 * editor with its cursor and its history is put into the new place as it was.
 */
export class TextEdit {
  readonly target: TextTarget;
  readonly key: string;
  sentFromHere = false;
  readonly #ask: AskHost;
  readonly #keeping: TextKeeping;
  readonly #changed = new Emitter<EditStatus>();
  readonly #typed = new Emitter<null>();
  readonly #marksChanged = new Emitter<ReadonlySet<MarkName>>();
  readonly #cursor: number | undefined;
  #base: string;
  #text: string;
  /** What the extension host is known to have of it. */
  #confirmed: string;
  #status: EditStatus;
  #editor: MarkdownEditor | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wantsFocus = false;
  #marks: ReadonlySet<MarkName> = new Set();
  /** Grows with each key, and is larger than that of any text before. */
  #edition = ++lastEdition;
  /** What was sent or discarded. */
  #ended = 0;
  #told: { text: string; edition: number } | undefined;
  #kept: Promise<unknown> = Promise.resolve();
  #closed = false;

  /** Fires with each new status. */
  readonly onDidChange = this.#changed.event;
  /** Fires with each change of the text. */
  readonly onDidType = this.#typed.event;
  /** Fires with the marks around the cursor when they are others. */
  readonly onDidChangeMarks = this.#marksChanged.event;

  /** @param cursor where the cursor stands at first; else at the end. */
  constructor(
    ask: AskHost,
    keeping: TextKeeping,
    pending: Pick<PendingText, 'target' | 'base' | 'text'>,
    status: EditStatus,
    cursor?: number,
  ) {
    this.#ask = ask;
    this.#keeping = keeping;
    this.target = pending.target;
    this.key = targetKey(pending.target);
    this.#base = pending.base;
    this.#text = pending.text;
    this.#confirmed = pending.text;
    this.#status = status;
    this.#cursor = cursor;
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

  /** Undefined until its place on the page is there and the editor has been loaded. */
  get editor(): MarkdownEditor | undefined {
    return this.#editor;
  }

  /** Puts the editor into its place on the page; the first time it is loaded. */
  async attach(
    place: HTMLElement,
    words: { label: string; placeholder: string },
    keys: { onSave: () => void; onCancel: () => void; onScroll: () => void },
  ): Promise<void> {
    // Larger than all the rest, so it comes when someone writes.
    const { createMarkdownEditor } = await import('./markdownEditor.ts');
    if (this.#closed) {
      return;
    }
    this.#editor ??= createMarkdownEditor({
      text: this.#text,
      ...words,
      ...keys,
      cursor: this.#cursor ?? this.#text.length,
      onChange: () => this.#onType(),
      onMarks: (marks) => this.#onMarks(marks),
      onBlur: () => void this.keepNow(),
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

  /** Takes in a text that was changed elsewhere, unless more was typed here since. */
  adopt(text: string, replaced: string): void {
    if (this.text !== replaced) {
      return;
    }
    this.#text = text;
    this.#confirmed = text;
    this.#editor?.adopt(text);
    this.#typed.fire(null);
  }

  /** What is to be sent: the text, and how far the typing was. */
  get toSend(): KeptText {
    return {
      target: this.target,
      base: this.#base,
      text: this.text,
      after: this.#confirmed,
      page: this.#keeping.page,
      edition: this.#edition,
    };
  }

  /** Has what was typed kept at once; resolves when all of it is. */
  async keepNow(): Promise<void> {
    if (this.#timer !== undefined) {
      this.#cancelKeeping();
      this.#kept = Promise.all([this.#kept, this.#keep()]);
    }
    await this.#kept;
  }

  /** Has what no one has confirmed kept once more: the extension host is there again. */
  async keepAgain(): Promise<void> {
    if (this.#status.progress === 'typing') {
      this.#cancelKeeping();
      this.#told = undefined;
      await this.#keep();
    }
  }

  /** Takes in how far its pending change is, as the extension host tells. */
  show(pending: PendingText): void {
    this.status = statusOf(pending);
    if (pending.notKept === undefined && pending.text === this.text) {
      this.#confirmed = pending.text;
      this.forget();
    }
  }

  /** Keeps nothing of it here any more: the extension host has it, or it is not wanted. */
  forget(): void {
    this.#keeping.confirm(this.target, this.#edition);
  }

  /** Keeps nothing any more of what was typed so far: all of it is sent or discarded. */
  endKeeping(): void {
    this.#cancelKeeping();
    this.#ended = this.#edition;
  }

  /** Takes the editor off the page for good. */
  close(): void {
    this.#closed = true;
    this.#cancelKeeping();
    this.#text = this.text;
    this.#editor?.dom.remove();
    this.#editor?.dispose();
    this.#editor = undefined;
    this.#changed.dispose();
    this.#typed.dispose();
    this.#marksChanged.dispose();
  }

  #cancelKeeping(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #onMarks(marks: ReadonlySet<MarkName>): void {
    if (marks.size !== this.#marks.size || [...marks].some((mark) => !this.#marks.has(mark))) {
      this.#marks = marks;
      this.#marksChanged.fire(marks);
    }
  }

  async #keep(): Promise<void> {
    const kept = this.toSend;
    const { edition } = kept;
    this.#keeping.hold(kept);
    let status: EditStatus;
    try {
      // At once: what is asked after it must not come before it.
      const asked = this.#told ? this.#tellTyped(this.#told) : this.#tellAll();
      const answer = (await asked) ?? (edition > this.#ended ? await this.#tellAll() : undefined);
      if (!answer) {
        return;
      }
      status = statusOf(answer);
      if (status.notKept === undefined) {
        this.#confirmed = kept.text;
        this.#keeping.confirm(this.target, edition);
      }
    } catch (error) {
      this.#told = undefined;
      if (error instanceof SilenceError) {
        // It is kept here, and the page says so.
        return;
      }
      const notKept = error instanceof Error ? error.message : String(error);
      status = { ...this.#status, progress: 'kept', notKept };
    }
    if (this.#status.progress === 'typing' && this.#edition === edition) {
      this.status = status;
    }
  }

  /** Tells what was typed since the last time; null when the extension host has to be told all. */
  #tellTyped(before: { text: string; edition: number }): Promise<PendingTextState | null> {
    const told = this.#noteTold();
    const splice = spliceBetween(before.text, told.text);
    const { target } = this;
    return this.#ask('keepTyped', {
      target,
      after: before.edition,
      page: this.#keeping.page,
      edition: told.edition,
      ...(splice && { splice }),
    });
  }

  #tellAll(): Promise<PendingTextState> {
    this.#noteTold();
    return this.#ask('keepText', this.toSend);
  }

  #noteTold(): { text: string; edition: number } {
    this.#told = { text: this.text, edition: this.#edition };
    return this.#told;
  }

  #onType(): void {
    this.#edition = ++lastEdition;
    this.#timer ??= setTimeout(() => void this.keepNow(), keepDelay);
    if (this.#status.progress !== 'typing') {
      // What was refused stays said until it is sent again.
      this.status = { ...this.#status, progress: 'typing' };
    }
    this.#typed.fire(null);
  }
}
