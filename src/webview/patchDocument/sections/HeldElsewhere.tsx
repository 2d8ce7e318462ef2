import * as l10n from '@vscode/l10n';
import { useWriting } from '../writing/WritingContext.tsx';

/**
 * The changes of a section that other windows hold, or without a code those of the patch as a whole, with buttons to take them
 * over.
 */
export function HeldElsewhere({ code }: { code?: string }) {
  const { writing } = useWriting();
  return (
    <>
      {writing.elsewhere(code).map((change) => (
        <div class="writing-note" key={change.id}>
          <span>
            {code === undefined
              ? l10n.t('"{0}" has an unsent change in another window.', change.title)
              : l10n.t('This section has an unsent change in another window.')}
          </span>
          <button type="button" class="link-button" onClick={() => writing.takeOver(change)}>
            {l10n.t('Take Over')}
          </button>
        </div>
      ))}
    </>
  );
}
