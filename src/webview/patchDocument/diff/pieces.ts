/** A line of code cut into the pieces that are drawn: by color, by what has changed, by what must be made visible. */
import type { Token } from '../../common/tokens.ts';
import type { Range } from './pairs.ts';

/** A part of a line that looks the same throughout. */
export interface Piece {
  text: string;
  className?: string;
  changed: boolean;
  /** Set for a character that cannot be seen, or that turns the direction of others: `U+202E`. */
  hidden?: string;
}

/** Controls, zero-width characters, and those that turn the direction of the text around them. */
const hiddenCharacter =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u00AD\u061C\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF]/g;

/** Cuts a line; `tokens` and `changed` are in the order of the text. */
export function pieces(
  text: string,
  tokens: readonly Token[] | undefined,
  changed: readonly Range[] = [],
): Piece[] {
  const cuts = new Set<number>();
  for (const { start, end } of changed) {
    cuts.add(start).add(end);
  }
  const hidden = new Map<number, string>();
  for (const { index, 0: character } of text.matchAll(hiddenCharacter)) {
    hidden.set(index, codePoint(character));
    cuts.add(index).add(index + 1);
  }
  const classes: [end: number, className: string | undefined][] = [];
  let at = 0;
  for (const token of tokens ?? []) {
    at += token.text.length;
    classes.push([at, token.className]);
    cuts.add(at);
  }
  cuts.add(text.length);
  const result: Piece[] = [];
  let [start, token, range] = [0, 0, 0];
  for (const end of [...cuts].sort((a, b) => a - b)) {
    if (end <= start || end > text.length) {
      continue;
    }
    while (token < classes.length && (classes[token]?.[0] ?? 0) <= start) {
      token++;
    }
    while (range < changed.length && (changed[range]?.end ?? 0) <= start) {
      range++;
    }
    const className = classes[token]?.[1];
    const name = hidden.get(start);
    result.push({
      text: text.slice(start, end),
      changed: (changed[range]?.start ?? Infinity) <= start,
      ...(className !== undefined && { className }),
      ...(name !== undefined && { hidden: name }),
    });
    start = end;
  }
  return result;
}

/** Pieces in runs of those that have changed and those that have not: what is marked is marked as one, whatever its colors. */
export function runs(cut: readonly Piece[]): { changed: boolean; pieces: Piece[] }[] {
  const result: { changed: boolean; pieces: Piece[] }[] = [];
  for (const piece of cut) {
    const last = result.at(-1);
    if (last?.changed === piece.changed) {
      last.pieces.push(piece);
    } else {
      result.push({ changed: piece.changed, pieces: [piece] });
    }
  }
  return result;
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
