/** Find in the document: in all of it, though most of a long one is not drawn, and in files that are folded. */
import type { GoneSection, PatchView, SectionView } from '../../../protocol/patchDocument.ts';
import { stillHere } from '../../common/focusKeeping.ts';
import { Store } from '../../common/store.ts';
import { parseFileDiff, type DiffRow } from '../diff/diff.ts';
import { olderCode } from '../reading/compared.ts';
import type { Reading } from '../reading/reading.ts';
import { drawnSection, goneCode, revealSection } from '../reading/sectionPlaces.ts';
import { paintMatches } from './paint.ts';
import { searchProse, searchRows, type Match, type Query } from './search.ts';
import { inBackground } from '../../../util/inBackground.ts';

/** See the module. */
interface FindingState extends Query {
  shown: boolean;
  /** Counts how often the person asked for it: the box is focused each time. */
  opened: number;
  searching: boolean;
  matches: readonly Match[];
  /** The match that is shown; -1 before there is one. */
  current: number;
}

/** A patch of the page, to be searched. */
export interface Searched {
  patch: PatchView;
  reading: Reading;
}

/** Milliseconds after which a search lets the page draw. */
const sliceMs = 12;

/** See the module. */
export class Finding {
  readonly store = new Store<FindingState>({
    text: '',
    matchCase: false,
    shown: false,
    opened: 0,
    searching: false,
    matches: [],
    current: -1,
  });
  readonly #patches: () => Iterable<Searched> | AsyncIterable<Searched>;
  readonly #current: () => string | undefined;
  readonly #plainText: (markdown: string) => string;
  readonly #mutations = new MutationObserver(() => this.#paintSoon());
  /** The sections of each patch that were there to be searched, by change id. */
  readonly #known = new Map<string, readonly SectionView[]>();
  readonly #diffs = new WeakMap<readonly SectionView[], Promise<ReadonlyMap<string, string>>>();
  readonly #rows = new WeakMap<SectionView, DiffRow[]>();
  readonly #prose = new WeakMap<SectionView, string>();
  /** The patch of each section that was searched, in their order. */
  #readings = new Map<string, Reading>();
  /** The element that had the focus before the box was shown. */
  #before: Element | null = null;
  /** Set until the person, who looks for something, is led to it. */
  #isStillHere: (() => boolean) | undefined;
  #search = 0;
  #frame = 0;

  /**
   * @param parts.patches those of the page, in their order.
   * @param parts.current the section that is read now.
   * @param parts.plainText what markdown says once it is rendered.
   */
  constructor(parts: {
    patches: () => Iterable<Searched> | AsyncIterable<Searched>;
    current: () => string | undefined;
    plainText: (markdown: string) => string;
  }) {
    this.#patches = parts.patches;
    this.#current = parts.current;
    this.#plainText = parts.plainText;
  }

  /** Takes in a patch as it is shown now. */
  begin({ ref, sections }: PatchView): void {
    const before = this.#known.get(ref.changeId);
    // Only what was searched; a search that goes on comes to the others.
    if (before && before !== sections) {
      this.#known.set(ref.changeId, sections);
      if (this.store.value.shown) {
        // Nobody has asked for that: it leads nowhere.
        inBackground(this.#run());
      }
    }
  }

  /** Shows the box; what is selected is looked for. */
  open(): void {
    const selected = String(window.getSelection());
    const { opened, shown } = this.store.value;
    if (!shown) {
      this.#before = document.activeElement;
    }
    this.store.update({ shown: true, opened: opened + 1 });
    this.#mutations.observe(document.body, { childList: true, subtree: true });
    if (selected !== '' && !selected.includes('\n')) {
      this.store.update({ text: selected });
    }
    this.#lead();
  }

  /** Puts the box away, and leaves the person at the match they were at; without one, where they were before. */
  close(): void {
    this.#search++;
    this.#mutations.disconnect();
    this.store.update({ shown: false, searching: false });
    paintMatches(undefined, undefined);
    const { matches, current } = this.store.value;
    const match = matches[current];
    if (match) {
      const section = drawnSection(match.code);
      (section?.querySelector<HTMLElement>('tr.marked') ?? section)?.focus({ preventScroll: true });
    } else if (this.#before instanceof HTMLElement) {
      this.#before.focus({ preventScroll: true });
    }
    this.#before = null;
  }

  /** Looks for something else. */
  look(query: Partial<Query>): void {
    this.store.update(query);
    this.#lead();
  }

  /** Goes to the next match or the one before; after the last comes the first. */
  go(step: 1 | -1): void {
    const { matches, current } = this.store.value;
    if (matches.length > 0) {
      this.#show((current + step + matches.length) % matches.length);
    }
  }

  #show(current: number): void {
    this.store.update({ current });
    const match = this.store.value.matches[current];
    const reading = this.#readings.get(match?.code ?? '');
    const isGone = match !== undefined && reading?.section(match.code) === undefined;
    if (match) {
      drawnSection(match.code);
    }
    if (isGone) {
      reading?.fold(match.code, false);
    }
    if (match?.kind === 'line') {
      const part = { start: match.at, end: match.at + this.store.value.text.length };
      const code = isGone ? olderCode(match.code) : match.code;
      reading?.showLine(code, match.side, match.line, { focus: false, part });
    } else if (match) {
      const focused = document.activeElement;
      revealSection(match.code);
      if (focused instanceof HTMLElement) {
        focused.focus({ preventScroll: true });
      }
    }
    this.#paintSoon(true);
  }

  /** Looks for it, and leads there those who wait for that. */
  #lead(): void {
    this.#isStillHere = stillHere();
    inBackground(this.#run());
  }

  async #run(): Promise<void> {
    const search = ++this.#search;
    const { text, matchCase } = this.store.value;
    if (text === '') {
      this.store.update({ matches: [], current: -1, searching: false });
      this.#paintSoon();
      return;
    }
    this.store.update({ searching: true });
    this.#readings = new Map();
    const matches: Match[] = [];
    let until = performance.now() + sliceMs;
    for await (const { patch, reading } of this.#patches()) {
      this.#known.set(patch.ref.changeId, patch.sections);
      const gone = patch.comparison?.removed ?? [];
      // A diff that can't be loaded can't be searched: the rest can.
      const diffs = await cached(this.#diffs, patch.sections, () =>
        reading.host.request('diffs', null).then(
          (found) => new Map(Object.entries(found)),
          () => new Map(),
        ),
      );
      matches.push(...this.#searchGone(gone, null, reading));
      for (const section of patch.sections) {
        if (performance.now() > until) {
          await new Promise((resolve) => setTimeout(resolve));
          until = performance.now() + sliceMs;
        }
        if (search !== this.#search) {
          return;
        }
        this.#readings.set(section.code, reading);
        if (section.type === 'diff') {
          const rows = cached(this.#rows, section, () => {
            const diff = section.diff ?? diffs.get(section.code) ?? '';
            return parseFileDiff(diff)?.rows ?? [];
          });
          matches.push(...searchRows(section.code, rows, { text, matchCase }));
        } else if (section.type === 'text') {
          const prose = cached(this.#prose, section, () => this.#plainText(section.text));
          matches.push(...searchProse(section.code, prose, { text, matchCase }));
        }
        matches.push(...this.#searchGone(gone, section.code, reading));
      }
      if (search !== this.#search) {
        return;
      }
    }
    const waits = this.#isStillHere && (this.#isStillHere() || isInBox(document.activeElement));
    this.#isStillHere = undefined;
    const before = JSON.stringify(this.store.value.matches[this.store.value.current]);
    const same = matches.findIndex((match) => JSON.stringify(match) === before);
    const current = same < 0 || waits ? this.#nearest(matches) : same;
    this.store.update({ matches, searching: false, current });
    if (waits && current >= 0) {
      this.#show(current);
    } else {
      this.#paintSoon();
    }
  }

  /** Looks in those sections that are gone since, where they are shown: after another one, or before all. */
  #searchGone(gone: readonly GoneSection[], after: string | null, reading: Reading): Match[] {
    const { text, matchCase } = this.store.value;
    return gone.flatMap((section, index) => {
      if (section.after !== after) {
        return [];
      }
      const code = reading.codes.toPage(goneCode(index));
      this.#readings.set(code, reading);
      return section.kind === 'text'
        ? searchProse(code, this.#plainText(section.text), { text, matchCase })
        : searchRows(code, parseFileDiff(section.diff)?.rows ?? [], { text, matchCase });
    });
  }

  /** The first match from the section on that is read now; -1 where there is none. */
  #nearest(matches: readonly Match[]): number {
    if (matches.length === 0) {
      return -1;
    }
    const places = new Map([...this.#readings.keys()].map((code, place) => [code, place]));
    const from = places.get(this.#current() ?? '') ?? 0;
    return Math.max(
      0,
      matches.findIndex(({ code }) => (places.get(code) ?? 0) >= from),
    );
  }

  #paintSoon(scroll = false): void {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      const { shown, text, matchCase, matches, current } = this.store.value;
      if (shown) {
        paintMatches({ text, matchCase }, matches[current], scroll);
      }
    });
  }
}

function isInBox(element: Element | null): boolean {
  return element?.closest('.find-bar') instanceof Element;
}

function cached<K extends object, T>(map: WeakMap<K, T>, key: K, make: () => T): T {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
