/** Decides which parts of a patch are drawn when, and reckons how high a section will be, about. */
import type { SectionView } from '../../../protocol/patchDocument.ts';
import { linesOf } from './lines.ts';

/** Lines that fill a screen. */
const linesOnScreen = 60;

/** Lines up to which a patch is drawn as a whole: nearly every patch there is. */
const linesDrawnAsAWhole = 3_000;

/** Lines that the header of a section is high, about. */
const headerLines = 2;

/** The number of first sections that fill a screen, about: as many are drawn until it is known which ones are on it. */
export function sectionsOnScreen(sections: readonly SectionView[]): number {
  let lines = 0;
  const after = sections.findIndex((section) => {
    const full = lines >= linesOnScreen;
    lines += contentLines(section);
    return full;
  });
  return after < 0 ? sections.length : after;
}

/** Returns true when a patch is short enough for all of it to be drawn. */
export function isDrawnAsAWhole(sections: readonly SectionView[]): boolean {
  const lines = sections.reduce((sum, section) => sum + headerLines + contentLines(section), 0);
  return lines <= linesDrawnAsAWhole;
}

/** The height of a section in lines, about. */
export function linesHigh(section: SectionView, folded: boolean): number {
  const header = section.type === 'diff' || section.compared ? headerLines : 0;
  return header + (folded ? 0 : contentLines(section));
}

/** Counted once: a text is looked through for it. */
const counted = new WeakMap<SectionView, number>();

function contentLines(section: SectionView): number {
  const lines = counted.get(section) ?? countLines(section);
  counted.set(section, lines);
  return lines;
}

function countLines(section: SectionView): number {
  switch (section.type) {
    case 'diff':
      return Math.max(1, section.diffLines);
    case 'text':
      return linesOf(section.text);
    case 'unreadable':
      return 1;
  }
}
