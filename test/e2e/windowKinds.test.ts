/** Windows without a folder, with one that is not trusted, and with one that is on no disk: what works, and what they say of the rest. */
import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { root } from '../../tools/provision.ts';
import { Editor } from '../support/editor.ts';
import { expect, expectNone } from '../support/expect.ts';
import { itInFull } from '../support/full.ts';
import { pictureAfterFailure } from '../support/tidy.ts';
import type { Workbench } from '../support/workbench.ts';

describe('a window', function () {
  this.timeout(400_000);
  let editor: Editor;
  let window: Workbench;
  let calls: string;

  before(async () => {
    editor = await Editor.start({
      signedIn: true,
      trustsFolders: false,
      extensions: [path.join(root, 'test/support/virtualFolder')],
      env: async (directory) => {
        // A git that writes down that it was run.
        calls = path.join(directory, 'git-calls');
        const folder = path.join(directory, 'bin');
        await mkdir(folder);
        await writeFile(
          path.join(folder, 'git'),
          `#!/bin/sh\necho "$@" >> '${calls}'\nPATH="$\{PATH#*:}" exec git "$@"\n`,
        );
        await chmod(path.join(folder, 'git'), 0o755);
        return { PATH: `${folder}:${process.env['PATH']}` };
      },
    });
  });

  pictureAfterFailure(() => window);

  afterEach(async () => {
    await window.close();
  });

  after(() => editor.close());

  const saying = (text: string | RegExp): Locator => window.quickInputWidget.getByText(text);
  const gitCalls = (): Promise<string> => readFile(calls, 'utf8').catch(() => '');

  const reviewed = (): Locator => window.webview.getByText(/(Signed off on|Requested changes to) /);

  /** Reads a patch from the view, and takes part in it: that works in every window. */
  async function readAndSignOff(): Promise<void> {
    await window.tree.expand('greetings');
    await window.tree.expand(/größer/);
    await window.tree.open('Greet people by name');
    await window.webview.locator('h1', { hasText: 'Greet people by name' }).waitFor();
    // Windows before this one have said something of it: what takes its place.
    const isSigned = await window.webview
      .getByRole('button', { name: 'Signed Off', exact: true })
      .isVisible();
    await window.runCommand(`Patch Stacks: ${isSigned ? 'Request Changes' : 'Sign Off Patch Anyway'}`);
    await reviewed().waitFor();
  }

  /** The message where no repository is open. */
  const noRepository = {
    tryIt: 'Open a folder with a Git repository first.',
    commit: 'No open repository contains the commit',
    sha: "Git isn't available here. Enter the full",
    feedback: 'Open a Git repository to attach it.',
  };

  /** Asks for everything that needs git: each says in a sentence what is missing. */
  async function askForGit(reasons: { tryIt: string; commit: string; sha: string; feedback: string }) {
    await window.runCommand('Patch Stacks: Try It on This Repository');
    await window.told(reasons.tryIt);
    await window.runCommand('Notifications: Clear All Notifications');
    await window.runCommand('Patch Stacks: Open Commit');
    await window.told(reasons.commit);
    await window.runCommand('Notifications: Clear All Notifications');

    await window.runCommand('Patch Stacks: Create Patch Stack');
    // Its project is that of the patch which is open.
    await saying('Create Patch Stack: greetings').waitFor();
    await window.quickPickRow('Enter a branch name…').waitFor();
    await expect(window.quickPickRows).toHaveCount(1);
    await window.page.keyboard.press('Escape');

    await window.runCommand('Patch Stacks: Create Release');
    await window.webview.getByLabel('Commit', { exact: true }).fill('main');
    await window.webview.getByLabel('Version', { exact: true }).focus();
    await window.webview.getByText(reasons.sha).waitFor();
    await window.runCommand('Patch Stacks: Send Feedback');
    await window.webview.getByText(reasons.feedback).waitFor();
  }

  /** Takes the way out that is offered where there is no repository to try it on. */
  async function openFolderInstead(): Promise<void> {
    await window.runCommand('Patch Stacks: Try It on This Repository');
    await window.answerNotification(noRepository.tryIt, 'Open Folder');
    await window.quickInput.waitFor();
    await window.page.keyboard.press('Escape');
  }

  // In every run: the test after it, and oneVerdict.test.ts, which reads and reviews without a folder.
  itInFull('without a folder does all but what needs a repository', async () => {
    window = await editor.openWindow({ folder: 'none' });
    await readAndSignOff();
    await expectNone(window.tree.row('This Workspace'), { once: reviewed() });
    await askForGit(noRepository);
    await openFolderInstead();
  });

  it('with a folder that is on no disk does the same, and suggests the version of its files', async () => {
    window = await editor.openWindow({ folder: 'virtual-folder:/project' });
    // With the sign-in that is handed in comes the stacks view, which would take the place of what is shown before.
    await window.tree.row('greetings').waitFor();
    await window.runCommand('View: Show Explorer');
    await window.page.getByRole('treeitem', { name: 'package.json' }).waitFor();
    await window.runCommand('View: Show Patch Stacks');
    await readAndSignOff();
    await expectNone(window.tree.row('This Workspace'), { once: reviewed() });
    await askForGit(noRepository);
    await window.runCommand('Patch Stacks: Create Release');
    // The form for feedback, which has such a button too, is shown until then.
    await window.webview.getByLabel('Version', { exact: true }).waitFor();
    // The text that a window before has left is not suggested here.
    await window.webview.getByRole('button', { name: 'Clear Form' }).click();
    await window.webview.getByText('4.5.6').first().waitFor();
    await openFolderInstead();
  });

  it('with a folder that is not trusted runs no git, until it is trusted', async () => {
    const before = await gitCalls();
    window = await editor.openWindow();
    await window.statusBarItem('Restricted Mode').waitFor();
    await window.runCommand('View: Show Patch Stacks');
    await readAndSignOff();
    await expectNone(window.tree.row('This Workspace'), { once: reviewed() });
    await askForGit({
      tryIt: "Git isn't run in untrusted folders. Trust the folder first.",
      commit: "Git isn't run in untrusted folders. Trust the folder first.",
      sha: "Git isn't run in untrusted folders. Enter the full",
      feedback: 'Trust the folder to attach',
    });
    await window.runCommand('Patch Stacks: Create Patch Stack');
    // Its project is that of the patch which is open.
    await saying('Create Patch Stack: greetings').waitFor();
    await saying("Git isn't run in untrusted folders").waitFor();
    await window.page.keyboard.press('Escape');
    assert.equal(await gitCalls(), before);

    await window.runCommand('Workspaces: Manage Workspace Trust');
    await window.page
      .locator('.workspace-trust-editor')
      .getByRole('button', { name: 'Trust' })
      .first()
      .click();
    await window.tree.row('This Workspace').waitFor();
    assert.notEqual(await gitCalls(), before);
  });
});
