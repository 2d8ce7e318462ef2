import * as l10n from '@vscode/l10n';
import type {
  Direction,
  PatchAsText,
  PatchDocumentView,
  PatchView,
  PlaceInPatch,
  ReadingPreferences,
  Stop,
} from '../../protocol/patchDocument.ts';
import type { Handlers } from '../../protocol/rpc.ts';
import { stillHere } from '../common/focusKeeping.ts';
import { untilAnswered } from '../common/host.ts';
import type { Outbox } from '../common/outbox.ts';
import { colorAnew } from '../common/themeColors.ts';
import { patchAsText } from './patchAsText.ts';
import { sameCodes, type Codes } from './reading/codes.ts';
import { withComparison } from './reading/compared.ts';
import { baselineText, summaryText } from './reading/comparisonTexts.ts';
import { withKnownSections } from './reading/knownSections.ts';
import { noteSeen } from './reading/noteSeen.ts';
import { Reading, type Host } from './reading/reading.ts';
import { revealSection, rootOf } from './reading/sectionPlaces.ts';
import { placeInPatch, placeInVersion } from './steps.ts';
import { PageWriting } from './writing/pageWriting.ts';

/** The page that a patch is shown on. */
interface PageOfPart {
  outbox: () => Outbox;
  /** Told of the patch as it is now, before it is shown. */
  take: (patch: PatchView) => void;
  show: (patch: PatchView) => void;
  /** Brings a section, or a line of it, into view. False when the page doesn't have it. */
  reveal: (place: PlaceInPatch) => boolean;
  /** Has the person begin at the title of the patch. */
  arrive: () => void;
  find: () => void;
  go: (to: Stop, direction: Direction) => Promise<void>;
  codes?: Codes;
  /** Says that no one answers, or answers again; left out where the patch is the only one of the page, and says it itself. */
  announceSilence?: (text: string) => void;
}

/** A patch of the page: what is known of it, how it is read and what is written in it. */
export class PatchPart {
  readonly writing: PageWriting;
  readonly #page: PageOfPart;
  readonly #codes: Codes;
  #host: Host | undefined;
  #reading: Reading | undefined;
  #endSeeing: () => void = () => undefined;
  /** The patch as it came, and as it is shown: compared, or as it came. */
  #received: PatchView | undefined;
  #shown: PatchView | undefined;
  /** A section to go to that is only about to come: a draft. */
  #awaited: { code: string; isStillHere: () => boolean } | undefined;
  /** Asked for at once, while everything else is being made ready; whoever waits for it is told of its failure. */
  #firstPatch: Promise<void> | undefined;

  constructor(page: PageOfPart) {
    this.#page = page;
    this.#codes = page.codes ?? sameCodes;
    this.writing = new PageWriting(page.outbox, this.#codes, page.announceSilence);
  }

  get reading(): Reading | undefined {
    return this.#reading;
  }

  /** Whoever answers for the patch. */
  get host(): Host {
    if (!this.#host) {
      throw new Error('Nobody answers for the patch yet.');
    }
    return this.#host;
  }

  /** The patch as it is shown. */
  get shown(): PatchView | undefined {
    return this.#shown;
  }

  /** Asks for the patch, of whoever answers for it. */
  connect(host: Host): void {
    this.#host = host;
    this.writing.follow(host);
    this.#firstPatch = this.#askForPatch(false);
    this.#firstPatch.catch(() => undefined);
  }

  /** Has the patch be read, with what the person prefers. */
  begin(preferences: ReadingPreferences): void {
    if (!this.#reading) {
      this.#reading = new Reading(this.host, preferences, this.#codes);
      const drawn = (): PatchView | undefined =>
        this.#shown && rootOf(this.#shown.ref.changeId) ? this.#shown : undefined;
      this.#endSeeing = noteSeen(this.#reading, drawn);
    }
  }

  /** Loads the patch; once it has failed or been shown, whatever is known of it is not good enough. */
  async load(fresh = true): Promise<PatchView> {
    do {
      const asked = this.#firstPatch ?? this.#askForPatch(fresh);
      this.#firstPatch = undefined;
      await asked;
    } while (!this.#shown);
    this.#take(this.#shown);
    return this.#shown;
  }

  /** Ends the patch on this page: what was typed is saved locally. */
  close(): void {
    this.#endSeeing();
    this.writing.close();
  }

  /** The whole patch as lines of text, and where the person is in it. */
  async asText(): Promise<PatchAsText> {
    const patch = this.#shown ?? (await this.load());
    const missing = patch.sections.some((section) => section.type === 'diff' && section.diff === undefined);
    const diffs = missing ? await this.host.request('diffs', null) : {};
    return patchAsText(
      patch,
      this.writing.parts?.writing.shown ?? patch.sections,
      new Map(Object.entries(diffs)),
      placeInPatch(),
      this.#reading?.store.value.moved,
    );
  }

  /** Answers what the extension host asks about the patch. */
  handlers(): Handlers<PatchDocumentView> {
    return {
      show: (update) => {
        const received = withKnownSections(update, this.#received);
        if (!received || !this.writing.hasTexts(update)) {
          return false;
        }
        const before = this.#shown;
        this.#received = received;
        this.#shown = withComparison(received);
        if (this.#reading) {
          this.#take(this.#shown);
          this.#page.show(this.#shown);
          this.#goToAwaited();
          this.#announceComparison(this.#shown, before);
        }
        return true;
      },
      reveal: (wanted) => {
        this.#awaited = this.#page.reveal(wanted)
          ? undefined
          : { code: wanted.code, isStillHere: stillHere() };
        this.#goToAwaited();
        return null;
      },
      focusedPlace: () => placeInVersion() ?? null,
      arrive: () => {
        this.#page.arrive();
        return null;
      },
      announce: ({ text }) => {
        this.writing.announce(text);
        return null;
      },
      find: () => {
        this.#page.find();
        return null;
      },
      go: async ({ to, direction }): Promise<null> => {
        await this.#page.go(to, direction);
        return null;
      },
      asText: () => this.asText(),
      colorAnew: () => {
        colorAnew();
        return null;
      },
      ...this.writing.handlers,
    };
  }

  /** Goes to the section that was about to come, if it has come. */
  #goToAwaited(): void {
    if (this.#awaited === undefined) {
      return;
    }
    // A text that is written is drawn after the page that it is in.
    requestAnimationFrame(() => {
      if (this.#awaited && (!this.#awaited.isStillHere() || revealSection(this.#awaited.code))) {
        this.#awaited = undefined;
      }
    });
  }

  /** Messages after the answer may name parts of it: it counts from now on. */
  async #askForPatch(fresh: boolean): Promise<void> {
    // The person may be asked to sign in again meanwhile: that takes as long as it takes.
    this.#received = await this.host.request('patch', { fresh }, { timeoutMs: untilAnswered });
    this.#shown = withComparison(this.#received);
  }

  #take(patch: PatchView): void {
    this.#page.take(patch);
    this.#reading?.begin(patch);
    this.writing.show(patch, this.host);
  }

  /** Says what the person has chosen to compare the patch with. */
  #announceComparison({ ref, comparison }: PatchView, before: PatchView | undefined): void {
    if (before?.ref.changeId === ref.changeId && before.comparison !== comparison) {
      this.writing.announce(
        comparison
          ? `${baselineText(comparison.with)} ${summaryText(comparison)}`
          : l10n.t('The whole patch is shown.'),
      );
    }
  }
}
