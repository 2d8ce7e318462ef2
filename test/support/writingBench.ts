/**
 * A page that is written in, with its extension host and the service played beside it: each step of theirs waits until the
 * schedule lets it happen, so that a test can try every order in which things come.
 */
import { EditorState } from '@codemirror/state';
import type { PatchView, SectionView, TextSectionView } from '../../src/protocol/patchDocument.ts';
import {
  targetKey,
  textKey,
  type LastChange,
  type UnconfirmedText,
  type PendingText,
  type PendingTextState,
  type SendTextOutcome,
  type TextRefusal,
  type TextTarget,
  type TypedText,
} from '../../src/protocol/patchWriting.ts';
import { SilenceError } from '../../src/protocol/rpc.ts';
import { TypedTexts } from '../../src/patch/writing/typedTexts.ts';
import type {
  MarkdownEditor,
  MarkdownEditorOptions,
} from '../../src/webview/patchDocument/editor/markdownEditor.ts';
import type { AskHost, TextEdit } from '../../src/webview/patchDocument/writing/textEdit.ts';
import { Writing } from '../../src/webview/patchDocument/writing/writing.ts';

/** Resolves when a step may happen. */
export type Schedule = (step: string) => Promise<void>;

/** The patch that the texts are in. */
const patch = { stackUuid: 'stack', changeId: 'change' };

/** The service's answer to the next text that it is sent. */
export type Verdict = 'taken' | 'merged' | 'conflict' | 'refused';

/** An editor without a page: its text, as CodeMirror holds it. */
export class BareEditor implements MarkdownEditor {
  readonly dom = { isConnected: true, remove: () => undefined } as unknown as HTMLElement;
  readonly hasFocus = false;
  readonly topLine = 0;
  readonly atEnd = true;
  readonly #options: MarkdownEditorOptions;
  readonly #had: Set<string>;
  #state: EditorState;

  /** @param had is given every text that it has. */
  constructor(options: MarkdownEditorOptions, had: Set<string>) {
    this.#options = options;
    this.#had = had.add(options.text);
    this.#state = EditorState.create({ doc: options.text });
  }

  get text(): string {
    return this.#state.doc.toString();
  }

  /** Puts text in the place of what stands between two places. */
  type(insert: string, from = this.#state.doc.length, to = from): void {
    const { changes, state } = this.#state.update({ changes: { from, to, insert } });
    this.#state = state;
    this.#had.add(this.text);
    this.#options.onChange(changes);
  }

  /** The person goes elsewhere. */
  blur(): void {
    this.#options.onBlur();
  }

  adopt(text: string): void {
    this.#had.add(text);
    this.#state = EditorState.create({ doc: text });
  }

  blocks = (): undefined => undefined;
  focus = (): void => undefined;
  putMark = (): void => undefined;
  replace = (): void => undefined;
  select = (): void => undefined;
  showProblems = (): void => undefined;
  dispose = (): void => undefined;
}

/** A pending change in the journal. */
export interface Kept {
  target: TextTarget;
  base: string;
  text: string;
  sending: boolean;
  /** That of the page which typed into it last. */
  edition?: number;
  refusal?: TextRefusal;
}

/** The whole text that was typed. */
type WholeText = Omit<UnconfirmedText, 'after'>;

/** Messages that arrive in the order in which they were sent, one by one. */
class Line {
  readonly #schedule: Schedule;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
  }

  send(what: string, arrive: () => unknown): void {
    this.#tail = this.#tail.then(() => this.#schedule(what)).then(arrive);
  }
}

/** See the module. */
export class WritingBench {
  readonly writing: Writing;
  /** The service's texts, by code, in order. */
  readonly service = new Map<string, string>();
  /** The journal, by key. */
  readonly journal = new Map<string, Kept>();
  /** Texts beside those in the journal, which wait until these are gone, by key. */
  readonly besides = new Map<string, Kept>();
  /** The page's outbox, by key. */
  readonly outbox = new Map<string, UnconfirmedText>();
  /** Every text that the journal or the service was given by the page. */
  readonly given = new Set<string>();
  /** Times that the page did not have a text that it was told only the name of. */
  wholes = 0;
  /** Every text that somebody has written: that an editor of the page has had, or that was typed elsewhere. */
  readonly had = new Set<string>();
  /** The page's requests, in order. */
  readonly asked: string[] = [];
  /** The characters that each of them took. */
  readonly lengths: number[] = [];
  /** The service's answers from now on. */
  verdicts: Verdict[] = [];
  /** The fate of the next text that the page sends: it never arrives, or after the one that follows it. */
  mishap: 'lost' | 'late' | undefined;
  /** The order of the sections that is pending, and whether none is taken. */
  order: string[] | undefined;
  refusesOrders = false;
  /** The last change of the patch. */
  lastChange: LastChange | undefined;
  /** The reason why the journal cannot be written, if any. */
  diskProblem: string | undefined;
  readonly #schedule: Schedule;
  readonly #toHost: Line;
  readonly #toPage: Line;
  #told = new TypedTexts();
  /** Texts that the page is having sent. */
  readonly #sentByPage = new Set<string>();
  readonly #discarded = new Map<string, Kept>();
  /** The codes of new sections. */
  readonly #added = new Map<string, string>();
  readonly #editors = new Map<TextEdit, BareEditor>();
  readonly #open = new Set<(error: Error) => void>();
  #queue: Promise<unknown> = Promise.resolve();
  #awake: PromiseWithResolvers<void> | undefined;
  #late: (() => Promise<void>) | undefined;
  #codes = 0;

  constructor(schedule: Schedule, texts: Record<string, string>) {
    this.#schedule = schedule;
    this.#toHost = new Line(schedule);
    this.#toPage = new Line(schedule);
    Object.entries(texts).forEach(([code, text]) => this.service.set(code, text));
    const texted = (name: string): string => name;
    this.writing = new Writing(
      this.#ask,
      {
        page: 'page',
        hold: (kept) => void this.outbox.set(targetKey(kept.target), kept),
        confirm: (target, edition) => {
          if ((this.outbox.get(targetKey(target))?.edition ?? Infinity) <= edition) {
            this.outbox.delete(targetKey(target));
          }
        },
      },
      {
        discarded: texted('discarded'),
        undo: texted('undo'),
        merged: texted('merged'),
        saved: texted('saved'),
        notSaved: texted('notSaved'),
        silent: texted('silent'),
        answersAgain: texted('answersAgain'),
        restored: texted('restored'),
        kept: texted('kept'),
      },
    );
    this.writing.show(this.#state());
  }

  /** The texts of the sections as the page shows them: of those that are written, as they are there. */
  get shown(): string[] {
    return this.writing.shown.map((section) => {
      const edit = this.writing.editOf(section.code);
      return edit ? `[${edit.text}]` : (section as TextSectionView).text;
    });
  }

  /** The editor of a section; it is loaded when it is first asked for. */
  async editor(key: string): Promise<BareEditor | undefined> {
    const edit = this.writing.editOf(key);
    if (!edit) {
      return undefined;
    }
    if (!edit.editor) {
      const words = { label: '', placeholder: '' };
      const keys = {
        onSave: () => undefined,
        onCancel: () => undefined,
        onScroll: () => undefined,
        onImages: () => undefined,
        names: async () => [],
      };
      await edit.attach({ append: () => undefined } as unknown as HTMLElement, words, keys, async () => ({
        createMarkdownEditor: (options) => {
          const editor = new BareEditor(options, this.had);
          this.#editors.set(edit, editor);
          return editor;
        },
      }));
    }
    return this.#editors.get(edit);
  }

  /** Types into a pending change elsewhere: in a text editor of the same window. */
  typeElsewhere(code: string, text: string): void {
    const before = this.journal.get(code);
    const base = before?.base ?? this.service.get(code) ?? '';
    this.had.add(text);
    this.journal.set(code, { sending: false, ...before, target: { code }, base, text });
    this.push();
  }

  /** Someone else changes what the service has, and the window reads it. */
  changeOnService(code: string, text: string): void {
    this.service.set(code, text);
    this.push();
  }

  /** Sends a pending change from elsewhere: from the text editor, or from the list of unsent changes. */
  async sendElsewhere(code: string): Promise<void> {
    if (this.journal.has(code)) {
      await this.#send(code);
    }
  }

  /** Tells the page how things are. */
  push(): void {
    const state = this.#state();
    this.#toPage.send('show', () => {
      const hasTexts = state.pending.texts.every(
        ({ target, content }) => content ?? this.writing.editOf(targetKey(target))?.isKnownToHost,
      );
      if (hasTexts) {
        this.writing.show(state);
      } else {
        this.wholes += 1;
        this.#toHost.send('not known', () => {
          this.#told.forget();
          this.push();
        });
      }
    });
  }

  /** The extension host says nothing, and does nothing, until it is woken. */
  fallAsleep(): void {
    this.#awake ??= Promise.withResolvers();
  }

  /** It is another one, which knows only what is on disk. */
  restart(): void {
    this.#told = new TypedTexts();
    this.#sentByPage.clear();
  }

  /** The page notices. @param lost whether what was asked has failed by now. */
  noticeSilence(lost: boolean): void {
    this.writing.noteSilence({ outlivesPage: true });
    if (lost) {
      const open = [...this.#open];
      this.#open.clear();
      open.forEach((reject) => reject(new SilenceError('No one answers.')));
    }
  }

  /** It goes on with whatever it was told meanwhile. */
  wakeUp(): void {
    this.#awake?.resolve();
    this.#awake = undefined;
    this.#toPage.send('awake', () => {
      if (this.writing.silence) {
        this.writing.noteSilence(undefined);
      }
    });
  }

  /** The view that the page is sent. */
  #state(): PatchView {
    const sections: SectionView[] = [...this.service].map(([code, text]) => ({ type: 'text', code, text }));
    const texts = [...this.journal.values()].map(({ target, base, text, sending, refusal }): PendingText => {
      const told = this.#told.of(patch, target);
      return {
        target,
        sending: sending && !this.#sentByPage.has(targetKey(target)),
        ...(refusal && { refusal }),
        ...(this.besides.has(targetKey(target)) && { hasOther: true as const }),
        ...(this.diskProblem !== undefined && { notSavedLocally: this.diskProblem }),
        ...(told?.text !== text && { content: { base, text, ...(told && { over: told.edition }) } }),
      };
    });
    const kept = new Set([...this.journal.values()].map(({ target }) => textKey(patch, target)));
    this.#told.forget((key) => !kept.has(key));
    const order = this.order && { order: { value: this.order } };
    const { lastChange } = this;
    return { sections, pending: { texts, deletions: [], ...order }, lastChange } as unknown as PatchView;
  }

  readonly #ask: AskHost = (method, parameters) => {
    this.asked.push(method);
    this.lengths.push(JSON.stringify(parameters).length);
    return new Promise((resolve, reject: (error: Error) => void) => {
      this.#open.add(reject);
      const { mishap } = this;
      if (method === 'saveTextLocally' && mishap === 'lost') {
        this.mishap = undefined;
        return;
      }
      const arrive = async (): Promise<void> => {
        await this.#awake?.promise;
        const answer = (give: () => void): void =>
          this.#toPage.send(`answer to ${method}`, () => {
            if (this.#open.delete(reject)) {
              give();
            }
          });
        // Not waited for: what is asked next is begun before this is answered.
        void this.#answer(method, parameters).then(
          (result) => answer(() => resolve(result as never)),
          (error: unknown) => answer(() => reject(error as Error)),
        );
      };
      if (method === 'saveTextLocally' && mishap === 'late') {
        this.mishap = undefined;
        this.#late = arrive;
        return;
      }
      this.#toHost.send(method, arrive);
      if (this.#late) {
        this.#toHost.send(`late ${method}`, this.#late);
        this.#late = undefined;
      }
    });
  };

  async #answer(method: string, parameters: unknown): Promise<unknown> {
    const typed = parameters as TypedText;
    switch (method) {
      case 'saveTextLocally': {
        const text = this.#wholeOf(typed);
        return text ? this.#keep(text) : null;
      }
      case 'sendText': {
        const text = this.#wholeOf(typed);
        if (!text) {
          return null;
        }
        this.#put(text);
        const key = targetKey(typed.target);
        this.#sentByPage.add(key);
        const outcome = await this.#send(key);
        this.#sentByPage.delete(key);
        this.push();
        return outcome;
      }
      case 'discardText': {
        const key = this.#keyOf(typed.target);
        const kept = this.journal.get(key);
        if (kept) {
          this.#discarded.set(key, { ...kept, sending: false });
          this.journal.delete(key);
        }
        const beside = this.besides.get(key);
        if (beside) {
          this.besides.delete(key);
          this.journal.set(key, beside);
        }
        this.push();
        await this.#schedule('discarded');
        return null;
      }
      case 'undoDiscard': {
        const key = this.#keyOf(typed.target);
        const kept = this.#discarded.get(key);
        this.#discarded.delete(key);
        if (kept && !this.journal.has(key)) {
          this.journal.set(key, kept);
        }
        this.push();
        return null;
      }
      case 'orderSections': {
        const { order } = parameters as { order: string[] };
        await this.#schedule('ordered');
        if (this.refusesOrders) {
          throw new Error('It cannot be moved.');
        }
        this.order = order;
        this.push();
        return null;
      }
      case 'undoChange':
      case 'dismissChange': {
        this.lastChange = undefined;
        this.push();
        return null;
      }
      default:
        throw new Error(`Nobody asks for ${method}.`);
    }
  }

  /** All of what is typed; undefined when it is told as changes of what is not known. */
  #wholeOf(typed: TypedText): WholeText | undefined {
    const whole = this.#told.take({ ...typed, patch });
    return whole && { ...whole, target: typed.target };
  }

  async #keep(typed: WholeText): Promise<PendingTextState> {
    this.#put(typed);
    await this.#schedule('written to disk');
    const { sending = false, refusal } = this.journal.get(this.#keyOf(typed.target)) ?? {};
    return {
      sending,
      ...(refusal && { refusal }),
      ...(this.diskProblem !== undefined && { notSavedLocally: this.diskProblem }),
    };
  }

  #keyOf(target: TextTarget): string {
    const key = targetKey(target);
    return this.#added.get(key) ?? key;
  }

  #put({ target, base, text, edition }: WholeText) {
    this.given.add(text);
    const key = this.#keyOf(target);
    const before = this.journal.get(key);
    const code = this.#added.get(targetKey(target));
    const kept: Kept = {
      sending: false,
      ...before,
      target: code === undefined ? target : { code },
      base: before?.base ?? (code === undefined ? base : (this.service.get(code) ?? '')),
      text,
      edition,
    };
    if (!kept.sending && kept.text === kept.base) {
      this.journal.delete(key);
    } else {
      this.journal.set(key, kept);
    }
  }

  /** Sends what is pending, one after the other. */
  async #send(at: string): Promise<SendTextOutcome> {
    const before = this.#queue;
    const own = (async (): Promise<SendTextOutcome> => {
      await before;
      const key = this.#added.get(at) ?? at;
      const kept = this.journal.get(key);
      if (!kept) {
        return { kind: 'sent', code: key, merged: false, movedOn: false };
      }
      const { text, target, edition } = kept;
      this.journal.set(key, { target, base: kept.base, text, sending: true });
      await this.#schedule('the service');
      const verdict = this.verdicts.shift() ?? 'taken';
      const now = this.journal.get(key);
      if (verdict === 'conflict' || verdict === 'refused') {
        const refusal: TextRefusal = { kind: verdict === 'conflict' ? 'conflict' : 'unsent', text: verdict };
        if (now) {
          this.journal.set(key, { ...now, sending: false, refusal });
        }
        this.push();
        return { kind: 'refused' };
      }
      const code = 'code' in target ? target.code : `added${++this.#codes}`;
      const taken = verdict === 'merged' ? `${text} And theirs.` : text;
      this.#place(code, taken, target);
      this.journal.delete(key);
      if ('key' in target) {
        this.#added.set(key, code);
      }
      if (now && now.text !== text) {
        // Later typing stays.
        this.journal.set(code, { target: { code }, base: text, text: now.text, sending: false });
      }
      this.push();
      await this.#schedule('written to disk');
      const upTo = edition !== undefined && { edition };
      return { kind: 'sent', code, merged: taken !== text, movedOn: false, ...upTo };
    })();
    this.#queue = own;
    return own;
  }

  #place(code: string, text: string, target: TextTarget): void {
    if (this.service.has(code) || 'code' in target) {
      this.service.set(code, text);
      return;
    }
    const entries = [...this.service];
    const place = target.after === null ? 0 : entries.findIndex(([other]) => other === target.after) + 1;
    entries.splice(place === 0 && target.after !== null ? entries.length : place, 0, [code, text]);
    this.service.clear();
    entries.forEach(([other, content]) => this.service.set(other, content));
  }
}

/** Stands in for the parts of a browser that writing needs. @returns takes them away. */
export function playBrowser(): () => void {
  const played = {
    document: { hasFocus: () => true, activeElement: null, body: {}, querySelector: () => null },
    HTMLElement: Object,
    CSS: { escape: (text: string) => text },
    requestAnimationFrame: (work: () => void) => work(),
  };
  const before = Object.getOwnPropertyDescriptors(globalThis);
  Object.assign(globalThis, played);
  return () => {
    for (const name of Object.keys(played)) {
      const descriptor = before[name as keyof typeof before];
      if (descriptor) {
        Object.defineProperty(globalThis, name, descriptor);
      } else {
        Reflect.deleteProperty(globalThis, name);
      }
    }
  };
}
