/**
 * Runs inside an extension host (see workbench.ts): opens the patch document and an empty webview panel in turns, and says
 * when it asked for each. When they were painted, the page's own clock says; it is the same machine's.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type * as vscode from 'vscode';

export interface Openings {
  /** A patch as the command takes it. */
  patch: object;
  rounds: number;
  /** Milliseconds to leave each panel open. */
  open: number;
}

/** When each panel was asked for, in milliseconds since 1970. */
export interface Asked {
  ours: number[];
  empty: number[];
}

/** See the module. */
export default async function openPanels(
  api: typeof vscode,
  { patch, rounds, open }: Openings,
): Promise<Asked> {
  const asked: Asked = { ours: [], empty: [] };
  // The sign-in that the environment hands over comes with the extension's start.
  await api.extensions.getExtension('patch-stacks.patch-stacks')?.activate();
  await pause(open);
  const close = async (): Promise<void> => {
    await pause(open);
    await api.commands.executeCommand('workbench.action.closeAllEditors');
    await pause(300);
  };
  for (let round = 0; round < rounds; round++) {
    asked.ours.push(Date.now());
    await api.commands.executeCommand('patchStacks.openPatch', patch);
    await close();
    asked.empty.push(Date.now());
    const panel = api.window.createWebviewPanel('bench.empty', 'Empty', api.ViewColumn.Active, {
      enableScripts: true,
    });
    panel.webview.html = '<!DOCTYPE html><html><body><p data-empty>Empty</p></body></html>';
    await close();
  }
  return asked;
}
