/** *Try It on This Repository* in two windows on one repository: one local server, and the same data. */
import assert from 'node:assert/strict';
import type { RunningService } from '../../src/util/runningService.ts';
import { Editor } from '../support/editor.ts';
import { expect } from '../support/expect.ts';
import { localServers } from '../support/localServers.ts';
import { pictureAfterFailure } from '../support/tidy.ts';
import { until } from '../support/until.ts';
import type { Workbench } from '../support/workbench.ts';

describe('two windows on one repository', function () {
  this.timeout(400_000);
  let editor: Editor;
  let first: Workbench;
  let second: Workbench;

  before(async () => {
    // A window that asks now and then would learn of everything in the end.
    editor = await Editor.start({ settings: { 'patchStacks.refreshInterval': 0 } });
  });

  pictureAfterFailure(() => first);
  pictureAfterFailure(() => second);

  after(() => editor.close());

  /** The only local server that runs. */
  function running(): RunningService {
    const [server, ...others] = localServers(editor);
    assert.deepEqual(others, []);
    return server ?? assert.fail('no local server runs');
  }

  const openWindow = async (): Promise<Workbench> =>
    editor.openWindow({ context: await editor.openContext() });

  async function tryLocally(window: Workbench): Promise<void> {
    await window.page.getByRole('tab', { name: 'Patch Stacks' }).first().click();
    await window.tree.welcome.getByRole('button', { name: 'Try It on This Repository' }).click();
    await window.tree.expand('greetings');
    await window.tree.expand(/größer/i);
  }

  async function open(window: Workbench, patch: string): Promise<void> {
    await window.tree.open(patch);
    await window.webview.locator('.document:not(.beginning) h1', { hasText: patch }).waitFor();
  }

  const signedOff = (window: Workbench) => window.webview.locator('.reviewers', { hasText: 'Signed off by' });

  it('have one local server, and see what the other has written', async () => {
    first = await openWindow();
    await tryLocally(first);
    await open(first, 'Greet people by name');
    await first.runCommand('Patch Stacks: Sign Off Patch Anyway');
    await signedOff(first).waitFor();
    const { pid } = running();
    second = await openWindow();
    await tryLocally(second);
    assert.equal(running().pid, pid);
    await open(second, 'Greet people by name');
    await signedOff(second).waitFor();
  });

  it('go on with another one when it is killed, with all that was written', async () => {
    const { pid, url } = running();
    process.kill(pid, 'SIGKILL');
    await until(async () => running().pid !== pid);
    assert.equal(running().url, url);
    for (const [window, patch] of [
      [second, 'Call names people'],
      [first, 'Add a picture'],
    ] as const) {
      await window.runCommand('Patch Stacks: Refresh');
      await open(window, patch);
      await window.runCommand('Patch Stacks: Sign Off Patch Anyway');
      await signedOff(window).waitFor();
    }
    await second.runCommand('Patch Stacks: Refresh');
    await open(second, 'Add a picture');
    await expect(signedOff(second)).toHaveCount(1);
  });

  it('hear by themselves of what the other writes then, too', async () => {
    for (const window of [first, second]) {
      await open(window, 'Grüße auf 日本語 🎉');
    }
    await first.runCommand('Patch Stacks: Sign Off Patch Anyway');
    await signedOff(first).waitFor();
    await signedOff(second).waitFor();
  });
});
