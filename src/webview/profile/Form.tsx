import * as l10n from '@vscode/l10n';
import { useRef, useState } from 'preact/hooks';
import type { FormPage } from '../../protocol/form.ts';
import type { PanelSettings } from '../../protocol/panel.ts';
import {
  avatarTypes,
  largestAvatar,
  profileLocales,
  type ProfileFields,
  type ProfileForm,
  type ProfileHost,
  type SaveAnswer,
} from '../../protocol/profile.ts';
import type { RpcPeer } from '../../protocol/rpc.ts';
import { Avatar } from '../common/Avatar.tsx';
import { readableTime } from '../common/time.ts';
import { Field, fieldAttributes } from '../common/Field.tsx';
import { FormFrame } from '../common/FormFrame.tsx';
import type { FormKeeping } from '../common/formKeeping.ts';
import { untilAnswered } from '../common/host.ts';

/** The panel in the extension host, as the form sees it. */
type Host = RpcPeer<FormPage, ProfileHost>;

type Problems = Extract<SaveAnswer, { kind: 'refused' }>['fields'];

/** How saving stands. */
type Saving =
  | { kind: 'idle' }
  | { kind: 'saving' }
  | { kind: 'saved'; /** Fields which the service keeps otherwise than they were typed. */ changed: string[] }
  | { kind: 'failed'; reason: string };

/** The form itself. Nothing typed leaves it but by saving or by *Discard Changes*. */
export function Form(props: {
  form: ProfileForm;
  settings: PanelSettings;
  host: Host;
  keeping: FormKeeping<ProfileFields>;
}) {
  const { form, settings, host, keeping } = props;
  const [profile, setProfile] = useState(form.profile);
  const [typed, setTyped] = useState<ProfileFields>({ ...form.profile.fields, ...form.pending });
  const [chosenAvatar, setChosenAvatar] = useState(form.chosenAvatar);
  const [problems, setProblems] = useState<Problems>({});
  const [saving, setSaving] = useState<Saving>(
    form.failure === undefined ? { kind: 'idle' } : { kind: 'failed', reason: form.failure },
  );
  const [restored, setRestored] = useState(Object.keys(form.pending).length > 0);
  const file = useRef<HTMLInputElement>(null);
  const pending = keeping.useTypedFields(form.pending);

  const changes = changedFields(profile.fields, typed);
  const hasChanges = Object.keys(changes).length > 0 || chosenAvatar !== undefined;
  const busy = saving.kind === 'saving';

  function type(name: keyof ProfileFields, value: string): void {
    const now = { ...typed, [name]: value };
    setTyped(now);
    setSaving({ kind: 'idle' });
    if (problems[name] !== undefined) {
      setProblems(without(problems, name));
    }
    pending.keep(changedFields(profile.fields, now));
  }

  async function chooseAvatar(chosen: File | undefined): Promise<void> {
    if (!chosen) {
      return;
    }
    setSaving({ kind: 'idle' });
    const refuse = (reason: string): void => setProblems({ ...problems, avatar: reason });
    if (chosen.size > largestAvatar) {
      refuse(l10n.t('The file is larger than {0} MB. Choose a smaller file.', largestAvatar / (1024 * 1024)));
      return;
    }
    try {
      const bytes = new Uint8Array(await chosen.arrayBuffer());
      const answer = await host.request('chooseAvatar', { fileName: chosen.name, bytes });
      if (answer.kind === 'refused') {
        refuse(answer.reason);
        return;
      }
      if (!(await isWhole(bytes, answer.preview))) {
        await dropAvatar();
        refuse(l10n.t('The image is damaged. Choose another image.'));
        return;
      }
      setProblems(without(problems, 'avatar'));
      setChosenAvatar(answer.preview);
    } catch (error) {
      refuse(error instanceof Error ? error.message : String(error));
    }
  }

  async function dropAvatar(): Promise<void> {
    setChosenAvatar(undefined);
    await host.request('dropAvatar', null);
  }

  async function discard(): Promise<void> {
    setTyped(profile.fields);
    setProblems({});
    setSaving({ kind: 'idle' });
    setRestored(false);
    await pending.discard();
    await dropAvatar();
  }

  async function save(): Promise<void> {
    if (busy || !hasChanges) {
      return;
    }
    if (changes.name?.trim() === '') {
      setProblems({ ...problems, name: l10n.t('Enter a name.') });
      return;
    }
    setProblems({});
    setSaving({ kind: 'saving' });
    pending.keepNow(changes);
    let answer: SaveAnswer;
    try {
      // The person may be asked to sign in again meanwhile: that takes as long as it takes.
      answer = await host.request('save', { fields: changes }, { timeout: untilAnswered });
    } catch (error) {
      setSaving({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) });
      return;
    }
    if (answer.kind === 'refused') {
      setProblems(answer.fields);
      setSaving({ kind: 'failed', reason: answer.reason });
      return;
    }
    const kept = answer.profile.fields;
    setProfile(answer.profile);
    setTyped(kept);
    setChosenAvatar(undefined);
    setRestored(false);
    const names = Object.keys(changes) as (keyof ProfileFields)[];
    const changed = names.filter((name) => kept[name] !== changes[name]).map(labelOf);
    pending.forget();
    setSaving({ kind: 'saved', changed });
  }

  const textField = (name: 'name' | 'givenName' | 'familyName', autoComplete: string) => (
    <Field id={name} label={labelOf(name)} problem={problems[name]}>
      <input
        type="text"
        dir="auto"
        autocomplete={autoComplete}
        value={typed[name]}
        readOnly={busy}
        {...fieldAttributes(name, problems[name])}
        onInput={(event) => type(name, event.currentTarget.value)}
      />
    </Field>
  );

  return (
    <FormFrame
      keeping={keeping}
      busy={busy}
      heading={
        <header class="person">
          <Avatar
            name={profile.fields.name || profile.login}
            source={chosenAvatar ?? profile.avatar}
            size="large"
          />
          <div>
            <h1 dir="auto">{profile.fields.name || profile.login}</h1>
            <p class="muted">
              {l10n.t('{0} on {1}', profile.login, profile.server)}
              {profile.email !== undefined && <> · {profile.email}</>}
            </p>
            {profile.updatedAt !== undefined && (
              <p class="muted">
                {l10n.t('Last changed {0}', readableTime(profile.updatedAt, settings.language))}
              </p>
            )}
          </div>
        </header>
      }
      restored={restored && hasChanges ? l10n.t('Your unsaved changes were restored.') : undefined}
      problems={problems}
      failure={saving.kind === 'failed' ? saving.reason : undefined}
      actions={
        <>
          <button type="submit" class="primary" disabled={busy || !hasChanges}>
            {saving.kind === 'failed' ? l10n.t('Save Again') : l10n.t('Save')}
          </button>
          <button
            type="button"
            class="secondary"
            disabled={busy || !hasChanges}
            onClick={() => void discard()}
          >
            {l10n.t('Discard Changes')}
          </button>
        </>
      }
      status={statusText(saving, hasChanges)}
      onSubmit={() => void save()}
    >
      <div class="field" role="group" aria-labelledby="avatar-label">
        <span id="avatar-label">
          <strong>{l10n.t('Profile picture')}</strong>
        </span>
        <input
          ref={file}
          id="avatar"
          type="file"
          class="visually-hidden"
          tabIndex={-1}
          aria-hidden="true"
          accept={avatarTypes}
          onChange={(event) => {
            const input = event.currentTarget;
            void chooseAvatar(input.files?.[0]).then(() => {
              // The same file can be chosen again, after it was mended.
              input.value = '';
            });
          }}
        />
        <div class="new-avatar">
          <button
            type="button"
            class="secondary"
            disabled={busy}
            aria-invalid={problems.avatar !== undefined}
            aria-describedby={problems.avatar === undefined ? 'avatar-hint' : 'avatar-problem'}
            onClick={() => file.current?.click()}
          >
            {l10n.t('Choose Image…')}
          </button>
          {chosenAvatar !== undefined && (
            <button type="button" class="secondary" disabled={busy} onClick={() => void dropAvatar()}>
              {l10n.t('Keep Current Image')}
            </button>
          )}
        </div>
        {problems.avatar === undefined ? (
          <p class="hint" id="avatar-hint">
            {chosenAvatar === undefined
              ? l10n.t('PNG, JPEG, GIF, or WebP, up to {0} MB', largestAvatar / (1024 * 1024))
              : l10n.t('This image is sent when you save.')}
          </p>
        ) : (
          <p class="field-problem" id="avatar-problem" role="alert">
            {problems.avatar}
          </p>
        )}
      </div>
      {textField('name', 'name')}
      {textField('givenName', 'given-name')}
      {textField('familyName', 'family-name')}
      <Field id="locale" label={labelOf('locale')} problem={problems.locale}>
        <select
          disabled={busy}
          value={typed.locale}
          {...fieldAttributes('locale', problems.locale)}
          onChange={(event) => type('locale', event.currentTarget.value)}
        >
          {localesToChoose(profile.fields.locale).map((locale) => (
            <option key={locale} value={locale}>
              {localeName(locale)}
            </option>
          ))}
        </select>
      </Field>
    </FormFrame>
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

function statusText(saving: Saving, hasChanges: boolean): string {
  switch (saving.kind) {
    case 'saving':
      return l10n.t('Saving…');
    case 'saved':
      return saving.changed.length === 0
        ? l10n.t('Saved.')
        : l10n.t('Saved. The server adjusted these values: {0}', saving.changed.join(', '));
    default:
      return hasChanges ? l10n.t('Unsaved changes') : '';
  }
}

function without(problems: Problems, name: keyof Problems): Problems {
  return Object.fromEntries(Object.entries(problems).filter(([field]) => field !== name));
}

function changedFields(before: ProfileFields, now: ProfileFields): Partial<ProfileFields> {
  const names = Object.keys(now) as (keyof ProfileFields)[];
  return Object.fromEntries(
    names.filter((name) => now[name] !== before[name]).map((name) => [name, now[name]]),
  );
}

/** Whether a picture is whole: its beginning may be right and the rest missing. */
async function isWhole(bytes: Uint8Array<ArrayBuffer>, address: string): Promise<boolean> {
  const type = /^data:([^;]+)/.exec(address)?.[1] ?? '';
  try {
    // Browsers show what there is of a picture; only this decoder says that something is missing.
    if ('ImageDecoder' in window && (await ImageDecoder.isTypeSupported(type))) {
      const decoder = new ImageDecoder({ data: bytes, type });
      await decoder.decode();
      decoder.close();
      return true;
    }
    const image = new Image();
    image.src = address;
    await image.decode();
    return true;
  } catch {
    return false;
  }
}
