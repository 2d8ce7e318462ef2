/** The card of a user: what is public of them, and their SSH keys. */
import './userCard.css';
import * as l10n from '@vscode/l10n';
import type { UserCardHost, UserCardPage, UserCardState, UserCardView } from '../../protocol/userCard.ts';
import { connectToHost, untilAnswered } from '../common/host.ts';
import { Page, reload, startPage } from '../common/page.tsx';
import { Card } from './Card.tsx';
import { inBackground } from '../../util/inBackground.ts';

const connection = connectToHost<UserCardHost, UserCardPage>({ reload });
const { peer: host, setState } = connection;

async function load(): Promise<UserCardView> {
  // The person may be asked to sign in again meanwhile: that takes as long as it takes.
  const user = await host.request('load', null, { timeoutMs: untilAnswered });
  setState({ login: user.login } satisfies UserCardState);
  return user;
}

inBackground(
  startPage(
    connection,
    () => host.request('settings', null),
    ({ language }) =>
      new Page({
        loadingText: () => l10n.t('Loading the profile…'),
        load,
        view: (user) => <Card key={user.login} user={user} language={language} host={host} />,
      }),
  ),
);
