import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import type { ProfileFields, ProfileForm } from '../../protocol/profile.ts';
import { changedFields, keysOf } from '../../util/fields.ts';
import type { FormTyping } from '../common/formTyping.ts';
import { untilAnswered } from '../common/host.ts';
import { useForm, type Sending } from '../common/useForm.ts';
import { useAvatar, type Host } from './useAvatar.ts';

interface Ending {
  kind: 'saved';
  /** Fields that the service keeps otherwise than they were typed. */
  changed: (keyof ProfileFields)[];
}

/** The state of saving the profile. */
export type ProfileSaving = Sending<Ending>;

/** The state of the profile form. Nothing typed leaves it but by saving it or by discarding the changes. */
export function useProfile(props: { form: ProfileForm; host: Host; typing: FormTyping<ProfileFields> }) {
  const { form, host, typing } = props;
  const [profile, setProfile] = useState(form.profile);
  const state = useForm<ProfileFields, keyof ProfileFields | 'avatar', Ending>({
    start: form,
    typing,
    suggested: profile.fields,
    worthKeeping: (fields) => changedFields(profile.fields, fields),
  });
  const { problems } = state;
  const avatar = useAvatar(host, form.chosenAvatar, {
    refuse: (reason) => state.showProblems({ ...problems, avatar: reason }),
    accept: () => state.clearProblem('avatar'),
  });
  const changes = changedFields(profile.fields, state.fields);
  const hasChanges = Object.keys(changes).length > 0 || avatar.chosen !== undefined;

  async function save(): Promise<void> {
    if (!hasChanges) {
      return;
    }
    const found = changes.name?.trim() === '' ? { ...problems, name: l10n.t('Enter a name.') } : {};
    const answer = await state.send(found, () =>
      // The person may be asked to sign in again meanwhile: that takes as long as it takes.
      host.request('save', { fields: changes }, { timeoutMs: untilAnswered }),
    );
    if (answer) {
      const kept = answer.profile.fields;
      setProfile(answer.profile);
      avatar.forget();
      const changed = keysOf(changes).filter((name) => kept[name] !== changes[name]);
      state.finish(kept, { kind: 'saved', changed });
    }
  }

  return {
    ...state,
    profile,
    avatar: {
      ...avatar,
      choose: (file: File) => {
        state.setSending({ kind: 'idle' });
        return avatar.choose(file);
      },
    },
    hasChanges,
    discard: async () => {
      await state.startOver();
      await avatar.drop();
    },
    save,
  };
}
