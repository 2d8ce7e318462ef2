import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Freshness } from '../../../src/model/freshness.ts';
import { keepFresh } from '../../../src/ui/keepFresh.ts';

describe('what is on the screen', () => {
  const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('patchStacks');

  afterEach(async () => {
    await settings().update('refreshInterval', undefined, vscode.ConfigurationTarget.Global);
  });

  it('is kept fresh as often as the setting says, but never without a pause, while the person is at the window', async () => {
    const said: [intervalMs: number, isAtWindow: boolean][] = [];
    const freshness = { configure: (...how: [number, boolean]) => void said.push(how) };
    const keeping = keepFresh(freshness as unknown as Freshness);
    const { focused } = vscode.window.state;
    assert.deepEqual(said.splice(0), [[60_000, focused]]);
    for (const [seconds, intervalMs] of [
      [90, 90_000],
      [1, 5_000],
      [0, 0],
    ] as const) {
      await settings().update('refreshInterval', seconds, vscode.ConfigurationTarget.Global);
      assert.deepEqual(said.splice(0).at(-1), [intervalMs, focused]);
    }
    keeping.dispose();
    await settings().update('refreshInterval', 70, vscode.ConfigurationTarget.Global);
    assert.deepEqual(said, []);
  });
});
