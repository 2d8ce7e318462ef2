import type { Workbench } from './workbench.ts';

/** After each test of a suite: keeps a picture of the window when it failed, and puts away what lies over the window. */
export function tidyAfterEach(window: () => Workbench): void {
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') {
      console.log(`--- a picture: ${await window().screenshot(`failed-${Date.now()}`)}`);
    }
    await window().page.keyboard.press('Escape');
    await window().runCommand('Notifications: Clear All Notifications');
  });
}
