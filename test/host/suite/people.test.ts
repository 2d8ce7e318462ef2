import assert from 'node:assert/strict';
import * as vscode from 'vscode';

/** The tabs that show a page of this kind. */
function tabs(viewType: string): vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(viewType));
}

/** Waits until the tabs are as they should be. */
async function tabsChanged(isSo: () => boolean): Promise<void> {
  while (!isSo()) {
    await new Promise<void>((resolve) => {
      const subscription = vscode.window.tabGroups.onDidChangeTabs(() => {
        subscription.dispose();
        resolve();
      });
    });
  }
}

describe('people', () => {
  before(async () => {
    await vscode.extensions.getExtension('patch-stacks.patch-stacks')?.activate();
  });

  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('edit their profile in one tab, however often they ask', async () => {
    await vscode.commands.executeCommand('patchStacks.editProfile');
    await vscode.commands.executeCommand('patchStacks.editProfile');
    await tabsChanged(() => tabs('patchStacks.profile').length > 0);
    assert.equal(tabs('patchStacks.profile').length, 1);
  });

  it('are shown by whoever knows their login, one after the other in one tab', async () => {
    const { url, token } = JSON.parse(process.env['PATCH_STACKS_TEST_SERVICE'] ?? '{}') as {
      url: string;
      token: string;
    };
    const answer = await fetch(`${url}/user`, { headers: { 'x-auth-token': token } });
    const { login, name } = (await answer.json()) as { login: string; name: string };
    await vscode.commands.executeCommand('patchStacks.showUser', login);
    await tabsChanged(() => tabs('patchStacks.userCard').some(({ label }) => label === name));
    await vscode.commands.executeCommand('patchStacks.showUser', 'nobody');
    await tabsChanged(() => tabs('patchStacks.userCard').some(({ label }) => label === 'nobody'));
    assert.equal(tabs('patchStacks.userCard').length, 1);
  });
});
