/** The page of the stack that a window or a trial begins with: it comes by itself, over nothing that was opened meanwhile. */
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import * as vscode from 'vscode';
import { stackPageViewType, type StackRow } from '../../../src/contributions.ts';
import { Stacks } from '../../../src/stacks/stacks.ts';
import { isNothingOpen, stillInFront, tabInFront } from '../../../src/ui/inFront.ts';
import { PagePanel } from '../../../src/ui/pagePanel.ts';
import { until } from '../../support/until.ts';

const row = { projectId: '1', stack: { uuid: 'of-the-branch' } } as StackRow;

describe('the stack to begin with', function () {
  this.timeout(60_000);
  let found: PromiseWithResolvers<StackRow | undefined>;
  let shown: StackRow[];
  let isOpening: boolean;

  /** Begins with the stack of a view that has yet to find it. */
  function begin(isWanted: () => boolean): Promise<void> {
    const context = {
      view: { firstStack: () => found.promise, isOpening },
      page: { show: (one: StackRow) => shown.push(one) },
    };
    const stacks = new Stacks(context as unknown as ConstructorParameters<typeof Stacks>[0]);
    return stacks.openFirst(isWanted);
  }

  async function openPage(title: string): Promise<void> {
    const turn = await PagePanel.turn('test.first');
    const page = PagePanel.open(turn, title, { enableScripts: true });
    // Else others wait for it.
    page.setHtml(() => '<script>acquireVsCodeApi().postMessage(null)</script>');
    await until(async () => tabInFront()?.label === title);
  }

  beforeEach(() => {
    found = Promise.withResolvers();
    shown = [];
    isOpening = false;
  });

  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await until(async () => vscode.window.tabGroups.all.every(({ tabs }) => tabs.length === 0));
  });

  it('is shown where nothing is open, and beside what was in front all the time', async () => {
    for (const prepare of [async () => undefined, () => openPage('read all the time')]) {
      await prepare();
      const beginning = begin(stillInFront());
      found.resolve(row);
      await beginning;
    }
    assert.deepEqual(shown, [row, row]);
  });

  it('is shown where what was in front is closed meanwhile, and nothing else is open', async () => {
    await openPage('closed meanwhile');
    const beginning = begin(stillInFront());
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await until(async () => tabInFront() === undefined);
    found.resolve(row);
    await beginning;
    assert.deepEqual(shown, [row]);
  });

  it('does not cover what the person opens meanwhile', async () => {
    await openPage('in front before');
    const beginning = begin(stillInFront());
    await openPage('opened meanwhile');
    found.resolve(row);
    await beginning;
    assert.deepEqual(shown, []);
  });

  it('does not come before what was clicked, which would not be opened then', async () => {
    isOpening = true;
    found.resolve(row);
    await begin(stillInFront());
    assert.deepEqual(shown, []);
  });

  it('covers nothing in a window that has just started', async () => {
    const beginning = begin(isNothingOpen);
    await openPage('opened meanwhile');
    found.resolve(row);
    await beginning;
    assert.deepEqual(shown, []);
  });

  it('does not cover what the person opens while another page is being loaded', async () => {
    const loading = PagePanel.open(await PagePanel.turn(stackPageViewType), 'being loaded', {});
    let isWanted = true;
    const beginning = begin(() => isWanted);
    found.resolve(row);
    await setImmediate();
    isWanted = false;
    loading.dispose();
    await beginning;
    assert.deepEqual(shown, []);
  });

  it('is none where there is no stack', async () => {
    found.resolve(undefined);
    await begin(stillInFront());
    assert.deepEqual(shown, []);
  });
});
