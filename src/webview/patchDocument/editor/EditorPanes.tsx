import * as l10n from '@vscode/l10n';
import type { RefObject } from 'preact';

/** The places of a Markdown editor and of its preview, beside or below each other. */
export function EditorPanes(props: {
  source: RefObject<HTMLDivElement | null>;
  preview: RefObject<HTMLDivElement | null>;
}) {
  return (
    <div class="editor-panes">
      <div class="editor-source" ref={props.source} />
      <div
        class="prose editor-preview"
        ref={props.preview}
        role="region"
        tabIndex={0}
        dir="auto"
        aria-label={l10n.t('Preview')}
      />
    </div>
  );
}
