/** The form for a release, and the releases that were created from this workspace. */
import './release.css';
import * as l10n from '@vscode/l10n';
import type { ReleaseFields, ReleaseHost } from '../../protocol/release.ts';
import type { FormPage } from '../../protocol/form.ts';
import { drawTextsBy } from '../common/drawnTexts.ts';
import { connectToHost, untilAnswered } from '../common/host.ts';
import { FormTyping } from '../common/formTyping.ts';
import { Page, reload, startPage } from '../common/page.tsx';
import { Form } from './Form.tsx';
import { inBackground } from '../../util/inBackground.ts';

const connection = connectToHost<ReleaseHost, FormPage>({ reload });
const { peer: host } = connection;
drawTextsBy(host);
const typing = new FormTyping<ReleaseFields>('release', connection);

inBackground(
  startPage(
    connection,
    () => host.request('settings', null),
    (settings) =>
      new Page({
        loadingText: () => l10n.t('Looking up versions and commits…'),
        load: () => typing.load(() => host.request('load', null, { timeoutMs: untilAnswered })),
        // A form that is loaded again starts anew.
        view: (form, loads) => (
          <Form key={loads} form={form} settings={settings} host={host} typing={typing} />
        ),
      }),
  ),
);
