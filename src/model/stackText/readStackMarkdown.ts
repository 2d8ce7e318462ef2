/** Reads what somebody has made of a stack's markdown file. */
import { isBlank, linesOf, printOf, trimmedLines, writtenText } from './lines.ts';
import { markOf, unescapedLine, type Mark } from './marks.ts';
import { headingOf, titleLine } from './stackAsMarkdown.ts';
import type { FixedPart, PatchText, StackText, WrittenText } from './stackText.ts';

/** A text in a file that has no code: one that is to be added. */
export interface AddedText {
  kind: 'added';
  text: string;
}

export interface EditedPatch extends Omit<PatchText, 'sections'> {
  sections: (WrittenText | FixedPart | AddedText)[];
}

/** A stack as somebody wants it. */
export interface EditedStack extends Omit<StackText, 'patches'> {
  patches: EditedPatch[];
}

/** Why a file can't be read; `line` is zero-based. */
export interface MarkdownProblem {
  line: number;
  /**
   * `title`: the first line is no title. `patch`: the patch with this name is not where it was, or isn't there. `heading`: its title is
   * another one. `diff`: the diff with this name was changed, or is not in its patch any more.
   */
  kind: 'title' | 'patch' | 'heading' | 'diff';
  name: string;
}

export type ReadMarkdown =
  { kind: 'stack'; stack: EditedStack } | { kind: 'problem'; problem: MarkdownProblem };

/**
 * See the module.
 *
 * @param base what the file was made of.
 */
export function readStackMarkdown(content: string, base: StackText): ReadMarkdown {
  const reader = new Reader(linesOf(content));
  try {
    return { kind: 'stack', stack: readStack(reader, base) };
  } catch (error) {
    if (error instanceof Unreadable) {
      return { kind: 'problem', problem: error.problem };
    }
    throw error;
  }
}

class Unreadable extends Error {
  readonly problem: MarkdownProblem;

  constructor(problem: MarkdownProblem) {
    super(problem.kind);
    this.problem = problem;
  }
}

/** Goes through the lines of a file. */
class Reader {
  readonly #lines: readonly string[];
  at = 0;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  get line(): string | undefined {
    return this.#lines[this.at];
  }

  get mark(): Mark | undefined {
    return this.line === undefined ? undefined : markOf(this.line);
  }

  skipBlank(): void {
    while (this.line !== undefined && isBlank(this.line)) {
      this.at += 1;
    }
  }

  /** So many lines. */
  take(count: number): readonly string[] {
    const lines = this.#lines.slice(this.at, this.at + count);
    this.at += lines.length;
    return lines;
  }

  /** The lines of a text: all until the next mark. */
  takeText(): string[] {
    const start = this.at;
    while (this.line !== undefined && !this.mark) {
      this.at += 1;
    }
    return this.#lines.slice(start, this.at).map(unescapedLine);
  }

  refuse(kind: MarkdownProblem['kind'], name = '', line = this.at): never {
    throw new Unreadable({ kind, name, line: Math.min(line, Math.max(0, this.#lines.length - 1)) });
  }
}

function readStack(reader: Reader, base: StackText): EditedStack {
  reader.skipBlank();
  if (isHead(reader.line?.trimEnd() ?? '') && !reader.mark) {
    reader.at += 1;
    reader.skipBlank();
  }
  const title = readTitle(reader, base);
  const description = writtenText(base.description, reader.takeText());
  const patches = base.patches.map((patch, index) => readPatch(reader, patch, index + 1));
  if (reader.line !== undefined) {
    reader.refuse('patch', reader.mark?.id);
  }
  return { title, description, patches };
}

/** True for the line that says what the file is; not when somebody has written something behind it. */
function isHead(line: string): boolean {
  return line.startsWith('<!-- ') && line.indexOf('-->') === line.length - '-->'.length;
}

function readTitle(reader: Reader, base: StackText): string {
  const line = (reader.line ?? '').trimEnd();
  const title = line.startsWith('# ') ? line.slice(2).trim() : '';
  if (line === titleLine(base.title)) {
    reader.at += 1;
    return base.title;
  }
  if (title === '') {
    reader.refuse('title');
  }
  reader.at += 1;
  return title;
}

function readPatch(reader: Reader, base: PatchText, number: number): EditedPatch {
  const { mark } = reader;
  if (mark?.word !== 'patch' || mark.id !== base.changeId) {
    reader.refuse('patch', base.title);
  }
  const begin = reader.at;
  reader.at += 1;
  reader.skipBlank();
  if (reader.line?.trimEnd() !== headingOf(base, number)) {
    reader.refuse('heading', base.title);
  }
  reader.at += 1;
  const left = new Map(base.sections.map((section) => [keyOf(section), section]));
  const sections: EditedPatch['sections'] = [];
  const takeAdded = (): void => {
    const { lines } = trimmedLines(reader.takeText());
    if (lines.length > 0) {
      sections.push({ kind: 'added', text: lines.join('\n') });
    }
  };
  takeAdded();
  for (let next = reader.mark; next && next.word !== 'patch'; next = reader.mark) {
    const at = reader.at;
    reader.at += 1;
    const key = JSON.stringify([next.word, next.id]);
    const section = left.get(key);
    left.delete(key);
    if (section?.kind === 'text') {
      sections.push({ ...section, text: writtenText(section.text, reader.takeText()) });
    } else if (section) {
      if (printOf(reader.take(section.lineCount)) !== section.print) {
        reader.refuse('diff', section.identifier, at);
      }
      sections.push(section);
      takeAdded();
    } else if (next.word === 'diff') {
      reader.refuse('diff', next.id, at);
    } else {
      takeAdded();
    }
  }
  const missing = [...left.values()].find(({ kind }) => kind === 'fixed');
  if (missing) {
    reader.refuse('diff', missing.identifier, begin);
  }
  return { changeId: base.changeId, title: base.title, sections };
}

/** The mark that a section has, which no other one of its patch has. */
function keyOf(section: WrittenText | FixedPart): string {
  return JSON.stringify(section.kind === 'text' ? ['text', section.code] : ['diff', section.identifier]);
}
