/** The two sides of a diff as texts, for when no repository has them: what the diff does not tell is left empty. */
import { parsePatch } from 'diff';

/** A file before and after a change, as far as its diff tells. */
interface DiffSides {
  before: string;
  after: string;
}

/** The most lines that are left empty for what the diff does not tell: line numbers beyond are wrong rather than the editor slow. */
const mostEmptyLines = 100_000;

/** Both sides of a unified diff, each line where its number says; undefined when the text is no unified diff. */
export function diffSides(diff: string): DiffSides | undefined {
  let hunks;
  try {
    hunks = parsePatch(diff)[0]?.hunks;
  } catch {
    return undefined;
  }
  if (!hunks || hunks.length === 0) {
    return undefined;
  }
  const before: string[] = [];
  const after: string[] = [];
  for (const hunk of hunks) {
    const missing = Math.min(hunk.newStart - 1 - after.length, mostEmptyLines);
    for (let count = missing; count > 0; count--) {
      before.push('');
      after.push('');
    }
    for (const line of hunk.lines) {
      const text = line.slice(1);
      if (!line.startsWith('+') && !line.startsWith('\\')) {
        before.push(text);
      }
      if (!line.startsWith('-') && !line.startsWith('\\')) {
        after.push(text);
      }
    }
  }
  return { before: before.join('\n'), after: after.join('\n') };
}
