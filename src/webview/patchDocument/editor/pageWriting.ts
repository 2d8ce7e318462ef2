import * as l10n from '@vscode/l10n';
import type { PatchView } from '../../../protocol/patchDocument.ts';
import type {
  KeptText,
  PatchKey,
  PatchWritingHost,
  PatchWritingView,
  TextTarget,
} from '../../../protocol/patchWriting.ts';
import type { Handlers } from '../../../protocol/rpc.ts';
import { untilAnswered } from '../../common/host.ts';
import type { Outbox } from '../../common/outbox.ts';
import { focusedSection } from '../focus.ts';
import type { Host } from '../PatchDocument.tsx';
import { scrollWhileDragging } from '../reorder/drag.ts';
import { Reordering } from '../reorder/reordering.ts';
import { targetKey, type AskHost, type TextKeeping } from './textEdit.ts';
import { isReadOnly, Writing } from './writing.ts';
import type { WritingParts } from './WritingContext.tsx';

/** What has an undo of its own. */
const typedInto = 'input:not([type="checkbox"]), textarea, .markdown-editor';

function isUndo({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'z' && (ctrlKey || metaKey) && !shiftKey && !altKey;
}

/** Writing in the document of this page, whichever patch it shows. */
export class PageWriting {
  readonly #outbox: () => Outbox;
  #patch: PatchKey | undefined;
  #parts: WritingParts | undefined;
  /** The texts that wait because there is another change of the same. */
  #waiting: readonly TextTarget[] = [];
  #takingOver: Promise<void> | undefined;

  /** @param outbox keeps what no one has confirmed yet. */
  constructor(outbox: () => Outbox) {
    this.#outbox = outbox;
  }

  /** Answers what the extension host asks about writing. */
  readonly handlers: Handlers<PatchWritingView> = {
    showPending: ({ patch, pendingChanges }) => {
      this.#on(patch)?.writing.showPending(pendingChanges);
      return null;
    },
    adoptText: ({ patch, target, text, replaced }) => {
      this.#on(patch)?.writing.adopt(target, text, replaced);
      return null;
    },
    tellChange: ({ patch, text, change, undoable }) => {
      this.#on(patch)?.writing.tell(text, change, undoable);
      return null;
    },
    dismissChange: ({ change }) => {
      this.#parts?.writing.dismissTold(change);
      return null;
    },
    editSection: ({ code = focusedSection() }) =>
      code !== undefined && this.#parts?.writing.edit(code) === true,
    addSection: ({ after = focusedSection() ?? null }) => {
      this.#parts?.writing.add(after);
      return null;
    },
    moveSections: ({ code = focusedSection(), by }) => {
      const reordering = this.#parts?.reordering;
      if (code === undefined || !reordering) {
        return false;
      }
      if (by === 'choose') {
        void reordering.moveToChosen(code);
      } else {
        reordering.moveBy(code, by);
      }
      return true;
    },
    focusedSection: () => focusedSection() ?? null,
  };

  /** Takes the keys of the page, and notices when no one answers. */
  start(host: Host): void {
    const outbox = this.#outbox();
    const noteSilence = (): void =>
      this.#parts?.writing.noteSilence(host.isSilent ? { isKept: outbox.isKept } : undefined);
    host.onDidChangeSilence(noteSilence);
    outbox.onDidChange(() => {
      if (host.isSilent) {
        noteSilence();
      }
    });
    outbox.onDidLose((about) =>
      this.#parts?.writing.noteGoneOnElsewhere(({ target }) => aboutOf(this.#patch)(target) === about),
    );
    outbox.onDidOffer(() => void this.#takeOver(host));
    document.addEventListener('keydown', (event) => {
      const target = event.target as Element | null;
      if (event.key === 'Enter' && !event.defaultPrevented && target?.matches('[data-section-type="text"]')) {
        event.preventDefault();
        this.#parts?.writing.edit(target.getAttribute('data-section') ?? '');
      }
      if (isUndo(event) && !event.defaultPrevented && target?.matches(typedInto) === false) {
        event.preventDefault();
        this.#parts?.writing.undoTold();
      }
    });
    document.addEventListener('visibilitychange', () => this.#parts?.writing.keepAll());
    window.addEventListener('pagehide', () => this.#parts?.writing.keepAll());
    scrollWhileDragging();
  }

  /** Says something to screen readers. */
  announce(text: string): void {
    this.#parts?.writing.announce(text);
  }

  /** What is written in a patch; when it is another one than before, its pending changes are shown as soon as they are known. */
  of(patch: PatchView, host: Host): WritingParts {
    const { address, account } = patch;
    this.#outbox().account = account;
    const parts = this.#on(address) ?? this.#begin(address, host);
    parts.writing.readOnly = isReadOnly(patch);
    return parts;
  }

  #begin(address: PatchView['address'], host: Host): WritingParts {
    this.#parts?.writing.close();
    const { stackUuid, changeId } = address;
    const patch = { stackUuid, changeId };
    const ask: AskHost = (method, parameters) => {
      const whole = { ...parameters, patch } as Parameters<PatchWritingHost[typeof method]>[0];
      // Some of it the person is asked about, and text is sent for as long as the service takes.
      return host.request(method, whole, { timeout: untilAnswered });
    };
    this.#patch = patch;
    this.#waiting = [];
    const writing = new Writing(ask, this.#keepingOf(), {
      discarded: l10n.t('Your change was discarded.'),
      undo: l10n.t('Undo'),
      merged: l10n.t('Saved and merged with changes from someone else.'),
      saved: l10n.t('Saved'),
      notSaved: l10n.t(
        "Not saved: VS Code's extension host isn't responding. Save again when it does, or reopen the patch.",
      ),
      silent: l10n.t("VS Code's extension host isn't responding. What you type is kept on this page."),
      answersAgain: l10n.t("VS Code's extension host is responding again."),
      handedOver: l10n.t(
        "What you typed before the extension host stopped was restored. It isn't saved yet.",
      ),
    });
    this.#parts = { writing, reordering: new Reordering(writing, ask) };
    writing.onDidChange(() => {
      if (this.#waiting.some((target) => !writing.editOf(targetKey(target)))) {
        this.#waiting = [];
        void this.#takeOver(host);
      }
    });
    // When it fails there are none to show; what is typed is kept anyway.
    void this.#takeOver(host).then(() =>
      ask('pendingChanges', {}).then(
        (pendingChanges) => this.#on(patch)?.writing.showPending(pendingChanges),
        () => undefined,
      ),
    );
    return this.#parts;
  }

  /** Keeps the texts of the patch that is shown now, whichever is shown when they are confirmed. */
  #keepingOf(): TextKeeping {
    const outbox = this.#outbox();
    const about = aboutOf(this.#patch);
    return {
      page: outbox.page,
      hold: (kept) => outbox.hold(about(kept.target), kept.edition, kept),
      confirm: (target, edition) => outbox.confirm(about(target), edition),
    };
  }

  /** Hands to the extension host what earlier pages had typed into this patch when theirs ended. */
  async #takeOver(host: Host): Promise<void> {
    const before = this.#takingOver;
    const own = (async () => {
      await before;
      await this.#takeOverLeft(host);
    })();
    this.#takingOver = own;
    await own;
  }

  async #takeOverLeft(host: Host): Promise<void> {
    const outbox = this.#outbox();
    const { account } = outbox;
    const patch = this.#patch;
    const isOfPatch = (about: string): boolean => about.startsWith(aboutStart(patch));
    if (!patch || account === undefined || !outbox.mayHave(isOfPatch)) {
      return;
    }
    const left = await outbox.left(isOfPatch);
    const texts = left.map(({ content, page, edition }) => ({ ...(content as KeptText), page, edition }));
    if (texts.length === 0) {
      return;
    }
    try {
      const outcomes = await host.request('handOver', { patch, account, texts }, { timeout: untilAnswered });
      const told = texts.map(({ target }, index) => ({ target, outcome: outcomes[index] ?? 'waits' }));
      left
        .filter((_entry, index) => told[index]?.outcome !== 'waits')
        .forEach((entry) => outbox.settle(entry));
      this.#waiting = told.flatMap(({ target, outcome }) => (outcome === 'waits' ? [target] : []));
      this.#on(patch)?.writing.noteHandedOver(told);
    } catch {
      // It stays where it is, for the next time.
    }
  }

  #on({ stackUuid, changeId }: PatchKey): WritingParts | undefined {
    return this.#patch?.stackUuid === stackUuid && this.#patch.changeId === changeId
      ? this.#parts
      : undefined;
  }
}

/** Begins the names of everything that is kept of a patch. */
function aboutStart(patch: PatchKey | undefined): string {
  return JSON.stringify(['text', patch?.stackUuid, patch?.changeId]).slice(0, -1);
}

function aboutOf(patch: PatchKey | undefined): (target: TextTarget) => string {
  return (target) => `${aboutStart(patch)},${JSON.stringify(targetKey(target))}]`;
}
