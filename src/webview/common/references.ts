/** References to lines of files in prose: `src/a.ts#L10-L20`. */
import { within } from '../../util/budget.ts';

/** Lines of a file, one-based. */
export interface FileReference {
  path: string;
  start?: number;
  end?: number;
}

/** Characters that a path has at most. */
const longestPath = 1000;

const whole = within(
  1100,
  /^((?:[\p{L}\p{N}_@.+-]+\/)*[\p{L}\p{N}_@.+-]*[\p{L}\p{N}_])(?:#L(\d{1,7})(?:-L?(\d{1,7}))?)?$/u,
);
const lines = /#L\d{1,7}(?:-L?\d{1,7})?(?![\p{L}\p{N}_])/gu;
const pathCharacter = /^[\p{L}\p{N}_@.+/-]$/u;

/** Reads a text that is nothing but a reference; undefined for anything else, and for paths that lead out of their folder. */
export function readReference(text: string): FileReference | undefined {
  const found = whole.exec(text);
  const [, name, start, end] = found ?? [];
  if (name === undefined || text.length !== found?.[0].length || name.split('/').includes('..')) {
    return undefined;
  }
  return {
    path: name,
    ...(start !== undefined && { start: Number(start) }),
    ...(end !== undefined && { end: Number(end) }),
  };
}

/**
 * The references to lines in a text: what stands there, and where it begins.
 *
 * Found by their lines, and read backwards from there: forwards, each character could begin a path.
 */
export function findReferences(text: string): { index: number; text: string }[] {
  return [...text.matchAll(lines)].flatMap(({ index: end, 0: found }) => {
    const index = startOfPath(text, end);
    const reference = text.slice(index, end) + found;
    const isInAddress = index > 0 && ':#'.includes(text.charAt(index - 1));
    return index < end && !isInAddress && readReference(reference) ? [{ index, text: reference }] : [];
  });
}

function startOfPath(text: string, end: number): number {
  let start = end;
  while (start > 0 && end - start < longestPath) {
    const before = text.codePointAt(start - 1) ?? 0;
    const isLowSurrogate = before >= 0xdc00 && before < 0xe000 && start > 1;
    const from = isLowSurrogate ? start - 2 : start - 1;
    if (!pathCharacter.test(text.slice(from, start))) {
      break;
    }
    start = from;
  }
  return start;
}
