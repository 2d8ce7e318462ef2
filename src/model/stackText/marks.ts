/** The lines of a stack's markdown file that say what follows them: comments, which no preview shows. */

/** The words that the lines begin with. */
export const markWords = ['patch', 'text', 'diff'] as const;
export type MarkWord = (typeof markWords)[number];

/** A line that says what follows it. */
export interface Mark {
  word: MarkWord;
  /** A change id, a section's code or identifier; missing for a text that is to be added. */
  id?: string;
}

const begin = '<!-- ';
const end = ' -->';

export function markLine({ word, id }: Mark): string {
  return `${begin}${[word, ...(id === undefined ? [] : [encoded(id)])].join(' ')}${end}`;
}

/** The mark that a line is; undefined for any other line. */
export function markOf(line: string): Mark | undefined {
  const trimmed = line.trimEnd();
  if (!trimmed.startsWith(begin) || !trimmed.endsWith(end)) {
    return undefined;
  }
  const [first, ...others] = trimmed.slice(begin.length, -end.length).trim().split(' ');
  const word = markWords.find((one) => one === first);
  if (word === undefined || others.length > 1) {
    return undefined;
  }
  return { word, ...(others[0] !== undefined && { id: decoded(others[0]) }) };
}

/** A line of somebody's text, which is no mark whatever it says. */
export function escapedLine(line: string): string {
  return markOf(withoutBackslashes(line)) ? `\\${line}` : line;
}

/** A line as it was before it was escaped. */
export function unescapedLine(line: string): string {
  return line.startsWith('\\') && markOf(withoutBackslashes(line)) ? line.slice(1) : line;
}

function withoutBackslashes(line: string): string {
  let start = 0;
  while (line[start] === '\\') {
    start += 1;
  }
  return line.slice(start);
}

function encoded(id: string): string {
  return id.replaceAll(/[%\s\p{Cc}\p{Bidi_C}>]/gu, encodeURIComponent);
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    // Somebody has typed it.
    return id;
  }
}
