import type { KnownLines } from './followLines.ts';

/** The lines of a file after a change, as far as its diff shows them. */
export function linesInDiff(diff: string): KnownLines {
  const lines: (string | undefined)[] = [];
  const start = diff.search(/^@@ /m);
  let next = 0;
  for (const line of start < 0 ? [] : diff.slice(start).split('\n')) {
    const [, first] = /^@@ -\d+(?:,\d+)? \+(\d+)/.exec(line) ?? [];
    if (first !== undefined) {
      next = Number(first);
    } else if (line.startsWith(' ') || line.startsWith('+')) {
      lines[next - 1] = line.slice(1);
      next += 1;
    }
  }
  // Nobody knows what comes behind.
  return Array.from({ length: lines.length + 1 }, (_, index) => lines[index]);
}
