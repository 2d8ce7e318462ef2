import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import fc from 'fast-check';
import type {
  ColorForOthers,
  DrawFormulas,
  ExportedSection,
  ExportedStack,
  StackExporter,
} from '../../../../src/protocol/stackExport.ts';

const never = new AbortController().signal;

/** Knows `const` and strings, of which the dark theme says nothing, in files and texts of one language. */
const color: ColorForOthers = async (theme, { name, lines }) =>
  ('path' in name ? name.path.endsWith('.ts') : name.language === 'typescript')
    ? {
        styles: [{ color: theme === 'light' ? '#0000ff' : '#569cd6', bold: true }, { color: '#a31515' }],
        lines: lines.map((line) =>
          [...line.matchAll(/const|"[^"]*"|./g)].flatMap(([text]) => [
            text.length,
            text === 'const' ? 1 : text.startsWith('"') && theme === 'light' ? 2 : 0,
          ]),
        ),
      }
    : null;

/** Draws letters as KaTeX does, and nothing else. */
const draw: DrawFormulas = async (formulas) =>
  formulas.map(({ source, display }) =>
    /^[a-z]$/.test(source)
      ? `<p class="katex-block"><span class="katex"><math xmlns="http://www.w3.org/1998/Math/MathML"${display ? ' display="block"' : ''}><semantics><mrow><mi mathvariant="double-struck">${source}</mi><mspace width="1em"></mspace></mrow><annotation encoding="application/x-tex">${source}</annotation></semantics></math></span></p>\n`
      : null,
  );

function stack(sections: ExportedSection[], title = 'Greet people'): ExportedStack {
  return {
    title,
    facts: ['Version 2'],
    description: 'Why *so*.',
    patches: [{ title, changeId: 'I1', facts: ['Authors: Ada'], sections }],
    language: 'de',
    bundle: {},
  };
}

const hostile = [
  `${'$a$ and '.repeat(12)}so on`,
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '[a](javascript:alert(1)) [b](command:x) [c](file:///etc/passwd) [d](//tracker.invalid)',
  '![track](https://tracker.invalid/p.png) ![svg](data:image/svg+xml;base64,PHN2Zz4=)',
  '</style><script>alert(1)</script>',
  '"><svg onload=alert(1)>',
  '[x]: https://a.b "t"\n\n[x]',
  '```html\n</code></pre><script>alert(1)</script>\n```',
];

/** Comes from a theme that somebody means harm with. */
const hostileColor: ColorForOthers = async (_theme, { lines }) => ({
  styles: [{ color: 'red } </style><script>alert(1)</script>' }],
  lines: lines.map((line) => [line.length, 1]),
});

/** Comes from an extension that somebody means harm with, whatever is asked. */
const hostileMath = [
  '<math><mi onclick="alert(1)" style="color: red" href="https://tracker.invalid">x</mi></math>',
  '<math><mtext><script>alert(1)</script>y</mtext><mi><img src="x" onerror="alert(1)">z</img></mi></math>',
  '<math><mi>&lt;script&gt;</mi><mspace width="1000em"></mspace><style>* { color: red }</style></math>',
  '<math><mi title=">">x</mi></math>',
  '<math><mi>x</mi>',
  '<math><mi>x</math></mi>',
  '<math></math><math><mi>x</mi></math>',
  '<math><mi>x</mi></math><math><mi>y</mi></math>',
  `<math>${'<mi>x</mi>'.repeat(4_001)}</math>`,
  '<math><math><mi>x</mi></math></math>',
  '<script>alert(1)</script>',
  '<math><!-- <mi> --></math>',
  '<math><mi>x</mi><!-- --></math>',
  `<math>${'<mrow>'.repeat(300)}x${'</mrow>'.repeat(300)}</math>`,
];
const hostileDraw: DrawFormulas = async (formulas) =>
  formulas.map((_formula, index) => hostileMath[index % hostileMath.length] ?? null);

/** The same, but what was asked last is answered first. */
const lastFirst: ColorForOthers = async (theme, code) => {
  if (code.lines.some((line) => line.includes('const'))) {
    await new Promise(setImmediate);
  }
  return color(theme, code);
};

interface Element {
  name: string;
  attributes: { name: string; value: string }[];
}

/** The elements of a page. Values of attributes stand between quotation marks, and every other `<` begins an element. */
function elements(html: string): Element[] {
  const body = html.replace(/^<!doctype html>/, '').replace(/<style>[^<]*<\/style>/, '');
  const found = [...body.matchAll(/<([a-z][a-z0-9]*)((?:\s+[\w:-]+(?:="[^"]*")?)*)\s*>/g)];
  assert.equal(found.length, [...body.matchAll(/<(?!\/)/g)].length);
  return found.map(([, name = '', attributes = '']) => ({
    name,
    attributes: [...attributes.matchAll(/([\w:-]+)(?:="([^"]*)")?/g)].map(
      ([, attribute = '', value = '']) => ({
        name: attribute,
        value,
      }),
    ),
  }));
}

describe('a patch stack as a page of HTML', () => {
  let folder: string;
  let stackAsHtml: StackExporter['stackAsHtml'];

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'patch-stacks-export-'));
    const outfile = path.join(folder, 'stackExport.mjs');
    await build({
      entryPoints: [path.join(import.meta.dirname, '../../../../src/webview/stackExport/main.ts')],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'browser',
      jsx: 'automatic',
      jsxImportSource: 'preact',
    });
    ({ stackAsHtml } = (await import(pathToFileURL(outfile).href)) as StackExporter);
  });

  after(() => rm(folder, { recursive: true, force: true }));

  it('has texts, files and lines, which can be copied without their numbers and signs', async () => {
    const diff =
      '--- a/a.ts\n+++ b/a.ts\n@@ -3,2 +3,2 @@ function f()\n const a = 1;\n-const b = 2;\n+const b = "<3>";\n';
    const html = await stackAsHtml(
      stack([
        { type: 'text', text: '# So\n\nSome **words** & `code`.' },
        { type: 'diff', path: 'a.ts', added: 1, deleted: 1, diff },
        {
          type: 'diff',
          path: 'b.png',
          oldSize: 10,
          newSize: 20,
          diff: 'diff --git a/b.png b/b.png\nBinary files a/b.png and b/b.png differ\n',
        },
      ]),
      { color, draw },
      never,
    );
    assert.match(html, /^<!doctype html>\n<html lang="de">/);
    assert.match(html, /<strong>words<\/strong> &amp; <code>code<\/code>/);
    assert.match(html, /<tr class="delete"><td class="line" data-line="4"><\/td>/);
    assert.match(
      html,
      /<td class="sign" data-sign="\+"><\/td><td class="code"><span class="c0">const<\/span> b = <span class="c1">&quot;&lt;3>&quot;<\/span>;/,
    );
    assert.match(html, /function f\(\)/);
    assert.match(html, /Binary file, 10 Byte → 20 Byte/);
    assert.match(html, /<h3[^>]*>So<\/h3>/);
    assert.match(html, /href="#patch-1"/);
  });

  it('has the colors of code in the light and in the dark, each of which can be read on what it stands on', async () => {
    const long = `const a = "${'x'.repeat(5_000)}";`;
    const html = await stackAsHtml(
      stack([
        { type: 'text', text: '```typescript\nconst a = "<3>";\n```\n\n```other\nconst\n```' },
        { type: 'diff', path: 'a.ts', diff: `--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-const a;\n+${long}\n` },
        { type: 'diff', path: 'b.other', diff: '--- a/b\n+++ b/b\n@@ -1 +1 @@\n-const a;\n+const b;\n' },
      ]),
      { color, draw },
      never,
    );
    assert.match(
      html,
      /<pre tabindex="0"><code[^>]* class="language-typescript"><span class="c0">const<\/span> a = <span class="c1">&quot;&lt;3>&quot;<\/span>;\n<\/code><\/pre>/,
    );
    assert.match(html, /<pre tabindex="0"><code[^>]* class="language-other">const\n<\/code><\/pre>/);
    assert.match(html, /<td class="code">const a = &quot;x{5000}&quot;;<\/td>/);
    assert.match(html, /<td class="code">const b;<\/td>/);
    const [, light = '', dark = ''] =
      /([^]*)@media[^{]*\{([^]*)\}/.exec(html.slice(html.indexOf('.c0'))) ?? [];
    assert.match(light, /^\.c0 \{ color: rgb\(0 0 255 \/ 1\); font-style: normal; font-weight: bold;/);
    assert.match(light, /\.c1 \{ color: rgb\(163 21 21 \/ 1\)/);
    assert.match(dark, /\.c1 \{ color: inherit;/);
    // The blue of the dark theme can't be read on deleted lines as it is.
    assert.doesNotMatch(dark, /rgb\(86 156 214 /);
  });

  it('has formulas as browsers draw them, and those that cannot be drawn as they were written', async () => {
    const html = await stackAsHtml(
      stack([{ type: 'text', text: 'So $a$ & `$b$` and $1 < x$.\n\n$$c$$\n\n```math\nd\n```\n\n- $`e`$' }]),
      { color, draw },
      never,
    );
    const drawn = (letter: string, display = ''): string =>
      `<math${display}><semantics><mrow><mi mathvariant="normal">${letter}</mi><mspace width="1em"></mspace></mrow></semantics></math>`;
    for (const expected of [
      `So <span class="formula">${drawn('𝕒')}</span> &amp; <code>$b$</code> and <span class="formula">$1 &lt; x$</span>.`,
      `<figure class="formula">${drawn('𝕔', ' display="block"')}</figure>`,
      `<figure class="formula">${drawn('𝕕', ' display="block"')}</figure>`,
      `<span class="formula">${drawn('𝕖')}</span></li>`,
    ]) {
      assert.ok(html.includes(expected), html.slice(html.indexOf('<article')));
    }
  });

  it('has nothing in a formula but symbols, and none that is not closed, too deep, or more than one', async () => {
    const html = await stackAsHtml(
      stack([{ type: 'text', text: hostileMath.map((_math, index) => `x${index} $a$`).join(' ') }]),
      { color, draw: hostileDraw },
      never,
    );
    const shown = [...html.matchAll(/x(\d+) <span class="formula">(.*?)<\/span>/g)].map(
      ([, , formula]) => formula,
    );
    assert.deepEqual(shown, [
      '<math><mi>x</mi></math>',
      '<math><mtext>y</mtext><mi>z</mi></math>',
      '<math><mi>&lt;script&gt;</mi><mspace></mspace></math>',
      ...hostileMath.slice(3).map(() => '$a$'),
    ]);
  });

  it('asks for no formula that is too long, nor for more of a text than a page draws', async () => {
    const asked: string[] = [];
    const long = `\`\`\`math\n${'a'.repeat(2_001)}\n\`\`\``;
    await stackAsHtml(
      stack([{ type: 'text', text: `${long}\n\n${'$a$ '.repeat(201)}` }]),
      {
        color,
        draw: async (formulas) => {
          asked.push(...formulas.map(({ source }) => source));
          return formulas.map(() => null);
        },
      },
      never,
    );
    assert.deepEqual(asked, Array<string>(200).fill('a'));
  });

  it('does nothing of what strangers wrote, and asks nobody for anything', async () => {
    for (const text of hostile) {
      const html = await stackAsHtml(
        stack(
          [
            { type: 'text', text },
            {
              type: 'diff',
              path: text,
              oldPath: `${text}x`,
              diff: `--- a/a\n+++ b/a\n@@ -1 +1 @@\n-${text.split('\n')[0]}\n+y\n`,
            },
            { type: 'diff', path: 'no diff', diff: text },
          ],
          text,
        ),
        { color: hostileColor, draw: hostileDraw },
        never,
      );
      assert.match(html, /<meta http-equiv="Content-Security-Policy" content="default-src 'none';/);
      for (const { name, attributes } of elements(html)) {
        assert.ok(
          !['script', 'iframe', 'object', 'svg', 'link', 'form', 'base'].includes(name),
          `${name} of ${text}`,
        );
        for (const { name: attribute, value } of attributes) {
          assert.doesNotMatch(attribute, /^on|^style$|^srcset$/, text);
          if (attribute === 'href') {
            assert.match(value, /^(https?:|mailto:|#)/, text);
          } else if (attribute === 'src') {
            assert.match(value, /^data:image\/(png|jpeg|gif|webp);/, text);
          }
        }
      }
    }
  });

  it('is the same for the same stack', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...hostile, 'words')), async (texts) => {
        const diff = '--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-const a;\n+"a";\n';
        const one = stack([
          { type: 'diff', path: 'a.ts', diff },
          ...texts.map((text): ExportedSection => ({ type: 'text', text })),
        ]);
        assert.equal(
          await stackAsHtml(one, { color, draw }, never),
          await stackAsHtml(structuredClone(one), { color: lastFirst, draw }, never),
        );
      }),
      { numRuns: 10 },
    );
  });

  it('ends with the signal', async () => {
    const reason = new Error('Enough.');
    await assert.rejects(stackAsHtml(stack([]), { color, draw }, AbortSignal.abort(reason)), reason);
  });
});
