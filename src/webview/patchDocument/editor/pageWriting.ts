import * as l10n from '@vscode/l10n';
import type { PatchView } from '../../../protocol/patchDocument.ts';
import type { PatchKey, PatchWritingHost, PatchWritingView } from '../../../protocol/patchWriting.ts';
import type { Handlers } from '../../../protocol/rpc.ts';
import { untilAnswered } from '../../common/host.ts';
import { focusedSection } from '../focus.ts';
import type { Host } from '../PatchDocument.tsx';
import { scrollWhileDragging } from '../reorder/drag.ts';
import { Reordering } from '../reorder/reordering.ts';
import type { AskHost } from './textEdit.ts';
import { isReadOnly, Writing } from './writing.ts';
import type { WritingParts } from './WritingContext.tsx';

/** What has an undo of its own. */
const typedInto = 'input:not([type="checkbox"]), textarea, .markdown-editor';

function isUndo({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'z' && (ctrlKey || metaKey) && !shiftKey && !altKey;
}

/** Writing in the document of this page, whichever patch it shows. */
export class PageWriting {
  #patch: PatchKey | undefined;
  #parts: WritingParts | undefined;

  /** Answers what the extension host asks about writing. */
  readonly handlers: Handlers<PatchWritingView> = {
    showDrafts: ({ patch, drafts }) => {
      this.#on(patch)?.writing.showDrafts(drafts);
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

  /** Takes the keys of the page. */
  start(): void {
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

  /** What is written in a patch; when it is another one than before, its drafts are shown as soon as they are known. */
  of(patch: PatchView, host: Host): WritingParts {
    const { address } = patch;
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
    const writing = new Writing(ask, {
      discarded: l10n.t('Your change was discarded.'),
      undo: l10n.t('Undo'),
      merged: l10n.t('Saved. Somebody else had changed this section too: this is both changes together.'),
      saved: l10n.t('Saved'),
    });
    this.#patch = patch;
    this.#parts = { writing, reordering: new Reordering(writing, ask) };
    // When it fails there are none to show; what is typed is kept all the same.
    ask('drafts', {}).then(
      (drafts) => this.#on(patch)?.writing.showDrafts(drafts),
      () => undefined,
    );
    return this.#parts;
  }

  #on({ stackUuid, changeId }: PatchKey): WritingParts | undefined {
    return this.#patch?.stackUuid === stackUuid && this.#patch.changeId === changeId
      ? this.#parts
      : undefined;
  }
}
