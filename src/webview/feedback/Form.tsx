import * as l10n from '@vscode/l10n';
import type { FeedbackFields, FeedbackForm, FeedbackProgress } from '../../protocol/feedback.ts';
import type { PanelSettings } from '../../protocol/panel.ts';
import { Button } from '../common/controls.tsx';
import { FormFrame } from '../common/FormFrame.tsx';
import type { FormTyping } from '../common/formTyping.ts';
import { untilAnswered } from '../common/host.ts';
import { DataFiles } from './DataFiles.tsx';
import { ContextField, EmailField, MessageField } from './fields.tsx';
import type { Host } from './host.ts';
import { LogAttachment } from './LogAttachment.tsx';
import { RepositoryAttachment } from './RepositoryAttachment.tsx';
import { useFeedback, type FeedbackSending } from './useFeedback.ts';

type State = ReturnType<typeof useFeedback>;

/** The form for feedback. */
export function Form(props: {
  form: FeedbackForm;
  settings: PanelSettings;
  host: Host;
  typing: FormTyping<FeedbackFields>;
  /** Has a function told how far sending is. */
  listen: (listener: (progress: FeedbackProgress) => void) => void;
}) {
  const { form, settings, host, typing } = props;
  const state = useFeedback(props);
  const { fields, change, problems, sending, busy, progress } = state;
  return (
    <FormFrame
      typing={typing}
      class="feedback"
      busy={busy}
      heading={
        <>
          <h1>{l10n.t('Send Feedback')}</h1>
          <p class="muted">{l10n.t('Send feedback to the operators of {0}', form.server)}</p>
        </>
      }
      restored={state.restored ? l10n.t('Your unsent changes were restored.') : undefined}
      found={state.found}
      failure={sending.kind === 'failed' ? sending.reason : undefined}
      actions={<Actions state={state} />}
      status={statusText(sending, progress)}
      onSubmit={state.send}
    >
      <MessageField
        message={fields.message}
        problem={problems.message}
        busy={busy}
        settings={settings}
        previews={state.previews}
        onPreview={state.setPreviews}
        onChange={change}
      />
      <EmailField email={fields.email} problem={problems.email} busy={busy} onChange={change} />
      <ContextField context={fields.context} problem={problems.context} busy={busy} onChange={change} />
      <h2>{l10n.t('Attachments')}</h2>
      <p class="hint">{l10n.t('Nothing is attached by default.')}</p>
      <Attachments form={form} state={state} language={settings.language} host={host} />
      {busy && <Progress progress={progress} />}
    </FormFrame>
  );
}

function Actions({ state }: { state: State }) {
  return (
    <>
      <Button type="submit" class="primary" disabled={state.busy}>
        {state.sending.kind === 'failed' ? l10n.t('Send Again') : l10n.t('Send')}
      </Button>
      {state.busy ? (
        <button type="button" class="secondary" onClick={state.cancel}>
          {l10n.t('Cancel')}
        </button>
      ) : (
        <button type="button" class="secondary" onClick={state.startOver}>
          {l10n.t('Clear Form')}
        </button>
      )}
    </>
  );
}

function Attachments(props: { form: FeedbackForm; state: State; language: string; host: Host }) {
  const { form, state, language, host } = props;
  const { fields, change, problems, busy } = state;
  return (
    <>
      <LogAttachment
        log={form.log}
        attached={fields.log}
        problem={problems.log}
        busy={busy}
        language={language}
        onChange={(log) => change({ log })}
      />
      <RepositoryAttachment
        form={form}
        repository={fields.repository}
        ignore={fields.ignore}
        problem={problems.repository}
        busy={busy}
        language={language}
        host={host}
        onChange={change}
      />
      <DataFiles
        files={state.data}
        problem={problems.data}
        busy={busy}
        language={language}
        choose={() => host.request('chooseData', null, { timeoutMs: untilAnswered })}
        onChange={state.changeData}
      />
    </>
  );
}

function Progress({ progress }: { progress: FeedbackProgress | undefined }) {
  const text = progress?.step === 'sending' ? l10n.t('Sending…') : l10n.t('Packing…');
  return (
    <progress
      class="progress"
      aria-label={text}
      {...(progress && progress.total > 0 && { value: progress.done, max: progress.total })}
    />
  );
}

function statusText(sending: FeedbackSending, progress: FeedbackProgress | undefined): string {
  switch (sending.kind) {
    case 'sending':
      return progress?.step === 'zipping' ? l10n.t('Packing…') : l10n.t('Sending…');
    case 'sent':
      return l10n.t('Sent. Thank you.');
    case 'cancelled':
      return sending.mayHaveArrived
        ? l10n.t('Canceled, but your feedback may have arrived. Your text is still here.')
        : l10n.t('Canceled. Your text is still here.');
    default:
      return '';
  }
}
