/**
 * Texts that two people changed at the same time and that are shared through Git: where they conflict, both stand there, with what was there
 * before them, between lines like Git's own.
 */

/** The lines that begin each of the three, and the one behind them. */
export const conflictLines = {
  earlier: '<<<<<<< earlier',
  before: '||||||| before',
  later: '=======',
  end: '>>>>>>> later',
};

const marks = new Set(Object.values(conflictLines));

/** Three texts of which two were made of the one before. */
export interface SharedConflict {
  before: string;
  earlier: string;
  later: string;
}

/** Puts the three between their lines. */
export function markConflict({ before, earlier, later }: SharedConflict): string {
  const { earlier: first, before: second, later: third, end } = conflictLines;
  return `${first}\n${ended(earlier)}${second}\n${ended(before)}${third}\n${ended(later)}${end}\n`;
}

function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

type Part = keyof SharedConflict | 'outside';

/** The part behind each, and the line between them. */
const next: Record<keyof SharedConflict, { part: Part; line: string }> = {
  earlier: { part: 'before', line: conflictLines.before },
  before: { part: 'later', line: conflictLines.later },
  later: { part: 'outside', line: conflictLines.end },
};

/**
 * The three texts that one with such lines is made of; undefined where it has no conflict, or not only whole ones: one of more than two people
 * has others within it.
 */
export function splitConflict(text: string): SharedConflict | undefined {
  const texts: SharedConflict = { before: '', earlier: '', later: '' };
  let part: Part = 'outside';
  let count = 0;
  for (const line of text.split(/(?<=\n)/)) {
    const mark: string = line.trimEnd();
    if (part === 'outside') {
      if (mark === conflictLines.earlier) {
        part = 'earlier';
        count += 1;
      } else {
        texts.before += line;
        texts.earlier += line;
        texts.later += line;
      }
      continue;
    }
    if (mark === next[part].line) {
      part = next[part].part;
    } else if (marks.has(mark) && !(part === 'earlier' && mark === conflictLines.later)) {
      return undefined;
    } else {
      texts[part] += line;
    }
  }
  return count > 0 && part === 'outside' ? texts : undefined;
}
