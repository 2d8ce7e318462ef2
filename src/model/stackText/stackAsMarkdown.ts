import { undisguised } from '../../util/visibleText.ts';
import { escapedLine, markLine } from './marks.ts';
import { isBlank, linesOf, trimmedLines } from './lines.ts';
import type { FixedPart, PatchText, StackText } from './stackText.ts';

/** Lines of a diff that are shown, at most: the file is for writing. */
const mostLines = 400;

/**
 * A stack as one markdown file, which `readStackMarkdown` reads again.
 *
 * @param head what it says to whoever writes into it; a line.
 * @param linesOfPart the lines that show a part of a patch that nobody writes.
 */
export function stackAsMarkdown(
  { title, description, patches }: StackText,
  head: string,
  linesOfPart: (patch: PatchText, part: FixedPart) => readonly string[],
): string {
  const lines = [headLine(head), '', titleLine(title), ''];
  addText(lines, description);
  patches.forEach((patch, index) => {
    lines.push(markLine({ word: 'patch', id: patch.changeId }), '', headingOf(patch, index + 1), '');
    for (const section of patch.sections) {
      if (section.kind === 'text') {
        lines.push(markLine({ word: 'text', id: section.code }));
        addText(lines, section.text);
      } else {
        lines.push(markLine({ word: 'diff', id: section.identifier }), ...linesOfPart(patch, section), '');
      }
    }
  });
  return `${lines.slice(0, lines.findLastIndex((line) => !isBlank(line)) + 1).join('\n')}\n`;
}

/** The line that says what the file is. */
function headLine(head: string): string {
  return `<!-- ${head.replaceAll('--', '—').replaceAll(/\s+/g, ' ')} -->`;
}

/** The line of a stack's title. */
export function titleLine(title: string): string {
  return `# ${oneLine(title)}`.trimEnd();
}

/** The heading of a patch: its title is that of its commit, which nobody changes here. */
export function headingOf({ title }: Pick<PatchText, 'title'>, number: number): string {
  return `## ${number}. ${oneLine(title)}`.trimEnd();
}

/** The lines that show a diff: in fences that are longer than any in it, and bounded. */
export function diffLines(name: string, diff: string, more: (count: number) => string): string[] {
  const lines = linesOf(diff.endsWith('\n') ? diff.slice(0, -1) : diff);
  // The lines that git puts above them stand in the heading, or are for git.
  const all = lines.slice(
    Math.max(
      0,
      lines.findIndex((line) => line.startsWith('@@ ')),
    ),
  );
  const shown = all.length > mostLines ? all.slice(0, mostLines) : all;
  let longest = 2;
  for (const line of shown) {
    for (const [marks] of line.matchAll(/`+/g)) {
      longest = Math.max(longest, marks.length);
    }
  }
  const fence = '`'.repeat(longest + 1);
  return [
    `### ${oneLine(name)}`,
    '',
    ...(diff.trim() === '' ? [] : [`${fence}diff`, ...shown, fence]),
    ...(all.length > shown.length ? ['', more(all.length - shown.length)] : []),
  ];
}

function addText(lines: string[], text: string): void {
  const { lines: written } = trimmedLines(linesOf(text));
  if (written.length > 0) {
    lines.push(...written.map(escapedLine), '');
  } else {
    lines.push('');
  }
}

function oneLine(text: string): string {
  return undisguised(text).replaceAll(/\s+/g, ' ').trim();
}
