import * as l10n from '@vscode/l10n';
import type { TextSectionView } from '../../../protocol/patchDocument.ts';
import { compareProse } from '../../../util/compareProse.ts';
import { Words } from './Words.tsx';

/** That the commit's message says something else since somebody edited its text here, and what. */
export function ChangedMessage({ message }: { message: TextSectionView['changedMessage'] }) {
  return (
    message && (
      <details class="changed-message">
        <summary>{l10n.t("The commit's message has changed since this text was edited")}</summary>
        <pre class="plain-text" tabIndex={0}>
          <Words words={compareProse(message.before, message.now)} />
        </pre>
      </details>
    )
  );
}
