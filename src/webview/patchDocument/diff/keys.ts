/** The keyboard in the lines of a diff. */
import { scrollPage } from '../../common/scrollPage.ts';

/** Up and down walk from line to line; Enter opens the file at the line. */
export function walkLines(event: KeyboardEvent, openRow: (row: number) => void): void {
  const region = event.currentTarget as HTMLElement;
  const rows = [...region.querySelectorAll<HTMLElement>('tr[data-row]')];
  const index = rows.indexOf(document.activeElement as HTMLElement);
  if (event.altKey || event.ctrlKey || event.metaKey) {
    return;
  }
  switch (event.key) {
    case 'ArrowDown':
    case 'ArrowUp': {
      const next = index < 0 ? firstOnScreen(rows) : index + (event.key === 'ArrowDown' ? 1 : -1);
      const row = rows[next];
      if (row) {
        row.focus({ preventScroll: true });
        scrollPage(row, 'nearest');
        event.preventDefault();
      }
      break;
    }
    case 'Enter': {
      const row = rows[index];
      if (row && event.target === row) {
        openRow(Number(row.dataset['row']));
        event.preventDefault();
      }
      break;
    }
    case 'Escape':
      if (index >= 0) {
        region.querySelector('table')?.focus({ preventScroll: true });
      }
      break;
  }
}

function firstOnScreen(rows: readonly HTMLElement[]): number {
  const toolbar = 80;
  return Math.max(
    0,
    rows.findIndex((row) => row.getBoundingClientRect().top >= toolbar),
  );
}
