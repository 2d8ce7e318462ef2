import * as l10n from '@vscode/l10n';
import type { PanelSettings } from '../../protocol/panel.ts';
import { profileLocales, type ProfileFields, type ProfileForm } from '../../protocol/profile.ts';
import { Avatar } from '../common/Avatar.tsx';
import { Button, Select } from '../common/controls.tsx';
import { Field, fieldAttributes } from '../common/Field.tsx';
import { FormFrame } from '../common/FormFrame.tsx';
import type { FormTyping } from '../common/formTyping.ts';
import { readableTime } from '../common/time.ts';
import { AvatarField } from './AvatarField.tsx';
import type { Host } from './useAvatar.ts';
import { useProfile, type ProfileSaving } from './useProfile.ts';
import { inBackground } from '../../util/inBackground.ts';

/** The profile form. */
export function Form(props: {
  form: ProfileForm;
  settings: PanelSettings;
  host: Host;
  typing: FormTyping<ProfileFields>;
}) {
  const { settings, typing } = props;
  const state = useProfile(props);
  const { profile, fields, change, problems, avatar, sending, busy, hasChanges } = state;
  const textField = (name: 'name' | 'givenName' | 'familyName', autoComplete: string) => (
    <Field id={name} label={labelOf(name)} problem={problems[name]}>
      <input
        type="text"
        dir="auto"
        autocomplete={autoComplete}
        value={fields[name]}
        readOnly={busy}
        {...fieldAttributes(name, problems[name])}
        onInput={(event) => change({ [name]: event.currentTarget.value })}
      />
    </Field>
  );
  return (
    <FormFrame
      typing={typing}
      busy={busy}
      heading={
        <Person profile={profile} avatar={avatar.chosen ?? profile.avatar} language={settings.language} />
      }
      restored={state.restored && hasChanges ? l10n.t('Your unsaved changes were restored.') : undefined}
      found={state.found}
      failure={sending.kind === 'failed' ? sending.reason : undefined}
      actions={
        <>
          <Button type="submit" class="primary" disabled={busy || !hasChanges}>
            {sending.kind === 'failed' ? l10n.t('Save Again') : l10n.t('Save')}
          </Button>
          <Button
            class="secondary"
            disabled={busy || !hasChanges}
            onClick={() => inBackground(state.discard())}
          >
            {l10n.t('Discard Changes')}
          </Button>
        </>
      }
      status={statusText(sending, hasChanges)}
      onSubmit={() => inBackground(state.save())}
    >
      <AvatarField
        chosen={avatar.chosen}
        problem={problems.avatar}
        busy={busy}
        onChoose={avatar.choose}
        onDrop={() => inBackground(avatar.drop())}
      />
      {textField('name', 'name')}
      {textField('givenName', 'given-name')}
      {textField('familyName', 'family-name')}
      <Field id="locale" label={labelOf('locale')} problem={problems.locale}>
        <Select
          disabled={busy}
          value={fields.locale}
          {...fieldAttributes('locale', problems.locale)}
          onChange={(event) => change({ locale: event.currentTarget.value })}
        >
          {localesToChoose(profile.fields.locale).map((locale) => (
            <option key={locale} value={locale}>
              {localeName(locale)}
            </option>
          ))}
        </Select>
      </Field>
    </FormFrame>
  );
}

function Person(props: { profile: ProfileForm['profile']; avatar: string | undefined; language: string }) {
  const { profile, avatar, language } = props;
  const name = profile.fields.name || profile.login;
  return (
    <header class="person">
      <Avatar name={name} source={avatar} size="large" />
      <div>
        <h1 dir="auto">{name}</h1>
        <p class="muted">
          {l10n.t('{0} on {1}', profile.login, profile.server)}
          {profile.email !== undefined && <> · {profile.email}</>}
        </p>
        {profile.updatedAt !== undefined && (
          <p class="muted">{l10n.t('Last changed {0}', readableTime(profile.updatedAt, language))}</p>
        )}
      </div>
    </header>
  );
}

function labelOf(name: keyof ProfileFields): string {
  switch (name) {
    case 'name':
      return l10n.t('Name');
    case 'givenName':
      return l10n.t('Given name');
    case 'familyName':
      return l10n.t('Family name');
    case 'locale':
      return l10n.t('Language');
  }
}

/** The languages the service takes, and what it has now, whatever that is. */
function localesToChoose(current: string): string[] {
  const known: readonly string[] = profileLocales;
  return known.includes(current) ? [...known] : [current, ...known];
}

function localeName(locale: string): string {
  switch (locale) {
    case '':
      return l10n.t('Not set');
    case 'en':
      return 'English';
    case 'de':
      return 'Deutsch';
    default:
      return locale;
  }
}

function statusText(saving: ProfileSaving, hasChanges: boolean): string {
  switch (saving.kind) {
    case 'sending':
      return l10n.t('Saving…');
    case 'saved':
      return saving.changed.length === 0
        ? l10n.t('Saved.')
        : l10n.t('Saved. The server adjusted these values: {0}', saving.changed.map(labelOf).join(', '));
    default:
      return hasChanges ? l10n.t('Unsaved changes') : '';
  }
}
