import * as vscode from 'vscode';
import type { PatchStack } from '../api/types/stacks.ts';
import { patchDocumentViewType, setContext } from '../contributions.ts';
import type { AtHand } from '../model/atHand.ts';
import { keptState } from '../protocol/checked.ts';
import type { Direction, DocumentFocus, PatchAsText, PlaceInPatch, Stop } from '../protocol/patchDocument.ts';
import { patchDocumentState } from '../protocol/schemas/patchDocument.ts';
import { PagePanel } from '../ui/pagePanel.ts';
import type { PageTurn } from '../ui/pageTurns.ts';
import { stackPageState } from '../protocol/schemas/stackPage.ts';
import type { StackDocumentRef } from '../protocol/stackDocument.ts';
import { attempt } from '../ui/commands.ts';
import { panelOptions, showPage } from '../ui/panelHost.ts';
import { giveWay, UnfilledTabs } from '../ui/unfilledTabs.ts';
import type { RecentChange } from '../ui/recentChanges.ts';
import type { Disposable } from '../util/disposable.ts';
import { Emitter } from '../util/event.ts';
import { inBackground } from '../util/inBackground.ts';
import { isSamePatch, type PatchRef, type SectionRef } from '../util/patchRef.ts';
import { PatchBeginnings } from './beginnings.ts';
import { FocusKeys } from './focusKeys.ts';
import { KeptTabs, reusesTabs } from './keptTabs.ts';
import { openChanges, openCommit } from './openChanges.ts';
import { neighborOf, PatchPanel, placeIn, type PanelOpening, type PatchPanelContext } from './patchPanel.ts';
import { titleOf } from './patchView.ts';
import { readPreferences } from './readingHandlers.ts';
import { StackDocument, stackDocumentTitle, type PatchPart, type StackOpening } from './stackDocument.ts';
import { tabTitle } from './tabTitle.ts';
import { findStale, noteStillTrue } from './staleTexts.ts';

interface PatchPanelsContext extends Omit<PatchPanelContext, 'beginnings'> {
  /** Is told which document the person looks at. */
  atHand: AtHand;
  /** Keeps which tabs are to be reused. */
  tabMemory: vscode.Memento;
}

/** Milliseconds between the clicks of a double click; VS Code tells of each, and not which it is. */
const doubleClickMs = 600;

interface Opening {
  /** In a tab that the next document may reuse, as a click on a row does. */
  preview?: boolean;
  /** In a tab of its own, although the document of its stack is looked at. */
  apart?: boolean;
}

/** A click on a row, and what it has opened, once it has. */
interface Click {
  readonly ref: SectionRef;
  readonly at: number;
  opened?: PatchPanel;
}

/** Milliseconds that the status bar says that a stack ends. */
const saidForMs = 5_000;

/** The open patch documents: at most one tab for each patch, and one for each stack that is read as one document. */
export class PatchPanels implements Disposable {
  readonly #context: PatchPanelsContext & PatchPanelContext;
  /** All patches that are open, in tabs of their own or as parts of their stacks. */
  readonly #panels = new Set<PatchPanel>();
  readonly #tabs = new Map<PatchPanel, PagePanel>();
  readonly #stacks = new Set<StackDocument>();
  readonly #stackOf = new WeakMap<PatchPanel, StackDocument>();
  readonly #beginnings: PatchBeginnings;
  readonly #kept: KeptTabs;
  readonly #unfilled = new UnfilledTabs(patchDocumentViewType, () => this.#pages());
  readonly #focusKeys = new FocusKeys();
  readonly #confirmed = new Emitter<SectionRef>();
  #active: PatchPanel | undefined;
  #ending = false;
  #clicked: Click | undefined;

  /** Fires when a command has noted that a text is still true. */
  readonly onDidConfirm = this.#confirmed.event;

  constructor(context: PatchPanelsContext) {
    this.#beginnings = new PatchBeginnings(context.extensionUri, () => readPreferences(context.memory));
    this.#context = { ...context, beginnings: this.#beginnings };
    this.#kept = new KeptTabs(context.tabMemory);
  }

  /** The document that was looked at last, if it is still open. */
  get active(): PatchPanel | undefined {
    return this.#active;
  }

  /** Opens a patch as a document, or shows the document that is open already. */
  async open(ref: SectionRef, opening: Opening = {}): Promise<PatchPanel> {
    await this.#fillTabOf(ref, opening);
    return this.#openNow(await PagePanel.turn(patchDocumentViewType), ref, opening);
  }

  /** Has VS Code fill the tab of a patch that it kept over a reload of the window, if that is the only place where it is open. */
  async #fillTabOf(ref: SectionRef, { apart = false }: Opening): Promise<void> {
    const isOpen = (): boolean =>
      this.#tabFor(ref) !== undefined || (!apart && this.#partFor(ref) !== undefined);
    await this.#unfilled.fill(this.#titleOf(ref), isOpen);
  }

  #openNow(turn: PageTurn, ref: SectionRef, { preview = false, apart = false }: Opening): PatchPanel {
    const open = (apart ? undefined : this.#showWithin(ref)) ?? this.#showOpen(ref);
    if (open) {
      if (!preview) {
        open.keep();
      }
      return open;
    }
    const isPreview = preview && reusesTabs();
    const reused = isPreview ? this.#reusable() : undefined;
    const tab = reused && this.#tabs.get(reused);
    if (reused && tab) {
      return this.#reuse(reused, tab, ref);
    }
    // The page has a find of its own: VS Code's would see no more than what is drawn of a long document.
    const panel = PagePanel.open(turn, this.#titleOf(ref), panelOptions(this.#context.extensionUri));
    return this.#fill(panel, ref, { fromStart: ref.sectionCode === undefined, isPreview });
  }

  /** Opens the patch of a row that was clicked: in a tab that the next click reuses, unless it is a double click. */
  async openByClick(ref: SectionRef): Promise<void> {
    const before = this.#clicked;
    const at = Date.now();
    // Whoever has closed what the first click opened wants it again, and no more than that.
    const isDouble =
      before !== undefined &&
      (before.opened === undefined || this.#panels.has(before.opened)) &&
      isSamePatch(before.ref, ref) &&
      before.ref.sectionCode === ref.sectionCode &&
      at - before.at < doubleClickMs;
    const clicked: Click = { ref, at };
    this.#clicked = clicked;
    const opening = { preview: !isDouble, apart: true };
    await this.#fillTabOf(ref, opening);
    const turn = await PagePanel.turn(patchDocumentViewType);
    // Whoever has clicked the row of another patch meanwhile wants that one in front.
    if (isSamePatch(this.#clicked.ref, ref)) {
      clicked.opened = this.#openNow(turn, ref, opening);
    }
  }

  /** Opens all patches of a stack as one document, or shows the one that is open already. */
  async openStack(ref: StackDocumentRef, stack: PatchStack): Promise<void> {
    const title = stackDocumentTitle(stack);
    await this.#unfilled.fill(title, () => this.#documentOf(ref) !== undefined);
    const turn = await PagePanel.turn(patchDocumentViewType);
    const open = this.#documentOf(ref);
    if (open) {
      open.panel.reveal();
    } else {
      this.#fillStack(PagePanel.open(turn, title, panelOptions(this.#context.extensionUri)), ref, {
        wantsNewest: stack.status !== 'inactive',
        fromStart: true,
      });
    }
  }

  /** Fills a panel that VS Code kept over a reload of the window with all patches of a stack, unless they are open by now. */
  restoreStack(panel: PagePanel, ref: StackDocumentRef): void {
    const open = this.#documentOf(ref);
    if (open) {
      giveWay(panel, () => open.panel.reveal());
    } else {
      this.#fillStack(panel, ref, { wantsNewest: true, fromStart: false });
    }
    this.#unfilled.noteFilled();
  }

  #documentOf(ref: StackDocumentRef): StackDocument | undefined {
    return [...this.#stacks].find(
      ({ ref: { stackUuid, serverUrl } }) => stackUuid === ref.stackUuid && serverUrl === ref.serverUrl,
    );
  }

  #fillStack(panel: PagePanel, ref: StackDocumentRef, opening: StackOpening): void {
    panel.setOptions(panelOptions(this.#context.extensionUri));
    const document = new StackDocument(
      panel,
      {
        ...this.#context,
        createPart: (tab, patch) => this.#createPart(tab, patch),
        openBeside: (patch, comparedWith) =>
          inBackground(
            attempt(vscode.l10n.t('open the newest version'), this.#context.log, async () => {
              const opened = await this.open(patch, { apart: true });
              if (comparedWith !== undefined) {
                await opened.compareWith({ kind: 'version', stackUuid: comparedWith });
              }
            }),
          ),
      },
      ref,
      opening,
    );
    this.#stacks.add(document);
    panel.onDidChangeViewState(() => {
      const part = document.currentPart;
      if (part) {
        this.#noteActive(part, panel.active);
      }
      inBackground(this.#focusKeys.update());
    });
    panel.onDidClose(() => {
      this.#stacks.delete(document);
      inBackground(this.#focusKeys.note(panel, 'none'));
      document.dispose();
    });
    if (panel.active) {
      this.#context.atHand.show(ref);
    }
  }

  /** Keeps the document open that was looked at last. */
  keepOpen(): void {
    this.#lookedAt().keep();
  }

  /** Fills a panel that VS Code kept over a reload of the window, unless its patch is open by now. */
  restore(panel: PagePanel, ref: SectionRef): void {
    const open = this.#tabFor(ref);
    if (open) {
      giveWay(panel, () => open.bringToFront(undefined));
    } else {
      panel.title = this.#titleOf(ref);
      panel.setOptions(panelOptions(this.#context.extensionUri));
      this.#fill(panel, ref, { fromStart: false, isPreview: this.#kept.isPreview(ref) });
    }
    this.#unfilled.noteFilled();
  }

  /** All tabs that are filled. */
  #pages(): PagePanel[] {
    return [...this.#tabs.values(), ...[...this.#stacks].map(({ panel }) => panel)];
  }

  /** The document whose tab may be reused in the group of editors that is active. */
  #reusable(): PatchPanel | undefined {
    const { viewColumn: active } = vscode.window.tabGroups.activeTabGroup;
    // Tabs are opened there, and VS Code tells a moment later: until then it isn't known where a tab is.
    const isThere = ({ viewColumn = active }: PatchPanel): boolean => viewColumn === active;
    return [...this.#tabs.keys()].findLast((panel) => isThere(panel) && panel.canBeReplaced);
  }

  /** Shows a patch in the tab of another one, just as in a new tab. */
  #reuse(old: PatchPanel, panel: PagePanel, ref: SectionRef): PatchPanel {
    old.dispose();
    this.#panels.delete(old);
    this.#tabs.delete(old);
    this.#kept.note(old.ref, false);
    inBackground(this.#focusKeys.note(panel, 'none'));
    const tab = panel.handOn();
    tab.title = this.#titleOf(ref);
    tab.reveal();
    return this.#fill(tab, ref, {
      fromStart: ref.sectionCode === undefined,
      isPreview: true,
    });
  }

  /**
   * The title from what is known already: each change of a title has VS Code lay out its tabs, while it makes room for the page.
   */
  #titleOf(ref: SectionRef): string {
    const known = this.#context.model.patchSummary(ref);
    return known ? tabTitle(titleOf(known)) : vscode.l10n.t('Patch');
  }

  #fill(panel: PagePanel, ref: SectionRef, options: { fromStart: boolean; isPreview: boolean }): PatchPanel {
    let hasFocus = false;
    const noteFocus = (focus: DocumentFocus): Promise<void> => {
      // The tab that is active may be come back to, from a row of the view: VS Code does not tell of that.
      if (focus !== 'none' && !hasFocus) {
        this.#noteActive(opened, panel.active);
      }
      hasFocus = focus !== 'none';
      return this.#focusKeys.note(panel, focus);
    };
    const opened: PatchPanel = new PatchPanel(panel, this.#context, ref, {
      ...options,
      showPage: (beginning) => showPage(panel, this.#context.extensionUri, 'patchDocument', beginning),
      noteFocus,
      onDidKeep: () => this.#noteKept(opened),
      ...this.#leadingOn(() => opened),
    });
    this.#panels.add(opened);
    this.#tabs.set(opened, panel);
    this.#kept.note(ref, options.isPreview);
    opened.own(
      panel.onDidChangeViewState(() => {
        this.#noteActive(opened, panel.active);
        inBackground(this.#focusKeys.update());
      }),
    );
    opened.own(
      panel.onDidClose(() => {
        if (!this.#ending) {
          this.#kept.note(opened.ref, false);
        }
        this.#tabs.delete(opened);
        this.#forget(opened);
        inBackground(noteFocus('none'));
        opened.dispose();
      }),
    );
    this.#noteActive(opened, panel.active);
    return opened;
  }

  /** Makes the document of a patch that is part of the document of its stack. */
  #createPart(tab: PatchPart, ref: SectionRef): PatchPanel {
    const { document } = tab;
    const part: PatchPanel = new PatchPanel(tab, this.#context, ref, {
      fromStart: false,
      isPreview: false,
      showPage: () => undefined,
      noteFocus: async (focus) => {
        if (focus !== 'none') {
          document.current = ref.changeId;
          this.#noteActive(part, document.panel.active);
        }
        // The focus that has left one patch may be in another by now.
        if (document.current === ref.changeId) {
          await this.#focusKeys.note(document.panel, focus);
        }
      },
      onDidKeep: () => undefined,
      ...this.#leadingOn(() => part),
    });
    this.#panels.add(part);
    this.#stackOf.set(part, document);
    part.own({ dispose: () => this.#forget(part) });
    return part;
  }

  /** Leads on from a patch. Not waited for: the page has its answer before it shows another one. */
  #leadingOn(panel: () => PatchPanel): Pick<PanelOpening, 'goTo' | 'goToNewer' | 'goOn'> {
    return {
      goToNewer: (newer, comparedWith) =>
        inBackground(
          attempt(vscode.l10n.t('open the newest version'), this.#context.log, () =>
            this.goToNewer(panel(), newer, comparedWith),
          ),
        ),
      goTo: (other) =>
        inBackground(
          attempt(vscode.l10n.t('open the patch'), this.#context.log, async () => {
            await this.goTo(other);
          }),
        ),
      goOn: () =>
        inBackground(
          attempt(vscode.l10n.t('open the next patch'), this.#context.log, () => this.goOn(panel().ref)),
        ),
    };
  }

  #forget(panel: PatchPanel): void {
    this.#panels.delete(panel);
    if (this.#active === panel) {
      // Another one that is open is at hand now, also where it is behind other tabs.
      this.#noteLookedAt([...this.#panels].at(-1));
    }
  }

  /** Reads on elsewhere, in the tab of the document that was looked at last where that may be. */
  async goTo(ref: SectionRef): Promise<PatchPanel> {
    const panel = await this.#readOn(this.#active, ref);
    if (ref.sectionCode === undefined) {
      await panel.arrive();
    }
    return panel;
  }

  /**
   * Reads on in a newer version of a stack: in the same tab, unless something in that is not on the server yet.
   *
   * @param comparedWith the version that the patch is compared with then, if any.
   */
  async goToNewer(panel: PatchPanel, newer: SectionRef, comparedWith: string | undefined): Promise<void> {
    const isSame = newer.changeId === panel.ref.changeId;
    const canBeReplaced = isSame ? !panel.hasUnsent && !this.#stackOf.has(panel) : panel.canBeReplaced;
    const opened = await this.#readOn(panel, newer, canBeReplaced);
    // Not after the comparison, which takes time: whoever has begun to write by then stays there.
    await opened.arrive();
    if (comparedWith !== undefined) {
      await opened.compareWith({ kind: 'version', stackUuid: comparedWith });
    }
  }

  /** The fingerprint of a patch as it is on the screen; undefined when it is not there. */
  shownFingerprint(patch: PatchRef): string | undefined {
    return [...this.#panels].find((panel) => panel.isVisible && isSamePatch(panel.ref, patch))?.fingerprint;
  }

  /** Opens the patch before or after the one that was looked at last. */
  async openNeighbor(direction: Direction): Promise<void> {
    await this.#openNeighbor(this.#lookedAt(), direction);
  }

  /** Reads on in the patch after one that the person has said something of, which can be taken back there. */
  async goOn(ref: SectionRef): Promise<void> {
    const panel = [this.#active, ...this.#panels].find((one) => one?.shows(ref));
    const change = panel?.shownChange;
    const next = await neighborOf(this.#context.model, ref, 'next');
    if (next) {
      const here = panel ?? this.#active;
      const opened = await this.#readOn(here, next, here?.canGoOn);
      await opened.arrive();
      opened.goOnTelling(ref, change);
    }
  }

  /**
   * Opens what a patch changes, or one of its sections does, in the diff editor; without a patch that of the document looked at
   * last.
   */
  async openChanges(ref = this.#lookedAt().ref): Promise<void> {
    const { value } = await this.#context.model.patch(ref);
    const section = value.sections?.find(({ code }) => code === ref.sectionCode);
    // A text changes nothing: what stands around it does.
    await openChanges(ref, value, section?.sectionType === 'text' ? undefined : ref.sectionCode);
  }

  /** Has the person choose what a patch is compared with; without a patch that of the document looked at last. */
  async compareVersions(ref?: SectionRef): Promise<void> {
    const panel = ref ? await this.open({ ...ref, sectionCode: undefined }) : this.#lookedAt();
    const { chooseVersion } = await import('./chooseVersion.ts');
    const title = titleOf((await this.#context.model.patch(panel.ref)).value);
    await panel.compareWith(await chooseVersion(() => panel.versions(), title));
  }

  /** Notes that a text is true of the code as it is now. False when it isn't older than that. */
  async confirmText(section: SectionRef & { sectionCode: string }): Promise<boolean> {
    const { model, writing } = this.#context;
    const { value } = await model.patch(section);
    const changes = writing.pendingChanges
      .list()
      .filter(({ subject }) => 'patch' in subject && isSamePatch(subject.patch, section));
    const [stale] = await findStale(this.#context, section, value, changes, section.sectionCode);
    if (stale) {
      await noteStillTrue(this.#context, section, stale);
      [...this.#panels].find((panel) => panel.shows(section))?.noteConfirmed(section.sectionCode);
      this.#confirmed.fire(section);
    }
    return stale !== undefined;
  }

  /** Opens the commit of a patch, as the workspace's git has it. */
  async openCommit(ref = this.#lookedAt().ref): Promise<void> {
    await openCommit(ref, (await this.#context.model.patch(ref)).value);
  }

  /**
   * Refuses to change a patch of a server that the window is not signed in to: the change would reach another one, or nobody.
   *
   * @throws {RemediableError} with what leads there.
   */
  refuseElsewhere({ serverUrl }: SectionRef): void {
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

  /** The section, or line of one, that has the focus in the document that was looked at last. */
  async focusedPlace(): Promise<PlaceInPatch | undefined> {
    return this.#active?.isVisible ? this.#active.focusedPlace() : undefined;
  }

  /** The document that was looked at last, as text. */
  async asText(): Promise<PatchAsText & { title: string }> {
    const panel = this.#lookedAt();
    return (this.#stackOf.get(panel) ?? panel).asText();
  }

  /** Tells of a change in the document of its patch. False when that is not in view. */
  tell(patch: PatchRef, change: RecentChange): boolean {
    const panel = [...this.#panels].find((one) => one.isVisible && one.tellsOf(patch));
    panel?.tell(change);
    return panel !== undefined;
  }

  dispose(): void {
    // The tabs are there again in the next window, as they are.
    this.#ending = true;
    this.#beginnings.dispose();
    this.#focusKeys.dispose();
    this.#unfilled.dispose();
    for (const panel of this.#pages()) {
      panel.dispose();
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
    this.#kept.note(panel.ref, panel.isPreview);
    if (panel === this.#active) {
      inBackground(setContext('documentIsPreview', panel.isPreview));
    }
  }

  #noteLookedAt(panel: PatchPanel | undefined): void {
    this.#active = panel;
    inBackground(setContext('documentIsPreview', panel?.isPreview === true));
    const { model, atHand } = this.#context;
    const { ref } = panel ?? {};
    // A link need not name the project.
    atHand.show(
      ref && {
        ...ref,
        projectId: ref.projectId ?? model.projectOfStack(ref.stackUuid),
        sectionCode: undefined,
      },
    );
  }

  /** Shows a patch in the document of its stack, while the person looks at that. */
  #showWithin(ref: SectionRef): PatchPanel | undefined {
    const part = this.#partFor(ref);
    part?.bringToFront(placeIn(ref));
    return part;
  }

  #partFor(ref: SectionRef): PatchPanel | undefined {
    const document = this.#active && this.#stackOf.get(this.#active);
    return document?.panel.visible ? document.partFor(ref) : undefined;
  }

  #showOpen(ref: SectionRef): PatchPanel | undefined {
    const open = this.#tabFor(ref);
    open?.bringToFront(placeIn(ref));
    return open;
  }

  #tabFor(ref: SectionRef): PatchPanel | undefined {
    return [...this.#tabs.keys()].find((panel) => panel.shows(ref));
  }

  /** Reading on stays in the same tab, unless the neighbor has one of its own, or this one is kept open. */
  async #openNeighbor(panel: PatchPanel, direction: Direction): Promise<void> {
    const neighbor = await panel.neighbor(direction);
    if (!neighbor) {
      // Nothing has failed: it is said, and no more.
      const text =
        direction === 'next'
          ? vscode.l10n.t('This is the last patch in the stack.')
          : vscode.l10n.t('This is the first patch in the stack.');
      vscode.window.setStatusBarMessage(text, saidForMs);
      await panel.announce(text);
      return;
    }
    await (await this.#readOn(panel, neighbor)).arrive();
  }

  async #readOn(
    panel: PatchPanel | undefined,
    ref: SectionRef,
    canBeReplaced = panel?.canBeReplaced,
  ): Promise<PatchPanel> {
    await this.#fillTabOf(ref, {});
    let open = this.#showWithin(ref) ?? this.#showOpen(ref);
    if (!open && panel && canBeReplaced === true) {
      this.#kept.note(panel.ref, false);
      await panel.navigate(ref);
      // Meanwhile it may have been closed, or kept.
      if (this.#panels.has(panel)) {
        this.#kept.note(panel.ref, panel.isPreview);
        this.#noteActive(panel, true);
        panel.bringToFront(placeIn(ref));
        open = panel;
      }
    }
    return open ?? this.#openNow(await PagePanel.turn(patchDocumentViewType), ref, { preview: true });
  }
}

/** Fills a panel that VS Code kept over a reload of the window, if it still knows which patch or stack it showed. */
export function restorePatchPanel(panels: PatchPanels, panel: PagePanel, state: unknown): void {
  const kept = keptState(patchDocumentState, state);
  const stack = kept ? undefined : keptState(stackPageState, state);
  if (stack) {
    panels.restoreStack(panel, stack);
    return;
  }
  if (!kept) {
    panel.dispose();
    return;
  }
  const { projectId, branchId } = kept;
  panels.restore(panel, { ...kept, projectId, branchId });
}
