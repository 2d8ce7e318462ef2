/** The keyboard in the lines of a diff. */
import type { TargetedKeyboardEvent } from 'preact';
import { scrollPage } from '../../common/scrollPage.ts';
import { rowDrawers } from './drawings.ts';

/** Up and down walk from line to line; Enter opens the file at the line. */
export function walkLines(event: TargetedKeyboardEvent<HTMLElement>, openRow: (row: number) => void): void {
  const { currentTarget: region } = event;
  const { activeElement } = document;
  const isRow = activeElement instanceof HTMLElement && activeElement.matches('tr[data-row]');
  const focused = isRow ? activeElement : undefined;
  const index = focused && region.contains(focused) ? Number(focused.dataset['row']) : -1;
  if (event.altKey || event.ctrlKey || event.metaKey) {
    return;
  }
  switch (event.key) {
    case 'ArrowDown':
    case 'ArrowUp': {
      const next = index < 0 ? firstOnScreen(region) : index + (event.key === 'ArrowDown' ? 1 : -1);
      // It may be far away, where somebody has scrolled on without the focus.
      const row = next < 0 ? undefined : rowDrawers.get(region)?.(next);
      if (row) {
        row.focus({ preventScroll: true });
        scrollPage(row, 'nearest');
        event.preventDefault();
      }
      break;
    }
    case 'Enter':
      if (focused && event.target === focused) {
        openRow(index);
        event.preventDefault();
      }
      break;
    case 'Escape':
      if (index >= 0) {
        region.querySelector('table')?.focus({ preventScroll: true });
      }
      break;
  }
}

function firstOnScreen(region: HTMLElement): number {
  const toolbar = 80;
  const rows = [...region.querySelectorAll<HTMLElement>('tr[data-row]')];
  const first = rows.find((row) => row.getBoundingClientRect().top >= toolbar) ?? rows[0];
  return Number(first?.dataset['row'] ?? -1);
}
