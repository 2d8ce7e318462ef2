/** The profile form: what the service knows of the person who is signed in, to be changed. */
import '@vscode/codicons/dist/codicon.css';
import '../common/base.css';
import '../common/form.css';
import './profile.css';
import * as l10n from '@vscode/l10n';
import type { ProfileFields, ProfileForm, ProfileHost } from '../../protocol/profile.ts';
import type { FormPage } from '../../protocol/form.ts';
import { connectToHost, untilAnswered } from '../common/host.ts';
import { FormKeeping } from '../common/formKeeping.ts';
import { Page, startPage } from '../common/page.tsx';
import { Form } from './Form.tsx';

let page: Page<ProfileForm> | undefined;

const connection = connectToHost<ProfileHost, FormPage>({
  reload: async () => {
    await page?.load();
    return null;
  },
});
const { peer: host } = connection;
const keeping = new FormKeeping<ProfileFields>('profile', connection);

void startPage(host.request('settings', null), (settings) => {
  page = new Page({
    loadingText: () => l10n.t('Loading the profile…'),
    // The person may be asked to sign in again meanwhile: that takes as long as it takes.
    load: () => keeping.load(() => host.request('load', null, { timeout: untilAnswered })),
    // A form that is loaded again starts anew.
    view: (form, loads) => <Form key={loads} form={form} settings={settings} host={host} keeping={keeping} />,
  });
  return page;
});
