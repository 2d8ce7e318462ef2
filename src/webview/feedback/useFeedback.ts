import * as l10n from '@vscode/l10n';
import { useEffect, useRef, useState } from 'preact/hooks';
import type {
  DataFile,
  FeedbackFields,
  FeedbackForm,
  FeedbackProgress,
  SendAnswer,
} from '../../protocol/feedback.ts';
import { keysOf } from '../../util/fields.ts';
import { inBackground } from '../../util/inBackground.ts';
import type { FormTyping } from '../common/formTyping.ts';
import { untilAnswered } from '../common/host.ts';
import { useForm, type Problems, type Sending } from '../common/useForm.ts';
import type { Host } from './host.ts';

type Ending =
  | { kind: 'sent' }
  /** `mayHaveArrived` once all of it was on its way. */
  | { kind: 'cancelled'; mayHaveArrived: boolean };

/** The state of sending feedback. */
export type FeedbackSending = Sending<Ending>;

/** The state of the form for feedback. Nothing typed leaves it but by sending it or by starting over. */
export function useFeedback(props: {
  form: FeedbackForm;
  host: Host;
  typing: FormTyping<FeedbackFields>;
  /** Has a function told how far sending is. */
  listen: (listener: (progress: FeedbackProgress) => void) => void;
}) {
  const { form, host, typing, listen } = props;
  const { suggested } = form;
  const state = useForm<FeedbackFields, keyof FeedbackFields, Ending>({
    start: form,
    typing,
    suggested,
    worthKeeping: (fields) => typedFields(suggested, fields),
  });
  const { fields } = state;
  const [data, setData] = useState(form.data);
  const [previews, setPreviews] = useState(false);
  const [progress, setProgress] = useState<FeedbackProgress>();
  const abort = useRef<AbortController>(undefined);
  const isAllOnItsWay = useRef(false);
  useEffect(() => {
    listen((told) => {
      isAllOnItsWay.current = told.step === 'sending' && told.done >= told.total;
      setProgress(told);
    });
  }, []);

  function clear(): void {
    setData([]);
    setPreviews(false);
  }

  async function send(): Promise<void> {
    const answer = await state.send(check(fields, data), () => {
      const controller = new AbortController();
      abort.current = controller;
      isAllOnItsWay.current = false;
      setProgress(undefined);
      return request(host, fields, controller.signal);
    });
    switch (answer?.kind) {
      case 'sent':
        clear();
        state.finish(suggested, { kind: 'sent' });
        break;
      case 'cancelled':
        state.setSending({ kind: 'cancelled', mayHaveArrived: isAllOnItsWay.current });
        break;
      case undefined:
        break; // The form says why.
    }
  }

  return {
    ...state,
    data,
    changeData: (files: DataFile[]) => {
      setData(files);
      state.change({ data: files.map(({ path }) => path) });
    },
    previews,
    setPreviews,
    progress,
    startOver: () => {
      clear();
      inBackground(state.startOver());
    },
    send: () => inBackground(send()),
    cancel: () => abort.current?.abort(),
  };
}

async function request(host: Host, fields: FeedbackFields, signal: AbortSignal): Promise<SendAnswer> {
  try {
    return await host.request('send', { fields }, { timeoutMs: untilAnswered, signal });
  } catch (error) {
    if (signal.aborted) {
      return { kind: 'cancelled' };
    }
    throw error;
  }
}

/** Only fields that differ from what the form suggests are worth keeping. */
function typedFields(suggested: FeedbackFields, fields: FeedbackFields): Partial<FeedbackFields> {
  return Object.fromEntries(
    keysOf(fields)
      .filter((name) => String(fields[name]) !== String(suggested[name]))
      .map((name) => [name, fields[name]]),
  );
}

function check(fields: FeedbackFields, data: DataFile[]): Problems<keyof FeedbackFields> {
  const { message, email, log, repository } = fields;
  const missing = data.find(({ size }) => size === undefined);
  return {
    ...(message.trim() === '' &&
      !log &&
      repository === '' &&
      data.length === 0 && { message: l10n.t('Enter a message or attach something.') }),
    ...(email.trim() !== '' &&
      !/^[^@\s]+@[^@\s]+$/.test(email.trim()) && {
        email: l10n.t('Enter a valid email address or leave this empty.'),
      }),
    ...(missing && { data: l10n.t('{0} no longer exists. Remove it.', missing.name) }),
  };
}
