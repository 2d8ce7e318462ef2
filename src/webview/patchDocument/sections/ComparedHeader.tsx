import type { SectionView } from '../../../protocol/patchDocument.ts';
import { TextButton } from '../../common/TextButton.tsx';
import { comparedText } from '../reading/comparisonTexts.ts';
import { sectionName } from '../reading/sectionName.ts';

/** The outcome for a section since the version that the patch is compared with. */
export function ComparedBadge({ section }: { section: SectionView }) {
  const { compared } = section;
  return (
    compared && (
      <span class={`badge compared ${compared.isFolded ? 'quiet' : compared.verdict}`}>
        {comparedText(section)}
      </span>
    )
  );
}

/** The header of a text, which has one only while the patch is compared: one that did not change is folded to it. */
export function ComparedHeader(props: { section: SectionView; folded: boolean; onToggle: () => void }) {
  const { section, folded, onToggle } = props;
  return (
    <h2 class="file-header">
      {section.compared?.isFolded ? (
        <TextButton class="file-toggle" expanded={!folded} onPress={onToggle}>
          <i class={`codicon codicon-${folded ? 'chevron-right' : 'chevron-down'}`} aria-hidden="true" />
          <bdi>{sectionName(section)}</bdi>
        </TextButton>
      ) : null}
      <ComparedBadge section={section} />
    </h2>
  );
}
