import * as l10n from '@vscode/l10n';
import { useEffect, useState } from 'preact/hooks';
import type { FeedbackFields, FeedbackForm, RepositorySurvey } from '../../protocol/feedback.ts';
import { Field, fieldAttributes } from '../common/Field.tsx';
import { untilAnswered } from '../common/host.ts';
import { readableSize } from '../common/size.ts';
import type { Host } from './host.ts';
import { Select } from '../common/controls.tsx';
import { messageOf } from '../../util/messageOf.ts';

/** Milliseconds after the last key press until the files are counted. */
const surveyDelayMs = 400;

type Survey =
  { kind: 'counting' } | { kind: 'counted'; survey: RepositorySurvey } | { kind: 'failed'; reason: string };

/** Attaches a repository, and shows what of it is left out. */
export function RepositoryAttachment(props: {
  form: FeedbackForm;
  repository: string;
  ignore: string;
  problem: string | undefined;
  busy: boolean;
  language: string;
  host: Host;
  onChange: (changed: Partial<FeedbackFields>) => void;
}) {
  const { form, repository, ignore, problem, busy, language, host, onChange } = props;
  const survey = useSurvey(host, repository, ignore);

  if (form.repositories.length === 0) {
    return (
      <p class="hint">
        {form.untrusted
          ? l10n.t("Git isn't run in untrusted folders. Trust the folder to attach its repository.")
          : l10n.t('Open a Git repository to attach it.')}
      </p>
    );
  }
  return (
    <>
      <Field id="repository" label={l10n.t('Repository')} problem={problem}>
        <Select
          value={repository}
          disabled={busy}
          {...fieldAttributes('repository', problem)}
          onChange={(event) => onChange({ repository: event.currentTarget.value })}
        >
          <option value="">{l10n.t('None')}</option>
          {form.repositories.map(({ root, name }) => (
            <option key={root} value={root}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      {repository !== '' && (
        <div class="indented">
          <div role="status">{surveyText(survey, language)}</div>
          {survey.kind === 'counted' && (
            <>
              <LeftOut
                title={l10n.t('Excluded because they look like secrets: {0}', survey.survey.secrets.length)}
                paths={survey.survey.secrets}
              />
              <LeftOut
                title={l10n.t("Excluded because they couldn't be read: {0}", survey.survey.unreadable.length)}
                paths={survey.survey.unreadable}
              />
            </>
          )}
          <Field
            id="ignore"
            label={l10n.t('Exclude more files')}
            hint={l10n.t('One pattern per line, as in .gitignore')}
          >
            <textarea
              rows={3}
              class="code"
              spellcheck={false}
              value={ignore}
              readOnly={busy}
              {...fieldAttributes('ignore', undefined, true)}
              onInput={(event) => onChange({ ignore: event.currentTarget.value })}
            />
          </Field>
        </div>
      )}
    </>
  );
}

/** Counts the files that would go along, a moment after the choice of them was changed last. */
function useSurvey(host: Host, repository: string, ignore: string): Survey {
  const [survey, setSurvey] = useState<Survey>({ kind: 'counting' });

  useEffect(() => {
    if (repository === '') {
      return;
    }
    const controller = new AbortController();
    setSurvey({ kind: 'counting' });
    const timer = window.setTimeout(() => {
      host
        .request(
          'survey',
          { root: repository, ignore },
          { signal: controller.signal, timeoutMs: untilAnswered },
        )
        .then(
          (counted) => setSurvey({ kind: 'counted', survey: counted }),
          (error: unknown) => {
            if (!controller.signal.aborted) {
              setSurvey({ kind: 'failed', reason: messageOf(error) });
            }
          },
        );
    }, surveyDelayMs);
    return () => {
      window.clearTimeout(timer);
      controller.abort();
    };
  }, [repository, ignore]);
  return survey;
}

function LeftOut({ title, paths }: { title: string; paths: string[] }) {
  if (paths.length === 0) {
    return null;
  }
  return (
    <details open={paths.length <= 10}>
      <summary>{title}</summary>
      <ul class="paths">
        {paths.map((path) => (
          <li key={path} dir="auto">
            {path}
          </li>
        ))}
      </ul>
    </details>
  );
}

function surveyText(survey: Survey, language: string): string {
  switch (survey.kind) {
    case 'counting':
      return l10n.t('Counting files…');
    case 'failed':
      return survey.reason;
    case 'counted': {
      const { files, bytes, ignored } = survey.survey;
      const size = readableSize(bytes, language);
      const count =
        files === 1
          ? l10n.t('1 file, {0} uncompressed', size)
          : l10n.t('{0} files, {1} uncompressed', files, size);
      return ignored === 0 ? count : `${count}. ${l10n.t('Excluded by your patterns: {0}', ignored)}`;
    }
  }
}
