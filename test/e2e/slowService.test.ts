/** Pages that are opened while the service takes its time: each has an answer at once, and none is blank. */
import assert from 'node:assert/strict';
import { Editor } from '../support/editor.ts';
import { FaultServer, stalledHeaders } from '../support/faultServer.ts';
import { forwardTo, reachedThrough } from '../support/forward.ts';
import { pictureAfterFailure } from '../support/tidy.ts';
import { until } from '../support/until.ts';
import type { Workbench } from '../support/workbench.ts';

describe('a page that is opened while the service takes its time', function () {
  this.timeout(400_000);
  let editor: Editor;
  let proxy: FaultServer;
  let window: Workbench;
  let serviceUrl: string;
  const blank: string[] = [];

  before(async () => {
    proxy = await FaultServer.start();
    const pass = reachedThrough(proxy);
    editor = await Editor.start({
      signedIn: true,
      reachedAt: (url) => {
        serviceUrl = url;
        return pass(url);
      },
    });
    window = await editor.openWindow();
    await window.tree.expand('greetings');
    await window.tree.expand(/größer/i);
    await window.tree.row('Greet people by name').waitFor();
    window.page.on('console', (message) => {
      if (message.text().startsWith('blank page')) {
        blank.push(message.text());
      }
    });
    await window.page.addInitScript(() => {
      const frame = globalThis.frameElement as HTMLElement | null;
      let told = false;
      const look = (): void => {
        // VS Code hides a page until it is loaded, and leaves one that is replaced behind.
        const isShown = frame?.id === 'active-frame' && frame.style.visibility !== 'hidden';
        if (isShown && !told && document.body.textContent.trim() === '') {
          told = true;
          console.log(`blank page ${document.body.outerHTML.slice(0, 200)}`);
        }
        // Whatever waits for a frame is gone once VS Code writes the page.
        setTimeout(look);
      };
      look();
    });
    await window.tree.open('Greet people by name');
    await window.webview
      .getByTitle(/^Show ada/)
      .first()
      .waitFor();
  });

  pictureAfterFailure(() => window);

  after(async () => {
    await editor.close();
    await proxy.stop();
  });

  it('is the next patch in a tab of its own, when the one before was closed meanwhile', async () => {
    const gate = Promise.withResolvers<undefined>();
    const forward = forwardTo(serviceUrl);
    const title = (text: string) => window.webview.locator('.document:not(.beginning) h1', { hasText: text });
    await title('Greet people by name').waitFor();
    // What is read of patches that nobody opens says so.
    const opened = (): string[] =>
      proxy.seen.flatMap(({ url, headers }) =>
        /\/patch\/[^/]+$/.test(url) && headers['sec-purpose'] === undefined ? url : [],
      );
    const [shown] = opened();
    proxy.use(async (...request) => {
      await gate.promise;
      await forward(...request);
    });
    await window.runCommand('Patch Stacks: Next Patch');
    await until(async () => opened().some((url) => url !== shown));
    await window.closeEditor();
    // By the time that it says something else, the extension host has heard of that.
    await window.runCommand('Patch Stacks: Show Unsent Changes');
    await window.page.getByPlaceholder('No unsent changes.').waitFor();
    await window.page.keyboard.press('Escape');
    gate.resolve(undefined);
    await title('Call names people').waitFor();
    await window.runCommand('Patch Stacks: Previous Patch');
    await title('Greet people by name').waitFor();
  });

  /** Each with how it is opened, and with words that it has before the service has answered. */
  const pages: Record<string, { open: () => Promise<unknown>; words: string | RegExp }> = {
    'the card of a user': {
      open: () =>
        window.webview
          .getByTitle(/^Show ada/)
          .first()
          .click(),
      words: 'Loading the profile…',
    },
    'the page of a patch stack': {
      open: () => window.tree.open(/größer/i),
      words: /größer|Loading the patch stack…/,
    },
    'its document': {
      open: () => window.runCommand('Patch Stacks: Open Patch Stack as One Document'),
      words: /Loading the patch/,
    },
    'a patch document': {
      open: () => window.tree.open('Add a picture'),
      words: 'Loading the patch…',
    },
    'the statuses': {
      open: () => window.tree.chooseFromMenu(/größer/i, 'Show Patch Statuses'),
      words: 'Loading the patch statuses…',
    },
    'the profile': {
      open: () => window.runCommand('Patch Stacks: Edit Profile'),
      words: 'Loading the profile…',
    },
    'the form for a release': {
      open: () => window.runCommand('Patch Stacks: Create Release'),
      words: /Create Release|Loading the form…/,
    },
    'the form for feedback': {
      open: () => window.runCommand('Patch Stacks: Send Feedback'),
      words: /Message|Loading the form…/,
    },
  };

  describe('has words from its first moment on:', () => {
    // Last: what has not been answered is not asked for again until that has taken too long.
    before(() => proxy.use(stalledHeaders));

    for (const [name, { open, words }] of Object.entries(pages)) {
      it(name, async () => {
        await open();
        await window.webview.getByText(words).first().waitFor();
        assert.deepEqual(blank.splice(0), []);
        await window.closeAllEditors();
      });
    }
  });
});
