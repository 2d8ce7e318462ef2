import * as l10n from '@vscode/l10n';
import type { CodeLine, Line } from './arrange.ts';

/** Characters of a line that are said: no one listens to the rest of a file that was written on one. */
const saidOfLine = 400;

/**
 * The name of a focused row for screen readers: its kind of change, line number, and text.
 *
 * @param textOf returns the part of a line that is shown.
 */
export function spokenRow(
  left: Line | undefined,
  right: Line | undefined,
  sideBySide: boolean,
  textOf: (line: CodeLine) => string,
): string | undefined {
  const lines = sideBySide && left !== right ? [left, right] : [right ?? left];
  const said = lines.flatMap((line) =>
    isCode(line) ? [spokenLine(line, textOf(line).trim().slice(0, saidOfLine))] : [],
  );
  return said.length > 0 ? said.join('; ') : undefined;
}

function isCode(line: Line | undefined): line is CodeLine {
  return line?.type === 'add' || line?.type === 'delete' || line?.type === 'context';
}

/** A line of code in words: what became of it, its number, and as much of its text as is to be said. */
export function spokenLine({ type, oldLine, newLine }: CodeLine, text: string): string {
  const code = text.trim() === '' ? l10n.t('blank') : text;
  switch (type) {
    case 'add':
      return l10n.t('added, line {0}: {1}', newLine ?? '', code);
    case 'delete':
      return l10n.t('removed, line {0}: {1}', oldLine ?? '', code);
    case 'context':
      return l10n.t('line {0}: {1}', newLine ?? '', code);
  }
}
