import * as l10n from '@vscode/l10n';
import type { RemovedLines } from '../../../util/shownComparison.ts';
import type { Line } from './arrange.ts';

/** The lines of a diff, with a note wherever the base has removed some between them. */
export function withBaseRemovals(lines: Line[], removals: readonly RemovedLines[] | undefined): Line[] {
  if (!removals) {
    return lines;
  }
  const counts = new Map(removals.map(({ before, count }) => [before, count]));
  const result: Line[] = [];
  /** The line before the change that comes next. */
  let next: number | undefined;
  for (const line of lines) {
    const place = line.type === 'note' || line.type === 'add' ? undefined : line.oldLine;
    if (place !== undefined) {
      result.push(...noteOf(counts.get(place)));
      next = place + (line.type === 'gap' ? line.count : 1);
    }
    result.push(line);
  }
  return [...result, ...noteOf(counts.get(next ?? 1))];
}

function noteOf(count: number | undefined): Line[] {
  return count === undefined
    ? []
    : [
        {
          type: 'note',
          text:
            count === 1
              ? l10n.t('~ 1 line removed here by the base')
              : l10n.t('~ {0} lines removed here by the base', count),
        },
      ];
}
