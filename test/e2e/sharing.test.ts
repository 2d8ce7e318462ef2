/** Two people with a clone each, who share their reviews through the remote of both, and no server but their own. */
import assert from 'node:assert/strict';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { Editor, errorsWhileTyping } from '../support/editor.ts';
import { git } from '../support/exampleRepository.ts';
import { pictureAfterFailure } from '../support/tidy.ts';
import { until } from '../support/until.ts';
import type { Workbench } from '../support/workbench.ts';

const patch = 'Greet people by name';

describe('sharing reviews through a remote', function () {
  this.timeout(180_000);
  let editor: Editor;
  let ada: Workbench;
  let bob: Workbench;
  let remote: string;

  before(async () => {
    editor = await Editor.start({ expectedErrors: errorsWhileTyping });
    remote = path.join(editor.directory, 'origin');
    git(remote, 'config', 'core.bare', 'true');
    const clone = path.join(editor.directory, 'bobs');
    git(editor.directory, 'clone', '--quiet', '--branch', 'main', remote, clone);
    git(clone, 'config', 'user.name', 'Bob Meyer');
    git(clone, 'config', 'user.email', 'bob@example.org');
    ada = await editor.openWindow();
    bob = await editor.openWindow({ folder: clone });
  });

  pictureAfterFailure(() => ada);
  pictureAfterFailure(() => bob);
  after(() => editor.close());

  const project = (window: Workbench, name: string | RegExp, saying: string | RegExp): Locator =>
    window.tree.row(name).filter({ hasText: saying });
  const section = (window: Workbench, text: string): Locator =>
    window.webview.locator('section.section').filter({ hasText: text }).first();
  /** The logs at the remote, each with its end. */
  const shared = (): string[] =>
    git(remote, 'for-each-ref', '--format=%(refname) %(objectname)', 'refs/patch-stacks')
      .split('\n')
      .filter(Boolean);
  const operations = (): string =>
    shared()
      .map((line) => line.split(' ')[1] ?? '')
      .flatMap((tip) => git(remote, 'rev-list', '--first-parent', tip).trim().split('\n'))
      .map((commit) => git(remote, 'show', `${commit}:operations`))
      .join('\n');

  async function tryLocally(window: Workbench): Promise<void> {
    await window.page.getByRole('tab', { name: 'Patch Stacks' }).click();
    await window.runCommand('Patch Stacks: Try It on This Repository');
  }

  async function share(window: Workbench, picture?: string): Promise<void> {
    await window.runCommand('Patch Stacks: Share Reviews…');
    const dialog = window.page.locator('.monaco-dialog-box');
    await dialog.getByText(`They go to ${remote}`).waitFor();
    if (picture !== undefined) {
      await window.screenshot(picture);
    }
    await dialog.getByRole('button', { name: 'Share', exact: true }).click();
  }

  async function open(window: Workbench): Promise<void> {
    await window.tree.expand(/größer/i);
    await window.tree.open(patch);
    await window.webview.locator('.document:not(.beginning) h1', { hasText: patch }).waitFor();
  }

  /** Writes words at the end of a section. */
  async function write(window: Workbench, of: string, words: string): Promise<void> {
    await section(window, of).dblclick();
    const source = window.webview.locator('.cm-content');
    await source.and(window.webview.locator(':focus')).waitFor();
    await window.page.keyboard.press('Control+End');
    await window.page.keyboard.type(words);
    await window.page.keyboard.press('Control+Enter');
    await source.waitFor({ state: 'detached' });
  }

  it('begins when somebody says yes, and not before', async () => {
    await tryLocally(ada);
    await ada.tree.expand('greetings');
    await open(ada);
    assert.deepEqual(shared(), []);
    await share(ada, 'sharing-question');
    await project(ada, 'greetings', /shared/).waitFor();
    assert.equal(shared().length, 1);
  });

  it('shares what somebody writes and says, by itself', async () => {
    await write(ada, 'rude', ' Ada was here.');
    await ada.runCommand('Patch Stacks: Sign Off Patch Anyway');
    await ada.webview.locator('.reviewers', { hasText: 'Signed off by' }).waitFor();
    await until(async () => operations().includes('signed_off') && operations().includes('Ada was here.'));
    await ada.screenshot('sharing-shared');
  });

  it('shows it to somebody else, who has no branch of their own', async () => {
    await tryLocally(bob);
    await bob.tree.expand('bobs');
    await share(bob);
    await project(bob, 'bobs', /shared/).waitFor();
    await bob.runCommand('Patch Stacks: Share Now');
    await open(bob);
    await section(bob, 'Ada was here.').waitFor();
    await bob.webview.locator('.reviewers', { hasText: /Signed off by.*Ada/ }).waitFor();
    await bob.screenshot('sharing-others');
  });

  it('says why a push was refused, and loses nothing', async () => {
    const hook = path.join(remote, '.git', 'hooks', 'pre-receive');
    writeFileSync(hook, '#!/bin/sh\necho "Not on a Friday." >&2\nexit 1\n');
    chmodSync(hook, 0o755);
    await write(bob, 'Ada was here.', ' Bob, too.');
    await project(bob, 'bobs', '1 change to share: refused by a hook').waitFor();
    await bob.told('a hook of "origin" refused them. Nothing is lost');
    await bob.screenshot('sharing-refused');
    assert.doesNotMatch(operations(), /Bob, too/);
    rmSync(hook);
    await bob.answerNotification('a hook of "origin" refused them', 'Share Now');
    await project(bob, 'bobs', /shared (this minute|\d)/).waitFor();
    assert.match(operations(), /Bob, too/);
    await ada.runCommand('Patch Stacks: Share Now');
    await section(ada, 'Bob, too.').waitFor();
  });

  it('goes on after the window was loaded again', async () => {
    await bob.reload();
    await project(bob, 'bobs', /shared/).waitFor();
  });

  it('pushes nothing more when somebody stops it, and keeps everything', async () => {
    await ada.runCommand('Patch Stacks: Stop Sharing Reviews');
    await ada.told('Stopped sharing reviews.');
    await project(ada, 'greetings', /shared/).waitFor({ state: 'detached' });
    await write(ada, 'Bob, too.', ' Only for me.');
    await section(ada, 'Only for me.').waitFor();
    const before = shared().length;
    // Long enough for what Ada wrote, too, had it been shared.
    await open(bob);
    await write(bob, 'Bob, too.', ' And on.');
    await until(async () => operations().includes('And on.'));
    assert.doesNotMatch(operations(), /Only for me/);
    assert.equal(shared().length, before);
    await ada.screenshot('sharing-stopped');
  });
});
