import { isDeepStrictEqual } from 'node:util';
import type { PatchSection } from '../api/types/patches.ts';
import type { PatchUpdate, PatchView } from '../protocol/patchDocument.ts';
import { sectionViews } from './sectionViews.ts';
import { inBackground } from '../util/inBackground.ts';

/** The state of a patch: everything that its page shows, with its sections as far as they are known. */
export interface PatchState {
  view: Omit<PatchView, 'sections'>;
  sections: readonly PatchSection[];
}

interface PageStateParts {
  /** Returns the state of the patch as it is now, without asking the server; undefined while nothing is known of it. */
  look: () => Promise<PatchState | undefined>;
  /** Sends the page a message. @returns whether it had what is only named there. */
  send: (update: PatchUpdate) => Promise<boolean>;
  /** The page does not have what it was thought to. */
  forget: () => void;
}

/**
 * Has one page show how its patch is. Whatever has changed, it gets one message with all that it shows, its pending changes
 * included; what it has already is only named in it, and a state that it shows already is not sent.
 */
export class PageState {
  readonly #parts: PageStateParts;
  /** The part that the page shows; undefined while there is no page, and empty when no one knows. */
  #shown: Partial<PatchState> | undefined;
  /** The number of pages that are gone. */
  #ended = 0;
  #showing: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(parts: PageStateParts) {
    this.#parts = parts;
  }

  /** Begins to show a page how things are, unless it is gone by the time that this is loaded. @returns all of it. */
  async begin(load: () => Promise<PatchState>): Promise<PatchView> {
    const page = this.#ended;
    const state = await load();
    if (page === this.#ended) {
      this.#shown = state;
    }
    return wholeView(state);
  }

  /** The fingerprint of the patch as the page shows it. */
  get fingerprint(): string | undefined {
    return this.#shown?.view?.fingerprint;
  }

  /** Whether the page shows what changed in the patch, and not the patch as it is. */
  get isCompared(): boolean {
    return this.#shown?.view?.comparison !== undefined;
  }

  /** Sends nothing more: the page is gone until it asks again. */
  end(): void {
    this.#ended += 1;
    this.#shown = undefined;
  }

  /** Has the page show how things are now. Resolves when it was sent: what changes meanwhile goes with the next message. */
  show(): Promise<void> {
    this.#next ??= this.#showing.then(() => {
      this.#next = undefined;
      const shown = this.#show();
      // A look that failed is told to who asked for it, and keeps no later one from being taken.
      this.#showing = shown.catch(() => undefined);
      return shown;
    });
    return this.#next;
  }

  async #show(): Promise<void> {
    const state = this.#shown && (await this.#parts.look());
    const before = this.#shown;
    if (!before || !state || isDeepStrictEqual(state, before)) {
      return;
    }
    this.#shown = state;
    // Not waited for: what is sent after it arrives after it.
    this.#parts.send(updateOf(state, before)).then(
      (hadAll) => hadAll || this.#showAll(),
      // A page that is hidden or closed does not answer; it asks itself when it is shown again.
      () => undefined,
    );
  }

  #showAll(): void {
    if (this.#shown) {
      this.#shown = {};
      this.#parts.forget();
      inBackground(this.show());
    }
  }
}

/** All that a page shows of a patch. */
export function wholeView({ view, sections }: PatchState): PatchView {
  return { ...view, sections: sectionViews(sections) };
}

function updateOf(
  { view, sections }: PatchState,
  { view: before, sections: sectionsBefore = [] }: Partial<PatchState>,
): PatchUpdate {
  const known = new Map(sectionsBefore.map((section) => [section.code, section]));
  const views = sectionViews(sections);
  return {
    ...view,
    // They may be long, and what the person types is told with them.
    ...(view.comparison && {
      comparison: view.comparison === before?.comparison ? ('same' as const) : view.comparison,
    }),
    ...(view.unexplained && {
      unexplained: view.unexplained === before?.unexplained ? ('same' as const) : view.unexplained,
    }),
    ...(view.stale && { stale: view.stale === before?.stale ? ('same' as const) : view.stale }),
    ...(view.rail && { rail: isDeepStrictEqual(view.rail, before?.rail) ? ('same' as const) : view.rail }),
    sections: sections.flatMap((section, index) =>
      isDeepStrictEqual(section, known.get(section.code)) ? section.code : (views[index] ?? []),
    ),
  };
}
