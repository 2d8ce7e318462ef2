import { startOf, within } from './budget.ts';

/** Characters of a line that stand for a title. */
const longestTitle = 120;

/** Characters of a text, behind its blank beginning, and of a line that are looked at: a title further down names nothing. */
const longestBeginning = 20_000;
const longestLine = 500;

const heading = within(500, /^ {0,3}#{1,6}[ \t]+(.*)$/);

/** The title of a text section: its first heading, else its first line; undefined when it is empty. */
export function sectionTitle(markdown: string): string | undefined {
  let fence: string | undefined;
  let firstLine: string | undefined;
  let previous = '';
  for (const whole of beginning(markdown).split(/\r?\n/)) {
    const line = startOf(whole.trimEnd(), longestLine);
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence))) {
      fence = fence === undefined ? mark : undefined;
      previous = '';
      continue;
    }
    if (fence === undefined) {
      const content = heading.exec(line)?.[1];
      if (content !== undefined) {
        const words = withoutClosingMarks(content);
        if (words !== '') {
          return plain(words);
        }
      }
      if (/^ {0,3}(=+|-+)$/.test(line) && /^ {0,3}[^\s>*+#-]/.test(previous)) {
        return plain(previous);
      }
    }
    if (line !== '') {
      firstLine ??= line;
    }
    previous = fence === undefined ? line : '';
  }
  return firstLine === undefined ? undefined : plain(firstLine);
}

/** The part that can hold the title: whole lines from the first that is not blank. */
function beginning(markdown: string): string {
  const first = /\S/.exec(markdown)?.index ?? markdown.length;
  const start = markdown.lastIndexOf('\n', first) + 1;
  // Of a first line that is indented by more than all, nothing but its words.
  return startOf(markdown.slice(first - start > longestLine ? first : start), longestBeginning);
}

/** A heading without the marks that may close it. */
function withoutClosingMarks(heading: string): string {
  let end = heading.length;
  while (heading.charAt(end - 1) === '#') {
    end -= 1;
  }
  return heading.slice(0, end).trim();
}

const listMark = within(500, /^\s*([-*+]|\d+[.)]|>)\s+(\[[ xX]\]\s+)?/);
const link = within(500, /!?\[([^[\]]*)\]\([^)[]*\)/g);
const strongOrCode = within(500, /(\*\*|__|~~|`+)(.+?)\1/g);
const emphasis = within(500, /(^|\W)([*_])(\S(?:.*?\S)?)\2(?=\W|$)/g);

/** Code, and formulas that begin and end as `formulas.ts` knows them: nothing in either is a mark of Markdown. */
const codeOrFormula = within(
  500,
  /(`+)([^`]+)\1(?!`)|(?<![\p{L}\p{N}_$\\])(\${1,2})(?![\s$])([^$]*[^\s$\\])\3(?![\p{L}\p{N}_$])/gu,
);

/** Stands for those meanwhile: no letter, and nothing that anybody writes. */
const placeholder = '\u{e000}';

/** Markdown of one line as the words that it shows; a formula as its source, which is read more easily than its dollar signs are. */
function plain(line: string): string {
  const withoutMark = listMark.replace(line, '');
  const withoutLinks = link.replace(withoutMark, '$1').replaceAll(placeholder, '');
  const held: string[] = [];
  const holding = codeOrFormula.replace(withoutLinks, (...[, , code, , formula]) => {
    held.push(code ?? formula?.replace(/^`(.+)`$/, '$1') ?? '');
    return placeholder;
  });
  const words = emphasis
    .replace(strongOrCode.replace(holding, '$2'), '$1$3')
    .replaceAll(placeholder, () => held.shift() ?? '')
    .trim();
  return startOf(words === '' ? line.trim() : words, longestTitle);
}
