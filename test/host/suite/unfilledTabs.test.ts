/** Tabs that VS Code has kept over a reload of the window: what is not done with them, and what is. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { PagePanel } from '../../../src/ui/pagePanel.ts';
import { closeUnfilled, giveWay, UnfilledTabs } from '../../../src/ui/unfilledTabs.ts';
import { until } from '../../support/until.ts';

const viewType = 'test.kept';

/** Opens a page that tells something: the next one would wait for that. */
async function openPage(kind: string, title: string): Promise<PagePanel> {
  const panel = PagePanel.open(await PagePanel.turn(kind), title, { enableScripts: true });
  panel.setHtml(() => '<script>acquireVsCodeApi().postMessage(null)</script>');
  return panel;
}

describe('tabs that are not filled yet', function () {
  this.timeout(60_000);
  let panels: PagePanel[];
  let filled: PagePanel[];
  let tabs: UnfilledTabs;

  const labels = (): string[] =>
    vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label)).sort();
  const active = (): string | undefined => vscode.window.tabGroups.activeTabGroup.activeTab?.label;

  /** Opens tabs as VS Code keeps them, the last of which is in front. */
  async function keep(...titles: string[]): Promise<void> {
    for (const title of titles) {
      panels.push(await openPage(viewType, title));
    }
    await until(async () => active() === titles.at(-1) && labels().length === panels.length);
  }

  /** Has a tab be filled as soon as VS Code shows it. */
  function fillOnceShown(panel: PagePanel): { isFilled: boolean } {
    const state = { isFilled: false };
    panel.onDidChangeViewState(() => {
      if (panel.active && !state.isFilled) {
        state.isFilled = true;
        filled.push(panel);
        tabs.noteFilled();
      }
    });
    return state;
  }

  beforeEach(() => {
    [panels, filled] = [[], []];
    tabs = new UnfilledTabs(viewType, () => filled);
  });

  afterEach(async () => {
    tabs.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('workbench.action.joinAllGroups');
    await until(async () => labels().length === 0);
  });

  it('are filled by being shown, and no other is', async () => {
    await keep('Wanted', 'Another', 'In front');
    filled = [panels[2]!];
    const state = fillOnceShown(panels[0]!);
    await tabs.fill('Wanted', () => state.isFilled);
    assert.equal(active(), 'Wanted');
    assert.deepEqual(filled, [panels[2], panels[0]]);
  });

  it('are found in another group of editors, too', async () => {
    await keep('Wanted', 'In front there', 'Elsewhere');
    await vscode.commands.executeCommand('workbench.action.moveEditorToNextGroup');
    await until(async () => vscode.window.tabGroups.all.length === 2 && active() === 'Elsewhere');
    filled = panels.slice(1);
    const state = fillOnceShown(panels[0]!);
    await tabs.fill('Wanted', () => state.isFilled);
    await until(async () => active() === 'Wanted');
    assert.equal(vscode.window.tabGroups.activeTabGroup.viewColumn, vscode.ViewColumn.One);
  });

  it('are looked at one after another where they are called the same, until the one that is wanted is there', async () => {
    await keep('Same', 'Same', 'In front');
    filled = [panels[2]!];
    const [other, wanted] = [fillOnceShown(panels[0]!), fillOnceShown(panels[1]!)];
    await tabs.fill('Same', () => wanted.isFilled);
    assert.deepEqual([other.isFilled, wanted.isFilled], [true, true]);
    assert.ok(panels[1]!.active);
  });

  it('are given up where VS Code fills none of them', async () => {
    await keep('Wanted', 'In front');
    filled = [panels[1]!];
    await tabs.fill('Wanted', () => false);
    assert.equal(active(), 'Wanted');
  });

  it('are left alone where what is wanted is there, is called otherwise, or all of them are filled', async () => {
    await keep('Wanted', 'In front');
    await tabs.fill('Wanted', () => true);
    await tabs.fill('Want', () => false);
    filled = [...panels];
    await tabs.fill('Wanted', () => false);
    // One of them has another title by now, of which VS Code hasn't told yet.
    const renamed = new UnfilledTabs(viewType, () => [{ title: 'Renamed' }, { title: 'In front' }]);
    await renamed.fill('Wanted', () => false);
    renamed.dispose();
    assert.equal(active(), 'In front');
  });

  it('are closed for one that takes their place, but not while they are looked at', async () => {
    await keep('Kept', 'In front');
    const other = await openPage('test.other', 'Of another kind');
    await until(async () => active() === 'Of another kind');
    await closeUnfilled(viewType);
    await until(async () => labels().join() === 'Of another kind');
    other.dispose();
    panels = [];
    await keep('Kept', 'Looked at');
    await closeUnfilled(viewType);
    await until(async () => labels().join() === 'Looked at');
  });

  it('give way to what is open by then, which is shown to whoever has looked at them', async () => {
    await keep('Open', 'Kept');
    giveWay(panels[1]!, () => panels[0]!.reveal());
    await until(async () => labels().join() === 'Open' && active() === 'Open');
    panels.pop();
    await keep('Kept', 'In front');
    giveWay(panels[1]!, () => assert.fail('Nobody has looked at it.'));
    await until(async () => labels().join() === 'In front,Open');
    assert.equal(active(), 'In front');
  });
});
