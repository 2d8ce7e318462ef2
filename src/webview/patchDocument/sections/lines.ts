/** Characters of prose on a line, about. */
const lineLength = 80;

/** Lines that prose takes on screen, about. */
export function linesOf(text: string): number {
  return text.split('\n').reduce((sum, line) => sum + 1 + Math.floor(line.length / lineLength), 0);
}
