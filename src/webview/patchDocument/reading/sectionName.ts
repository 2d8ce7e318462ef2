import * as l10n from '@vscode/l10n';
import type { SectionView } from '../../../protocol/patchDocument.ts';
import { sectionTitle } from '../../../util/sectionTitle.ts';
import { plainText, visibleText } from '../../../util/visibleText.ts';

export function sectionName(section: SectionView): string {
  switch (section.type) {
    case 'text':
      return sectionTitle(section.text) ?? visibleText(section.title) ?? l10n.t('Text');
    case 'diff':
      return plainText(section.path);
    case 'unreadable':
      return visibleText(section.title) ?? plainText(section.code);
  }
}
