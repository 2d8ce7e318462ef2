/** A button that is an icon; its label is its tooltip and its accessible name. */
export function IconButton(props: { icon: string; label: string; disabled?: boolean; onClick: () => void }) {
  return (
    <button
      type="button"
      class="icon-button"
      title={props.label}
      aria-label={props.label}
      disabled={props.disabled}
      onClick={props.onClick}
    >
      <i class={`codicon codicon-${props.icon}`} aria-hidden="true" />
    </button>
  );
}
