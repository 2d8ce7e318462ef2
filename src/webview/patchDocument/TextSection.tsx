import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import type { PanelSettings } from '../../protocol/panel.ts';
import type { TextSectionView } from '../../protocol/patchDocument.ts';
import { renderMarkdown } from '../common/markdown.ts';

/** The author's prose. */
export function TextSection({ section, settings }: { section: TextSectionView; settings: PanelSettings }) {
  const html = useMemo(
    () =>
      renderMarkdown(section.text, {
        loadRemoteImages: settings.loadRemoteImages,
        blockedImageText: (text) =>
          text ? l10n.t('Picture not loaded: {0}', text) : l10n.t('Picture not loaded'),
      }),
    [section.text, settings.loadRemoteImages],
  );
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
        <div class="prose" dir="auto" dangerouslySetInnerHTML={{ __html: html }} />
      )}
    </section>
  );
}
