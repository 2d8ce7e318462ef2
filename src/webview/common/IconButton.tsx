import { Button } from './controls.tsx';

/** A button that is an icon; its label is its tooltip and its accessible name. */
export function IconButton(props: {
  icon: string;
  label: string;
  disabled?: boolean;
  /** Of a button that switches something: whether it is on. */
  pressed?: boolean;
  /** Of a button that shows something: whether it is shown. */
  expanded?: boolean;
  /** When the person points at it or comes to it with the keyboard: they are likely to press it. */
  onApproach?: () => void;
  onClick: () => void;
}) {
  return (
    <Button
      class="icon-button"
      title={props.label}
      aria-label={props.label}
      aria-pressed={props.pressed}
      aria-expanded={props.expanded}
      disabled={props.disabled}
      onPointerEnter={props.onApproach}
      onFocus={props.onApproach}
      onClick={props.onClick}
    >
      <i class={`codicon codicon-${props.icon}`} aria-hidden="true" />
    </Button>
  );
}
