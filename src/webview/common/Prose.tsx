import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import type { PanelSettings } from '../../protocol/panel.ts';
import { renderMarkdown } from './markdown.ts';

/** Markdown from strangers, rendered and sanitized. */
export function Prose({ markdown, settings }: { markdown: string; settings: PanelSettings }) {
  const { loadRemoteImages } = settings;
  const html = useMemo(
    () =>
      renderMarkdown(markdown, {
        loadRemoteImages,
        blockedImageText: (text) =>
          text ? l10n.t('Picture not loaded: {0}', text) : l10n.t('Picture not loaded'),
      }),
    [markdown, loadRemoteImages],
  );
  return <div class="prose" dir="auto" dangerouslySetInnerHTML={{ __html: html }} />;
}
