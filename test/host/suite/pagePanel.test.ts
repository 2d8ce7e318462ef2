/** A tab that the person closes while something is still on its way to it. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { PagePanel } from '../../../src/ui/pagePanel.ts';

const extensionUri = vscode.Uri.file('/extension');

/** Everything that may be done with a panel at any time. */
function useAll(panel: PagePanel): void {
  panel.title = 'After';
  panel.setIcon(extensionUri, 'patch');
  panel.setOptions({ enableScripts: true });
  panel.setHtml(() => '<p>After</p>');
  panel.post('after');
  panel.reveal();
}

describe('a panel of a page', () => {
  it('shows what it is given while it is open', () => {
    const raw = vscode.window.createWebviewPanel('test', 'Before', vscode.ViewColumn.Active);
    const panel = new PagePanel(raw);
    try {
      assert.equal(panel.isClosed, false);
      assert.equal(panel.title, 'Before');
      useAll(panel);
      assert.equal(raw.title, 'After');
      assert.equal(raw.webview.html, '<p>After</p>');
      assert.deepEqual(raw.webview.options, { enableScripts: true });
      assert.match(JSON.stringify(raw.iconPath), /patch-light\.svg.*patch-dark\.svg/);
      assert.equal(panel.viewColumn, raw.viewColumn);
    } finally {
      panel.dispose();
    }
  });

  it('takes whatever comes for it once it is closed, and says that it is not to be seen', () => {
    const raw = vscode.window.createWebviewPanel('test', 'Before', vscode.ViewColumn.Active);
    const panel = new PagePanel(raw);
    panel.dispose();
    assert.throws(() => (raw.title = 'After'), 'VS Code itself refuses it');
    useAll(panel);
    panel.dispose();
    assert.deepEqual(
      [panel.isClosed, panel.visible, panel.active, panel.viewColumn, panel.title],
      [true, false, false, undefined, ''],
    );
  });

  it('is closed already when the first of those who follow it hears of that', async () => {
    const panel = PagePanel.open(await PagePanel.turn('test'), 'Before', {});
    const heard: boolean[] = [];
    panel.onDidClose(() => {
      heard.push(panel.isClosed);
      useAll(panel);
    });
    panel.dispose();
    assert.deepEqual(heard, [true]);
  });

  it('tells of no change of its view once it is closed', async () => {
    const panel = PagePanel.open(await PagePanel.turn('test'), 'Before', {});
    let told = 0;
    panel.onDidChangeViewState(() => (told += 1));
    panel.dispose();
    // VS Code has told what it had to when it has answered something that was asked after it.
    await vscode.commands.executeCommand('setContext', 'patchStacks.test', 1);
    assert.equal(told, 0);
  });
});
