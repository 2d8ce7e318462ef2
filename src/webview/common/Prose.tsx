import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import type { PanelSettings } from '../../protocol/panel.ts';
import { renderMarkdown, type MarkdownOptions } from './markdown.ts';
import { readReference, type FileReference } from './references.ts';
import { scrollPage } from './scrollPage.ts';

/** How markdown is rendered in this window. */
export function markdownOptions({ loadRemoteImages }: PanelSettings): MarkdownOptions {
  return {
    loadRemoteImages,
    blockedImageText: (text) =>
      text ? l10n.t('Picture not loaded: {0}', text) : l10n.t('Picture not loaded'),
    taskText: (done) => (done ? l10n.t('done') : l10n.t('to do')),
  };
}

/** Markdown from strangers, rendered and sanitized. */
export function Prose(props: {
  markdown: string;
  settings: PanelSettings;
  /** Tells its footnotes from those of other prose on the page. */
  id?: string;
  /** The level of the page's heading above it. */
  headingsBelow?: number;
  /** Goes to what a reference such as `src/a.ts#L3-L5` means; without it such references are plain text. */
  onReference?: (reference: FileReference) => void;
}) {
  const { markdown, settings, id = '', headingsBelow, onReference } = props;
  const withReferences = onReference !== undefined;
  const html = useMemo(
    () =>
      renderMarkdown(markdown, {
        ...markdownOptions(settings),
        id,
        withReferences,
        ...(headingsBelow !== undefined && { headingsBelow }),
      }),
    [markdown, settings, id, headingsBelow, withReferences],
  );
  const follow = (event: Event): void => {
    const target = event.target instanceof Element ? event.target : undefined;
    const button = target?.closest('[data-reference]');
    const reference = readReference(button?.getAttribute('data-reference') ?? '');
    if (reference) {
      event.preventDefault();
      onReference?.(reference);
    }
  };
  const goToFootnote = (event: Event): void => {
    const link = event.target instanceof Element ? event.target.closest('a[href^="#"]') : undefined;
    const place = link && document.getElementById(link.getAttribute('href')?.slice(1) ?? '');
    if (place) {
      // VS Code would scroll its own page too.
      event.preventDefault();
      event.stopPropagation();
      scrollPage(place, 'start');
    }
  };
  return (
    <div
      class="prose"
      dir="auto"
      onClick={(event) => {
        goToFootnote(event);
        // Selecting its words is not following it.
        if (document.getSelection()?.isCollapsed ?? true) {
          follow(event);
        }
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' || event.key === ' ') {
          follow(event);
        }
      }}
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
