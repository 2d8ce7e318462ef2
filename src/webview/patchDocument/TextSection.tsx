import * as l10n from '@vscode/l10n';
import type { PanelSettings } from '../../protocol/panel.ts';
import type { TextSectionView } from '../../protocol/patchDocument.ts';
import { Prose } from '../common/Prose.tsx';

/** The author's prose. */
export function TextSection({ section, settings }: { section: TextSectionView; settings: PanelSettings }) {
  return (
    <section
      data-section-type="text"
      data-section={section.code}
      tabIndex={-1}
      aria-label={section.title ?? l10n.t('Text')}
    >
      {section.text.trim() === '' ? (
        <p class="muted">{l10n.t('This section has no text yet.')}</p>
      ) : (
        <Prose markdown={section.text} settings={settings} />
      )}
    </section>
  );
}
