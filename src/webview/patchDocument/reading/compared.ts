/** A patch as it is shown when it is compared: of each file what changed since, and with each section what became of it. */
import type {
  ComparisonView,
  PatchView,
  SectionComparison,
  SectionView,
} from '../../../protocol/patchDocument.ts';
import { newlineCount } from '../../../util/newlineCount.ts';

/** Sections with their comparison: an unchanged one stays the same object, so that it isn't drawn again. */
const made = new WeakMap<SectionView, { compared: SectionComparison; section: SectionView }>();
const madeOfAll = new WeakMap<
  readonly SectionView[],
  { comparison: ComparisonView; sections: SectionView[] }
>();

/** See the module. */
export function withComparison(patch: PatchView): PatchView {
  const { comparison, sections } = patch;
  if (!comparison) {
    return patch;
  }
  const known = madeOfAll.get(sections);
  if (known?.comparison === comparison) {
    return { ...patch, sections: known.sections };
  }
  const all = sections.map((section) => {
    const compared = comparison.sections[section.code];
    return compared ? sectionWith(section, compared) : section;
  });
  madeOfAll.set(sections, { comparison, sections: all });
  return { ...patch, sections: all };
}

function sectionWith(section: SectionView, compared: SectionComparison): SectionView {
  const known = made.get(section);
  if (known?.compared === compared) {
    return known.section;
  }
  const { diff } = compared;
  const shown: SectionView = {
    ...section,
    compared,
    ...(section.type === 'diff' &&
      diff !== undefined && {
        diff,
        diffLength: diff.length,
        diffLines: newlineCount(diff),
        added: linesBeginning(diff, '+'),
        deleted: linesBeginning(diff, '-'),
      }),
  };
  made.set(section, { compared, section: shown });
  return shown;
}

function linesBeginning(diff: string, mark: '+' | '-'): number {
  const start = diff.search(/^@@ /m);
  return diff
    .slice(Math.max(0, start))
    .split('\n')
    .filter((line) => line.startsWith(mark)).length;
}

/** Names the diff of an older version beside that of a section: what is shown of it by its lines. */
export function olderCode(code: string): string {
  return `${code} then`;
}

/** Returns true when there is something to read about a section as a whole, beside the lines of its file. */
export function isChangeByItself({ type, compared }: SectionView): boolean {
  return (
    compared !== undefined &&
    (compared.isMoved ||
      (type !== 'diff' && !compared.isFolded) ||
      compared.both?.reason === 'noLines' ||
      compared.olderPath !== undefined)
  );
}

/**
 * Returns true when everything there is to read of a section is on the page: if it wasn't read in the version that it is compared
 * with, the changes since then aren't enough.
 */
export function isShownWhole({ type, compared }: SectionView): boolean {
  return compared === undefined || type !== 'diff' || compared.diff === undefined || compared.wasRead;
}
