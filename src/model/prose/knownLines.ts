import type { KnownLines } from './followLines.ts';

/** A line of a file after a change, one-based, as a diff shows it. */
interface ShownLine {
  line: number;
  text: string;
  isAdded: boolean;
}

/** Lines that a diff shows one after the other. */
interface ShownHunk {
  /** The function or the like that they stand in, as the diff says it. */
  heading: string;
  lines: ShownLine[];
}

/** All that a diff shows of a file after a change. */
export function hunksIn(diff: string): ShownHunk[] {
  const hunks: ShownHunk[] = [];
  const start = diff.search(/^@@ /m);
  let next = 0;
  for (const line of start < 0 ? [] : diff.slice(start).split('\n')) {
    const [header, first] = /^@@ -\d{1,9}(?:,\d{1,9})? \+(\d{1,9})(?:,\d{1,9})? @@ ?/.exec(line) ?? [];
    if (header !== undefined) {
      next = Number(first);
      hunks.push({ heading: line.slice(header.length), lines: [] });
    } else if (line.startsWith(' ') || line.startsWith('+')) {
      hunks.at(-1)?.lines.push({ line: next, text: line.slice(1), isAdded: line.startsWith('+') });
      next += 1;
    }
  }
  return hunks;
}

/** The lines of a file after a change, as far as its diff shows them. */
export function linesInDiff(diff: string): KnownLines {
  const lines: (string | undefined)[] = [];
  for (const { line, text } of hunksIn(diff).flatMap((hunk) => hunk.lines)) {
    lines[line - 1] = text;
  }
  // Nobody knows what comes behind.
  return Array.from({ length: lines.length + 1 }, (_, index) => lines[index]);
}
