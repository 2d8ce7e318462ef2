import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { Patch } from '../api/types/patches.ts';
import type { PatchStack } from '../api/types/stacks.ts';
import type { PatchAsText } from '../protocol/patchDocument.ts';
import { watchPlace } from '../model/freshness.ts';
import { NewerVersion } from '../model/reading/newerVersion.ts';
import { concerns, type ModelChange } from '../model/model.ts';
import type {
  ForPart,
  StackDocumentHost,
  StackDocumentPage,
  StackDocumentRef,
  StackDocumentView,
} from '../protocol/stackDocument.ts';
import type { Handlers, RpcPeer } from '../protocol/rpc.ts';
import { forPart, stackDocumentSchemas } from '../protocol/schemas/stackDocument.ts';
import { keptState } from '../protocol/checked.ts';
import { ifInTime } from '../ui/beginnings.ts';
import { stackLabel } from '../ui/labels.ts';
import type { PagePanel } from '../ui/pagePanel.ts';
import { connectToPage, panelSettings, showPage } from '../ui/panelHost.ts';
import { StackGoneError, stackToShow } from '../ui/stackToShow.ts';
import { DisposableStore, type Disposable } from '../util/disposable.ts';
import { Emitter } from '../util/event.ts';
import { inBackground } from '../util/inBackground.ts';
import type { SectionRef } from '../util/patchRef.ts';
import { newerVersionView } from './newerVersionView.ts';
import type { PatchPanel, PatchPanelContext } from './patchPanel.ts';
import type { PatchTab } from './patchTab.ts';
import { titleOf } from './patchView.ts';
import { tabTitle } from './tabTitle.ts';
import { keepPreferences, readPreferences } from './readingHandlers.ts';

/** Shared with the documents of single patches. */
interface StackDocumentContext extends Pick<
  PatchPanelContext,
  | 'extensionUri'
  | 'beginnings'
  | 'model'
  | 'connection'
  | 'stackReading'
  | 'colors'
  | 'memory'
  | 'writing'
  | 'readings'
  | 'compareStacks'
  | 'log'
> {
  /** Makes the document of a patch that is part of this one. */
  createPart: (tab: PatchPart, ref: SectionRef) => PatchPanel;
  /** Opens a patch of a newer version beside the document, which has something that is not on the server yet. */
  openBeside: (ref: SectionRef, comparedWith: string | undefined) => void;
}

interface ReadStack {
  stack: PatchStack;
  patches: readonly Patch[];
}

export interface StackOpening {
  /** False for an older version, which somebody wants to read. */
  wantsNewest: boolean;
  /** The beginning of the stack is what is seen of it first. */
  fromStart: boolean;
}

/** The title of a tab, which is another one than that of the stack's page. */
export function stackDocumentTitle(stack: PatchStack): string {
  return vscode.l10n.t('{0} (Document)', tabTitle(stackLabel(stack)));
}

/** A patch in the document of its stack: to its own document it is as a tab, which is in view while the page has drawn it. */
export class PatchPart implements PatchTab {
  title = '';
  readonly #document: StackDocument;
  readonly #changeId: string;
  readonly #changed = new Emitter<void>();
  readonly #received = new Emitter<unknown>();
  readonly onDidChangeViewState = this.#changed.event;
  readonly onDidReceiveMessage = this.#received.event;

  constructor(document: StackDocument, changeId: string) {
    this.#document = document;
    this.#changeId = changeId;
  }

  post(message: unknown): void {
    this.#document.panel.post({ patch: this.#changeId, message } satisfies ForPart);
  }

  /** The tab has the icon of the whole. */
  setIcon(): void {
    // Nothing to do.
  }

  /** The document of the whole stack. */
  get document(): StackDocument {
    return this.#document;
  }

  get viewColumn(): vscode.ViewColumn | undefined {
    return this.#document.panel.viewColumn;
  }

  get visible(): boolean {
    return this.#document.isDrawn(this.#changeId);
  }

  get isUnopened(): boolean {
    return !this.visible;
  }

  get active(): boolean {
    return this.#document.panel.active && this.#document.current === this.#changeId;
  }

  reveal(): void {
    if (this.visible) {
      this.#document.panel.reveal();
    } else {
      this.#document.showPatch(this.#changeId);
    }
  }

  /** Hands on what the page says of the patch. */
  receive(message: unknown): void {
    this.#received.fire(message);
  }

  noteViewState(): void {
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
    this.#received.dispose();
  }
}

/** A stack as one document: a panel, whose page has a conversation of its own about each patch, as a tab with that alone has. */
export class StackDocument implements Disposable {
  readonly panel: PagePanel;
  /** The change id of the patch that the person turned to last. */
  current: string | undefined;
  readonly #context: StackDocumentContext;
  readonly #page: RpcPeer<StackDocumentHost, StackDocumentPage>;
  readonly #disposables = new DisposableStore();
  readonly #parts = new Map<string, { tab: PatchPart; panel: PatchPanel }>();
  #ref: StackDocumentRef;
  #patches: readonly string[] = [];
  #drawn: ReadonlySet<string> = new Set();
  #patchToShow: string | undefined;
  /** The stack as it was read last, in the version that the person reads. */
  #read: ReadStack | undefined;
  /** True when the server doesn't have that version any more. */
  #isGone = false;
  /** The stack as the page shows it; undefined while there is no page. */
  #shown: StackDocumentView | undefined;
  #hasBeginning = false;
  #closed = false;
  /** True until the newest version was shown: then it is for the person to go to a newer one. */
  #wantsNewest: boolean;
  #goesToNewest = false;
  readonly #newer: NewerVersion;
  /** The version that the patches are compared with that are in this one, too. */
  #comparedWith: { stackUuid: string; changeIds: readonly string[] } | undefined;

  constructor(
    panel: PagePanel,
    context: StackDocumentContext,
    ref: StackDocumentRef,
    { wantsNewest, fromStart }: StackOpening,
  ) {
    this.panel = panel;
    this.#context = context;
    this.#ref = ref;
    this.#wantsNewest = wantsNewest;
    this.#newer = new NewerVersion(context, () => inBackground(this.#showNow()));
    panel.setIcon(context.extensionUri, 'patch');
    this.#page = this.#disposables.add(
      connectToPage(
        {
          post: (message) => panel.post(message),
          // All that is said of a patch is for its own document.
          onDidReceiveMessage: (listener) =>
            panel.onDidReceiveMessage((message: unknown) => {
              const said = keptState(forPart, message);
              if (said) {
                this.#partOf(said.patch)?.receive(said.message);
              } else {
                listener(message);
              }
            }),
        },
        stackDocumentSchemas,
        this.#handlers(),
        context.log,
      ),
    );
    this.#disposables.add(context.model.onDidChange((change) => this.#follow(change)));
    const watching = this.#disposables.add(
      watchPlace(context.model.freshness, context.connection, () => (panel.visible ? this.#ref : undefined)),
    );
    this.#disposables.add(
      panel.onDidChangeViewState(() => {
        watching.note();
        if (!panel.visible) {
          // The page is gone, and is there anew when it is shown again.
          this.#shown = undefined;
          if (this.#hasBeginning) {
            // By then another place may be in it.
            this.#hasBeginning = false;
            this.#showPage();
          }
          this.#noteDrawn([]);
        }
        this.#parts.forEach(({ tab }) => tab.noteViewState());
      }),
    );
    if (fromStart && context.beginnings.isPrepared) {
      inBackground(this.#showFromStart());
    } else {
      this.#showPage();
    }
  }

  get ref(): StackDocumentRef {
    return this.#ref;
  }

  isDrawn(changeId: string): boolean {
    return this.panel.visible && this.#drawn.has(changeId);
  }

  /** The document of the patch that the person turned to last, or of the first one that is there. */
  get currentPart(): PatchPanel | undefined {
    return (this.#parts.get(this.current ?? '') ?? [...this.#parts.values()][0])?.panel;
  }

  /** The document of a patch of the stack; undefined for patches of others. */
  partFor({ serverUrl, stackUuid, changeId }: SectionRef): PatchPanel | undefined {
    if (stackUuid !== this.#ref.stackUuid || serverUrl !== this.#ref.serverUrl) {
      return undefined;
    }
    this.#partOf(changeId);
    return this.#parts.get(changeId)?.panel;
  }

  /** Brings a patch of it into view. */
  showPatch(changeId: string): void {
    this.#patchToShow = changeId;
    if (!this.panel.active) {
      this.panel.reveal();
    }
    if (this.#shown) {
      this.#patchToShow = undefined;
      this.#page.request('showPatch', { changeId }).catch(() => undefined);
    }
  }

  /** All patches as text, as the page shows them, and where the person is in it. */
  async asText(): Promise<PatchAsText & { title: string }> {
    return { ...(await this.#page.request('asText', null)), title: this.panel.title };
  }

  dispose(): void {
    this.#closed = true;
    this.#newer.dispose();
    this.#closeParts();
    this.#disposables.dispose();
  }

  /** Shows the page with the beginning of the first patch, if that is there in time. */
  async #showFromStart(): Promise<void> {
    const beginning = await ifInTime(
      this.#load(false).then(({ title, patches: [first, ...others] }) => {
        this.#partOf(first?.changeId ?? '');
        return this.#parts.get(first?.changeId ?? '')?.panel.beginning({ title, count: 1 + others.length });
      }),
    );
    if (!this.#closed) {
      this.#hasBeginning = beginning !== undefined;
      this.#showPage(beginning);
    }
  }

  #showPage(beginning?: string): void {
    showPage(this.panel, this.#context.extensionUri, 'patchDocument', beginning, 'stack');
  }

  #handlers(): Handlers<StackDocumentHost> {
    const { colors, memory, writing } = this.#context;
    return {
      settings: async () => ({
        ...(await panelSettings()),
        forgotten: await writing.pendingChanges.forgotten(),
      }),
      preferences: () => readPreferences(memory),
      setPreferences: async (preferences) => {
        await keepPreferences(memory, preferences);
        return null;
      },
      stack: async ({ fresh }) => (this.#shown = await this.#load(fresh)),
      showNewer: async () => {
        await this.#showNewer();
        return null;
      },
      noteDrawn: ({ changeIds }) => {
        this.#noteDrawn(changeIds);
        return null;
      },
      patchToShow: () => {
        const changeId = this.#patchToShow ?? null;
        this.#patchToShow = undefined;
        return changeId;
      },
      emoji: async () => (await import('../ui/emoji.ts')).emojiByName(),
      colors: (code, signal) => colors.color(code, signal),
      formulas: ({ formulas }) => colors.formulas(formulas),
    };
  }

  #partOf(changeId: string): PatchPart | undefined {
    const known = this.#parts.get(changeId);
    if (known || this.#closed || !this.#patches.includes(changeId)) {
      return known?.tab;
    }
    const tab = new PatchPart(this, changeId);
    const panel = this.#context.createPart(tab, { ...this.#ref, changeId });
    this.#parts.set(changeId, { tab, panel });
    this.#compare(panel);
    return tab;
  }

  /** Compares a patch with the version from which the person has gone on to this one. */
  #compare(panel: PatchPanel): void {
    const { stackUuid, changeIds } = this.#comparedWith ?? {};
    if (stackUuid !== undefined && changeIds?.includes(panel.ref.changeId) === true) {
      // Where that isn't to be had, the patch is there to be read all the same.
      panel.compareWith({ kind: 'version', stackUuid }).catch((error: unknown) => {
        this.#context.log.debug(`A patch could not be compared with the version before: ${String(error)}`);
      });
    }
  }

  #noteDrawn(changeIds: readonly string[]): void {
    const before = this.#drawn;
    this.#drawn = new Set(changeIds);
    for (const [changeId, { tab }] of this.#parts) {
      if (before.has(changeId) !== this.#drawn.has(changeId)) {
        tab.noteViewState();
      }
    }
  }

  #closeParts(): void {
    const parts = [...this.#parts.values()];
    this.#parts.clear();
    for (const { panel, tab } of parts) {
      panel.dispose();
      tab.dispose();
    }
  }

  /** Texts that were typed here and are not on the server: they are of this version, and stay in view. */
  get #hasUnsent(): boolean {
    return this.#context.writing.pendingChanges
      .list()
      .some(
        ({ subject, heldBy }) =>
          heldBy !== 'elsewhere' &&
          subject.kind !== 'signOff' &&
          'patch' in subject &&
          subject.patch.stackUuid === this.#ref.stackUuid,
      );
  }

  /** Goes to the newest version, and there to what changed. */
  async #showNewer(): Promise<void> {
    const before = this.#ref.stackUuid;
    const place = this.#newer.placeAfter(this.#ref, this.current ?? this.#patches[0], this.#isGone);
    if (!place) {
      return;
    }
    const { stackUuid, changeId, comparedWith } = place;
    if (this.#hasUnsent) {
      if (changeId !== undefined) {
        this.#context.openBeside({ ...this.#ref, stackUuid, changeId }, comparedWith);
      }
      return;
    }
    this.#comparedWith = { stackUuid: before, changeIds: this.#patches };
    this.#wantsNewest = true;
    await this.#showNow();
    if (changeId !== undefined) {
      this.showPatch(changeId);
    }
  }

  /** Loads the stack: at first its newest version, unless something is written in this one; then the one that is read. */
  async #load(fresh: boolean): Promise<StackDocumentView> {
    const { connection, stackReading } = this.#context;
    const ref = this.#ref;
    connection.requireServer(ref.serverUrl);
    const { stack, patches, isGone } = await this.#find(ref, fresh ? 'upToDate' : 'atOnce');
    this.#read = { stack, patches };
    this.#isGone = isGone;
    if (stack.uuid !== ref.stackUuid) {
      this.#closeParts();
      this.#ref = { ...ref, stackUuid: stack.uuid };
    }
    if (this.#wantsNewest && !this.#goesToNewest) {
      this.#goesToNewest = true;
      inBackground(this.#goToNewest(ref.projectId));
    }
    this.#patches = patches.map(({ changeId }) => changeId);
    const title = stackLabel(stack);
    if (!this.#closed) {
      this.panel.title = stackDocumentTitle(stack);
    }
    stackReading.show(ref.projectId, stack, patches);
    const newer = this.#newer.of(this.#ref, isGone);
    return {
      ref: this.#ref,
      title,
      ...(newer && { newer: newerVersionView(newer) }),
      patches: patches.map((patch) => ({
        changeId: patch.changeId,
        title: titleOf(patch),
        files: patch.statistics?.fileCount ?? 1,
        lines: (patch.statistics?.lines ?? 0) + (patch.statistics?.deletions ?? 0),
      })),
    };
  }

  /** The stack and its patches; as they were read where the server doesn't have that version any more. */
  async #find(
    ref: StackDocumentRef,
    freshness: 'upToDate' | 'atOnce',
  ): Promise<ReadStack & { isGone: boolean }> {
    const { model } = this.#context;
    const wasNewest = this.#wantsNewest && !this.#hasUnsent;
    try {
      const { value: stack } = await stackToShow(model, ref, { freshness, wasNewest });
      const { value: patches } = await model.patchesOfStack(ref.projectId, stack, freshness);
      return { stack, patches, isGone: false };
    } catch (error) {
      if (!(error instanceof StackGoneError) || this.#read?.stack.uuid !== ref.stackUuid) {
        throw error;
      }
      return { ...this.#read, isGone: true };
    }
  }

  /** Shows the newest version, for what was known of the stack at first may be old, and stays there. */
  async #goToNewest(projectId: string): Promise<void> {
    try {
      await this.#context.model.stacks(projectId, 'all');
      await this.#showNow();
    } catch {
      // Then the version that is known is what is read.
    } finally {
      this.#wantsNewest = false;
      this.#goesToNewest = false;
    }
  }

  #follow(change: ModelChange): void {
    if (this.#shown && concerns(change, this.#ref)) {
      // A failure leaves what is there: each patch says of itself what has become of it.
      this.#showNow().catch(() => undefined);
    }
  }

  async #showNow(): Promise<void> {
    const view = await this.#load(false);
    if (this.#shown && !isDeepStrictEqual(view, this.#shown)) {
      this.#shown = view;
      await this.#page.request('show', view);
    }
  }
}
