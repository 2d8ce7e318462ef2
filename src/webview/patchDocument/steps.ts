/** Going from change to change, from file to file and from section to section by keys. */
import * as l10n from '@vscode/l10n';
import type { DiffLine, Direction, PlaceInPatch, Stop } from '../../protocol/patchDocument.ts';
import { arrange, type CodeLine, type Line } from './diff/arrange.ts';
import { parseFileDiff } from './diff/diff.ts';
import { drawings } from './diff/drawings.ts';
import { lineEndChange } from './diff/lineEnds.ts';
import { focusedInPage, focusedSection } from './focus.ts';
import { isNew } from './editor/textEdit.ts';
import { isFolded, revealSection, type Reading } from './reading.ts';

/** Frames in which a line that is far away is drawn and has the focus. */
const frames = 60;

/** See the module. */
export class Steps {
  readonly #reading: Reading;
  readonly #announce: (text: string) => void;
  /** One step after the other: the next begins where the one before has led. */
  #taken: Promise<void> = Promise.resolve();

  constructor(reading: Reading, announce: (text: string) => void) {
    this.#reading = reading;
    this.#announce = announce;
  }

  /** Goes there from where the person is, and focuses it; where there is none, says so. */
  take(to: Stop, direction: Direction): Promise<void> {
    this.#taken = this.#taken.then(async () => {
      const found = to === 'change' ? await this.#goToChange(direction) : goToSection(to, direction);
      if (!found) {
        this.#announce(endOf(to, direction));
      }
    });
    return this.#taken;
  }

  async #goToChange(direction: Direction): Promise<boolean> {
    const here = focusedLine();
    const inFile = here && changeFrom(here.lines, here.index, direction);
    const section = focusedSection();
    if (inFile && section !== undefined) {
      return this.#goToLine(section, inFile);
    }
    const before = section === undefined || here ? [] : [section];
    const others = sectionsFrom(direction).map(codeOf);
    // From the header of a file its own changes come first.
    for (const code of direction === 'next' ? [...before, ...others] : others) {
      const change = await this.#outermost(code, direction);
      if (change) {
        return this.#goToLine(code, change);
      }
    }
    return false;
  }

  /** The first change of a file that is unfolded, or the last; undefined of what has none. */
  async #outermost(code: string, direction: Direction): Promise<DiffLine | undefined> {
    const section = this.#reading.section(code);
    if (section?.type !== 'diff' || isFolded(section, this.#reading.store.value)) {
      return undefined;
    }
    const text = section.diff ?? (await this.#reading.host.request('diff', { code }).catch(() => ''));
    const rows = parseFileDiff(text)?.rows ?? [];
    const lines = arrange(rows, {
      ignoreWhitespace: this.#reading.store.value.ignoreWhitespace,
      ignoreLineEnds: lineEndChange(rows) !== undefined,
      openings: new Map(),
    });
    return changeFrom(lines, direction === 'next' ? -1 : lines.length, direction);
  }

  async #goToLine(code: string, { side, line }: DiffLine): Promise<boolean> {
    const arrived = untilFocused(code);
    this.#reading.showLine(code, side, line);
    await arrived;
    return true;
  }
}

/** Where the next change begins after a line, or the one before it. */
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

/** The line of a diff that has the focus, among all lines of the diff. */
function focusedLine(): { lines: readonly Line[]; index: number } | undefined {
  return lineOfRow(rowAt(document.activeElement));
}

function rowAt(element: Element | null | undefined): HTMLElement | undefined {
  return element?.closest<HTMLElement>('tr[data-row]') ?? undefined;
}

function lineOfRow(row: HTMLElement | undefined): { lines: readonly Line[]; index: number } | undefined {
  const drawing = drawings.get(row?.closest('.diff') ?? document.body);
  const { left, right } = drawing?.rows[Number(row?.dataset['row'])] ?? {};
  const index = right ?? left;
  return drawing && index !== undefined ? { lines: drawing.lines, index } : undefined;
}

function lineAt(element: Element | undefined): CodeLine | undefined {
  const here = lineOfRow(rowAt(element));
  const line = here?.lines[here.index];
  return line && isCode(line) ? line : undefined;
}

function startAt({ newLine, oldLine }: CodeLine): DiffLine {
  return newLine === undefined ? { side: 'old', line: oldLine ?? 1 } : { side: 'new', line: newLine };
}

/** Where the person is: the line of a diff or the section that has the focus, or had it last; nothing that is not saved yet. */
export function placeInPatch(): PlaceInPatch | undefined {
  const code = focusedSection();
  const element = focusedInPage();
  return code === undefined || isNew(code) ? undefined : placeOf(code, lineAt(element));
}

/** Has the menu that a right click on a line opens know the line: VS Code hands over what the element says. */
export function nameLineInMenus(): void {
  document.addEventListener(
    'contextmenu',
    ({ target }) => {
      const row = rowAt(target as Element | null);
      const line = lineAt(row);
      if (row && line) {
        row.dataset['vscodeContext'] = JSON.stringify({ line: startAt(line) });
      }
    },
    { capture: true },
  );
}

function placeOf(code: string, line: CodeLine | undefined): PlaceInPatch {
  return { code, ...(line && { line: startAt(line) }) };
}

function goToSection(to: 'file' | 'section', direction: Direction): boolean {
  const next = sectionsFrom(direction).find(
    ({ dataset }) => to === 'section' || dataset['sectionType'] === 'diff',
  );
  if (next) {
    revealSection(codeOf(next));
  }
  return next !== undefined;
}

/** The sections after where the person is, or those before it, the nearest first. */
function sectionsFrom(direction: Direction): HTMLElement[] {
  const all = [...document.querySelectorAll<HTMLElement>('.sections > [data-section]')];
  const focused = all.findIndex((section) => codeOf(section) === focusedSection());
  if (focused >= 0) {
    return direction === 'next' ? all.slice(focused + 1) : all.slice(0, focused).reverse();
  }
  // Nothing of a section has the focus: what is at the upper edge of the window counts.
  const edge = document.querySelector('.document-toolbar')?.getBoundingClientRect().bottom ?? 0;
  const below = all.findIndex((section) => section.getBoundingClientRect().top > edge);
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
