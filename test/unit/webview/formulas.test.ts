import assert from 'node:assert/strict';
import { createMarkdown, renderMarkdown } from '../../../src/webview/common/markdown.ts';
import { copiedFormula } from '../../../src/webview/common/copiedFormulas.ts';
import { mayHaveFormulas } from '../../../src/webview/common/drawnFormulas.ts';

const markdown = createMarkdown(false);
const rendered = (source: string): string =>
  markdown
    .render(source, {})
    .replaceAll(/ data-[\w-]+="[^"]*"/g, '')
    .trimEnd();
const formulasIn = (source: string): string[] =>
  [...rendered(source).matchAll(/<(?:span|p) class="formula">([^<]*)</g)].map(([, formula = '']) => formula);

describe('formulas', () => {
  it('are copied as they were written, with dollar signs in place of a block of code', () => {
    assert.equal(copiedFormula('$x$', false), '$x$');
    assert.equal(copiedFormula('$$ x\ny $$', false), '$$ x\ny $$');
    assert.equal(copiedFormula('x\ny\n', true), '$$\nx\ny\n$$');
  });

  it('stand between dollar signs, in a line and by themselves, and are their source at first', () => {
    assert.equal(
      rendered('So $a_1*b*c < d$ is.'),
      '<p>So <span class="formula">$a_1*b*c &lt; d$</span> is.</p>',
    );
    assert.equal(rendered('$$\nx^2\n$$'), '<p class="formula">$$\nx^2\n$$</p>');
    assert.equal(rendered('$$ x^2 $$'), '<p class="formula">$$ x^2 $$</p>');
    assert.equal(rendered('a\n$$x\n  y$$\nb'), '<p>a</p>\n<p class="formula">$$x\ny$$</p>\n<p>b</p>');
    assert.equal(rendered('a $$x$$ b'), '<p>a <span class="formula">$$x$$</span> b</p>');
    assert.deepEqual(formulasIn('($x$), **$y$**; $z$-th, $\\$1$ and $`a`$'), [
      '$x$',
      '$y$',
      '$z$',
      '$\\$1$',
      '$`a`$',
    ]);
    assert.equal(rendered('```math\nx\n```'), '<pre><code class="language-math">x\n</code></pre>');
  });

  it('stand in lists and quotations, and end with them', () => {
    assert.deepEqual(formulasIn('- a\n  $$\n  x\n  $$\n\n> $$\n> y\n> $$'), ['$$\nx\n$$', '$$\ny\n$$']);
    assert.deepEqual(formulasIn('- $$\n  x\n\nb $$'), []);
  });

  it('are no sums of money, variables, commands or code', () => {
    for (const source of [
      'It is $5 and then $6.',
      'From $5 to 6$7.',
      '$HOME and $PATH',
      '$HOME/$USER',
      '"$HOME" and "$PATH"',
      '`$a` and `$b`',
      'run $(foo) $(bar)',
      'US$1 or US$2, or a$b$',
      String.raw`\$a$ and $b\$`,
      '$$ and $',
      '$$\nnever ended',
      '$ a $',
      'in $a `b$ c`',
      '    $$\n    x\n    $$',
      '$$$$',
    ]) {
      assert.deepEqual(formulasIn(source), [], source);
    }
  });

  it('are bounded: a long one stays text, and so does a paragraph of nothing but dollar signs', () => {
    assert.deepEqual(formulasIn(`$${'x'.repeat(3_000)}$`), []);
    assert.deepEqual(formulasIn(`$$\n${'x\n'.repeat(1_500)}$$`), []);
    const options = {
      loadRemoteImages: false,
      blockedImageText: () => '',
      taskText: () => '',
      alertText: () => '',
      conflictText: () => '',
      lostText: '',
    };
    assert.equal(renderMarkdown('$ '.repeat(5_000), options), undefined);
  });

  it('are looked for only in texts that may have some', () => {
    assert.deepEqual(['a $b$', '```math\nx\n```', '~~~ math\nx\n~~~', 'maths'].map(mayHaveFormulas), [
      true,
      true,
      true,
      false,
    ]);
  });
});
