import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { giveFocus } from './focusKeeping.ts';
import type { FormTyping } from './formTyping.ts';
import { Problem } from './Problem.tsx';
import { keptText, restoredText, SilenceNote } from './SilenceNote.tsx';

interface FormBodyProps<Fields extends object> {
  /** Keeps what is typed. */
  typing: FormTyping<Fields>;
  /** Said when what was typed before is back. */
  restored: string | undefined;
  /** Problems that came up last: the focus goes to the first of them, and stays where the person then types. */
  found: object;
  /** Why it was not sent. */
  failure: string | undefined;
  /** The buttons; the first one sends. */
  actions: ComponentChildren;
  status: string;
  onSubmit: () => void;
  /** The fields. */
  children: ComponentChildren;
}

/** A page that is a form. */
export function FormFrame<Fields extends object>(
  props: FormBodyProps<Fields> & {
    class?: string;
    busy: boolean;
    /** The heading, and what it is about. */
    heading: ComponentChildren;
    rest?: ComponentChildren;
  },
) {
  const { busy, heading, rest, ...form } = props;
  return (
    <main class={`form ${props.class ?? ''}`} aria-busy={busy}>
      {heading}
      <FormBody {...form} />
      {rest}
    </main>
  );
}

/** The frame around the fields of every form, which also says where its focus goes. */
export function FormBody<Fields extends object>(props: FormBodyProps<Fields>) {
  const { typing, found, failure, actions, status, onSubmit, children } = props;
  const silence = typing.useSilence();
  const restored =
    props.restored !== undefined && typing.outcomes.has('restored') ? restoredText() : props.restored;
  const form = useRef<HTMLFormElement>(null);

  useEffect(() => {
    // Typing that the service didn't take has come back: mostly it is only to be sent again.
    if (failure !== undefined) {
      giveFocus(form.current?.querySelector<HTMLElement>('[type="submit"]'));
    }
  }, []);

  useEffect(() => {
    // After a refusal the keyboard goes where something is to be fixed.
    giveFocus(form.current?.querySelector<HTMLElement>('[aria-invalid="true"]'));
  }, [found]);

  return (
    <>
      {restored !== undefined && (
        <p class="remark" role="status">
          {restored}
        </p>
      )}
      {typing.outcomes.has('kept') && (
        <p class="remark" role="status">
          {keptText()}
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
      {/* There before there is anything in it, so that it is announced, once. */}
      <div class="form-silence" role="status">
        {silence && <SilenceNote {...silence} />}
      </div>
    </>
  );
}
