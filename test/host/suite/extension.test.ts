import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';

interface Manifest {
  contributes?: {
    commands?: { command: string }[];
    views?: Record<string, { id: string }[]>;
  };
}

describe('the extension', () => {
  const extension = vscode.extensions.getExtension('patch-stacks.patch-stacks');

  it('is found by VS Code and activates', async () => {
    assert.ok(extension, 'VS Code does not know the extension');
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it('registers every command it contributes', async () => {
    const contributed = (extension?.packageJSON as Manifest).contributes?.commands ?? [];
    assert.ok(contributed.length > 0, 'the manifest contributes no command');
    const registered = new Set(await vscode.commands.getCommands(true));
    const missing = contributed.map((one) => one.command).filter((id) => !registered.has(id));
    assert.deepEqual(missing, []);
  });

  it('has the stacks view, which can be shown', async () => {
    const views = Object.values((extension?.packageJSON as Manifest).contributes?.views ?? {}).flat();
    assert.ok(views.some((view) => view.id === 'patchStacks.stacks'));
    await vscode.commands.executeCommand('patchStacks.stacks.focus');
  });

  it('takes over the sign-in of whoever started VS Code, and leaves the token to no one else', async () => {
    let accounts = await vscode.authentication.getAccounts('patchStacks');
    for (const end = Date.now() + 10_000; accounts.length === 0 && Date.now() < end;) {
      await delay(50);
      accounts = await vscode.authentication.getAccounts('patchStacks');
    }
    assert.equal(accounts.length, 1, 'nobody is signed in');
    assert.deepEqual(
      Object.keys(process.env).filter((name) => name.includes('SIGN_IN')),
      [],
    );
  });
});
