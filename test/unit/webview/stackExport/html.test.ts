import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import fc from 'fast-check';
import type { ExportedSection, ExportedStack, StackExporter } from '../../../../src/protocol/stackExport.ts';

const never = new AbortController().signal;

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
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '[a](javascript:alert(1)) [b](command:x) [c](file:///etc/passwd) [d](//tracker.invalid)',
  '![track](https://tracker.invalid/p.png) ![svg](data:image/svg+xml;base64,PHN2Zz4=)',
  '</style><script>alert(1)</script>',
  '"><svg onload=alert(1)>',
  '[x]: https://a.b "t"\n\n[x]',
  '```html\n</code></pre><script>alert(1)</script>\n```',
];

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
      never,
    );
    assert.match(html, /^<!doctype html>\n<html lang="de">/);
    assert.match(html, /<strong>words<\/strong> &amp; <code>code<\/code>/);
    assert.match(html, /<tr class="delete"><td class="line" data-line="4"><\/td>/);
    assert.match(html, /<td class="sign" data-sign="\+"><\/td><td class="code">.*hljs-keyword.*&lt;3>/);
    assert.match(html, /function f\(\)/);
    assert.match(html, /Binary file, 10 Byte → 20 Byte/);
    assert.match(html, /<h3[^>]*>So<\/h3>/);
    assert.match(html, /href="#patch-1"/);
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
        const one = stack(texts.map((text) => ({ type: 'text', text })));
        assert.equal(await stackAsHtml(one, never), await stackAsHtml(structuredClone(one), never));
      }),
      { numRuns: 10 },
    );
  });

  it('ends with the signal', async () => {
    const reason = new Error('Enough.');
    await assert.rejects(stackAsHtml(stack([]), AbortSignal.abort(reason)), reason);
  });
});
