import * as l10n from '@vscode/l10n';
import { useEffect, useState } from 'preact/hooks';
import parse from 'semver/functions/parse.js';
import type { FormPage } from '../../protocol/form.ts';
import type { PanelSettings } from '../../protocol/panel.ts';
import {
  releaseChannels,
  type CreateAnswer,
  type ReleaseChannel,
  type ReleaseFields,
  type ReleaseForm,
  type ReleaseHost,
  type RevisionAnswer,
} from '../../protocol/release.ts';
import type { RpcPeer } from '../../protocol/rpc.ts';
import { Field, fieldAttributes } from '../common/Field.tsx';
import { FormFrame } from '../common/FormFrame.tsx';
import type { FormKeeping } from '../common/formKeeping.ts';
import { untilAnswered } from '../common/host.ts';
import { PastReleases } from './PastReleases.tsx';

/** The panel in the extension host, as the form sees it. */
type Host = RpcPeer<FormPage, ReleaseHost>;

/** How sending stands. */
type Sending =
  | { kind: 'idle' }
  | { kind: 'sending' }
  | { kind: 'created' }
  | { kind: 'notSent' }
  | { kind: 'failed'; reason: string };

/** A revision, and what it stands for as far as that is known. */
interface Lookup {
  place: string;
  revision: string;
  answer?: RevisionAnswer;
}

/** Milliseconds after the last key press until a revision is looked up. */
const lookupDelay = 250;

/** The form itself. Nothing typed leaves it but by creating the release or by *Start Over*. */
export function Form(props: {
  form: ReleaseForm;
  settings: PanelSettings;
  host: Host;
  keeping: FormKeeping<ReleaseFields>;
}) {
  const { form, settings, host, keeping } = props;
  const suggested = suggestedFields(form);
  const [fields, setFields] = useState<ReleaseFields>({ ...suggested, ...form.pending });
  const [insists, setInsists] = useState(false);
  const [problems, setProblems] = useState<Partial<Record<keyof ReleaseFields, string>>>({});
  const [lookup, setLookup] = useState<Lookup>();
  const [sending, setSending] = useState<Sending>(
    form.failure === undefined ? { kind: 'idle' } : { kind: 'failed', reason: form.failure },
  );
  const [past, setPast] = useState(form.past);
  const [restored, setRestored] = useState(Object.keys(form.pending).length > 0);
  const pending = keeping.useTypedFields(form.pending);

  const { place, version, revision, channel } = fields;
  const busy = sending.kind === 'sending';
  const answer = lookup?.place === place && lookup.revision === revision ? lookup.answer : undefined;
  const isLoose = version.trim() !== '' && parse(version.trim()) === null;

  useEffect(() => {
    if (revision.trim() === '') {
      return;
    }
    const controller = new AbortController();
    const timer = window.setTimeout(() => void findRevision(controller.signal), lookupDelay);
    return () => {
      window.clearTimeout(timer);
      controller.abort();
    };
  }, [place, revision]);

  async function findRevision(signal?: AbortSignal): Promise<RevisionAnswer> {
    let found: RevisionAnswer;
    try {
      found = await host.request('findRevision', { place, revision }, signal && { signal });
    } catch (error) {
      found = { kind: 'unknown', reason: error instanceof Error ? error.message : String(error) };
    }
    if (signal?.aborted !== true) {
      setLookup({ place, revision, answer: found });
    }
    return found;
  }

  function change(changed: Partial<ReleaseFields>): void {
    const now = { ...fields, ...changed };
    setFields(now);
    setSending({ kind: 'idle' });
    setProblems(
      Object.fromEntries(Object.entries(problems).filter(([name]) => !Object.hasOwn(changed, name))),
    );
    if (changed.version !== undefined) {
      setInsists(false);
    }
    pending.keep(now);
  }

  function startOver(): void {
    setFields(suggested);
    setInsists(false);
    setProblems({});
    setSending({ kind: 'idle' });
    setRestored(false);
    void pending.discard();
  }

  async function create(): Promise<void> {
    if (busy) {
      return;
    }
    if (version.trim() === '') {
      setProblems({ version: l10n.t('Enter a version.') });
      return;
    }
    if (isLoose && !insists) {
      setProblems({
        version: l10n.t("This isn't a semantic version. Correct it or confirm that you want to use it."),
      });
      return;
    }
    if (revision.trim() === '') {
      setProblems({ revision: l10n.t('Enter a branch, tag, or SHA.') });
      return;
    }
    pending.keepNow(fields);
    setSending({ kind: 'sending' });
    const commit = answer ?? (await findRevision());
    if (commit.kind === 'unknown') {
      setProblems({ revision: commit.reason });
      setSending({ kind: 'idle' });
      return;
    }
    let outcome: CreateAnswer;
    try {
      // The person is asked meanwhile, which takes as long as it takes.
      outcome = await host.request(
        'create',
        { version: version.trim(), sha: commit.sha, channel },
        { timeout: untilAnswered },
      );
    } catch (error) {
      setSending({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) });
      return;
    }
    switch (outcome.kind) {
      case 'created':
        pending.forget();
        setPast(outcome.past);
        setRestored(false);
        setSending({ kind: 'created' });
        break;
      case 'notSent':
        setSending({ kind: 'notSent' });
        break;
      case 'refused':
        setProblems(outcome.fields);
        setSending({ kind: 'failed', reason: outcome.reason });
        break;
    }
  }

  const versions = form.places.find(({ id }) => id === place)?.versions ?? [];
  return (
    <FormFrame
      keeping={keeping}
      class="release"
      busy={busy}
      heading={
        <>
          <h1>{l10n.t('Create Release')}</h1>
          <p class="muted">{l10n.t('Creates a release build on {0}', form.server)}</p>
        </>
      }
      restored={restored ? l10n.t('Your unsent changes were restored.') : undefined}
      problems={problems}
      failure={sending.kind === 'failed' ? sending.reason : undefined}
      actions={
        <>
          <button type="submit" class="primary" disabled={busy}>
            {l10n.t('Create Release')}
          </button>
          <button type="button" class="secondary" disabled={busy} onClick={startOver}>
            {l10n.t('Clear Form')}
          </button>
        </>
      }
      status={statusText(sending)}
      onSubmit={() => void create()}
      rest={
        <PastReleases
          past={past}
          settings={settings}
          onCopy={(text) => void host.request('copy', { text })}
        />
      }
    >
      {form.places.length > 1 && (
        <Field id="place" label={l10n.t('Repository')}>
          <select
            {...fieldAttributes('place', undefined)}
            disabled={busy}
            value={place}
            onChange={(event) => change({ place: event.currentTarget.value })}
          >
            {form.places.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </Field>
      )}
      <Field id="version" label={l10n.t('Version')} problem={problems.version}>
        <input
          type="text"
          spellcheck={false}
          value={version}
          readOnly={busy}
          {...fieldAttributes('version', problems.version)}
          onInput={(event) => change({ version: event.currentTarget.value })}
        />
        {versions.length > 0 && (
          <div class="suggestions" role="group" aria-label={l10n.t('Suggested versions')}>
            {versions.map((suggestion) => (
              <button
                key={suggestion.source}
                type="button"
                class="secondary"
                disabled={busy}
                aria-pressed={suggestion.version === version}
                onClick={() => change({ version: suggestion.version })}
              >
                {l10n.t('{0} from {1}', suggestion.version, suggestion.source)}
              </button>
            ))}
          </div>
        )}
        {isLoose && (
          <label class="choice">
            <input
              type="checkbox"
              checked={insists}
              disabled={busy}
              onChange={(event) => {
                setInsists(event.currentTarget.checked);
                setProblems({});
              }}
            />
            {l10n.t('Use "{0}" even though it isn\'t a semantic version such as 1.2.3', version.trim())}
          </label>
        )}
      </Field>
      <Field id="revision" label={l10n.t('Commit')} problem={problems.revision}>
        <input
          type="text"
          spellcheck={false}
          value={revision}
          readOnly={busy}
          {...fieldAttributes('revision', problems.revision)}
          onInput={(event) => change({ revision: event.currentTarget.value })}
        />
        {problems.revision === undefined && <FoundCommit revision={revision} answer={answer} />}
      </Field>
      <fieldset class="field">
        <legend>{l10n.t('Channel')}</legend>
        {releaseChannels.map((name) => (
          <label key={name} class="choice">
            <input
              type="radio"
              name="channel"
              value={name}
              checked={channel === name}
              disabled={busy}
              onChange={() => change({ channel: name })}
            />
            <span>
              {name} <span class="muted">{channelHint(name)}</span>
            </span>
          </label>
        ))}
        {problems.channel !== undefined && (
          <p class="field-problem" role="alert">
            {problems.channel}
          </p>
        )}
      </fieldset>
    </FormFrame>
  );
}

/** Says what the typed revision stands for, and warns of a commit that others cannot have. */
function FoundCommit({ revision, answer }: { revision: string; answer: RevisionAnswer | undefined }) {
  if (revision.trim() === '') {
    return null;
  }
  return (
    <div role="status" class="commit">
      {answer === undefined && <p class="hint">{l10n.t('Looking up commit…')}</p>}
      {answer?.kind === 'unknown' && <p class="hint">{answer.reason}</p>}
      {answer?.kind === 'found' && (
        <>
          <p class="hint">
            <code>{answer.sha}</code> <span dir="auto">{answer.subject}</span>
          </p>
          {answer.pushed === false && (
            <p class="warning">
              <i class="codicon codicon-warning" aria-hidden="true" />{' '}
              {l10n.t("This commit hasn't been pushed. Push it so others can build it.")}
            </p>
          )}
        </>
      )}
    </div>
  );
}

function suggestedFields({ places }: ReleaseForm): ReleaseFields {
  const [first] = places;
  return {
    place: first?.id ?? '',
    version: first?.versions[0]?.version ?? '',
    revision: first?.hasGit === true ? 'HEAD' : '',
    channel: 'nightly',
  };
}

function channelHint(channel: ReleaseChannel): string {
  switch (channel) {
    case 'nightly':
      return l10n.t('Preview builds for early adopters');
    case 'release':
      return l10n.t("For all users; you'll be asked to confirm");
  }
}

function statusText(sending: Sending): string {
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
