/** The texts in place of a diff that has no lines to show. */
import * as l10n from '@vscode/l10n';
import type { DiffSectionView } from '../../../protocol/patchDocument.ts';
import { readableSize } from '../../common/size.ts';
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

/**
 * Of a file that isn't text: its kind, and how large it is, as far as that is known.
 *
 * @param language that of the window.
 */
export function binaryText(
  { oldSize, newSize }: Pick<DiffSectionView, 'oldSize' | 'newSize'>,
  change: FileDiff['change'],
  language: string,
  kind = l10n.t('Binary file'),
): string {
  const [before, after] = [
    change === 'created' ? undefined : oldSize,
    change === 'deleted' ? undefined : newSize,
  ].map((size) => (size === undefined ? undefined : readableSize(size, language)));
  const size =
    before === undefined || after === undefined || before === after
      ? (after ?? before)
      : l10n.t('{0} → {1}', before, after);
  return size === undefined ? kind : l10n.t('{0}, {1}', kind, size);
}
