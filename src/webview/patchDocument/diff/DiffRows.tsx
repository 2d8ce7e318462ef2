import * as l10n from '@vscode/l10n';
import { IconButton } from '../../common/IconButton.tsx';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { useNearViewport } from '../../common/nearViewport.ts';
import { bringIntoView } from '../bringIntoView.ts';
import type { CodeLine, GapLine, Line } from './arrange.ts';
import type { DiffDrawing } from './drawings.ts';
import { withoutReturn } from './lineEnds.ts';
import { changedWords, type SideBySideRow } from './pairs.ts';
import { pieces, runs, type Piece } from './pieces.ts';
import { spokenRow } from './spokenRow.ts';

/** The row to bring into view and to mark, with those after it. */
export interface Aim {
  row: number;
  count: number;
  /** Whether the row is to be focused too. */
  focus: boolean;
  /** Told apart from an earlier wish for the same row. */
  wish: number;
}

type OpenGap = (gap: GapLine, where: 'start' | 'end' | 'all') => void;

/** Rows that are drawn, and taken away again, together. */
const rowsPerChunk = 20;

/** The rows of a diff as a table, of which only what is near to the screen is drawn. */
export function DiffRows(props: {
  name: string;
  drawing: DiffDrawing;
  aim: Aim | undefined;
  onOpenGap: OpenGap;
  /** Opens the file at the line of a row. */
  onOpenLine: (row: number) => void;
}) {
  const { name, drawing, aim, onOpenGap, onOpenLine } = props;
  const chunks = useMemo(
    () =>
      Array.from({ length: Math.ceil(drawing.rows.length / rowsPerChunk) }, (_value, index) => ({
        start: index * rowsPerChunk,
        end: Math.min((index + 1) * rowsPerChunk, drawing.rows.length),
      })),
    [drawing],
  );
  const digits = useMemo(() => String(largestLine(drawing.lines)).length, [drawing]);
  const table = useRef<HTMLTableElement>(null);
  useLayoutEffect(() => {
    if (aim) {
      const row = table.current?.querySelector<HTMLElement>(`tr[data-row="${aim.row}"]`);
      if (row) {
        bringIntoView(row, 'center');
      }
      if (aim.focus) {
        row?.focus({ preventScroll: true });
      }
    }
  }, [aim?.wish, aim?.row]);
  return (
    <table ref={table} tabIndex={0} aria-label={name} style={{ '--digits': Math.max(2, digits) }}>
      <colgroup>
        {(drawing.sideBySide ? sideBySideColumns : unifiedColumns).map((column, index) => (
          <col key={index} class={column} />
        ))}
      </colgroup>
      <thead>
        <tr>
          {headings(drawing.sideBySide).map((heading) => (
            <th key={heading} scope="col">
              <span class="visually-hidden">{heading}</span>
            </th>
          ))}
        </tr>
      </thead>
      {chunks.map(({ start, end }) => (
        <Chunk
          key={start}
          drawing={drawing}
          start={start}
          end={end}
          needed={aim !== undefined && aim.row >= start && aim.row < end}
          marked={aim && aim.row < end && aim.row + aim.count > start ? aim : undefined}
          onOpenGap={onOpenGap}
          onOpenLine={onOpenLine}
        />
      ))}
    </table>
  );
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

/** What the columns are called: no one sees it, for everyone sees what they are. */
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

function largestLine(lines: readonly Line[]): number {
  let largest = 0;
  for (const line of lines) {
    if (line.type !== 'note') {
      largest = Math.max(largest, line.oldLine ?? 0, line.newLine ?? 0);
    }
  }
  return largest;
}

interface ChunkProps {
  drawing: DiffDrawing;
  start: number;
  end: number;
  needed: boolean;
  marked: { row: number; count: number } | undefined;
  onOpenGap: OpenGap;
  /** Opens the file at the line of a row. */
  onOpenLine: (row: number) => void;
}

function Chunk(props: ChunkProps) {
  const { start, end, needed } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const { near, height } = useNearViewport(body, start === 0);
  const drawn = near || needed;
  // Lines that wrap are higher: what was once drawn keeps its place.
  const room = height === undefined ? `calc(var(--line-height) * ${end - start})` : `${height}px`;
  const { drawing, marked } = props;
  // The same rows are not drawn again: Preact skips an element that is the one from before.
  const rows = useMemo(
    () => drawn && <ChunkRows {...props} />,
    [drawing, drawn, start, end, marked?.row, marked?.count],
  );
  return (
    <tbody ref={body}>
      {rows || (
        <tr class="unread" data-first-row={start} data-last-row={end - 1}>
          <td colSpan={columns(drawing)} style={{ height: room }} />
        </tr>
      )}
    </tbody>
  );
}

function ChunkRows({ drawing, start, end, marked, onOpenGap, onOpenLine }: ChunkProps) {
  return (
    <>
      {drawing.rows.slice(start, end).map((row, offset) => {
        const index = start + offset;
        return (
          <Row
            key={index}
            index={index}
            row={row}
            drawing={drawing}
            marked={marked !== undefined && index >= marked.row && index < marked.row + marked.count}
            onOpenGap={onOpenGap}
            onOpenLine={onOpenLine}
          />
        );
      })}
    </>
  );
}

function Row(props: {
  index: number;
  row: SideBySideRow;
  drawing: DiffDrawing;
  marked: boolean;
  onOpenGap: OpenGap;
  /** Opens the file at the line of a row. */
  onOpenLine: (row: number) => void;
}) {
  const { index, row, drawing, marked, onOpenGap, onOpenLine } = props;
  const left = row.left === undefined ? undefined : drawing.lines[row.left];
  const right = row.right === undefined ? undefined : drawing.lines[row.right];
  const line = right ?? left;
  if (line?.type === 'gap') {
    return <Gap index={index} gap={line} columns={columns(drawing)} onOpenGap={onOpenGap} />;
  }
  if (line?.type === 'note') {
    return (
      <tr class="row note" data-row={index} tabIndex={-1}>
        <td colSpan={columns(drawing)}>{line.text}</td>
      </tr>
    );
  }
  const common = {
    class: `row${marked ? ' marked' : ''}`,
    'data-row': index,
    tabIndex: -1,
    'aria-label': spokenRow(left, right, drawing.sideBySide),
  };
  const openLine = (): void => onOpenLine(index);
  if (!drawing.sideBySide) {
    return (
      <tr {...common} data-line-type={line?.type}>
        <td class="line-number" data-line={line?.oldLine} onClick={openLine} />
        <td class="line-number" data-line={line?.newLine} onClick={openLine} />
        <td class="marker" data-marker={line && markers[line.type]} />
        <Code drawing={drawing} index={row.left} side={undefined} />
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
      <Code drawing={drawing} index={row.left} side="old" />
      <LineNumber
        line={right}
        number={right?.type === 'gap' || right?.type === 'note' ? undefined : right?.newLine}
        onClick={openLine}
      />
      <Marker line={right} />
      <Code drawing={drawing} index={row.right} side="new" />
    </tr>
  );
}

function columns({ sideBySide }: DiffDrawing): number {
  return (sideBySide ? sideBySideColumns : unifiedColumns).length;
}

const markers: Record<CodeLine['type'], string> = { add: '+', delete: '−', context: '' };

function Marker({ line }: { line: Line | undefined }) {
  const isCode = line !== undefined && line.type !== 'gap' && line.type !== 'note';
  return (
    <td
      class="marker"
      data-marker={isCode ? markers[line.type] : undefined}
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

function Code(props: { drawing: DiffDrawing; index: number | undefined; side: 'old' | 'new' | undefined }) {
  const { drawing, index, side } = props;
  const line = index === undefined ? undefined : drawing.lines[index];
  if (index === undefined || (line?.type !== 'add' && line?.type !== 'delete' && line?.type !== 'context')) {
    return <td class="code" data-side={side} data-line-type="none" />;
  }
  const partner = drawing.lines[drawing.partners.get(index) ?? -1];
  const changed =
    partner && 'text' in partner
      ? line.type === 'add'
        ? changedWords(partner.text, line.text).after
        : changedWords(line.text, partner.text).before
      : undefined;
  const endsDifferently =
    partner && 'text' in partner && partner.text.endsWith('\r') !== line.text.endsWith('\r');
  const text = withoutReturn(line.text);
  return (
    <td class="code" data-side={side} {...(side && { 'data-line-type': line.type })}>
      {runs(pieces(text, drawing.colours.of(index), changed)).map((run, place) =>
        run.changed ? <mark key={place}>{run.pieces.map(drawPiece)}</mark> : run.pieces.map(drawPiece),
      )}
      {endsDifferently && line.text.endsWith('\r') && (
        <span class="hidden-character" data-name="CR" title={l10n.t('Carriage return')} />
      )}
    </td>
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

function Gap(props: { index: number; gap: GapLine; columns: number; onOpenGap: OpenGap }) {
  const { index, gap, columns, onOpenGap } = props;
  const { count, known, heading } = gap;
  return (
    <tr class="row gap" data-row={index} tabIndex={-1}>
      <td colSpan={columns}>
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
