import * as l10n from '@vscode/l10n';
import type { PatchView } from '../../../protocol/patchDocument.ts';
import type { PatchKey, PatchWritingHost, PatchWritingView } from '../../../protocol/patchWriting.ts';
import type { Handlers } from '../../../protocol/rpc.ts';
import { untilAnswered } from '../../common/host.ts';
import type { Host } from '../PatchDocument.tsx';
import { scrollWhileDragging } from '../reorder/drag.ts';
import { Reordering } from '../reorder/reordering.ts';
import type { AskHost } from './textEdit.ts';
import { Writing } from './writing.ts';
import type { WritingParts } from './WritingContext.tsx';

/** Writing in the document of this page, whichever patch it shows. */
export class PageWriting {
  #patch: PatchKey | undefined;
  #parts: WritingParts | undefined;
  /** The section that has the focus, or had it last. */
  #focused: string | null = null;

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
    tellChange: ({ patch, text, change }) => {
      this.#on(patch)?.writing.tell(text, change);
      return null;
    },
    editSection: ({ code = this.#focused ?? undefined }) =>
      code !== undefined && this.#parts?.writing.edit(code) === true,
    addSection: ({ after = this.#focused }) => {
      this.#parts?.writing.add(after);
      return null;
    },
    moveSections: ({ code = this.#focused ?? undefined, by }) => {
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
    focusedSection: () => this.#focused,
  };

  /** Takes the keys and the focus of the page. */
  start(): void {
    document.addEventListener('focusin', ({ target }) => {
      const section = (target as Element).closest('[data-section]');
      this.#focused = section?.getAttribute('data-section') ?? this.#focused;
    });
    document.addEventListener('keydown', (event) => {
      const target = event.target as Element | null;
      if (event.key === 'Enter' && !event.defaultPrevented && target?.matches('[data-section-type="text"]')) {
        event.preventDefault();
        this.#parts?.writing.edit(target.getAttribute('data-section') ?? '');
      }
    });
    document.addEventListener('visibilitychange', () => this.#parts?.writing.keepAll());
    window.addEventListener('pagehide', () => this.#parts?.writing.keepAll());
    scrollWhileDragging();
  }

  /** What is written in a patch; when it is another one than before, its drafts are shown as soon as they are known. */
  of({ address, stackStatus }: PatchView, host: Host): WritingParts {
    const parts = this.#on(address) ?? this.#begin(address, host);
    parts.writing.readOnly = stackStatus === 'closed';
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
    this.#focused = null;
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
