import * as l10n from '@vscode/l10n';
import type { SectionView } from '../../../protocol/patchDocument.ts';
import { useReading, useReadingState } from '../reading/reading.ts';

/** Says that the person has read a section, and lets them say so, or the opposite; it goes when the section changes. */
export function ReadMark({ section, name }: { section: SectionView; name: string }) {
  const reading = useReading();
  const isRead = useReadingState((state) => state.read.has(section.code));
  return (
    <label class="read-mark" title={l10n.t('Read: {0}', name)}>
      <input
        type="checkbox"
        checked={isRead}
        aria-label={l10n.t('Read: {0}', name)}
        onChange={({ currentTarget }) => reading.setRead(section, currentTarget.checked)}
      />
      <span aria-hidden="true">{l10n.t('read')}</span>
    </label>
  );
}
