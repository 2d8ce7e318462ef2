import * as l10n from '@vscode/l10n';
import { IconButton } from '../../common/IconButton.tsx';
import { Fragment, type HTMLAttributes, type RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { Heights } from '../../common/listWindow.ts';
import { useListWindow } from '../../common/useListWindow.ts';
import { bringIntoView } from '../reading/bringIntoView.ts';
import type { CodeLine, GapLine, Line } from './arrange.ts';
import { isOfBase, rowDrawers, type DiffDrawing } from './drawings.ts';
import { withoutReturn } from './lineEnds.ts';
import { drawnParts, isLong, keyOf, shownAtOnce } from './longLines.ts';
import { changedWords, type Range, type SideBySideRow } from './pairs.ts';
import { pieces, runs, type Piece } from './pieces.ts';
import { hangOf, linesHigh, longestLine, useFit } from './rowHeights.ts';
import { spokenRow } from './spokenRow.ts';
import { unexplainedPart } from './unexplained.ts';
import { movedOf, movedText } from './moved.ts';
import { useReading, type Reading } from '../reading/reading.ts';
import type { MovedLines, UnexplainedHunks } from '../../../protocol/patchDocument.ts';

/** The row to bring into view and to mark, with those after it. */
export interface Aim {
  row: number;
  count: number;
  focus: boolean;
  isStillHere: () => boolean;
  /** Told apart from an earlier wish for the same row. */
  wish: number;
}

/** Shows more of a line that is drawn in parts. */
type ShowPart = (line: CodeLine, part: Range) => void;

type OpenGap = (gap: GapLine, where: 'start' | 'end' | 'all') => void;

/** Rows that are drawn, and taken away again, together. */
const rowsPerChunk = 20;

/** The rows of a diff as a table, of which only what is near to the screen is drawn. */
export function DiffRows(props: {
  name: string;
  drawing: DiffDrawing;
  /** The hunks that no prose explains. */
  unexplained: UnexplainedHunks | undefined;
  aim: Aim | undefined;
  onOpenGap: OpenGap;
  onShowPart: ShowPart;
  /** Opens the file at the line of a row. */
  onOpenLine: (row: number) => void;
}) {
  const { name, drawing, unexplained, aim, onOpenGap, onShowPart, onOpenLine } = props;
  const digits = useMemo(() => String(largestLine(drawing.lines)).length, [drawing.lines]);
  const longest = useMemo(() => longestLine(drawing.lines), [drawing.lines]);
  const table = useRef<HTMLTableElement>(null);
  const parts = useChunks(table, drawing, aim);
  const rows = drawing.rows.length;
  return (
    <table
      ref={table}
      tabIndex={0}
      aria-label={name}
      // With the one of the headings.
      aria-rowcount={rows > rowsPerChunk ? rows + 1 : undefined}
      style={{ '--digits': Math.max(2, digits), '--longest': longest }}
    >
      <Columns sideBySide={drawing.sideBySide} />
      {parts.map((part) =>
        part.kind === 'room' ? (
          <Room key={`room ${part.end}`} drawing={drawing} part={part} />
        ) : (
          <Chunk
            key={part.index}
            chunk={part.index}
            drawing={drawing}
            unexplained={unexplained}
            marked={aim}
            onOpenGap={onOpenGap}
            onShowPart={onShowPart}
            onOpenLine={onOpenLine}
          />
        ),
      )}
    </table>
  );
}

/** The chunks that are drawn at the moment, and the rooms of the others; the row that is aimed at is brought into view. */
function useChunks(table: RefObject<HTMLTableElement | null>, drawing: DiffDrawing, aim: Aim | undefined) {
  const { rows, lines, sideBySide } = drawing;
  const fit = useFit(table, sideBySide);
  const chunks = Math.ceil(rows.length / rowsPerChunk);
  const heights = useMemo(() => {
    const high = linesHigh(drawing, fit.columns);
    return new Heights(
      Array.from({ length: chunks }, (_value, chunk) => {
        const start = chunk * rowsPerChunk;
        return fit.lineHeight * high.slice(start, start + rowsPerChunk).reduce((sum, one) => sum + one, 0);
      }),
    );
  }, [rows, lines, fit]);
  const aimedAt = aim ? [Math.floor(aim.row / rowsPerChunk)] : [];
  const { parts, draw } = useListWindow({ list: table, heights, atFirst: 1, kept: aimedAt });
  const rowAt = (row: number): HTMLElement | null | undefined =>
    table.current?.querySelector<HTMLElement>(`tr[data-row="${row}"]`);
  useLayoutEffect(() => {
    const frame = table.current?.parentElement;
    if (frame) {
      rowDrawers.set(frame, (row) => {
        if (!rowAt(row)) {
          draw(Math.floor(row / rowsPerChunk));
        }
        return rowAt(row) ?? undefined;
      });
    }
  }, []);
  const led = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    // Whoever has been led to the line goes with it where others come above it.
    const isAtLine = led.current !== null && led.current === document.activeElement;
    if (aim && (isAtLine || aim.isStillHere())) {
      const row = rowAt(aim.row);
      if (row) {
        bringIntoView(row, 'center');
      }
      if (aim.focus) {
        row?.focus({ preventScroll: true });
        led.current = row ?? null;
      }
    }
  }, [aim?.wish, aim?.row]);
  return parts;
}

/** The widths of the columns, by their classes. */
const unifiedColumns = ['line-number-column', 'line-number-column', 'marker-column', undefined];
const sideBySideColumns = [
  'line-number-column',
  'marker-column',
  undefined,
  'line-number-column',
  'marker-column',
  undefined,
];

/** The headings of the columns. They are hidden: everyone can see which column is which. */
function headings(sideBySide: boolean): string[] {
  return sideBySide
    ? [
        l10n.t('Line before'),
        l10n.t('Removed'),
        l10n.t('Text before'),
        l10n.t('Line after'),
        l10n.t('Added'),
        l10n.t('Text after'),
      ]
    : [l10n.t('Line before'), l10n.t('Line after'), l10n.t('Change'), l10n.t('Text')];
}

function Columns({ sideBySide }: { sideBySide: boolean }) {
  return (
    <>
      <colgroup>
        {(sideBySide ? sideBySideColumns : unifiedColumns).map((column, index) => (
          <col key={index} class={column} />
        ))}
      </colgroup>
      <thead>
        <tr>
          {headings(sideBySide).map((heading) => (
            <th key={heading} scope="col">
              <span class="visually-hidden">{heading}</span>
            </th>
          ))}
        </tr>
      </thead>
    </>
  );
}

function largestLine(lines: readonly Line[]): number {
  let largest = 0;
  for (const line of lines) {
    if (line.type !== 'note') {
      largest = Math.max(largest, line.oldLine ?? 0, line.newLine ?? 0);
    }
  }
  return largest;
}

/** As high as the rows are that are not drawn, about. */
function Room({
  drawing,
  part,
}: {
  drawing: DiffDrawing;
  part: { start: number; end: number; height: number };
}) {
  const last = Math.min(part.end * rowsPerChunk, drawing.rows.length) - 1;
  return (
    <tbody data-part="room" aria-hidden="true">
      <tr class="unread" data-first-row={part.start * rowsPerChunk} data-last-row={last}>
        <td colSpan={columns(drawing)} style={{ height: `${part.height}px` }} />
      </tr>
    </tbody>
  );
}

function Chunk(props: {
  chunk: number;
  drawing: DiffDrawing;
  unexplained: UnexplainedHunks | undefined;
  marked: { row: number; count: number } | undefined;
  onOpenGap: OpenGap;
  onShowPart: ShowPart;
  /** Opens the file at the line of a row. */
  onOpenLine: (row: number) => void;
}) {
  const { chunk, drawing, unexplained, marked, onOpenGap, onShowPart, onOpenLine } = props;
  const start = chunk * rowsPerChunk;
  const first = Math.max(start, marked?.row ?? Infinity);
  const end = Math.min(start + rowsPerChunk, marked ? marked.row + marked.count : 0);
  // The same rows are not drawn again: Preact skips an element that is the one from before.
  const rows = useMemo(
    () =>
      drawing.rows.slice(start, start + rowsPerChunk).map((row, offset) => {
        const index = start + offset;
        return (
          <Row
            key={index}
            index={index}
            row={row}
            drawing={drawing}
            unexplained={unexplained}
            marked={index >= first && index < end}
            onOpenGap={onOpenGap}
            onShowPart={onShowPart}
            onOpenLine={onOpenLine}
          />
        );
      }),
    [drawing, unexplained, start, first < end ? `${first} ${end}` : ''],
  );
  return <tbody data-part={chunk}>{rows}</tbody>;
}

interface RowProps {
  index: number;
  row: SideBySideRow;
  drawing: DiffDrawing;
  unexplained: UnexplainedHunks | undefined;
  marked: boolean;
  onOpenGap: OpenGap;
  onShowPart: ShowPart;
  /** Opens the file at the line of a row. */
  onOpenLine: (row: number) => void;
}

/** The classes of a row of code, and all that is said of it. */
function commonOf(
  reading: Reading,
  { index, drawing, unexplained, marked }: RowProps,
  left: Line | undefined,
  right: Line | undefined,
): HTMLAttributes<HTMLTableRowElement> & { 'data-row': number } {
  const isBase = isOfBase(drawing, right ?? left);
  const part = unexplainedPart(drawing, index, unexplained);
  const spoken = spokenRow(left, right, drawing.sideBySide, (one) => saidOf(drawing, one));
  const moved = movedOf(drawing, right) ?? movedOf(drawing, left);
  const remark = moved
    ? {
        said: l10n.t(
          '{0}, {1}',
          spoken ?? '',
          moved.isFirst ? movedText(moved.moved, reading.section(moved.moved.other.code)) : l10n.t('moved'),
        ),
      }
    : isBase
      ? {
          said: l10n.t('{0}, changed by the base', spoken ?? ''),
          title: l10n.t('Changed by the base, not by the author'),
        }
      : part === 'first'
        ? { said: l10n.t('{0}, without text', spoken ?? ''), title: l10n.t('No text explains this change.') }
        : undefined;
  return {
    class: `row${marked ? ' marked' : ''}${isBase ? ' of-base' : ''}${part ? ' unexplained' : ''}`,
    'data-row': index,
    'aria-rowindex': rowIndex(drawing, index),
    tabIndex: -1,
    'aria-label': spoken !== undefined && remark ? remark.said : spoken,
    ...(remark?.title !== undefined && { title: remark.title }),
  };
}

function Row(props: RowProps) {
  const { index, row, drawing, onOpenGap, onShowPart, onOpenLine } = props;
  const reading = useReading();
  const left = row.left === undefined ? undefined : drawing.lines[row.left];
  const right = row.right === undefined ? undefined : drawing.lines[row.right];
  const line = right ?? left;
  if (line?.type === 'gap') {
    return <Gap index={index} gap={line} drawing={drawing} onOpenGap={onOpenGap} />;
  }
  if (line?.type === 'note') {
    return (
      <tr class="row note" data-row={index} aria-rowindex={rowIndex(drawing, index)} tabIndex={-1}>
        <td colSpan={columns(drawing)}>{line.text}</td>
      </tr>
    );
  }
  const isBase = isOfBase(drawing, line);
  const common = commonOf(reading, props, left, right);
  const openLine = (): void => onOpenLine(index);
  if (!drawing.sideBySide) {
    return (
      <tr {...common} data-line-type={line?.type}>
        <td class="line-number" data-line={line?.oldLine} onClick={openLine} />
        <td class="line-number" data-line={line?.newLine} onClick={openLine} />
        <td class="marker" data-marker={isBase ? baseMarker : line && markers[line.type]} />
        <Code drawing={drawing} index={row.left} side={undefined} onShowPart={onShowPart} />
      </tr>
    );
  }
  return (
    <tr {...common}>
      <LineNumber
        line={left}
        number={left?.type === 'gap' || left?.type === 'note' ? undefined : left?.oldLine}
        onClick={openLine}
      />
      <Marker line={left} />
      <Code drawing={drawing} index={row.left} side="old" onShowPart={onShowPart} />
      <LineNumber
        line={right}
        number={right?.type === 'gap' || right?.type === 'note' ? undefined : right?.newLine}
        onClick={openLine}
      />
      <Marker line={right} isBase={isBase} />
      <Code drawing={drawing} index={row.right} side="new" onShowPart={onShowPart} />
    </tr>
  );
}

/** The words that are said of a line: of one that is drawn in parts, those, from the first thing that changed in it. */
function saidOf(drawing: DiffDrawing, line: CodeLine): string {
  if (!isLong(line.text)) {
    return line.text;
  }
  const partner = drawing.lines[drawing.partners.get(drawing.lines.indexOf(line)) ?? -1];
  const changed = partner?.type === 'add' || partner?.type === 'delete' ? changedIn(line, partner) : [];
  const parts = drawnParts(line.text, changed, drawing.asked.get(keyOf(line)));
  return parts.map(({ start, end }) => line.text.slice(start, end)).join(' … ');
}

function columns({ sideBySide }: DiffDrawing): number {
  return (sideBySide ? sideBySideColumns : unifiedColumns).length;
}

/** The row's index in the table for screen readers, where not all rows are there: the first is that of the headings. */
function rowIndex({ rows }: DiffDrawing, index: number): number | undefined {
  return rows.length > rowsPerChunk ? index + 2 : undefined;
}

const markers: Record<CodeLine['type'], string> = { add: '+', delete: '−', context: '' };

/** Stands at lines that the base has changed. */
const baseMarker = '~';

function Marker({ line, isBase = false }: { line: Line | undefined; isBase?: boolean }) {
  const isCode = line !== undefined && line.type !== 'gap' && line.type !== 'note';
  return (
    <td
      class="marker"
      data-marker={isBase ? baseMarker : isCode ? markers[line.type] : undefined}
      data-line-type={line?.type ?? 'none'}
    />
  );
}

function LineNumber(props: { line: Line | undefined; number: number | undefined; onClick: () => void }) {
  const { line, number, onClick } = props;
  return (
    <td class="line-number" data-line={number} data-line-type={line?.type ?? 'none'} onClick={onClick} />
  );
}

function Code(props: {
  drawing: DiffDrawing;
  index: number | undefined;
  side: 'old' | 'new' | undefined;
  onShowPart: ShowPart;
}) {
  const { drawing, index, side, onShowPart } = props;
  const line = index === undefined ? undefined : drawing.lines[index];
  if (index === undefined || (line?.type !== 'add' && line?.type !== 'delete' && line?.type !== 'context')) {
    return <td class="code" data-side={side} data-line-type="none" />;
  }
  const partner = drawing.lines[drawing.partners.get(index) ?? -1];
  const changed =
    partner?.type === 'add' || partner?.type === 'delete' ? changedIn(line, partner) : undefined;
  const endsDifferently =
    partner && 'text' in partner && partner.text.endsWith('\r') !== line.text.endsWith('\r');
  const text = withoutReturn(line.text);
  const hang = hangOf(text);
  const moved = movedOf(drawing, line);
  return (
    <td
      class={moved ? 'code moved' : 'code'}
      data-side={side}
      {...(side && { 'data-line-type': line.type })}
      {...(hang > 0 && { style: { '--hang': hang } })}
    >
      {isLong(line.text) ? (
        <LongLine line={line} changed={changed ?? []} drawing={drawing} onShowPart={onShowPart} />
      ) : (
        drawText(text, drawing.colors.of(index), changed)
      )}
      {endsDifferently && line.text.endsWith('\r') && (
        <span class="hidden-character" data-name="CR" title={l10n.t('Carriage return')} />
      )}
      {moved?.isFirst && <MovedLabel moved={moved.moved} />}
    </td>
  );
}

/** The words for lines that were moved, and the way to where they were moved from or to. */
function MovedLabel({ moved }: { moved: MovedLines }) {
  const reading = useReading();
  const { side, other } = moved;
  return (
    <button
      type="button"
      class="moved-label"
      onClick={() => reading.showLine(other.code, side === 'old' ? 'new' : 'old', other.line)}
    >
      {movedText(moved, reading.section(other.code))}
    </button>
  );
}

/** Changes that were found in lines, with the lines that they were compared with: long ones take their time. */
const changes = new WeakMap<CodeLine, { partner: CodeLine; changed: Range[] }>();

/** The parts of a changed line that differ from the one that it was or became. */
function changedIn(line: CodeLine, partner: CodeLine): Range[] {
  const known = changes.get(line);
  if (known?.partner === partner) {
    return known.changed;
  }
  const changed =
    line.type === 'add'
      ? changedWords(partner.text, line.text).after
      : changedWords(line.text, partner.text).before;
  changes.set(line, { partner, changed });
  return changed;
}

function drawText(text: string, tokens: Parameters<typeof pieces>[1], changed: readonly Range[] | undefined) {
  return runs(pieces(text, tokens, changed)).map((run, place) =>
    run.changed ? <mark key={place}>{run.pieces.map(drawPiece)}</mark> : run.pieces.map(drawPiece),
  );
}

/** A line in parts, with buttons for what is between them. */
function LongLine(props: {
  line: CodeLine;
  changed: readonly Range[];
  drawing: DiffDrawing;
  onShowPart: ShowPart;
}) {
  const { line, changed, drawing, onShowPart } = props;
  const text = withoutReturn(line.text);
  const parts = drawnParts(text, changed, drawing.asked.get(keyOf(line)));
  const ends = [0, ...parts.map(({ end }) => end)];
  return (
    <>
      {[...parts, { start: text.length, end: text.length }].map(({ start, end }, place) => {
        const before = ends[place] ?? 0;
        const inside = changed
          .filter((range) => range.start < end && range.end > start)
          .map((range) => ({
            start: Math.max(0, range.start - start),
            end: Math.min(range.end, end) - start,
          }));
        return (
          <Fragment key={place}>
            {start > before && (
              <button
                type="button"
                class="not-drawn"
                title={l10n.t('Show {0} more characters', Math.min(start - before, shownAtOnce))}
                onClick={() =>
                  onShowPart(line, { start: before, end: Math.min(start, before + shownAtOnce) })
                }
              >
                {l10n.t('… {0} characters …', start - before)}
              </button>
            )}
            {end > start && (
              <span data-start={start}>{drawText(text.slice(start, end), undefined, inside)}</span>
            )}
          </Fragment>
        );
      })}
    </>
  );
}

function drawPiece({ text, className, hidden }: Piece) {
  if (hidden !== undefined) {
    return (
      <span class="hidden-character" data-name={hidden} title={l10n.t('Hidden character {0}', hidden)}>
        {text}
      </span>
    );
  }
  return className === undefined ? text : <span class={className}>{text}</span>;
}

function Gap(props: { index: number; gap: GapLine; drawing: DiffDrawing; onOpenGap: OpenGap }) {
  const { index, gap, drawing, onOpenGap } = props;
  const { count, known, heading } = gap;
  return (
    <tr class="row gap" data-row={index} aria-rowindex={rowIndex(drawing, index)} tabIndex={-1}>
      <td colSpan={columns(drawing)}>
        <div class="gap-content">
          {known && (
            <>
              {count > 20 && (
                <>
                  <IconButton
                    icon="fold-down"
                    label={l10n.t('Show 20 lines after')}
                    onClick={() => onOpenGap(gap, 'start')}
                  />
                  <IconButton
                    icon="fold-up"
                    label={l10n.t('Show 20 lines before')}
                    onClick={() => onOpenGap(gap, 'end')}
                  />
                </>
              )}
              <IconButton
                icon="unfold"
                label={l10n.t('Show all unchanged lines')}
                onClick={() => onOpenGap(gap, 'all')}
              />
            </>
          )}
          <span>{count === 1 ? l10n.t('1 unchanged line') : l10n.t('{0} unchanged lines', count)}</span>
          {heading && <code>{heading}</code>}
        </div>
      </td>
    </tr>
  );
}
