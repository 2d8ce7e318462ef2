/** Symbols that a text names: they lead to the line that is meant, or nowhere. */
import assert from 'node:assert/strict';
import type { PatchSection } from '../../../../src/api/types/patches.ts';
import { codeOnly } from '../../../../src/model/prose/codeOnly.ts';
import { definedAlone, definitionWords } from '../../../../src/model/prose/definitionWords.ts';
import { isWithin, scopesOf } from '../../../../src/model/prose/scopes.ts';
import { listedLines } from '../../../../src/util/proseLink.ts';
import { definitionsOf, targetOfSymbol } from '../../../../src/model/prose/symbols.ts';
import { diffSection as file, textSection } from '../../../support/patchSections.ts';

const text = (markdown: string): PatchSection => textSection('text', markdown);
const added = (...lines: string[]): string =>
  `@@ -1,1 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join('')}`;

/** Where a symbol leads to, in short. */
const placeOf = (...asked: Parameters<typeof targetOfSymbol>): string | undefined => {
  const target = targetOfSymbol(...asked);
  return target?.kind === 'line'
    ? `${target.path}:${target.line}`
    : target?.kind === 'file'
      ? `file ${target.path}:${target.start}`
      : target?.kind === 'several'
        ? listedLines(target)
            .map(({ path, line }) => `${path}:${line}`)
            .join(' ')
        : undefined;
};

describe('the line that a symbol leads to', () => {
  it('is the one that defines it, else the only one that has it', () => {
    const sections = [
      file('a.ts', '@@ -1,2 +1,4 @@\n context\n+loadIt(other);\n+reload(it);\n+load(it);\n context\n'),
      text('`load`'),
      file('b.ts', '@@ -7,2 +8,3 @@\n context\n-function load() {\n+export function load(it) {\n+load();\n'),
    ];
    assert.deepEqual(targetOfSymbol('load', sections), {
      kind: 'line',
      code: 'b.ts',
      path: 'b.ts',
      line: 9,
      text: 'export function load(it) {',
    });
    assert.equal(placeOf('load', sections.slice(0, 1)), 'a.ts:4');
    assert.deepEqual(
      ['nothing', 'context', 'a b', 'it'].map((code) => targetOfSymbol(code, sections)),
      Array(4).fill(undefined),
    );
  });

  it('is one that defines it in all files, where those are known', () => {
    const sections = [file('a.ts', added('function load() {', 'load();'))];
    const other = { path: 'c.ts', line: 7, text: 'function load() {' };
    assert.deepEqual(targetOfSymbol('load', sections, [other]), {
      kind: 'file',
      path: 'c.ts',
      start: 7,
      end: 7,
      lines: ['function load() {'],
    });
    assert.equal(placeOf('load', sections, [{ path: 'a.ts', line: 1, text: '' }]), 'a.ts:1');
    assert.equal(placeOf('load', [file('a.ts', added('load();'))], []), 'a.ts:1');
  });

  it('is none that anybody picked where there are several: those that define it, else those that have it', () => {
    const sections = [
      file('a.ts', added('load();', 'function load() {')),
      file('b.ts', added('  function load(it) {')),
    ];
    assert.deepEqual(targetOfSymbol('load', sections), {
      kind: 'several',
      places: [
        { kind: 'line', code: 'a.ts', path: 'a.ts', line: 2, text: 'function load() {' },
        { kind: 'line', code: 'b.ts', path: 'b.ts', line: 1, text: '  function load(it) {' },
      ],
      more: 0,
    });
    const known = [
      { path: 'b.ts', line: 1, text: '' },
      { path: 'c.ts', line: 7, text: 'def load' },
    ];
    const found = targetOfSymbol('load', sections, known);
    assert.ok(found?.kind === 'several');
    assert.deepEqual(
      found.places.map(({ kind }) => kind),
      ['line', 'file'],
    );
    assert.deepEqual(listedLines(found), [
      { path: 'b.ts', line: 1, text: 'function load(it) {' },
      { path: 'c.ts', line: 7, text: 'def load' },
    ]);
    const many = [file('a.ts', added(...Array.from({ length: 21 }, (_, line) => `load(${line})`)))];
    const listed = targetOfSymbol('load', many);
    assert.deepEqual(listed?.kind === 'several' && [listed.places.length, listed.more], [20, 1]);
  });

  describe('of a name in another', () => {
    const sections = [
      file(
        'src/revsets.rs',
        '@@ -1,1 +1,9 @@ impl Graph {\n+    fn split() {}\n+fn converge() {}\n+impl<T> Walk for Tree {\n+    fn walk() {\n+        let depth = 1;\n+    }\n+}\n+revsets::merge();\n+other.revsets::split();\n',
      ),
      file(
        'src/tree.py',
        added(
          'class Tree:',
          '    def __init__(',
          '        self,',
          '    ) -> None:',
          '        let depth = 1',
          '    def grow(self):',
          '        pass',
        ),
      ),
      file(
        'src/misc.ts',
        added(
          'converge();',
          'const converged = revsets.converge;',
          'x.revsets.converged();',
          'revsets.conv + con',
          'twice(twice);',
          'twice;',
        ),
      ),
    ];
    for (const [code, expected] of [
      ['revsets::converge', 'src/revsets.rs:2'],
      ['src::revsets::converge', 'src/revsets.rs:2'],
      ['lib::revsets::converge', undefined],
      ['Graph::split', 'src/revsets.rs:1'],
      ['Tree::walk', 'src/revsets.rs:4'],
      ['Tree::walk::depth', 'src/revsets.rs:5'],
      ['Tree::depth', undefined],
      ['Tree.grow()', 'src/tree.py:6'],
      ['Tree#grow', 'src/tree.py:6'],
      ['Tree.__init__', 'src/tree.py:2'],
      ['revsets::merge', 'src/revsets.rs:8'],
      ['revsets::split', undefined],
      ['revsets.converged', undefined],
      ['revsets.con', undefined],
      ['con', 'src/misc.ts:4'],
      ['twice', 'src/misc.ts:5 src/misc.ts:6'],
      ['Other.grow', undefined],
      ['misc.converge', undefined],
      ['this.grow', undefined],
    ] as const) {
      it(`is ${expected ?? 'none'} of ${code}`, () => assert.equal(placeOf(code, sections), expected));
    }
  });

  it('is one line, however often that has it, and the one of its file that is known to define it', () => {
    assert.equal(placeOf('again', [file('a.ts', added('again(again);'))]), 'a.ts:1');
    const two = [file('a.ts', added('load();', 'declare load'))];
    assert.equal(placeOf('load', two, [{ path: 'a.ts', line: 2, text: '' }]), 'a.ts:2');
  });

  it('has a qualified name whole, wherever in the line that is', () => {
    const of = (line: string): string | undefined => placeOf('misc.twist', [file('a.ts', added(line))]);
    assert.equal(of('return run(misc.twist() + one);'), 'a.ts:1');
    assert.deepEqual(
      ['return amisc.twist();', 'return a.misc.twist();', 'return misc.twisted();'].map(of),
      Array(3).fill(undefined),
    );
  });

  it('is none that has it in a comment or a string alone', () => {
    for (const [path, line] of [
      ['a.ts', '// The function load'],
      ['a.ts', "call('function load() {');"],
      ['a.ts', ' * function load() {'],
      ['a.py', '# def load'],
      ['a.sql', '-- def load'],
      ['a.md', 'function load'],
      ['a.ts', 'const it = `load`;'],
    ] as const) {
      assert.equal(placeOf('load', [file(path, added(line))]), undefined, line);
      const both = [file(path, added(line, 'load();'))];
      assert.equal(placeOf('load', both), path === 'a.md' ? undefined : `${path}:2`, line);
    }
    const inDocs = [file('a.py', added('Reads', '  load it', '"""', 'run()'))];
    assert.equal(placeOf('load', inDocs), undefined);
  });

  it('is looked for in the beginning of a line, and of a patch', () => {
    const early = [file('a.ts', added(`${' '.repeat(990)}early`, `${' '.repeat(1000)}late`))];
    const target = targetOfSymbol('early', early);
    assert.ok(target?.kind === 'line' && target.text.length === 995, JSON.stringify(target));
    assert.equal(targetOfSymbol('late', early), undefined);
    assert.equal(definedAlone(`${' '.repeat(1000)}function late`), undefined);
    const second = (length: number): boolean =>
      targetOfSymbol('second', [file('a.ts', added(' '.repeat(length))), file('b.ts', added('second'))]) !==
      undefined;
    assert.deepEqual([3_999_999, 4_000_000].map(second), [true, false]);
  });
});

describe('the symbols of a patch', () => {
  it('are those that it defines, by the first line that does', () => {
    const sections = [
      file('a.ts', added('use(load);', 'function load() {', 'function load(it) {', 'const size = 1;')),
      text('`load`'),
      file('b.ts', 'rename from c.ts\nrename to b.ts\n'),
    ];
    const expected = [
      { name: 'load', line: 'function load() {' },
      { name: 'size', line: 'const size = 1;' },
    ];
    assert.deepEqual(definitionsOf(sections), expected);
    assert.deepEqual(definitionsOf(sections), expected);
  });
});

describe('the symbol that a line defines', () => {
  it('is behind each of the words that say so', () => {
    for (const word of definitionWords) {
      assert.equal(definedAlone(`${word} name_1(y)`), 'name_1', word);
    }
    assert.equal(definedAlone('redefine name'), undefined);
  });

  for (const [line, expected] of [
    ['export default async function run() {', 'run'],
    ['  pub(crate) fn run() {', 'run'],
    ['// The function run', undefined],
    ['the function run', undefined],
    ['let other; function run', 'other'],
    ['if (x) { const run = 1', undefined],
  ] as const) {
    it(`is ${expected ?? 'none'} in ${JSON.stringify(line)}`, () =>
      assert.equal(definedAlone(line), expected));
  }
});

describe('code without comments and strings', () => {
  for (const [path, source, expected] of [
    ['a.ts', 'a(); // b', 'a();     '],
    ['a.ts', 'a(\'b\', "c", `d\n${e}`)', 'a(   ,    ,   \n     )'],
    ['a.ts', "a('it\\'s') / b / c", 'a(       ) / b / c'],
    ['a.ts', 'a = /[/"]`/; b', 'a =        ; b'],
    ['a.ts', 'a /* b\n * c */ d', 'a     \n        d'],
    ['a.ts', 'b\nc */ d', ' \n     d'],
    ['a.ts', ' * a', '    '],
    ['a.ts', 'a `b', '    '],
    ['a.rs', "fn a<'b>(c: &'b str, d: 'e')", "fn a<'b>(c: &'b str, d:    )"],
    ['a.rs', 'a("b\nc") d', 'a(  \n  ) d'],
    ['a.py', 'a # b\n"""c\nd"""\ne', 'a    \n    \n    \ne'],
    ['a.py', "a = '''b''' + ''", 'a =         +   '],
    ['a.py', 'a\n"""\nb', ' \n   \n '],
    ['a.go', 'a(`b\nc`) // d', 'a(  \n  )     '],
    ['a.lua', 'a -- b - c', 'a         '],
    ['a.el', 'a ; b', 'a    '],
    ['a.svg', '<a b="c"><!-- d\n-- e --> f', '<a b=   >      \n         f'],
    ['README.md', 'a `b`', '     '],
    ['Makefile', 'a // b # c', 'a         '],
    ['a.test.py', 'a # b', 'a    '],
    ['a.ts', 'a * b', 'a * b'],
    ['a.c', '  *p = 1;', '  *p = 1;'],
    ['a.ts', '* a\n *\n   * b', '   \n  \n      '],
    ['a.rs', 'a("")', 'a(  )'],
    ['a.rs', 'a "', '   '],
    ['a.ts', '/["]/; b', '     ; b'],
    ['a.ts', 'a / b["/"]', 'a / b[   ]'],
    ['a.ts', 'a =  /["]/', 'a =       '],
    ['a.ts', 'a = /b"/; c', 'a =     ; c'],
    ['a.ts', 'a /(b + "/" + c', 'a /(b +     + c'],
  ] as const) {
    it(`is ${JSON.stringify(expected)} of ${JSON.stringify(source)} in ${path}`, () =>
      assert.equal(codeOnly(source, path), expected));
  }
});

describe('what a line is in', () => {
  for (const [why, expected, ...above] of [
    ['beyond a line of blanks', ['b', 'A'], 'class A {', '  function b() {', ' '],
    ['beyond a condition', ['A'], 'class A {', '  if (x)'],
    ['not beyond what has ended', [], 'class A {', '  f(() => {', '  });'],
    ['not beyond a list that has ended', [], 'class A {', '  x = [', '  ];'],
  ] as [string, string[], ...string[]][]) {
    it(`is found ${why}`, () => assert.deepEqual(scopesOf([...above, '    it'], above.length), expected));
  }

  it('is not looked for too far above', () => {
    const of = (count: number): string[] =>
      scopesOf(['class A {', ...Array<string>(count).fill('    x')], count);
    assert.deepEqual([of(4_999), of(5_000)], [['A'], []]);
  });

  it('may be its file and its folders, whatever is in their names', () => {
    const isIn = (...names: string[]): boolean => isWithin(names, 'src/a.b/revsets.test.ts', ['it'], 0);
    assert.ok(isIn('a.b', 'revsets.test') && isIn('src', 'a.b', 'revsets.test') && isIn());
    assert.ok(!isIn('revsets.test.ts') && !isIn('src', 'revsets.test'));
  });

  const lines = [
    'class A {',
    '  b() {}',
    '  const c = {',
    '    d',
    '  };',
    '}',
    '    e',
    'impl<T> Read for B<T> {',
    '',
    '    f',
    '}',
    'unsafe impl C {',
    '    if (x) {',
    '    } else {',
    '        g',
  ];
  for (const [name, ...expected] of [
    ['d', 'c', 'A'],
    ['e'],
    ['f', 'B'],
    ['g', 'C'],
    ['class A {'],
  ] as string[][]) {
    it(`is ${expected.join(' in ')} of ${name}`, () =>
      assert.deepEqual(
        scopesOf(
          lines,
          lines.findIndex((line) => line.trim() === name),
        ),
        expected,
      ));
  }
});
