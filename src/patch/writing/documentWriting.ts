import * as vscode from 'vscode';
import type { ChangeSubject } from '../../model/pending/kinds/index.ts';
import type { KnownChange } from '../../model/pending/pendingChange.ts';
import type { PatchAddress } from '../../model/patchAddress.ts';
import type { HandOverOutcome } from '../../protocol/panel.ts';
import type { PatchDocumentHost, PatchDocumentView } from '../../protocol/patchDocument.ts';
import type {
  PatchPending,
  PatchKey,
  PatchWritingHost,
  PendingKind,
  TextChange,
  PendingTextState,
  TextEdition,
  TextTarget,
} from '../../protocol/patchWriting.ts';
import type { Handlers, RpcPeer } from '../../protocol/rpc.ts';
import { choose, type Choice } from '../../ui/choose.ts';
import { attempt, isCancellation } from '../../ui/commands.ts';
import type { RecentChange } from '../../ui/recentChanges.ts';
import { DisposableStore, type Disposable } from '../../util/disposable.ts';
import { withSplice } from '../../util/textSplice.ts';
import { changeElsewhere, patchPending } from './pendingViews.ts';
import type { PatchWriting } from './patchWriting.ts';
import { sendPending } from './sendChange.ts';

/** The document whose writing it is. */
export interface WritingPanel {
  address: () => PatchAddress;
  page: () => RpcPeer<PatchDocumentHost, PatchDocumentView>;
  /** Refuses to write while the window is not signed in to the server of the patch. */
  refuseElsewhere: () => void;
  /** Shows the patch as it is known now. */
  update: () => Promise<void>;
  /** Takes a change back that the page has told of. */
  undo: (change: RecentChange) => Promise<void>;
}

/**
 * Milliseconds that a pending change which is gone is still shown: the patch with the change that it was comes at the same
 * moment, and nothing jumps back in between.
 */
const farewell = 300;

/** Milliseconds that new pending changes wait: one that is sent as soon as it is made never shows an editor. */
const arrival = 30;

/** The writing of one patch document: answers its page, and tells it what has become of what was written. */
export class DocumentWriting implements Disposable {
  readonly #writing: PatchWriting;
  readonly #panel: WritingPanel;
  readonly #disposables = new DisposableStore();
  #timer: NodeJS.Timeout | undefined;
  /** What the page was told last, without the texts. */
  #told = '';
  #toldKeys: ReadonlySet<string> = new Set();
  /** The texts as the page has them, by what they are of. */
  readonly #onPage = new Map<string, string>();
  /** What the page has typed, as far as it has told, by what it is of. */
  readonly #typed = new Map<string, { page: string; edition: number; base: string; text: string }>();
  /** The change that the page told of last, by which it can be undone; numbered, for there may be another by then. */
  #change: { number: number; change: RecentChange } | undefined;

  constructor(writing: PatchWriting, panel: WritingPanel) {
    this.#writing = writing;
    this.#panel = panel;
    this.#disposables.add(writing.pendingChanges.onDidChange(() => this.#onChange()));
    this.#disposables.add({ dispose: () => clearTimeout(this.#timer) });
  }

  readonly handlers: Handlers<PatchWritingHost> = {
    pendingChanges: async ({ patch }) => {
      const address = this.#on(patch);
      await this.#writing.model.patch(address);
      this.#writing.order.resume(address);
      const pendingChanges = this.#pendingChanges(address);
      this.#note(pendingChanges);
      return pendingChanges;
    },
    keepText: (typed) => this.#keep(typed),
    keepTyped: ({ patch, target, after, page, edition, splice }) => {
      const typed = this.#typed.get(textKey(patch, target));
      if (typed?.page !== page || typed.edition !== after) {
        return null;
      }
      const text = splice ? withSplice(typed.text, splice) : typed.text;
      return this.#keep({ patch, target, base: typed.base, text, page, edition });
    },
    handOver: async ({ patch, account, texts }) => {
      const address = this.#on(patch);
      const { sections = [] } = (await this.#writing.model.patch(address)).value;
      const outcomes: HandOverOutcome[] = [];
      for (const { target, base, text, after, page, edition } of texts) {
        outcomes.push(
          // Another account's is not for this one.
          account === this.#writing.pendingChanges.account
            ? await this.#writing.texts.takeOver(
                { patch: address, target, base, text, after, typedOn: { page, edition } },
                sections,
              )
            : 'waits',
        );
      }
      return outcomes;
    },
    sendText: async ({ patch, target, base, text, page, edition }) => {
      this.#onPage.set(textKey(patch, target), text);
      const outcome = await this.#writing.texts.send({
        patch: this.#on(patch),
        target,
        base,
        text,
        typedOn: { page, edition },
      });
      if (outcome.kind === 'sent') {
        await this.#panel.update();
      }
      return outcome;
    },
    discardText: async ({ patch, target }) => {
      await this.#writing.texts.discard(this.#on(patch), target);
      return null;
    },
    undoDiscard: async ({ patch, target }) =>
      (await this.#writing.texts.undoDiscard(this.#on(patch), target)) ?? null,
    decide: async ({ patch, target, decision }) => {
      await this.#writing.texts.decide(this.#on(patch), target, decision);
      return null;
    },
    orderSections: async ({ patch, order }) => {
      await this.#writing.order.reorder(this.#on(patch), order);
      this.#told = '';
      this.tell();
      return null;
    },
    chooseGap: async ({ moving, names }) => chooseGap(moving, names),
    review: async ({ patch, review, seen }) => {
      const address = this.#on(patch);
      await this.#attempt('signOff', () => this.#writing.signOff.set(address, review, seen));
      await this.#answerShown();
      return null;
    },
    retryPending: async ({ patch, kind, code }) => {
      const pending = this.#pendingOf(this.#on(patch), kind, code);
      if (pending) {
        await this.#attempt(kind, async () => {
          if (pending.state === 'conflict') {
            await this.#writing.decisions.decide(pending.id);
          } else if (kind === 'signOff') {
            await this.#writing.decisions.send(pending.id);
          } else {
            await sendPending(this.#writing.pendingChanges, this.#writing.decisions, pending.id);
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
        this.#writing.decisions.takeOver(id),
      );
      return null;
    },
    undoChange: async ({ change }) => {
      if (this.#change?.number === change) {
        await this.#panel.undo(this.#change.change);
      }
      return null;
    },
  };

  /** Tells the page of a change that the service has taken. */
  tellChange(change: RecentChange): void {
    const number = (this.#change?.number ?? 0) + 1;
    this.#change = { number, change };
    const { stackUuid, changeId } = this.#panel.address();
    this.#post('tellChange', {
      patch: { stackUuid, changeId },
      text: change.what,
      change: number,
      undoable: change.undo !== undefined,
    });
    change.over?.addEventListener('abort', () => this.#post('dismissChange', { change: number }), {
      once: true,
    });
  }

  /** Tells the page what the service does not have yet; called when it was shown the patch. */
  tell(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { stackUuid, changeId } = this.#panel.address();
    const patch = { stackUuid, changeId };
    const pendingChanges = this.#pendingChanges(this.#panel.address());
    const adopted = pendingChanges.texts.flatMap(({ target, text }) => {
      const replaced = this.#onPage.get(textKey(patch, target));
      return replaced === undefined || replaced === text ? [] : [{ patch, target, text, replaced }];
    });
    if (this.#note(pendingChanges)) {
      this.#post('showPending', { patch, pendingChanges });
    }
    for (const change of adopted) {
      this.#post('adoptText', change);
    }
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /**
   * Where the patch of a request is: what else is known of it the panel knows, when it shows that patch.
   *
   * @throws {MendableError} when the window is not signed in to its server: what is written would be another account's.
   */
  #on({ stackUuid, changeId }: PatchKey): PatchAddress {
    this.#panel.refuseElsewhere();
    const { projectId, branchId } = this.#panel.address();
    return { projectId, branchId, stackUuid, changeId };
  }

  #attempt(kind: PendingKind, work: () => Promise<void>): Promise<void> {
    const doing = {
      order: vscode.l10n.t('move the sections'),
      signOff: vscode.l10n.t('review the patch'),
      deletion: vscode.l10n.t('Delete Section'),
    }[kind];
    return attempt(doing, this.#writing.log, work);
  }

  async #keep({
    patch,
    target,
    base,
    text,
    page,
    edition,
  }: TextChange & TextEdition): Promise<PendingTextState> {
    const key = textKey(patch, target);
    this.#onPage.set(key, text);
    this.#typed.set(key, { page, edition, base, text });
    const { sending, refusal, notKept } = await this.#writing.texts.keep({
      patch: this.#on(patch),
      target,
      base,
      text,
      typedOn: { page, edition },
    });
    // Without the texts, which may be long: the page has them.
    return { sending, ...(refusal && { refusal }), ...(notKept !== undefined && { notKept }) };
  }

  /** Ends what the page has shown at once: it is told how things are, even when that is what it was told before. */
  async #answerShown(): Promise<void> {
    await this.#panel.update();
    this.#told = '';
    this.tell();
  }

  #onChange(): void {
    const { texts, deletions, order, signOff } = this.#pendingChanges(this.#panel.address());
    const keys = keysOf({ texts, deletions, ...(order && { order }), ...(signOff && { signOff }) });
    const gone = [...this.#toldKeys].some((key) => !keys.has(key));
    this.#timer ??= setTimeout(() => this.tell(), gone ? farewell : arrival);
  }

  /** Remembers what the page is told; false when it knows all of it but the texts, which are its own. */
  #note(pendingChanges: PatchPending): boolean {
    this.#toldKeys = keysOf(pendingChanges);
    const { stackUuid, changeId } = this.#panel.address();
    for (const { target, text } of pendingChanges.texts) {
      this.#onPage.set(textKey({ stackUuid, changeId }, target), text);
    }
    const told = JSON.stringify([changeId, pendingChanges], (name, value: unknown) =>
      name === 'text' && typeof value === 'string' ? undefined : value,
    );
    const isNew = told !== this.#told;
    this.#told = told;
    return isNew;
  }

  #post<K extends 'showPending' | 'adoptText' | 'tellChange' | 'dismissChange'>(
    method: K,
    parameters: Parameters<PatchDocumentView[K]>[0],
  ): void {
    // A page that is hidden or closed does not answer; it asks itself when it is shown again.
    this.#panel
      .page()
      .request(method, parameters)
      .catch(() => undefined);
  }

  #pendingChanges(address: PatchAddress): PatchPending {
    const { pendingChanges, model } = this.#writing;
    const shown = pendingChanges.shown().filter(({ subject }) => isOf(subject, address));
    const view = patchPending(shown, model.knownPatch(address)?.value, pendingChanges.problem);
    const elsewhere = pendingChanges
      .list()
      .filter(({ subject, heldBy }) => heldBy === 'elsewhere' && isOf(subject, address))
      .map(changeElsewhere);
    return elsewhere.length > 0 ? { ...view, elsewhere } : view;
  }

  #pendingOf(patch: PatchAddress, kind: PendingKind, code: string | undefined): KnownChange | undefined {
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

function isOf(subject: ChangeSubject, { stackUuid, changeId }: PatchAddress): boolean {
  return 'patch' in subject && subject.patch.stackUuid === stackUuid && subject.patch.changeId === changeId;
}

function textKey({ stackUuid, changeId }: PatchKey, target: TextTarget): string {
  return JSON.stringify([stackUuid, changeId, 'code' in target ? target.code : `new:${target.key}`]);
}

/** What tells the pending changes of a patch apart. */
function keysOf({ texts, deletions, order, signOff }: PatchPending): ReadonlySet<string> {
  return new Set([
    ...texts.map(({ target }) => ('code' in target ? target.code : `new:${target.key}`)),
    ...deletions.map(({ value }) => `deletion:${value}`),
    ...(order ? ['order'] : []),
    ...(signOff ? ['signOff'] : []),
  ]);
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
