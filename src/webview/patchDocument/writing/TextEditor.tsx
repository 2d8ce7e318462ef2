import * as l10n from '@vscode/l10n';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PanelSettings } from '../../../protocol/panel.ts';
import type { TextRefusal } from '../../../protocol/patchWriting.ts';
import { Problem } from '../../common/Problem.tsx';
import { markdownOptions } from '../../common/Prose.tsx';
import { keptText, restoredText, SilenceNote } from '../../common/SilenceNote.tsx';
import { showsImages, titleLevel } from '../reading/DocumentProse.tsx';
import { inBackground } from '../../../util/inBackground.ts';
import type { OfferedName } from '../../../util/proseProblem.ts';
import { useReading, type Reading } from '../reading/reading.ts';
import { EditorHelp, ImageNote, imageNoteText } from './EditorHelp.tsx';
import { EditorPanes } from '../editor/EditorPanes.tsx';
import { readableKey } from '../editor/markShortcuts.ts';
import { MarkToolbar } from './MarkToolbar.tsx';
import { Preview } from '../editor/preview.ts';
import type { EditStatus, TextEdit } from './textEdit.ts';
import { useChanges } from './WritingContext.tsx';
import type { Writing } from './writing.ts';
import { Button } from '../../common/controls.tsx';

/** A section that is being written: its markdown with a toolbar, its preview, and how far it is. */
export function TextEditor(props: { edit: TextEdit; writing: Writing; settings: PanelSettings }) {
  const { edit, writing, settings } = props;
  const source = useRef<HTMLDivElement>(null);
  const shown = useRef<HTMLDivElement>(null);
  const [failure, setFailure] = useState<string>();
  const isNew = !('code' in edit.target);
  const reading = useReading();
  const [imageNote, setImageNote] = useState(false);

  useEffect(() => {
    const place = source.current;
    if (!place || !shown.current) {
      return;
    }
    const preview = new Preview(shown.current, {
      ...markdownOptions(settings),
      headingsBelow: titleLevel,
      imageAt: (path) => {
        reading.images.want(path);
        return reading.images.known.get(path);
      },
    });
    let offered: Promise<readonly OfferedName[]> | undefined;
    const subscription = edit.onDidType(() => {
      if (edit.editor) {
        preview.update(edit.editor);
      }
    });
    const imagesSubscription = reading.images.onDidChange(() => preview.renew(showsImages));
    edit
      .attach(
        place,
        {
          label: isNew ? l10n.t('New section (Markdown)') : l10n.t('Section text (Markdown)'),
          placeholder: l10n.t('Write in Markdown'),
        },
        {
          onSave: () => inBackground(writing.save(edit)),
          onCancel: () => inBackground(writing.cancel(edit)),
          onScroll: () => preview.follow(),
          onImages: (names) => {
            const shown = imagesNamed(names, reading);
            if (shown === undefined) {
              setImageNote(true);
              writing.announce(imageNoteText());
            }
            return shown;
          },
          names: () => (offered ??= reading.host.request('offeredNames', null).catch(() => [])),
        },
      )
      .catch(() => setFailure(l10n.t("Couldn't load the editor. Close and reopen this patch.")));
    return () => {
      subscription.dispose();
      imagesSubscription.dispose();
      preview.dispose();
      edit.detach(place);
    };
  }, [edit, settings]);

  return (
    <div class="text-editor">
      <MarkToolbar edit={edit} />
      <EditorPanes source={source} preview={shown} />
      {failure !== undefined && <Problem text={failure} />}
      {imageNote && <ImageNote onDismiss={() => setImageNote(false)} />}
      <EditorHelp edit={edit} />
      <EditFooter edit={edit} writing={writing} isNew={isNew} />
    </div>
  );
}

/** Markdown for images that the patch has, by the names of their files; undefined when it doesn't have all of them. */
function imagesNamed(names: readonly string[], reading: Reading): string | undefined {
  const shown = names.flatMap((name) => {
    const path = reading.pathOfFile(name);
    return path === undefined ? [] : `![${name}](${encodeURI(path)})`;
  });
  return shown.length === names.length ? shown.join(' ') : undefined;
}

/** Save and cancel, and how far the text is. */
function EditFooter({ edit, writing, isNew }: { edit: TextEdit; writing: Writing; isNew: boolean }) {
  const [status, setStatus] = useState(edit.status);
  useEffect(() => {
    setStatus(edit.status);
    return subscribed(edit.onDidChange(setStatus));
  }, [edit]);
  useChanges(writing.onDidChange);
  const { silence } = writing;
  const goneOn = writing.isGoneOnElsewhere(edit.key);
  const sending = status.progress === 'sending';
  const save = (): void => inBackground(writing.save(edit));
  return (
    <div class="editor-foot">
      {status.proposed && (
        <EditorNote text={l10n.t('A language model wrote this. Read it before you save it.')} />
      )}
      {writing.isRestored(edit.key) && <EditorNote text={restoredText()} />}
      {status.hasOther && (
        <EditorNote
          text={keptText()}
          action={{ label: l10n.t('Show'), run: () => writing.actOn(edit, 'showOther') }}
        />
      )}
      {goneOn ? (
        <EditorNote
          text={l10n.t('Another tab of this patch has continued with what you typed here. Continue there.')}
        />
      ) : (
        silence && <SilenceNote {...silence} />
      )}
      {status.notSavedLocally !== undefined && <Problem text={status.notSavedLocally} />}
      {status.refusal && <Refusal refusal={status.refusal} edit={edit} writing={writing} isNew={isNew} />}
      <div class="editor-footer">
        <Button class="primary" disabled={sending} onClick={save}>
          {isNew ? l10n.t('Add Section') : l10n.t('Save')}
        </Button>
        <Button class="secondary" disabled={sending} onClick={() => inBackground(writing.cancel(edit))}>
          {l10n.t('Cancel')}
        </Button>
        {/* Not said aloud, for it changes with every key: that it was saved, and what went wrong, is. */}
        <span class="editor-status">
          {silence && status.progress === 'typing' ? l10n.t('Not confirmed') : statusText(status)}
        </span>
        <span class="editor-keys">{l10n.t('{0} to save, Escape to cancel', readableKey('Mod-Enter'))}</span>
      </div>
    </div>
  );
}

/** Something to know about the text, which the page has announced, and what can be done about it. */
function EditorNote({
  text,
  action,
}: {
  text: string;
  action?: { label: string; run: () => Promise<void> };
}) {
  return (
    <div class="writing-note">
      <i class="codicon codicon-info" aria-hidden="true" />
      <span>{text}</span>
      {action && (
        <button type="button" class="link-button" onClick={() => inBackground(action.run())}>
          {action.label}
        </button>
      )}
    </div>
  );
}

/** Why the service did not take the text, and what can be done about it. */
function Refusal(props: { refusal: TextRefusal; edit: TextEdit; writing: Writing; isNew: boolean }) {
  const { refusal, edit, writing, isNew } = props;
  const actions: { label: string; run: () => Promise<void> }[] = [];
  switch (refusal.kind) {
    case 'unsent':
      actions.push({ label: l10n.t('Retry'), run: () => writing.save(edit) });
      break;
    case 'conflict':
      actions.push({ label: l10n.t('Merge…'), run: () => writing.actOn(edit, 'merge') });
      break;
    case 'deleted':
      actions.push({
        label: l10n.t('Add as New Section'),
        run: () => writing.actOn(edit, 'addAgain'),
      });
      break;
  }
  if (!isNew) {
    // A deleted section is compared with its last text in the place where that can be resolved as well.
    const action = refusal.kind === 'deleted' ? 'merge' : 'compare';
    actions.push({ label: l10n.t('Compare'), run: () => writing.actOn(edit, action) });
  }
  actions.push({ label: l10n.t('Discard'), run: () => writing.cancel(edit) });
  return (
    <Problem text={refusal.text}>
      {actions.map(({ label, run }) => (
        <button key={label} type="button" class="link-button" onClick={() => inBackground(run())}>
          {label}
        </button>
      ))}
    </Problem>
  );
}

function statusText({ progress, refusal, notSavedLocally }: EditStatus): string {
  switch (progress) {
    case 'unchanged':
      return l10n.t('No changes');
    case 'typing':
      // A screen reader would say it with every key.
      return '';
    case 'sending':
      return l10n.t('Saving…');
    case 'savedLocally':
      return notSavedLocally !== undefined
        ? l10n.t("Couldn't save locally")
        : refusal
          ? l10n.t('Not sent, saved locally')
          : l10n.t('Saved locally');
  }
}

function subscribed(subscription: { dispose: () => unknown }): () => void {
  return () => void subscription.dispose();
}
