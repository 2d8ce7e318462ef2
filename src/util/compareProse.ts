/** Tells which words of a text changed. */
import { diffArrays } from 'diff';

/** Words that stayed, came or went, with what stands between them; in the order in which they are read. */
export interface WordChange {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

/** Words that are told apart one by one: beyond that, lines are. Comparing takes the square of what differs. */
const mostWords = 100_000;
const mostDifferences = 4000;

/** Made when it is first needed: browsers take milliseconds for it, and a page would begin that much later. */
let segmenter: Intl.Segmenter | undefined;

/**
 * A step from one text to another. The parts that are the same or added make the newer text, those that are the same or removed the
 * older one.
 */
export function compareProse(older: string, newer: string): WordChange[] {
  if (older === newer) {
    return older === '' ? [] : [{ kind: 'same', text: older }];
  }
  const isShort = older.length + newer.length <= 10 * mostWords;
  const [left, right] = isShort ? [wordsOf(older), wordsOf(newer)] : [];
  const changes =
    left && right && left.length + right.length <= mostWords ? compareParts(left, right) : undefined;
  return (
    changes ??
    compareParts(linesIn(older), linesIn(newer)) ??
    [
      { kind: 'removed' as const, text: older },
      { kind: 'added' as const, text: newer },
    ].filter(({ text }) => text !== '')
  );
}

function compareParts(older: readonly string[], newer: readonly string[]): WordChange[] | undefined {
  const changes = diffArrays([...older], [...newer], { maxEditLength: mostDifferences });
  return changes?.map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value.join(''),
  }));
}

/** The words of a text, and what stands between them: also where no blanks do. */
function wordsOf(text: string): string[] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

function linesIn(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}
