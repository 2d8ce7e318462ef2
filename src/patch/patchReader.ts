import type { Patch } from '../api/types/patches.ts';
import type { Known } from '../model/cached.ts';
import type { Model } from '../model/model.ts';
import type { PendingChange } from '../model/pending/pendingChange.ts';
import { NewerVersion, type NewerPlace, type NewerVersionContext } from '../model/reading/newerVersion.ts';
import type { PatchReading } from '../model/reading/readingStates.ts';
import type { Baseline } from '../model/reading/versions.ts';
import type { StackReading } from '../model/reading/stackReading.ts';
import type { PatchView, RailPatch } from '../protocol/patchDocument.ts';
import type { LastChange, PatchPending } from '../protocol/patchWriting.ts';
import { isGone, notUpdated } from '../ui/notUpdated.ts';
import type { SectionRef } from '../util/patchRef.ts';
import type { Review } from '../util/review.ts';
import type { PatchState } from './pageState.ts';
import { newerVersionView } from './newerVersionView.ts';
import { patchView } from './patchView.ts';
import { railOf } from './rail.ts';
import { Comparing, type ComparingContext } from './comparing.ts';
import type { ReadingContext } from './readingHandlers.ts';
import { StaleTexts, type FoundStale } from './staleTexts.ts';
import { Unexplained } from './unexplained.ts';
import { SinceSignOff, type SinceSignOffContext } from './sinceSignOff.ts';
import { stackNameOf } from '../model/reading/stackName.ts';
import { serverName } from '../session/serverName.ts';

/** The document that a patch is read for. */
interface ReadingPanel {
  /** The patch of the document. */
  ref: () => SectionRef;
  /** True while nobody reads it: the service is not told that somebody has. */
  isUnopened: () => boolean;
  /** True in the document of the whole stack, which says itself what is to be said of that. */
  isPart: boolean;
  pending: () => PatchPending;
  lastChange: () => LastChange | undefined;
  /** The codes of the sections that keep it from being signed off, as long as it is this one. */
  unseen: (fingerprint: string) => string[] | undefined;
  /** The person's reviews of the stack's patches that the service doesn't have yet, by change id. */
  unsentReviews: () => ReadonlyMap<string, Review>;
  /** The changes of the patch that the service doesn't have yet. */
  unsent: () => readonly PendingChange[];
  /** Names the account that reads it. */
  account: () => string | undefined;
  /** Is told what the patch is called. */
  noteTitle: (title: string) => void;
  /** Told when there is more to be shown. */
  show: () => void;
}

/** A view of a patch as it is on the service, with the records that it was made from. */
interface KnownView {
  ref: SectionRef;
  patch: Known<Patch>;
  place: PlaceInStack;
  /** The number of `#outdated` that it was made at. */
  madeAt: number;
  view: Omit<PatchView, 'sections' | 'pending' | 'lastChange' | 'unseen' | 'sinceSignOff' | 'rail' | 'newer'>;
}

/** The collaborators of `PatchReader`. */
export type PatchReaderContext = ReadingContext &
  ComparingContext &
  SinceSignOffContext &
  Pick<NewerVersionContext, 'compareStacks'> & {
    /** The progress of reading each patch of a stack. */
    stackReading: StackReading;
  };

/** The stack of a patch, with its patches in order. */
type PlaceInStack = Awaited<ReturnType<Model['stackOfPatch']>>;

/** The state of a document's patch: read from the service, and combined with the pending changes. */
export class PatchReader {
  readonly #context: PatchReaderContext;
  readonly #panel: ReadingPanel;
  readonly #since: SinceSignOff;
  #place: { ref: SectionRef; place: PlaceInStack } | undefined;
  #known: KnownView | undefined;
  /** The number of times that a view became outdated although its patch is the same. */
  #outdated = 0;
  readonly #comparing: Comparing;
  readonly #unexplained: Unexplained;
  readonly #stale: StaleTexts;
  readonly #newer: NewerVersion;

  constructor(context: PatchReaderContext, panel: ReadingPanel) {
    this.#context = context;
    this.#panel = panel;
    this.#comparing = new Comparing(context);
    this.#since = new SinceSignOff(context, panel.show);
    this.#unexplained = new Unexplained(
      (patch) => ({ model: context.model, ref: panel.ref(), patch }),
      panel.show,
    );
    this.#stale = new StaleTexts(context, panel.show);
    this.#newer = new NewerVersion(context, panel.show);
  }

  get isSignedOut(): boolean {
    return this.#panel.ref().serverUrl !== this.#context.connection.activeServer;
  }

  /** Reads what is not known yet of the patch, or may be another by now. @throws why it cannot be. */
  async read(fresh: boolean): Promise<void> {
    const { connection, model } = this.#context;
    const ref = this.#panel.ref();
    if (this.isSignedOut && this.#known?.ref === ref) {
      // A patch that was loaded before stays readable.
      return;
    }
    connection.requireServer(ref.serverUrl);
    // Read at the same time. The place in the stack is an extra: the patch is worth reading without it.
    const place = model.stackOfPatch(ref).catch(() => undefined);
    await (fresh
      ? model.refreshPatch(ref)
      : this.#panel.isUnopened()
        ? model.patchUnopened(ref)
        : model.patch(ref));
    this.#notePlace(ref, await place);
  }

  #notePlace(ref: SectionRef, place: PlaceInStack): void {
    if (place && ref.projectId !== undefined && place.patches !== this.#place?.place?.patches) {
      this.#context.stackReading.show(ref.projectId, place.stack, place.patches);
    }
    this.#place = { ref, place };
  }

  /**
   * Returns the state of the patch, and reads it first if necessary.
   *
   * @throws the reason why it can't be read.
   */
  async load(fresh: boolean): Promise<PatchState> {
    await this.read(fresh);
    // Another account may be active by now, of which nothing is known yet.
    return (await this.look()) ?? this.load(false);
  }

  /** Returns the state of the patch as far as it is known; undefined when nothing is. */
  async look(): Promise<PatchState | undefined> {
    const { model } = this.#context;
    const ref = this.#panel.ref();
    if (this.isSignedOut) {
      return this.#known?.ref === ref ? signedOutState(this.#known) : undefined;
    }
    const known = (): Known<Patch> | undefined =>
      this.#panel.isUnopened() ? model.knownUnopened(ref) : model.knownPatch(ref);
    const patch = known();
    if (!patch) {
      return undefined;
    }
    const view = this.#knownView(ref, patch) ?? (await this.#makeView(ref, patch));
    // From here on nothing is waited for: what the service has, and what it does not have yet, are of one moment.
    if (this.#panel.ref() !== ref || known() !== patch) {
      return this.look();
    }
    const lastChange = this.#panel.lastChange();
    const unseen = this.#panel.unseen(view.fingerprint);
    const sinceSignOff = this.#since.view(ref, patch.value);
    const rail = view.position && this.#rail(ref);
    const unsent = this.#panel.unsent();
    const unexplained = this.#unexplained.view(patch.value, unsent);
    const stale = this.#stale.view(ref, patch.value, unsent);
    const newer = this.#panel.isPart ? undefined : this.#newer.of(model.located(ref), isGone(patch));
    return {
      view: {
        ...view,
        pending: this.#panel.pending(),
        ...(lastChange && { lastChange }),
        ...(unseen && { unseen }),
        ...(sinceSignOff && { sinceSignOff }),
        ...(rail && { rail }),
        ...(newer && { newer: newerVersionView(newer) }),
        ...(unexplained && { unexplained }),
        ...(stale && { stale }),
      },
      sections: patch.value.sections ?? [],
    };
  }

  /** The page has drawn the patch: from now on there is time for what is no part of it. */
  noteDrawn(): void {
    this.#unexplained.begin();
    this.#stale.begin();
  }

  dispose(): void {
    this.#unexplained.dispose();
    this.#stale.dispose();
    this.#newer.dispose();
  }

  /** Where the person reads on in the newer version of the stack; undefined when there is none. */
  newerPlace(): NewerPlace | undefined {
    const ref = this.#panel.ref();
    const { model } = this.#context;
    return this.#newer.placeAfter(model.located(ref), ref.changeId, isGone(model.knownPatch(ref)));
  }

  /** Notes that sections were on the screen: the page knows that of itself. */
  noteSeen(codes: readonly string[]): void {
    const known = this.#known;
    const isCurrent = known?.madeAt === this.#outdated;
    // A view that is being made may be of what was read before.
    this.#outdated += 1;
    if (known && isCurrent) {
      const unread = known.view.unread?.filter((code) => !codes.includes(code));
      this.#known = { ...known, madeAt: this.#outdated, view: { ...known.view, ...(unread && { unread }) } };
    }
  }

  /** A text that is older than the code that it is about; undefined when that is not known of it. */
  staleText(code: string): FoundStale | undefined {
    return this.#stale.find(code);
  }

  /** Takes the mark away that a text is older than its code: that was noted. */
  noteConfirmed(code: string): void {
    this.#stale.drop(code);
  }

  /** The sections that are ticked are others now. */
  forgetMarks(): void {
    this.#makeAnew();
  }

  /** Compares again when the patch is shown next: there may be more contents of files. */
  compareAgain(): void {
    this.#makeAnew();
    this.#comparing.compareAgain();
    this.#since.compareAgain();
  }

  /** The versions that are compared; undefined when none are. */
  async compared(): ReturnType<Comparing['compared']> {
    const { value } = await this.#context.model.patch(this.#panel.ref());
    return this.#comparing.compared(value);
  }

  /** Everything that the patch can be compared with. */
  async versions(): ReturnType<Comparing['offers']> {
    const ref = this.#panel.ref();
    return this.#comparing.offers(ref, (await this.#context.model.patch(ref)).value);
  }

  /** Compares the patch with another version from now on; see `Comparing.compareWith`. */
  async compareWith(baseline: Baseline | undefined): Promise<boolean> {
    const ref = this.#panel.ref();
    const { value } = await this.#context.model.patch(ref);
    const isThere = await this.#comparing.compareWith(ref, value, baseline);
    this.#makeAnew();
    return isThere;
  }

  /**
   * Makes the view again when that is looked at next, and one that is being made at once. What is there stays meanwhile: it is what can be
   * read of the patch when the person has signed out by then.
   */
  #makeAnew(): void {
    this.#outdated += 1;
  }

  /** The progress of reading the patch; undefined when no one is signed in. */
  async #reading(ref: SectionRef, patch: Patch): Promise<PatchReading | undefined> {
    const { model } = this.#context;
    const readings = await this.#context.readings();
    if (!readings) {
      return undefined;
    }
    return (await readings.states(stackNameOf(model.located(ref)), [patch]))[0];
  }

  #rail(ref: SectionRef): RailPatch[] | undefined {
    const { model, stackReading } = this.#context;
    const { stackUuid } = ref;
    const unsent = this.#panel.unsentReviews();
    const place = this.#placeOf(ref);
    return (
      place &&
      railOf(place.patches, {
        stateOf: (changeId) => stackReading.stateOf({ stackUuid, changeId }),
        reviewOf: (patch) => unsent.get(patch.changeId) ?? model.opinions(patch).mine,
      })
    );
  }

  #placeOf(ref: SectionRef): PlaceInStack {
    return this.#place?.ref === ref ? this.#place.place : undefined;
  }

  #knownView(ref: SectionRef, patch: Known<Patch>): KnownView['view'] | undefined {
    const known = this.#known;
    return known?.ref === ref &&
      known.madeAt === this.#outdated &&
      known.patch === patch &&
      known.place === this.#placeOf(ref) &&
      known.view.account === this.#panel.account()
      ? known.view
      : undefined;
  }

  async #makeView(ref: SectionRef, patch: Known<Patch>): Promise<KnownView['view']> {
    const { value } = patch;
    const outdated = this.#outdated;
    const place = this.#placeOf(ref);
    // Asked for first: what is read below for this account is not to be shown to the next one.
    const account = this.#panel.account();
    const reading = await this.#reading(ref, value);
    const tickedSections = (value.sections ?? []).flatMap(({ code }, index) =>
      reading?.sections[index]?.isTicked === true ? code : [],
    );
    const unread =
      reading &&
      (value.sections ?? []).flatMap(({ code }, index) =>
        reading.sections[index]?.isRead === true ? [] : code,
      );
    const comparing = await this.#comparing.view(ref, value, reading);
    const opinions = this.#context.model.opinions(value);
    const view = {
      ...patchView(ref, value, opinions, place, notUpdated(patch)),
      tickedSections,
      ...(unread && { unread }),
      ...comparing,
      ...(account !== undefined && { account }),
    };
    if (outdated !== this.#outdated) {
      // What was ticked or chosen meanwhile is not in it.
      return this.#makeView(ref, patch);
    }
    this.#known = { ref, patch, place, madeAt: outdated, view };
    if (this.#panel.ref() === ref) {
      this.#panel.noteTitle(view.title);
    }
    return view;
  }
}

/** A patch that was loaded before the person signed out of its server: it can be read, and nothing of it changed. */
function signedOutState({ ref, patch, view }: KnownView): PatchState {
  const pending = { texts: [], deletions: [] };
  return {
    view: { ...view, pending, signedOutOf: serverName(ref.serverUrl) },
    sections: patch.value.sections ?? [],
  };
}
