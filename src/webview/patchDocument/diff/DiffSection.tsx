import * as l10n from '@vscode/l10n';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { DiffSectionView } from '../../../protocol/patchDocument.ts';
import { languageOfPath } from '../../common/highlight.ts';
import type { Host } from '../PatchDocument.tsx';
import { SectionFrame, type SectionSlots } from '../sections/SectionFrame.tsx';
import { countChanges, parseFileDiff, type DiffRow, type FileDiff } from './diff.ts';
import { highlightRows } from './highlightedRows.ts';

/** Rows drawn at first, and with each press of *Show more*: more at once would hold up the page. */
const rowsAtATime = 1_000;

/** Characters of a diff up to which its syntax is coloured. */
const highlightLimit = 400_000;

/** One changed file. */
export function DiffSection(props: { section: DiffSectionView; host: Host; slots: SectionSlots }) {
  const { section, host, slots } = props;
  const large = section.diff === undefined && section.diffLength > 0;
  const [open, setOpen] = useState(!large);
  const [text, setText] = useState(section.diff);
  const [failure, setFailure] = useState<string>();

  useEffect(() => setText(section.diff), [section.diff]);
  useEffect(() => {
    if (!open || text !== undefined || !large) {
      return;
    }
    const controller = new AbortController();
    host
      .request('diff', { code: section.code }, { signal: controller.signal })
      .then(setText, (error: unknown) => {
        if (!controller.signal.aborted) {
          setFailure(error instanceof Error ? error.message : String(error));
          setOpen(false);
        }
      });
    return () => controller.abort();
  }, [open, text, large, section.code]);

  const diff = useMemo(() => (text ? parseFileDiff(text) : undefined), [text]);
  const counted = useMemo(() => (diff ? countChanges(diff.rows) : undefined), [diff]);
  const added = section.added ?? counted?.added;
  const deleted = section.deleted ?? counted?.deleted;
  const toggle = (): void => {
    setFailure(undefined);
    setOpen(!open);
  };
  const header = (
    <h2 class="file-header">
      <button type="button" aria-expanded={open} onClick={toggle}>
        <i class={`codicon codicon-chevron-${open ? 'down' : 'right'}`} aria-hidden="true" />
        <span class="path">
          {section.oldPath && section.oldPath !== section.path && (
            <>
              <bdi>{section.oldPath}</bdi> →{' '}
            </>
          )}
          <bdi>{section.path}</bdi>
        </span>
      </button>
      {diff && <ChangeLabel diff={diff} />}
      <span class="statistics">
        {added !== undefined && <span class="added">+{added}</span>}
        {deleted !== undefined && <span class="deleted">−{deleted}</span>}
      </span>
    </h2>
  );
  return (
    <SectionFrame section={section} label={section.path} header={header} {...slots}>
      {failure && (
        <p class="notice" role="alert">
          {failure}
        </p>
      )}
      {open &&
        (text === undefined && large ? (
          <p class="notice" role="status">
            {l10n.t('Loading the diff…')}
          </p>
        ) : (
          <DiffBody section={section} text={text ?? ''} diff={diff} />
        ))}
    </SectionFrame>
  );
}

function ChangeLabel({ diff }: { diff: FileDiff }) {
  const label = {
    modified: undefined,
    created: l10n.t('new'),
    deleted: l10n.t('deleted'),
    renamed: l10n.t('renamed'),
    copied: l10n.t('copied'),
  }[diff.change];
  return (
    <>
      {label && <span class={`badge ${diff.change}`}>{label}</span>}
      {diff.oldMode && diff.newMode && (
        <span class="badge">{l10n.t('mode {0} → {1}', diff.oldMode, diff.newMode)}</span>
      )}
    </>
  );
}

function DiffBody({
  section,
  text,
  diff,
}: {
  section: DiffSectionView;
  text: string;
  diff: FileDiff | undefined;
}) {
  const [limit, setLimit] = useState(rowsAtATime);
  const rows = diff?.rows ?? [];
  const shown = useMemo(() => rows.slice(0, limit), [diff, limit]);
  const html = useMemo(
    () => highlightRows(shown, text.length <= highlightLimit ? languageOfPath(section.path) : undefined),
    [shown, section.path],
  );
  if (diff?.binary) {
    return <p class="notice">{binaryText(section)}</p>;
  }
  if (!diff) {
    return text === '' ? (
      <p class="notice">{l10n.t('There is no diff for this file.')}</p>
    ) : (
      <pre class="raw-diff">{text}</pre>
    );
  }
  if (rows.length === 0) {
    return <p class="notice">{l10n.t('The content is unchanged.')}</p>;
  }
  return (
    <div class="diff" tabIndex={0} role="region" aria-label={l10n.t('Changes in {0}', section.path)}>
      <table>
        <tbody>
          {shown.map((row, index) => (
            <Row key={index} row={row} html={html[index]} />
          ))}
        </tbody>
      </table>
      {rows.length > limit && (
        <button type="button" class="show-more" onClick={() => setLimit(limit + rowsAtATime)}>
          {l10n.t('Show more ({0} lines are left)', rows.length - limit)}
        </button>
      )}
    </div>
  );
}

const markers: Record<DiffRow['type'], string> = { add: '+', delete: '−', context: '', hunk: '', note: '' };

function Row({ row, html }: { row: DiffRow; html: string | undefined }) {
  if (row.type === 'hunk' || row.type === 'note') {
    return (
      <tr data-line-type={row.type}>
        <td colSpan={3} />
        <td>{row.text}</td>
      </tr>
    );
  }
  return (
    <tr data-line-type={row.type}>
      <td class="line-number" data-line={row.oldLine} />
      <td class="line-number" data-line={row.newLine} />
      <td class="marker" data-marker={markers[row.type]} />
      {html === undefined ? (
        <td class="code">{row.text}</td>
      ) : (
        <td class="code" dangerouslySetInnerHTML={{ __html: html }} />
      )}
    </tr>
  );
}

function binaryText(section: DiffSectionView): string {
  const { oldSize, newSize } = section;
  return oldSize !== undefined && newSize !== undefined
    ? l10n.t('A binary file: {0} bytes before, {1} bytes after.', oldSize, newSize)
    : l10n.t('A binary file.');
}
