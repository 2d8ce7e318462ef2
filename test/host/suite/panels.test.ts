import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import * as vscode from 'vscode';
import type { FormPage } from '../../../src/protocol/form.ts';
import type { Prerender } from '../../../src/protocol/patchDocument.ts';
import { PagePanel } from '../../../src/ui/pagePanel.ts';
import type { PrerenderStack } from '../../../src/protocol/stackPage.ts';
import { formAnswers } from '../../../src/protocol/schemas/parts.ts';
import { connectToPage, panelOptions, showPage } from '../../../src/ui/panelHost.ts';
import { silentLog } from '../../support/silentLog.ts';

const extensionUri = vscode.extensions.getExtension('patch-stacks.patch-stacks')?.extensionUri;

/** The file of a page, as the extension host loads it. */
function load(page: string): object {
  assert.ok(extensionUri);
  const file = vscode.Uri.joinPath(extensionUri, 'dist', 'webview', `${page}.mjs`).fsPath;
  return createRequire(file)(file) as object;
}

/** The HTML of a new panel, with a beginning or without one, and its options. */
function pageOf(
  beginning = '',
  name = 'patchDocument',
): { html: string; options: vscode.WebviewOptions; source: string } {
  assert.ok(extensionUri);
  const panel = vscode.window.createWebviewPanel(
    'test',
    '',
    vscode.ViewColumn.Active,
    panelOptions(extensionUri),
  );
  try {
    showPage(new PagePanel(panel), extensionUri, name, beginning);
    const { html, options, cspSource } = panel.webview;
    return { html, options, source: cspSource };
  } finally {
    panel.dispose();
  }
}

/** The files of the pages that a page names after one of these. */
function filesIn(html: string, before: RegExp): string[] {
  const named = new RegExp(`(?:${before.source})["'][^"']*/dist/webview/([^"'/?]+)(?:\\?\\w+)?["']`, 'g');
  return [...html.matchAll(named)].map(([, file]) => file ?? '');
}

describe('a tab', () => {
  it('has nothing done to it by an owner that has handed it on', () => {
    const tab = vscode.window.createWebviewPanel('test', 'First', vscode.ViewColumn.Active);
    const first = new PagePanel(tab);
    const second = first.handOn();
    second.title = 'Second';
    first.title = 'First';
    first.dispose();
    assert.deepEqual([tab.title, first.isClosed, second.isClosed], ['Second', true, false]);
    second.dispose();
    assert.equal(second.isClosed, true);
  });
});

describe('the page of a panel', () => {
  it('is told nothing any more once its panel is closed, and nobody hears of that', async () => {
    const panel = vscode.window.createWebviewPanel('test', '', vscode.ViewColumn.Active);
    const page = connectToPage<object, FormPage>(
      new PagePanel(panel),
      { requests: {}, answers: formAnswers },
      {},
      silentLog,
    );
    panel.dispose();
    const failures: unknown[] = [];
    page.request('reload', null).catch((error: unknown) => failures.push(error));
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(failures, []);
    page.dispose();
  });

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
      assert.match(
        html,
        new RegExp(
          html.includes('The beginning')
            ? `<script type="module" nonce="${nonce}">[^<"]+import\\('[^']+'\\);\\s*</script>`
            : `<script type="module" nonce="${nonce}" src="[^"]+"></script>`,
        ),
      );
      assert.equal(html.match(/<style/g)?.length, 1);
      assert.ok(html.includes(`<style nonce="${nonce}">`));
      const [link, ...more] = html.match(/<link[^>]*>/g) ?? [];
      assert.match(
        link ?? '',
        new RegExp(`^<link rel="modulepreload" nonce="${nonce}" href="[^"]+\\.mjs">$`),
      );
      assert.deepEqual(more, []);
      assert.ok(!/style=|\son\w+=/.test(html));
      return nonce;
    });
    assert.equal(new Set(nonces).size, nonces.length);
  });

  it('names files that are there', async () => {
    assert.ok(extensionUri);
    const beginning = '<p>The beginning</p>';
    const pages = [pageOf(), pageOf(beginning), pageOf('', 'stackPage'), pageOf(beginning, 'stackPage')];
    for (const { html } of pages) {
      assert.ok(!html.includes('url("./'));
      const files = filesIn(html, /src=|url\(|import\(/);
      assert.equal(files.length, 2, files.join());
      assert.ok(files.includes('codicon.woff2'));
      for (const file of [...files, ...filesIn(html, /href=/)]) {
        await vscode.workspace.fs.stat(vscode.Uri.joinPath(extensionUri, 'dist', 'webview', file));
      }
    }
  });

  it('have their script come ahead, and that of the document, from which the others take much', async () => {
    assert.ok(extensionUri);
    assert.deepEqual(filesIn(pageOf('<p>The beginning</p>').html, /href=/), ['patchDocument.mjs']);
    for (const name of ['stackPage', 'feedback', 'release', 'profile', 'userCard', 'patchStatuses']) {
      assert.deepEqual(filesIn(pageOf('', name).html, /href=/), [`${name}.mjs`, 'patchDocument.mjs']);
      const file = vscode.Uri.joinPath(extensionUri, 'dist', 'webview', `${name}.mjs`);
      const script = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
      assert.match(script, /from ?"\.\/patchDocument\.mjs"/);
    }
  });

  it('can be begun in the extension host, without styles and scripts', () => {
    const { prerender } = load('patchDocument') as { prerender: Prerender };
    const html = prerender(
      {
        ref: { serverUrl: 'https://service.test', stackUuid: 'stack', changeId: 'change' },
        title: 'A <patch>',
        authors: [],
        openedBy: [],
        signedOff: [],
        rejected: [],
        fingerprint: 'as read',
        tickedSections: [],
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
    assert.match(html, /^<div class="document beginning" inert aria-hidden="true"/);
    assert.match(html, /A &lt;patch(>|&gt;)/);
    assert.match(html, /<h1[^>]*>Why<\/h1>/);
    assert.match(html, /Because <a>it<\/a>/);
    assert.match(html, />const a = <mark>2<\/mark>;/);
    assert.ok(!/<script|<style|style=|\son\w+=|href=/.test(html));
  });

  it('of a stack can be begun in the extension host, with the patches that fill a screen', () => {
    const patches = Array.from({ length: 200 }, (_, index) => ({
      changeId: `change ${index}`,
      title: `A <patch> ${index}`,
      authors: '<i>',
      reading: { text: 'unread', isLeft: true, isChanged: false },
      signedOff: [],
      changesRequested: [],
    }));
    const { prerender } = load('stackPage') as { prerender: PrerenderStack };
    const html = prerender(
      {
        ref: { serverUrl: 'https://service.test', projectId: 'project', stackUuid: 'stack' },
        title: 'A <stack>',
        facts: ['<b>'],
        description: '<b onclick="x">Because</b> [it](https://service.test).',
        summary: ['unread'],
        patches,
        lostTexts: [],
      },
      { bundle: { 'Start Reading': 'Anfangen' }, language: 'de', loadRemoteImages: false },
    );
    assert.match(html, /^<main class="stack-page beginning" inert aria-hidden="true"/);
    assert.match(html, /A &lt;stack(>|&gt;)/);
    assert.match(html, /Because <a>it<\/a>/);
    assert.match(html, />Anfangen</);
    const count = html.match(/<li>/g)?.length ?? 0;
    assert.ok(count > 20 && count < 100, String(count));
    assert.match(html, /A &lt;patch(>|&gt;) 0/);
    assert.ok(!/<script|<style|style=|\son\w+=|href=|<b>|<i>/.test(html));
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
