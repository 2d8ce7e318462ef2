import * as vscode from 'vscode';
import type { ChangeSubject } from '../../model/pending/kinds/index.ts';
import { fingerprintOf } from '../../model/fingerprint.ts';
import type { KnownChange } from '../../model/pending/pendingChange.ts';
import { unsentReviews } from '../../model/pending/unsentReviews.ts';
import type { RestoreOutcome } from '../../protocol/panel.ts';
import {
  textKey,
  type LastChange,
  type PatchPending,
  type PatchWritingHost,
  type PendingKind,
  type TypedText as TypedTextMessage,
} from '../../protocol/patchWriting.ts';
import type { Handlers } from '../../protocol/rpc.ts';
import { choose, type Choice } from '../../ui/choose.ts';
import { attempt, isCancellation } from '../../ui/commands.ts';
import type { RecentChange } from '../../ui/recentChanges.ts';
import { changeElsewhere, patchPending, textState } from './pendingViews.ts';
import type { PatchWriting } from './patchWriting.ts';
import type { TextOutcome, TypedText } from './sectionTexts.ts';
import { sendPending } from './sendChange.ts';
import { TypedTexts } from './typedTexts.ts';
import { inBackground } from '../../util/inBackground.ts';
import { isSamePatch, type PatchRef } from '../../util/patchRef.ts';
import type { Review } from '../../util/review.ts';

/** The document whose writing it is. */
interface WritingPanel {
  ref: () => PatchRef;
  /** Refuses to write while the window is not signed in to the server of the patch. */
  refuseElsewhere: () => void;
  /** Has the page show the patch as it is now: what is sent to it afterwards arrives after that. */
  show: () => Promise<void>;
  /** Has the page go to a section. */
  reveal: (code: string) => void;
  /** Takes a change back that the page has told of. */
  undo: (change: RecentChange) => Promise<void>;
  /** Has the person read on in the next patch. */
  goOn: () => void;
}

/** The sections that keep a patch from being signed off, in the version that has this fingerprint. */
interface UnseenSections {
  patch: PatchRef;
  fingerprint: string;
  codes: readonly string[];
}

/** The writing of one patch document: answers its page, and says what the service does not have yet. */
export class DocumentWriting {
  readonly #writing: PatchWriting;
  readonly #panel: WritingPanel;
  readonly #typed = new TypedTexts();
  /** The texts that the page is having sent, which it knows itself. */
  readonly #sending = new Set<string>();
  #lastChange: { patch: PatchRef; number: number; change: RecentChange } | undefined;
  #changes = 0;
  #unseen: UnseenSections | undefined;

  constructor(writing: PatchWriting, panel: WritingPanel) {
    this.#writing = writing;
    this.#panel = panel;
  }

  readonly handlers: Handlers<PatchWritingHost> = {
    saveTextLocally: async (typed) => {
      const text = this.#take(typed);
      return text && this.#writing.texts.saveLocally(text);
    },
    restoreTexts: async ({ patch, account, texts }) => {
      const ref = this.#on(patch);
      const { sections = [] } = (await this.#writing.model.patch(ref)).value;
      const outcomes: RestoreOutcome[] = [];
      for (const { target, base, text, after, page, edition } of texts) {
        outcomes.push(
          // Another account's is not for this one.
          account === this.#writing.pendingChanges.account
            ? await this.#writing.texts.restore(
                { patch: ref, target, base, text, after, typedOn: { page, edition } },
                sections,
              )
            : 'waits',
        );
      }
      return outcomes;
    },
    sendText: async (typed) => {
      const text = this.#take(typed);
      if (!text) {
        return null;
      }
      const key = textKey(text.patch, text.target);
      this.#sending.add(key);
      let outcome: TextOutcome;
      try {
        outcome = await this.#writing.texts.send(text);
      } finally {
        this.#sending.delete(key);
      }
      await this.#panel.show();
      return outcome.kind === 'sent' ? outcome : { kind: 'refused' };
    },
    discardText: async ({ patch, target }) => {
      const ref = this.#on(patch);
      await this.#writing.texts.discard(ref, target);
      // What is shown in its place, or after *Undo*, is another text than the one that the page has told of.
      this.#typed.forget((key) => key === textKey(ref, target));
      await this.#panel.show();
      return null;
    },
    undoDiscard: async ({ patch, target }) => {
      await this.#writing.texts.undoDiscard(this.#on(patch), target);
      await this.#panel.show();
      return null;
    },
    actOnText: async ({ patch, target, action }) => {
      await this.#writing.texts.actOn(this.#on(patch), target, action);
      return null;
    },
    resolveShared: async ({ patch, code }) => {
      await attempt(vscode.l10n.t('resolve the conflict'), this.#writing.log, () =>
        this.#writing.actions.resolveShared(this.#on(patch), code),
      );
      return null;
    },
    orderSections: async ({ patch, order }) => {
      await this.#writing.order.reorder(this.#on(patch), order);
      await this.#panel.show();
      return null;
    },
    chooseGap: async ({ moving, names }) => chooseGap(moving, names),
    review: async ({ patch, review, seen, anyway, goesOn }) => {
      const ref = this.#on(patch);
      await this.#attempt('signOff', async () => {
        // Of nothing else than what the person was told of: they may have been shown another patch, or version, since.
        const isTold = this.#toldUnseen(ref)?.fingerprint === seen;
        const codes = await this.#writing.signOff.set(ref, review, {
          seen,
          anyway: anyway === true && isTold,
        });
        this.#unseen = codes.length > 0 ? await this.#unseenOf(ref) : undefined;
        if (goesOn === true && codes.length === 0 && isSamePatch(ref, this.#panel.ref())) {
          this.#panel.goOn();
        }
      });
      await this.#panel.show();
      this.#goToUnseen();
      return null;
    },
    dismissUnseen: async ({ patch }) => {
      if (this.#toldUnseen(patch)) {
        this.#unseen = undefined;
        await this.#panel.show();
      }
      return null;
    },
    retryPending: async ({ patch, kind, code }) => {
      const pending = this.#pendingOf(this.#on(patch), kind, code);
      if (pending) {
        await this.#attempt(kind, async () => {
          if (pending.state === 'conflict') {
            await this.#writing.actions.resolve(pending.id);
          } else if (kind === 'signOff') {
            await this.#writing.actions.send(pending.id);
          } else {
            await sendPending(this.#writing.pendingChanges, this.#writing.actions, pending.id);
          }
        });
      }
      return null;
    },
    discardPending: async ({ patch, kind, code }) => {
      const pending = this.#pendingOf(this.#on(patch), kind, code);
      if (pending) {
        await this.#writing.pendingChanges.discard(pending.id);
      }
      return null;
    },
    takeOver: async ({ id }) => {
      await attempt(vscode.l10n.t('take over the change'), this.#writing.log, () =>
        this.#writing.actions.takeOver(id),
      );
      return null;
    },
    undoChange: async ({ change: number }) => {
      const change = this.#forgetChange(number);
      if (change) {
        await this.#panel.undo(change);
      }
      return null;
    },
    dismissChange: async ({ change: number }) => {
      this.#forgetChange(number);
      return null;
    },
  };

  /** Has the page say what was changed last, as long as that is true. */
  showChange(change: RecentChange): void {
    if (change.over?.aborted === true) {
      return;
    }
    const number = ++this.#changes;
    this.#lastChange = { patch: this.#panel.ref(), number, change };
    change.over?.addEventListener('abort', () => this.#forgetChange(number), { once: true });
    inBackground(this.#panel.show());
  }

  /** The last change in its patch, while the page tells of it. */
  get shownChange(): RecentChange | undefined {
    return this.#lastChange && isSamePatch(this.#lastChange.patch, this.#panel.ref())
      ? this.#lastChange.change
      : undefined;
  }

  /** Says which sections of a patch were never on the screen, although the person wants to sign off. */
  async tellUnseen(patch: PatchRef): Promise<void> {
    this.#unseen = await this.#unseenOf(patch);
    await this.#panel.show();
    this.#goToUnseen();
  }

  /** Says no more of the sections that were seen since. */
  async noteRead(): Promise<void> {
    const before = this.#unseen;
    const now = before && (await this.#unseenOf(before.patch));
    // Meanwhile it may have been dismissed, or another patch told of.
    if (before && this.#unseen === before) {
      this.#unseen = now;
      await this.#panel.show();
    }
  }

  /** The sections that keep the patch from being signed off; undefined when there are none, or in another version of it. */
  unseen(fingerprint: string): string[] | undefined {
    const told = this.#toldUnseen(this.#panel.ref());
    return told?.fingerprint === fingerprint ? [...told.codes] : undefined;
  }

  /** What was never on the screen of the version that this window knows: the page shows that one, or will in a moment. */
  async #unseenOf(patch: PatchRef): Promise<UnseenSections | undefined> {
    const known = this.#writing.model.knownPatch(patch)?.value;
    const codes = known ? await this.#writing.signOff.unseen(patch, known) : [];
    return known && codes.length > 0 ? { patch, fingerprint: fingerprintOf(known), codes } : undefined;
  }

  /** What the page has told of a patch: nothing of the one that it showed before. */
  #toldUnseen(patch: PatchRef): UnseenSections | undefined {
    return this.#unseen && isSamePatch(this.#unseen.patch, patch) ? this.#unseen : undefined;
  }

  #goToUnseen(): void {
    const [first] = this.#toldUnseen(this.#panel.ref())?.codes ?? [];
    if (first !== undefined) {
      this.#panel.reveal(first);
    }
  }

  /** Undefined when nothing was, in this patch. */
  lastChange(): LastChange | undefined {
    if (!this.#lastChange || !isSamePatch(this.#lastChange.patch, this.#panel.ref())) {
      return undefined;
    }
    const { number, change } = this.#lastChange;
    return { number, text: change.what, undoable: change.undo !== undefined };
  }

  /** Sends an order of the sections that an earlier window had no time to send. */
  resume(): void {
    this.#writing.order.resume(this.#panel.ref());
  }

  /** The page is a new one: it has told of no text, and says nothing of what was changed before. */
  begin(): void {
    this.forget();
    this.#lastChange = undefined;
    this.#unseen = undefined;
  }

  /** The page does not have the texts that it told of. */
  forget(): void {
    this.#typed.forget();
  }

  /** The person's reviews of the stack's patches that the service doesn't have yet, by change id. */
  unsentReviews(): ReadonlyMap<string, Review> {
    return unsentReviews(this.#writing.pendingChanges, this.#panel.ref().stackUuid);
  }

  pending(): PatchPending {
    const ref = this.#panel.ref();
    const { pendingChanges, model } = this.#writing;
    const shown = pendingChanges.shown().filter(({ subject }) => isOf(subject, ref));
    const view = patchPending(
      shown,
      model.knownPatch(ref)?.value,
      (pending) => textState(pending, pendingChanges),
      (target) => this.#typed.of(ref, target),
    );
    // A text that stops being pending and comes back later is another text.
    const keys = new Set(view.texts.map(({ target }) => textKey(ref, target)));
    this.#typed.forget((key) => !keys.has(key));
    const texts = view.texts.map((text) =>
      this.#sending.has(textKey(ref, text.target)) ? { ...text, sending: false } : text,
    );
    const elsewhere = pendingChanges
      .list()
      .filter(({ subject, heldBy }) => heldBy === 'elsewhere' && isOf(subject, ref))
      .map(changeElsewhere);
    return { ...view, texts, ...(elsewhere.length > 0 && { elsewhere }) };
  }

  /**
   * The place of a request's patch: the panel knows more of it, when it shows that patch.
   *
   * @throws {RemediableError} when the window isn't signed in to its server: the change would be another account's.
   */
  #on({ stackUuid, changeId }: PatchRef): PatchRef {
    this.#panel.refuseElsewhere();
    const { projectId, branchId } = this.#panel.ref();
    return { projectId, branchId, stackUuid, changeId };
  }

  #attempt(kind: PendingKind, work: () => Promise<void>): Promise<void> {
    const doing = {
      order: vscode.l10n.t('move the sections'),
      signOff: vscode.l10n.t('review the patch'),
      deletion: vscode.l10n.t('delete the section'),
    }[kind];
    return attempt(doing, this.#writing.log, work);
  }

  /** All of what is typed; null when it is told as changes of what is not known here. */
  #take(typed: TypedTextMessage): TypedText | null {
    const { target } = typed;
    const patch = this.#on(typed.patch);
    const whole = this.#typed.take(typed);
    if (!whole) {
      return null;
    }
    const { base, text, page, edition } = whole;
    return { patch, target, base, text, typedOn: { page, edition } };
  }

  /** Has the page say no more of a change, if it is the last. */
  #forgetChange(number: number): RecentChange | undefined {
    if (this.#lastChange?.number !== number) {
      return undefined;
    }
    const { change } = this.#lastChange;
    this.#lastChange = undefined;
    inBackground(this.#panel.show());
    return change;
  }

  #pendingOf(patch: PatchRef, kind: PendingKind, code: string | undefined): KnownChange | undefined {
    const { pendingChanges } = this.#writing;
    switch (kind) {
      case 'order':
        return pendingChanges.find({ kind: 'sectionOrder', patch });
      case 'signOff':
        return pendingChanges.find({ kind: 'signOff', patch });
      case 'deletion':
        return pendingChanges.find({ kind: 'sectionDeletion', patch, code: code ?? '' });
    }
  }
}

function isOf(subject: ChangeSubject, patch: PatchRef): boolean {
  return 'patch' in subject && isSamePatch(subject.patch, patch);
}

/** Asks where something is moved to; null when the person gives up. */
async function chooseGap(moving: number, names: readonly string[]): Promise<number | null> {
  const choices: Choice<number>[] = [
    { label: vscode.l10n.t('To the top'), choice: { value: 0 } },
    ...names.map((name, index) => ({
      label: vscode.l10n.t('After {0}', name),
      choice: { value: index + 1 },
    })),
  ];
  try {
    return await choose({
      title: moving === 1 ? vscode.l10n.t('Move Section To') : vscode.l10n.t('Move {0} Sections To', moving),
      placeholder: vscode.l10n.t('Select a position'),
      load: async () => choices,
    });
  } catch (error) {
    if (isCancellation(error)) {
      return null;
    }
    throw error;
  }
}
