import * as l10n from '@vscode/l10n';
import { IconButton } from '../../common/IconButton.tsx';
import { useWriting } from '../writing/WritingContext.tsx';
import type { WritingNote } from '../writing/writing.ts';

/** Something said at a section, with what can be done about it. */
export function Note({ note }: { note: WritingNote }) {
  const { writing } = useWriting();
  return (
    <div class="writing-note">
      <span>{note.text}</span>
      {note.action && (
        <button type="button" class="link-button" onClick={note.action.run}>
          {note.action.label}
        </button>
      )}
      <IconButton icon="close" label={l10n.t('Dismiss')} onClick={() => writing.dismissNote()} />
    </div>
  );
}
