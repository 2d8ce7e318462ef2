/** The parts that a formula made of what strangers wrote may have: nothing but symbols, and where they stand. */

/** As much as is needed of an element, be it of a page or of a text. */
export interface FormulaElement {
  readonly children: Iterable<FormulaElement>;
  textContent: string;
  getAttribute: (name: string) => string | null;
  setAttribute: (name: string, value: string) => void;
  removeAttribute: (name: string) => void;
}

export const formulaTags = [
  'math', 'menclose', 'mfrac', 'mi', 'mmultiscripts', 'mn', 'mo', 'mover', 'mpadded', 'mphantom', 'mprescripts', 'mroot', 'mrow', 'ms',
  'mspace', 'msqrt', 'mstyle', 'msub', 'msubsup', 'msup', 'mtable', 'mtd', 'mtext', 'mtr', 'munder', 'munderover', 'none', 'semantics',
]; // prettier-ignore

/** Lengths, each with the least and the most em: a formula is drawn neither over other text nor far away. */
const lengths: Record<string, readonly [number, number]> = {
  width: [-2, 20], height: [0, 20], depth: [0, 20], voffset: [-2, 2], lspace: [-2, 5], rspace: [-2, 5], minsize: [0, 5], maxsize: [0, 20],
  linethickness: [0, 1],
}; // prettier-ignore

/** No colors: strangers don't know on what background they would be. */
export const formulaAttributes = [
  'accent', 'accentunder', 'columnalign', 'display', 'displaystyle', 'fence', 'form', 'largeop', 'mathvariant', 'movablelimits', 'notation',
  'scriptlevel', 'separator', 'stretchy', 'symmetric', ...Object.keys(lengths),
]; // prettier-ignore

/** Elements of a formula, and how deep they may stand in each other. */
export const mostElements = 4_000;
export const mostDepth = 100;

/** Has an element of a formula be what browsers draw: neither over other text nor far away. */
export function settleElement(element: FormulaElement): void {
  boundLengths(element);
  alignColumns(element);
  chooseVariant(element);
}

function boundLengths(element: FormulaElement): void {
  for (const [name, [least, most]] of Object.entries(lengths)) {
    const value = element.getAttribute(name);
    const number = Number.parseFloat(value ?? '0');
    if (value !== null && !(/^[+-]?[\d.]{1,8}em$/.test(value) && number >= least && number <= most)) {
      element.removeAttribute(name);
    }
  }
}

/** Browsers align the columns of a table by styles alone. */
function alignColumns(table: FormulaElement): void {
  const columns = table.getAttribute('columnalign')?.split(' ') ?? [];
  table.removeAttribute('columnalign');
  for (const row of columns.length > 0 ? table.children : []) {
    for (const [index, cell] of [...row.children].entries()) {
      const side = columns[Math.min(index, columns.length - 1)];
      if (side === 'left' || side === 'right') {
        cell.setAttribute('class', `align-${side}`);
      }
    }
  }
}

/** The place at which letters of a kind begin in Unicode; those that had been there before have others. */
const letters: Record<string, readonly [number, Record<string, string>]> = {
  'double-struck': [0x1d538, { C: 'ℂ', H: 'ℍ', N: 'ℕ', P: 'ℙ', Q: 'ℚ', R: 'ℝ', Z: 'ℤ' }],
  script: [
    0x1d49c,
    { B: 'ℬ', E: 'ℰ', F: 'ℱ', H: 'ℋ', I: 'ℐ', L: 'ℒ', M: 'ℳ', R: 'ℛ', e: 'ℯ', g: 'ℊ', o: 'ℴ' },
  ],
  fraktur: [0x1d504, { C: 'ℭ', H: 'ℌ', I: 'ℑ', R: 'ℜ', Z: 'ℨ' }],
};

/** Browsers know no variants of letters: some are letters of their own, and others have a style. */
function chooseVariant(element: FormulaElement): void {
  const variant = element.getAttribute('mathvariant');
  if (variant === null || variant === 'normal') {
    return;
  }
  element.setAttribute('mathvariant', 'normal');
  const kind = letters[variant.replace('bold-', '')];
  if (kind && [...element.children].length === 0) {
    const [first, others] = kind;
    element.textContent = element.textContent.replaceAll(
      /[A-Za-z]/g,
      (letter) => others[letter] ?? String.fromCodePoint(first + placeOf(letter)),
    );
  } else if (/^[a-z-]{1,30}$/.test(variant)) {
    element.setAttribute('class', variant.split('-').map((word) => `in-${word}`).join(' ')); // prettier-ignore
  }
}

/** The place of a letter among the large and the small ones. */
function placeOf(letter: string): number {
  const code = letter.charCodeAt(0);
  return code >= 97 ? code - 97 + 26 : code - 65;
}
