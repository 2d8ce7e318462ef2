import * as l10n from '@vscode/l10n';
import type { SectionView } from '../../../protocol/patchDocument.ts';
import { sectionTitle } from '../../../util/sectionTitle.ts';

/** What a person calls a section. */
export function sectionName(section: SectionView): string {
  switch (section.type) {
    case 'text':
      return sectionTitle(section.text) ?? section.title ?? l10n.t('Text');
    case 'diff':
      return section.path;
    case 'unreadable':
      return section.title ?? section.code;
  }
}
