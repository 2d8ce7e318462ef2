import * as l10n from '@vscode/l10n';
import type { PanelSettings } from '../../protocol/panel.ts';
import type { ProfileForm, ProfileHost, ProfilePage } from '../../protocol/profile.ts';
import type { RpcPeer } from '../../protocol/rpc.ts';
import { Form } from './Form.tsx';

/** What the page shows. */
export type FormState =
  { kind: 'loading' } | { kind: 'failed'; reason: string } | { kind: 'shown'; form: ProfileForm };

/** The panel in the extension host, as the components see it. */
export type Host = RpcPeer<ProfilePage, ProfileHost>;

/** The whole page. */
export function App(props: { state: FormState; settings: PanelSettings; host: Host; load: () => void }) {
  const { state, settings, host, load } = props;
  switch (state.kind) {
    case 'loading':
      return (
        <main class="notice" aria-busy="true">
          <p role="status">{l10n.t('Loading the profile…')}</p>
        </main>
      );
    case 'failed':
      return (
        <main class="notice">
          <p role="alert">{state.reason}</p>
          <button type="button" class="primary" onClick={load}>
            {l10n.t('Retry')}
          </button>
        </main>
      );
    case 'shown':
      return <Form form={state.form} settings={settings} host={host} />;
  }
}
