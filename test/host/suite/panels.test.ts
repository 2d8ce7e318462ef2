import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import * as vscode from 'vscode';
import type { Prerender } from '../../../src/protocol/patchDocument.ts';
import { PagePanel } from '../../../src/ui/pagePanel.ts';
import { panelOptions, showPage } from '../../../src/ui/panelHost.ts';

const extensionUri = vscode.extensions.getExtension('patch-stacks.patch-stacks')?.extensionUri;

/** The HTML of a new panel, with a beginning or without one, and its options. */
function pageOf(beginning = ''): { html: string; options: vscode.WebviewOptions; source: string } {
  assert.ok(extensionUri);
  const panel = vscode.window.createWebviewPanel(
    'test',
    '',
    vscode.ViewColumn.Active,
    panelOptions(extensionUri),
  );
  try {
    showPage(new PagePanel(panel), extensionUri, 'patchDocument', beginning);
    const { html, options, cspSource } = panel.webview;
    return { html, options, source: cspSource };
  } finally {
    panel.dispose();
  }
}

describe('the page of a panel', () => {
  it('runs our script and takes our styles by a nonce that is new each time, and nothing else', () => {
    const pages = [pageOf(), pageOf(), pageOf('<p>The beginning</p>')];
    const nonces = pages.map(({ html, source }) => {
      const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? '';
      const nonce = /script-src 'nonce-([\w-]{32,})'(;|$)/.exec(policy)?.[1];
      assert.ok(nonce, policy);
      assert.match(policy, /^default-src 'none'; /);
      assert.ok(policy.includes(`; style-src 'nonce-${nonce}';`), policy);
      assert.ok(!/unsafe|\*|connect-src|frame-src/.test(policy.replaceAll(source, '')), policy);
      assert.match(policy, /img-src data:;/);
      assert.equal(html.match(/<script/g)?.length, 1);
      assert.match(html, new RegExp(`<script type="module" nonce="${nonce}" src="[^"]+"></script>`));
      assert.equal(html.match(/<style/g)?.length, 1);
      assert.ok(html.includes(`<style nonce="${nonce}">`));
      assert.ok(!/<link|style=|\son\w+=/.test(html));
      return nonce;
    });
    assert.equal(new Set(nonces).size, nonces.length);
  });

  it('names files that are there', async () => {
    assert.ok(extensionUri);
    for (const { html } of [pageOf(), pageOf('<p>The beginning</p>')]) {
      assert.ok(!html.includes('url("./'));
      const files = [...html.matchAll(/(?:src=|url\()"[^"]*\/dist\/webview\/([^"/?]+)(?:\?\w+)?"/g)].map(
        ([, file]) => file ?? '',
      );
      assert.equal(files.length, 2, files.join());
      assert.ok(files.includes('codicon.ttf'));
      for (const file of files) {
        await vscode.workspace.fs.stat(vscode.Uri.joinPath(extensionUri, 'dist', 'webview', file));
      }
    }
  });

  it('can be begun in the extension host, without styles and scripts', () => {
    assert.ok(extensionUri);
    const file = vscode.Uri.joinPath(extensionUri, 'dist', 'webview', 'patchDocument.mjs').fsPath;
    const { prerender } = createRequire(file)(file) as { prerender: Prerender };
    const html = prerender(
      {
        ref: { serverUrl: 'https://service.test', stackUuid: 'stack', changeId: 'change' },
        title: 'A <patch>',
        authors: [],
        viewed: [],
        signedOff: [],
        rejected: [],
        fingerprint: 'as read',
        viewedSections: [],
        pending: { texts: [], deletions: [] },
        sections: [
          {
            type: 'text',
            code: 'text',
            text: '# Why\n\n<b onclick="x">Because</b> [it](https://service.test).',
          },
          {
            type: 'diff',
            code: 'diff',
            path: 'a.ts',
            diff: '--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-const a = 1;\n+const a = 2;\n',
            diffLength: 60,
            diffLines: 5,
          },
        ],
      },
      { bundle: {}, language: 'en', loadRemoteImages: false },
      { layout: 'unified', ignoreWhitespace: false, wrap: true },
    );
    assert.match(html, /^<div class="document beginning" inert/);
    assert.match(html, /A &lt;patch(>|&gt;)/);
    assert.match(html, /<h1[^>]*>Why<\/h1>/);
    assert.match(html, /Because <a>it<\/a>/);
    assert.match(html, /class="hljs-keyword">const</);
    assert.ok(!/<script|<style|style=|\son\w+=|href=/.test(html));
  });

  it('reaches no files but those of our pages, and runs no commands', () => {
    const { options } = pageOf();
    assert.ok(extensionUri);
    assert.deepEqual(options.localResourceRoots?.map(String), [
      vscode.Uri.joinPath(extensionUri, 'dist', 'webview').toString(),
    ]);
    assert.equal(options.enableCommandUris, false);
  });
});
