/** The form for feedback. */
import '@vscode/codicons/dist/codicon.css';
import '../common/base.css';
import '../common/form.css';
import '../common/highlight.css';
import '../common/prose.css';
import './feedback.css';
import * as l10n from '@vscode/l10n';
import type {
  FeedbackFields,
  FeedbackForm,
  FeedbackHost,
  FeedbackPage,
  FeedbackProgress,
} from '../../protocol/feedback.ts';
import { connectToHost, untilAnswered } from '../common/host.ts';
import { FormKeeping } from '../common/formKeeping.ts';
import { Page, startPage } from '../common/page.tsx';
import { Form } from './Form.tsx';

let page: Page<FeedbackForm> | undefined;
/** Told how far sending is. */
let onProgress: (progress: FeedbackProgress) => void = () => undefined;

const connection = connectToHost<FeedbackHost, FeedbackPage>({
  reload: async () => {
    await page?.load();
    return null;
  },
  progress: (progress) => {
    onProgress(progress);
    return null;
  },
});
const { peer: host } = connection;
const keeping = new FormKeeping<FeedbackFields>('feedback', connection);

void startPage(host.request('settings', null), (settings) => {
  page = new Page({
    loadingText: () => l10n.t('Loading the form…'),
    load: () => keeping.load(() => host.request('load', null, { timeout: untilAnswered })),
    // A form that is loaded again starts anew.
    view: (form, loads) => (
      <Form
        key={loads}
        form={form}
        settings={settings}
        host={host}
        keeping={keeping}
        listen={(listener) => (onProgress = listener)}
      />
    ),
  });
  return page;
});
