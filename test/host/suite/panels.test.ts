import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { panelOptions, showPage } from '../../../src/ui/panelHost.ts';

const extensionUri = vscode.extensions.getExtension('patch-stacks.patch-stacks')?.extensionUri;

/** The HTML of a new panel, and its options. */
function pageOf(): { html: string; options: vscode.WebviewOptions; source: string } {
  assert.ok(extensionUri);
  const panel = vscode.window.createWebviewPanel(
    'test',
    '',
    vscode.ViewColumn.Active,
    panelOptions(extensionUri),
  );
  try {
    showPage(panel.webview, extensionUri, 'patchDocument');
    const { html, options, cspSource } = panel.webview;
    return { html, options, source: cspSource };
  } finally {
    panel.dispose();
  }
}

describe('the page of a panel', () => {
  it('runs our script by a nonce that is new each time, and nothing else', () => {
    const pages = [pageOf(), pageOf()];
    const nonces = pages.map(({ html, source }) => {
      const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? '';
      const nonce = /script-src 'nonce-([\w-]{32,})'(;|$)/.exec(policy)?.[1];
      assert.ok(nonce, policy);
      assert.match(policy, /^default-src 'none'; /);
      assert.ok(!/unsafe|\*|connect-src|frame-src/.test(policy.replaceAll(source, '')), policy);
      assert.match(policy, /img-src data:;/);
      assert.equal(html.match(/<script/g)?.length, 1);
      assert.match(html, new RegExp(`<script type="module" nonce="${nonce}" src="[^"]+"></script>`));
      assert.ok(!/<style|style=|\son\w+=/.test(html));
      return nonce;
    });
    assert.notEqual(nonces[0], nonces[1]);
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
