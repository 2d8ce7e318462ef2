import * as vscode from 'vscode';
import { readSetting, settingId } from '../contributions.ts';
import type { Freshness } from '../model/freshness.ts';
import { DisposableStore, type Disposable } from '../util/disposable.ts';

/** Seconds: services are not to be asked without a pause. */
const shortestIntervalSeconds = 5;

/** Has a model be kept fresh as the setting says, while the person is at the window. */
export function keepFresh(
  freshness: Pick<Freshness, 'configure'>,
  window: Pick<typeof vscode.window, 'state' | 'onDidChangeWindowState'> = vscode.window,
): Disposable {
  const store = new DisposableStore();
  const configure = (): void => {
    const seconds = readSetting('refreshInterval');
    const intervalMs = seconds > 0 ? Math.max(seconds, shortestIntervalSeconds) * 1000 : 0;
    freshness.configure(intervalMs, window.state.focused);
  };
  store.add(window.onDidChangeWindowState(configure));
  store.add(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(settingId('refreshInterval'))) {
        configure();
      }
    }),
  );
  configure();
  return store;
}
