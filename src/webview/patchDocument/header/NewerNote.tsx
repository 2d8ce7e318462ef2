import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import type { NewerVersionView } from '../../../protocol/patchDocument.ts';
import { IconButton } from '../../common/IconButton.tsx';

/** Says that there is a newer version of the stack, and leads there; what one reads stays as it is. */
export function NewerNote({ newer, onShow }: { newer: NewerVersionView | undefined; onShow: () => void }) {
  const [dismissed, setDismissed] = useState<string>();
  if (!newer || newer.id === dismissed) {
    return null;
  }
  return (
    <div class="writing-note newer-note">
      <i class="codicon codicon-versions" aria-hidden="true" />
      <span>{newer.text}</span>
      <button type="button" class="link-button" onClick={onShow}>
        {newer.action}
      </button>
      <IconButton icon="close" label={l10n.t('Dismiss')} onClick={() => setDismissed(newer.id)} />
    </div>
  );
}
