import * as l10n from '@vscode/l10n';
import { IconButton } from '../../common/IconButton.tsx';
import { useChanges, useWriting } from './WritingContext.tsx';

/** Says at the lower edge of the window what was changed last, with *Undo*. */
export function StatusLine() {
  const { writing } = useWriting();
  useChanges(writing.onDidChange);
  const { told } = writing;
  return (
    <div class="status-line" role="status">
      {told && (
        <div class="writing-note" key={told.change}>
          <span>{told.text}</span>
          <button type="button" class="link-button" onClick={() => writing.undoTold()}>
            {l10n.t('Undo')}
          </button>
          <IconButton icon="close" label={l10n.t('Dismiss')} onClick={() => writing.dismissTold()} />
        </div>
      )}
    </div>
  );
}
