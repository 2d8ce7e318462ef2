import * as l10n from '@vscode/l10n';
import type { DiffSectionView } from '../../../protocol/patchDocument.ts';
import { TextButton } from '../../common/TextButton.tsx';
import { ChangeCount } from '../sections/ChangeCount.tsx';
import { countChanges, type FileDiff } from './diff.ts';
import { machineWritten } from './generated.ts';
import { isHuge } from '../reading.ts';
import { plainText } from '../../../util/visibleText.ts';

/** What a file is called, what became of it, and how much of it changed; folds and unfolds its diff. */
export function FileHeader(props: {
  section: DiffSectionView;
  diff: FileDiff | undefined;
  folded: boolean;
  onToggle: () => void;
}) {
  const { section, diff, folded, onToggle } = props;
  const { path, oldPath } = section;
  const counted = diff && (section.added === undefined || section.deleted === undefined);
  const { added, deleted } = counted ? countChanges(diff.rows) : section;
  return (
    <h2 class="file-header">
      <TextButton class="file-toggle" expanded={!folded} onPress={onToggle}>
        <i class={`codicon codicon-${folded ? 'chevron-right' : 'chevron-down'}`} aria-hidden="true" />
        <span class="path">
          {oldPath && oldPath !== path && (
            <>
              <Path path={oldPath} />{' '}
              <i class="codicon codicon-arrow-right" role="img" aria-label={l10n.t('renamed to')} />{' '}
            </>
          )}
          <Path path={path} />
        </span>
      </TextButton>
      <Badges section={section} diff={diff} />
      <ChangeCount added={added} deleted={deleted} />
    </h2>
  );
}

/** The folder recedes: the name is what is looked for. */
function Path({ path }: { path: string }) {
  const shown = plainText(path);
  const name = shown.slice(shown.lastIndexOf('/') + 1);
  return (
    <bdi>
      <span class="folder">{shown.slice(0, shown.length - name.length)}</span>
      {name}
    </bdi>
  );
}

function Badges({ section, diff }: { section: DiffSectionView; diff: FileDiff | undefined }) {
  const change =
    diff &&
    {
      modified: undefined,
      created: l10n.t('new'),
      deleted: l10n.t('deleted'),
      renamed: l10n.t('renamed'),
      copied: l10n.t('copied'),
    }[diff.change];
  const writer = machineWritten(section.path);
  return (
    <>
      {change && <span class={`badge ${diff.change}`}>{change}</span>}
      {diff?.oldMode && diff.newMode && (
        <span class="badge">{l10n.t('mode {0} → {1}', diff.oldMode, diff.newMode)}</span>
      )}
      {isHuge(section) && <span class="badge">{l10n.t('large')}</span>}
      {writer && <span class="badge">{writer === 'lock' ? l10n.t('lock file') : l10n.t('generated')}</span>}
    </>
  );
}
