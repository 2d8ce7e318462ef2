import * as l10n from '@vscode/l10n';

/** The numbers of added and deleted lines, as far as they are known and not zero. */
export function ChangeCount({
  added,
  deleted,
}: {
  added?: number | undefined;
  deleted?: number | undefined;
}) {
  return (
    <span class="statistics">
      {added !== undefined && added > 0 && (
        <span
          class="added"
          role="img"
          aria-label={added === 1 ? l10n.t('1 line added') : l10n.t('{0} lines added', added)}
        >
          +{added}
        </span>
      )}
      {deleted !== undefined && deleted > 0 && (
        <span
          class="deleted"
          role="img"
          aria-label={deleted === 1 ? l10n.t('1 line removed') : l10n.t('{0} lines removed', deleted)}
        >
          −{deleted}
        </span>
      )}
    </span>
  );
}
