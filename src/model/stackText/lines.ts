/** Texts as lines, whatever ends them. */
import { createHash } from 'node:crypto';

/** A text in its lines. Between two texts of a file there are blank lines, so that none of those at its ends count. */
export interface TextLines {
  lines: string[];
  /** The lines that are blank at its beginning and at its end. */
  before: string[];
  after: string[];
}

export function linesOf(text: string): string[] {
  return text.split(/\r\n?|\n/);
}

/** True for a line without anything in it but spaces. */
export function isBlank(line: string): boolean {
  return line.trim() === '';
}

/** Lines without the blank ones at their ends. */
export function trimmedLines(lines: readonly string[]): TextLines {
  const first = lines.findIndex((line) => !isBlank(line));
  if (first < 0) {
    return { lines: [], before: [...lines], after: [] };
  }
  const end = lines.findLastIndex((line) => !isBlank(line)) + 1;
  return { lines: lines.slice(first, end), before: lines.slice(0, first), after: lines.slice(end) };
}

/**
 * A text that somebody has made of another one in a file that has no blank lines at its ends, and may end its lines otherwise. What
 * was not changed is the same to the last character.
 */
export function writtenText(base: string, typed: readonly string[]): string {
  const { lines } = trimmedLines(typed);
  const was = trimmedLines(linesOf(base));
  if (lines.length === was.lines.length && lines.every((line, index) => line === was.lines[index])) {
    return base;
  }
  if (lines.length === 0) {
    return '';
  }
  return [...was.before, ...lines, ...was.after].join(base.includes('\r\n') ? '\r\n' : '\n');
}

/** Tells lines from others; spaces at their ends don't count, for many editors take them away. */
export function printOf(lines: readonly string[]): string {
  return createHash('sha256')
    .update(lines.map((line) => line.trimEnd()).join('\n'))
    .digest('hex')
    .slice(0, 16);
}
