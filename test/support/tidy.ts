import { inShort } from './windowConsole.ts';
import type { Workbench } from './workbench.ts';

/**
 * After each test of a suite: keeps a picture of the window when it failed, what had the focus, what was shown and told, and the end of its
 * console. A window that is not open yet has none of it.
 */
export function pictureAfterFailure(window: () => Workbench | undefined): void {
  afterEach(async function () {
    const shown = window();
    // A test that is going to be tried once more has no state yet.
    if (!shown || this.currentTest?.state === 'passed' || this.currentTest?.isPending() === true) {
      return;
    }
    console.log(`--- a picture: ${await shown.screenshot(`failed-${Date.now()}`)}`);
    for (const element of await shown.focusedElements()) {
      console.log(`--- focus: ${element}`);
    }
    for (const page of await shown.shownPages()) {
      console.log(`--- shown: ${page}`);
    }
    for (const text of await shown.allTold()) {
      console.log(`--- told: ${text}`);
    }
    for (const line of shown.consoleLines.slice(-10)) {
      console.log(`--- console: ${inShort(line)}`);
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
