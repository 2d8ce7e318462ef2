import * as l10n from '@vscode/l10n';

/** The head of a document with several patches: what their stack is called, and how many there are. */
export function StackHeader({ title, count }: { title: string; count: number }) {
  return (
    <header class="stack-header">
      <h1 dir="auto" tabIndex={-1}>
        {title}
      </h1>
      <p class="facts">{count === 1 ? l10n.t('1 patch') : l10n.t('{0} patches', count)}</p>
    </header>
  );
}
