import * as l10n from '@vscode/l10n';
import type { SectionView } from '../../../protocol/patchDocument.ts';

/** What a section is called in the outline: a file by its name, with its folder after it; prose by its heading or first words. */
export function outlineTitle(section: SectionView): { name: string; folder: string } {
  switch (section.type) {
    case 'diff': {
      const slash = section.path.lastIndexOf('/') + 1;
      return { name: section.path.slice(slash), folder: section.path.slice(0, slash) };
    }
    case 'text': {
      const heading = /^#{1,6}\s+(.+?)\s*#*$/m.exec(section.text)?.[1];
      const firstLine = section.text.split('\n').find((line) => line.trim() !== '');
      const name = (heading ?? section.title ?? firstLine ?? '').replaceAll(/[*_`]+/g, '').trim();
      return { name: name === '' ? l10n.t('Text') : name.slice(0, 120), folder: '' };
    }
    case 'unreadable':
      return { name: section.title ?? section.code, folder: '' };
  }
}
