import type { ComponentChildren } from 'preact';

/** Something that went wrong, with the buttons for what can be done about it. */
export function Problem({ text, children }: { text: string; children?: ComponentChildren }) {
  return (
    <div class="problem" role="alert">
      <i class="codicon codicon-error" aria-hidden="true" />
      <span class="problem-text">{text}</span>
      {children && <span class="problem-actions">{children}</span>}
    </div>
  );
}
