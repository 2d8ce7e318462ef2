/** The person's place in the document, kept with the page's state: a tab that was hidden comes back as it was left. */
import { inBackground } from '../../util/inBackground.ts';
import { membersOf } from '../../util/isObject.ts';
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
  /** The subject of the page, as its panel knows it after a reload. */
  #ref: object | undefined;
  /** The patches of the page, by change id. */
  #patches: readonly string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Has the focus only until what is in it is drawn. */
  #standIn: HTMLElement | undefined;

  /** @param state what the page kept when it was last shown. */
  constructor(state: unknown, setState: (state: object) => void) {
    this.#before = savedIn(state);
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

  /**
   * Takes in what is shown now; something else is shown from its start.
   *
   * @param ref names it to its panel after a reload.
   * @param patches the change ids of its patches.
   */
  begin(ref: object, patches: readonly string[]): void {
    const { place, focus } = this.#saved;
    const before = this.#ref ? this.#patches : place ? [place.changeId] : undefined;
    if (before && !before.some((changeId) => patches.includes(changeId))) {
      window.scrollTo({ top: 0 });
    }
    this.#ref = ref;
    this.#patches = patches;
    this.#saved = {};
    this.#keep({
      ...(place && patches.includes(place.changeId) && { place }),
      ...(focus && patches.includes(focus.changeId) && { focus }),
    });
  }

  /** The patches that the person was in when the page was last shown: at the top of the window, and with the focus. */
  get patchesBefore(): string[] {
    const { place, focus } = this.#before;
    return [place, focus].flatMap((one) => (one && this.#patches.includes(one.changeId) ? one.changeId : []));
  }

  /** Scrolls back to where the person was. */
  restore(): void {
    const { changeId, code, offset } = this.#before.place ?? {};
    const isHere = changeId !== undefined && this.#patches.includes(changeId);
    const section = isHere ? drawnSection(code) : undefined;
    if (section) {
      bringIntoView(section, 'start', offset);
    }
  }

  /** The element that had the focus when the person was here last, once it is drawn; until then the section around it. */
  focused(): HTMLElement | undefined {
    const { focus } = this.#before;
    if (!focus || !this.#patches.includes(focus.changeId)) {
      return undefined;
    }
    const section = drawnSection(focus.code);
    const exact = find(focus, section);
    if (section && !exact && this.#standIn !== section) {
      this.#standIn = section;
      inBackground(goOn(section, () => find(focus, section)));
    }
    return exact ?? section;
  }

  #noteFocus(): void {
    const element = focusedInPage();
    const changeId = element && this.#patchOf(element);
    if (element && changeId !== undefined && element !== this.#standIn) {
      this.#standIn = undefined;
      this.#keep({
        focus: {
          changeId,
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
    const changeId = first && this.#patchOf(first);
    if (first && code !== undefined && changeId !== undefined) {
      const offset = Math.max(0, -first.getBoundingClientRect().top);
      this.#keep({ place: { changeId, code, offset } });
    }
  }

  /** The patch that an element of the page is in; what is in none stands for the first. */
  #patchOf(element: Element): string | undefined {
    const host = element.getRootNode();
    const inPage = host instanceof ShadowRoot ? host.host : element;
    return inPage.closest<HTMLElement>('[data-patch]')?.dataset['patch'] ?? this.#patches[0];
  }

  #keep(change: Saved): void {
    this.#saved = { ...this.#saved, ...change };
    if (this.#ref) {
      this.#setState({ ...this.#ref, ...this.#saved });
    }
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

/** Takes of what was kept, maybe by another version of this page, what is as it has to be. */
function savedIn(state: unknown): Saved {
  const { place, focus } = membersOf(state);
  const { changeId: at, code, offset } = membersOf(place);
  const { changeId: within, code: section, line, isWriting, name } = membersOf(focus);
  return {
    ...(typeof at === 'string' &&
      typeof code === 'string' &&
      typeof offset === 'number' && { place: { changeId: at, code, offset } }),
    ...(typeof within === 'string' &&
      typeof isWriting === 'boolean' &&
      typeof name === 'string' && {
        focus: {
          changeId: within,
          ...(typeof section === 'string' && { code: section }),
          ...(isDiffLine(line) && { line }),
          isWriting,
          name,
        },
      }),
  };
}

function isDiffLine(value: unknown): value is DiffLine {
  const { side, line, end } = membersOf(value);
  return (
    (side === 'old' || side === 'new') &&
    typeof line === 'number' &&
    (end === undefined || typeof end === 'number')
  );
}
