/** Quotations that are alerts, as on GitHub: the first line is `[!NOTE]` and nothing else. */
import type MarkdownIt from 'markdown-it';

/** Each with its name in English. */
export const alerts = {
  note: 'Note',
  tip: 'Tip',
  important: 'Important',
  warning: 'Warning',
  caution: 'Caution',
} as const;

export type AlertKind = keyof typeof alerts;

/** Has a renderer know alerts. Their titles come from the `alertText` of its surroundings, where there is one. */
export function useAlerts(markdown: InstanceType<typeof MarkdownIt>): void {
  markdown.core.ruler.push('alerts', (state) => {
    const { alertText } = state.env as { alertText?: (kind: AlertKind) => string };
    const titleOf = alertText ?? ((kind: AlertKind): string => alerts[kind]);
    const { tokens } = state;
    for (let index = tokens.length - 3; index >= 0; index--) {
      const [quote, paragraph, words] = tokens.slice(index, index + 3);
      if (quote?.type !== 'blockquote_open' || paragraph?.type !== 'paragraph_open' || !words?.children) {
        continue;
      }
      const [first, second] = words.children;
      const kind = kindOf(first?.content ?? '');
      if (first?.type !== 'text' || kind === undefined || (second && !second.type.endsWith('break'))) {
        continue;
      }
      quote.attrJoin('class', `alert alert-${kind}`);
      const title = new state.Token('inline', '', 0);
      title.children = [Object.assign(new state.Token('text', '', 0), { content: titleOf(kind) })];
      const start = new state.Token('paragraph_open', 'p', 1);
      start.attrJoin('class', 'alert-title');
      start.map = paragraph.map;
      const head = [start, title, new state.Token('paragraph_close', 'p', -1)];
      words.children.splice(0, 2);
      // Without any words but the mark, there is no paragraph left.
      tokens.splice(index + 1, words.children.length > 0 ? 0 : 3, ...head);
    }
  });
}

function kindOf(text: string): AlertKind | undefined {
  const kind = text.startsWith('[!') && text.endsWith(']') ? text.slice(2, -1).toLowerCase() : '';
  return Object.hasOwn(alerts, kind) ? (kind as AlertKind) : undefined;
}
