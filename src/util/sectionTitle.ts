/** Characters of a line that stand for a title. */
const longestTitle = 120;

/** What a text section is called: its first heading, else its first line; undefined when it is empty. */
export function sectionTitle(markdown: string): string | undefined {
  let fence: string | undefined;
  let firstLine: string | undefined;
  let previous = '';
  for (const line of markdown.split(/\r?\n/)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence))) {
      fence = fence === undefined ? mark : undefined;
      previous = '';
      continue;
    }
    if (fence === undefined) {
      const heading = /^ {0,3}#{1,6}[ \t]+(.*?)[ \t]*#*[ \t]*$/.exec(line)?.[1];
      if (heading) {
        return plain(heading);
      }
      if (/^ {0,3}(=+|-+)[ \t]*$/.test(line) && /^ {0,3}[^\s>*+#-]/.test(previous)) {
        return plain(previous);
      }
    }
    if (line.trim() !== '') {
      firstLine ??= line;
    }
    previous = fence === undefined ? line : '';
  }
  return firstLine === undefined ? undefined : plain(firstLine);
}

/** Markdown of one line as the words that it shows. */
function plain(line: string): string {
  const words = line
    .replace(/^\s*([-*+]|\d+[.)]|>)\s+(\[[ xX]\]\s+)?/, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/(\*\*|__|~~|`+)(.+?)\1/g, '$2')
    .replace(/(^|\W)([*_])(\S(?:.*?\S)?)\2(?=\W|$)/g, '$1$3')
    .trim();
  return (words === '' ? line.trim() : words).slice(0, longestTitle);
}
