import * as l10n from '@vscode/l10n';
import type { TextSectionView } from '../../../protocol/patchDocument.ts';
import { inBackground } from '../../../util/inBackground.ts';
import { useWriting } from '../writing/WritingContext.tsx';

/** That other versions of a text conflict with the one that is shown, and what decides between them. */
export function ConflictNote({ section: { code, versions } }: { section: TextSectionView }) {
  const { writing } = useWriting();
  return (
    versions && (
      <div class="writing-note" role="note">
        <i class="codicon codicon-git-merge" aria-hidden="true" />
        <span>{shownVersion(versions)}</span>
        <button type="button" class="link-button" onClick={() => inBackground(writing.resolveShared(code))}>
          {l10n.t('Resolve…')}
        </button>
      </div>
    )
  );
}

function shownVersion({ count, isOwn, by }: NonNullable<TextSectionView['versions']>): string {
  if (isOwn) {
    return l10n.t('{0} versions were written at the same time. This is yours.', count);
  }
  return by === undefined
    ? l10n.t('{0} versions were written at the same time. This is the latest.', count)
    : l10n.t('{0} versions were written at the same time. This is the latest, by {1}.', count, by);
}
