/** Reckons the heights of rows of a diff before they are drawn: room is left for them. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { Line } from './arrange.ts';
import type { DiffDrawing } from './drawings.ts';
import { shownLength } from './longLines.ts';

/** The room of a line of code. */
interface Fit {
  columns: number;
  /** Pixels. */
  lineHeight: number;
}

/** The one of diffs that were drawn last, with which others begin: unified, and side by side. */
const last = new Map<boolean, Fit>();

/** The room of a line in a table of code, also when that becomes wider or narrower. */
export function useFit(table: RefObject<HTMLElement | null>, sideBySide: boolean): Fit {
  const [fit, setFit] = useState<Fit>(() => last.get(sideBySide) ?? { columns: 120, lineHeight: 20 });
  useLayoutEffect(() => {
    const { current } = table;
    if (!current) {
      return;
    }
    let width: number | undefined;
    const look = (): void => {
      const found = current.clientWidth === width ? undefined : fitOf(current);
      width = current.clientWidth;
      if (found) {
        last.set(sideBySide, found);
        setFit((before) =>
          before.columns === found.columns && before.lineHeight === found.lineHeight ? before : found,
        );
      }
    };
    look();
    const sizes = new ResizeObserver(look);
    sizes.observe(current);
    return () => sizes.disconnect();
  }, [sideBySide]);
  return fit;
}

function fitOf(table: HTMLElement): Fit | undefined {
  const cell = table.querySelector<HTMLElement>('td.code');
  const context = document.createElement('canvas').getContext('2d');
  if (!cell || !context) {
    return undefined;
  }
  const style = getComputedStyle(cell);
  context.font = `${style.fontSize} ${style.fontFamily}`;
  const character = context.measureText('0'.repeat(100)).width / 100;
  const width = cell.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  const columns = Math.floor(width / character);
  const lineHeight = parseFloat(style.lineHeight);
  return columns > 0 && lineHeight > 0 ? { columns, lineHeight } : undefined;
}

/** Columns of a tab, as in the style of the page. */
const tabColumns = 4;

/** Columns by which a line that goes on below stands further in than its code begins, and those that are the most for that. */
const furtherIn = 2;
const mostHang = 24;

/** Characters up to which a line is never too long for its room. */
const short = 40;

/** Columns by which a line stands in where it goes on below, as VS Code's editor has it; 0 where it hardly does. */
export function hangOf(text: string): number {
  if (text.length <= short) {
    return 0;
  }
  let columns = 0;
  for (const character of text) {
    if ((character !== ' ' && character !== '\t') || columns >= mostHang) {
      break;
    }
    columns += character === '\t' ? tabColumns : 1;
  }
  return Math.min(mostHang, columns) + furtherIn;
}

/** Columns of the longest line. */
export function longestLine(lines: readonly Line[]): number {
  return lines.reduce((longest, line) => Math.max(longest, columnsOf(line)), 0);
}

/** The height of each row in lines into which so many characters fit. */
export function linesHigh({ rows, lines }: DiffDrawing, columns: number): number[] {
  const high = lines.map((line) => {
    const rest = columnsOf(line) - columns;
    const hang = line.type === 'gap' || line.type === 'note' ? 0 : hangOf(line.text);
    return rest <= 0 ? 1 : 1 + Math.ceil(rest / Math.max(1, columns - hang));
  });
  return rows.map(({ left, right }) => Math.max(high[left ?? -1] ?? 1, high[right ?? -1] ?? 1));
}

function columnsOf(line: Line): number {
  if (line.type === 'gap' || line.type === 'note') {
    return 1;
  }
  const tabs = line.text.includes('\t') ? line.text.split('\t').length - 1 : 0;
  return shownLength(line.text) + (tabColumns - 1) * tabs;
}
