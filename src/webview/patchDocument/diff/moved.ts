/** Lines of a diff that were moved from one place to another. */
import * as l10n from '@vscode/l10n';
import type { MovedLines, SectionView } from '../../../protocol/patchDocument.ts';
import { plainText } from '../../../util/visibleText.ts';
import type { Line } from './arrange.ts';
import type { DiffDrawing } from './drawings.ts';

/** See the module; `isFirst` for the line that has the words, the others are marked with it. */
interface MovedLine {
  moved: MovedLines;
  isFirst: boolean;
}

/** The place that a line was moved to, or from; undefined for one that was not. */
export function movedOf(
  { moved }: Pick<DiffDrawing, 'moved'>,
  line: Line | undefined,
): MovedLine | undefined {
  if (line?.type !== 'add' && line?.type !== 'delete') {
    return undefined;
  }
  const side = line.type === 'add' ? 'new' : 'old';
  const number = (line.type === 'add' ? line.newLine : line.oldLine) ?? 0;
  const found = moved.find(
    (one) => one.side === side && one.start <= number && number < one.start + one.count,
  );
  return found && { moved: found, isFirst: found.start === number };
}

/** Says where lines were moved to, or from; `section` is the file that they are in there. */
export function movedText({ side, other }: MovedLines, section: SectionView | undefined): string {
  const path =
    section?.type === 'diff' ? plainText(section.path.slice(section.path.lastIndexOf('/') + 1)) : '';
  return side === 'old'
    ? l10n.t('moved to {0}, line {1}', path, other.line)
    : l10n.t('moved from {0}, line {1}', path, other.line);
}
