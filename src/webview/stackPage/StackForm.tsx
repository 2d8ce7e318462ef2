import * as l10n from '@vscode/l10n';
import { useEffect } from 'preact/hooks';
import type { PanelSettings } from '../../protocol/panel.ts';
import type { StackFields, StackForm as Form, TypedStackFields } from '../../protocol/stackPage.ts';
import { changedFields } from '../../util/fields.ts';
import { inBackground } from '../../util/inBackground.ts';
import { Button } from '../common/controls.tsx';
import { Field, fieldAttributes } from '../common/Field.tsx';
import { giveFocus, giveLostFocus } from '../common/focusKeeping.ts';
import { FormBody } from '../common/FormFrame.tsx';
import type { FormTyping } from '../common/formTyping.ts';
import { untilAnswered } from '../common/host.ts';
import { useForm } from '../common/useForm.ts';
import { readableKey } from '../patchDocument/editor/markShortcuts.ts';
import { DescriptionField } from './DescriptionField.tsx';
import type { Host } from './host.ts';

interface Ending {
  kind: 'saved';
}

interface Props {
  form: Form;
  settings: PanelSettings;
  host: Host;
  typing: FormTyping<TypedStackFields>;
}

/** The state of the form, and the two ways to end it. */
function useStackForm({ form, host, typing }: Props) {
  const before = form.fields;
  const state = useForm<TypedStackFields, keyof StackFields, Ending>({
    start: form,
    typing,
    suggested: { ...before, before },
    worthKeeping: ({ title, description }) => ({ ...changedFields(before, { title, description }), before }),
  });

  async function save(): Promise<void> {
    const wrong = state.fields.title.trim() === '' ? { title: l10n.t('Enter a title.') } : {};
    const answer = await state.send(wrong, async () => {
      const saving = await host.request('saveFields', null, { timeoutMs: untilAnswered });
      return saving.kind === 'failed' ? { kind: 'refused', reason: saving.reason, fields: {} } : saving;
    });
    if (answer) {
      state.finish(state.fields, { kind: 'saved' });
    }
  }

  async function cancel(): Promise<void> {
    // No one could say whether the service takes it anyway.
    if (!state.busy) {
      await state.startOver();
      await host.request('endEditing', null);
    }
  }

  return { ...state, save, cancel };
}

/** The title and the description of the stack, in the place where they are read. */
export function StackForm(props: Props) {
  const { settings, typing } = props;
  const { fields, change, problems, busy, sending, restored, found, save, cancel } = useStackForm(props);

  useEffect(() => {
    giveFocus(document.getElementById('title'));
    // The page has the title to read again: its heading says what was saved.
    return () => giveLostFocus(document.querySelector('h1'));
  }, []);

  return (
    <section
      class="stack-form"
      aria-label={l10n.t('Title and description')}
      aria-busy={busy}
      onKeyDown={(event) => {
        if (event.defaultPrevented) {
          return;
        }
        if (event.key === 'Escape') {
          event.preventDefault();
          inBackground(cancel());
        } else if ((event.ctrlKey || event.metaKey) && (event.key === 'Enter' || event.key === 's')) {
          event.preventDefault();
          inBackground(save());
        }
      }}
    >
      <FormBody
        typing={typing}
        restored={restored ? l10n.t('Your unsaved changes were restored.') : undefined}
        found={found}
        failure={sending.kind === 'failed' ? sending.reason : undefined}
        actions={
          <>
            <Button type="submit" class="primary" disabled={busy}>
              {sending.kind === 'failed' ? l10n.t('Save Again') : l10n.t('Save')}
            </Button>
            <Button class="secondary" disabled={busy} onClick={() => inBackground(cancel())}>
              {l10n.t('Cancel')}
            </Button>
          </>
        }
        status={busy ? l10n.t('Saving…') : l10n.t('{0} to save, Escape to cancel', readableKey('Mod-Enter'))}
        onSubmit={() => inBackground(save())}
      >
        <Field id="title" label={l10n.t('Title')} problem={problems.title}>
          <input
            type="text"
            dir="auto"
            value={fields.title}
            readOnly={busy}
            {...fieldAttributes('title', problems.title)}
            onInput={(event) => change({ title: event.currentTarget.value })}
          />
        </Field>
        <DescriptionField
          text={fields.description}
          settings={settings}
          onType={(description) => change({ description })}
          onSave={() => inBackground(save())}
          onCancel={() => inBackground(cancel())}
        />
      </FormBody>
    </section>
  );
}
