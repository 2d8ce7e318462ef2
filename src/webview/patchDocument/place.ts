/** The person's place in the document, kept with the page's state: a tab that was hidden comes back as it was left. */
import type { PatchView } from '../../protocol/patchDocument.ts';
import type { DiffLine } from '../../util/patchRef.ts';
import { nameOf, placeNamed } from '../common/focusKeeping.ts';
import { focusedInPage, focusedSection } from './focus.ts';
import { bringIntoView } from './reading/bringIntoView.ts';
import { sectionAt } from './reading/followScroll.ts';
import { drawnSection } from './reading/sectionPlaces.ts';
import { placeInPatch, rowOf } from './steps.ts';

/** The section at the top of the window, and how far its top is above that, in pixels. */
interface SavedPlace {
  changeId: string;
  code: string;
  offset: number;
}

/** The element that had the focus: a line of a diff, a text being written, or a named element, in a section or outside of them. */
interface SavedFocus {
  changeId: string;
  code?: string | undefined;
  line?: DiffLine | undefined;
  isWriting: boolean;
  name: string;
}

interface Saved {
  place?: SavedPlace;
  focus?: SavedFocus;
}

/** Milliseconds between two notes of the place. */
const pauseMs = 250;

/** Frames in which what had the focus is drawn: the service may be asked for it. */
const frames = 300;

/** See the module. */
export class Place {
  readonly #setState: (state: object) => void;
  #saved: Saved;
  /** The state that was kept when the page was last shown. */
  readonly #before: Saved;
  #ref: PatchView['ref'] | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Has the focus only until what is in it is drawn. */
  #standIn: HTMLElement | undefined;

  /** @param state what the page kept when it was last shown. */
  constructor(state: unknown, setState: (state: object) => void) {
    const { place, focus } = (state ?? {}) as Saved;
    this.#before = { ...(place && { place }), ...(focus && { focus }) };
    this.#saved = this.#before;
    this.#setState = setState;
    document.addEventListener(
      'scroll',
      () => (this.#timer ??= setTimeout(() => this.#notePlace(), pauseMs)),
      {
        passive: true,
      },
    );
  }

  /** Keeps what has the focus, too: to be called once the focus is followed, which knows it first. */
  keepFocus(): void {
    document.addEventListener('focusin', () => this.#noteFocus());
  }

  /** Takes in the patch that is shown now; another one is shown from its start. */
  begin({ ref }: PatchView): void {
    const { changeId } = ref;
    const before = this.#ref?.changeId ?? this.#before.place?.changeId;
    if (before !== undefined && before !== changeId) {
      window.scrollTo({ top: 0 });
    }
    this.#ref = ref;
    const { place, focus } = this.#saved;
    this.#saved = {};
    this.#keep({
      ...(place?.changeId === changeId && { place }),
      ...(focus?.changeId === changeId && { focus }),
    });
  }

  /** Scrolls back to where the person was. */
  restore(): void {
    const { changeId, code, offset } = this.#before.place ?? {};
    const section = code !== undefined && changeId === this.#ref?.changeId ? drawnSection(code) : undefined;
    if (section) {
      bringIntoView(section, 'start', offset);
    }
  }

  /** The element that had the focus when the person was here last, once it is drawn; until then the section around it. */
  focused(): HTMLElement | undefined {
    const { focus } = this.#before;
    if (!focus || focus.changeId !== this.#ref?.changeId) {
      return undefined;
    }
    const section = drawnSection(focus.code);
    const exact = find(focus, section);
    if (section && !exact && this.#standIn !== section) {
      this.#standIn = section;
      void goOn(section, () => find(focus, section));
    }
    return exact ?? section;
  }

  #noteFocus(): void {
    const element = focusedInPage();
    if (this.#ref && element && element !== this.#standIn) {
      this.#standIn = undefined;
      this.#keep({
        focus: {
          changeId: this.#ref.changeId,
          code: focusedSection(),
          line: placeInPatch()?.line,
          isWriting: element.getRootNode() instanceof ShadowRoot,
          // A section is called as the control that folds it.
          name: element.matches('[data-section]') ? '' : nameOf(element),
        },
      });
    }
  }

  #notePlace(): void {
    this.#timer = undefined;
    const first = sectionAt(0);
    const code = first?.getAttribute('data-section') ?? undefined;
    if (this.#ref && first && code !== undefined) {
      const offset = Math.max(0, -first.getBoundingClientRect().top);
      this.#keep({ place: { changeId: this.#ref.changeId, code, offset } });
    }
  }

  #keep(change: Saved): void {
    this.#saved = { ...this.#saved, ...change };
    this.#setState({ ...this.#ref, ...this.#saved });
  }
}

function find(
  { code, line, isWriting, name }: SavedFocus,
  section: HTMLElement | undefined,
): HTMLElement | undefined {
  if (code === undefined) {
    return placeNamed(document, name);
  }
  if (isWriting) {
    const editors = [...(section?.querySelectorAll('.editor-source > *') ?? [])];
    const texts = editors.map(({ shadowRoot }) =>
      shadowRoot?.querySelector<HTMLElement>('[contenteditable]'),
    );
    return texts.find((text) => text !== null) ?? undefined;
  }
  return section && (line ? rowOf(section, line) : placeNamed(section, name));
}

/** Goes on from a section to what is drawn in it a moment later, unless the person goes elsewhere. */
async function goOn(section: HTMLElement, to: () => HTMLElement | undefined): Promise<void> {
  for (let frame = 0; frame < frames; frame++) {
    await new Promise(requestAnimationFrame);
    // Never from another part of VS Code, such as a list that is open.
    const exact = document.hasFocus() && document.activeElement === section ? to() : undefined;
    if (exact) {
      exact.focus({ preventScroll: true });
      return;
    }
  }
}
