/** The fields of a release. */
import * as l10n from '@vscode/l10n';
import parse from 'semver/functions/parse.js';
import {
  releaseChannels,
  type ReleaseChannel,
  type ReleaseFields,
  type ReleaseForm,
  type RevisionAnswer,
} from '../../protocol/release.ts';
import { Button, Choice, Select } from '../common/controls.tsx';
import { Field, fieldAttributes } from '../common/Field.tsx';

interface FieldProps {
  problem?: string | undefined;
  /** Nothing can be changed at the moment. */
  busy: boolean;
  onChange: (changed: Partial<ReleaseFields>) => void;
}

/** Not a semantic version: such a one is created only for somebody who insists. */
export function isLoose(version: string): boolean {
  return version.trim() !== '' && parse(version.trim()) === null;
}

export function PlaceField(props: FieldProps & { places: ReleaseForm['places']; place: string }) {
  return (
    <Field id="place" label={l10n.t('Repository')}>
      <Select
        {...fieldAttributes('place', undefined)}
        disabled={props.busy}
        value={props.place}
        onChange={(event) => props.onChange({ place: event.currentTarget.value })}
      >
        {props.places.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    </Field>
  );
}

export function VersionField(
  props: FieldProps & {
    version: string;
    suggestions: ReleaseForm['places'][number]['versions'];
    insists: boolean;
    onInsist: (insists: boolean) => void;
  },
) {
  const { version, suggestions, insists, problem, busy, onChange, onInsist } = props;
  return (
    <Field id="version" label={l10n.t('Version')} problem={problem}>
      <input
        type="text"
        spellcheck={false}
        value={version}
        readOnly={busy}
        {...fieldAttributes('version', problem)}
        onInput={(event) => onChange({ version: event.currentTarget.value })}
      />
      {suggestions.length > 0 && (
        <div class="suggestions" role="group" aria-label={l10n.t('Suggested versions')}>
          {suggestions.map((suggestion) => (
            <Button
              key={suggestion.source}
              class="secondary"
              disabled={busy}
              aria-pressed={suggestion.version === version}
              onClick={() => onChange({ version: suggestion.version })}
            >
              {l10n.t('{0} from {1}', suggestion.version, suggestion.source)}
            </Button>
          ))}
        </div>
      )}
      {isLoose(version) && (
        <label class="choice">
          <Choice
            type="checkbox"
            checked={insists}
            disabled={busy}
            onChange={(event) => onInsist(event.currentTarget.checked)}
          />
          {l10n.t('Use "{0}" even though it isn\'t a semantic version such as 1.2.3', version.trim())}
        </label>
      )}
    </Field>
  );
}

export function RevisionField(props: FieldProps & { revision: string; answer: RevisionAnswer | undefined }) {
  const { revision, answer, problem, busy, onChange } = props;
  return (
    <Field id="revision" label={l10n.t('Commit')} problem={problem}>
      <input
        type="text"
        spellcheck={false}
        value={revision}
        readOnly={busy}
        {...fieldAttributes('revision', problem)}
        onInput={(event) => onChange({ revision: event.currentTarget.value })}
      />
      {problem === undefined && <FoundCommit revision={revision} answer={answer} />}
    </Field>
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

export function ChannelField(props: FieldProps & { channel: ReleaseChannel }) {
  return (
    <fieldset class="field">
      <legend>{l10n.t('Channel')}</legend>
      {releaseChannels.map((name) => (
        <label key={name} class="choice">
          <Choice
            type="radio"
            name="channel"
            value={name}
            checked={props.channel === name}
            disabled={props.busy}
            onChange={() => props.onChange({ channel: name })}
          />
          <span>
            {name} <span class="muted">{channelHint(name)}</span>
          </span>
        </label>
      ))}
      {props.problem !== undefined && (
        <p class="field-problem" role="alert">
          {props.problem}
        </p>
      )}
    </fieldset>
  );
}

function channelHint(channel: ReleaseChannel): string {
  switch (channel) {
    case 'nightly':
      return l10n.t('Preview builds for early adopters');
    case 'release':
      return l10n.t("For all users; you'll be asked to confirm");
  }
}
