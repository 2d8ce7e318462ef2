/** The written part of feedback, without the attachments. */
import * as l10n from '@vscode/l10n';
import type { FeedbackFields } from '../../protocol/feedback.ts';
import type { PanelSettings } from '../../protocol/panel.ts';
import { Button } from '../common/controls.tsx';
import { Field, fieldAttributes } from '../common/Field.tsx';
import { Prose } from '../common/Prose.tsx';

interface FieldProps {
  problem: string | undefined;
  /** Nothing can be changed at the moment. */
  busy: boolean;
  onChange: (changed: Partial<FeedbackFields>) => void;
}

export function MessageField(
  props: FieldProps & {
    message: string;
    settings: PanelSettings;
    previews: boolean;
    onPreview: (previews: boolean) => void;
  },
) {
  const { message, problem, busy, settings, previews, onPreview, onChange } = props;
  const isEmpty = message.trim() === '';
  return (
    <>
      <Field
        id="message"
        label={l10n.t('Message')}
        hint={l10n.t('What did you do, what happened, and what did you expect? Markdown is supported.')}
        problem={problem}
      >
        <textarea
          rows={8}
          dir="auto"
          value={message}
          readOnly={busy}
          {...fieldAttributes('message', problem, true)}
          onInput={(event) => onChange({ message: event.currentTarget.value })}
        />
      </Field>
      <Button
        class="secondary"
        aria-pressed={previews}
        disabled={isEmpty}
        onClick={() => onPreview(!previews)}
      >
        {l10n.t('Preview')}
      </Button>
      {previews && !isEmpty && (
        <section class="preview" aria-label={l10n.t('Preview')}>
          <Prose markdown={message} settings={settings} headingsBelow={1} />
        </section>
      )}
    </>
  );
}

export function EmailField({ email, problem, busy, onChange }: FieldProps & { email: string }) {
  return (
    <Field
      id="email"
      label={l10n.t('Reply address')}
      hint={l10n.t("Leave empty if you don't want a reply")}
      problem={problem}
    >
      <input
        type="text"
        inputMode="email"
        autocomplete="email"
        value={email}
        readOnly={busy}
        {...fieldAttributes('email', problem, true)}
        onInput={(event) => onChange({ email: event.currentTarget.value })}
      />
    </Field>
  );
}

export function ContextField({ context, problem, busy, onChange }: FieldProps & { context: string }) {
  return (
    <Field
      id="context"
      label={l10n.t('Context')}
      hint={l10n.t("This is sent as shown. Edit or remove anything you don't want to share.")}
      problem={problem}
    >
      <textarea
        rows={6}
        spellcheck={false}
        class="code"
        value={context}
        readOnly={busy}
        {...fieldAttributes('context', problem, true)}
        onInput={(event) => onChange({ context: event.currentTarget.value })}
      />
    </Field>
  );
}
