import * as vscode from 'vscode';
import { isOfKind, type KnownChange, type SendOutcome } from '../model/pending/pendingChange.ts';
import type { PendingChanges } from '../model/pending/pendingChanges.ts';
import { attempt } from '../ui/commands.ts';
import type { Log } from '../ui/log.ts';
import { showMessage } from '../ui/notifications.ts';
import type { Change, RecentChange, RecentChanges } from '../ui/recentChanges.ts';
import { DisposableStore, type Disposable } from '../util/disposable.ts';
import { describe } from './describe.ts';
import { inBackground } from '../util/inBackground.ts';
import type { PatchRef } from '../util/patchRef.ts';
import { Turns } from '../util/turns.ts';

interface QueuedChangesContext {
  pendingChanges: PendingChanges;
  changes: RecentChanges;
  /** Tells of a change in the document of its patch, and says whether that is in view. */
  tellInDocument: (patch: PatchRef, change: RecentChange) => boolean;
  /** Tells what became of sending a change. */
  tell: (pending: KnownChange, outcome: SendOutcome) => Promise<void>;
  log: Log;
  /** Milliseconds that a change waits. */
  delayMs?: number;
}

/** A change that waits. */
interface Waiting {
  timer: NodeJS.Timeout;
  /** The edition of the change: a later one waits anew. */
  changedAt: string;
  /** Aborted when it no longer waits. */
  over: AbortController;
  batch: string | undefined;
}

/** Changes that were made in one act: they are told of, and taken back, as one. */
interface Batch {
  size: number;
  tried: number;
  sent: number;
  /** Aborted when none of them waits any more. */
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
  readonly #batches = new Map<string, Batch>();
  /** How many of an act were left when a window was closed, by the act: the others were sent before. */
  readonly #left = new Map<string, number>();
  /** Those of one act are sent one after the other. */
  readonly #turns = new Turns(1);

  constructor(context: QueuedChangesContext) {
    this.#context = { delayMs: 5_000, ...context };
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
    const closed = known.filter(({ failure, heldBy }) => heldBy === 'nobody' && failure?.kind === 'closed');
    for (const { id: batch } of closed.flatMap((pending) => batchOf(pending) ?? [])) {
      this.#left.set(batch, known.filter((pending) => batchOf(pending)?.id === batch).length);
    }
    for (const { id } of closed) {
      // It fires again with that.
      pendingChanges.requeue(id);
    }
  }

  /** The act that a change is part of, and how many are in it as far as this window knows. */
  #actOf(pending: KnownChange): ReturnType<typeof batchOf> {
    const batch = batchOf(pending);
    return batch && { ...batch, size: this.#left.get(batch.id) ?? batch.size };
  }

  #stopWaiting(id: string): void {
    const waiting = this.#waiting.get(id);
    clearTimeout(waiting?.timer);
    waiting?.over.abort();
    this.#waiting.delete(id);
    const { batch } = waiting ?? {};
    if (batch !== undefined && ![...this.#waiting.values()].some((other) => other.batch === batch)) {
      this.#batches.get(batch)?.over.abort();
    }
  }

  #wait(pending: KnownChange): void {
    const { changes, tellInDocument, delayMs } = this.#context;
    const timer = setTimeout(() => inBackground(this.#send(pending.id)), delayMs);
    const over = new AbortController();
    const batch = this.#actOf(pending);
    this.#waiting.set(pending.id, { timer, changedAt: pending.changedAt, over, batch: batch?.id });
    const content = batch && isOfKind(pending, 'signOff') ? { ...pending.content, batch } : pending.content;
    const what = describe(pending.subject).waiting?.(content, pending.title) ?? pending.title;
    if (batch) {
      if (!this.#batches.has(batch.id)) {
        const all = { size: batch.size, tried: 0, sent: 0, over: new AbortController() };
        this.#batches.set(batch.id, all);
        const undo = (): Promise<void> => this.#undoBatch(batch.id);
        changes.offerUndo({ what, before: '', after: '', undo, over: all.over.signal }, () => false);
      }
      return;
    }
    const change = {
      what,
      before: '',
      after: '',
      undo: () => this.#undo(pending.id),
      over: over.signal,
    } satisfies Change;
    changes.offerUndo(change, (recent) =>
      'patch' in pending.subject ? tellInDocument(pending.subject.patch, recent) : false,
    );
  }

  /** Takes back what of an act was not sent yet. @throws when all of it was. */
  async #undoBatch(id: string): Promise<void> {
    const { pendingChanges } = this.#context;
    const left = pendingChanges
      .list()
      .filter((pending) => batchOf(pending)?.id === id && pending.state === 'queued');
    if (left.length === 0) {
      throw new Error(vscode.l10n.t("This has already been sent and can't be taken back."));
    }
    for (const pending of left) {
      await pendingChanges.takeBack(pending.id);
    }
    this.#noteEnd(id);
  }

  /** Says how an act ended: once, when nothing of it is left to be sent. What failed was told by itself. */
  #noteEnd(batchId: string): void {
    const { pendingChanges } = this.#context;
    const batch = this.#batches.get(batchId);
    const isLeft = pendingChanges
      .list()
      .some(
        (pending) =>
          batchOf(pending)?.id === batchId && (pending.state === 'queued' || pending.state === 'sending'),
      );
    if (!batch || isLeft) {
      return;
    }
    this.#batches.delete(batchId);
    if (batch.tried > 0) {
      inBackground(
        showMessage(
          vscode.l10n.t('Signed off on {0} of {1} patches.', batch.sent, batch.size),
          batch.sent < batch.size ? { severity: 'warning' } : {},
        ),
      );
    }
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
    if (pending?.state !== 'queued') {
      return;
    }
    const batch = batchOf(pending);
    await attempt(vscode.l10n.t('send "{0}"', pending.title), log, async () => {
      const outcome = await (batch
        ? this.#turns.take(() => pendingChanges.send(id))
        : pendingChanges.send(id));
      // Not waited for: the message stays as long as the person wants, and the others go on.
      const told = tell(pending, outcome);
      const all = batch && this.#batches.get(batch.id);
      if (all) {
        all.tried += 1;
        all.sent += outcome.kind === 'sent' ? 1 : 0;
        this.#noteEnd(batch.id);
      }
      await told;
    });
  }
}

/** The act that a change is part of, if that is of several. */
function batchOf(pending: KnownChange): { id: string; size: number } | undefined {
  return isOfKind(pending, 'signOff') ? pending.content.batch : undefined;
}
