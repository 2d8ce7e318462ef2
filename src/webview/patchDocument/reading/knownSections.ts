import type { PatchUpdate, PatchView } from '../../../protocol/patchDocument.ts';

/**
 * A patch with all of its sections; those that are only named in an update stay what they were, so that what was made of them does
 * too.
 *
 * @param before what is shown.
 * @returns undefined when one is named that is not there.
 */
export function withKnownSections(update: PatchUpdate, before: PatchView | undefined): PatchView | undefined {
  const known = new Map(before?.sections.map((section) => [section.code, section]));
  const sections = update.sections.flatMap((section) =>
    typeof section === 'string' ? (known.get(section) ?? []) : section,
  );
  if (sections.length < update.sections.length) {
    return undefined;
  }
  const { comparison: told, rail: toldRail, unexplained: toldMarks, stale: toldStale, ...others } = update;
  const comparison = told === 'same' ? before?.comparison : told;
  const rail = toldRail === 'same' ? before?.rail : toldRail;
  const unexplained = toldMarks === 'same' ? before?.unexplained : toldMarks;
  const stale = toldStale === 'same' ? before?.stale : toldStale;
  if (
    (told === 'same' && !comparison) ||
    (toldRail === 'same' && !rail) ||
    (toldMarks === 'same' && !unexplained) ||
    (toldStale === 'same' && !stale)
  ) {
    return undefined;
  }
  const isSame =
    sections.length === before?.sections.length &&
    sections.every((section, index) => section === before.sections[index]);
  return {
    ...others,
    ...(comparison && { comparison }),
    ...(rail && { rail }),
    ...(unexplained && { unexplained }),
    ...(stale && { stale }),
    sections: isSame ? before.sections : sections,
  };
}
