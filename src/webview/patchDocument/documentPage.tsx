import * as l10n from '@vscode/l10n';
import type {
  PatchAsText,
  PatchDocumentHost,
  PatchDocumentView,
  PatchView,
  PlaceInPatch,
} from '../../protocol/patchDocument.ts';
import type { PanelSettings } from '../../protocol/panel.ts';
import type { Handlers } from '../../protocol/rpc.ts';
import { beginWithFocus } from '../common/focusKeeping.ts';
import { connectToHost, untilAnswered, type HostConnection } from '../common/host.ts';
import { plainText } from '../common/markdown.ts';
import { Page, startPage } from '../common/page.tsx';
import { drawEmojiBy } from '../common/emoji.ts';
import { drawFormulasBy } from '../common/drawnFormulas.ts';
import { colorAnew, colorCodeBy, coloring } from '../common/themeColors.ts';
import { PatchDocument } from './PatchDocument.tsx';
import { copyCodeAlone } from './copying.ts';
import { Finding } from './find/finding.ts';
import { followFocus, followGivenFocus, followLetters, leaveKeysToVsCode } from './focus.ts';
import { patchAsText } from './patchAsText.ts';
import { Place } from './place.ts';
import { withComparison } from './reading/compared.ts';
import { baselineText, summaryText } from './reading/comparisonTexts.ts';
import { withKnownSections } from './reading/knownSections.ts';
import { noteSeen } from './reading/noteSeen.ts';
import { Reading, type Host } from './reading/reading.ts';
import { drawnSection, revealSection } from './reading/sectionPlaces.ts';
import { scrollWhileDragging } from './reorder/drag.ts';
import { nameLineInMenus, placeInPatch, placeInVersion, Steps } from './steps.ts';
import { Announcer } from './writing/Announcer.tsx';
import { StatusLine } from './writing/StatusLine.tsx';
import { WritingContext } from './writing/WritingContext.tsx';
import { PageWriting } from './writing/pageWriting.ts';

/** Parts that exist once the person's preferences are known. */
interface ReadingParts {
  reading: Reading;
  finding: Finding;
  steps: Steps;
}

/** The page of a patch document: answers the extension host, and shows the patch that this names. */
export class DocumentPage {
  readonly #connection: HostConnection<PatchDocumentHost, PatchDocumentView>;
  readonly #host: Host;
  readonly #writing: PageWriting;
  readonly #place: Place;
  #page: Page<PatchView> | undefined;
  #parts: ReadingParts | undefined;
  /** The patch as it came, and as it is shown: compared, or as it came. */
  #received: PatchView | undefined;
  #shown: PatchView | undefined;
  #hasBegun = false;
  /** Asked for at once, while everything else is being made ready; whoever waits for it is told of its failure. */
  #firstPatch: Promise<void> | undefined;

  constructor() {
    this.#writing = new PageWriting(() => this.#connection.outbox);
    this.#connection = connectToHost(this.#handlers());
    this.#host = this.#connection.peer;
    colorCodeBy((code) => this.#host.request('colors', code));
    drawEmojiBy(() => this.#host.request('emoji', null));
    drawFormulasBy((formulas) => this.#host.request('formulas', { formulas }));
    this.#place = new Place(this.#connection.state, this.#connection.setState);
    this.#firstPatch = this.#askForPatch(false);
    this.#firstPatch.catch(() => undefined);
  }

  /** Shows the patch, and leads the person to where they want to be in it. */
  async start(): Promise<void> {
    this.#followPerson();
    const preferences = this.#host.request('preferences', null);
    await startPage(
      this.#connection,
      () => this.#host.request('settings', null),
      (settings) => {
        this.#page = new Page({
          loadingText: () => l10n.t('Loading the patch…'),
          load: async () => {
            this.#parts ??= this.#makeParts(new Reading(this.#host, await preferences));
            return this.#load();
          },
          // The place where the person was, or wants to go, isn't known before.
          begin: () => this.#hasBegun && beginWithFocus(),
          view: (patch) => this.#view(patch, settings),
        });
        return this.#page;
      },
    );
    const wanted = await this.#host.request('placeToReveal', null);
    this.#hasBegun = true;
    if (wanted) {
      this.#reveal(wanted);
      beginWithFocus(() => drawnSection(wanted.code));
    } else {
      this.#place.restore();
      beginWithFocus(() => this.#place.focused() ?? titleOfPage());
    }
  }

  #followPerson(): void {
    this.#writing.start(this.#host);
    scrollWhileDragging();
    copyCodeAlone(() => this.#parts?.reading);
    followFocus((focus) => this.#host.request('noteFocus', { focus }));
    followGivenFocus(() => this.#host.request('noteFocusGiven', null));
    this.#place.keepFocus();
    leaveKeysToVsCode();
    followLetters((direction) => void this.#parts?.steps.take('change', direction));
    nameLineInMenus();
    // They may be others in another theme.
    coloring.subscribe(() => void this.#parts?.reading.lookForIcons());
  }

  #makeParts(reading: Reading): ReadingParts {
    noteSeen(reading, () => this.#shown);
    return {
      reading,
      finding: new Finding(reading, plainText),
      steps: new Steps(reading, (text) => this.#writing.announce(text)),
    };
  }

  #view(patch: PatchView, settings: PanelSettings) {
    return (
      this.#parts && (
        <WritingContext.Provider value={this.#writing.parts}>
          <PatchDocument
            key={patch.ref.changeId}
            patch={patch}
            settings={settings}
            reading={this.#parts.reading}
            finding={this.#parts.finding}
          />
          <StatusLine />
          <Announcer />
        </WritingContext.Provider>
      )
    );
  }

  #handlers(): Handlers<PatchDocumentView> {
    return {
      show: (update) => {
        const received = withKnownSections(update, this.#received);
        if (!received || !this.#writing.hasTexts(update)) {
          return false;
        }
        const patch = withComparison(received);
        const before = this.#shown;
        this.#received = received;
        this.#shown = patch;
        if (this.#page) {
          this.#begin(patch);
          this.#page.show(patch);
          this.#announceComparison(patch, before);
        }
        return true;
      },
      reveal: (wanted) => {
        this.#reveal(wanted);
        return null;
      },
      focusedPlace: () => placeInVersion() ?? null,
      arrive: () => {
        if (this.#shown) {
          this.#beginAtTitle(this.#shown);
        }
        return null;
      },
      announce: ({ text }) => {
        this.#writing.announce(text);
        return null;
      },
      find: () => {
        this.#parts?.finding.open();
        return null;
      },
      go: async ({ to, direction }): Promise<null> => {
        await this.#parts?.steps.take(to, direction);
        return null;
      },
      asText: () => this.#asText(),
      colorAnew: () => {
        colorAnew();
        return null;
      },
      ...this.#writing.handlers,
    };
  }

  /** Messages after the answer may name parts of it: it counts from now on. */
  async #askForPatch(fresh: boolean): Promise<void> {
    // The person may be asked to sign in again meanwhile: that takes as long as it takes.
    this.#received = await this.#host.request('patch', { fresh }, { timeoutMs: untilAnswered });
    this.#shown = withComparison(this.#received);
  }

  /** Loads the patch; once it has failed or been shown, whatever is known of it is not good enough. */
  async #load(): Promise<PatchView> {
    do {
      const asked = this.#firstPatch ?? this.#askForPatch(true);
      this.#firstPatch = undefined;
      await asked;
    } while (!this.#shown);
    this.#begin(this.#shown);
    return this.#shown;
  }

  #begin(patch: PatchView): void {
    this.#place.begin(patch);
    this.#parts?.reading.begin(patch);
    this.#parts?.finding.begin(patch);
    this.#writing.show(patch, this.#host);
  }

  /** Says what the person has chosen to compare the patch with. */
  #announceComparison({ ref, comparison }: PatchView, before: PatchView | undefined): void {
    if (before?.ref.changeId === ref.changeId && before.comparison !== comparison) {
      this.#writing.announce(
        comparison
          ? `${baselineText(comparison.with)} ${summaryText(comparison)}`
          : l10n.t('The whole patch is shown.'),
      );
    }
  }

  #reveal({ code, line }: PlaceInPatch): void {
    const { reading, steps } = this.#parts ?? {};
    if (line) {
      void steps?.goToLine(code, line);
      return;
    }
    if (reading?.section(code)?.compared?.isFolded) {
      // Whoever goes there wants to read it, though it did not change.
      reading.fold(code, false);
    }
    revealSection(code);
  }

  #beginAtTitle({ title, position }: PatchView): void {
    window.scrollTo({ top: 0 });
    titleOfPage()?.focus({ preventScroll: true });
    this.#writing.announce(
      position ? l10n.t('Patch {0} of {1}: {2}', position.index, position.count, title) : title,
    );
  }

  async #asText(): Promise<PatchAsText> {
    const patch = this.#shown ?? (await this.#load());
    const missing = patch.sections.some((section) => section.type === 'diff' && section.diff === undefined);
    const diffs = missing ? await this.#host.request('diffs', null) : {};
    return patchAsText(
      patch,
      this.#writing.parts?.writing.shown ?? patch.sections,
      new Map(Object.entries(diffs)),
      placeInPatch(),
      this.#parts?.reading.store.value.moved,
    );
  }
}

function titleOfPage(): HTMLElement | undefined {
  return document.querySelector<HTMLElement>('.patch-header h1') ?? undefined;
}
