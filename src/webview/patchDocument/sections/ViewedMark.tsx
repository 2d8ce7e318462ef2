import * as l10n from '@vscode/l10n';
import type { SectionView } from '../../../protocol/patchDocument.ts';
import { useReading, useReadingState } from '../reading/reading.ts';

/** The person's own mark that they have viewed a section; it goes when the section changes. */
export function ViewedMark({ section, name }: { section: SectionView; name: string }) {
  const reading = useReading();
  const viewed = useReadingState((state) => state.viewed.has(section.code));
  return (
    <label class="viewed-mark" title={l10n.t('Viewed')}>
      <input
        type="checkbox"
        checked={viewed}
        aria-label={l10n.t('Viewed: {0}', name)}
        onChange={() => reading.setViewed(section, !viewed)}
      />
      <span aria-hidden="true">{l10n.t('Viewed')}</span>
    </label>
  );
}
