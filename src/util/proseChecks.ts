/** Checks of a section's text by itself, for its author: nothing of it keeps anybody from sending it. */
import { startOf } from './budget.ts';
import { paragraphsOf } from './paragraphs.ts';
import { trailersFrom } from './trailers.ts';

/** Another text for a part of the text. */
export interface ProseFix {
  start: number;
  end: number;
  insert: string;
}

/** Something that is better said in another way, at a place in the text. */
export interface ProseFinding {
  kind: 'emptyHeading' | 'fenceWithoutLanguage' | 'trailer';
  start: number;
  end: number;
  fix: ProseFix;
}

/** A link or an image of a text, with the place of the whole and what it leads to. */
export interface ProseTarget {
  target: string;
  start: number;
  end: number;
}

/** Characters of a text that are checked. */
const longestText = 100_000;

interface Line {
  text: string;
  start: number;
  /** Behind its end of line. */
  end: number;
}

/** Finds headings without words, blocks of code that don't say their language, and trailers of a commit. */
export function checkProse(markdown: string): ProseFinding[] {
  const text = startOf(markdown, longestText);
  const findings: ProseFinding[] = [];
  let fence: { mark: string; line: Line; hasLanguage: boolean } | undefined;
  const prose: Line[] = [];
  for (const line of linesOf(text)) {
    const [, mark, language = ''] = /^ {0,3}(`{3,}|~{3,})([^`]*)$/.exec(line.text) ?? [];
    if (fence) {
      if (mark !== undefined && mark.startsWith(fence.mark) && language.trim() === '') {
        if (!fence.hasLanguage) {
          findings.push(withoutLanguage(fence.line));
        }
        fence = undefined;
      }
    } else if (mark !== undefined) {
      fence = { mark, line, hasLanguage: language.trim() !== '' };
    } else {
      prose.push(line);
    }
  }
  for (const { text: words, start, end } of prose) {
    if (/^ {0,3}#{1,6}[ \t]*(?:[ \t]#+[ \t]*)?$/.test(words)) {
      findings.push({
        kind: 'emptyHeading',
        start,
        end: start + words.length,
        fix: { start, end, insert: '' },
      });
    }
  }
  const isOpen = fence !== undefined;
  return [...findings, ...(isOpen ? [] : trailersIn(text))].sort((one, other) => one.start - other.start);
}

function withoutLanguage({ text, start }: Line): ProseFinding {
  const end = start + text.trimEnd().length;
  return { kind: 'fenceWithoutLanguage', start, end, fix: { start: end, end, insert: 'text' } };
}

/** The trailers at the end of a text. */
function trailersIn(text: string): ProseFinding[] {
  const last = paragraphsOf(text).at(-1);
  const lines = last?.text.split('\n') ?? [];
  const from = trailersFrom(lines);
  if (!last || from >= lines.length) {
    return [];
  }
  const start = last.index + lines.slice(0, from).join('\n').length + (from > 0 ? 1 : 0);
  const end = last.index + last.text.length;
  return [{ kind: 'trailer', start, end, fix: { start: from > 0 ? start - 1 : start, end, insert: '' } }];
}

function* linesOf(text: string): Generator<Line> {
  for (let start = 0; start < text.length;) {
    const at = text.indexOf('\n', start);
    const end = at < 0 ? text.length : at + 1;
    yield { text: text.slice(start, at < 0 ? end : at).replace(/\r$/, ''), start, end };
    start = end;
  }
}

const link = /\]\(([^()\s]{0,1000})\)/g;

/** The links and images of a text, outside of code. */
export function targetsIn(markdown: string): ProseTarget[] {
  const text = startOf(markdown, longestText);
  const code = codeIn(text);
  const targets: ProseTarget[] = [];
  let next = 0;
  for (const { 0: found, 1: target = '', index } of text.matchAll(link)) {
    while ((code[next]?.end ?? Number.POSITIVE_INFINITY) <= index) {
      next += 1;
    }
    if (!((code[next]?.start ?? Number.POSITIVE_INFINITY) <= index)) {
      const name = target.startsWith('<') && target.endsWith('>') ? target.slice(1, -1) : target;
      targets.push({ target: name, start: index + 2, end: index + found.length - 1 });
    }
  }
  return targets;
}

/** The places of blocks of code, and of code in lines. */
function codeIn(text: string): { start: number; end: number }[] {
  const places: { start: number; end: number }[] = [];
  let fence: { mark: string; start: number } | undefined;
  for (const line of linesOf(text)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line.text)?.[1];
    if (mark !== undefined && (!fence || mark.startsWith(fence.mark))) {
      if (fence) {
        places.push({ start: fence.start, end: line.end });
      }
      fence = fence ? undefined : { mark, start: line.start };
    } else if (!fence) {
      for (const { 0: found, index } of line.text.matchAll(/`[^`]{1,1000}`/g)) {
        places.push({ start: line.start + index, end: line.start + index + found.length });
      }
    }
  }
  return fence ? [...places, { start: fence.start, end: text.length }] : places;
}
