import * as l10n from '@vscode/l10n';
import type { PatchView } from '../../../protocol/patchDocument.ts';
import { useChanges, useWriting } from '../editor/WritingContext.tsx';

/** Signs the patch off, or takes that back. It shows at once, before the service has answered. */
export function SignOffButton({ patch }: { patch: PatchView }) {
  const { writing } = useWriting();
  useChanges(writing.onDidChange);
  const pending = writing.signOff;
  const signedOff = pending?.problem === undefined ? (pending?.value ?? patch.ownSignOff) : patch.ownSignOff;
  return (
    <button
      type="button"
      class={signedOff ? 'secondary sign-off' : 'primary sign-off'}
      aria-pressed={signedOff === true}
      title={signedOff ? l10n.t('You have signed this patch off. Press to withdraw it.') : undefined}
      onClick={() => writing.setSignOff(!signedOff)}
    >
      <i class="codicon codicon-pass" aria-hidden="true" />
      {signedOff ? l10n.t('Signed Off') : l10n.t('Sign Off')}
    </button>
  );
}
