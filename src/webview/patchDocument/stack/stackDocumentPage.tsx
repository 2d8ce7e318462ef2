import * as l10n from '@vscode/l10n';
import type {
  Direction,
  PatchAsText,
  PatchDocumentHost,
  PatchDocumentView,
  ReadingPreferences,
} from '../../../protocol/patchDocument.ts';
import type {
  PatchOutline,
  StackDocumentHost,
  StackDocumentPage as StackDocumentMethods,
  StackDocumentView,
} from '../../../protocol/stackDocument.ts';
import type { PanelSettings } from '../../../protocol/panel.ts';
import type { Handlers } from '../../../protocol/rpc.ts';
import { inBackground } from '../../../util/inBackground.ts';
import { newlineCount } from '../../../util/newlineCount.ts';
import { drawTextsBy } from '../../common/drawnTexts.ts';
import { beginWithFocus, stillHere } from '../../common/focusKeeping.ts';
import { connectToHost, untilAnswered, type HostConnection } from '../../common/host.ts';
import { plainText } from '../../common/markdown.ts';
import { Page, startPage } from '../../common/page.tsx';
import { notePlace } from '../../common/stillPlace.ts';
import { coloring } from '../../common/themeColors.ts';
import { arrivalText, followDocument, revealPlace } from '../documentPage.tsx';
import { Finding, type Searched } from '../find/finding.ts';
import { PatchPart } from '../patchPart.ts';
import { Place } from '../place.ts';
import { bringIntoView } from '../reading/bringIntoView.ts';
import { codesOf } from '../reading/codes.ts';
import type { Reading } from '../reading/reading.ts';
import { rootOf, showStack } from '../reading/sectionPlaces.ts';
import { Steps } from '../steps.ts';
import { followWritingKeys } from '../writing/pageWriting.ts';
import { partChannel } from './partChannel.ts';
import { StackDocument } from './StackDocument.tsx';
import { StackPart, type Spoken } from './stackPart.ts';

/** Patches that are loaded at the same time. */
const atOnce = 2;

/** The page of a stack as one document: all of its patches, each of which speaks with the extension host for itself. */
export class StackDocumentPage {
  readonly #connection: HostConnection<StackDocumentHost, StackDocumentMethods>;
  readonly #finding: Finding;
  readonly #steps: Steps;
  readonly #place: Place;
  #page: Page<StackDocumentView> | undefined;
  #stack: StackDocumentView | undefined;
  #preferences: ReadingPreferences | undefined;
  readonly #parts = new Map<string, StackPart>();
  /** The patches that are drawn, loaded or not. */
  readonly #drawn = new Set<string>();
  #loading = 0;
  #tellsDrawn = false;
  #draw: (changeId: string) => void = () => undefined;
  /** The patch that is read now. */
  #current: StackPart | undefined;
  #hasBegun = false;
  /** True while any of the patches is told that nobody answers: the others have it from the same extension host. */
  #isSilent = false;
  #lookForFocus = (): void => undefined;

  constructor() {
    this.#finding = new Finding({
      patches: () => this.#searched(),
      current: () => this.#current?.part?.reading?.store.value.current,
      plainText,
    });
    this.#steps = new Steps({
      readingOf: (code) => this.#readingOf(code),
      announce: (text) => this.#current?.part?.writing.announce(text),
      more: (direction) => this.#loadBeside(direction),
    });
    this.#connection = connectToHost(this.#handlers());
    const { peer, state, setState } = this.#connection;
    drawTextsBy(peer);
    this.#place = new Place(state, setState);
  }

  /** Shows the stack, and leads the person to where they were in it. */
  async start(): Promise<void> {
    const { peer } = this.#connection;
    followWritingKeys(() => this.#all.flatMap(({ part }) => part?.writing ?? []));
    this.#lookForFocus = followDocument({
      readingOf: (code) => (code === undefined ? this.#current?.part?.reading : this.#readingOf(code)),
      noteFocus: async (focus) => this.#focused()?.part?.host.request('noteFocus', { focus }),
      noteFocusGiven: async () => this.#focused()?.part?.host.request('noteFocusGiven', null),
      focusedPatch: () => this.#focused()?.outline.changeId,
      loadPatches: (first, last) => this.#loadOneByOne(first, last),
      steps: this.#steps,
    });
    this.#place.keepFocus();
    coloring.subscribe(() => this.#all.forEach(({ part }) => inBackground(part?.reading?.lookForIcons())));
    const asked = { preferences: peer.request('preferences', null), stack: this.#askForStack(false) };
    asked.stack.catch(() => undefined);
    let first: typeof asked.stack | undefined = asked.stack;
    let isStillHere = stillHere();
    await startPage(
      this.#connection,
      () => peer.request('settings', null),
      (settings) => {
        this.#page = new Page({
          loadingText: () => l10n.t('Loading the patch stack…'),
          load: async () => {
            isStillHere = stillHere();
            this.#preferences = await asked.preferences;
            const stack = await (first ?? this.#askForStack(true));
            first = undefined;
            await this.#begin(stack);
            return stack;
          },
          begin: () => this.#hasBegun && beginWithFocus(),
          view: (stack) => this.#view(stack, settings),
        });
        return this.#page;
      },
    );
    const wanted = await peer.request('patchToShow', null);
    this.#hasBegun = true;
    inBackground(this.#noteShown(this.#current, isStillHere));
    if (!isStillHere()) {
      return;
    }
    if (wanted === null) {
      this.#place.restore();
      beginWithFocus(() => this.#place.focused() ?? document.querySelector<HTMLElement>('h1') ?? undefined);
    } else {
      await this.#goTo(wanted);
    }
  }

  #handlers(): Handlers<StackDocumentMethods> {
    return {
      show: async (stack) => {
        await this.#begin(stack);
        notePlace();
        this.#page?.show(stack);
        return null;
      },
      showPatch: async ({ changeId }) => {
        await this.#goTo(changeId);
        return null;
      },
      asText: () => this.#asText(),
    };
  }

  /** Those that are loaded, in no order but that the present one comes first. */
  get #all(): StackPart[] {
    const others = [...this.#parts.values()].filter((part) => part !== this.#current);
    return this.#current ? [this.#current, ...others] : others;
  }

  #askForStack(fresh: boolean): Promise<StackDocumentView> {
    return this.#connection.peer.request('stack', { fresh });
  }

  /** Takes in the stack; what begins the page is loaded with it. */
  async #begin(stack: StackDocumentView): Promise<void> {
    const isOther = stack.ref.stackUuid !== this.#stack?.ref.stackUuid;
    const ids = stack.patches.map(({ changeId }) => changeId);
    for (const [changeId, part] of [...this.#parts]) {
      if (isOther || !ids.includes(changeId)) {
        part.close();
        this.#parts.delete(changeId);
      }
    }
    this.#stack = stack;
    for (const outline of stack.patches) {
      if (!this.#parts.has(outline.changeId)) {
        this.#parts.set(outline.changeId, new StackPart(outline, () => this.#speak(outline)));
      }
    }
    showStack({
      patches: ids,
      draw: (changeId) => this.#draw(changeId),
      isAwaited: (changeId) => isAwaited(this.#parts.get(changeId)),
    });
    this.#place.begin(stack.ref, ids);
    if (isOther) {
      const current = this.#current && this.#parts.get(this.#current.outline.changeId);
      const before = this.#hasBegun ? [] : this.#place.patchesBefore;
      const first = [current?.outline.changeId ?? [], before, ids]
        .flat()
        .slice(0, Math.max(1, before.length));
      this.#current = this.#parts.get(first[0] ?? '');
      await this.#tellDrawn(first);
      await Promise.all(first.map(async (changeId) => this.#parts.get(changeId)?.load(true)));
    }
  }

  #speak(outline: PatchOutline): Spoken {
    const codes = codesOf(outline.changeId);
    const part: PatchPart = new PatchPart({
      outbox: () => this.#connection.outbox,
      codes,
      take: (patch) => this.#finding.begin(patch),
      show: () => this.#showAgain(),
      reveal: (place) => revealPlace(place, part.reading, this.#steps),
      arrive: () => this.#beginAtTitle(part),
      find: () => this.#finding.open(),
      go: (to, direction) => this.#steps.take(to, direction),
      announceSilence: (text) => this.#announceSilence(text),
    });
    const peer = this.#connection.speak<PatchDocumentHost, PatchDocumentView>(
      (page) => partChannel(page, outline.changeId, codes),
      part.handlers(),
    );
    part.connect(peer);
    if (this.#preferences) {
      part.begin(this.#preferences);
    }
    return { part, peer };
  }

  #view(stack: StackDocumentView, settings: PanelSettings) {
    return (
      <StackDocument
        stack={stack}
        settings={settings}
        parts={stack.patches.flatMap(({ changeId }) => this.#parts.get(changeId) ?? [])}
        current={this.#current}
        finding={this.#finding}
        isSideBySide={this.#preferences?.layout === 'sideBySide'}
        layout={{
          prefer: (change) => this.#prefer(change),
          foldAll: (folded) => this.#all.forEach(({ part }) => part?.reading?.foldAll(folded)),
        }}
        page={{
          noteDrawn: (changeId, isDrawn) => this.#noteDrawn(changeId, isDrawn),
          noteCurrent: (changeId, section) => this.#noteCurrent(changeId, section),
          drawBy: (draw) => (this.#draw = draw),
          goTo: (changeId) => inBackground(this.#goTo(changeId)),
          showNewer: () =>
            inBackground(this.#connection.peer.request('showNewer', null, { timeoutMs: untilAnswered })),
          retry: (changeId) => {
            inBackground(this.#load(this.#parts.get(changeId)));
            // It says at once that it is loading.
            this.#showAgain();
          },
        }}
      />
    );
  }

  #showAgain(): void {
    if (this.#stack && this.#hasBegun) {
      notePlace();
      this.#page?.show(this.#stack);
    }
  }

  #prefer(change: Partial<ReadingPreferences>): void {
    if (this.#preferences) {
      this.#preferences = { ...this.#preferences, ...change };
      this.#all.forEach(({ part }) => part?.reading?.store.update(change));
      this.#showAgain();
      inBackground(this.#connection.peer.request('setPreferences', this.#preferences).catch(() => undefined));
    }
  }

  #noteDrawn(changeId: string, isDrawn: boolean): void {
    if (isDrawn) {
      this.#drawn.add(changeId);
    } else {
      this.#drawn.delete(changeId);
      this.#parts.get(changeId)?.noteFar();
    }
    // Several come and go together.
    if (!this.#tellsDrawn) {
      this.#tellsDrawn = true;
      queueMicrotask(() => {
        this.#tellsDrawn = false;
        inBackground(this.#tellDrawn([...this.#drawn]).catch(() => undefined));
        this.#loadDrawn();
      });
    }
  }

  #tellDrawn(changeIds: string[]): Promise<null> {
    return this.#connection.peer.request('noteDrawn', { changeIds });
  }

  /** Loads what is drawn and not there, a few at a time: what was scrolled past by then is not loaded. */
  #loadDrawn(): void {
    const next = [...this.#drawn]
      .map((changeId) => this.#parts.get(changeId))
      .find((part) => part && !part.isUpToDate && !part.isLoading && part.failure === undefined);
    if (next && this.#loading < atOnce) {
      inBackground(this.#load(next));
      this.#loadDrawn();
    }
  }

  async #load(part: StackPart | undefined): Promise<void> {
    if (!part) {
      return;
    }
    this.#loading += 1;
    const isDrawn = this.#drawn.has(part.outline.changeId);
    const isStillHere = stillHere();
    await part.load(isDrawn).finally(() => (this.#loading -= 1));
    this.#showAgain();
    if (isDrawn) {
      inBackground(this.#noteShown(part, isStillHere));
    }
    this.#loadDrawn();
  }

  /** A patch is there to be read: from now on there is time for what is no part of it. */
  async #noteShown(shown: StackPart | undefined, isStillHere: () => boolean): Promise<void> {
    const { part } = shown ?? {};
    if (part?.shown) {
      const place = await part.host.request('placeToReveal', null).catch(() => null);
      if (place && isStillHere()) {
        revealPlace(place, part.reading, this.#steps);
      }
    }
  }

  #noteCurrent(changeId: string, section: string | undefined): void {
    const part = this.#parts.get(changeId);
    const reading = part?.part?.reading;
    if (section !== undefined && reading && reading.store.value.current !== section) {
      reading.store.update({ current: section });
    }
    if (part && part !== this.#current) {
      this.#current = part;
      this.#showAgain();
      this.#lookForFocus();
    }
  }

  #readingOf(code: string | undefined): Reading | undefined {
    const part = this.#all.find(
      ({ part: one }) => code !== undefined && one?.reading?.codes.toHost(code) !== code,
    );
    return part?.part?.reading;
  }

  /** The patch that the focus is in; outside of all, the one that is read. */
  #focused(): StackPart | undefined {
    const changeId = document.activeElement?.closest<HTMLElement>('[data-patch]')?.dataset['patch'];
    return this.#parts.get(changeId ?? '') ?? this.#current;
  }

  /** All patches, each of which is loaded for it. */
  async *#searched(): AsyncIterable<Searched> {
    for (const { changeId } of this.#stack?.patches ?? []) {
      const searched = await this.#loaded(changeId);
      if (searched) {
        yield searched;
      }
    }
  }

  async #loaded(changeId: string): Promise<Searched | undefined> {
    const part = this.#parts.get(changeId);
    const patch = part?.shown ?? (await part?.load(this.#drawn.has(changeId)));
    const reading = part?.part?.reading;
    return patch && reading && { patch, reading };
  }

  /** Patches by their places, each loaded when the one before is there: nothing else is to wait for all of them. */
  #loadOneByOne(first: number, last: number): Promise<Searched | undefined>[] {
    let before: Promise<unknown> = Promise.resolve();
    return (this.#stack?.patches ?? []).slice(first, last + 1).map(({ changeId }) => {
      const loading = before.then(() => this.#loaded(changeId));
      before = loading.catch(() => undefined);
      return loading;
    });
  }

  /** All patches as lines of text, and where the person is in it. */
  async #asText(): Promise<PatchAsText> {
    const { title, patches = [] } = this.#stack ?? {};
    const here = this.#focused()?.outline.changeId;
    const texts = [`${title ?? ''}\n`];
    let [count, line] = [2, 0];
    for (const outline of patches) {
      await this.#loaded(outline.changeId);
      const part = this.#parts.get(outline.changeId);
      const { text, line: within } =
        part?.shown && part.part
          ? await part.part.asText()
          : { text: [outline.title, part?.failure ?? '', ''].join('\n'), line: 0 };
      if (outline.changeId === here) {
        line = count + within;
      }
      texts.push(text);
      count += newlineCount(text) + 1;
    }
    return { text: texts.join('\n'), line };
  }

  /** Loads the first patch that is not there yet after the person, or before them. */
  async #loadBeside(direction: Direction): Promise<boolean> {
    const patches = this.#stack?.patches ?? [];
    const at = patches.findIndex(({ changeId }) => changeId === this.#focused()?.outline.changeId);
    const beside = direction === 'next' ? patches.slice(at + 1) : patches.slice(0, Math.max(0, at)).reverse();
    const missing = beside.map(({ changeId }) => this.#parts.get(changeId)).find(isAwaited);
    await missing?.load(false);
    // It may have its place on the screen already: whoever goes there must find its sections in that.
    this.#showAgain();
    return missing !== undefined;
  }

  async #goTo(changeId: string): Promise<void> {
    const isStillHere = stillHere();
    const part = this.#parts.get(changeId);
    this.#draw(changeId);
    await this.#load(part);
    if (!isStillHere()) {
      return;
    }
    const title =
      rootOf(changeId)?.querySelector<HTMLElement>('h1') ??
      // One that could not be loaded says so there.
      document.querySelector<HTMLElement>(`[data-unloaded="${CSS.escape(changeId)}"] h2`);
    if (title) {
      bringIntoView(title, 'start');
      title.focus({ preventScroll: true });
    }
  }

  /** Says it once for all patches: as soon as the first is silent, and when the last one answers again. */
  #announceSilence(text: string): void {
    const isSilent = this.#all.some((one) => one.isSilent);
    if (isSilent !== this.#isSilent) {
      this.#isSilent = isSilent;
      this.#current?.part?.writing.announce(text);
    }
  }

  #beginAtTitle({ shown, writing }: PatchPart): void {
    if (shown) {
      inBackground(this.#goTo(shown.ref.changeId));
      writing.announce(arrivalText(shown.title, shown.position));
    }
  }
}

/** True for a patch that is not loaded yet, and can be. */
function isAwaited(part: StackPart | undefined): boolean {
  return part !== undefined && !part.shown && part.failure === undefined;
}
