/** The patch document: one patch read as one page, its sections in order. */
import '@vscode/codicons/dist/codicon.css';
import '../common/base.css';
import '../common/highlight.css';
import '../common/prose.css';
import './patchDocument.css';
import './diff/diff.css';
import './editor/editor.css';
import * as l10n from '@vscode/l10n';
import type {
  PatchAsText,
  PatchDocumentHost,
  PatchDocumentView,
  PatchView,
  PlaceInPatch,
} from '../../protocol/patchDocument.ts';
import { connectToHost, untilAnswered } from '../common/host.ts';
import type { Outbox } from '../common/outbox.ts';
import { highlightCode } from '../common/highlight.ts';
import { colourCode, plainText } from '../common/markdown.ts';
import { Page, startPage } from '../common/page.tsx';
import { PatchDocument } from './PatchDocument.tsx';
import { copyCodeAlone } from './copying.ts';
import { Announcer } from './editor/Announcer.tsx';
import { StatusLine } from './editor/StatusLine.tsx';
import { WritingContext } from './editor/WritingContext.tsx';
import { PageWriting } from './editor/pageWriting.ts';
import { followFocus, leaveKeysToVsCode } from './focus.ts';
import { Finding } from './find/finding.ts';
import { patchAsText } from './patchAsText.ts';
import { Place } from './place.ts';
import { Reading, revealSection } from './reading.ts';
import { nameLineInMenus, placeInPatch, Steps } from './steps.ts';

colourCode(highlightCode);

/** Starts the page. The file of the page is loaded by the extension host, too, which draws beginnings with it. */
function startPatchDocument(): void {
  const pageWriting: PageWriting = new PageWriting((): Outbox => outbox);
  let page: Page<PatchView> | undefined;
  let reading: Reading | undefined;
  let finding: Finding | undefined;
  let steps: Steps | undefined;
  let shown: PatchView | undefined;

  const {
    peer: host,
    state,
    setState,
    outbox,
  } = connectToHost<PatchDocumentHost, PatchDocumentView>({
    show: (patch) => {
      begin(patch);
      page?.show(patch);
      return null;
    },
    reveal: (wanted) => {
      reveal(wanted);
      return null;
    },
    focusedPlace: () => placeInPatch() ?? null,
    arrive: () => {
      if (shown) {
        beginAtTitle(shown);
      }
      return null;
    },
    announce: ({ text }) => {
      pageWriting.announce(text);
      return null;
    },
    find: () => {
      finding?.open();
      return null;
    },
    go: async ({ to, direction }): Promise<null> => {
      await steps?.take(to, direction);
      return null;
    },
    asText: async (): Promise<PatchAsText> => {
      const patch = shown ?? (await load());
      const missing = patch.sections.some((section) => section.type === 'diff' && section.diff === undefined);
      const diffs = missing ? await host.request('diffs', null) : {};
      const { writing } = pageWriting.of(patch, host);
      return patchAsText(
        patch,
        writing.shown(patch.sections),
        new Map(Object.entries(diffs)),
        placeInPatch(),
      );
    },
    ...pageWriting.handlers,
  });
  const place = new Place(state, setState);

  /** Asked for at once, while everything else is being made ready; whoever waits for it is told of its failure. */
  let firstPatch: Promise<PatchView> | undefined = askForPatch(false);
  firstPatch.catch(() => undefined);

  function askForPatch(fresh: boolean): Promise<PatchView> {
    // The person may be asked to sign in again meanwhile: that takes as long as it takes.
    return host.request('patch', { fresh }, { timeout: untilAnswered });
  }

  /** Loads the patch; once it has failed or been shown, whatever is known of it is not good enough. */
  async function load(): Promise<PatchView> {
    const asked = firstPatch ?? askForPatch(true);
    firstPatch = undefined;
    const patch = await asked;
    begin(patch);
    return patch;
  }

  function begin(patch: PatchView): void {
    shown = patch;
    place.begin(patch);
    reading?.begin(patch);
    finding?.begin(patch);
  }

  function reveal({ code, line }: PlaceInPatch): void {
    if (line) {
      reading?.showLine(code, line.side, line.line);
    } else {
      revealSection(code);
    }
  }

  function beginAtTitle({ title, position }: PatchView): void {
    window.scrollTo({ top: 0 });
    document.querySelector<HTMLElement>('.patch-header h1')?.focus({ preventScroll: true });
    pageWriting.announce(
      position ? l10n.t('Patch {0} of {1}: {2}', position.index, position.count, title) : title,
    );
  }

  async function start(): Promise<void> {
    pageWriting.start(host);
    copyCodeAlone(() => reading);
    followFocus((focus) => host.request('noteFocus', { focus }));
    leaveKeysToVsCode();
    nameLineInMenus();
    const preferences = host.request('preferences', null);
    await startPage(host.request('settings', null), (settings) => {
      page = new Page({
        loadingText: () => l10n.t('Loading the patch…'),
        load: async () => {
          reading ??= new Reading(host, await preferences);
          finding ??= new Finding(reading, plainText);
          steps ??= new Steps(reading, (text) => pageWriting.announce(text));
          return load();
        },
        view: (patch) =>
          reading &&
          finding && (
            <WritingContext.Provider value={pageWriting.of(patch, host)}>
              <PatchDocument
                key={patch.address.changeId}
                patch={patch}
                settings={settings}
                reading={reading}
                finding={finding}
              />
              <StatusLine />
              <Announcer />
            </WritingContext.Provider>
          ),
      });
      return page;
    });
    const wanted = await host.request('placeToReveal', null);
    if (wanted) {
      reveal(wanted);
    } else {
      place.restore();
    }
  }

  void start();
}

if ('document' in globalThis) {
  startPatchDocument();
}

export { prerender } from './prerender.tsx';
