/** A patch stack as one markdown file: the texts as they were written, the diffs in fences. */
import * as l10n from '@vscode/l10n';
import type { ExportedPatch, ExportedSection, ExportedStack } from '../../protocol/stackExport.ts';
import { plainText } from '../../util/visibleText.ts';
import { createMarkdown } from '../common/markdown.ts';
import { OverBudget } from '../common/markdownBudget.ts';

const reader = createMarkdown(true);

/** See the module. */
export function stackAsMarkdown(stack: ExportedStack): string {
  l10n.config({ contents: stack.bundle });
  const { title, facts, description, patches } = stack;
  return `${[
    `# ${oneLine(title)}`,
    ...(facts.length > 0 ? [facts.map(oneLine).join(' · ')] : []),
    ...textOf(description, 1),
    ...patches.flatMap((patch, index) => patchAsMarkdown(patch, index + 1)),
  ].join('\n\n')}\n`;
}

function patchAsMarkdown({ title, facts, description, sections }: ExportedPatch, number: number): string[] {
  return [
    `## ${number}. ${oneLine(title)}`,
    facts.map((fact) => `- ${oneLine(fact)}`).join('\n'),
    ...textOf(description, 2),
    ...sections.flatMap(sectionAsMarkdown),
  ].filter((part) => part !== '');
}

function sectionAsMarkdown(section: ExportedSection): string[] {
  if (section.type === 'text') {
    return textOf(section.text, 2);
  }
  const { path, oldPath, diff } = section;
  const name = oldPath === undefined || oldPath === path ? code(path) : `${code(oldPath)} → ${code(path)}`;
  return [`### ${name}`, fenced(diff)];
}

/** A text with its headings below that of what it is about. */
function textOf(text: string | undefined, below: number): string[] {
  return text === undefined || text.trim() === '' ? [] : [withHeadingsBelow(text.trim(), below)];
}

/**
 * Markdown with every heading some levels lower; what merely looks like a heading, in code or in HTML, stays as it is, and so does a
 * text of which a page wouldn't draw all.
 */
export function withHeadingsBelow(text: string, below: number): string {
  const lines = text.split('\n');
  const gone = new Set<number>();
  for (const { type, tag, markup, map } of tokensOf(text)) {
    if (type !== 'heading_open' || !map) {
      continue;
    }
    const [first, end] = map;
    const level = Math.min(6, Number(tag.slice(1)) + below);
    const marks = '#'.repeat(level);
    if (markup.startsWith('#')) {
      lines[first] = (lines[first] ?? '').replace(/#+/, marks);
    } else {
      // Underlined: of several lines one, for that is all that a heading with marks may have.
      const [begun = '', ...others] = lines.slice(first, end - 1);
      const [before = ''] = /^(?:\s|>|[-*+]\s|\d+[.)]\s)*/.exec(begun) ?? [];
      const words = [begun.slice(before.length), ...others.map((line) => line.replace(/^[\s>]*/, ''))];
      lines[first] = `${before}${marks} ${words.map((line) => line.trim()).join(' ')}`;
      for (let line = first + 1; line < end; line++) {
        gone.add(line);
      }
    }
  }
  return lines.filter((_line, index) => !gone.has(index)).join('\n');
}

function tokensOf(text: string): ReturnType<typeof reader.parse> {
  try {
    return reader.parse(text, {});
  } catch (error) {
    if (error instanceof OverBudget) {
      return [];
    }
    throw error;
  }
}

/** A diff between fences that are longer than any in it. */
function fenced(diff: string): string {
  if (diff.trim() === '') {
    return l10n.t('The content is unchanged.');
  }
  const longest = Math.max(2, ...[...diff.matchAll(/`+/g)].map(([marks]) => marks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}diff\n${diff.replace(/\n$/, '')}\n${fence}`;
}

const escapes: Readonly<Record<string, string>> = {
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
};

function code(name: string): string {
  // The name of a file can have line breaks, and what reorders the rest of the line.
  const text = name.replaceAll(
    /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}]/gu,
    (character) => escapes[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([marks]) => marks.length));
  const marks = '`'.repeat(longest + 1);
  return longest === 0 ? `${marks}${text}${marks}` : `${marks} ${text} ${marks}`;
}

/** Strangers' words in a line of ours: none of them begins something else. */
function oneLine(text: string): string {
  return plainText(text).replaceAll(/[\\`*_[\]<>#|~&$]/g, String.raw`\$&`);
}
