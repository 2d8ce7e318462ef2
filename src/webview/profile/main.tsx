/** The profile form: what the service knows of the person who is signed in, to be changed. */
import '@vscode/codicons/dist/codicon.css';
import '../common/base.css';
import '../common/form.css';
import './profile.css';
import * as l10n from '@vscode/l10n';
import { render } from 'preact';
import type { PanelSettings } from '../../protocol/panel.ts';
import type { ProfileForm, ProfileHost, ProfilePage } from '../../protocol/profile.ts';
import { connectToHost, untilAnswered } from '../common/host.ts';
import { App, type FormState } from './App.tsx';

let settings: PanelSettings;
/** Counts what was loaded: a form that is loaded again starts anew. */
let loads = 0;

const { peer: host } = connectToHost<ProfileHost, ProfilePage>({
  reload: async () => {
    await load();
    return null;
  },
});

function draw(state: FormState): void {
  render(
    <App key={loads} state={state} settings={settings} host={host} load={() => void load()} />,
    document.body,
  );
}

async function load(): Promise<void> {
  const current = ++loads;
  draw({ kind: 'loading' });
  let form: ProfileForm;
  try {
    // The person may be asked to sign in again meanwhile: that takes as long as it takes.
    form = await host.request('load', null, { timeout: untilAnswered });
  } catch (error) {
    if (current === loads) {
      draw({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) });
    }
    return;
  }
  if (current === loads) {
    draw({ kind: 'shown', form });
  }
}

async function start(): Promise<void> {
  settings = await host.request('settings', null);
  l10n.config({ contents: settings.bundle });
  document.documentElement.lang = settings.language;
  await load();
}

void start();
