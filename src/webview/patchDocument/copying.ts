/**
 * Copying out of the document. Of diffs the code alone is copied, of one side where two stand beside each other, whether or not
 * its lines are drawn at the time; the browser would copy what is between the cells of a table, and leave out what is far away.
 */
import type { SectionView } from '../../protocol/patchDocument.ts';
import { copiesItself, laidOutText, withWholeFormulas } from '../common/copiedFormulas.ts';
import { codeOfDiff, codeOfRows, type Side } from './diff/copiedLines.ts';
import { drawings } from './diff/drawings.ts';
import type { Searched } from './find/finding.ts';
import { isFolded, type Reading } from './reading/reading.ts';
import { sectionPlaces } from './reading/sectionPlaces.ts';
import { inBackground } from '../../util/inBackground.ts';

/** Elements that the browser doesn't copy as it should: diffs, those that are being loaded, and what is far away. */
const ownWay = '.diff, div.unread, .far-sections, .far-patches';

const notText =
  'button, .removed-words, .document-toolbar, .finish-bar, .outline, .section-actions, .visually-hidden';

/** The reading of the patch that a section is in; without one, any of the page. */
type ReadingOf = (code: string | undefined) => Reading | undefined;

/** Loads patches of a stack, from one up to and with another, which are not on the page. */
export type LoadPatches = (first: number, last: number) => Promise<Searched | undefined>[];

/** Has the page copy code alone, from now on. */
export function copyCodeAlone(readingOf: ReadingOf, loadPatches: LoadPatches = () => []): void {
  document.addEventListener('pointerdown', selectOneSide);
  document.addEventListener('copy', (event) => {
    const selection = document.getSelection();
    const selected = selection && selection.rangeCount > 0 ? selection.getRangeAt(0) : undefined;
    if (!selected || selected.collapsed || !event.clipboardData || copiesItself(event.target)) {
      return;
    }
    const range = withWholeFormulas(selected);
    const parts = partsOf(range, readingOf, loadPatches);
    if (parts.every((part) => part.byBrowser)) {
      return;
    }
    event.preventDefault();
    const texts = parts.map(({ text }) => text);
    if (texts.every((text) => typeof text === 'string')) {
      event.clipboardData.setData('text/plain', joined(texts));
    } else {
      // The event can't wait for a diff that has to be requested first.
      inBackground(
        Promise.all(texts.map(async (text) => text))
          .then(async (all) => readingOf(undefined)?.host.request('copy', { text: joined(all) }))
          .catch(() => undefined),
      ); // Without it there is nothing to copy.
    }
  });
}

/** Selecting with the mouse stays on the side of diffs where it began: what begins elsewhere takes the new one. */
function selectOneSide({ target, button, shiftKey }: PointerEvent): void {
  if (button !== 0 || shiftKey || !(target instanceof Element)) {
    return;
  }
  const side = target.closest<HTMLElement>('td[data-side]')?.dataset['side'] ?? 'new';
  const page = target.closest<HTMLElement>('.document');
  if (page && page.dataset['selecting'] !== side) {
    page.dataset['selecting'] = side;
    // It lies around what is pressed now, though that does not look selected: the browser would drag it.
    document.getSelection()?.removeAllRanges();
  }
}

interface Part {
  text: string | Promise<string | undefined>;
  byBrowser: boolean;
}

function partsOf(range: Range, readingOf: ReadingOf, loadPatches: LoadPatches): Part[] {
  const parts: Part[] = [];
  const rest = range.cloneRange();
  for (const element of document.querySelectorAll<HTMLElement>(ownWay)) {
    if (range.intersectsNode(element) && !isBetweenLines(range)) {
      const before = rest.cloneRange();
      if (!element.contains(range.startContainer)) {
        before.setEndBefore(element);
        parts.push({ text: proseIn(before), byBrowser: true });
      }
      const side: Side =
        element.closest<HTMLElement>('.document')?.dataset['selecting'] === 'old' ? 'old' : 'new';
      const texts = element.matches('.diff')
        ? [codeIn(range, element, side)]
        : element.matches('.far-patches')
          ? loadPatches(...spanOf(element)).map((loading) =>
              loading.then((one) => one && patchText(one, side)),
            )
          : farTexts(element, side, readingOf);
      parts.push(...texts.map((text) => ({ text, byBrowser: false })));
      if (element.contains(range.endContainer)) {
        return parts;
      }
      rest.setStartAfter(element);
    }
  }
  parts.push({ text: proseIn(rest), byBrowser: true });
  return parts;
}

/** True when only the note of a row between lines is selected. */
function isBetweenLines({ commonAncestorContainer: inside }: Range): boolean {
  return (inside instanceof Element ? inside : inside.parentElement)?.closest('tr:is(.gap, .note)') !== null;
}

/** The code of the rows that are selected; of the first and the last only what is selected of them. */
function codeIn(range: Range, diff: HTMLElement, side: Side): string {
  const drawing = drawings.get(diff);
  const rows = [...diff.querySelectorAll<HTMLElement>('tr[data-row], tr[data-first-row]')].filter((row) =>
    range.intersectsNode(row),
  );
  if (!drawing) {
    return '';
  }
  return rows
    .flatMap((row) => {
      const first = Number(row.dataset['row'] ?? row.dataset['firstRow']);
      const code = codeOfRows(drawing, first, Number(row.dataset['lastRow'] ?? first), side);
      const cell = row.querySelector(drawing.sideBySide ? `td.code[data-side='${side}']` : 'td.code');
      if (!cell || (!row.contains(range.startContainer) && !row.contains(range.endContainer))) {
        return code;
      }
      if (cell.querySelector('[data-start]')) {
        const { start, end } = selectedCharacters(range, cell);
        return code.map((text) => text.slice(start, end)).filter((text) => text !== '');
      }
      const part = selectedPart(range, cell);
      // A selection that only touches a line, as that of the line before with its end does, has nothing of it.
      return part === '' && cell.textContent !== '' ? [] : code.map(() => part);
    })
    .join('\n');
}

/** The selected part of a line that is drawn in parts, in characters of the whole line: also what is between the parts. */
function selectedCharacters(range: Range, cell: Element): { start: number; end: number } {
  const parts = [...cell.querySelectorAll<HTMLElement>('[data-start]')];
  const startOf = (part: HTMLElement | undefined): number => Number(part?.dataset['start'] ?? 0);
  let [start, end] = [0, Infinity];
  if (cell.contains(range.startContainer)) {
    // One that begins between two parts begins at the end of the one before.
    const part = parts.findLast((one) => comparedWith(one, range.startContainer, range.startOffset) <= 0);
    const before = document.createRange();
    if (part) {
      before.selectNodeContents(part);
      if (part.contains(range.startContainer)) {
        before.setEnd(range.startContainer, range.startOffset);
      }
    }
    start = startOf(part) + before.toString().length;
  }
  if (cell.contains(range.endContainer)) {
    const part = parts.find((one) => comparedWith(one, range.endContainer, range.endOffset) >= 0);
    if (part?.contains(range.endContainer)) {
      const before = document.createRange();
      before.selectNodeContents(part);
      before.setEnd(range.endContainer, range.endOffset);
      end = startOf(part) + before.toString().length;
    } else if (part) {
      end = startOf(part);
    }
  }
  return { start, end };
}

/** Says that an element lies before a place (-1), around it (0) or after it (1). */
function comparedWith(element: Element, node: Node, offset: number): number {
  const contents = document.createRange();
  contents.selectNodeContents(element);
  return -contents.comparePoint(node, offset);
}

function selectedPart(range: Range, element: Element): string {
  const part = document.createRange();
  part.selectNodeContents(element);
  if (
    part.comparePoint(range.startContainer, range.startOffset) > 0 ||
    part.comparePoint(range.endContainer, range.endOffset) < 0
  ) {
    return '';
  }
  if (part.comparePoint(range.startContainer, range.startOffset) === 0) {
    part.setStart(range.startContainer, range.startOffset);
  }
  if (part.comparePoint(range.endContainer, range.endOffset) === 0) {
    part.setEnd(range.endContainer, range.endOffset);
  }
  return part.toString();
}

/** The text of sections that are not drawn, or whose diff is not there yet. */
function farTexts(element: HTMLElement, side: Side, readingOf: ReadingOf): (string | Promise<string>)[] {
  const here = element.closest<HTMLElement>('[data-section]')?.dataset['section'];
  if (here !== undefined) {
    const reading = readingOf(here);
    return [sectionText(reading?.section(here), [], side, reading)];
  }
  const [first, last] = spanOf(element);
  const patch = element.closest<HTMLElement>('[data-patch]')?.dataset['patch'];
  const sections = sectionPlaces(patch).filter(({ type }) => type !== 'gone');
  return sections.slice(first, last + 1).map(({ code }) => {
    const reading = readingOf(code);
    const section = reading?.section(code);
    return sectionText(section, section?.type === 'diff' ? [section.path] : [], side, reading);
  });
}

/** The items that an element stands for: the first and the last of them. */
function spanOf({ dataset: { first, last } }: HTMLElement): [first: number, last: number] {
  return [Number(first), Number(last)];
}

/** The text of a patch of which nothing is drawn, as that of one that is. */
async function patchText({ patch, reading }: Searched, side: Side): Promise<string> {
  const isMissing = patch.sections.some((section) => section.type === 'diff' && section.diff === undefined);
  const diffs = isMissing ? await reading.host.request('diffs', null) : {};
  const texts = patch.sections.map((section) => {
    const diff = diffs[section.code];
    const known = section.type === 'diff' && diff !== undefined ? { ...section, diff } : section;
    return sectionText(known, section.type === 'diff' ? [section.path] : [], side, reading);
  });
  return joined([
    patch.title,
    patch.description ?? '',
    ...(await Promise.all(texts.map(async (text) => text))),
  ]);
}

function sectionText(
  section: SectionView | undefined,
  head: readonly string[],
  side: Side,
  reading: Reading | undefined,
): string | Promise<string> {
  if (!reading || section?.type !== 'diff') {
    return section?.type === 'text' ? section.text : '';
  }
  const state = reading.store.value;
  const options = {
    sideBySide: state.layout === 'sideBySide',
    ignoreWhitespace: state.ignoreWhitespace,
  };
  const whole = (diff: string): string => [...head, ...codeOfDiff(diff, options, side)].join('\n');
  if (isFolded(section, state)) {
    return head.join('');
  }
  return section.diff === undefined
    ? reading.host.request('diff', { code: section.code }).then(whole)
    : whole(section.diff);
}

/** The text of what lies beside diffs, as the browser lays it out; of files that are passed over their names. */
function proseIn(range: Range): string {
  const contents = range.cloneContents();
  for (const element of contents.querySelectorAll(notText)) {
    element.remove();
  }
  for (const header of contents.querySelectorAll('.section-header')) {
    const path = document.createElement('p');
    // On the screen its folders and its name are boxes of their own, which would be lines of their own in what is copied.
    path.textContent = header.querySelector<HTMLElement>('.path')?.title ?? '';
    header.replaceWith(path);
  }
  return laidOutText(contents);
}

function joined(texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== '').join('\n\n');
}
