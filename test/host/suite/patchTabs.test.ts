/** Which tabs patches are opened in by clicks on their rows. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ApiClient } from '../../../src/api/client.ts';
import { patchDocumentViewType } from '../../../src/contributions.ts';
import type { SectionRef } from '../../../src/util/patchRef.ts';
import { until } from '../../support/until.ts';

const service = JSON.parse(process.env['PATCH_STACKS_TEST_SERVICE'] ?? '{}') as {
  url: string;
  token: string;
};

describe('the tabs of patches', function () {
  this.timeout(180_000);
  const refs: SectionRef[] = [];
  const titles: string[] = [];

  const click = (nth: number): Thenable<unknown> =>
    vscode.commands.executeCommand('patchStacks.openPatch', refs[nth]);
  const documents = (): vscode.Tab[] =>
    vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .filter(
        ({ input }) =>
          input instanceof vscode.TabInputWebview && input.viewType.endsWith(patchDocumentViewType),
      );
  const labels = (): string[] => documents().map(({ label }) => label);
  /** Waits until a patch is in the tab that is active: by then VS Code has told in which group of editors that is. */
  const shown = (nth: number): Promise<void> =>
    until(async () => documents().some(({ label, isActive }) => isActive && label === titles[nth]));
  const closeAll = async (): Promise<void> => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await until(async () => documents().length === 0);
  };

  before(async () => {
    await vscode.extensions.getExtension('patch-stacks.patch-stacks')?.activate();
    await using client = new ApiClient({ serverUrl: service.url, getToken: async () => service.token });
    const [project] = (await client.projects.list()).items;
    const projectId = project?.repositoryId ?? '';
    const [stack] = (await client.stacks.list(projectId, { status: 'active' })).items;
    const { uuid, branchId = '' } = stack ?? assert.fail('There is no stack.');
    const { patches = [] } = await client.stacks.latestForBranch(projectId, branchId);
    for (const { changeId, title = '' } of patches) {
      titles.push(title);
      refs.push({ serverUrl: service.url, projectId, branchId, stackUuid: uuid, changeId });
    }
  });

  afterEach(closeAll);

  it('are kept by a second click at once', async () => {
    await Promise.all([click(0), click(0)]);
    await shown(0);
    await click(1);
    await shown(1);
    assert.deepEqual(labels(), [titles[0], titles[1]]);
  });

  it('are reused by clicks that come before VS Code has told where they are', async () => {
    await Promise.all([click(0), click(1), click(2)]);
    await shown(2);
    assert.deepEqual(labels(), [titles[2]]);
  });

  it('are not taken to the front late, where another row was clicked while VS Code was to fill one that it kept', async () => {
    // As VS Code keeps it, but for that it never fills it.
    const kept = vscode.window.createWebviewPanel(
      patchDocumentViewType,
      titles[0] ?? '',
      vscode.ViewColumn.One,
    );
    const front = vscode.window.createWebviewPanel('test.front', 'In front', vscode.ViewColumn.One);
    await until(async () => front.active && documents().length === 1);
    const late = click(0);
    await until(async () => kept.active);
    await click(1);
    await shown(1);
    await late;
    // Once VS Code tells of another tab, it has told what became of these.
    const next = vscode.window.createWebviewPanel('test.front', 'Next', vscode.ViewColumn.One);
    await until(async () => vscode.window.tabGroups.activeTabGroup.activeTab?.label === 'Next');
    assert.deepEqual(labels().sort(), [titles[0], titles[1]].sort());
    next.dispose();
    await shown(1);
  });

  it('are reused where what the first click has opened was closed before the second', async () => {
    await click(0);
    await until(async () => documents().length === 1);
    await closeAll();
    await click(0);
    await shown(0);
    await click(1);
    await shown(1);
    assert.deepEqual(labels(), [titles[1]]);
  });
});
