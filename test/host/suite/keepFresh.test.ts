import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { keepFresh } from '../../../src/ui/keepFresh.ts';

describe('what is on the screen', () => {
  const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('patchStacks');

  afterEach(async () => {
    await settings().update('refreshInterval', undefined, vscode.ConfigurationTarget.Global);
  });

  it('is kept fresh as often as the setting says, but never without a pause, while the person is at the window', async () => {
    const said: [intervalMs: number, isAtWindow: boolean][] = [];
    const freshness = { configure: (...how: [number, boolean]) => void said.push(how) };
    const turned = new vscode.EventEmitter<vscode.WindowState>();
    const window = { state: { focused: false, active: false }, onDidChangeWindowState: turned.event };
    const keeping = keepFresh(freshness, window);
    assert.deepEqual(said.splice(0), [[60_000, false]]);
    window.state.focused = true;
    turned.fire(window.state);
    assert.deepEqual(said.splice(0), [[60_000, true]]);
    for (const [seconds, intervalMs] of [
      [90, 90_000],
      [1, 5_000],
      [0, 0],
    ] as const) {
      await settings().update('refreshInterval', seconds, vscode.ConfigurationTarget.Global);
      assert.deepEqual(said.splice(0).at(-1), [intervalMs, true]);
    }
    keeping.dispose();
    turned.fire(window.state);
    await settings().update('refreshInterval', 70, vscode.ConfigurationTarget.Global);
    assert.deepEqual(said, []);
  });
});
