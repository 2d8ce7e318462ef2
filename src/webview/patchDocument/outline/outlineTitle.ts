import type { SectionView } from '../../../protocol/patchDocument.ts';
import { withEmoji } from '../../common/emoji.ts';
import { sectionName } from '../reading/sectionName.ts';

/** The name of a section in the outline: a file by its own name, with its folder after it; all others as everywhere. */
export function outlineTitle(section: SectionView): { name: string; folder: string } {
  if (section.type !== 'diff') {
    return { name: withEmoji(sectionName(section)), folder: '' };
  }
  const path = sectionName(section);
  const slash = path.lastIndexOf('/') + 1;
  return { name: path.slice(slash), folder: path.slice(0, slash) };
}
