/**
 * The changes in a text, as CodeMirror says them: what stays, by its length in UTF-16 code units; what goes, as a list of its
 * length alone; and what comes in its place, as the lines after that length.
 */
export type TextChanges = (number | [length: number, ...lines: string[]])[];

/** The text with these changes; undefined when they are of a text of another length, and so not of this one. */
export function withChanges(text: string, changes: TextChanges): string | undefined {
  let at = 0;
  let changed = '';
  for (const change of changes) {
    if (typeof change === 'number') {
      changed += text.slice(at, at + change);
      at += change;
    } else {
      const [length, ...lines] = change;
      changed += lines.join('\n');
      at += length;
    }
  }
  return at === text.length ? changed : undefined;
}
