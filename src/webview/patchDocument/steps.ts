/** Going from change to change, from file to file and from section to section by keys. */
import * as l10n from '@vscode/l10n';
import type { Direction, PlaceInPatch, Stop } from '../../protocol/patchDocument.ts';
import { stillHere } from '../common/focusKeeping.ts';
import { arrange, type CodeLine, type Line } from './diff/arrange.ts';
import { parseFileDiff } from './diff/diff.ts';
import { drawings, rowDrawers, type DiffDrawing } from './diff/drawings.ts';
import { lineEndChange } from './diff/lineEnds.ts';
import { focusedInPage, focusedSection } from './focus.ts';
import { isNew } from '../../protocol/patchWriting.ts';
import type { DiffLine } from '../../util/patchRef.ts';
import { Turns } from '../../util/turns.ts';
import { isChangeByItself } from './reading/compared.ts';
import { isFolded, type Reading } from './reading/reading.ts';
import {
  drawnSection,
  placesAround,
  revealSection,
  sectionPlaces,
  type SectionPlace,
} from './reading/sectionPlaces.ts';

/** Frames in which a line that is far away is drawn and has the focus. */
const frames = 60;

/** See the module. */
export class Steps {
  readonly #readingOf: (code: string) => Reading | undefined;
  readonly #announce: (text: string) => void;
  readonly #more: (direction: Direction) => Promise<boolean>;
  /** One step after the other: the next begins where the one before has led. */
  readonly #turns = new Turns(1);

  /**
   * @param parts.readingOf the reading of the patch that a section is in.
   * @param parts.more loads what follows the sections that are there, or comes before them; false when nothing does.
   */
  constructor(parts: {
    readingOf: (code: string) => Reading | undefined;
    announce: (text: string) => void;
    more?: (direction: Direction) => Promise<boolean>;
  }) {
    this.#readingOf = parts.readingOf;
    this.#announce = parts.announce;
    this.#more = parts.more ?? (async () => false);
  }

  /** Goes there from where the person is, and focuses it; where there is none, says so. */
  take(to: Stop, direction: Direction): Promise<void> {
    return this.#turns.take(async () => {
      const isStillHere = stillHere();
      const go = async (): Promise<boolean> =>
        isStillHere() &&
        (to === 'change' ? this.#goToChange(direction, isStillHere) : goToSection(to, direction));
      let found = await go();
      while (!found && isStillHere() && (await this.#more(direction))) {
        found = await go();
      }
      if (!found && isStillHere()) {
        this.#announce(endOf(to, direction));
      }
    });
  }

  async #goToChange(direction: Direction, isStillHere: () => boolean): Promise<boolean> {
    const here = focusedLine();
    const inFile = here && changeFrom(here.lines, here.index, direction);
    const section = focusedSection();
    if (inFile && section !== undefined) {
      return this.#goToLine(section, inFile);
    }
    const before = section === undefined || here ? [] : [section];
    const others = sectionsFrom(direction).map(({ code }) => code);
    // From within a file that is another one as a whole, that comes last.
    if (direction === 'previous' && here && section !== undefined && this.#isChangeByItself(section)) {
      revealSection(section);
      return true;
    }
    // From the header of a file its own changes come first.
    for (const code of direction === 'next' ? [...before, ...others] : others) {
      if (direction === 'next' && code !== section && this.#isChangeByItself(code)) {
        revealSection(code);
        return true;
      }
      const change = await this.#outermost(code, direction);
      if (!isStillHere()) {
        return false;
      }
      if (change) {
        return this.#goToLine(code, change);
      }
      if (direction === 'previous' && this.#isChangeByItself(code)) {
        revealSection(code);
        return true;
      }
    }
    return false;
  }

  /**
   * Goes to a line of a file. Where that is compared and does not show the line, it is what changed there, or the file: that a line
   * of the base was removed says nothing of what it is compared with.
   */
  async goToLine(code: string, line: DiffLine): Promise<void> {
    const isStillHere = stillHere();
    const reading = this.#readingOf(code);
    const compared = reading?.section(code)?.compared?.diff;
    const place = compared === undefined ? line : changedLine(compared, line);
    const canOpen = line.side === 'new' && reading?.store.value.commitInWorkspace === true;
    const shown = place ?? (canOpen ? line : await this.#outermost(code, 'next'));
    if (!isStillHere()) {
      return;
    }
    if (shown) {
      reading?.showLine(code, shown.side, shown.line);
    } else {
      reading?.fold(code, false);
      revealSection(code);
    }
  }

  #isChangeByItself(code: string): boolean {
    const section = this.#readingOf(code)?.section(code);
    return section ? isChangeByItself(section) : isGone(code);
  }

  /** The first change of a file that is unfolded, or the last; undefined of what has none. */
  async #outermost(code: string, direction: Direction): Promise<DiffLine | undefined> {
    const reading = this.#readingOf(code);
    const section = reading?.section(code);
    if (!reading || section?.type !== 'diff' || isFolded(section, reading.store.value)) {
      return undefined;
    }
    const text = section.diff ?? (await reading.host.request('diff', { code }).catch(() => ''));
    const rows = parseFileDiff(text)?.rows ?? [];
    const lines = arrange(rows, {
      ignoreWhitespace: reading.store.value.ignoreWhitespace,
      ignoreLineEnds: lineEndChange(rows) !== undefined,
      openings: new Map(),
    });
    return changeFrom(lines, direction === 'next' ? -1 : lines.length, direction);
  }

  async #goToLine(code: string, { side, line }: DiffLine): Promise<boolean> {
    // In a patch that is far away nothing would be there to follow.
    drawnSection(code);
    const arrived = untilFocused(code);
    this.#readingOf(code)?.showLine(code, side, line);
    await arrived;
    return true;
  }
}

/** The first of some lines that a diff changes, else the first that it shows; undefined when it shows none. */
function changedLine(diff: string, { side, line, end = line }: DiffLine): DiffLine | undefined {
  const shown =
    side === 'new'
      ? (parseFileDiff(diff)?.rows ?? []).filter(
          ({ newLine }) => newLine !== undefined && line <= newLine && newLine <= end,
        )
      : [];
  const { newLine } = shown.find(({ type }) => type === 'add') ?? shown[0] ?? {};
  return newLine === undefined ? undefined : { side, line: newLine };
}

/** The beginning of the next change after a line, or of the one before it. */
export function changeFrom(
  lines: readonly Line[],
  index: number,
  direction: Direction,
): DiffLine | undefined {
  const step = direction === 'next' ? 1 : -1;
  for (let at = index + step; at >= 0 && at < lines.length; at += step) {
    const line = lines[at];
    // Somebody within a change goes to the one before it, not to its own beginning.
    const isOwn = direction === 'previous' && isSameChange(lines, at, index);
    if (line && isChange(line) && !isOwn && !isChange(lines[at - 1])) {
      return startAt(line);
    }
  }
  return undefined;
}

function isChange(line: Line | undefined): line is Line & { type: 'add' | 'delete' } {
  return line?.type === 'add' || line?.type === 'delete';
}

function isCode(line: Line): line is CodeLine {
  return line.type !== 'gap' && line.type !== 'note';
}

function isSameChange(lines: readonly Line[], from: number, to: number): boolean {
  return isChange(lines[to]) && lines.slice(from, to).every(isChange);
}

/** A line of a diff, by its place among those that are shown. */
interface LineHere extends Pick<DiffDrawing, 'lines' | 'isFromBase'> {
  index: number;
}

/** The line of a diff that has the focus, among all lines of the diff. */
function focusedLine(): LineHere | undefined {
  return lineOfRow(rowAt(document.activeElement));
}

function rowAt(element: Element | null | undefined): HTMLElement | undefined {
  return element?.closest<HTMLElement>('tr[data-row]') ?? undefined;
}

function lineOfRow(row: HTMLElement | undefined): LineHere | undefined {
  const drawing = drawings.get(row?.closest('.diff') ?? document.body);
  const { left, right } = drawing?.rows[Number(row?.dataset['row'])] ?? {};
  const index = right ?? left;
  return drawing && index !== undefined ? { ...drawing, index } : undefined;
}

/** The row of a section's diff that shows a line, which is drawn for it; undefined until the diff is there. */
export function rowOf(section: HTMLElement, wanted: DiffLine): HTMLElement | undefined {
  for (const diff of section.querySelectorAll('.diff')) {
    const { rows = [], lines = [] } = drawings.get(diff) ?? {};
    const row = rows.findIndex(({ left, right }) => {
      const line = lines[right ?? left ?? -1];
      const start = line && isCode(line) ? startAt(line) : undefined;
      return start?.side === wanted.side && start.line === wanted.line;
    });
    if (row >= 0) {
      return rowDrawers.get(diff)?.(row);
    }
  }
  return undefined;
}

function startAt({ newLine, oldLine }: CodeLine): DiffLine {
  return newLine === undefined ? { side: 'old', line: oldLine ?? 1 } : { side: 'new', line: newLine };
}

/** The line of a diff or the section that has the focus, or had it last; undefined in a section that isn't saved yet. */
export function placeInPatch(): PlaceInPatch | undefined {
  return placeBy(({ lines, index }) => {
    const line = lines[index];
    return line && isCode(line) ? startAt(line) : undefined;
  });
}

/** The same for those who know the patch and nothing of what it is compared with. */
export function placeInVersion(): PlaceInPatch | undefined {
  return placeBy(lineInVersion);
}

function placeBy(lineOf: (here: LineHere) => DiffLine | undefined): PlaceInPatch | undefined {
  const code = focusedSection();
  const here = lineOfRow(rowAt(focusedInPage()));
  const line = here && lineOf(here);
  return code === undefined || isNew(code) || isGone(code) ? undefined : { code, ...(line && { line }) };
}

/** A line that was removed since is where the next one is now: its own number says nothing of the base. */
function lineInVersion({ lines, index, isFromBase }: LineHere): DiffLine | undefined {
  const line = lines[index];
  if (!line || !isCode(line)) {
    return undefined;
  }
  const isNow = (one: Line): one is CodeLine => isCode(one) && one.newLine !== undefined;
  const near = isFromBase
    ? line
    : (lines.slice(index).find(isNow) ?? lines.slice(0, index).findLast(isNow) ?? line);
  return startAt(near);
}

/** Has the menu that a right click on a line opens know the line: VS Code hands over what the element says. */
export function nameLineInMenus(): void {
  document.addEventListener(
    'contextmenu',
    ({ target }) => {
      const row = rowAt(target instanceof Element ? target : null);
      const here = lineOfRow(row);
      const line = here && lineInVersion(here);
      if (row && line) {
        row.dataset['vscodeContext'] = JSON.stringify({ line });
      }
    },
    { capture: true },
  );
}

function isGone(code: string): boolean {
  return sectionPlaces().some((place) => place.code === code && place.type === 'gone');
}

function goToSection(to: 'file' | 'section', direction: Direction): boolean {
  const next = sectionsFrom(direction).find(({ type }) => to === 'section' || type === 'diff');
  if (next) {
    revealSection(next.code);
  }
  return next !== undefined;
}

/** The sections after where the person is, or those before it, the nearest first. */
function sectionsFrom(direction: Direction): SectionPlace[] {
  const around = placesAround(focusedSection());
  const focused = around.findIndex(({ code }) => code === focusedSection());
  if (focused >= 0) {
    return direction === 'next' ? around.slice(focused + 1) : around.slice(0, focused).reverse();
  }
  // Nothing of a section has the focus: what is at the upper edge of the window counts.
  const edge = document.querySelector('.document-toolbar')?.getBoundingClientRect().bottom ?? 0;
  const drawn = [...document.querySelectorAll<HTMLElement>('.sections [data-section]')];
  const next = drawn.find((section) => section.getBoundingClientRect().top > edge);
  const all = placesAround(next && codeOf(next));
  const below = next ? all.findIndex(({ code }) => code === codeOf(next)) : -1;
  const border = below < 0 ? all.length : below;
  return direction === 'next' ? all.slice(border) : all.slice(0, border).reverse();
}

function codeOf({ dataset }: HTMLElement): string {
  return dataset['section'] ?? '';
}

/** Resolves when a line of a section has the focus, or there was time enough for it. */
async function untilFocused(code: string): Promise<void> {
  const start = document.activeElement;
  for (let frame = 0; frame < frames; frame++) {
    await new Promise(requestAnimationFrame);
    const { activeElement } = document;
    const section = activeElement?.closest<HTMLElement>('[data-section]');
    if (activeElement !== start && section && codeOf(section) === code && activeElement?.matches('tr')) {
      return;
    }
  }
}

function endOf(to: Stop, direction: Direction): string {
  switch (to) {
    case 'change':
      return direction === 'next'
        ? l10n.t('No more changes after this one')
        : l10n.t('No more changes before this one');
    case 'file':
      return direction === 'next'
        ? l10n.t('No more files after this one')
        : l10n.t('No more files before this one');
    case 'section':
      return direction === 'next' ? l10n.t('This is the last section') : l10n.t('This is the first section');
  }
}
