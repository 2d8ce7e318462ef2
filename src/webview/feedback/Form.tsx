import * as l10n from '@vscode/l10n';
import { useEffect, useState } from 'preact/hooks';
import type {
  DataFile,
  FeedbackFields,
  FeedbackForm,
  FeedbackProgress,
  SendAnswer,
} from '../../protocol/feedback.ts';
import type { PanelSettings } from '../../protocol/panel.ts';
import { Field, fieldAttributes } from '../common/Field.tsx';
import { FormFrame } from '../common/FormFrame.tsx';
import type { FormKeeping } from '../common/formKeeping.ts';
import { untilAnswered } from '../common/host.ts';
import { Prose } from '../common/Prose.tsx';
import { DataFiles } from './DataFiles.tsx';
import type { Host } from './host.ts';
import { LogAttachment } from './LogAttachment.tsx';
import { RepositoryAttachment } from './RepositoryAttachment.tsx';

/** What is wrong with which field. */
type Problems = Extract<SendAnswer, { kind: 'refused' }>['fields'];

/** How sending stands. */
type Sending =
  | { kind: 'idle' }
  | { kind: 'sending'; controller: AbortController; progress?: FeedbackProgress }
  | { kind: 'sent' }
  | { kind: 'cancelled' }
  | { kind: 'failed'; reason: string };

/** The form itself. Nothing typed leaves it but by sending it or by *Start Over*. */
export function Form(props: {
  form: FeedbackForm;
  settings: PanelSettings;
  host: Host;
  keeping: FormKeeping<FeedbackFields>;
  /** Has a function told how far sending is. */
  listen: (listener: (progress: FeedbackProgress) => void) => void;
}) {
  const { form, settings, host, keeping, listen } = props;
  const { suggested } = form;
  const [fields, setFields] = useState<FeedbackFields>({ ...suggested, ...form.pending });
  const [data, setData] = useState(form.data);
  const [previews, setPreviews] = useState(false);
  const [problems, setProblems] = useState<Problems>({});
  const [sending, setSending] = useState<Sending>(
    form.failure === undefined ? { kind: 'idle' } : { kind: 'failed', reason: form.failure },
  );
  const [restored, setRestored] = useState(Object.keys(form.pending).length > 0);
  const pending = keeping.useTypedFields(form.pending);
  const busy = sending.kind === 'sending';

  useEffect(() => {
    listen((progress) => setSending((now) => (now.kind === 'sending' ? { ...now, progress } : now)));
  }, []);

  function change(changed: Partial<FeedbackFields>): void {
    const now = { ...fields, ...changed };
    setFields(now);
    setSending({ kind: 'idle' });
    setProblems(
      Object.fromEntries(Object.entries(problems).filter(([name]) => !Object.hasOwn(changed, name))),
    );
    pending.keep(typedFields(suggested, now));
  }

  function changeData(files: DataFile[]): void {
    setData(files);
    change({ data: files.map(({ path }) => path) });
  }

  function clear(): void {
    setFields(suggested);
    setData([]);
    setProblems({});
    setRestored(false);
    setPreviews(false);
  }

  async function send(): Promise<void> {
    if (busy) {
      return;
    }
    const found = check(fields, data);
    if (Object.keys(found).length > 0) {
      setProblems(found);
      return;
    }
    const controller = new AbortController();
    setProblems({});
    setSending({ kind: 'sending', controller });
    pending.keepNow(typedFields(suggested, fields));
    let answer: SendAnswer;
    try {
      answer = await host.request('send', { fields }, { timeout: untilAnswered, signal: controller.signal });
    } catch (error) {
      setSending(
        controller.signal.aborted
          ? { kind: 'cancelled' }
          : { kind: 'failed', reason: error instanceof Error ? error.message : String(error) },
      );
      return;
    }
    switch (answer.kind) {
      case 'sent':
        clear();
        pending.forget();
        setSending({ kind: 'sent' });
        break;
      case 'cancelled':
        setSending({ kind: 'cancelled' });
        break;
      case 'refused':
        setProblems(answer.fields);
        setSending({ kind: 'failed', reason: answer.reason });
        break;
    }
  }

  return (
    <FormFrame
      keeping={keeping}
      class="feedback"
      busy={busy}
      heading={
        <>
          <h1>{l10n.t('Send Feedback')}</h1>
          <p class="muted">{l10n.t('Send feedback to the operators of {0}', form.server)}</p>
        </>
      }
      restored={restored ? l10n.t('Your unsent changes were restored.') : undefined}
      problems={problems}
      failure={sending.kind === 'failed' ? sending.reason : undefined}
      actions={
        <>
          <button type="submit" class="primary" disabled={busy}>
            {sending.kind === 'failed' ? l10n.t('Send Again') : l10n.t('Send')}
          </button>
          {sending.kind === 'sending' ? (
            <button type="button" class="secondary" onClick={() => sending.controller.abort()}>
              {l10n.t('Cancel')}
            </button>
          ) : (
            <button
              type="button"
              class="secondary"
              onClick={() => {
                clear();
                setSending({ kind: 'idle' });
                void pending.discard();
              }}
            >
              {l10n.t('Clear Form')}
            </button>
          )}
        </>
      }
      status={statusText(sending)}
      onSubmit={() => void send()}
    >
      <Field
        id="message"
        label={l10n.t('Message')}
        hint={l10n.t('What did you do, what happened, and what did you expect? Markdown is supported.')}
        problem={problems.message}
      >
        <textarea
          rows={8}
          dir="auto"
          value={fields.message}
          readOnly={busy}
          {...fieldAttributes('message', problems.message, true)}
          onInput={(event) => change({ message: event.currentTarget.value })}
        />
      </Field>
      <button
        type="button"
        class="secondary"
        aria-pressed={previews}
        disabled={fields.message.trim() === ''}
        onClick={() => setPreviews(!previews)}
      >
        {l10n.t('Preview')}
      </button>
      {previews && fields.message.trim() !== '' && (
        <section class="preview" aria-label={l10n.t('Preview')}>
          <Prose markdown={fields.message} settings={settings} headingsBelow={1} />
        </section>
      )}
      <Field
        id="email"
        label={l10n.t('Reply address')}
        hint={l10n.t("Leave empty if you don't want a reply")}
        problem={problems.email}
      >
        <input
          type="text"
          inputMode="email"
          autocomplete="email"
          value={fields.email}
          readOnly={busy}
          {...fieldAttributes('email', problems.email, true)}
          onInput={(event) => change({ email: event.currentTarget.value })}
        />
      </Field>
      <Field
        id="context"
        label={l10n.t('Context')}
        hint={l10n.t("This is sent as shown. Edit or remove anything you don't want to share.")}
        problem={problems.context}
      >
        <textarea
          rows={6}
          spellcheck={false}
          class="code"
          value={fields.context}
          readOnly={busy}
          {...fieldAttributes('context', problems.context, true)}
          onInput={(event) => change({ context: event.currentTarget.value })}
        />
      </Field>
      <h2>{l10n.t('Attachments')}</h2>
      <p class="hint">{l10n.t('Nothing is attached by default.')}</p>
      <LogAttachment
        log={form.log}
        attached={fields.log}
        problem={problems.log}
        busy={busy}
        language={settings.language}
        onChange={(log) => change({ log })}
      />
      <RepositoryAttachment
        form={form}
        repository={fields.repository}
        ignore={fields.ignore}
        problem={problems.repository}
        busy={busy}
        language={settings.language}
        host={host}
        onChange={change}
      />
      <DataFiles
        files={data}
        problem={problems.data}
        busy={busy}
        language={settings.language}
        choose={() => host.request('chooseData', null, { timeout: untilAnswered })}
        onChange={changeData}
      />
      {sending.kind === 'sending' && <Progress progress={sending.progress} />}
    </FormFrame>
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

/** What differs from what the form suggests: that alone is worth keeping. */
function typedFields(suggested: FeedbackFields, fields: FeedbackFields): Partial<FeedbackFields> {
  const names = Object.keys(fields) as (keyof FeedbackFields)[];
  return Object.fromEntries(
    names
      .filter((name) => String(fields[name]) !== String(suggested[name]))
      .map((name) => [name, fields[name]]),
  );
}

function check(fields: FeedbackFields, data: DataFile[]): Problems {
  const { message, email, log, repository } = fields;
  const missing = data.find(({ size }) => size === undefined);
  return {
    ...(message.trim() === '' &&
      !log &&
      repository === '' &&
      data.length === 0 && { message: l10n.t('Enter a message or attach something.') }),
    ...(email.trim() !== '' &&
      !/^[^@\s]+@[^@\s]+$/.test(email.trim()) && {
        email: l10n.t('Enter a valid email address or leave this empty.'),
      }),
    ...(missing && { data: l10n.t('{0} no longer exists. Remove it.', missing.name) }),
  };
}

function statusText(sending: Sending): string {
  switch (sending.kind) {
    case 'sending':
      return sending.progress?.step === 'zipping' ? l10n.t('Packing…') : l10n.t('Sending…');
    case 'sent':
      return l10n.t('Sent. Thank you.');
    case 'cancelled':
      return l10n.t('Canceled. Your text is still here.');
    default:
      return '';
  }
}
