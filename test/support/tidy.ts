import assert from 'node:assert/strict';
import type { Workbench } from './workbench.ts';

/**
 * After each test of a suite: no page of ours has done what its own policy refuses. Not for suites that write: Chromium itself
 * gives text a style that replaces a selected word which had one, and says that it was refused.
 */
export function keepsItsPolicyAfterEach(window: () => Workbench): void {
  afterEach(() => {
    const broken = window().consoleLines.filter((line) => /Content Security Policy/i.test(line));
    assert.deepEqual(broken, [], 'a page does what its own policy refuses');
  });
}

/** After each test of a suite: keeps a picture of the window when it failed. */
export function pictureAfterFailure(window: () => Workbench): void {
  afterEach(async function () {
    // A test that is going to be tried once more has no state yet.
    if (this.currentTest?.state !== 'passed' && this.currentTest?.isPending() !== true) {
      console.log(`--- a picture: ${await window().screenshot(`failed-${Date.now()}`)}`);
    }
  });
}

/** After each test of a suite: keeps a picture of the window when it failed, and puts away what lies over the window. */
export function tidyAfterEach(window: () => Workbench, { editors = false } = {}): void {
  pictureAfterFailure(window);
  afterEach(async () => {
    await window().page.keyboard.press('Escape');
    if (editors) {
      await window().runCommand('View: Close All Editors');
      await window().editorTab('').first().waitFor({ state: 'detached' });
    }
    await window().runCommand('Notifications: Clear All Notifications');
  });
}
