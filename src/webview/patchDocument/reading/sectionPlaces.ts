/** The sections of the page in order, of which only those near to the screen are drawn: finding them, and going to them. */
import type { GoneSection, SectionView } from '../../../protocol/patchDocument.ts';
import { bringIntoView } from './bringIntoView.ts';
import type { Codes } from './codes.ts';

/** A section of the page, drawn or not. */
export interface SectionPlace {
  code: string;
  type: SectionView['type'] | 'gone';
}

/** A patch of the page: where its sections are, and how one of them is drawn while the list of them is. */
interface ShownPatch {
  places: readonly SectionPlace[];
  draw?: ((code: string) => void) | undefined;
}

/** Several patches on one page, of which only those near to the screen are drawn. */
interface ShownStack {
  /** Change ids, base to tip. */
  patches: readonly string[];
  /** Has a patch drawn at once. */
  draw: (changeId: string) => void;
  /** True for a patch that is not loaded yet, and can be. */
  isAwaited: (changeId: string) => boolean;
}

/** By change id. */
const shown = new Map<string, ShownPatch>();
let stack: ShownStack | undefined;

/** Notes the sections of a patch of the page, and how to draw one of them while its list is drawn. */
export function showPlaces(changeId: string, patch: ShownPatch): void {
  shown.set(changeId, { draw: shown.get(changeId)?.draw, ...patch });
}

/** The list of a patch is taken away: of a stack it may be drawn again, else the page shows another patch. */
export function hidePlaces(changeId: string): void {
  const { places } = shown.get(changeId) ?? {};
  shown.delete(changeId);
  if (places && stack?.patches.includes(changeId)) {
    shown.set(changeId, { places });
  }
}

/** Has the page be one of these patches, in their order. */
export function showStack(patches: ShownStack): void {
  stack = patches;
  const ids = new Set(patches.patches);
  [...shown.keys()].filter((changeId) => !ids.has(changeId)).forEach((changeId) => shown.delete(changeId));
}

/** The sections in order, with those that are gone where they were. */
export function placesOf(
  sections: readonly SectionView[],
  gone: readonly GoneSection[] | undefined,
  { toPage }: Codes,
): SectionPlace[] {
  const goneAfter = (after: string | null): SectionPlace[] =>
    (gone ?? []).flatMap((section, index) =>
      section.after === after ? [{ code: toPage(goneCode(index)), type: 'gone' as const }] : [],
    );
  return [
    ...goneAfter(null),
    ...sections.flatMap(({ code, type }): SectionPlace[] => [{ code, type }, ...goneAfter(code)]),
  ];
}

/** The code of a section that is gone, by its place among those of its patch. */
export function goneCode(index: number): string {
  return `gone-${index}`;
}

/** All sections of the page, or of one of its patches, as far as they are loaded. */
export function sectionPlaces(changeId?: string): readonly SectionPlace[] {
  const patches = changeId === undefined ? (stack?.patches ?? [...shown.keys()]) : [changeId];
  return patches.flatMap((patch) => shown.get(patch)?.places ?? []);
}

/** The sections of the page around one of them, up to the next patches that are not loaded yet: nobody goes past those. */
export function placesAround(code: string | undefined): readonly SectionPlace[] {
  let places: SectionPlace[] = [];
  for (const patch of stack?.patches ?? [...shown.keys()]) {
    const isGap = !shown.has(patch) && stack?.isAwaited(patch) === true;
    if (isGap && places.some((place) => place.code === code)) {
      return places;
    }
    places = isGap ? [] : [...places, ...(shown.get(patch)?.places ?? [])];
  }
  return places;
}

/** The element in which a patch of the page is drawn, if it is. */
export function rootOf(changeId: string): HTMLElement | undefined {
  return (
    document.querySelector<HTMLElement>(`[data-patch="${CSS.escape(changeId)}"]:not(.beginning)`) ?? undefined
  );
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
  const changeId = [...shown].find(([, { places }]) => places.some((place) => place.code === code))?.[0];
  if (changeId === undefined) {
    return undefined;
  }
  if (!shown.get(changeId)?.draw) {
    stack?.draw(changeId);
  }
  shown.get(changeId)?.draw?.(code);
  return sectionOf(code);
}

/** Scrolls to a section and focuses it. @returns false when the page doesn't have it. */
export function revealSection(code: string): boolean {
  const section = drawnSection(code);
  if (!section) {
    return false;
  }
  bringIntoView(section, 'start');
  section.focus({ preventScroll: true });
  return true;
}
