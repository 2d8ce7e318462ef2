/** The sections of the document that are drawn: of a long one only those near to the screen. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { GoneSection, SectionView } from '../../../protocol/patchDocument.ts';
import { Heights, type ListPart } from '../../common/listWindow.ts';
import { useListWindow } from '../../common/useListWindow.ts';
import { isFolded, useReading, useReadingState } from '../reading/reading.ts';
import { hidePlaces, placesOf, showPlaces } from '../reading/sectionPlaces.ts';
import { isSameOrder } from '../writing/order.ts';
import { useWriting } from '../writing/WritingContext.tsx';
import { linesHigh, sectionsOnScreen } from './onScreen.ts';

/** Pixels that a section is higher than its lines: what is around it. */
const sectionMargin = 24;

/** The sections to draw: those near to the screen, those that are written in or gone to, and the one with the focus. */
export function useSectionWindow(options: {
  list: RefObject<HTMLDivElement | null>;
  sections: readonly SectionView[];
  gone: readonly GoneSection[] | undefined;
  whole: boolean;
  kept: readonly string[];
}): readonly ListPart[] {
  const { list, sections, gone, whole, kept } = options;
  const { writing } = useWriting();
  const { changeId, codes: ofPage } = useReading();
  const aimedAt = useReadingState((state) => state.target?.code);
  const { heights, note } = useSectionHeights(sections);
  const order = useRef<{ codes: readonly string[]; drawn: readonly string[] }>({ codes: [], drawn: [] });
  const codes = sections.map(({ code }) => code);
  const focused =
    typeof document === 'undefined'
      ? undefined
      : document.activeElement?.closest('[data-section]')?.getAttribute('data-section');
  const wanted = [
    ...kept,
    ...writing.edits.map(({ key }) => key),
    // In another order, what was drawn stays until it is known what is near.
    ...(isSameOrder(order.current.codes, codes) ? [] : order.current.drawn),
    aimedAt,
    focused,
  ];
  const indices = new Map(codes.map((code, index) => [code, index]));
  const { parts, draw } = useListWindow({
    list,
    heights,
    atFirst: sectionsOnScreen(sections),
    kept: [...new Set(wanted.flatMap((code) => indices.get(code ?? '') ?? []))].sort((a, b) => a - b),
    whole,
    onMeasure: note,
  });
  order.current = {
    codes,
    drawn: parts.flatMap((part) => (part.kind === 'item' ? (codes[part.index] ?? []) : [])),
  };
  useLayoutEffect(() => {
    const places = placesOf(sections, gone, ofPage);
    showPlaces(changeId, {
      places,
      draw: (code) => {
        const at = places.findIndex((place) => place.code === code);
        // A section that is gone is drawn with the one that it stood after.
        const section = places.slice(0, at + 1).findLast(({ type }) => type !== 'gone');
        const index = indices.get(section?.code ?? '');
        if (index !== undefined) {
          draw(index);
        }
      },
    });
  });
  useLayoutEffect(() => () => hidePlaces(changeId), [changeId]);
  return parts;
}

/** The height of each section: as it was when it was drawn last, while it is folded as it was then. */
function useSectionHeights(sections: readonly SectionView[]): {
  heights: Heights;
  note: (index: number, height: number) => void;
} {
  const { writing } = useWriting();
  const reading = useReading().store.value;
  useReadingState(({ folded }) => folded);
  useReadingState(({ ticked }) => ticked);
  const known = useRef<{ shown: readonly SectionView[]; lines: readonly number[]; heights: Heights }>(
    undefined,
  );
  const measured = useRef(new Map<string, { lines: number; height: number }>());
  const lines = sections.map((section) =>
    linesHigh(section, isFolded(section, reading) && !writing.editOf(section.code)),
  );
  const isSame = (of: typeof known.current): boolean =>
    of?.shown.length === sections.length &&
    of.shown.every(({ code }, index) => code === sections[index]?.code && of.lines[index] === lines[index]);
  if (!known.current || !isSame(known.current)) {
    const lineHeight = editorLineHeight();
    const expected = sections.map(({ code }, index) => {
      const high = lines[index] ?? 1;
      const before = measured.current.get(code);
      return before?.lines === high ? before.height : sectionMargin + lineHeight * high;
    });
    known.current = { shown: sections, lines, heights: new Heights(expected) };
  }
  return {
    heights: known.current.heights,
    note: (index, height) => {
      const code = sections[index]?.code;
      if (code !== undefined) {
        measured.current.set(code, { lines: lines[index] ?? 1, height });
      }
    },
  };
}

/** Pixels of a line of code, as the page has it. */
function editorLineHeight(): number {
  const size =
    typeof document === 'undefined'
      ? ''
      : getComputedStyle(document.documentElement).getPropertyValue('--vscode-editor-font-size');
  return 1.5 * (parseFloat(size) || 13);
}
