import type { ComponentChildren } from 'preact';

/** A field of a form: its label, itself, and below it what is wrong with it or else a hint. */
export function Field(props: {
  /** The id of the input. */
  id: string;
  label: string;
  hint?: ComponentChildren;
  problem?: string | undefined;
  children: ComponentChildren;
}) {
  const { id, label, hint, problem, children } = props;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      {problem === undefined ? (
        hint !== undefined && (
          <p class="hint" id={`${id}-hint`}>
            {hint}
          </p>
        )
      ) : (
        <p class="field-problem" id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

/** Attributes that tie the input of a field to its label, hint and problem. */
export function fieldAttributes(id: string, problem: string | undefined, hasHint = false) {
  if (problem !== undefined) {
    return { id, 'aria-invalid': true, 'aria-describedby': `${id}-problem` };
  }
  return hasHint ? { id, 'aria-describedby': `${id}-hint` } : { id };
}
