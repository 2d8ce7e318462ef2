/** Find in the document: in all of it, though most of a long one is not drawn, and in files that are folded. */
import type { GoneSection, PatchView } from '../../../protocol/patchDocument.ts';
import { Store } from '../../common/store.ts';
import { parseFileDiff, type DiffRow } from '../diff/diff.ts';
import { olderCode } from '../reading/compared.ts';
import type { Reading } from '../reading/reading.ts';
import { drawnSection, goneCode, revealSection } from '../reading/sectionPlaces.ts';
import { paintMatches } from './paint.ts';
import { searchProse, searchRows, type Match, type Query } from './search.ts';

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
  readonly #reading: Reading;
  readonly #plainText: (markdown: string) => string;
  readonly #mutations = new MutationObserver(() => this.#paintSoon());
  #patch: PatchView | undefined;
  #diffs: Promise<ReadonlyMap<string, string>> | undefined;
  readonly #rows = new Map<string, DiffRow[]>();
  readonly #prose = new Map<string, string>();
  /** The element that had the focus before the box was shown. */
  #before: Element | null = null;
  #search = 0;
  #frame = 0;

  /** @param plainText what markdown says once it is rendered. */
  constructor(reading: Reading, plainText: (markdown: string) => string) {
    this.#reading = reading;
    this.#plainText = plainText;
  }

  /** Takes in the patch that is shown now. */
  begin(patch: PatchView): void {
    const before = this.#patch;
    this.#patch = patch;
    if (before?.sections === patch.sections) {
      return;
    }
    this.#diffs = undefined;
    this.#rows.clear();
    this.#prose.clear();
    if (this.store.value.shown) {
      void this.#run();
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
    void this.#run();
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
    void this.#run();
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
    const isGone = match !== undefined && this.#reading.section(match.code) === undefined;
    if (isGone) {
      drawnSection(match.code);
      this.#reading.fold(match.code, false);
    }
    if (match?.kind === 'line') {
      const part = { start: match.at, end: match.at + this.store.value.text.length };
      const code = isGone ? olderCode(match.code) : match.code;
      this.#reading.showLine(code, match.side, match.line, { focus: false, part });
    } else if (match) {
      const focused = document.activeElement;
      revealSection(match.code);
      if (focused instanceof HTMLElement) {
        focused.focus({ preventScroll: true });
      }
    }
    this.#paintSoon(true);
  }

  async #run(): Promise<void> {
    const search = ++this.#search;
    const { text, matchCase } = this.store.value;
    const patch = this.#patch;
    if (text === '' || !patch) {
      this.store.update({ matches: [], current: -1, searching: false });
      this.#paintSoon();
      return;
    }
    this.store.update({ searching: true });
    // A diff that can't be loaded can't be searched: the rest can.
    this.#diffs ??= this.#reading.host.request('diffs', null).then(
      (found) => new Map(Object.entries(found)),
      () => new Map(),
    );
    const diffs = await this.#diffs;
    const gone = patch.comparison?.removed ?? [];
    const matches = this.#searchGone(gone, null);
    let until = performance.now() + sliceMs;
    for (const section of patch.sections) {
      if (performance.now() > until) {
        await new Promise((resolve) => setTimeout(resolve));
        until = performance.now() + sliceMs;
      }
      if (search !== this.#search) {
        return;
      }
      if (section.type === 'diff') {
        const rows = cached(this.#rows, section.code, () => {
          const diff = section.diff ?? diffs.get(section.code) ?? '';
          return parseFileDiff(diff)?.rows ?? [];
        });
        matches.push(...searchRows(section.code, rows, { text, matchCase }));
      } else if (section.type === 'text') {
        const prose = cached(this.#prose, section.code, () => this.#plainText(section.text));
        matches.push(...searchProse(section.code, prose, { text, matchCase }));
      }
      matches.push(...this.#searchGone(gone, section.code));
    }
    this.store.update({ matches, searching: false, current: -1 });
    if (matches.length > 0) {
      this.#show(this.#nearest(matches));
    } else {
      this.#paintSoon();
    }
  }

  /** Looks in those sections that are gone since, where they are shown: after another one, or before all. */
  #searchGone(gone: readonly GoneSection[], after: string | null): Match[] {
    const { text, matchCase } = this.store.value;
    return gone.flatMap((section, index) => {
      if (section.after !== after) {
        return [];
      }
      const code = goneCode(index);
      return section.kind === 'text'
        ? searchProse(code, this.#plainText(section.text), { text, matchCase })
        : searchRows(code, parseFileDiff(section.diff)?.rows ?? [], { text, matchCase });
    });
  }

  /** The first match from the section on that is read now. */
  #nearest(matches: readonly Match[]): number {
    const { current } = this.#reading.store.value;
    const codes = (this.#patch?.sections ?? []).map(({ code }) => code);
    const from = codes.indexOf(current ?? '');
    return Math.max(
      0,
      matches.findIndex(({ code }) => codes.indexOf(code) >= from),
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

function cached<T>(map: Map<string, T>, key: string, make: () => T): T {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
