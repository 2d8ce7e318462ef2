/** References to lines of files in prose: `src/a.ts#L10-L20`. */

/** Lines of a file, one-based. */
export interface FileReference {
  path: string;
  start?: number;
  end?: number;
}

const path = String.raw`(?:[\p{L}\p{N}_@.+-]+\/)*[\p{L}\p{N}_@.+-]*[\p{L}\p{N}_]`;
const lines = String.raw`#L(\d{1,7})(?:-L?(\d{1,7}))?`;
const whole = new RegExp(`^(${path})(?:${lines})?$`, 'u');
const inText = new RegExp(String.raw`(?<![\p{L}\p{N}_/.:@#-])(${path})${lines}(?![\p{L}\p{N}_])`, 'gu');

/** Reads a text that is nothing but a reference; undefined for anything else, and for paths that lead out of their folder. */
export function readReference(text: string): FileReference | undefined {
  const found = whole.exec(text);
  const [, name, start, end] = found ?? [];
  if (name === undefined || name.split('/').includes('..')) {
    return undefined;
  }
  return {
    path: name,
    ...(start !== undefined && { start: Number(start) }),
    ...(end !== undefined && { end: Number(end) }),
  };
}

/** The references to lines in a text: what stands there, and where it begins. */
export function findReferences(text: string): { index: number; text: string }[] {
  return [...text.matchAll(inText)].flatMap(({ index, 0: found }) =>
    readReference(found) ? [{ index, text: found }] : [],
  );
}
