import * as l10n from '@vscode/l10n';
import type {
  PatchDocumentHost,
  PatchDocumentView,
  PatchView,
  PlaceInPatch,
} from '../../protocol/patchDocument.ts';
import type { PanelSettings } from '../../protocol/panel.ts';
import { drawTextsBy } from '../common/drawnTexts.ts';
import { beginWithFocus, stillHere } from '../common/focusKeeping.ts';
import { connectToHost, untilAnswered, type HostConnection } from '../common/host.ts';
import { plainText } from '../common/markdown.ts';
import { Page, startPage } from '../common/page.tsx';
import { coloring } from '../common/themeColors.ts';
import { PatchDocument } from './PatchDocument.tsx';
import { copyCodeAlone, type LoadPatches } from './copying.ts';
import { Finding } from './find/finding.ts';
import { followFocus, followGivenFocus, followLetters, leaveKeysToVsCode } from './focus.ts';
import { PatchPart } from './patchPart.ts';
import { NewerNote } from './header/NewerNote.tsx';
import { Place } from './place.ts';
import type { Reading } from './reading/reading.ts';
import { drawnSection, revealSection } from './reading/sectionPlaces.ts';
import { scrollWhileDragging } from './reorder/drag.ts';
import { nameLineInMenus, Steps } from './steps.ts';
import { Announcer } from './writing/Announcer.tsx';
import { StatusLine } from './writing/StatusLine.tsx';
import { WritingContext } from './writing/WritingContext.tsx';
import { followWritingKeys } from './writing/pageWriting.ts';
import { inBackground } from '../../util/inBackground.ts';

/** The page of a patch document: answers the extension host, and shows the patch that this names. */
export class DocumentPage {
  readonly #connection: HostConnection<PatchDocumentHost, PatchDocumentView>;
  readonly #part: PatchPart;
  readonly #finding: Finding;
  readonly #steps: Steps;
  readonly #place: Place;
  #page: Page<PatchView> | undefined;
  #hasBegun = false;

  constructor() {
    this.#part = new PatchPart({
      outbox: () => this.#connection.outbox,
      take: (patch) => {
        this.#place.begin(patch.ref, [patch.ref.changeId]);
        this.#finding.begin(patch);
      },
      show: (patch) => this.#page?.show(patch),
      reveal: (wanted) => revealPlace(wanted, this.#part.reading, this.#steps),
      arrive: () => this.#beginAtTitle(),
      find: () => this.#finding.open(),
      go: (to, direction) => this.#steps.take(to, direction),
    });
    this.#finding = new Finding({
      patches: () => {
        const { shown, reading } = this.#part;
        return shown && reading ? [{ patch: shown, reading }] : [];
      },
      current: () => this.#part.reading?.store.value.current,
      plainText,
    });
    this.#steps = new Steps({
      readingOf: () => this.#part.reading,
      announce: (text) => this.#part.writing.announce(text),
    });
    this.#connection = connectToHost(this.#part.handlers());
    const { peer } = this.#connection;
    drawTextsBy(peer);
    this.#place = new Place(this.#connection.state, this.#connection.setState);
    this.#part.connect(peer);
  }

  /** Shows the patch, and leads the person to where they want to be in it. */
  async start(): Promise<void> {
    const { peer } = this.#connection;
    this.#followPerson();
    const preferences = peer.request('preferences', null);
    let isStillHere = stillHere();
    await startPage(
      this.#connection,
      () => peer.request('settings', null),
      (settings) => {
        this.#page = new Page({
          loadingText: () => l10n.t('Loading the patch…'),
          load: async () => {
            isStillHere = stillHere();
            this.#part.begin(await preferences);
            return this.#part.load();
          },
          // The place where the person was, or wants to go, isn't known before.
          begin: () => this.#hasBegun && beginWithFocus(),
          view: (patch) => this.#view(patch, settings),
        });
        return this.#page;
      },
    );
    const wanted = await peer.request('placeToReveal', null);
    this.#hasBegun = true;
    if (!isStillHere()) {
      return;
    }
    if (wanted) {
      revealPlace(wanted, this.#part.reading, this.#steps);
      beginWithFocus(() => drawnSection(wanted.code));
    } else {
      this.#place.restore();
      beginWithFocus(() => this.#place.focused() ?? titleOfPage());
    }
  }

  #followPerson(): void {
    followWritingKeys(() => [this.#part.writing]);
    followDocument({
      readingOf: () => this.#part.reading,
      noteFocus: (focus) => this.#connection.peer.request('noteFocus', { focus }),
      noteFocusGiven: () => this.#connection.peer.request('noteFocusGiven', null),
      steps: this.#steps,
    });
    this.#place.keepFocus();
    // They may be others in another theme.
    coloring.subscribe(() => inBackground(this.#part.reading?.lookForIcons()));
  }

  #view(patch: PatchView, settings: PanelSettings) {
    const { reading, writing } = this.#part;
    return (
      reading && (
        <WritingContext.Provider value={writing.parts}>
          <PatchDocument
            key={patch.ref.changeId}
            patch={patch}
            settings={settings}
            reading={reading}
            finding={this.#finding}
          />
          <StatusLine>
            <NewerNote
              newer={patch.newer}
              onShow={() =>
                inBackground(reading.host.request('showNewer', null, { timeoutMs: untilAnswered }))
              }
            />
          </StatusLine>
          <Announcer />
        </WritingContext.Provider>
      )
    );
  }

  #beginAtTitle(): void {
    const { title, position } = this.#part.shown ?? {};
    if (title !== undefined) {
      window.scrollTo({ top: 0 });
      titleOfPage()?.focus({ preventScroll: true });
      this.#part.writing.announce(arrivalText(title, position));
    }
  }
}

/** Follows what the person does in a document, whether that has one patch or several. @returns looks for the focus again. */
export function followDocument(parts: {
  readingOf: (code: string | undefined) => Reading | undefined;
  noteFocus: Parameters<typeof followFocus>[0];
  noteFocusGiven: Parameters<typeof followGivenFocus>[0];
  focusedPatch?: () => string | undefined;
  /** Left out where there is one patch. */
  loadPatches?: LoadPatches;
  steps: Steps;
}): () => void {
  scrollWhileDragging();
  copyCodeAlone(parts.readingOf, parts.loadPatches);
  const look = followFocus(parts.noteFocus, parts.focusedPatch);
  followGivenFocus(parts.noteFocusGiven);
  leaveKeysToVsCode();
  followLetters((direction) => inBackground(parts.steps.take('change', direction)));
  nameLineInMenus();
  return look;
}

/** Brings a section, or a line of it, into view, and gives it the focus. @returns false when the page doesn't have it. */
export function revealPlace(
  { code, line }: PlaceInPatch,
  reading: Reading | undefined,
  steps: Steps,
): boolean {
  if (line) {
    inBackground(steps.goToLine(code, line));
    return true;
  }
  if (reading?.section(code)?.compared?.isFolded) {
    // Whoever goes there wants to read it, though it did not change.
    reading.fold(code, false);
  }
  return revealSection(code);
}

/** Says to which patch the person has come. */
export function arrivalText(title: string, position: PatchView['position']): string {
  return position ? l10n.t('Patch {0} of {1}: {2}', position.index, position.count, title) : title;
}

function titleOfPage(): HTMLElement | undefined {
  return document.querySelector<HTMLElement>('.patch-header h1') ?? undefined;
}
