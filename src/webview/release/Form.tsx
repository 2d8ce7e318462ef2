import * as l10n from '@vscode/l10n';
import type { PanelSettings } from '../../protocol/panel.ts';
import type { ReleaseFields, ReleaseForm } from '../../protocol/release.ts';
import { Button } from '../common/controls.tsx';
import { FormFrame } from '../common/FormFrame.tsx';
import type { FormTyping } from '../common/formTyping.ts';
import { ChannelField, PlaceField, RevisionField, VersionField } from './fields.tsx';
import { PastReleases } from './PastReleases.tsx';
import type { Host } from './revision.ts';
import { useRelease, type ReleaseSending } from './useRelease.ts';
import { inBackground } from '../../util/inBackground.ts';

/** The form for a release. */
export function Form(props: {
  form: ReleaseForm;
  settings: PanelSettings;
  host: Host;
  typing: FormTyping<ReleaseFields>;
}) {
  const { form, settings, host, typing } = props;
  const state = useRelease(props);
  const { change, problems, sending, busy } = state;
  const { place, version, revision, channel } = state.fields;
  return (
    <FormFrame
      typing={typing}
      class="release"
      busy={busy}
      heading={
        <>
          <h1>{l10n.t('Create Release')}</h1>
          <p class="muted">{l10n.t('Creates a release build on {0}', form.server)}</p>
        </>
      }
      restored={state.restored ? l10n.t('Your unsent changes were restored.') : undefined}
      found={state.found}
      failure={sending.kind === 'failed' ? sending.reason : undefined}
      actions={
        <>
          <Button type="submit" class="primary" disabled={busy}>
            {l10n.t('Create Release')}
          </Button>
          <Button class="secondary" disabled={busy} onClick={state.startOver}>
            {l10n.t('Clear Form')}
          </Button>
        </>
      }
      status={statusText(sending)}
      onSubmit={state.create}
      rest={
        <PastReleases
          past={state.past}
          settings={settings}
          onCopy={(text) => inBackground(host.request('copy', { text }))}
        />
      }
    >
      {form.places.length > 1 && (
        <PlaceField places={form.places} place={place} busy={busy} onChange={change} />
      )}
      <VersionField
        version={version}
        suggestions={form.places.find(({ id }) => id === place)?.versions ?? []}
        insists={state.insists}
        problem={problems.version}
        busy={busy}
        onChange={change}
        onInsist={state.insist}
      />
      <RevisionField
        revision={revision}
        answer={state.answer}
        problem={problems.revision}
        busy={busy}
        onChange={change}
      />
      <ChannelField channel={channel} problem={problems.channel} busy={busy} onChange={change} />
    </FormFrame>
  );
}

function statusText(sending: ReleaseSending): string {
  switch (sending.kind) {
    case 'sending':
      return l10n.t('Creating…');
    case 'created':
      return l10n.t("Release created. It's shown below.");
    case 'notSent':
      return l10n.t('Nothing was sent.');
    default:
      return '';
  }
}
