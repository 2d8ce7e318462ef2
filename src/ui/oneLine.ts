/** Editing a text that may have several lines in a box that has one. */
interface OneLine {
  shown: string;
  /** True when the box shows less than the text is. */
  flattened: boolean;
  /** The text as it is to be sent, or undefined when it was not changed. */
  changed(typed: string): string | undefined;
}

const lineEnd = /[\r\n]/;

/** Shows a text in one line without losing its other lines to someone who changes nothing. */
export function oneLine(text: string): OneLine {
  const shown = text.replaceAll(/\s+/g, (blanks) => (lineEnd.test(blanks) ? ' ' : blanks));
  return {
    shown,
    flattened: shown !== text,
    changed: (typed) => (typed === shown ? undefined : typed),
  };
}
