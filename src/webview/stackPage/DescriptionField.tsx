import * as l10n from '@vscode/l10n';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PanelSettings } from '../../protocol/panel.ts';
import { Emitter } from '../../util/event.ts';
import { Problem } from '../common/Problem.tsx';
import { markdownOptions } from '../common/Prose.tsx';
import { EditorPanes } from '../patchDocument/editor/EditorPanes.tsx';
import type { MarkdownEditor } from '../patchDocument/editor/markdownEditor.ts';
import type { MarkName } from '../patchDocument/editor/marks.ts';
import { Preview } from '../patchDocument/editor/preview.ts';
import { ImageNote } from '../patchDocument/writing/EditorHelp.tsx';
import { MarkToolbar, type Markable } from '../patchDocument/writing/MarkToolbar.tsx';

interface Parts {
  settings: PanelSettings;
  onType: (text: string) => void;
  onSave: () => void;
  onCancel: () => void;
}

/** The description of a stack as Markdown, in the editor of sections, with its preview. */
export function DescriptionField(props: Parts & { text: string }) {
  const { settings } = props;
  const source = useRef<HTMLDivElement>(null);
  const shown = useRef<HTMLDivElement>(null);
  const [failed, setFailed] = useState(false);
  const [imageNote, setImageNote] = useState(false);
  // The editor lives as long as the field does, and calls what the field was given last.
  const latest = useRef(props);
  latest.current = props;
  const [edit] = useState(() => new DescriptionEdit());

  useEffect(() => {
    const { current: place } = source;
    const { current: previewPlace } = shown;
    if (!place || !previewPlace) {
      return undefined;
    }
    const preview = new Preview(previewPlace, { ...markdownOptions(settings), headingsBelow: 1 });
    edit.start(place, preview, latest, () => setImageNote(true)).catch(() => setFailed(true));
    return () => edit.dispose();
  }, [edit]);

  return (
    <div class="field">
      <strong>{l10n.t('Description')}</strong>
      <div class="text-editor">
        <MarkToolbar edit={edit} />
        <EditorPanes source={source} preview={shown} />
        {failed && <Problem text={l10n.t("Couldn't load the editor. Close and reopen the patch stack.")} />}
        {imageNote && <ImageNote onDismiss={() => setImageNote(false)} />}
      </div>
    </div>
  );
}

/** The editor of a description, and its marks for the toolbar. */
class DescriptionEdit implements Markable {
  marks: ReadonlySet<MarkName> = new Set();
  editor: MarkdownEditor | undefined;
  readonly #changed = new Emitter<ReadonlySet<MarkName>>();
  readonly onDidChangeMarks = this.#changed.event;
  #preview: Preview | undefined;
  #isDisposed = false;

  async start(
    place: HTMLElement,
    preview: Preview,
    latest: { current: Parts & { text: string } },
    onImages: () => void,
  ): Promise<void> {
    this.#preview = preview;
    // Larger than all the rest, so it comes when someone writes.
    const { createMarkdownEditor } = await import('../patchDocument/editor/markdownEditor.ts');
    if (this.#isDisposed) {
      return;
    }
    const { text } = latest.current;
    const editor = createMarkdownEditor({
      text,
      label: l10n.t('Description (Markdown)'),
      placeholder: l10n.t('Write in Markdown'),
      cursor: text.length,
      onChange: () => {
        preview.update(editor);
        latest.current.onType(editor.text);
      },
      onMarks: (marks) => {
        this.marks = marks;
        this.#changed.fire(marks);
      },
      onScroll: () => preview.follow(),
      onImages: () => {
        onImages();
        return undefined;
      },
      names: async () => [],
      onBlur: () => undefined,
      onSave: () => latest.current.onSave(),
      onCancel: () => latest.current.onCancel(),
    });
    this.editor = editor;
    place.append(editor.dom);
    preview.update(editor);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#preview?.dispose();
    this.editor?.dom.remove();
    this.editor?.dispose();
    this.editor = undefined;
  }
}
