/** The formulas of texts as MathML, which browsers draw by themselves; what can't be drawn stays as it was written. */
import type MarkdownIt from 'markdown-it';
import type { DrawFormulas } from '../../protocol/stackExport.ts';
import { longestFormula, mostFormulas, type Formula } from '../../util/formula.ts';
import { membersOf } from '../../util/isObject.ts';
import {
  formulaAttributes,
  formulaTags,
  mostDepth,
  mostElements,
  settleElement,
  type FormulaElement,
} from '../common/formulaElements.ts';
import { formulaClass, writtenFormula } from '../common/formulas.ts';

type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number];

/** Has a renderer show the formulas that `drawFormulas` has drawn. */
export function showFormulas({ renderer: { rules } }: InstanceType<typeof MarkdownIt>): void {
  for (const kind of ['formula', 'formula_block', 'fence']) {
    const written = rules[kind];
    rules[kind] = (tokens, index, ...others) => {
      const { math } = membersOf(tokens[index]?.meta);
      const name = kind === 'formula' ? 'span' : 'figure';
      return typeof math === 'string'
        ? `<${name} class="${formulaClass}">${math}</${name}>`
        : (written?.(tokens, index, ...others) ?? '');
    };
  }
}

/** Draws the formulas of a text. */
export async function drawFormulas(tokens: readonly Token[], draw: DrawFormulas): Promise<void> {
  const found = tokens
    .flatMap((token) => [token, ...(token.children ?? [])])
    .flatMap((token) => {
      const formula = formulaOf(token);
      return formula && formula.source.length <= longestFormula ? [{ token, formula }] : [];
    })
    .slice(0, mostFormulas);
  const drawn = found.length > 0 ? await draw(found.map(({ formula }) => formula)) : [];
  for (const [index, { token }] of found.entries()) {
    token.meta = { math: plainFormula(drawn[index] ?? '') };
  }
}

function formulaOf({ type, content, info }: Token): Formula | undefined {
  return type === 'fence' && /^\s*math(?:\s|$)/.test(info)
    ? { source: content.trim(), display: true }
    : type === 'formula' || type === 'formula_block'
      ? writtenFormula(content)
      : undefined;
}

/** An element of a formula, of which only what is known is written. */
class Plain implements FormulaElement {
  readonly name: string;
  readonly parts: (Plain | string)[] = [];
  readonly #attributes = new Map<string, string>();

  constructor(name: string) {
    this.name = name;
  }

  get children(): Plain[] {
    return this.parts.filter((part) => typeof part !== 'string');
  }

  get textContent(): string {
    return this.parts.map((part) => (typeof part === 'string' ? part : part.textContent)).join('');
  }

  set textContent(text: string) {
    this.parts.splice(0, Infinity, text);
  }

  getAttribute(name: string): string | null {
    return this.#attributes.get(name) ?? null;
  }

  setAttribute(name: string, value: string): void {
    this.#attributes.set(name, value);
  }

  removeAttribute(name: string): void {
    this.#attributes.delete(name);
  }

  toString(): string {
    const attributes = [...this.#attributes].map(([name, value]) => ` ${name}="${value}"`);
    return `<${this.name}${attributes.join('')}>${this.parts.join('')}</${this.name}>`;
  }
}

/** Elements with all that is in them: the formula as it was written, and what no formula has. */
const dropped = ['annotation', 'annotation-xml', 'script', 'style', 'svg', 'template', 'title'];

/**
 * A formula that may be shown, of HTML as KaTeX writes it: every element is closed, and every value stands between quotation marks.
 * Undefined for one that is none, or too large, and for whatever else it is.
 */
export function plainFormula(html: string): string | undefined {
  const all = new Plain('');
  const open: { element: Plain; name: string }[] = [{ element: all, name: '' }];
  let [end, elements] = [0, 0];
  for (const [text, closing, name, attributes = ''] of html.matchAll(
    /<(\/?)([a-z][a-z-]*)((?: [\w:-]+="[^"<>]*")*)>|[^<]+/g,
  )) {
    const { element, name: around } = open.at(-1) ?? { element: all, name: '' };
    end += text.length;
    if (name === undefined) {
      element.parts.push(text);
    } else if (closing) {
      if (around !== name) {
        return undefined;
      }
      open.pop();
    } else {
      // One that isn't known is left out, and all that is in it stays.
      const inner = dropped.includes(name)
        ? new Plain(name)
        : formulaTags.includes(name)
          ? partOf(element, name, attributes)
          : element;
      elements += 1;
      open.push({ element: inner, name });
    }
    if (open.length > mostDepth || elements > mostElements) {
      return undefined;
    }
  }
  const [math, ...others] = all.children;
  return end !== html.length || open.length > 1 || others.length > 0 || math?.name !== 'math'
    ? undefined
    : settled(math);
}

function partOf(parent: Plain, name: string, attributes: string): Plain {
  const part = new Plain(name);
  parent.parts.push(part);
  for (const [, attribute = '', value = ''] of attributes.matchAll(/ ([\w:-]+)="([^"]*)"/g)) {
    if (formulaAttributes.includes(attribute)) {
      part.setAttribute(attribute, value);
    }
  }
  return part;
}

function settled(math: Plain): string | undefined {
  const all = [math];
  for (const element of all) {
    all.push(...element.children);
  }
  if (math.textContent.trim() === '' || all.filter(({ name }) => name === 'math').length > 1) {
    return undefined;
  }
  all.forEach(settleElement);
  return math.toString();
}
