import type { SectionView } from '../../../protocol/patchDocument.ts';
import { sectionName } from '../sections/sectionName.ts';

/** What a section is called in the outline: a file by its name, with its folder after it; all else as everywhere. */
export function outlineTitle(section: SectionView): { name: string; folder: string } {
  if (section.type !== 'diff') {
    return { name: sectionName(section), folder: '' };
  }
  const path = sectionName(section);
  const slash = path.lastIndexOf('/') + 1;
  return { name: path.slice(slash), folder: path.slice(0, slash) };
}
