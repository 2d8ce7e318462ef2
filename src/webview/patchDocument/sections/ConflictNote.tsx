import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import { inBackground } from '../../../util/inBackground.ts';
import { splitConflict } from '../../../util/sharedConflict.ts';
import { useWriting } from '../writing/WritingContext.tsx';

/** That two people have left a conflict in a text, and what resolves it. */
export function ConflictNote({ code, text }: { code: string; text: string }) {
  const { writing } = useWriting();
  const isConflict = useMemo(() => splitConflict(text) !== undefined, [text]);
  if (!isConflict) {
    return null;
  }
  return (
    <div class="writing-note" role="note">
      <i class="codicon codicon-git-merge" aria-hidden="true" />
      <span>{l10n.t('Resolving this conflict resolves it for everyone.')}</span>
      <button type="button" class="link-button" onClick={() => inBackground(writing.resolveShared(code))}>
        {l10n.t('Resolve…')}
      </button>
    </div>
  );
}
