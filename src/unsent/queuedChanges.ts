import * as vscode from 'vscode';
import type { KnownChange, SendOutcome } from '../model/pending/pendingChange.ts';
import type { PendingChanges } from '../model/pending/pendingChanges.ts';
import type { PatchAddress } from '../model/patchAddress.ts';
import { attempt } from '../ui/commands.ts';
import type { Log } from '../ui/log.ts';
import type { Change, RecentChange, RecentChanges } from '../ui/recentChanges.ts';
import { DisposableStore, type Disposable } from '../util/disposable.ts';
import { describe } from './describe.ts';

/** What queued changes need of the rest. */
export interface QueuedChangesContext {
  pendingChanges: PendingChanges;
  changes: RecentChanges;
  /** Tells of a change in the document of its patch, and says whether that is in view. */
  tellInDocument: (patch: PatchAddress, change: RecentChange) => boolean;
  /** Tells what became of sending a change. */
  tell: (pending: KnownChange, outcome: SendOutcome) => Promise<void>;
  log: Log;
  /** Milliseconds that a change waits. */
  delay?: number;
}

/** A change that waits. */
interface Waiting {
  timer: NodeJS.Timeout;
  /** Which edition of the change it is: a later one waits anew. */
  changedAt: string;
  /** Aborted when it no longer waits. */
  over: AbortController;
}

/**
 * Sends what cannot be taken back a few seconds after the person has said it, and offers *Undo* until then. What waited when
 * a window was closed waits again in the next one, in view.
 */
export class QueuedChanges implements Disposable {
  readonly #context: Required<QueuedChangesContext>;
  readonly #disposables = new DisposableStore();
  readonly #waiting = new Map<string, Waiting>();

  constructor(context: QueuedChangesContext) {
    this.#context = { delay: 5_000, ...context };
    this.#disposables.add(context.pendingChanges.onDidChange(() => this.#follow()));
    this.#follow();
  }

  dispose(): void {
    for (const id of [...this.#waiting.keys()]) {
      this.#stopWaiting(id);
    }
    this.#disposables.dispose();
  }

  #follow(): void {
    const { pendingChanges } = this.#context;
    const known = pendingChanges.list();
    const queued = known.filter(({ state, heldBy }) => state === 'queued' && heldBy === 'here');
    const ids = new Set(queued.map(({ id }) => id));
    for (const id of [...this.#waiting.keys()].filter((waiting) => !ids.has(waiting))) {
      this.#stopWaiting(id);
    }
    for (const pending of queued) {
      const waiting = this.#waiting.get(pending.id);
      if (waiting?.changedAt !== pending.changedAt) {
        this.#stopWaiting(pending.id);
        this.#wait(pending);
      }
    }
    for (const { id, failure, heldBy } of known) {
      if (heldBy === 'nobody' && failure?.kind === 'closed') {
        // It fires again with that.
        pendingChanges.requeue(id);
      }
    }
  }

  #stopWaiting(id: string): void {
    const waiting = this.#waiting.get(id);
    clearTimeout(waiting?.timer);
    waiting?.over.abort();
    this.#waiting.delete(id);
  }

  #wait(pending: KnownChange): void {
    const { changes, tellInDocument, delay } = this.#context;
    const timer = setTimeout(() => void this.#send(pending.id), delay);
    const over = new AbortController();
    this.#waiting.set(pending.id, { timer, changedAt: pending.changedAt, over });
    const change = {
      what: describe(pending.subject).waiting?.(pending.content, pending.title) ?? pending.title,
      before: '',
      after: '',
      undo: () => this.#undo(pending.id),
      over: over.signal,
    } satisfies Change;
    changes.offerUndo(change, (recent) =>
      'patch' in pending.subject ? tellInDocument(pending.subject.patch, recent) : false,
    );
  }

  async #undo(id: string): Promise<void> {
    const { pendingChanges } = this.#context;
    const pending = pendingChanges.get(id);
    if (!pending || pending.state === 'sending') {
      throw new Error(vscode.l10n.t("This has already been sent and can't be taken back."));
    }
    await pendingChanges.takeBack(id);
  }

  async #send(id: string): Promise<void> {
    const { pendingChanges, tell, log } = this.#context;
    const pending = pendingChanges.get(id);
    if (pending?.state === 'queued') {
      await attempt(vscode.l10n.t('send "{0}"', pending.title), log, async () =>
        tell(pending, await pendingChanges.send(id)),
      );
    }
  }
}
