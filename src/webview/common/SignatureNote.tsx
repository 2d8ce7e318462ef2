import * as l10n from '@vscode/l10n';
import type { SignatureState } from '../../util/review.ts';

const icons: Record<SignatureState, string> = {
  verified: 'verified',
  unverified: 'unverified',
  mismatch: 'warning',
};

/** Says behind the name of a reviewer how what they say is signed. */
export function SignatureNote({ name, state }: { name: string; state: SignatureState | undefined }) {
  return state === undefined ? null : (
    <span class="signature" data-state={state} title={signatureSentence(state, name)}>
      <i class={`codicon codicon-${icons[state]}`} aria-hidden="true" />
      <span>{signatureWord(state)}</span>
    </span>
  );
}

/** The state in one or two words. */
export function signatureWord(state: SignatureState): string {
  switch (state) {
    case 'verified':
      return l10n.t('verified');
    case 'unverified':
      return l10n.t('not verified');
    case 'mismatch':
      return l10n.t("doesn't match");
  }
}

function signatureSentence(state: SignatureState, name: string): string {
  switch (state) {
    case 'verified':
      return l10n.t('Signed with an SSH key that {0} has published', name);
    case 'unverified':
      return l10n.t('Not signed with an SSH key that {0} has published', name);
    case 'mismatch':
      return l10n.t(
        "The signature doesn't match, or {0} said this of other changes. Don't rely on it.",
        name,
      );
  }
}
