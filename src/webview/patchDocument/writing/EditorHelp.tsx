import * as l10n from '@vscode/l10n';
import { IconButton } from '../../common/IconButton.tsx';

/** Says why an image that was pasted or dropped is not in the text, and what can be done instead. */
export function ImageNote({ onDismiss }: { onDismiss: () => void }) {
  return (
    <div class="writing-note">
      <i class="codicon codicon-info" aria-hidden="true" />
      <span>{imageNoteText()}</span>
      <IconButton icon="close" label={l10n.t('Dismiss')} onClick={onDismiss} />
    </div>
  );
}

/** The same to be said aloud. */
export function imageNoteText(): string {
  return l10n.t(
    "The server stores text only, so this image isn't in the section. Commit it to the repository, then show it with ![Description](path/to/image.png).",
  );
}
