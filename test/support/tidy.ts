import { inShort } from './windowConsole.ts';
import type { Workbench } from './workbench.ts';

/** After each test of a suite: keeps a picture of the window when it failed, what had the focus, what was shown and told, and the end of its console. */
export function pictureAfterFailure(window: () => Workbench): void {
  afterEach(async function () {
    // A test that is going to be tried once more has no state yet.
    if (this.currentTest?.state !== 'passed' && this.currentTest?.isPending() !== true) {
      console.log(`--- a picture: ${await window().screenshot(`failed-${Date.now()}`)}`);
      for (const element of await window().focusedElements()) {
        console.log(`--- focus: ${element}`);
      }
      for (const page of await window().shownPages()) {
        console.log(`--- shown: ${page}`);
      }
      for (const text of await window().allTold()) {
        console.log(`--- told: ${text}`);
      }
      for (const line of window().consoleLines.slice(-10)) {
        console.log(`--- console: ${inShort(line)}`);
      }
    }
  });
}

/** After each test of a suite: keeps a picture of the window when it failed, and puts away what lies over the window. */
export function tidyAfterEach(window: () => Workbench, { editors = false } = {}): void {
  pictureAfterFailure(window);
  afterEach(async () => {
    await window().page.keyboard.press('Escape');
    if (editors) {
      await window().closeAllEditors();
    }
    await window().clearNotifications();
  });
}
