/**
 * Runs inside an extension host (see workbench.ts): opens one of our panels and others in turns, with an empty one at the
 * beginning and at the end of each round, and says when it asked for each. When they were painted, the page's own clock
 * says; it is the same machine's.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type * as vscode from 'vscode';

/** Ours, an empty page, and the page that ours begins with. */
export type PanelName = 'ours' | 'empty' | 'plain';

export interface Openings {
  /** The command that opens ours, and what it takes. */
  command: string;
  argument: object;
  rounds: number;
  /** Milliseconds to leave the document open; the others are open for a third of that. */
  open: number;
  /** The page that the document begins with, from its styles on; without it that is not opened alone. */
  page?: string;
}

/** When each panel was asked for, in milliseconds since 1970: the empty one twice in each round. */
export type Asked = Record<PanelName, number[]>;

/** See the module. */
export default async function openPanels(
  api: typeof vscode,
  { command, argument, rounds, open, page }: Openings,
): Promise<Asked> {
  const asked: Asked = { ours: [], empty: [], plain: [] };
  // The sign-in that the environment hands over comes with the extension's start.
  await api.extensions.getExtension('patch-stacks.patch-stacks')?.activate();
  await pause(open);
  const close = async (milliseconds: number): Promise<void> => {
    await pause(milliseconds);
    await api.commands.executeCommand('workbench.action.closeAllEditors');
    await pause(300);
  };
  const showPanel = async (name: PanelName, html: string): Promise<void> => {
    asked[name].push(Date.now());
    const { webview } = api.window.createWebviewPanel('bench.panel', name, api.ViewColumn.Active, {
      enableScripts: true,
    });
    webview.html = `<!DOCTYPE html><html><head>${html}</body></html>`;
    await close(open / 3);
  };
  const showEmpty = (): Promise<void> =>
    showPanel('empty', '</head><body><script>document.body.dataset.panel = "empty"</script>Empty');
  for (let round = 0; round < rounds; round++) {
    await showEmpty();
    asked.ours.push(Date.now());
    await api.commands.executeCommand(command, argument);
    await close(open);
    if (page !== undefined) {
      await showPanel('plain', page.replace('<body>', '<body data-panel="plain">'));
    }
    await showEmpty();
  }
  return asked;
}
