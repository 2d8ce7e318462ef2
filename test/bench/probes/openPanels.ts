/**
 * Runs inside an extension host (see workbench.ts): opens the patch document and other webview panels in turns, and says
 * when it asked for each. When they were painted, the page's own clock says; it is the same machine's.
 */
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type * as vscode from 'vscode';

/** The patch document, an empty page, and the page that the document begins with: plain, and with one line of script. */
export type PanelName = 'ours' | 'empty' | 'plain' | 'scripted';

export interface Openings {
  /** A patch as the command takes it. */
  patch: object;
  rounds: number;
  /** Milliseconds to leave the document open; the others are open for a third of that. */
  open: number;
  /** The page that the document begins with, from its styles on; without it that is not opened alone. */
  page?: string;
}

/** When each panel was asked for, in milliseconds since 1970. */
export type Asked = Record<PanelName, number[]>;

/** See the module. */
export default async function openPanels(
  api: typeof vscode,
  { patch, rounds, open, page }: Openings,
): Promise<Asked> {
  const asked: Asked = { ours: [], empty: [], plain: [], scripted: [] };
  // The sign-in that the environment hands over comes with the extension's start.
  await api.extensions.getExtension('patch-stacks.patch-stacks')?.activate();
  await pause(open);
  const close = async (milliseconds: number): Promise<void> => {
    await pause(milliseconds);
    await api.commands.executeCommand('workbench.action.closeAllEditors');
    await pause(300);
  };
  const folder = api.Uri.file(path.join(import.meta.dirname, '../extensions/trivial'));
  const showPanel = async (name: PanelName, html: (webview: vscode.Webview) => string): Promise<void> => {
    asked[name].push(Date.now());
    const { webview } = api.window.createWebviewPanel('bench.panel', name, api.ViewColumn.Active, {
      enableScripts: true,
      localResourceRoots: [folder],
    });
    webview.html = `<!DOCTYPE html><html><head>${html(webview)}</body></html>`;
    await close(open / 3);
  };
  for (let round = 0; round < rounds; round++) {
    asked.ours.push(Date.now());
    await api.commands.executeCommand('patchStacks.openPatch', patch);
    await close(open);
    await showPanel(
      'empty',
      () => '</head><body><script>document.body.dataset.panel = "empty"</script>Empty',
    );
    if (page !== undefined) {
      const named = (name: string): string => page.replace('<body>', `<body data-panel="${name}">`);
      await showPanel('plain', () => named('plain'));
      await showPanel('scripted', (webview) => {
        const script = webview.asWebviewUri(api.Uri.joinPath(folder, 'page.mjs'));
        return `${named('scripted')}<script type="module" src="${script.toString()}"></script>`;
      });
    }
  }
  return asked;
}
