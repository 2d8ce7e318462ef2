/**
 * Long texts on which a regular expression takes as much time as it can: made from its own parts, repeated, behind what leads
 * up to them and before what it cannot match.
 */
import { RegExpParser, visitRegExpAST, type AST } from '@eslint-community/regexpp';

/** Characters tried against classes that only say what they are not, and what repeats in most hostile texts. */
const commonCharacters = [' ', '\n', '\t', 'a', 'Z', '0', '-', '_', '.', ':', '/', '<', '"', '=', '#', '[', '*', '`', '\\', 'é']; // prettier-ignore

/** Endings with which a match fails or goes on: nothing, a letter, an end of line, a character of hardly any class. */
const endings = ['', 'x', '\n', '\0'];

type Sampled = AST.Element | AST.Alternative | AST.Pattern;

/** Samples are so many at most for one class: the first of each of its ranges. */
const samplesOfClass = 6;

/** Characters of an expression of which all pairs are repeated. */
const mostLetters = 8;

/** A text that is made longer by repeating a part of it. */
export interface Attack {
  readonly lead: string;
  readonly pump: string;
  readonly ending: string;
}

/** The text of an attack. */
export function textOf({ lead, pump, ending }: Attack, length: number): string {
  return lead + pump.repeat(Math.max(1, Math.ceil((length - lead.length) / pump.length))) + ending;
}

/** The attacks on an expression. */
export function attacksOn(expression: RegExp): Attack[] {
  const pattern = new RegExpParser().parsePattern(expression.source, 0, expression.source.length, {
    unicode: expression.flags.includes('u'),
    unicodeSets: expression.flags.includes('v'),
  });
  const attacks = new Map<string, Attack>();
  for (const { lead, pump } of pumpsOf(pattern, expression.flags)) {
    // Text that begins with something else is out of reach of an expression that is tied to the beginning.
    for (const before of lead === '' ? ['', '\0'] : [lead]) {
      for (const ending of endings) {
        const attack = { lead: before, pump, ending };
        if (pump !== '') {
          attacks.set(JSON.stringify(attack), attack);
        }
      }
    }
  }
  return [...attacks.values()];
}

/** The pieces that can be repeated, each with the text that leads up to it. */
function* pumpsOf(pattern: AST.Pattern, flags: string): Generator<{ lead: string; pump: string }> {
  const sample = sampler(flags);
  for (const pump of commonCharacters) {
    yield { lead: '', pump };
  }
  const quantifiers: AST.Quantifier[] = [];
  const pieces = new Set<string>();
  const letters = new Set<string>();
  visitRegExpAST(pattern, {
    onQuantifierEnter: (node) => void quantifiers.push(node),
    onCharacterEnter: (node) => {
      if (letters.size < mostLetters) {
        letters.add(String.fromCodePoint(node.value));
      }
    },
    onAlternativeEnter: (node) => {
      // Every beginning of it again and again: what almost matches at each place.
      for (let end = 1; end <= node.elements.length; end++) {
        const [beginning = ''] = sample(node.elements.slice(0, end));
        pieces.add(beginning);
      }
    },
  });
  for (const piece of pieces) {
    yield { lead: '', pump: piece };
    yield { lead: '', pump: `${piece} ` };
    yield { lead: '', pump: `${piece}\n` };
  }
  for (const quantifier of quantifiers.filter(({ max }) => max > 9)) {
    const bodies = sample([quantifier.element]);
    const lead = leadTo(quantifier, sample);
    for (const body of bodies) {
      yield { lead, pump: body };
      yield { lead: '', pump: body };
      yield { lead: '', pump: lead + body };
      yield { lead: lead + body, pump: lead };
    }
  }
  for (const first of letters) {
    for (const second of letters) {
      yield { lead: '', pump: first + second };
    }
  }
}

/** The text that must be matched before a part is reached. */
function leadTo(node: AST.Quantifier, sample: Sample): string {
  let lead = '';
  let current: AST.Node = node;
  for (let parent = node.parent as AST.Node | null; parent; parent = parent.parent) {
    if (parent.type === 'Alternative') {
      const before = parent.elements.slice(0, parent.elements.indexOf(current as AST.Element));
      lead = (sample(before)[0] ?? '') + lead;
    }
    current = parent;
  }
  return lead;
}

type Sample = (nodes: readonly Sampled[]) => string[];

/** Makes texts that parts of an expression match, several for a single part. */
function sampler(flags: string): Sample {
  const one = (node: Sampled): string[] => {
    switch (node.type) {
      case 'Pattern':
      case 'Group':
      case 'CapturingGroup':
        return node.alternatives.flatMap((alternative) => one(alternative));
      case 'Alternative':
        return many(node.elements);
      case 'Quantifier': {
        const times = Math.max(node.min, Math.min(1, node.max));
        return one(node.element).map((text) => text.repeat(times));
      }
      case 'Character':
        return [String.fromCodePoint(node.value)];
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass':
        return charactersOf(node, flags);
      case 'Backreference': {
        const group = [node.resolved].flat()[0];
        return group ? one(group).slice(0, 1) : [''];
      }
      default:
        return [''];
    }
  };
  const many: Sample = (nodes) =>
    nodes.length === 1 && nodes[0]
      ? one(nodes[0])
      : // Of a sequence the first of each, and the second of each: that is variety enough.
        [0, 1].map((choice) =>
          nodes.map((node) => ((texts) => texts[choice] ?? texts[0] ?? '')(one(node))).join(''),
        );
  return many;
}

function charactersOf(
  node: AST.CharacterSet | AST.CharacterClass | AST.ExpressionCharacterClass,
  flags: string,
): string[] {
  const own =
    node.type === 'CharacterClass'
      ? node.elements.flatMap((element) =>
          element.type === 'Character'
            ? [element.value]
            : element.type === 'CharacterClassRange'
              ? [element.min.value, element.max.value]
              : [],
        )
      : [];
  const matches = new RegExp(`^${node.raw}$`, flags.replace(/[gym]/g, ''));
  const candidates = [...own.map((code) => String.fromCodePoint(code)), ...commonCharacters];
  return [...new Set(candidates)].filter((character) => matches.test(character)).slice(0, samplesOfClass);
}
