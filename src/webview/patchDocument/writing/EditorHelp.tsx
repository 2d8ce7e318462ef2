import * as l10n from '@vscode/l10n';
import { useEffect, useState } from 'preact/hooks';
import type { ProseProblem } from '../../../util/proseProblem.ts';
import { IconButton } from '../../common/IconButton.tsx';
import { useReading } from '../reading/reading.ts';
import type { TextEdit } from './textEdit.ts';

/** Milliseconds after the last key before a text is checked: nobody is told of a line that they are still writing. */
const restMs = 600;

/** Helps with a text that is written: a template to begin with, and what may be better said in another way. */
export function EditorHelp({ edit }: { edit: TextEdit }) {
  const [isBlank, setBlank] = useState(edit.text.trim() === '');
  useEffect(() => {
    const look = (): void => setBlank(edit.text.trim() === '');
    look();
    const subscription = edit.onDidType(look);
    return () => void subscription.dispose();
  }, [edit]);
  return isBlank ? <Template edit={edit} /> : <Problems edit={edit} />;
}

/** Offers the project's template, if it has one. */
function Template({ edit }: { edit: TextEdit }) {
  const { host } = useReading();
  const [template, setTemplate] = useState('');
  useEffect(() => {
    const controller = new AbortController();
    host.request('template', null, { signal: controller.signal }).then(setTemplate, () => undefined);
    return () => controller.abort();
  }, [edit]);
  return template.trim() === '' ? null : (
    <p class="editor-help">
      <button
        type="button"
        class="link-button"
        onClick={() => edit.editor?.replace(0, edit.text.length, template)}
      >
        {l10n.t('Insert Template')}
      </button>
    </p>
  );
}

function Problems({ edit }: { edit: TextEdit }) {
  const { host } = useReading();
  const [problems, setProblems] = useState<readonly ProseProblem[]>([]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let controller = new AbortController();
    const show = (found: readonly ProseProblem[]): void => {
      setProblems(found);
      edit.editor?.showProblems(found);
    };
    const check = (): void => {
      const { text } = edit;
      const { signal } = controller;
      host.request('checkText', { text }, { signal }).then(
        (found) => {
          if (!signal.aborted && edit.text === text) {
            show(found);
          }
        },
        // It can be written and sent without.
        () => undefined,
      );
    };
    const later = (): void => {
      clearTimeout(timer);
      controller.abort();
      controller = new AbortController();
      timer = setTimeout(check, restMs);
    };
    later();
    const subscription = edit.onDidType(later);
    return () => {
      subscription.dispose();
      clearTimeout(timer);
      controller.abort();
    };
  }, [edit]);
  if (problems.length === 0) {
    return null;
  }
  return (
    <ul class="editor-help" aria-label={l10n.t('Checks')}>
      {problems.map((problem) => (
        <li key={`${problem.start} ${problem.message}`}>
          <i class="codicon codicon-info" aria-hidden="true" />
          <span>{problem.message}</span>
          <button
            type="button"
            class="link-button"
            onClick={() => edit.editor?.select(problem.start, problem.end)}
          >
            {l10n.t('Go to Line {0}', lineOf(edit.text, problem.start))}
          </button>
          <Fix problem={problem} edit={edit} />
        </li>
      ))}
    </ul>
  );
}

function Fix({ problem: { fix }, edit }: { problem: ProseProblem; edit: TextEdit }) {
  return fix ? (
    <button
      type="button"
      class="link-button"
      onClick={() => edit.editor?.replace(fix.start, fix.end, fix.insert)}
    >
      {fix.title}
    </button>
  ) : null;
}

function lineOf(text: string, place: number): number {
  return text.slice(0, place).split('\n').length;
}

/** Says why an image that was pasted or dropped is not in the text, and what can be done instead. */
export function ImageNote({ onDismiss }: { onDismiss: () => void }) {
  return (
    <div class="writing-note">
      <i class="codicon codicon-info" aria-hidden="true" />
      <span>{imageNoteText()}</span>
      <IconButton icon="close" label={l10n.t('Dismiss')} onClick={onDismiss} />
    </div>
  );
}

/** The same to be said aloud. */
export function imageNoteText(): string {
  return l10n.t(
    "The server stores text only, so this image isn't in the section. Commit it to the repository, then show it with ![Description](path/to/image.png).",
  );
}
