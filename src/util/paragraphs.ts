/** A paragraph of a text, with the place where it begins. */
export interface Paragraph {
  text: string;
  index: number;
}

/** The parts of a text between blank lines. */
export function paragraphsOf(text: string): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let start = 0;
  for (let at = 0; at <= text.length;) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, end < 0 ? text.length : end);
    const isLast = end < 0;
    if (line.trim() === '' || isLast) {
      const part = text.slice(start, line.trim() === '' ? at : text.length);
      if (part.trim() !== '') {
        paragraphs.push({ text: part.trimEnd(), index: start });
      }
      start = isLast ? text.length : end + 1;
    }
    at = isLast ? text.length + 1 : end + 1;
  }
  return paragraphs;
}
