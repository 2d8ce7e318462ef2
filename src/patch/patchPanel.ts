import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { ContentSources } from '../git/contentSources.ts';
import { watchPlace } from '../model/freshness.ts';
import { concerns, type Model } from '../model/model.ts';
import type { KnownChange } from '../model/pending/pendingChange.ts';
import type { Baseline } from '../model/reading/versions.ts';
import type {
  Direction,
  DocumentFocus,
  PatchAsText,
  PatchDocumentHost,
  PatchDocumentView,
  PlaceInPatch,
  StackHead,
  Stop,
} from '../protocol/patchDocument.ts';
import type { Handlers, RpcPeer } from '../protocol/rpc.ts';
import { patchDocumentSchemas } from '../protocol/schemas/patchDocument.ts';
import { ifInTime } from '../ui/beginnings.ts';
import { focusQuestion, runCommand } from '../ui/commands.ts';
import { showFailure } from '../ui/notifications.ts';
import { connectToPage, panelSettings } from '../ui/panelHost.ts';
import type { RecentChange } from '../ui/recentChanges.ts';
import { DisposableStore, type Disposable } from '../util/disposable.ts';
import { inBackground } from '../util/inBackground.ts';
import { isSamePatch, type PatchRef, type SectionRef } from '../util/patchRef.ts';
import type { PatchBeginnings } from './beginnings.ts';
import { getContents } from './getContents.ts';
import { isPinned } from './keptTabs.ts';
import { PageState, wholeView } from './pageState.ts';
import type { PatchTab } from './patchTab.ts';
import { PatchReader, type PatchReaderContext } from './patchReader.ts';
import { proseHandlers } from './proseHandlers.ts';
import { fileHandlers } from './fileHandlers.ts';
import { readingHandlers } from './readingHandlers.ts';
import { tabTitle } from './tabTitle.ts';
import { DocumentWriting } from './writing/documentWriting.ts';
import type { PatchWriting } from './writing/patchWriting.ts';

/** Shared by all documents of the window. */
export interface PatchPanelContext extends PatchReaderContext {
  contentSources: Pick<ContentSources, 'whyMissing' | 'fetch' | 'onDidChange'>;
  extensionUri: vscode.Uri;
  writing: PatchWriting;
  beginnings: PatchBeginnings;
  /** Told that a patch was drawn, and that something of what changed in it was read. */
  noteDeed: (deed: 'read' | 'readChanges') => void;
  /** Takes a change back that a document has told of. */
  undo: (change: RecentChange) => Promise<void>;
}

/** The settings that a panel opens with, and the callbacks that follow it. */
export interface PanelOpening {
  /** The beginning of the document is what is seen of it first. */
  fromStart: boolean;
  /** Has the tab show the page, with the beginning of the document as HTML if that is there. */
  showPage: (beginning?: string) => void;
  /** The next document may reuse the tab. */
  isPreview: boolean;
  /** Is told what of the page has the focus. */
  noteFocus: (focus: DocumentFocus) => Promise<void>;
  /** Told that the tab stays open from now on. */
  onDidKeep: () => void;
  /** Has the person read on in the next patch. */
  goOn: () => void;
  /** Has the person read on in another patch. */
  goTo: (ref: SectionRef) => void;
  /** Has them read on in a newer version of the stack, compared with another one where that is to be. */
  goToNewer: (ref: SectionRef, comparedWith: string | undefined) => void;
}

/** One patch document: a panel and its conversation with the page. */
export class PatchPanel implements Disposable {
  readonly #panel: PatchTab;
  readonly #context: PatchPanelContext;
  readonly #opening: PanelOpening;
  readonly #page: RpcPeer<PatchDocumentHost, PatchDocumentView>;
  readonly #disposables = new DisposableStore();
  readonly #writing: DocumentWriting;
  #ref: SectionRef;
  /** Resolves when the page has drawn the patch; another one while it is hidden. */
  #drawn = Promise.withResolvers<null>();
  #isDrawn = false;
  #placeToReveal: PlaceInPatch | undefined;
  readonly #reader: PatchReader;
  readonly #state: PageState;
  #hasBeginning = false;
  #closed = false;
  #isPreview: boolean;
  /** The page has the focus of the keyboard, as far as it has told. */
  #hasFocus = false;
  /** The patch that the person has said something of before they read on here. */
  #cameFrom: PatchRef | undefined;

  constructor(panel: PatchTab, context: PatchPanelContext, ref: SectionRef, opening: PanelOpening) {
    const { writing } = context;
    this.#panel = panel;
    this.#context = context;
    this.#opening = opening;
    this.#isPreview = opening.isPreview;
    this.#ref = patchOf(ref);
    this.#placeToReveal = placeIn(ref);
    this.#showIcon();
    this.#reader = new PatchReader(context, {
      ref: () => this.#ref,
      isUnopened: () => panel.isUnopened ?? false,
      isPart: panel.isUnopened !== undefined,
      pending: () => this.#writing.pending(),
      lastChange: () => this.#writing.lastChange(),
      unseen: (fingerprint) => this.#writing.unseen(fingerprint),
      unsentReviews: () => this.#writing.unsentReviews(),
      unsent: () => this.#unsent(),
      account: () => writing.pendingChanges.account,
      noteTitle: (title) => (panel.title = tabTitle(title)),
      show: () => inBackground(this.#state.show()),
    });
    this.#state = new PageState({
      look: () => this.#reader.look(),
      send: (update) => this.#page.request('show', update),
      forget: () => this.#writing.forget(),
    });
    this.#writing = new DocumentWriting(writing, {
      ref: () => this.#ref,
      refuseElsewhere: () => void context.connection.requireServer(this.#ref.serverUrl),
      show: () => this.#state.show(),
      reveal: (code) => this.#reveal({ code }),
      undo: context.undo,
      goOn: opening.goOn,
    });
    this.#page = this.#disposables.add(
      connectToPage(panel, patchDocumentSchemas, this.#handlers(), context.log),
    );
    this.#followChanges();
    if (opening.fromStart && context.beginnings.isPrepared) {
      inBackground(this.#showFromStart());
    } else {
      this.#showPage();
    }
  }

  get ref(): SectionRef {
    return this.#ref;
  }

  /** The fingerprint of the patch as the page shows it. */
  get fingerprint(): string | undefined {
    return this.#state.fingerprint;
  }

  get isVisible(): boolean {
    return this.#panel.visible;
  }

  get viewColumn(): vscode.ViewColumn | undefined {
    return this.#panel.viewColumn;
  }

  /** True while the next document may reuse the tab. */
  get isPreview(): boolean {
    return this.#isPreview;
  }

  /** True when another document may be shown in its place now. One with something unsent in it stays in any case. */
  get canBeReplaced(): boolean {
    return this.#canBeReplaced(this.#unsent());
  }

  /** Like `canBeReplaced`, for who goes on after a sign-off: that is told of, and taken back, where they come to. */
  get canGoOn(): boolean {
    return this.#canBeReplaced(this.#unsent().filter(({ subject }) => subject.kind !== 'signOff'));
  }

  /** True when something in it is not on the server. */
  get hasUnsent(): boolean {
    return this.#unsent().length > 0;
  }

  /** Keeps the tab open: who writes in a document, or says so, is not to lose sight of it. */
  keep(): void {
    if (this.#isPreview) {
      this.#isPreview = false;
      this.#showIcon();
      this.#opening.onDidKeep();
    }
  }

  /** Disposes of something together with the document. */
  own(disposable: Disposable): void {
    this.#disposables.add(disposable);
  }

  /** Takes the mark away that a text is older than its code. */
  noteConfirmed(code: string): void {
    this.#reader.noteConfirmed(code);
  }

  /** Tells of a change that the service has taken, or is about to be sent. */
  tell(change: RecentChange): void {
    this.#writing.showChange(change);
  }

  /** The last change in its patch, while the page tells of it. */
  get shownChange(): RecentChange | undefined {
    return this.#writing.shownChange;
  }

  /** Goes on telling here what becomes of another patch, of which the person has said something before they came. */
  goOnTelling(patch: PatchRef, change: RecentChange | undefined): void {
    this.#cameFrom = patch;
    if (change) {
      this.tell(change);
    }
  }

  /** True when news of a patch is to be told here. */
  tellsOf(patch: PatchRef): boolean {
    return (
      isSamePatch(this.#ref, patch) || (this.#cameFrom !== undefined && isSamePatch(this.#cameFrom, patch))
    );
  }

  /** Says which sections of a patch were never on the screen, although the person wants to sign off. */
  async tellUnseen(patch: PatchRef): Promise<void> {
    await this.#drawn.promise;
    await this.#writing.tellUnseen(patch);
  }

  /** Asks the page something about writing, once it has drawn the patch. */
  async ask<K extends 'editSection' | 'addSection' | 'moveSections' | 'focusedSection'>(
    method: K,
    parameters: Parameters<PatchDocumentView[K]>[0],
  ): Promise<Awaited<ReturnType<PatchDocumentView[K]>>> {
    await this.#drawn.promise;
    return this.#page.request(method, parameters);
  }

  shows(ref: SectionRef): boolean {
    return isSamePatch(ref, this.#ref);
  }

  /** Everything that the patch can be compared with. */
  versions(): ReturnType<PatchReader['versions']> {
    return this.#reader.versions();
  }

  /** Compares the patch with another version from now on. @throws {Error} when that is not to be had any more. */
  async compareWith(baseline: Baseline | undefined): Promise<void> {
    if (!(await this.#reader.compareWith(baseline))) {
      throw new Error(
        vscode.l10n.t("Couldn't find this version on this computer, on the server, or in Git."),
      );
    }
    await this.#state.show();
  }

  /** Has the page ask what to look for in it. */
  async find(): Promise<void> {
    await this.#page.request('find', null);
  }

  /** Has the person go on from where they are in the page, or back. */
  async go(to: Stop, direction: Direction): Promise<void> {
    await this.#drawn.promise;
    await this.#page.request('go', { to, direction });
  }

  /** The patch as text, as the page shows it, and where the person is in it. */
  async asText(): Promise<PatchAsText & { title: string }> {
    await this.#drawn.promise;
    return { ...(await this.#page.request('asText', null)), title: this.#panel.title };
  }

  /** Has the person begin at the title of the patch, once it is drawn. */
  async arrive(): Promise<void> {
    await this.#drawn.promise;
    await this.#unlessClosed(this.#page.request('arrive', null));
  }

  /** Says something to screen readers. */
  async announce(text: string): Promise<void> {
    await this.#unlessClosed(this.#page.request('announce', { text }));
  }

  /** Waits for something to be done that nobody misses in a tab that they have closed meanwhile. */
  async #unlessClosed(done: Promise<unknown>): Promise<void> {
    try {
      await done;
    } catch (error) {
      if (!this.#closed) {
        throw error;
      }
    }
  }

  /** The part of the page that has the focus, or had it last; undefined when that is the document as a whole. */
  async focusedPlace(): Promise<PlaceInPatch | undefined> {
    return (await this.#page.request('focusedPlace', null)) ?? undefined;
  }

  /** Brings the panel to the front, at a section or a line if one is named. */
  bringToFront(place: PlaceInPatch | undefined): void {
    // Whoever is there already stays: revealing takes the focus away for a moment, and a key that is pressed then does nothing.
    if (!this.#panel.active || !this.#hasFocus) {
      this.#panel.reveal();
    }
    if (!this.#isDrawn) {
      // The page asks for it, and goes nowhere else.
      this.#placeToReveal = place;
    } else if (place) {
      this.#reveal(place);
    }
  }

  async #noteFocus(focus: DocumentFocus): Promise<void> {
    this.#hasFocus = focus !== 'none';
    await this.#opening.noteFocus(focus);
  }

  #reveal(place: PlaceInPatch): void {
    // A page that is being closed does not answer: then there is nothing to scroll.
    this.#page.request('reveal', place).catch(() => undefined);
  }

  /** Shows another patch in the same tab. */
  async navigate(ref: SectionRef): Promise<void> {
    await this.#context.model.patch(ref);
    this.#ref = patchOf(ref);
    this.#cameFrom = undefined;
    await this.#reader.read(false).catch(() => undefined);
    await this.#state.show();
  }

  /** The beginning of the document of a stack that begins with this patch; undefined while that can't be drawn. */
  async beginning(stack: StackHead): Promise<string | undefined> {
    return this.#context.beginnings.draw(wholeView(await this.#reader.load(false)), stack);
  }

  /** The patch before or after this one in its stack. */
  neighbor(direction: Direction): Promise<SectionRef | undefined> {
    return neighborOf(this.#context.model, this.#ref, direction);
  }

  /** Closes the tab. */
  close(): void {
    this.#panel.dispose();
  }

  dispose(): void {
    this.#closed = true;
    this.#state.end();
    this.#reader.dispose();
    this.#disposables.dispose();
  }

  #focusHandlers(): Pick<Handlers<PatchDocumentHost>, 'noteFocus' | 'noteFocusGiven'> {
    return {
      noteFocus: async ({ focus }) => {
        await this.#noteFocus(focus);
        return null;
      },
      noteFocusGiven: async () => {
        // VS Code gives it back 50 ms after the palette has gone, also from a list that a command has opened since.
        await focusQuestion();
        return null;
      },
    };
  }

  #comparisonHandlers(): Pick<
    Handlers<PatchDocumentHost>,
    'compareWith' | 'compareWithWritten' | 'getContents'
  > {
    return {
      getContents: async () => {
        // Not waited for: what goes wrong is told here.
        inBackground(getContents(this.#context, () => this.#reader.compared()));
        return null;
      },
      compareWith: async ({ baseline }) => {
        if (baseline === 'choose') {
          await runCommand('compareVersions', this.#ref);
        } else {
          await this.compareWith(baseline === 'nothing' ? undefined : { kind: baseline });
        }
        return null;
      },
      compareWithWritten: async ({ code }) => {
        const { stackUuid } = this.#reader.staleText(code) ?? {};
        const doing = vscode.l10n.t('compare this patch');
        // Not waited for: what went wrong is told here.
        inBackground(
          this.compareWith(stackUuid === undefined ? undefined : { kind: 'version', stackUuid }).catch(
            (error: unknown) => showFailure(doing, error, this.#context.log),
          ),
        );
        return null;
      },
    };
  }

  #handlers(): Handlers<PatchDocumentHost> {
    const reading = {
      ...readingHandlers(this.#context, () => this.#ref),
      ...fileHandlers(this.#context, () => this.#context.model.patchUnopened(this.#ref)),
    };
    return {
      settings: async () => ({
        ...(await panelSettings()),
        forgotten: await this.#context.writing.pendingChanges.forgotten(),
      }),
      patch: ({ fresh }) => {
        this.#writing.begin();
        return this.#state.begin(async () => {
          const state = await this.#reader.load(fresh);
          if (!this.#reader.isSignedOut) {
            this.#writing.resume();
          }
          return state;
        });
      },
      placeToReveal: () => this.#takePlaceToReveal(),
      openOther: ({ changeId }) => {
        this.#opening.goTo({ ...this.#ref, changeId });
        return null;
      },
      showNewer: async () => {
        await this.#showNewer();
        return null;
      },
      readAhead: ({ direction }) => this.#readAhead(direction),
      ...this.#focusHandlers(),
      ...this.#comparisonHandlers(),
      ...reading,
      ...proseHandlers(
        this.#context,
        () => this.#ref,
        () => this.#unsent(),
      ),
      setRead: async (mark, signal) => {
        const answer = await reading.setRead(mark, signal);
        this.#reader.forgetMarks();
        await this.#writing.noteRead();
        return answer;
      },
      noteSeen: async (seen, signal) => {
        const counts = await reading.noteSeen(seen, signal);
        if (counts && seen.codes.length > 0) {
          this.#reader.noteSeen(seen.codes);
        } else if (counts) {
          // All that became of the patch was seen, which may be all that there is to read in its sections.
          this.#reader.forgetMarks();
          inBackground(this.#state.show());
        }
        if (counts && this.#state.isCompared) {
          this.#context.noteDeed('readChanges');
        }
        await this.#writing.noteRead();
        return counts;
      },
      confirmText: async ({ code }) => {
        await runCommand('confirmText', { ...this.#ref, sectionCode: code });
        return null;
      },
      signIn: async () => {
        await runCommand('signIn', this.#ref.serverUrl);
        return null;
      },
      ...this.#writing.handlers,
    };
  }

  #followChanges(): void {
    const { connection, model, writing, stackReading, colors, contentSources } = this.#context;
    this.#disposables.add(
      // A page that isn't there asks for its colors when it is shown.
      colors.onDidChange(() => {
        if (this.#panel.visible) {
          inBackground(this.#page.request('colorAnew', null).catch(() => undefined));
        }
      }),
    );
    this.#disposables.add(
      contentSources.onDidChange(() => {
        this.#reader.compareAgain();
        inBackground(this.#state.show());
      }),
    );
    this.#disposables.add(
      writing.pendingChanges.onDidChange(() => {
        if (this.#unsent().some(({ subject }) => subject.kind !== 'signOff')) {
          this.keep();
        }
        inBackground(this.#state.show());
      }),
    );
    this.#disposables.add(
      model.onDidChange((change) => {
        if (concerns(change, this.#ref)) {
          inBackground(this.#update());
        }
      }),
    );
    const watching = this.#disposables.add(
      watchPlace(model.freshness, connection, () =>
        this.#panel.visible
          ? { serverUrl: this.#ref.serverUrl, projectId: model.located(this.#ref).projectId }
          : undefined,
      ),
    );
    this.#disposables.add(
      stackReading.onDidChange((uuid) => {
        if (uuid === this.#ref.stackUuid) {
          inBackground(this.#state.show());
        }
      }),
    );
    this.#disposables.add(
      this.#panel.onDidChangeViewState(() => {
        watching.note();
        if (!this.#panel.visible) {
          this.#noteHidden();
        }
      }),
    );
  }

  #noteHidden(): void {
    this.#drawn = Promise.withResolvers();
    this.#isDrawn = false;
    this.#state.end();
    // The page is gone, and says nothing more.
    inBackground(this.#noteFocus('none'));
    if (this.#hasBeginning) {
      // It is loaded anew when it is shown again, and by then another patch or another place may be in it.
      this.#hasBeginning = false;
      this.#showPage();
    }
  }

  /** VS Code writes the titles of tabs that it will reuse in italics; those of pages it cannot, so the icon is lighter. */
  #showIcon(): void {
    this.#panel.setIcon(this.#context.extensionUri, this.#isPreview ? 'patch-preview' : 'patch');
  }

  #canBeReplaced(unsent: readonly KnownChange[]): boolean {
    return this.#isPreview && unsent.length === 0 && !isPinned(this.#panel);
  }

  /** Changes of the patch that were made in this window, and are not on the server. */
  #unsent(): KnownChange[] {
    return this.#context.writing.pendingChanges
      .list()
      .filter(
        ({ subject, heldBy }) =>
          heldBy !== 'elsewhere' && 'patch' in subject && isSamePatch(subject.patch, this.#ref),
      );
  }

  /** Shows the page with the beginning of the document, if that is there in time. */
  async #showFromStart(): Promise<void> {
    const beginning = await ifInTime(
      // By the next timer VS Code has been told of the panel: it makes room for the page while the beginning is drawn.
      pause(0)
        .then(() => this.#reader.load(false))
        .then((state) => this.#context.beginnings.draw(wholeView(state))),
    );
    if (!this.#closed) {
      this.#hasBeginning = beginning !== undefined;
      this.#showPage(beginning);
    }
  }

  #showPage(beginning?: string): void {
    this.#opening.showPage(beginning);
  }

  /** Shows what the model knows now. A failure leaves what is on the page: it is told when the page asks itself. */
  async #update(): Promise<void> {
    if (!this.#closed && this.#panel.visible) {
      await this.#reader.read(false).catch(() => undefined);
      await this.#state.show();
    }
  }

  async #showNewer(): Promise<void> {
    const { stackUuid, changeId, comparedWith } = this.#reader.newerPlace() ?? {};
    const { projectId } = this.#context.model.located(this.#ref);
    if (stackUuid === undefined) {
      return;
    }
    if (changeId !== undefined) {
      this.#opening.goToNewer({ ...this.#ref, stackUuid, changeId }, comparedWith);
      return;
    }
    // It has no patch that could be read.
    const stack =
      projectId === undefined ? undefined : await this.#context.model.findStack(projectId, stackUuid);
    if (projectId !== undefined && stack) {
      await runCommand('openStack', { projectId, stack });
    }
  }

  /** Reads the patch before or after this one, so that it is there when the person goes on. */
  async #readAhead(direction: Direction): Promise<null> {
    try {
      const neighbor = await this.neighbor(direction);
      if (neighbor) {
        await this.#context.model.patch(neighbor);
      }
    } catch {
      // A failure is reported when the person goes there.
    }
    return null;
  }

  #takePlaceToReveal(): PlaceInPatch | null {
    const place = this.#placeToReveal;
    this.#placeToReveal = undefined;
    this.#isDrawn = true;
    this.#drawn.resolve(null);
    this.#reader.noteDrawn();
    this.#context.noteDeed('read');
    this.#context.beginnings.prepareSoon(async () => wholeView(await this.#reader.load(false)));
    return place ?? null;
  }
}

/** The part of the patch that a document is opened at; undefined for the patch as a whole. */
export function placeIn({ sectionCode, line }: SectionRef): PlaceInPatch | undefined {
  return sectionCode === undefined ? undefined : { code: sectionCode, ...(line && { line }) };
}

/** The patch before or after another in its stack. @throws when that stack isn't known. */
export async function neighborOf(
  model: Model,
  ref: SectionRef,
  direction: Direction,
): Promise<SectionRef | undefined> {
  const place = await model.stackOfPatch(ref);
  if (!place) {
    throw new Error(vscode.l10n.t("Couldn't determine which stack this patch belongs to."));
  }
  const index = place.patches.findIndex((patch) => patch.changeId === ref.changeId);
  const neighbor = index < 0 ? undefined : place.patches[index + (direction === 'next' ? 1 : -1)];
  return neighbor && { ...ref, changeId: neighbor.changeId, sectionCode: undefined, line: undefined };
}

/** A patch, wherever in it its document is opened. */
function patchOf(ref: SectionRef): SectionRef {
  const patch = { ...ref };
  delete patch.sectionCode;
  delete patch.line;
  return patch;
}
