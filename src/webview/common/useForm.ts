import { useState } from 'preact/hooks';
import type { FormStart } from '../../protocol/form.ts';
import { keysOf } from '../../util/fields.ts';
import { messageOf } from '../../util/messageOf.ts';
import type { FormTyping } from './formTyping.ts';

/** One sentence for each field that can't be sent as it is. */
export type Problems<Name extends string> = Partial<Record<Name, string>>;

/** The state of sending; `Ending` is what else becomes of it in one form and not in others. */
export type Sending<Ending> =
  { kind: 'idle' } | { kind: 'sending' } | { kind: 'failed'; reason: string } | Ending;

/** The service's no: why, and which fields it names. */
interface Refusal<Name extends string> {
  kind: 'refused';
  reason: string;
  fields: Problems<Name>;
}

/** The state that every form has, and the ways it changes. */
export interface FormState<Fields, Name extends string, Ending> {
  fields: Fields;
  /** Takes in what was typed, and saves it locally a moment later. */
  change: (changed: Partial<Fields>) => void;
  /** The problems that came up last. */
  found: Problems<Name>;
  /** Those of fields that haven't been changed since. */
  problems: Problems<Name>;
  showProblems: (problems: Problems<Name>) => void;
  /** Takes away the problem of one field. */
  clearProblem: (name: Name) => void;
  sending: Sending<Ending>;
  setSending: (sending: Sending<Ending>) => void;
  busy: boolean;
  /** True while the form shows what was typed before it was opened. */
  restored: boolean;
  /** Throws away what was typed. */
  startOver: () => Promise<void>;
  /** Saves the fields locally and sends them, unless something is wrong with them. Undefined when nothing came of it: the form says why. */
  send: <Answer extends { kind: string }>(
    wrong: Problems<Name>,
    request: () => Promise<Answer | Refusal<Name>>,
  ) => Promise<Answer | undefined>;
  /** Goes on with these fields, of which nothing is left to send. */
  finish: (fields: Fields, ending: Ending) => void;
}

/** Holds what is typed into a form, the problems with it, and how far sending it has come. */
export function useForm<Fields extends object, Name extends string, Ending extends { kind: string }>(props: {
  start: FormStart<Fields>;
  typing: FormTyping<Fields>;
  /** The fields as they are before anything is typed. */
  suggested: Fields;
  /** Picks the fields that are saved locally. */
  worthKeeping: (fields: Fields) => Partial<Fields>;
}): FormState<Fields, Name, Ending> {
  const { start, typing, suggested, worthKeeping } = props;
  const { pending, failure } = start;
  const [fields, setFields] = useState<Fields>({ ...suggested, ...pending });
  const [found, setFound] = useState<Problems<Name>>({});
  const [problems, setProblems] = useState(found);
  const [sending, setSending] = useState<Sending<Ending>>(sendingBefore(failure));
  const [restored, setRestored] = useState(Object.keys(pending).length > 0);
  const busy = sending.kind === 'sending';
  const typed = typing.useTypedFields(pending);
  const endUnsent = (now: Sending<Ending>): void => {
    setSending(now);
    typed.goOn();
  };
  const showProblems = (now: Problems<Name>): void => {
    setFound(now);
    setProblems(now);
  };
  const clearProblems = (names: readonly string[]): void => setProblems((now) => without(now, names));
  return {
    fields,
    change: (changed) => {
      const now = { ...fields, ...changed };
      setFields(now);
      setSending({ kind: 'idle' });
      clearProblems(Object.keys(changed));
      typed.saveLocallySoon(worthKeeping(now));
    },
    found,
    problems,
    showProblems,
    clearProblem: (name) => clearProblems([name]),
    sending,
    setSending: endUnsent,
    busy,
    restored,
    startOver: () => {
      setFields(suggested);
      showProblems({});
      setSending({ kind: 'idle' });
      setRestored(false);
      return typed.discard();
    },
    send: async (wrong, request) => {
      if (busy) {
        return undefined;
      }
      showProblems(wrong);
      if (keysOf(wrong).length > 0) {
        return undefined;
      }
      setSending({ kind: 'sending' });
      typed.saveToSend(worthKeeping(fields));
      try {
        const answer = await request();
        if (!isRefusal(answer)) {
          return answer;
        }
        showProblems(answer.fields);
        endUnsent({ kind: 'failed', reason: answer.reason });
      } catch (error) {
        endUnsent({ kind: 'failed', reason: messageOf(error) });
      }
      return undefined;
    },
    finish: (now, ending) => {
      setFields(now);
      setRestored(false);
      typed.forget();
      setSending(ending);
    },
  };
}

/** The state of sending in a form that was opened again. */
function sendingBefore(failure: string | undefined): Sending<never> {
  return failure === undefined ? { kind: 'idle' } : { kind: 'failed', reason: failure };
}

function isRefusal<Name extends string>(answer: { kind: string } | Refusal<Name>): answer is Refusal<Name> {
  return answer.kind === 'refused';
}

function without<Name extends string>(problems: Problems<Name>, names: readonly string[]): Problems<Name> {
  const left: Problems<Name> = {};
  for (const name of keysOf(problems)) {
    if (!names.includes(name)) {
      left[name] = problems[name];
    }
  }
  return left;
}
