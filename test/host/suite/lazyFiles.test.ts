import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { registerFiles, type Files } from '../../../src/ui/lazyFiles.ts';
import { nextTurn } from '../../../src/util/nextTurn.ts';
import { DisposableStore } from '../../../src/util/disposable.ts';

describe('files of a scheme of our own', () => {
  const scheme = 'patch-stacks-lazy';
  const disposables = new DisposableStore();
  let asked = 0;

  before(() => {
    // Documents that VS Code has without asking for their files, as those that it brings back with what was not saved.
    disposables.add(
      vscode.workspace.registerTextDocumentContentProvider(scheme, {
        provideTextDocumentContent: () => 'brought back',
      }),
    );
  });

  after(() => disposables.dispose());

  const open = (name: string): Thenable<vscode.TextDocument> =>
    vscode.workspace.openTextDocument(vscode.Uri.from({ scheme, path: `/${name}` }));

  const register = (): vscode.Disposable =>
    registerFiles({
      [scheme]: async () => {
        asked += 1;
        const changed = disposables.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
        return { onDidChangeFile: changed.event } as Partial<Files> as Files;
      },
      'patch-stacks-other': async () => {
        throw new Error('No file of this scheme is open.');
      },
    });

  beforeEach(() => (asked = 0));

  it('are there when one of them is open already, and not any more when they are given back', async () => {
    await open('one.md');
    const registration = register();
    await nextTurn();
    assert.equal(asked, 1);
    registration.dispose();
    await open('two.md');
    await nextTurn();
    assert.equal(asked, 1);
  });

  it('are not looked for once they are given back', async () => {
    await open('one.md');
    register().dispose();
    await nextTurn();
    await open('four.md');
    assert.equal(asked, 0);
  });
});
