import * as l10n from '@vscode/l10n';
import type { PatchUpdate, PatchView } from '../../../protocol/patchDocument.ts';
import {
  targetKey,
  type UnconfirmedText,
  type PatchWritingHost,
  type PatchWritingView,
  type TextTarget,
} from '../../../protocol/patchWriting.ts';
import type { Handlers } from '../../../protocol/rpc.ts';
import { untilAnswered } from '../../common/host.ts';
import type { Outbox } from '../../common/outbox.ts';
import { keptText, restoredText } from '../../common/SilenceNote.tsx';
import { focusedSection } from '../focus.ts';
import { renamedTarget, type Codes } from '../reading/codes.ts';
import type { Host } from '../reading/reading.ts';
import { Reordering } from './reordering.ts';
import type { AskHost, TextOutbox } from './textEdit.ts';
import { Writing } from './writing.ts';
import type { WritingParts } from './WritingContext.tsx';
import { DisposableStore } from '../../../util/disposable.ts';
import { inBackground } from '../../../util/inBackground.ts';
import { isSamePatch, type PatchRef } from '../../../util/patchRef.ts';

/** Elements that have an undo of their own. */
const typedInto = 'input:not([type="checkbox"]), textarea, .markdown-editor';

function isUndo({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'z' && (ctrlKey || metaKey) && !shiftKey && !altKey;
}

/** Takes the keys of a page that are for writing. @param writings those of its patches: what is undone is of the first that can. */
export function followWritingKeys(writings: () => readonly PageWriting[]): void {
  document.addEventListener('keydown', (event) => {
    const target = event.target instanceof Element ? event.target : null;
    if (event.key === 'Enter' && !event.defaultPrevented && target?.matches('[data-section-type="text"]')) {
      event.preventDefault();
      const code = target.getAttribute('data-section') ?? '';
      writings().some(({ parts }) => parts?.writing.edit(code));
    }
    if (isUndo(event) && !event.defaultPrevented && target?.matches(typedInto) === false) {
      event.preventDefault();
      writings()
        .find(({ parts }) => parts?.writing.lastChange)
        ?.parts?.writing.undoLastChange();
    }
  });
  const saveAll = (): void => writings().forEach(({ parts }) => parts?.writing.saveAllLocally());
  document.addEventListener('visibilitychange', saveAll);
  window.addEventListener('pagehide', saveAll);
}

/** Writing in a patch of this page, whichever it is. */
export class PageWriting {
  readonly #outbox: () => Outbox;
  readonly #codes: Codes;
  readonly #announceSilence: ((text: string) => void) | undefined;
  readonly #disposables = new DisposableStore();
  #patch: PatchRef | undefined;
  #parts: WritingParts | undefined;
  /** The texts that wait because there is another change of the same. */
  #waiting: readonly TextTarget[] = [];
  #restoring: Promise<void> | undefined;

  /**
   * @param outbox keeps what no one has confirmed yet, by the codes of the extension host.
   * @param announceSilence says that no one answers, or answers again, where that isn't said for each patch by itself.
   */
  constructor(outbox: () => Outbox, codes: Codes, announceSilence?: (text: string) => void) {
    this.#outbox = outbox;
    this.#codes = codes;
    this.#announceSilence = announceSilence;
  }

  /** Answers what the extension host asks about writing. */
  readonly handlers: Handlers<PatchWritingView> = {
    editSection: ({ code = focusedSection() }) =>
      code !== undefined && this.#parts?.writing.edit(code) === true,
    addSection: (place) => {
      const focused = focusedSection();
      if ('before' in place) {
        this.#parts?.writing.addBefore(place.before ?? focused);
      } else {
        this.#parts?.writing.add(place.after === undefined ? (focused ?? null) : place.after);
      }
      return null;
    },
    moveSections: ({ code = focusedSection(), by }) => {
      const reordering = this.#parts?.reordering;
      if (code === undefined || !reordering) {
        return false;
      }
      if (by === 'choose') {
        inBackground(reordering.moveToChosen(code));
      } else {
        reordering.moveBy(code, by);
      }
      return true;
    },
    focusedSection: () => focusedSection() ?? null,
  };

  /** Notices when no one answers. */
  follow(host: Host): void {
    const outbox = this.#outbox();
    const noteSilence = (): void =>
      this.#parts?.writing.noteSilence(
        host.isSilent ? { outlivesPage: outbox.outlivesPage } : undefined,
        this.#announceSilence,
      );
    const subscriptions = [
      host.onDidChangeSilence(noteSilence),
      outbox.onDidChange(() => {
        if (host.isSilent) {
          noteSilence();
        }
      }),
      outbox.onDidLose((about) =>
        this.#parts?.writing.noteGoneOnElsewhere(({ target }) => this.#nameOf(target) === about),
      ),
      outbox.onDidOffer(() => inBackground(this.#restore(host))),
    ];
    subscriptions.forEach((subscription) => this.#disposables.add(subscription));
  }

  /** Ends writing: what was typed is saved locally. */
  close(): void {
    this.#parts?.writing.close();
    this.#disposables.dispose();
  }

  /** Says something to screen readers. */
  announce(text: string): void {
    this.#parts?.writing.announce(text);
  }

  /** Takes in how the patch is, which may be another one than before. */
  show(patch: PatchView, host: Host): void {
    const { ref, account, signedOutOf } = patch;
    this.#outbox().account = signedOutOf === undefined ? account : undefined;
    (this.#on(ref) ?? this.#begin(ref, host)).writing.show(patch);
  }

  /** Returns true when every text that the update only names is open here. */
  hasTexts({ ref, pending }: PatchUpdate): boolean {
    const parts = this.#on(ref);
    return pending.texts.every(
      ({ target, content }) => content ?? parts?.writing.editOf(targetKey(target))?.isKnownToHost,
    );
  }

  get parts(): WritingParts | undefined {
    return this.#parts;
  }

  #begin(patch: PatchRef, host: Host): WritingParts {
    this.#parts?.writing.close();
    const ask: AskHost = (method, parameters) => {
      const whole = { ...parameters, patch } as Parameters<PatchWritingHost[typeof method]>[0];
      // Some of it the person is asked about, and text is sent for as long as the service takes.
      return host.request(method, whole, { timeoutMs: untilAnswered });
    };
    this.#patch = patch;
    this.#waiting = [];
    const writing = new Writing(ask, this.#outboxOfPatch(), {
      discarded: l10n.t('Your change was discarded.'),
      undo: l10n.t('Undo'),
      merged: l10n.t('Saved and merged with changes from someone else.'),
      saved: l10n.t('Saved'),
      notSaved: l10n.t(
        "Not saved: VS Code's extension host isn't responding. Save again when it does, or reopen the patch.",
      ),
      silent: l10n.t("VS Code's extension host isn't responding. What you type is kept on this page."),
      answersAgain: l10n.t("VS Code's extension host is responding again."),
      restored: restoredText(),
      kept: keptText(),
    });
    this.#parts = { writing, reordering: new Reordering(writing, ask) };
    writing.onDidChange(() => {
      if (this.#waiting.some((target) => !writing.editOf(targetKey(target)))) {
        this.#waiting = [];
        inBackground(this.#restore(host));
      }
    });
    inBackground(this.#restore(host));
    return this.#parts;
  }

  /** Keeps the texts of the patch that is shown now, whichever is shown when they are confirmed. */
  #outboxOfPatch(): TextOutbox {
    const outbox = this.#outbox();
    const about = outboxName(this.#patch);
    const { toHost } = this.#codes;
    return {
      page: outbox.page,
      hold: (text) => {
        const target = renamedTarget(text.target, toHost);
        outbox.hold(about(target), text.edition, { ...text, target });
      },
      confirm: (target, edition) => outbox.confirm(about(renamedTarget(target, toHost)), edition),
    };
  }

  #nameOf(target: TextTarget): string {
    return outboxName(this.#patch)(renamedTarget(target, this.#codes.toHost));
  }

  /** Hands to the extension host what earlier pages had typed into this patch when theirs ended. */
  async #restore(host: Host): Promise<void> {
    // What has failed once may go well the next time.
    const before = this.#restoring?.catch(() => undefined);
    const own = (async () => {
      await before;
      await this.#restoreLeft(host);
    })();
    this.#restoring = own;
    await own;
  }

  async #restoreLeft(host: Host): Promise<void> {
    const outbox = this.#outbox();
    const { account } = outbox;
    const patch = this.#patch;
    const isOfPatch = (about: string): boolean => about.startsWith(patchPrefix(patch));
    if (!patch || account === undefined || !outbox.mayHave(isOfPatch)) {
      return;
    }
    const left = await outbox.left(isOfPatch);
    const texts = left.map(({ content, page, edition }) => ({
      ...(content as UnconfirmedText),
      page,
      edition,
    }));
    if (texts.length === 0) {
      return;
    }
    try {
      const outcomes = await host.request(
        'restoreTexts',
        { patch, account, texts },
        { timeoutMs: untilAnswered },
      );
      const outcomesOf = texts.map(({ target }, index) => ({
        target: renamedTarget(target, this.#codes.toPage),
        outcome: outcomes[index] ?? 'waits',
      }));
      left
        .filter((_entry, index) => outcomesOf[index]?.outcome !== 'waits')
        .forEach((entry) => outbox.settle(entry));
      this.#waiting = outcomesOf.flatMap(({ target, outcome }) => (outcome === 'waits' ? [target] : []));
      this.#on(patch)?.writing.noteRestored(outcomesOf);
    } catch {
      // It stays where it is, for the next time.
    }
  }

  #on(patch: PatchRef): WritingParts | undefined {
    return this.#patch && isSamePatch(this.#patch, patch) ? this.#parts : undefined;
  }
}

/** Begins the names of everything that the outbox has of a patch. */
function patchPrefix(patch: PatchRef | undefined): string {
  return JSON.stringify(['text', patch?.stackUuid, patch?.changeId]).slice(0, -1);
}

function outboxName(patch: PatchRef | undefined): (target: TextTarget) => string {
  return (target) => `${patchPrefix(patch)},${JSON.stringify(targetKey(target))}]`;
}
