import * as l10n from '@vscode/l10n';
import type { DiffSectionView } from '../../../protocol/patchDocument.ts';
import { TextButton } from '../../common/TextButton.tsx';
import { ComparedBadge } from '../sections/ComparedHeader.tsx';
import { ChangeCount } from '../sections/ChangeCount.tsx';
import { FileIcon } from '../sections/FileIcon.tsx';
import { countChanges, type FileDiff } from './diff.ts';
import { isHuge, useReadingState } from '../reading/reading.ts';
import { renamedPath } from '../../../util/renamedPath.ts';
import { plainText } from '../../../util/visibleText.ts';

/** The name of a file, its kind of change, and the number of changed lines; folds and unfolds its diff. */
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
        <FileIcon path={path} />
        <span class="path" title={plainText(path)}>
          {oldPath && oldPath !== path ? <Renamed oldPath={oldPath} path={path} /> : <Path path={path} />}
        </span>
      </TextButton>
      <ComparedBadge section={section} />
      <Badges section={section} diff={diff} />
      <ChangeCount added={added} deleted={deleted} />
      <UnexplainedMark code={section.code} />
    </h2>
  );
}

/** Says that no text explains all of the file, quietly: it comes after the rest is there. */
function UnexplainedMark({ code }: { code: string }) {
  const hunks = useReadingState(({ unexplained }) => unexplained[code]);
  if (!hunks) {
    return null;
  }
  const text =
    hunks === 'all'
      ? l10n.t('No text explains these changes')
      : l10n.t('No text explains some of these changes');
  return (
    <i
      class="codicon codicon-comment-unresolved unexplained-mark"
      role="img"
      title={text}
      aria-label={text}
    />
  );
}

/** Only what has changed of a path stands there twice; who hears it is told both paths. */
function Renamed(props: { oldPath: string; path: string }) {
  const [oldPath, path] = [plainText(props.oldPath), plainText(props.path)];
  const parts = renamedPath(oldPath, path);
  if (!parts) {
    return (
      <>
        <Path path={oldPath} />{' '}
        <i class="codicon codicon-arrow-right" role="img" aria-label={l10n.t('renamed to')} />{' '}
        <Path path={path} />
      </>
    );
  }
  const { before, from, to, after } = parts;
  const [folders, name] = apart(after);
  return (
    <>
      <span class="visually-hidden">
        {oldPath} <i role="img" aria-label={l10n.t('renamed to')} /> {path}
      </span>
      <bdi class="path-parts" aria-hidden="true">
        <span class="folder">{`${before}{`}</span>
        {from} <i class="codicon codicon-arrow-right" /> {to}
        <span class="folder">
          {'}'}
          {folders}
        </span>
        {name}
      </bdi>
    </>
  );
}

/** The folder recedes: the name is what is looked for. Nothing of it is a box of its own: it is selected and copied as one. */
function Path({ path }: { path: string }) {
  const [folders, name] = apart(plainText(path));
  return (
    <bdi class="path-parts">
      <span class="folder">{folders}</span>
      {name}
    </bdi>
  );
}

/** The folders of a path, and the name of its file. */
function apart(path: string): [folders: string, name: string] {
  const slash = path.lastIndexOf('/') + 1;
  return [path.slice(0, slash), path.slice(slash)];
}

function Badges({ section, diff }: { section: DiffSectionView; diff: FileDiff | undefined }) {
  const became = diff?.change ?? (section.isDeleted ? 'deleted' : 'modified');
  const change = {
    modified: undefined,
    created: l10n.t('new'),
    deleted: l10n.t('deleted'),
    renamed: l10n.t('renamed'),
    copied: l10n.t('copied'),
  }[became];
  const isGenerated = useReadingState(({ generated }) => generated.has(section.code));
  const writer = section.machine ?? (isGenerated ? 'generated' : undefined);
  // Somebody who has read it knows that already: then only what became of it since may stand out.
  const emphasis = section.compared?.isFolded ? '' : became;
  return (
    <>
      {change && <span class={`badge ${emphasis}`}>{change}</span>}
      {diff?.oldMode && diff.newMode && (
        <span class="badge">{l10n.t('mode {0} → {1}', diff.oldMode, diff.newMode)}</span>
      )}
      {section.encoding !== undefined && (
        <span class="badge">
          {section.encoding === 'bytes' ? l10n.t('unknown encoding') : plainText(section.encoding)}
        </span>
      )}
      {isHuge(section) && <span class="badge">{l10n.t('large')}</span>}
      {writer && <span class="badge">{writer === 'lock' ? l10n.t('lock file') : l10n.t('generated')}</span>}
    </>
  );
}
