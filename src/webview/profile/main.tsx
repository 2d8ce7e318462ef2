/** The profile form: what the service knows of the person who is signed in, to be changed. */
import './profile.css';
import * as l10n from '@vscode/l10n';
import type { ProfileFields, ProfileHost } from '../../protocol/profile.ts';
import type { FormPage } from '../../protocol/form.ts';
import { connectToHost, untilAnswered } from '../common/host.ts';
import { FormTyping } from '../common/formTyping.ts';
import { Page, reload, startPage } from '../common/page.tsx';
import { Form } from './Form.tsx';
import { inBackground } from '../../util/inBackground.ts';

const connection = connectToHost<ProfileHost, FormPage>({ reload });
const { peer: host } = connection;
const typing = new FormTyping<ProfileFields>('profile', connection);

inBackground(
  startPage(
    connection,
    () => host.request('settings', null),
    (settings) =>
      new Page({
        loadingText: () => l10n.t('Loading the profile…'),
        // The person may be asked to sign in again meanwhile: that takes as long as it takes.
        load: () => typing.load(() => host.request('load', null, { timeoutMs: untilAnswered })),
        // A form that is loaded again starts anew.
        view: (form, loads) => (
          <Form key={loads} form={form} settings={settings} host={host} typing={typing} />
        ),
      }),
  ),
);
