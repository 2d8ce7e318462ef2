/**
 * Controls that cannot be used at the moment: while something is sent, or when there is nothing to do. The browser takes the
 * focus from one that is `disabled`, and the person who has just pressed it is nowhere; these keep it, say that they are not
 * available, and do nothing.
 */
import type { ButtonHTMLAttributes, PartialInputHTMLAttributes, PartialSelectHTMLAttributes } from 'preact';

type Available<Attributes> = Omit<Attributes, 'disabled' | 'role' | 'size' | 'type'> & {
  disabled?: boolean | undefined;
};

/** A button, as the browser has it but for `disabled`: see the module. */
export function Button({
  disabled = false,
  onClick,
  ...rest
}: Available<ButtonHTMLAttributes> & { type?: 'submit' }) {
  return <button type="button" {...rest} {...unavailable(disabled)} onClick={disabled ? refuse : onClick} />;
}

/** A box to tick, or one of several to choose from: see the module. */
export function Choice(
  props: Available<PartialInputHTMLAttributes<HTMLInputElement>> & { type: 'checkbox' | 'radio' },
) {
  const { disabled = false, type, ...rest } = props;
  const attributes = { ...rest, ...unavailable(disabled), ...(disabled && { onClick: refuse }) };
  return type === 'radio' ? (
    <input type="radio" {...attributes} />
  ) : (
    <input type="checkbox" {...attributes} />
  );
}

/** A list to choose from: see the module. */
export function Select({
  disabled = false,
  ...rest
}: Available<PartialSelectHTMLAttributes<HTMLSelectElement>>) {
  return (
    <select
      {...rest}
      {...unavailable(disabled)}
      {...(disabled && { onMouseDown: refuse, onKeyDown: refuseKey })}
    />
  );
}

function unavailable(isSo: boolean): { 'aria-disabled'?: true } {
  return isSo ? { 'aria-disabled': true } : {};
}

function refuse(event: Event): void {
  event.preventDefault();
}

function refuseKey(event: KeyboardEvent): void {
  if (event.key !== 'Tab') {
    event.preventDefault();
  }
}
