import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import type { CreateAnswer, ReleaseFields, ReleaseForm } from '../../protocol/release.ts';
import type { FormTyping } from '../common/formTyping.ts';
import { untilAnswered } from '../common/host.ts';
import { useForm, type Problems, type Sending } from '../common/useForm.ts';
import { isLoose } from './fields.tsx';
import { useRevision, type Host } from './revision.ts';
import { inBackground } from '../../util/inBackground.ts';

type Ending = { kind: 'created' } | { kind: 'notSent' };

/** The state of creating a release. */
export type ReleaseSending = Sending<Ending>;

/** The state of the form for a release. Nothing typed leaves it but by creating the release or by starting over. */
export function useRelease(props: { form: ReleaseForm; host: Host; typing: FormTyping<ReleaseFields> }) {
  const { form, host, typing } = props;
  const state = useForm<ReleaseFields, keyof ReleaseFields, Ending>({
    start: form,
    typing,
    suggested: suggestedFields(form),
    worthKeeping: (fields) => fields,
  });
  const { fields } = state;
  const { place, version, revision, channel } = fields;
  const [insists, setInsists] = useState(false);
  const [past, setPast] = useState(form.past);
  const { answer, find } = useRevision(host, place, revision);

  async function request(): Promise<CreateAnswer | { kind: 'unknown'; reason: string }> {
    const commit = answer ?? (await find());
    return commit.kind === 'unknown'
      ? commit
      : // The person is asked meanwhile, which takes as long as it takes.
        host.request(
          'create',
          { version: version.trim(), sha: commit.sha, channel },
          { timeoutMs: untilAnswered },
        );
  }

  async function create(): Promise<void> {
    const outcome = await state.send(check(fields, insists), request);
    switch (outcome?.kind) {
      case 'unknown':
        state.showProblems({ revision: outcome.reason });
        state.setSending({ kind: 'idle' });
        break;
      case 'created':
        setPast(outcome.past);
        state.finish(fields, { kind: 'created' });
        break;
      case 'notSent':
        state.setSending({ kind: 'notSent' });
        break;
      case undefined:
        break; // The form says why.
    }
  }

  return {
    ...state,
    answer,
    past,
    insists,
    insist: (now: boolean) => {
      setInsists(now);
      state.showProblems({});
    },
    change: (changed: Partial<ReleaseFields>) => {
      state.change(changed);
      if (changed.version !== undefined) {
        setInsists(false);
      }
    },
    startOver: () => {
      setInsists(false);
      inBackground(state.startOver());
    },
    create: () => inBackground(create()),
  };
}

function check({ version, revision }: ReleaseFields, insists: boolean): Problems<keyof ReleaseFields> {
  if (version.trim() === '') {
    return { version: l10n.t('Enter a version.') };
  }
  if (isLoose(version) && !insists) {
    return {
      version: l10n.t("This isn't a semantic version. Correct it or confirm that you want to use it."),
    };
  }
  return revision.trim() === '' ? { revision: l10n.t('Enter a branch, tag, or SHA.') } : {};
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
