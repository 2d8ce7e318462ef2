/** The card of a user: what is public of them, and their SSH keys. */
import '@vscode/codicons/dist/codicon.css';
import '../common/base.css';
import '../common/form.css';
import './userCard.css';
import * as l10n from '@vscode/l10n';
import { render } from 'preact';
import type { PanelSettings } from '../../protocol/panel.ts';
import type { UserCardHost, UserCardPage, UserCardState } from '../../protocol/userCard.ts';
import { connectToHost, untilAnswered } from '../common/host.ts';
import { App, type CardState } from './App.tsx';

let settings: PanelSettings;
let loads = 0;

const { peer: host, setState } = connectToHost<UserCardHost, UserCardPage>({
  reload: async () => {
    await load();
    return null;
  },
});

function draw(state: CardState): void {
  render(<App state={state} settings={settings} host={host} load={() => void load()} />, document.body);
}

async function load(): Promise<void> {
  const current = ++loads;
  draw({ kind: 'loading' });
  let state: CardState;
  try {
    // The person may be asked to sign in again meanwhile: that takes as long as it takes.
    const user = await host.request('load', null, { timeout: untilAnswered });
    setState({ login: user.login } satisfies UserCardState);
    state = { kind: 'shown', user };
  } catch (error) {
    state = { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
  if (current === loads) {
    draw(state);
  }
}

async function start(): Promise<void> {
  settings = await host.request('settings', null);
  l10n.config({ contents: settings.bundle });
  document.documentElement.lang = settings.language;
  await load();
}

void start();
