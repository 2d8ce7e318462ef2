/** Two people with a clone each, who share their reviews through the remote of both, and no server but their own. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { personOf } from '../../src/service/sharing/operations.ts';
import { Editor, errorsWhileTyping } from '../support/editor.ts';
import { git } from '../support/exampleRepository.ts';
import { expect, expectNone } from '../support/expect.ts';
import { whileServersHalt } from '../support/localServers.ts';
import { plantLog } from '../support/plantedLog.ts';
import { pictureAfterFailure } from '../support/tidy.ts';
import { patienceMs, until } from '../support/until.ts';
import type { Workbench } from '../support/workbench.ts';

const patch = 'Greet people by name';

describe('sharing reviews through a remote', function () {
  this.timeout(400_000);
  // One story: after a chapter that fails, each of the others would wait for what it has not done.
  this.bail(true);
  let editor: Editor;
  let ada: Workbench;
  let bob: Workbench;
  let remote: string;
  let bobsClone: string;

  before(async () => {
    editor = await Editor.start({
      expectedErrors: errorsWhileTyping,
      // A window that asks now and then would learn of everything in the end.
      settings: { 'patchStacks.refreshInterval': 0 },
    });
    remote = path.join(editor.directory, 'origin');
    git(remote, 'config', 'core.bare', 'true');
    bobsClone = path.join(editor.directory, 'bobs');
    git(editor.directory, 'clone', '--quiet', '--branch', 'main', remote, bobsClone);
    git(bobsClone, 'config', 'user.name', 'Bob Meyer');
    git(bobsClone, 'config', 'user.email', 'bob@example.org');
    ada = await editor.openWindow();
    bob = await editor.openWindow({ folder: bobsClone });
  });

  pictureAfterFailure(() => ada);
  pictureAfterFailure(() => bob);
  after(() => editor.close());

  const project = (window: Workbench, name: string | RegExp, saying: string | RegExp): Locator =>
    window.tree.row(name).filter({ hasText: saying });
  const section = (window: Workbench, text: string): Locator =>
    window.webview.locator('section.section').filter({ hasText: text }).first();
  /** Waits until a section has these words, where it is compared with what the person last read as well. */
  async function shows(window: Workbench, words: string): Promise<void> {
    const sections = window.webview.locator('section.section');
    await until(async () => {
      const texts = await sections.evaluateAll((all) =>
        all.map((one) => {
          const now = one.cloneNode(true) as HTMLElement;
          now.querySelectorAll('del').forEach((gone) => gone.remove());
          return now.textContent.replaceAll(/\s+/g, ' ');
        }),
      );
      return texts.some((text) => text.includes(words));
    });
  }

  /** The logs at the remote, each with its end. */
  const shared = (): string[] =>
    git(remote, 'for-each-ref', '--format=%(refname) %(objectname)', 'refs/patch-stacks/v1')
      .split('\n')
      .filter(Boolean);
  /** The log of a device of which there is a lot to take in. */
  const longLog = 'c'.repeat(16);
  /** What is shared, but for that. */
  const operations = (): string =>
    shared()
      .filter((line) => !line.includes(longLog))
      .map((line) => line.split(' ')[1] ?? '')
      .flatMap((tip) => git(remote, 'rev-list', '--first-parent', tip).trim().split('\n'))
      .map((commit) => git(remote, 'show', `${commit}:operations`))
      .join('\n');

  async function tryLocally(window: Workbench): Promise<void> {
    await window.page.getByRole('tab', { name: 'Patch Stacks' }).click();
    await window.runCommand('Patch Stacks: Try It on This Repository');
  }

  const offer = 'You can review these patch stacks with your team, without a server';

  /** Says yes to what is asked before anything is shared. */
  async function agree(window: Workbench, picture?: string): Promise<void> {
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
    // Whoever has not said no may hear of it once.
    await ada.answerNotification(offer, 'Share Reviews…');
    assert.deepEqual(shared(), [], 'nothing is shared before somebody has read what is');
    await agree(ada, 'sharing-question');
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
    await bob.told(offer);
    await bob.clearNotifications();
    await bob.runCommand('Patch Stacks: Share Reviews…');
    await agree(bob);
    await project(bob, 'bobs', /shared/).waitFor();
    await bob.runCommand('Patch Stacks: Share Now');
    await open(bob);
    await section(bob, 'Ada was here.').waitFor();
    await bob.webview.locator('.reviewers', { hasText: /Signed off by.*Ada/ }).waitFor();
    await bob.screenshot('sharing-others');
  });

  it('says why a push was refused, and loses nothing', async () => {
    const hook = path.join(remote, '.git', 'hooks', 'pre-receive');
    mkdirSync(path.dirname(hook), { recursive: true });
    writeFileSync(hook, '#!/bin/sh\necho "Not on a Friday." >&2\nexit 1\n');
    chmodSync(hook, 0o755);
    await write(bob, 'Ada was here.', ' Bob, too.');
    await project(bob, 'bobs', 'refused by a hook: 1 change to share').waitFor();
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
    assert.deepEqual(
      (await bob.allTold()).filter((text) => text.includes(offer)),
      [],
      'it is offered once',
    );
  });

  it('pushes again what the remote has lost, once the person says so', async () => {
    const before = shared();
    for (const line of before) {
      git(remote, 'update-ref', '-d', line.split(' ')[0] ?? '');
    }
    await ada.runCommand('Patch Stacks: Share Now');
    await project(ada, 'greetings', 'gone from the remote').waitFor();
    assert.deepEqual(shared(), []);
    await ada.answerNotification('no longer in "origin"', 'Push Again');
    await project(ada, 'greetings', /shared (this minute|\d)/).waitFor();
    assert.deepEqual(shared(), before);
  });

  it('sets aside what Git does not take of somebody, names them once, and hides that', async () => {
    const own = shared().map((line) => line.split(' ') as [string, string]);
    const [ref, tip] =
      own.find(([, one]) => git(remote, 'log', '-1', '--format=%ae', one).includes('bob@')) ?? [];
    assert.ok(ref !== undefined && tip !== undefined);
    const tree = git(remote, 'rev-parse', `${tip}^{tree}`).trim();
    const who = 'x <x@example.org> 1 +0000';
    const commit = `tree ${tree}\nparent ${tip}\nauthor ${who}\nauthor ${who}\ncommitter ${who}\n\nx\n`;
    const file = path.join(editor.directory, 'commit');
    writeFileSync(file, commit);
    git(
      remote,
      'update-ref',
      ref,
      git(remote, 'hash-object', '--literally', '-t', 'commit', '-w', file).trim(),
    );
    await ada.runCommand('Patch Stacks: Share Now');
    await ada.told('Some changes shared by Bob Meyer were ignored');
    await ada.screenshot('sharing-left-out');
    await ada.answerNotification('Some changes shared by Bob Meyer were ignored', "Don't Show Again");
    await ada.runCommand('Patch Stacks: Share Now');
    await project(ada, 'greetings', /shared (this minute|\d)/).waitFor();
    assert.doesNotMatch((await ada.allTold()).join(' '), /were ignored/);
    git(remote, 'update-ref', ref, tip);
  });

  it('says whose changes are still taken in where there is a lot of them, as long as that lasts', async () => {
    const carl = { type: 'person', name: 'Carl Long', email: 'carl@example.org' };
    const many = Array.from({ length: 20_000 }, () => ({ type: 'x' }));
    const writer = { person: personOf(carl.email), device: longLog };
    plantLog(remote, writer, [carl], ...Array.from({ length: 10 }, () => many));
    await ada.runCommand('Patch Stacks: Share Now');
    const hover = ada.page.locator('.workbench-hover');
    const showHover = async (saying: string | RegExp, expected: string): Promise<void> => {
      // It goes when the row is drawn again; a look that waits for what has gone meanwhile is given up.
      await expect(async () => {
        await ada.page.mouse.move(900, 500);
        await project(ada, 'greetings', saying).locator('.label-name').hover({ timeout: 1_000 });
        await hover.getByText(expected).waitFor({ timeout: 1_000 });
      }).toPass({ timeout: patienceMs });
    };
    await project(ada, 'greetings', 'taking in changes…').waitFor();
    // Some machines take it in sooner than somebody can look.
    await whileServersHalt(editor, async () => {
      await showHover('taking in changes…', 'Still taking in what Carl Long');
      await ada.screenshot('sharing-taking-in');
    });
    await project(ada, 'greetings', /shared (this minute|\d)/).waitFor();
    await showHover(/shared (this minute|\d)/, 'Last shared');
    await expect(hover.getByText('Still taking in')).toHaveCount(0);
    await ada.page.mouse.move(900, 500);
  });

  /** Has another device write a text in Ada's name, behind the one that she has written, as whoever may push can. */
  function speakAsAda(words: string): void {
    const said =
      operations()
        .split('\n')
        .find((line) => line.includes('Ada was here.')) ?? assert.fail();
    const { branch, change, commit } = JSON.parse(said) as Record<string, string>;
    const [, person] =
      shared()
        .map((line) => line.split(/[/ ]/))
        .map(([, , , person, , tip]) => [tip, person] as const)
        .find(([tip]) => !git(remote, 'log', '-1', '--format=%ae', tip!).includes('bob@')) ?? assert.fail();
    const device = 'e'.repeat(16);
    const text = { type: 'text', branch, change, commit, section: 'e'.repeat(16), text: words };
    plantLog(remote, { person: person!, device }, [{ ...text, over: [], after: null }]);
  }

  it('asks whether a device is one of hers that shares in her name, and shows nothing of it before', async () => {
    speakAsAda('Said by another device.');
    await ada.runCommand('Patch Stacks: Share Now');
    await ada.told('Another device shares reviews in your name (eeeeeeeeeeeeeeee).');
    await ada.screenshot('sharing-another-device');
    await expectNone(section(ada, 'Said by another device.'), { once: section(ada, 'Ada was here.') });
    await ada.answerNotification('Another device shares reviews in your name', 'This Is Mine');
    await section(ada, 'Said by another device.').waitFor();
  });

  const asked = '2 versions were written at the same time. This is yours.';

  /** Has both write behind the same words while the remote is away, and then share. */
  async function conflict(words: string, ofAda: string, ofBob: string): Promise<void> {
    const away = `${remote}-away`;
    renameSync(remote, away);
    await write(ada, words, ofAda);
    await write(bob, words, ofBob);
    await project(ada, 'greetings', 'offline: 1 change to share').waitFor();
    await project(bob, 'bobs', 'offline: 1 change to share').waitFor();
    await ada.screenshot('sharing-offline');
    renameSync(away, remote);
    await ada.runCommand('Patch Stacks: Share Now');
    await until(async () => operations().includes(ofAda));
    await bob.runCommand('Patch Stacks: Share Now');
    await until(async () => operations().includes(ofBob));
    await ada.runCommand('Patch Stacks: Share Now');
    // Each is shown their own.
    for (const [window, own, other] of [
      [ada, ofAda, ofBob],
      [bob, ofBob, ofAda],
    ] as const) {
      const shown = section(window, asked);
      await shown.filter({ hasText: own }).waitFor();
      await expect(shown.filter({ hasText: other })).toHaveCount(0);
    }
  }

  /** Waits until the merge editor shows both sides of a conflict, and nothing is resolved. */
  async function bothSides(window: Workbench): Promise<Locator> {
    const result = window.page.locator('.merge-editor .code-view.result');
    await result.getByText('1 Conflict Remaining').waitFor();
    const other = window === ada ? 'Bob Meyer' : 'Ada Löwe';
    await window.page.locator('.merge-editor').getByText(other, { exact: true }).waitFor();
    await window.page.locator('.merge-editor').getByText('Shown Version', { exact: true }).waitFor();
    return result;
  }

  async function everybodyHas(words: string): Promise<void> {
    await until(async () => operations().includes(words));
    for (const window of [ada, bob]) {
      await window.runCommand('Patch Stacks: Share Now');
      await section(window, words).waitFor();
      await expect(section(window, asked)).toHaveCount(0);
    }
  }

  it('shows both what both wrote while the remote was away, and has either resolve it in the merge editor, for everybody', async () => {
    await conflict('Bob, too.', ' Ada, offline.', ' Bob, offline.');
    await bob.screenshot('sharing-conflict');
    await section(bob, asked).getByRole('button', { name: 'Resolve…' }).click();
    const result = await bothSides(bob);
    await bob.screenshot('sharing-merge-editor');
    // Who has only looked at it has changed nothing.
    await bob.page.keyboard.press('Control+S');
    await bob.page.locator('.tab.dirty').waitFor({ state: 'detached' });
    await bob.runCommand('View: Close Editor');
    await bob.page.getByRole('button', { name: 'Close with Conflicts' }).click();
    await bob.page.locator('.merge-editor').waitFor({ state: 'detached' });
    await bob.page.getByRole('button', { name: '1 unsent change' }).waitFor({ state: 'detached' });
    await section(bob, asked).getByRole('button', { name: 'Resolve…' }).click();
    await bothSides(bob);
    await bob.page.getByRole('button', { name: /^Accept Combination \(Ada Löwe First\)/ }).click();
    await result.getByText('0 Conflicts Remaining').waitFor();
    await bob.page.getByRole('button', { name: 'Resolve Conflict' }).click();
    await bob.page.locator('.merge-editor').waitFor({ state: 'detached' });
    await everybodyHas('Ada, offline. Bob, offline.');
  });

  it('has a conflict resolved from the keyboard, too', async () => {
    await conflict('Bob, offline.', ' Ada again.', ' Bob again.');
    await section(ada, asked).getByRole('button', { name: 'Resolve…' }).focus();
    await ada.page.keyboard.press('Enter');
    const result = await bothSides(ada);
    await result.locator(':focus').waitFor();
    await ada.page.keyboard.press('Control+A');
    await ada.page.keyboard.insertText('Ada and Bob by keyboard.');
    await result.getByText('0 Conflicts Remaining').waitFor();
    await ada.runCommand('Patch Stacks: Resolve Conflict');
    await ada.page.locator('.merge-editor').waitFor({ state: 'detached' });
    await everybodyHas('Ada and Bob by keyboard.');
  });

  it('keeps both while somebody goes on writing in the section, until one of them decides', async () => {
    await conflict('Ada and Bob by keyboard.', ' Ada once more.', ' Bob once more.');
    await write(bob, ' Bob once more.', ' Bob goes on.');
    await until(async () => operations().includes('Bob goes on.'));
    // What she shares, she shares having seen that.
    await write(ada, ' Ada once more.', ' Ada goes on.');
    await until(async () => operations().includes('Ada goes on.'));
    await section(bob, asked).filter({ hasText: 'Bob once more. Bob goes on.' }).waitFor();
    await section(ada, asked).filter({ hasText: 'Ada once more. Ada goes on.' }).waitFor();
    await section(ada, asked).getByRole('button', { name: 'Resolve…' }).click();
    const result = await bothSides(ada);
    await ada.page.locator('.merge-editor').getByText('Bob goes on.').waitFor();
    await result.locator(':focus').waitFor();
    await ada.page.keyboard.press('Control+A');
    await ada.page.keyboard.insertText('Decided: Ada and Bob, too.');
    await result.getByText('0 Conflicts Remaining').waitFor();
    await ada.runCommand('Patch Stacks: Resolve Conflict');
    await ada.page.locator('.merge-editor').waitFor({ state: 'detached' });
    await everybodyHas('Decided: Ada and Bob, too.');
  });

  it('shows what others have shared, by itself: in the rows, and in the patch that is open', async () => {
    await bob.tree.expand(patch);
    await bob.tree.row(/^Decided/).waitFor();
    await write(ada, 'Decided:', ' By itself.');
    await until(async () => operations().includes('By itself.'));
    // Nobody waits for the minute: with what somebody changes, they are shown what has come meanwhile.
    await bob.runCommand('Patch Stacks: Request Changes');
    await bob.tree.row(/By itself\./).waitFor();
    await shows(bob, 'Bob, too. By itself.');
  });

  it('shows requested changes to the author', async () => {
    await until(async () => operations().includes('changes_requested'));
    await write(ada, 'By itself.', ' Ada.');
    await ada.webview.locator('.reviewers', { hasText: /Changes requested by.*Bob/ }).waitFor();
  });

  it('shows a new version to both, by itself, with the texts and words of the one before', async () => {
    const pushed = editor.repository;
    writeFileSync(path.join(pushed, 'more.txt'), 'More.\n');
    git(pushed, 'add', 'more.txt');
    git(pushed, 'commit', '--quiet', '-m', 'Say more');
    await ada.tree.row(/Say more/).waitFor();
    git(pushed, 'push', '--quiet', 'origin', 'HEAD');
    const before = git(bobsClone, 'for-each-ref');
    await bob.runCommand('Patch Stacks: Share Now');
    await bob.tree.row(/Say more/).waitFor();
    assert.equal(git(bobsClone, 'for-each-ref'), before, "Bob's own clone is as it was");
    for (const window of [ada, bob]) {
      await window.tree.open(patch);
      // The version before is there until the new one is.
      await window.webview.getByText('Patch 1 of 6', { exact: true }).waitFor();
      await shows(window, 'Decided: Ada and Bob, too. By itself. Ada.');
      await window.webview.locator('.reviewers', { hasText: /Changes requested by.*Bob/ }).waitFor();
    }
    await bob.screenshot('sharing-new-version');
  });

  it('pushes nothing more when somebody stops it, and keeps everything', async () => {
    await ada.runCommand('Patch Stacks: Stop Sharing Reviews');
    await ada.told('Stopped sharing reviews.');
    await project(ada, 'greetings', /shared/).waitFor({ state: 'detached' });
    await write(ada, 'Decided:', ' Only for me.');
    await section(ada, 'Only for me.').waitFor();
    const before = shared().length;
    // Long enough for what Ada wrote, too, had it been shared.
    await open(bob);
    await write(bob, 'Decided:', ' And on.');
    await until(async () => operations().includes('And on.'));
    assert.doesNotMatch(operations(), /Only for me/);
    assert.equal(shared().length, before);
    await ada.screenshot('sharing-stopped');
  });
});
