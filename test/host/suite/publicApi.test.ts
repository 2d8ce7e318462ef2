import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { Change, PatchStacksApi, PatchStacksExports } from '../../../src/publicApi/patchStacks.ts';

describe('the interface for other extensions', () => {
  let api: PatchStacksApi;

  before(async () => {
    const extension = vscode.extensions.getExtension<PatchStacksExports>('patch-stacks.patch-stacks');
    assert.ok(extension);
    api = (await extension.activate()).getApi(1);
    for (const end = Date.now() + 10_000; api.server === undefined && Date.now() < end;) {
      await delay(50);
    }
  });

  it('has one version', () => {
    const { exports } = vscode.extensions.getExtension<{ getApi: (version: number) => unknown }>(
      'patch-stacks.patch-stacks',
    )!;
    assert.throws(() => exports.getApi(2), /no interface of version 2/);
    assert.equal(exports.getApi(1), api);
  });

  it('reads projects, patch stacks, patches and sections', async () => {
    assert.match(api.server ?? '', /^http:\/\/127\.0\.0\.1:\d+\/api$/);
    const [project] = await api.projects();
    assert.ok(project?.id);
    const stacks = await api.stacks(project.id);
    const [stack] = stacks;
    assert.ok(stack?.uuid);
    assert.equal(stack.projectId, project.id);
    assert.deepEqual(await api.stacks(project.id, 'closed'), []);
    const patches = await api.patches(project.id, stack.uuid);
    const [first] = patches;
    assert.ok(first?.changeId);
    const patch = await api.patch(stack.uuid, first.changeId);
    assert.equal(patch.title, first.title);
    const diff = patch.sections.find(({ kind }) => kind === 'diff');
    assert.match(diff?.diff ?? '', /^@@/m);
    assert.ok(diff?.path);
    assert.deepEqual(await api.patches(project.id, 'no-such-stack'), []);
    await assert.rejects(api.patch(stack.uuid, 'no-such-patch'));
  });

  it('hands out copies that no one can change', async () => {
    const [project] = await api.projects();
    assert.ok(Object.isFrozen(project));
    assert.ok(!JSON.stringify(project).includes('token'));
  });

  it('tells what changed', async () => {
    const changes: Change[] = [];
    const subscription = api.onDidChange((change) => changes.push(change));
    await api.projects();
    await vscode.commands.executeCommand('patchStacks.refresh');
    for (const end = Date.now() + 10_000; changes.length === 0 && Date.now() < end;) {
      await delay(50);
    }
    subscription.dispose();
    assert.ok(changes.length > 0);
  });

  it('opens a patch, and reveals its stack', async () => {
    const [project] = await api.projects();
    const [stack] = await api.stacks(project!.id);
    const [patch] = await api.patches(project!.id, stack!.uuid);
    await api.open({ projectId: project!.id, stackUuid: stack!.uuid, changeId: patch!.changeId });
    const tab = (): vscode.Tab | undefined => vscode.window.tabGroups.activeTabGroup.activeTab;
    for (const end = Date.now() + 10_000; tab()?.label !== patch!.title && Date.now() < end;) {
      await delay(50);
    }
    assert.equal(tab()?.label, patch!.title);
    await api.reveal({ projectId: project!.id, stackUuid: stack!.uuid });
    await assert.rejects(
      api.open({ projectId: project!.id, stackUuid: 'no-such-stack' }),
      /patch stack doesn't exist/,
    );
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
});
