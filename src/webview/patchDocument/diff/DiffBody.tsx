import * as l10n from '@vscode/l10n';
import { useEffect, useLayoutEffect, useMemo, useState, useRef } from 'preact/hooks';
import type { DiffSectionView } from '../../../protocol/patchDocument.ts';
import { useStore } from '../../common/store.ts';
import { coloring, colorLines } from '../../common/themeColors.ts';
import { useStillSelection } from '../../common/stillSelection.ts';
import { useWide } from '../../common/useWide.ts';
import { useReading, useReadingState, useRemembered, type Target } from '../reading/reading.ts';
import { roomForTwo } from '../reading/room.ts';
import {
  blockSize,
  Colors,
  colorWhole,
  type ColorLines,
  type GuessedColors,
  type WholeColors,
} from './colors.ts';
import { DiffRows, type Aim } from './DiffRows.tsx';
import { arrange, type CodeLine, type GapLine, type Line } from './arrange.ts';
import { withBaseRemovals } from './baseRemovals.ts';
import type { FileDiff } from './diff.ts';
import { sectionName } from '../reading/sectionName.ts';
import type { Openings } from './openings.ts';
import { lineEndChange, type LineEndChange } from './lineEnds.ts';
import { isLong, keyOf } from './longLines.ts';
import { pairLines, type Range } from './pairs.ts';
import { bothSides, wholeFileIn, type WholeFile } from './wholeFile.ts';
import { walkLines } from './keys.ts';
import { drawings, type DiffDrawing } from './drawings.ts';
import { BinaryBody } from './BinaryBody.tsx';
import { unchangedText } from './withoutLines.ts';
import { inBackground } from '../../../util/inBackground.ts';

/** Characters of a diff up to which its syntax is colored. */
const colorLimit = 2_000_000;

/** Characters that are shown around what is looked for in a line that is drawn in parts. */
const aroundTarget = 200;

/** Lines that one press on a gap shows. */
const openedAtOnce = 20;

interface DiffBodyProps {
  section: DiffSectionView;
  text: string;
  diff: FileDiff | undefined;
  /** The lines that the person has opened between changes, by gap. */
  openings: Openings;
  onOpen: (openings: Openings) => void;
  /** True for a version that isn't the current one: its lines lead nowhere. */
  isOlder?: boolean;
}

/** The diff of a file, or why there is none to show. */
export function DiffBody(props: DiffBodyProps) {
  const { section, text, diff } = props;
  if (diff?.binary) {
    return <BinaryBody section={section} change={diff.change} isOlder={props.isOlder ?? false} />;
  }
  if (!diff) {
    return text === '' ? (
      <p class="notice">{l10n.t('No diff available.')}</p>
    ) : (
      <pre
        class="raw-diff"
        role="region"
        aria-label={l10n.t('Changes in {0}', sectionName(section))}
        tabIndex={0}
      >
        {text}
      </pre>
    );
  }
  if (diff.rows.length === 0) {
    return <p class="notice">{unchangedText(diff)}</p>;
  }
  return <Changes {...props} diff={diff} />;
}

function Changes(props: DiffBodyProps & { diff: FileDiff }) {
  const { section, diff, openings, onOpen, isOlder = false } = props;
  const { host } = useReading();
  const target = useReadingState((state) => (state.target?.code === section.code ? state.target : undefined));
  const unexplained = useReadingState((state) => state.unexplained[section.code]);
  const table = useRef<HTMLDivElement>(null);
  const wrap = useReadingState((state) => state.wrap);
  const lineEnds = useLineEnds(section, diff);
  const { drawing, showPart } = useDrawing(props, lineEnds.areIgnored, target);
  const { lines, sideBySide } = drawing;

  useStillSelection(table, 'td.code');
  // Copying reads the drawing: not all of it is on the page.
  useLayoutEffect(() => {
    if (table.current) {
      drawings.set(table.current, drawing);
    }
  }, [drawing, lines]);

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
    if (isOlder) {
      return;
    }
    const line = lineInFile(drawing, row);
    inBackground(host.request('openFile', { path: section.path, ...(line !== undefined && { line }) }));
  };

  if (hasNoChange(lines)) {
    return lineEnds.areAll ? lineEnds.note : <p class="notice">{l10n.t('Only whitespace changed.')}</p>;
  }
  return (
    <>
      {lineEnds.note}
      <div
        class={`diff ${sideBySide ? 'side-by-side' : 'unified'}${wrap ? '' : ' unwrapped'}`}
        ref={table}
        onKeyDown={(event) => walkLines(event, openRow)}
      >
        <DiffRows
          name={l10n.t('Changes in {0}', sectionName(section))}
          drawing={drawing}
          unexplained={isOlder ? undefined : unexplained}
          aim={aim}
          onOpenGap={open}
          onShowPart={showPart}
          onOpenLine={openRow}
        />
      </div>
    </>
  );
}

/** The changed line endings of a file: a note that offers to show them, and what it means for the lines of the diff. */
function useLineEnds(section: DiffSectionView, diff: FileDiff) {
  const change = useMemo(() => lineEndChange(diff.rows), [diff]);
  const [shown, setShown] = useRemembered(`line ends ${section.code}`, false);
  const areAll = useMemo(
    () =>
      change !== undefined &&
      hasNoChange(arrange(diff.rows, { ignoreWhitespace: false, ignoreLineEnds: true, openings: new Map() })),
    [diff, change],
  );
  return {
    note: change && (
      <LineEndNote change={change} alone={areAll} shown={shown} onShow={() => setShown(!shown)} />
    ),
    /** True when nothing else has changed. */
    areAll,
    /** True when lines that differ in nothing else count as unchanged. */
    areIgnored: change !== undefined && !shown,
  };
}

/** The lines of a diff as they are to be drawn, and the function that shows more of a long one. */
function useDrawing(
  props: DiffBodyProps & { diff: FileDiff },
  ignoreLineEnds: boolean,
  target: Target | undefined,
): { drawing: DiffDrawing; showPart: (line: CodeLine, part: Range) => void } {
  const { section, text, diff, openings, isOlder = false } = props;
  const ignoreWhitespace = useReadingState((state) => state.ignoreWhitespace);
  const wantsSideBySide = useReadingState((state) => state.layout === 'sideBySide');
  const wide = useWide(roomForTwo);
  const isShort = text.length <= colorLimit;
  const color = useMemo(
    (): ColorLines | undefined =>
      isShort ? (code, isStart) => colorLines({ path: section.path }, code, isStart) : undefined,
    [isShort, section.path],
  );
  const { file, wholeColors } = useWholeFile(section, diff, color, !isOlder);
  const baseRemovals = isOlder ? undefined : section.compared?.baseRemovals;
  const lines = useMemo(
    () =>
      withBaseRemovals(
        arrange(diff.rows, { ignoreWhitespace, ignoreLineEnds, openings, file: file?.new }),
        baseRemovals,
      ),
    [diff, ignoreWhitespace, ignoreLineEnds, openings, file, baseRemovals],
  );
  const hasRoom = wide && section.compared?.both === undefined;
  const sideBySide = wantsSideBySide && hasRoom && diff.change !== 'created' && diff.change !== 'deleted';
  const [parts, setParts] = useRemembered<Asked>(`parts ${section.code}`, noParts);
  const asked = useMemo(() => withTarget(parts, target, lines), [parts, target, lines]);
  const showPart = (line: CodeLine, part: Range): void =>
    setParts(new Map(parts).set(keyOf(line), [...(parts.get(keyOf(line)) ?? []), part]));
  const pairs = useMemo(() => pairLines(lines), [lines]);
  const rows = useMemo(
    () => (sideBySide ? pairs.rows : lines.map((_line, index) => ({ left: index, right: index }))),
    [pairs, lines, sideBySide],
  );
  // In a comparison, and of an older version, the lines are others than those of the patch.
  const moved = useReadingState((state) =>
    isOlder || section.compared?.diff !== undefined ? undefined : state.moved[section.code],
  );
  const { colors, news } = useColors(lines, diff, color, wholeColors);
  const drawing = useMemo(
    (): DiffDrawing => ({
      lines,
      partners: pairs.partners,
      colors,
      rows,
      sideBySide,
      asked,
      baseLines: isOlder ? [] : (section.compared?.baseLines ?? []),
      moved: moved ?? [],
      isFromBase: section.compared?.diff === undefined,
    }),
    [rows, pairs, colors, news, asked, isOlder, section.compared, moved],
  );
  return { drawing, showPart };
}

/** The colors of the lines, and the number of times that more of them were known. */
function useColors(
  lines: readonly Line[],
  diff: FileDiff,
  color: ColorLines | undefined,
  whole: WholeColors | undefined,
): { colors: Colors; news: number } {
  const version = useStore(coloring, (state) => state.version);
  const [news, setNews] = useState(0);
  const guessed = useMemo((): GuessedColors => new Map(), [diff, color, version]);
  const colors = useMemo(
    () => new Colors(lines, { color, whole, guessed, onNews: () => setNews((count) => count + 1) }),
    [lines, color, whole, guessed],
  );
  return { colors, news };
}

function hasNoChange(lines: readonly Line[]): boolean {
  return lines.every(({ type }) => type === 'context' || type === 'gap');
}

/** The file around the diff and its colors, once both have come: the diff is there to be read before. */
function useWholeFile(
  section: DiffSectionView,
  diff: FileDiff,
  color: ColorLines | undefined,
  isKnown: boolean,
): { file?: WholeFile; wholeColors?: WholeColors } {
  const { host } = useReading();
  const version = useStore(coloring, (state) => state.version);
  const workspaceKnown = useReadingState((state) => state.workspaceKnown);
  const [known, setKnown] = useState<{ diff: FileDiff; file: WholeFile }>();
  const [colored, setColored] = useState<{ whole: WholeFile; colors: WholeColors }>();
  // The colors of a short one are known without.
  const inDiff = useMemo(
    () => (diff.rows.length > blockSize ? wholeFileIn(diff.rows, diff.change) : undefined),
    [diff],
  );
  useEffect(() => {
    if (diff.change === 'created' || diff.change === 'deleted' || !isKnown || !workspaceKnown) {
      return;
    }
    const controller = new AbortController();
    const load = async (): Promise<void> => {
      const lines = await host.request('fileLines', { code: section.code }, { signal: controller.signal });
      const file = lines ? bothSides(diff.rows, lines.side, lines.lines) : undefined;
      if (file) {
        setKnown({ diff, file });
      }
    };
    load().catch(() => undefined); // Without it the gaps stay closed, and colors are guessed.
    return () => controller.abort();
  }, [diff, workspaceKnown]);
  const file = known?.diff === diff ? known.file : undefined;
  const whole = file ?? inDiff;
  useEffect(() => {
    let isOver = false;
    if (whole && color) {
      inBackground(colorWhole(whole, color).then((colors) => isOver || setColored({ whole, colors })));
    }
    return () => {
      isOver = true;
    };
  }, [whole, color, version]);
  return {
    ...(file && { file }),
    ...(colored && colored.whole === whole && { wholeColors: colored.colors }),
  };
}

type Asked = ReadonlyMap<string, readonly Range[]>;

const noParts: Asked = new Map();

/** The parts of long lines that are to be seen, with the one that somebody looks for. */
function withTarget(parts: Asked, target: Target | undefined, lines: readonly Line[]): Asked {
  const { part } = target ?? {};
  if (!target || !part) {
    return parts;
  }
  const line = lines.find(
    (one): one is CodeLine =>
      one.type !== 'gap' &&
      one.type !== 'note' &&
      (target.side === 'new' ? one.newLine : one.oldLine) === target.line,
  );
  return line && isLong(line.text)
    ? new Map(parts).set(keyOf(line), [
        ...(parts.get(keyOf(line)) ?? []),
        { start: part.start - aroundTarget, end: part.end + aroundTarget },
      ])
    : parts;
}

/** The row of the line that someone wants to go to; a gap that hides it is opened first. */
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
  const { focus, isStillHere, wish } = target;
  return { row, count: Math.max(1, target.end - target.line + 1), focus, isStillHere, wish };
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

/** Says that line ends have changed, which cannot be seen, and shows the lines if that is wanted. */
function LineEndNote(props: { change: LineEndChange; alone: boolean; shown: boolean; onShow: () => void }) {
  const { change, alone, shown, onShow } = props;
  return (
    <p class="notice line-ends">
      {lineEndText(change, alone)}{' '}
      <button type="button" class="link-button" aria-pressed={shown} onClick={onShow}>
        {l10n.t('Show These Lines')}
      </button>
    </p>
  );
}

function lineEndText(change: LineEndChange, alone: boolean): string {
  switch (change) {
    case 'toCrlf':
      return alone
        ? l10n.t('Only line endings changed, from LF to CRLF.')
        : l10n.t('Line endings also changed, from LF to CRLF.');
    case 'toLf':
      return alone
        ? l10n.t('Only line endings changed, from CRLF to LF.')
        : l10n.t('Line endings also changed, from CRLF to LF.');
    case 'several':
      return alone
        ? l10n.t('Only line endings changed, between LF and CRLF.')
        : l10n.t('Line endings also changed, between LF and CRLF.');
  }
}
