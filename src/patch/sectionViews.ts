import type { PatchSection, TextVersions } from '../api/types/patches.ts';
import { inlineDiffLength, type SectionView, type TextSectionView } from '../protocol/patchDocument.ts';
import { isDeletion } from '../util/isDeletion.ts';
import { machineWritten } from '../util/machineWritten.ts';
import { newlineCount } from '../util/newlineCount.ts';

/** The sections, with the diffs of the first of them: as many as fill the screen come at once, the others when they are wanted. */
export function sectionViews(sections: readonly PatchSection[]): SectionView[] {
  let left = inlineDiffLength;
  return sections.map((section) => {
    const length = section.sectionType === 'diff' ? (section.diffPatch ?? '').length : 0;
    const inline = length <= left;
    left -= inline ? length : 0;
    return sectionView(section, inline);
  });
}

function versionsView({ isOwn = false, by, others }: TextVersions): NonNullable<TextSectionView['versions']> {
  return { count: others.length + 1, isOwn, ...(by !== undefined && { by }) };
}

function sectionView(section: PatchSection, inline: boolean): SectionView {
  const { code, title } = section;
  switch (section.sectionType) {
    case 'text': {
      const { text = '', changedMessage, versions } = section;
      return {
        type: 'text',
        code,
        ...(title !== undefined && { title }),
        text,
        ...(changedMessage && { changedMessage }),
        ...(versions && { versions: versionsView(versions) }),
      };
    }
    case 'diff': {
      const { oldPath, newPath, oldSize, newSize, encoding, lines, deletions, diffPatch = '' } = section;
      const path = newPath ?? oldPath ?? section.identifier;
      const machine = machineWritten(path, diffPatch);
      return {
        type: 'diff',
        code,
        path,
        ...(machine && { machine }),
        ...(isDeletion(diffPatch) && { isDeleted: true }),
        ...(oldPath !== undefined && { oldPath }),
        ...(lines !== undefined && { added: lines }),
        ...(deletions !== undefined && { deleted: deletions }),
        ...(oldSize !== undefined && { oldSize }),
        ...(newSize !== undefined && { newSize }),
        ...(encoding !== undefined && { encoding }),
        ...(inline && { diff: diffPatch }),
        diffLength: diffPatch.length,
        diffLines: newlineCount(diffPatch),
      };
    }
    case 'unknown':
      return { type: 'unreadable', code, ...(title !== undefined && { title }) };
  }
}
