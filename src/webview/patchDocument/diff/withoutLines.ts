/** The texts in place of a diff that has no lines to show. */
import * as l10n from '@vscode/l10n';
import type { DiffSectionView } from '../../../protocol/patchDocument.ts';
import type { FileDiff } from './diff.ts';

/** Of a file whose diff has no lines. */
export function unchangedText({ change }: FileDiff): string {
  switch (change) {
    case 'created':
      return l10n.t('The file is empty.');
    case 'deleted':
      return l10n.t('The file was empty.');
    default:
      return l10n.t('The content is unchanged.');
  }
}

/** Of a binary file: how large it is, when the service has said it. */
export function binaryText({ oldSize, newSize }: Pick<DiffSectionView, 'oldSize' | 'newSize'>): string {
  return oldSize !== undefined && newSize !== undefined
    ? l10n.t('Binary file. Size in bytes: {0} → {1}', oldSize, newSize)
    : l10n.t('Binary file');
}
