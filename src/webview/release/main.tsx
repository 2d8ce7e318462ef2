/** The form for a release, and the releases that were created from this workspace. */
import '@vscode/codicons/dist/codicon.css';
import '../common/base.css';
import '../common/form.css';
import '../common/highlight.css';
import '../common/prose.css';
import './release.css';
import * as l10n from '@vscode/l10n';
import type { ReleaseFields, ReleaseForm, ReleaseHost } from '../../protocol/release.ts';
import type { FormPage } from '../../protocol/form.ts';
import { connectToHost, untilAnswered } from '../common/host.ts';
import { FormKeeping } from '../common/formKeeping.ts';
import { Page, startPage } from '../common/page.tsx';
import { Form } from './Form.tsx';

let page: Page<ReleaseForm> | undefined;

const connection = connectToHost<ReleaseHost, FormPage>({
  reload: async () => {
    await page?.load();
    return null;
  },
});
const { peer: host } = connection;
const keeping = new FormKeeping<ReleaseFields>('release', connection);

void startPage(host.request('settings', null), (settings) => {
  page = new Page({
    loadingText: () => l10n.t('Looking up versions and commits…'),
    load: () => keeping.load(() => host.request('load', null, { timeout: untilAnswered })),
    // A form that is loaded again starts anew.
    view: (form, loads) => <Form key={loads} form={form} settings={settings} host={host} keeping={keeping} />,
  });
  return page;
});
