/** The form for feedback. */
import './feedback.css';
import * as l10n from '@vscode/l10n';
import type {
  FeedbackFields,
  FeedbackHost,
  FeedbackPage,
  FeedbackProgress,
} from '../../protocol/feedback.ts';
import { drawTextsBy } from '../common/drawnTexts.ts';
import { connectToHost, untilAnswered } from '../common/host.ts';
import { FormTyping } from '../common/formTyping.ts';
import { Page, reload, startPage } from '../common/page.tsx';
import { Form } from './Form.tsx';
import { inBackground } from '../../util/inBackground.ts';

/** Told how far sending is. */
let onProgress: (progress: FeedbackProgress) => void = () => undefined;

const connection = connectToHost<FeedbackHost, FeedbackPage>({
  reload,
  progress: (progress) => {
    onProgress(progress);
    return null;
  },
});
const { peer: host } = connection;
drawTextsBy(host);
const typing = new FormTyping<FeedbackFields>('feedback', connection);

inBackground(
  startPage(
    connection,
    () => host.request('settings', null),
    (settings) =>
      new Page({
        loadingText: () => l10n.t('Loading the form…'),
        load: () => typing.load(() => host.request('load', null, { timeoutMs: untilAnswered })),
        // A form that is loaded again starts anew.
        view: (form, loads) => (
          <Form
            key={loads}
            form={form}
            settings={settings}
            host={host}
            typing={typing}
            listen={(listener) => (onProgress = listener)}
          />
        ),
      }),
  ),
);
