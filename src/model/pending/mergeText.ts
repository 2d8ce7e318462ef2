import { diff3Merge } from 'node-diff3';

/** What came of joining two changes of one text. */
export type TextMerge = { kind: 'merged'; text: string } | { kind: 'conflict' };

/**
 * Joins two changes of one text: line by line, and where both changed the same lines, word by word. The lines end as in
 * their text.
 */
export function mergeText(base: string, mine: string, theirs: string): TextMerge {
  if (mine === theirs || theirs === base) {
    return { kind: 'merged', text: mine };
  }
  if (mine === base) {
    return { kind: 'merged', text: theirs };
  }
  const merged: string[] = [];
  for (const part of merge3(lines(base), lines(mine), lines(theirs))) {
    if ('ok' in part) {
      merged.push(...part.ok);
      continue;
    }
    const { mine: ours, base: before, theirs: others } = part.conflict;
    const inner = merge3(words(before), words(ours), words(others));
    if (inner.some((piece) => 'conflict' in piece)) {
      return { kind: 'conflict' };
    }
    merged.push(...inner.flatMap((piece) => ('ok' in piece ? piece.ok : [])));
  }
  const text = merged.join('');
  return { kind: 'merged', text: theirs.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text };
}

type MergePart = { ok: string[] } | { conflict: { mine: string[]; base: string[]; theirs: string[] } };

function merge3(base: string[], mine: string[], theirs: string[]): MergePart[] {
  const parts = diff3Merge(mine, base, theirs, { excludeFalseConflicts: true }) as {
    ok?: string[];
    conflict?: { a: string[]; o: string[]; b: string[] };
  }[];
  return parts.map(({ ok, conflict }) =>
    conflict ? { conflict: { mine: conflict.a, base: conflict.o, theirs: conflict.b } } : { ok: ok ?? [] },
  );
}

/** The lines of a text with their ends, so that joining them gives it back. */
function lines(text: string): string[] {
  return text.replaceAll('\r\n', '\n').split(/(?<=\n)/);
}

function words(parts: string[]): string[] {
  return parts.join('').split(/(\s+)/);
}
