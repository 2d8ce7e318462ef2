import * as l10n from '@vscode/l10n';
import { useChanges, useWriting } from '../writing/WritingContext.tsx';
import { Note } from './Note.tsx';

/** The place between two sections at which a new one can be added. */
export function InsertGap({ after, name }: { after: string | null; name: string | undefined }) {
  const { writing } = useWriting();
  useChanges(writing.onDidChange);
  const note = after === null ? writing.noteAt(undefined) : undefined;
  const label =
    name === undefined ? l10n.t('Insert section at the top') : l10n.t('Insert section after {0}', name);
  return (
    <>
      <div class="insert-gap">
        <button
          type="button"
          class="icon-button"
          title={l10n.t('Insert section')}
          aria-label={label}
          onClick={() => writing.add(after)}
        >
          <i class="codicon codicon-add" aria-hidden="true" />
        </button>
      </div>
      {note && <Note note={note} />}
    </>
  );
}
