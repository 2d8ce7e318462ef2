/** The sections of the page in order, of which only those near to the screen are drawn: finding them, and going to them. */
import type { GoneSection, SectionView } from '../../../protocol/patchDocument.ts';
import { bringIntoView } from './bringIntoView.ts';

/** A section of the page, drawn or not. */
export interface SectionPlace {
  code: string;
  type: SectionView['type'] | 'gone';
}

interface ShownList {
  places: readonly SectionPlace[];
  draw: (code: string) => void;
}

let shown: ShownList = { places: [], draw: () => undefined };

/** Has a list of sections be that of the page. */
export function showPlaces(list: ShownList): void {
  shown = list;
}

/** The sections in order, with those that are gone where they were. */
export function placesOf(
  sections: readonly SectionView[],
  gone: readonly GoneSection[] | undefined,
): SectionPlace[] {
  const goneAfter = (after: string | null): SectionPlace[] =>
    (gone ?? []).flatMap((section, index) =>
      section.after === after ? [{ code: goneCode(index), type: 'gone' as const }] : [],
    );
  return [
    ...goneAfter(null),
    ...sections.flatMap(({ code, type }): SectionPlace[] => [{ code, type }, ...goneAfter(code)]),
  ];
}

/** The code of a section that is gone, by its place among those. */
export function goneCode(index: number): string {
  return `gone-${index}`;
}

/** All sections of the page. */
export function sectionPlaces(): readonly SectionPlace[] {
  return shown.places;
}

/** A section of the page, if it is drawn. */
export function sectionOf(code: string | undefined): HTMLElement | undefined {
  return code === undefined
    ? undefined
    : (document.querySelector<HTMLElement>(`[data-section="${CSS.escape(code)}"]`) ?? undefined);
}

/** A section of the page, which is drawn for it if it is not: for whoever goes there. */
export function drawnSection(code: string | undefined): HTMLElement | undefined {
  const section = sectionOf(code);
  if (section || code === undefined) {
    return section;
  }
  shown.draw(code);
  return sectionOf(code);
}

/** Scrolls to a section and focuses it. */
export function revealSection(code: string): void {
  const section = drawnSection(code);
  if (section) {
    bringIntoView(section, 'start');
  }
  section?.focus({ preventScroll: true });
}
