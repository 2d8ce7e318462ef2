import * as l10n from '@vscode/l10n';
import { useEffect, useRef, useState } from 'preact/hooks';
import { markShortcuts, readableKey } from './markShortcuts.ts';
import type { MarkName } from './marks.ts';
import type { TextEdit } from './textEdit.ts';

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

/** Buttons for the common marks; one stop of the Tab key, with the arrow keys between them. */
export function MarkToolbar({ edit }: { edit: TextEdit }) {
  const toolbar = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(edit.marks);
  const [stop, setStop] = useState(0);
  useEffect(() => {
    setActive(edit.marks);
    const subscription = edit.onDidChangeMarks(setActive);
    return () => void subscription.dispose();
  }, [edit]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const count = marks.length;
    const next = {
      ArrowRight: (stop + 1) % count,
      ArrowLeft: (stop + count - 1) % count,
      Home: 0,
      End: count - 1,
    }[event.key];
    if (next !== undefined) {
      event.preventDefault();
      setStop(next);
      toolbar.current?.querySelectorAll('button')[next]?.focus();
    }
  };
  return (
    <div
      class="mark-toolbar"
      role="toolbar"
      aria-label={l10n.t('Formatting')}
      ref={toolbar}
      onKeyDown={onKeyDown}
    >
      {marks.map(({ mark, icon, label }, index) => {
        const key = markShortcuts.find((shortcut) => shortcut.mark === mark)?.key;
        return (
          <button
            key={mark}
            type="button"
            class="icon-button"
            tabIndex={index === stop ? 0 : -1}
            title={key === undefined ? label() : `${label()} (${readableKey(key)})`}
            aria-label={label()}
            aria-pressed={active.has(mark)}
            // The editor keeps its selection, which the mark is for.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => {
              setStop(index);
              edit.editor?.putMark(mark);
            }}
          >
            <i class={`codicon codicon-${icon}`} aria-hidden="true" />
          </button>
        );
      })}
    </div>
  );
}
