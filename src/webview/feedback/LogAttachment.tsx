import * as l10n from '@vscode/l10n';
import { readableSize } from '../common/size.ts';
import { Choice } from '../common/controls.tsx';

/** Attaches the log, and shows it as it would be sent. */
export function LogAttachment(props: {
  log: string;
  attached: boolean;
  problem: string | undefined;
  busy: boolean;
  language: string;
  onChange: (attached: boolean) => void;
}) {
  const { log, attached, problem, busy, language, onChange } = props;
  const size = new TextEncoder().encode(log).length;
  return (
    <div class="field">
      <label class="choice">
        <Choice
          type="checkbox"
          checked={attached}
          disabled={busy || size === 0}
          aria-invalid={problem !== undefined}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        {size === 0
          ? l10n.t('The log (empty)')
          : l10n.t("This window's log, with secrets masked ({0})", readableSize(size, language))}
      </label>
      {size > 0 && (
        <details>
          <summary>{l10n.t('View the log as it would be sent')}</summary>
          <pre class="log" tabIndex={0} aria-label={l10n.t('Log')}>
            {log}
          </pre>
        </details>
      )}
      {problem !== undefined && (
        <p class="field-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
