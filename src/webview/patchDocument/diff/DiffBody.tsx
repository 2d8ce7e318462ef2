import * as l10n from '@vscode/l10n';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { DiffSectionView } from '../../../protocol/patchDocument.ts';
import { languageOfPath } from '../../common/highlight.ts';
import { useWide } from '../../common/useWide.ts';
import { useReading, useReadingState, type Target } from '../reading.ts';
import { Colours } from './colours.ts';
import { DiffRows, type Aim, type DiffDrawing } from './DiffRows.tsx';
import { arrange, type GapLine, type Opening } from './arrange.ts';
import type { FileDiff } from './diff.ts';
import { pairLines } from './pairs.ts';
import { selectOneSide, walkLines } from './keys.ts';

/** Characters of a diff up to which its syntax is coloured. */
const colourLimit = 2_000_000;

/** Lines that one press on a gap shows. */
const openedAtOnce = 20;

interface DiffBodyProps {
  section: DiffSectionView;
  text: string;
  diff: FileDiff | undefined;
  /** How far the person has opened what lies between changes, by gap. */
  openings: ReadonlyMap<number, Opening>;
  onOpen: (openings: ReadonlyMap<number, Opening>) => void;
}

/** The diff of a file, or why there is none to show. */
export function DiffBody(props: DiffBodyProps) {
  const { section, text, diff } = props;
  if (diff?.binary) {
    return <p class="notice">{binaryText(section)}</p>;
  }
  if (!diff) {
    return text === '' ? (
      <p class="notice">{l10n.t('There is no diff for this file.')}</p>
    ) : (
      <pre class="raw-diff" tabIndex={0}>
        {text}
      </pre>
    );
  }
  if (diff.rows.length === 0) {
    return <p class="notice">{l10n.t('The content is unchanged.')}</p>;
  }
  return <Changes {...props} diff={diff} />;
}

function Changes(props: DiffBodyProps & { diff: FileDiff }) {
  const { section, text, diff, openings, onOpen } = props;
  const { host } = useReading();
  const ignoreWhitespace = useReadingState((state) => state.ignoreWhitespace);
  const wantsSideBySide = useReadingState((state) => state.layout === 'sideBySide');
  const commitInWorkspace = useReadingState((state) => state.commitInWorkspace);
  const target = useReadingState((state) => (state.target?.code === section.code ? state.target : undefined));
  const wide = useWide(800);
  const [file, setFile] = useState<readonly string[]>();
  const table = useRef<HTMLDivElement>(null);

  useEffect(() => {
    setFile(undefined);
    if (!commitInWorkspace || diff.change === 'created' || diff.change === 'deleted') {
      return;
    }
    const controller = new AbortController();
    host.request('fileLines', { code: section.code }, { signal: controller.signal }).then(
      (lines) => setFile(lines ?? undefined),
      () => undefined, // Without it the gaps stay closed.
    );
    return () => controller.abort();
  }, [text, commitInWorkspace]);

  const lines = useMemo(
    () => arrange(diff.rows, { ignoreWhitespace, openings, file }),
    [diff, ignoreWhitespace, openings, file],
  );
  const sideBySide = wantsSideBySide && wide && diff.change !== 'created' && diff.change !== 'deleted';
  const drawing = useMemo((): DiffDrawing => {
    const language = text.length <= colourLimit ? languageOfPath(section.path) : undefined;
    const { rows, partners } = pairLines(lines);
    return {
      lines,
      partners,
      colours: new Colours(lines, language),
      rows: sideBySide ? rows : lines.map((_line, index) => ({ left: index, right: index })),
      sideBySide,
    };
  }, [lines, sideBySide, section.path]);

  const open = (gap: GapLine, where: 'start' | 'end' | 'all'): void => {
    const before = openings.get(gap.id) ?? { fromStart: 0, fromEnd: 0 };
    const opened = {
      fromStart: before.fromStart + (where === 'end' ? 0 : where === 'all' ? gap.count : openedAtOnce),
      fromEnd: before.fromEnd + (where === 'end' ? openedAtOnce : 0),
    };
    onOpen(new Map(openings).set(gap.id, opened));
  };
  const aim = useTarget(target, drawing, (gap) => open(gap, 'all'));
  const openRow = (row: number): void => {
    const line = lineInFile(drawing, row);
    void host.request('openFile', { path: section.path, ...(line !== undefined && { line }) });
  };

  if (ignoreWhitespace && lines.every(({ type }) => type === 'context' || type === 'gap')) {
    return <p class="notice">{l10n.t('Only white space has changed.')}</p>;
  }
  return (
    <div
      class={`diff ${sideBySide ? 'side-by-side' : 'unified'}`}
      ref={table}
      tabIndex={0}
      role="region"
      aria-label={l10n.t('Changes in {0}', section.path)}
      onKeyDown={(event) => walkLines(event, openRow)}
      onPointerDown={selectOneSide}
    >
      <DiffRows drawing={drawing} aim={aim} onOpenGap={open} onOpenLine={openRow} />
    </div>
  );
}

/** Where a wished-for line stands among the rows; what hides it is opened first. */
function useTarget(
  target: Target | undefined,
  drawing: DiffDrawing,
  openGap: (gap: GapLine) => void,
): Aim | undefined {
  const index = target
    ? drawing.lines.findIndex((line) => {
        if (line.type === 'note') {
          return false;
        }
        const start = target.side === 'new' ? line.newLine : line.oldLine;
        return line.type === 'gap'
          ? start !== undefined && start <= target.line && target.line < start + line.count
          : start === target.line;
      })
    : -1;
  const line = drawing.lines[index];
  useLayoutEffect(() => {
    if (line?.type === 'gap' && line.known) {
      openGap(line);
    }
  }, [target?.wish, line?.type]);
  if (!target || index < 0 || (line?.type === 'gap' && line.known)) {
    return undefined;
  }
  const row = drawing.rows.findIndex(({ left, right }) => left === index || right === index);
  const { focus, wish } = target;
  return { row, count: Math.max(1, target.end - target.line + 1), focus, wish };
}

/** The line of the file as it is now: of a deleted line the place where it was, before the next that is still there. */
function lineInFile(drawing: DiffDrawing, row: number): number | undefined {
  for (let index = row; index < drawing.rows.length; index++) {
    const { left, right } = drawing.rows[index] ?? {};
    for (const line of [drawing.lines[right ?? -1], drawing.lines[left ?? -1]]) {
      if (line && line.type !== 'note' && line.newLine !== undefined) {
        return line.newLine;
      }
    }
  }
  return undefined;
}

function binaryText(section: DiffSectionView): string {
  const { oldSize, newSize } = section;
  return oldSize !== undefined && newSize !== undefined
    ? l10n.t('A binary file: {0} bytes before, {1} bytes after.', oldSize, newSize)
    : l10n.t('A binary file.');
}
