import type { SectionView } from '../../../protocol/patchDocument.ts';
import { linesOf } from './lines.ts';

/** Lines that fill a screen. */
const linesOnScreen = 60;

/** How many of the first sections fill a screen, about: as many are drawn before it is known what is on it. */
export function sectionsOnScreen(sections: readonly SectionView[]): number {
  let lines = 0;
  const after = sections.findIndex((section) => {
    const full = lines >= linesOnScreen;
    lines +=
      section.type === 'diff' ? section.diffLines : section.type === 'text' ? linesOf(section.text) : 1;
    return full;
  });
  return after < 0 ? sections.length : after;
}
