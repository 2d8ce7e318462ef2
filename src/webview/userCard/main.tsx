/** The card of a user: what is public of them, and their SSH keys. */
import '@vscode/codicons/dist/codicon.css';
import '../common/base.css';
import '../common/form.css';
import './userCard.css';
import * as l10n from '@vscode/l10n';
import type { UserCardHost, UserCardPage, UserCardState, UserCardView } from '../../protocol/userCard.ts';
import { connectToHost, untilAnswered } from '../common/host.ts';
import { Page, startPage } from '../common/page.tsx';
import { Card } from './Card.tsx';

let page: Page<UserCardView> | undefined;

const { peer: host, setState } = connectToHost<UserCardHost, UserCardPage>({
  reload: async () => {
    await page?.load();
    return null;
  },
});

async function load(): Promise<UserCardView> {
  // The person may be asked to sign in again meanwhile: that takes as long as it takes.
  const user = await host.request('load', null, { timeout: untilAnswered });
  setState({ login: user.login } satisfies UserCardState);
  return user;
}

void startPage(host.request('settings', null), ({ language }) => {
  page = new Page({
    loadingText: () => l10n.t('Loading the profile…'),
    load,
    view: (user) => <Card key={user.login} user={user} language={language} host={host} />,
  });
  return page;
});
