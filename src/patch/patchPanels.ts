import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';
import { patchDocumentViewType, setContext, type PatchReference } from '../contributions.ts';
import type { AtHand } from '../model/atHand.ts';
import type { KnownChange } from '../model/pending/pendingChange.ts';
import type { Known, Model } from '../model/model.ts';
import type { PatchAddress } from '../model/patchAddress.ts';
import type { Patch } from '../api/types/patches.ts';
import type {
  Direction,
  DocumentFocus,
  PatchAsText,
  PatchDocumentHost,
  PatchDocumentView,
  PatchView,
  PlaceInPatch,
  SettledStatus,
  Stop,
} from '../protocol/patchDocument.ts';
import type { RpcPeer } from '../protocol/rpc.ts';
import { runCommand } from '../ui/commands.ts';
import type { RecentChange } from '../ui/recentChanges.ts';
import { keptState } from '../protocol/checked.ts';
import { patchDocumentSchemas, patchDocumentState } from '../protocol/schemas/patchDocument.ts';
import type { Log } from '../ui/log.ts';
import { connectToPage, panelOptions, panelSettings, showPage } from '../ui/panelHost.ts';
import { DisposableStore, type Disposable } from '../util/disposable.ts';
import { Beginnings } from './beginnings.ts';
import { FocusKeys } from './focusKeys.ts';
import { isPinned, KeptTabs, reusesTabs } from './keptTabs.ts';
import { openChanges, openCommit } from './openChanges.ts';
import { patchView, titleOf } from './patchView.ts';
import { tabTitle } from './tabTitle.ts';
import { settledStatus, settledStatusOf } from './stackStatus.ts';
import { readPreferences, readingHandlers, type ReadingContext } from './readingHandlers.ts';
import { DocumentWriting } from './writing/documentWriting.ts';
import type { PatchWriting } from './writing/patchWriting.ts';

/** What the patch documents need of the rest. */
export interface PatchPanelsContext extends ReadingContext {
  extensionUri: vscode.Uri;
  writing: PatchWriting;
  /** Told that a patch was drawn. */
  noteRead: () => void;
  /** Is told which document the person looks at. */
  atHand: AtHand;
  /** Keeps which tabs are to be reused. */
  tabMemory: vscode.Memento;
  /** Takes a change back that a document has told of. */
  undo: (change: RecentChange) => Promise<void>;
  log: Log;
}

/** Milliseconds that the beginning of a document has to be there in: about what VS Code takes to make room for the page. */
const patience = 80;

/** Milliseconds that it takes for VS Code to hear of a panel: it makes room for the page while the beginning is drawn. */
const sending = 5;

/** Milliseconds between the clicks of a double click; VS Code tells of each, and not which it is. */
const doubleClick = 600;

/** How a document is opened. */
export interface Opening {
  /** In a tab that the next document may reuse, as a click on a row does. */
  preview?: boolean;
}
/** Milliseconds that the status bar says that a stack ends. */
const saidFor = 5_000;

/** The open patch documents: at most one for each patch. */
export class PatchPanels implements Disposable {
  readonly #context: PatchPanelsContext;
  readonly #panels = new Set<PatchPanel>();
  readonly #beginnings: Beginnings;
  readonly #kept: KeptTabs;
  readonly #focusKeys = new FocusKeys();
  #active: PatchPanel | undefined;
  #ending = false;
  #clicked: { patch: PatchReference; at: number } | undefined;

  constructor(context: PatchPanelsContext) {
    this.#context = context;
    this.#beginnings = new Beginnings(context.extensionUri, () => readPreferences(context.memory));
    this.#kept = new KeptTabs(context.tabMemory);
  }

  /** The document that was looked at last, if it is still open. */
  get active(): PatchPanel | undefined {
    return this.#active;
  }

  /** Opens a patch as a document, or shows the document that is open already. */
  async open(reference: PatchReference, { preview = false }: Opening = {}): Promise<PatchPanel> {
    const open = this.#showOpen(reference);
    if (open) {
      if (!preview) {
        open.keep();
      }
      return open;
    }
    const isPreview = preview && reusesTabs();
    const reused = isPreview ? this.#reusable() : undefined;
    if (reused) {
      return this.#reuse(reused, reference);
    }
    // The page has a find of its own: VS Code's would see no more than what is drawn of a long document.
    const panel = vscode.window.createWebviewPanel(
      patchDocumentViewType,
      this.#titleOf(reference),
      vscode.ViewColumn.Active,
      panelOptions(this.#context.extensionUri),
    );
    return this.#fill(panel, reference, { fromStart: reference.sectionCode === undefined, isPreview });
  }

  /** Opens the patch of a row that was clicked: in a tab that the next click reuses, unless it is a double click. */
  async openByClick(reference: PatchReference): Promise<PatchPanel> {
    const before = this.#clicked;
    this.#clicked = { patch: reference, at: Date.now() };
    const isDouble =
      before !== undefined &&
      isSamePatch(before.patch, reference) &&
      before.patch.sectionCode === reference.sectionCode &&
      this.#clicked.at - before.at < doubleClick;
    return this.open(reference, { preview: !isDouble });
  }

  /** Keeps the document open that was looked at last. */
  keepOpen(): void {
    this.#lookedAt().keep();
  }

  /** Fills a panel: a new one, or one that VS Code kept over a reload of the window. */
  restore(panel: vscode.WebviewPanel, reference: PatchReference): PatchPanel {
    panel.title = this.#titleOf(reference);
    panel.webview.options = panelOptions(this.#context.extensionUri);
    return this.#fill(panel, reference, { fromStart: false, isPreview: this.#kept.isPreview(reference) });
  }

  /** The document whose tab may be reused in the group of editors that is active. */
  #reusable(): PatchPanel | undefined {
    const { viewColumn } = vscode.window.tabGroups.activeTabGroup;
    return [...this.#panels].findLast((panel) => panel.viewColumn === viewColumn && panel.canBeReplaced);
  }

  /** Shows a patch in the tab of another one, just as in a new tab. */
  #reuse(old: PatchPanel, reference: PatchReference): PatchPanel {
    const panel = old.release();
    this.#panels.delete(old);
    this.#kept.note(old.reference, false);
    panel.title = this.#titleOf(reference);
    panel.reveal();
    return this.#fill(panel, reference, {
      fromStart: reference.sectionCode === undefined,
      isPreview: true,
    });
  }

  /** What is known of it already: each change of a title has VS Code lay out its tabs, while it makes room for the page. */
  #titleOf(reference: PatchReference): string {
    const known = this.#context.model.patchSummary(reference);
    return known ? tabTitle(titleOf(known)) : vscode.l10n.t('Patch');
  }

  #fill(
    panel: vscode.WebviewPanel,
    reference: PatchReference,
    options: { fromStart: boolean; isPreview: boolean },
  ): PatchPanel {
    let hasFocus = false;
    const noteFocus = (focus: DocumentFocus): Promise<void> => {
      // The tab that is active may be come back to, from a row of the view: VS Code does not tell of that.
      if (focus !== 'none' && !hasFocus) {
        this.#noteActive(opened, panel.active);
      }
      hasFocus = focus !== 'none';
      return this.#focusKeys.note(panel, focus);
    };
    const opened = new PatchPanel(panel, this.#context, this.#beginnings, reference, {
      ...options,
      noteFocus,
      onDidKeep: () => this.#noteKept(opened),
    });
    this.#panels.add(opened);
    this.#kept.note(reference, options.isPreview);
    opened.own(
      panel.onDidChangeViewState(() => {
        this.#noteActive(opened, panel.active);
        void this.#focusKeys.update();
      }),
    );
    opened.own(
      panel.onDidDispose(() => {
        this.#panels.delete(opened);
        if (!this.#ending) {
          this.#kept.note(opened.reference, false);
        }
        if (this.#active === opened) {
          // Another one that is open is at hand now, also where it is behind other tabs.
          this.#noteLookedAt([...this.#panels].at(-1));
        }
        void noteFocus('none');
        opened.dispose();
      }),
    );
    this.#noteActive(opened, panel.active);
    return opened;
  }

  /** Opens the patch before or after the one that was looked at last. */
  async openNeighbour(direction: Direction): Promise<void> {
    await this.#openNeighbour(this.#lookedAt(), direction);
  }

  /**
   * Opens what a patch changes, or one of its sections does, in the diff editor; without a patch that of the document looked at
   * last.
   */
  async openChanges(reference = this.#lookedAt().reference): Promise<void> {
    const { value } = await this.#context.model.patch(reference);
    const section = value.sections?.find(({ code }) => code === reference.sectionCode);
    // A text changes nothing: what stands around it does.
    await openChanges(reference, value, section?.sectionType === 'text' ? undefined : reference.sectionCode);
  }

  /** Opens the commit of a patch, as the workspace's git has it. */
  async openCommit(reference = this.#lookedAt().reference): Promise<void> {
    await openCommit(reference, (await this.#context.model.patch(reference)).value);
  }

  /**
   * Refuses to change a patch of a server that the window is not signed in to: the change would reach another one, or nobody.
   *
   * @throws {MendableError} with what leads there.
   */
  refuseElsewhere({ serverUrl }: PatchReference): void {
    this.#context.connection.requireServer(serverUrl);
  }

  /** Has the document that was looked at last ask what to look for in it. */
  async find(): Promise<void> {
    await this.#lookedAt().find();
  }

  /** Goes on in the document that was looked at last, or back: to the next change, file or section. */
  async go(to: Stop, direction: Direction): Promise<void> {
    await this.#lookedAt().go(to, direction);
  }

  /** What has the focus in the document that was looked at last: a section, or a line of one. */
  async focusedPlace(): Promise<PlaceInPatch | undefined> {
    return this.#active?.isVisible ? this.#active.focusedPlace() : undefined;
  }

  /** The document that was looked at last, as text. */
  async asText(): Promise<PatchAsText & { title: string }> {
    return this.#lookedAt().asText();
  }

  /** Tells of a change in the document of its patch. False when that is not in view. */
  tell(patch: PatchAddress, change: RecentChange): boolean {
    const panel = [...this.#panels].find((one) => one.isVisible && isSamePatch(one.reference, patch));
    panel?.tell(change);
    return panel !== undefined;
  }

  dispose(): void {
    // The tabs are there again in the next window, as they are.
    this.#ending = true;
    this.#beginnings.dispose();
    this.#focusKeys.dispose();
    for (const panel of [...this.#panels]) {
      panel.close();
    }
  }

  #lookedAt(): PatchPanel {
    if (!this.#active) {
      throw new Error(vscode.l10n.t('No patch is open. Open one from the Patch Stacks view.'));
    }
    return this.#active;
  }

  #noteActive(panel: PatchPanel, active: boolean): void {
    if (active) {
      // Those that were looked at last come last.
      this.#panels.delete(panel);
      this.#panels.add(panel);
      this.#noteLookedAt(panel);
    }
  }

  #noteKept(panel: PatchPanel): void {
    this.#kept.note(panel.reference, panel.isPreview);
    if (panel === this.#active) {
      void setContext('documentIsPreview', panel.isPreview);
    }
  }

  #noteLookedAt(panel: PatchPanel | undefined): void {
    this.#active = panel;
    void setContext('documentIsPreview', panel?.isPreview === true);
    const { model, atHand } = this.#context;
    const { reference } = panel ?? {};
    // A link need not name the project.
    atHand.show(
      reference && {
        ...reference,
        projectId: reference.projectId ?? model.projectOfStack(reference.stackUuid),
        sectionCode: undefined,
      },
    );
  }

  #showOpen(reference: PatchReference): PatchPanel | undefined {
    const open = [...this.#panels].find((panel) => panel.shows(reference));
    open?.bringToFront(placeIn(reference));
    return open;
  }

  /** Reading on stays in the same tab, unless the neighbour has one of its own, or this one is kept open. */
  async #openNeighbour(panel: PatchPanel, direction: Direction): Promise<void> {
    const neighbour = await panel.neighbour(direction);
    if (!neighbour) {
      // Nothing has failed: it is said, and no more.
      const text =
        direction === 'next'
          ? vscode.l10n.t('This is the last patch in the stack.')
          : vscode.l10n.t('This is the first patch in the stack.');
      vscode.window.setStatusBarMessage(text, saidFor);
      await panel.announce(text);
      return;
    }
    let open = this.#showOpen(neighbour);
    if (!open && panel.canBeReplaced) {
      this.#kept.note(panel.reference, false);
      await panel.navigate(neighbour);
      this.#kept.note(panel.reference, true);
      this.#noteActive(panel, true);
      open = panel;
    }
    open ??= await this.open(neighbour, { preview: true });
    await open.arrive();
  }
}

/** One patch document: a panel and its conversation with the page. */
export class PatchPanel implements Disposable {
  readonly #panel: vscode.WebviewPanel;
  readonly #context: PatchPanelsContext;
  readonly #beginnings: Beginnings;
  readonly #model: Model;
  readonly #page: RpcPeer<PatchDocumentHost, PatchDocumentView>;
  readonly #disposables = new DisposableStore();
  readonly #writing: DocumentWriting;
  #reference: PatchReference;
  /** Resolves when the page has drawn the patch; another one while it is hidden. */
  #drawn = Promise.withResolvers<null>();
  #placeToReveal: PlaceInPatch | undefined;
  #stackStatus: SettledStatus | undefined;
  #shown: PatchView | undefined;
  #first: Promise<PatchView> | undefined;
  #hasBeginning = false;
  #closed = false;
  #isPreview: boolean;
  readonly #onDidKeep: () => void;

  /**
   * @param options.fromStart whether the beginning of the document is what is seen of it first.
   * @param options.isPreview whether the next document may reuse the tab.
   * @param options.noteFocus is told what of the page has the focus.
   */
  constructor(
    panel: vscode.WebviewPanel,
    context: PatchPanelsContext,
    beginnings: Beginnings,
    reference: PatchReference,
    {
      fromStart,
      isPreview,
      noteFocus,
      onDidKeep,
    }: {
      fromStart: boolean;
      isPreview: boolean;
      noteFocus: (focus: DocumentFocus) => Promise<void>;
      onDidKeep: () => void;
    },
  ) {
    const { extensionUri, model, writing } = context;
    this.#panel = panel;
    this.#isPreview = isPreview;
    this.#onDidKeep = onDidKeep;
    this.#context = context;
    this.#beginnings = beginnings;
    this.#model = model;
    this.#reference = patchOf(reference);
    this.#placeToReveal = placeIn(reference);
    this.#showIcon();
    this.#disposables.add(
      writing.pendingChanges.onDidChange(() => {
        if (this.#unsent().some(({ subject }) => subject.kind !== 'signOff')) {
          this.keep();
        }
      }),
    );
    this.#writing = this.#disposables.add(
      new DocumentWriting(writing, {
        address: () => this.#reference,
        page: () => this.#page,
        refuseElsewhere: () => void context.connection.requireServer(this.#reference.serverUrl),
        update: () => this.#update(),
        undo: context.undo,
      }),
    );
    this.#page = this.#disposables.add(
      connectToPage<PatchDocumentHost, PatchDocumentView>(
        panel.webview,
        patchDocumentSchemas,
        {
          settings: () => panelSettings(),
          patch: ({ fresh }) => (fresh ? undefined : this.#takeFirst()) ?? this.#load(fresh),
          placeToReveal: () => this.#takePlaceToReveal(),
          readAhead: ({ direction }) => this.#readAhead(direction),
          noteFocus: async ({ focus }) => {
            await noteFocus(focus);
            return null;
          },
          ...readingHandlers(context, () => this.#reference),
          signIn: async () => {
            await runCommand('signIn', this.#reference.serverUrl);
            return null;
          },
          ...this.#writing.handlers,
        },
        context.log,
      ),
    );
    this.#disposables.add(
      model.onDidChange((change) => {
        if (
          change.kind === 'all' ||
          (change.kind === 'project' && change.projectId === this.#reference.projectId) ||
          (change.kind === 'patch' && isSamePatch(change.address, this.#reference))
        ) {
          this.#first = undefined;
          void this.#update();
        } else if (change.kind === 'stacks' && change.projectId === this.#reference.projectId) {
          void this.#noticeStackStatus();
        }
      }),
    );
    this.#disposables.add(
      panel.onDidChangeViewState(() => {
        if (!panel.visible) {
          this.#drawn = Promise.withResolvers();
          // The page is gone, and says nothing more.
          void noteFocus('none');
          if (this.#hasBeginning) {
            // It is loaded anew when it is shown again, and by then another patch or another place may be in it.
            this.#hasBeginning = false;
            showPage(panel.webview, extensionUri, 'patchDocument');
          }
        }
      }),
    );
    if (fromStart && beginnings.isPrepared) {
      void this.#showFromStart();
    } else {
      showPage(panel.webview, extensionUri, 'patchDocument');
    }
  }

  get reference(): PatchReference {
    return this.#reference;
  }

  get isVisible(): boolean {
    return this.#panel.visible;
  }

  get viewColumn(): vscode.ViewColumn | undefined {
    return this.#panel.viewColumn;
  }

  /** Whether the next document may reuse the tab. */
  get isPreview(): boolean {
    return this.#isPreview;
  }

  /** Whether another document may be shown in its place now. One with something unsent in it stays, whatever it is. */
  get canBeReplaced(): boolean {
    return this.#isPreview && this.#unsent().length === 0 && !isPinned(this.#panel);
  }

  /** Keeps the tab open: who writes in a document, or says so, is not to lose sight of it. */
  keep(): void {
    if (this.#isPreview) {
      this.#isPreview = false;
      this.#showIcon();
      this.#onDidKeep();
    }
  }

  /** Disposes of something together with the document. */
  own(disposable: Disposable): void {
    this.#disposables.add(disposable);
  }

  /** Ends the document, but not its panel, which is handed over. */
  release(): vscode.WebviewPanel {
    this.dispose();
    return this.#panel;
  }

  /** Tells of a change that the service has taken. */
  tell(change: RecentChange): void {
    this.#writing.tellChange(change);
  }

  /** Asks the page something about writing, once it has drawn the patch. */
  async ask<K extends 'editSection' | 'addSection' | 'moveSections' | 'focusedSection'>(
    method: K,
    parameters: Parameters<PatchDocumentView[K]>[0],
  ): Promise<Awaited<ReturnType<PatchDocumentView[K]>>> {
    await this.#drawn.promise;
    return this.#page.request(method, parameters);
  }

  shows(reference: PatchReference): boolean {
    return reference.serverUrl === this.#reference.serverUrl && isSamePatch(reference, this.#reference);
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
    await this.#page.request('arrive', null);
  }

  /** Says something to screen readers. */
  async announce(text: string): Promise<void> {
    await this.#page.request('announce', { text });
  }

  /** What of the page has the focus, or had it last; undefined when that is the document as a whole. */
  async focusedPlace(): Promise<PlaceInPatch | undefined> {
    return (await this.#page.request('focusedPlace', null)) ?? undefined;
  }

  /** Brings the panel to the front, at a section or a line if one is named. */
  bringToFront(place: PlaceInPatch | undefined): void {
    const wasVisible = this.#panel.visible;
    this.#panel.reveal();
    if (wasVisible && place) {
      // A page that is being closed does not answer: then there is nothing to scroll.
      this.#page.request('reveal', place).catch(() => undefined);
    } else {
      this.#placeToReveal = place;
    }
  }

  /** Shows another patch in the same tab. */
  async navigate(reference: PatchReference): Promise<void> {
    const { value, ...rest } = await this.#model.patch(reference);
    this.#reference = patchOf(reference);
    await this.#page.request('show', await this.#viewOf({ value, ...rest }));
  }

  /** The patch before or after this one in its stack. */
  async neighbour(direction: Direction): Promise<PatchReference | undefined> {
    const place = await this.#model.stackOfPatch(this.#reference);
    if (!place) {
      throw new Error(vscode.l10n.t("Couldn't determine which stack this patch belongs to."));
    }
    const index = place.patches.findIndex((patch) => patch.changeId === this.#reference.changeId);
    const neighbour = index < 0 ? undefined : place.patches[index + (direction === 'next' ? 1 : -1)];
    return neighbour && { ...this.#reference, changeId: neighbour.changeId, sectionCode: undefined };
  }

  /** Closes the tab. */
  close(): void {
    this.#panel.dispose();
  }

  dispose(): void {
    this.#closed = true;
    this.#disposables.dispose();
  }

  /** VS Code writes the titles of tabs that it will reuse in italics; those of pages it cannot, so the icon is lighter. */
  #showIcon(): void {
    const icon = this.#isPreview ? 'patch-preview' : 'patch';
    const file = (theme: 'light' | 'dark'): vscode.Uri =>
      vscode.Uri.joinPath(this.#context.extensionUri, 'media', `${icon}-${theme}.svg`);
    this.#panel.iconPath = { light: file('light'), dark: file('dark') };
  }

  /** What was written of the patch in this window, and is not on the server. */
  #unsent(): KnownChange[] {
    return this.#context.writing.pendingChanges
      .list()
      .filter(
        ({ subject, heldBy }) =>
          heldBy !== 'elsewhere' && 'patch' in subject && isSamePatch(subject.patch, this.#reference),
      );
  }

  async #load(fresh: boolean): Promise<PatchView> {
    const { serverUrl } = this.#reference;
    const { connection } = this.#context;
    const shown = this.#shown;
    if (serverUrl !== connection.activeServer && shown && isSamePatch(shown.address, this.#reference)) {
      // What was loaded stays readable; nothing of it is anybody's to change now.
      return { ...shown, signedOutOf: new URL(serverUrl).host };
    }
    connection.requireServer(serverUrl);
    // Read at the same time: the view waits for both.
    this.#model.stackOfPatch(this.#reference).catch(() => undefined);
    return this.#viewOf(
      await (fresh ? this.#model.refreshPatch(this.#reference) : this.#model.patch(this.#reference)),
    );
  }

  /** Shows the page with the beginning of the document, if that is there in time. */
  async #showFromStart(): Promise<void> {
    this.#first = pause(sending).then(() => this.#load(false));
    const beginning = this.#first.then(
      (view) => this.#beginnings.draw(view),
      // The page asks again, and says what went wrong.
      () => (this.#first = undefined),
    );
    const inTime = await Promise.race([beginning, pause(patience, undefined)]);
    if (!this.#closed) {
      this.#hasBeginning = inTime !== undefined;
      showPage(this.#panel.webview, this.#context.extensionUri, 'patchDocument', inTime);
    }
  }

  /** The patch as it was read for the beginning of the document, once, and unless it has changed since. */
  #takeFirst(): Promise<PatchView> | undefined {
    const first = this.#first;
    this.#first = undefined;
    return first;
  }

  async #viewOf(known: Known<Patch>): Promise<PatchView> {
    const { serverUrl, projectId, branchId, stackUuid, changeId } = this.#reference;
    // The place in the stack is an extra: the patch is worth reading without it.
    const place = await this.#model.stackOfPatch(this.#reference).catch(() => undefined);
    this.#stackStatus = settledStatus(place?.stack);
    const marks = await this.#context.viewedMarks();
    const viewedSections = (await marks?.of(this.#reference, known.value.sections ?? [])) ?? [];
    const { account } = this.#context.writing.pendingChanges;
    const read = patchView(
      {
        serverUrl,
        ...(projectId !== undefined && { projectId }),
        ...(branchId !== undefined && { branchId }),
        stackUuid,
        changeId,
      },
      known.value,
      this.#model.opinions(known.value),
      viewedSections,
      place,
      known.failure ? known.asOf : undefined,
    );
    const view: PatchView = { ...read, ...(account !== undefined && { account }) };
    this.#panel.title = tabTitle(view.title);
    this.#shown = view;
    return view;
  }

  /** Shows what the model knows now. A failure leaves what is on the page: it is told when the page asks itself. */
  async #update(): Promise<void> {
    if (!this.#panel.visible) {
      // A hidden page is thrown away by the editor, and asks again when it is shown.
      return;
    }
    try {
      await this.#page.request('show', await this.#load(false));
      this.#writing.tell();
    } catch {
      return;
    }
  }

  /** Shows the patch again when its patch stack was closed, reopened or followed by a newer version. */
  async #noticeStackStatus(): Promise<void> {
    if ((await settledStatusOf(this.#model, this.#reference)) !== this.#stackStatus) {
      await this.#update();
    }
  }

  /** Reads the patch before or after this one, so that it is there when the person goes on. */
  async #readAhead(direction: Direction): Promise<null> {
    try {
      const neighbour = await this.neighbour(direction);
      if (neighbour) {
        await this.#model.patch(neighbour);
      }
    } catch {
      // What goes wrong is told when the person goes there.
    }
    return null;
  }

  #takePlaceToReveal(): PlaceInPatch | null {
    const place = this.#placeToReveal;
    this.#placeToReveal = undefined;
    this.#drawn.resolve(null);
    this.#context.noteRead();
    this.#beginnings.prepareSoon(() => this.#load(false));
    return place ?? null;
  }
}

function placeIn({ sectionCode, line }: PatchReference): PlaceInPatch | undefined {
  return sectionCode === undefined ? undefined : { code: sectionCode, ...(line && { line }) };
}

/** A patch, wherever in it its document is opened. */
function patchOf(reference: PatchReference): PatchReference {
  const patch = { ...reference };
  delete patch.sectionCode;
  delete patch.line;
  return patch;
}

/** Fills a panel that VS Code kept over a reload of the window, if it still knows which patch it showed. */
export function restorePatchPanel(panels: PatchPanels, panel: vscode.WebviewPanel, state: unknown): void {
  const kept = keptState(patchDocumentState, state);
  if (!kept) {
    panel.dispose();
    return;
  }
  const { projectId, branchId } = kept;
  panels.restore(panel, { ...kept, projectId, branchId });
}

function isSamePatch(
  a: { stackUuid: string; changeId: string },
  b: { stackUuid: string; changeId: string },
): boolean {
  return a.stackUuid === b.stackUuid && a.changeId === b.changeId;
}
