/** The formulas of rendered Markdown as MathML, which the extension host makes of them: until then, and where it can't, they are as they were written. */
import { longestFormula, mostFormulas, type Formula } from '../../util/formula.ts';
import { copiedFormula, copyFormulas, formulaSourceAttribute } from './copiedFormulas.ts';
import { formulaClass, writtenFormula } from './formulas.ts';
import { sanitizedFormula } from './sanitizedFormula.ts';
import { sourceLineAttribute } from './sourceLine.ts';
import { Store } from './store.ts';

type Ask = (formulas: Formula[]) => Promise<(string | null)[]>;

/** Counts how often formulas have come. */
export const formulas = new Store({ version: 0 });

let ask: Ask | undefined;

/** Has formulas drawn from now on, and copied as they were written. */
export function drawFormulasBy(askHost: Ask): void {
  copyFormulas();
  ask = askHost;
}

/** The HTML of formulas by what they say; null for those that stay as they were written. */
const known = new Map<string, string | null>();
const mostKnown = 2_000;

/** Those that are asked for next, and the answers that are on the way. */
const wanted = new Map<string, Formula>();
let coming: Promise<void> | undefined;

/** True for a text that may have formulas. */
export function mayHaveFormulas(markdown: string): boolean {
  return markdown.includes('$') || /(?:```|~~~) ?math/.test(markdown);
}

/** Settled once the formulas have come that were missing so far; undefined when none are. */
export function formulasToCome(): Promise<void> | undefined {
  return coming;
}

const holders = `.${formulaClass}, pre > code.language-math`;

/** Puts formulas in place of their source, in HTML that is sanitized; has those come that nobody has asked for yet. */
export function withFormulas(html: string): string {
  if (!html.includes(`class="${formulaClass}"`) && !html.includes('language-math')) {
    return html;
  }
  const template = document.createElement('template');
  template.innerHTML = html;
  for (const holder of [...template.content.querySelectorAll(holders)].slice(0, mostFormulas)) {
    // Marks of changes are to be seen in a formula as it was written.
    const formula = holder.childElementCount > 0 ? undefined : formulaIn(holder);
    if (!formula || formula.source.length > longestFormula) {
      continue;
    }
    const key = JSON.stringify(formula);
    const drawn = known.get(key);
    if (drawn === undefined) {
      want(key, formula);
    } else if (drawn !== null) {
      put(drawn, holder, formula);
    }
  }
  return template.innerHTML;
}

function formulaIn(holder: Element): Formula {
  const text = holder.textContent;
  return holder.tagName === 'CODE' ? { source: text.trim(), display: true } : writtenFormula(text);
}

function put(drawn: string, holder: Element, { display }: Formula): void {
  const isCode = holder.tagName === 'CODE';
  const copied = copiedFormula(holder.textContent, isCode);
  const block = isCode ? holder.parentElement : holder.tagName === 'P' ? holder : undefined;
  if (!block || !display) {
    holder.setAttribute(formulaSourceAttribute, copied);
    holder.innerHTML = drawn;
    return;
  }
  // A block that scrolls sideways can be scrolled with the keyboard, and a paragraph is nothing that takes the focus.
  const place = document.createElement('figure');
  place.className = `${formulaClass} drawn`;
  place.setAttribute(formulaSourceAttribute, copied);
  place.setAttribute('tabindex', '0');
  const line = holder.getAttribute(sourceLineAttribute);
  if (line !== null) {
    place.setAttribute(sourceLineAttribute, line);
  }
  place.innerHTML = drawn;
  block.replaceWith(place);
}

function want(key: string, formula: Formula): void {
  if (!ask) {
    return;
  }
  wanted.set(key, formula);
  // All that the page draws at once is asked for at once.
  coming ??= Promise.resolve().then(haveCome);
}

async function haveCome(): Promise<void> {
  try {
    while (wanted.size > 0) {
      const asked = [...wanted].slice(0, mostFormulas);
      const answers = (await ask?.(asked.map(([, formula]) => formula))) ?? [];
      if (known.size > mostKnown) {
        known.clear();
      }
      for (const [index, [key]] of asked.entries()) {
        wanted.delete(key);
        const drawn = answers[index];
        known.set(key, typeof drawn === 'string' ? (sanitizedFormula(drawn) ?? null) : null);
      }
    }
  } catch {
    // A host that is gone answers nothing: formulas can be read as they were written.
    wanted.clear();
  }
  coming = undefined;
  formulas.update({ version: formulas.value.version + 1 });
}
