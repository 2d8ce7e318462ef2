import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { FormKeeping } from './formKeeping.ts';
import { Problem } from './Problem.tsx';
import { handedOverText, SilenceNote, waitingText } from './SilenceNote.tsx';

/** What stands around the fields of every form, and where its focus goes. */
export function FormFrame<Fields extends object>(props: {
  /** Keeps what is typed. */
  keeping: FormKeeping<Fields>;
  class?: string;
  busy: boolean;
  /** The heading, and what it is about. */
  heading: ComponentChildren;
  /** Said when what was typed before is back. */
  restored: string | undefined;
  /** What is wrong with each field: the focus goes to the first of them. */
  problems: object;
  /** Why it was not sent. */
  failure: string | undefined;
  /** The buttons; the first one sends. */
  actions: ComponentChildren;
  status: string;
  onSubmit: () => void;
  /** The fields. */
  children: ComponentChildren;
  rest?: ComponentChildren;
}) {
  const { keeping, busy, heading, problems, failure, actions, status, onSubmit, children, rest } = props;
  const silence = keeping.useSilence();
  const restored =
    props.restored !== undefined && keeping.handedOver === 'taken' ? handedOverText() : props.restored;
  const form = useRef<HTMLFormElement>(null);

  useEffect(() => {
    // What was typed and not taken has come back: mostly it is only to be sent again.
    if (failure !== undefined) {
      form.current?.querySelector<HTMLElement>('[type="submit"]')?.focus();
    }
  }, []);

  useEffect(() => {
    // After a refusal the keyboard goes where something is to be fixed.
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problems]);

  return (
    <main class={`form ${props.class ?? ''}`} aria-busy={busy}>
      {heading}
      {restored !== undefined && (
        <p class="remark" role="status">
          {restored}
        </p>
      )}
      {keeping.handedOver === 'waits' && (
        <p class="remark" role="status">
          {waitingText()}
        </p>
      )}
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {children}
        {failure !== undefined && <Problem text={failure} />}
        <div class="form-actions">
          {actions}
          <span role="status" class="muted">
            {status}
          </span>
        </div>
      </form>
      {rest}
      {/* There before there is anything in it, so that it is announced, once. */}
      <div class="form-silence" role="status">
        {silence && <SilenceNote {...silence} />}
      </div>
    </main>
  );
}
