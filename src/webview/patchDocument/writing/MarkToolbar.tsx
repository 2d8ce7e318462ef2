import * as l10n from '@vscode/l10n';
import { useEffect, useState } from 'preact/hooks';
import { Toolbar } from '../../common/Toolbar.tsx';
import { markShortcuts, readableKey } from '../editor/markShortcuts.ts';
import type { MarkName } from '../editor/marks.ts';
import type { Event } from '../../../util/event.ts';
import type { MarkdownEditor } from '../editor/markdownEditor.ts';

const marks: readonly { mark: MarkName; icon: string; label: () => string }[] = [
  { mark: 'bold', icon: 'bold', label: () => l10n.t('Bold') },
  { mark: 'italic', icon: 'italic', label: () => l10n.t('Italic') },
  { mark: 'code', icon: 'code', label: () => l10n.t('Code') },
  { mark: 'link', icon: 'link', label: () => l10n.t('Link') },
  { mark: 'heading', icon: 'text-size', label: () => l10n.t('Heading') },
  { mark: 'bulletList', icon: 'list-unordered', label: () => l10n.t('List') },
  { mark: 'orderedList', icon: 'list-ordered', label: () => l10n.t('Numbered list') },
  { mark: 'task', icon: 'tasklist', label: () => l10n.t('Task list') },
  { mark: 'quote', icon: 'quote', label: () => l10n.t('Quote') },
  { mark: 'codeBlock', icon: 'file-code', label: () => l10n.t('Code block') },
];

/** An editor as the buttons see it. */
export interface Markable {
  /** The marks around the cursor. */
  marks: ReadonlySet<MarkName>;
  onDidChangeMarks: Event<ReadonlySet<MarkName>>;
  /** Undefined until it is loaded. */
  editor: Pick<MarkdownEditor, 'putMark'> | undefined;
}

/** Buttons for the common marks. */
export function MarkToolbar({ edit }: { edit: Markable }) {
  const [active, setActive] = useState(edit.marks);
  useEffect(() => {
    setActive(edit.marks);
    const subscription = edit.onDidChangeMarks(setActive);
    return () => void subscription.dispose();
  }, [edit]);

  return (
    <Toolbar class="mark-toolbar" label={l10n.t('Formatting')}>
      {marks.map(({ mark, icon, label }) => {
        const key = markShortcuts.find((shortcut) => shortcut.mark === mark)?.key;
        return (
          <button
            key={mark}
            type="button"
            class="icon-button"
            title={key === undefined ? label() : `${label()} (${readableKey(key)})`}
            aria-label={label()}
            aria-pressed={active.has(mark)}
            // The editor keeps its selection, which the mark is for.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => {
              edit.editor?.putMark(mark);
            }}
          >
            <i class={`codicon codicon-${icon}`} aria-hidden="true" />
          </button>
        );
      })}
    </Toolbar>
  );
}
