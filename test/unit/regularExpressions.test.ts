/** Every regular expression of src/ ends soon, whatever a stranger's text looks like. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';
import ts from 'typescript';
import { changedFiles } from '../changedFiles.ts';
import { isFull } from '../support/full.ts';
import { attacksOn, textOf, type Attack } from '../support/pumping.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Characters of an attack. */
const length = 100_000;

/** Milliseconds of the processor that one match may take. */
const limit = 50;

/** Milliseconds of the processor until a match is stopped that notes nothing, since it does not end. */
const mostPatienceMs = 5_000;

/** The best of so many counts: what else the processor does is not the expression's fault. */
const attempts = 4;

interface Found {
  place: string;
  expression: RegExp;
  /** The use that is made of it in its place. */
  use: 'match' | 'split';
  /** Characters of a text that it is ever given. */
  bound: number;
}

/** The value of an expression that is made of constants of its file; undefined when it is not. */
function constantText(node: ts.Expression): string | undefined {
  if (ts.isStringLiteralLike(node)) {
    return node.text;
  }
  if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'String.raw') {
    return templateText(node.template, (part) => part.rawText);
  }
  if (ts.isTemplateExpression(node)) {
    return templateText(node, (part) => part.text);
  }
  if (ts.isIdentifier(node)) {
    let initializer: ts.Expression | undefined;
    node.getSourceFile().forEachChild((statement) => {
      if (!ts.isVariableStatement(statement)) {
        return;
      }
      for (const declaration of statement.declarationList.declarations) {
        if (declaration.name.getText() === node.text) {
          initializer = declaration.initializer;
        }
      }
    });
    return initializer && constantText(initializer);
  }
  return undefined;
}

function templateText(
  template: ts.TemplateLiteral,
  read: (part: ts.TemplateLiteralLikeNode) => string | undefined,
): string | undefined {
  if (ts.isNoSubstitutionTemplateLiteral(template)) {
    return read(template);
  }
  let text = read(template.head);
  for (const span of template.templateSpans) {
    const inner = constantText(span.expression);
    const rest = read(span.literal);
    text = text === undefined || inner === undefined || rest === undefined ? undefined : text + inner + rest;
  }
  return text;
}

/** Methods that make a regular expression of a text. */
const makers = new Set(['match', 'matchAll']);

/** All that a source file matches with, literals and what is made of texts alike. */
function expressionsOf(file: string, text: string): { found: Found[]; unknown: string[] } {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
  const found: Found[] = [];
  const unknown: string[] = [];
  const visit = (node: ts.Node): void => {
    const place = `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
    let expression: RegExp | undefined;
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      expression = new RegExp(node.text.slice(1, end), node.text.slice(end + 1));
    } else if (ts.isNewExpression(node) || ts.isCallExpression(node)) {
      const [first, second] = node.arguments ?? [];
      const isConstructor = node.expression.getText() === 'RegExp';
      const isMaker =
        ts.isPropertyAccessExpression(node.expression) &&
        makers.has(node.expression.name.text) &&
        first !== undefined &&
        (ts.isStringLiteralLike(first) || ts.isTemplateExpression(first));
      if (isConstructor || isMaker) {
        const pattern = first && constantText(first);
        const flags = isConstructor && second ? constantText(second) : '';
        if (pattern === undefined || flags === undefined) {
          unknown.push(place);
        } else {
          expression = new RegExp(pattern, flags);
        }
      }
    }
    if (expression) {
      found.push({ place, expression, use: useOf(node), bound: boundOf(node) });
    }
    node.forEachChild(visit);
  };
  visit(source);
  return { found, unknown };
}

function useOf(node: ts.Node): Found['use'] {
  const { parent } = node;
  return ts.isCallExpression(parent) &&
    ts.isPropertyAccessExpression(parent.expression) &&
    parent.expression.name.text === 'split'
    ? 'split'
    : 'match';
}

/** The limit in `within(limit, …)`, the one way to match no more than the beginning of a text. */
function boundOf(node: ts.Node): number {
  const { parent } = node;
  if (!ts.isCallExpression(parent) || parent.expression.getText() !== 'within') {
    return Infinity;
  }
  const [first] = parent.arguments;
  return first && ts.isNumericLiteral(first) ? Number(first.text.replaceAll('_', '')) : Infinity;
}

/** Milliseconds of the processor so far. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The context in which endless matches can be stopped. */
const context = vm.createContext({ processorTime, clock: () => performance.now() });

/** Milliseconds after which no other text is begun, so that what is stopped is always a single one that does not end. */
const turnMs = 100;

/**
 * Notes for each text the best of some attempts, as soon as that is good enough; and ends with the first that takes too long, or
 * after its turn. The processor is only asked where the clock says too much: it never works for longer than that.
 */
const timing = (use: string): vm.Script =>
  new vm.Script(`(() => {
    const end = clock() + ${turnMs};
    for (const text of texts) {
      let best = Infinity;
      for (let attempt = 0; attempt < ${attempts} && best > enough; attempt++) {
        const before = clock();
        const worked = attempt > 0 && processorTime();
        ${use};
        best = Math.min(best, attempt > 0 ? processorTime() - worked : clock() - before);
      }
      times.push(best);
      if (best > most || clock() > end) break;
    }
  })()`);
const scripts = {
  split: timing('text.split(expression).length'),
  replace: timing('text.replaceAll(expression, "").length'),
  match: timing('expression.test(text)'),
};

interface Run {
  /** Milliseconds that need no second attempt. */
  readonly enough: number;
  /** Milliseconds with which it ends. */
  readonly most: number;
  /** Milliseconds of the processor after which a match is stopped. */
  readonly patienceMs: number;
}

/** Milliseconds that an expression takes for each text, as far as the run goes; infinite when it was stopped. */
function timesOf(
  { expression, use }: Found,
  texts: readonly string[],
  { enough, most, patienceMs }: Run,
): number[] {
  const script = scripts[use === 'split' ? use : expression.global ? 'replace' : 'match'];
  // What can stop it goes by the clock: on a busy machine it waits the longer.
  for (let timeoutMs = patienceMs + turnMs; ; timeoutMs *= 4) {
    const times: number[] = [];
    const before = processorTime();
    Object.assign(context, { expression, texts, enough, most, times });
    try {
      script.runInContext(context, { timeout: timeoutMs });
      return times;
    } catch (error) {
      // A stop is not told from a slow one but by this: nothing else is thrown in there.
      assert.match(String(error), /timed out/);
      if (processorTime() - before >= patienceMs) {
        return [...times, Infinity];
      }
    }
  }
}

/** The same for texts of all attacks, in as many runs as it takes, at least up to the first that takes the most. */
function* timesOfAll(
  found: Found,
  attacks: readonly Attack[],
  size: number,
  run: Run,
): Generator<[Attack, number]> {
  for (let rest = attacks; rest.length > 0;) {
    const texts = rest.slice(0, Math.ceil(charactersAtOnce / size)).map((attack) => textOf(attack, size));
    const times = timesOf(found, texts, run);
    yield* times.flatMap((time, index): [Attack, number][] => (rest[index] ? [[rest[index], time]] : []));
    rest = rest.slice(times.length);
  }
}

/** Characters that are tried at once: what can stop a run takes longer to begin than most attacks do. */
const charactersAtOnce = 50 * length;

/** Characters of a trial, and the milliseconds from which on it is worth the whole attack: what grows faster takes more by then. */
const trialLength = length / 10;
const trialLimit = limit / 50;

/** The first attack that an expression takes too long for, as a sentence; undefined when it takes all of them. */
function weakness(found: Found, patienceMs = mostPatienceMs): string | undefined {
  const longest = Math.min(length, found.bound);
  let attacks = attacksOn(found.expression);
  for (const size of longest > trialLength ? [trialLength, longest] : [longest]) {
    const enough = size < longest ? trialLimit : limit;
    const worthwhile: Attack[] = [];
    for (const [attack, time] of timesOfAll(found, attacks, size, { enough, most: limit, patienceMs })) {
      if (time > limit) {
        return `${found.place} ${String(found.expression)} takes ${time.toFixed(0)} ms for ${JSON.stringify(attack)}`;
      }
      if (time > enough) {
        worthwhile.push(attack);
      }
    }
    attacks = worthwhile;
  }
  return undefined;
}

/** Those by which an expression is found to be slow. */
const attackers = ['test/unit/regularExpressions.test.ts', 'test/support/pumping.ts', 'package-lock.json'];
const changed = isFull ? undefined : changedFiles(root);

/** True where an expression stands in a file that main has otherwise, or not: the others were attacked on their way there. */
function isAttacked({ place }: Found): boolean {
  return changed?.some((file) => attackers.includes(file) || place.startsWith(`${file}:`)) ?? true;
}

describe('regular expressions', function () {
  // A busy machine may have other things to do: what counts is the processor's time.
  this.timeout(60_000);
  const files = globSync('src/**/*.{ts,tsx}', { cwd: root });
  const all = files.map((file) => expressionsOf(file, readFileSync(path.join(root, file), 'utf8')));
  const found = all.flatMap((file) => file.found);

  it('are made of constants, so that they can be tried', () => {
    assert.deepEqual(
      all.flatMap(({ unknown }) => unknown),
      [],
    );
    assert.ok(found.length > 150, 'those of src/ are found');
  });

  for (const one of found.filter(isAttacked)) {
    it(`end soon: ${one.place} ${String(one.expression).slice(0, 100)}`, () => {
      assert.equal(weakness(one), undefined);
    });
  }

  const endless: [source: string, use?: string][] = [
    ['/^(a+)+$/.test(text)'],
    ['text.replace(/\\s+$/, "")'],
    ['/^[#\\s]*(\\S.*)$/m.exec(text)'],
    ['text.split(/\\s*,/)'],
    ['new RegExp(String.raw`(?:\\w+-)*\\w+@`).exec(text)'],
    ['text.match("(a|ab|b)*c")'],
    ['text.replaceAll(/"(?:[^"\\\\]|\\\\.)*"/g, "")'],
  ];
  for (const [source] of endless) {
    it(`do not pass when they are endless: ${source}`, () => {
      const [one] = expressionsOf('example.ts', source).found;
      assert.ok(one && weakness(one, limit * 4) !== undefined);
    });
  }

  it('see no more than they are given within a limit', () => {
    const [one] = expressionsOf('example.ts', 'within(1_000, /\\s+$/).test(text)').found;
    assert.equal(one?.bound, 1000);
    assert.equal(weakness(one), undefined);
  });

  it('are not overlooked when they are made of what is not known', () => {
    assert.deepEqual(expressionsOf('example.ts', 'RegExp(name)').unknown, ['example.ts:1']);
  });
});
