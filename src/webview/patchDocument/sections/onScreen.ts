/** What of a patch is drawn when. */
import type { SectionView } from '../../../protocol/patchDocument.ts';
import { linesOf } from './lines.ts';

/** Lines that fill a screen. */
const linesOnScreen = 60;

/** Lines up to which a patch is drawn as a whole: nearly every patch there is. */
const linesDrawnAsAWhole = 3_000;

/** When a section is drawn. */
export interface Drawing {
  /** Whether it is on the first screen. */
  atFirst: boolean;
  /** Whether all of the patch is drawn after that, and not only what is near to what is on screen. */
  asAWhole: boolean;
}

/** How many of the first sections fill a screen, about: as many are drawn before it is known what is on it. */
export function sectionsOnScreen(sections: readonly SectionView[]): number {
  let lines = 0;
  const after = sections.findIndex((section) => {
    const full = lines >= linesOnScreen;
    lines += linesIn(section);
    return full;
  });
  return after < 0 ? sections.length : after;
}

/** Whether a patch is short enough for all of it to be drawn. */
export function isDrawnAsAWhole(sections: readonly SectionView[]): boolean {
  return sections.reduce((lines, section) => lines + linesIn(section), 0) <= linesDrawnAsAWhole;
}

function linesIn(section: SectionView): number {
  switch (section.type) {
    case 'diff':
      return section.diffLines;
    case 'text':
      return linesOf(section.text);
    case 'unreadable':
      return 1;
  }
}
