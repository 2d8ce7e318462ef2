import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Patch } from '../../../src/api/types/patches.ts';
import { openChanges } from '../../../src/patch/openChanges.ts';
import { CancelledError } from '../../../src/ui/commands.ts';

const ref = { stackUuid: 's', changeId: 'I1' };

/** A patch with so many files. */
const patchOf = (count: number): Patch => ({
  changeId: 'I1',
  title: 'Rename everything',
  contributors: [],
  sections: Array.from({ length: count }, (_, index) => ({
    sectionType: 'diff',
    code: `f${index + 1}`,
    identifier: `src/${index + 1}.ts`,
    diffPatch: `--- a/src/${index + 1}.ts\n+++ b/src/${index + 1}.ts\n@@ -1 +1 @@\n-a\n+b\n`,
  })),
});

const tabs = (): string[] =>
  vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label));

/** Resolves once a tab is open that is called so. */
function opened(label: string): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (tabs().some((name) => name.includes(label))) {
        listening.dispose();
        resolve();
      }
    };
    const listening = vscode.window.tabGroups.onDidChangeTabs(look);
    look();
  });
}

describe('the changes of a patch, in the diff editor', () => {
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('are opened at once where that takes no time', async () => {
    await Promise.all([openChanges(ref, patchOf(3)), opened('Rename everything')]);
    assert.ok(tabs().every((label) => !label.includes('Files')));
  });

  it('are asked for in parts where there are more files than VS Code copes with', async () => {
    const asking = { isOver: false };
    const opening = openChanges(ref, patchOf(401)).finally(() => (asking.isOver = true));
    const refused = assert.rejects(opening, CancelledError);
    // The list is there a moment after it was asked for.
    while (!asking.isOver) {
      await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    }
    await refused;
    assert.deepEqual(tabs(), []);
  });
});
