/** Shows lines of a text that would be shown nowhere: definitions of links and footnotes that nothing refers to. */
import type MarkdownIt from 'markdown-it';
import type { Token } from 'markdown-it';

/** What the rule knows of a text that is rendered. */
export interface LeftOutEnvironment {
  references?: Record<string, { href: string }>;
  /** True for a part of a text, whose definitions other parts refer to. */
  isPart?: boolean;
}

/** Blocks that show nothing by themselves, but what is in them. */
const container = /^(blockquote|bullet_list|ordered_list|list_item|footnote_\w+)_open$/;

/** What a line begins with in quotations and lists. */
const marks = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$))*/;

/** Has a renderer show them, as they were typed. */
export function useLeftOutLines(markdown: InstanceType<typeof MarkdownIt>): void {
  markdown.core.ruler.push('left_out_lines', (state) => {
    const { references = {}, isPart = false } = state.env as LeftOutEnvironment;
    const lines = state.src.split('\n').map((line) => line.replace(marks, ''));
    const isShown = lines.map((line) => !/[\p{L}\p{N}]/u.test(line));
    for (const { type, map } of state.tokens) {
      if (map && !container.test(type)) {
        isShown.fill(true, ...map);
      }
    }
    const targets = targetsIn(state.tokens);
    const isUsed = (definition: string): boolean => {
      const label = /^\[((?:[^\]\\]|\\.)*)\]:/.exec(definition)?.[1];
      const reference =
        label === undefined ? undefined : references[markdown.utils.normalizeReference(label)];
      return reference !== undefined && (isPart || targets.has(reference.href));
    };
    for (let line = 0; line < lines.length; line += 1) {
      const start = line;
      while (isShown[line] === false && (line === start || !lines[line]?.startsWith('['))) {
        line += 1;
      }
      if (line === start) {
        continue;
      }
      const definition = lines.slice(start, line);
      if (!isUsed(definition.join('\n'))) {
        const next = state.tokens.findIndex(({ level, map }) => level === 0 && map && map[0] >= start);
        const at = next < 0 ? state.tokens.length : next;
        state.tokens.splice(at, 0, ...paragraphOf(definition, start, state.Token));
      }
      line -= 1;
    }
  });
}

/** The addresses that links and pictures lead to. */
function targetsIn(tokens: readonly Token[]): Set<string> {
  const found = new Set<string>();
  const visit = (token: Token): void => {
    const target = token.attrGet('href') ?? token.attrGet('src');
    if (typeof target === 'string') {
      found.add(target);
    }
    token.children?.forEach(visit);
  };
  tokens.forEach(visit);
  return found;
}

function paragraphOf(lines: readonly string[], first: number, TokenOf: typeof Token): Token[] {
  const map: [number, number] = [first, first + lines.length];
  const inline = Object.assign(new TokenOf('inline', '', 0), {
    block: true,
    level: 1,
    map,
    content: lines.join('\n'),
  });
  inline.children = lines.flatMap((line, index) => [
    ...(index > 0 ? [new TokenOf('softbreak', 'br', 0)] : []),
    Object.assign(new TokenOf('text', '', 0), { content: line }),
  ]);
  return [
    Object.assign(new TokenOf('paragraph_open', 'p', 1), { block: true, map }),
    inline,
    Object.assign(new TokenOf('paragraph_close', 'p', -1), { block: true }),
  ];
}
