import * as l10n from '@vscode/l10n';
import type { PanelSettings } from '../../../protocol/panel.ts';
import type { TextSectionView } from '../../../protocol/patchDocument.ts';
import { Prose } from '../../common/Prose.tsx';
import { SectionFrame, type SectionSlots } from './SectionFrame.tsx';

/** The author's prose. */
export function TextSection(props: {
  section: TextSectionView;
  settings: PanelSettings;
  slots: SectionSlots;
}) {
  const { section, settings, slots } = props;
  return (
    <SectionFrame section={section} label={section.title ?? l10n.t('Text')} {...slots}>
      {section.text.trim() === '' ? (
        <p class="muted">{l10n.t('This section has no text yet.')}</p>
      ) : (
        <Prose markdown={section.text} settings={settings} />
      )}
    </SectionFrame>
  );
}
