/** What every webview panel has in common: its page with a tight content security policy, and its end of the protocol. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { PanelSettings } from '../protocol/panel.ts';
import { RpcPeer, type Handlers, type Methods } from '../protocol/rpc.ts';
import { readSetting } from '../contributions.ts';
import { describeReason } from './failures.ts';

/** Options of a panel that shows one of our pages. */
export function panelOptions(extensionUri: vscode.Uri): vscode.WebviewOptions {
  return {
    enableScripts: true,
    enableCommandUris: false,
    localResourceRoots: [vscode.Uri.joinPath(extensionUri, 'dist', 'webview')],
  };
}

/**
 * Loads the page `name` of dist/webview into a webview.
 *
 * @param beginning HTML that is there before the page's script has run: without scripts and styles, and safe to show. VS Code
 *   shows a page once everything that it names has been loaded: so this one names a script that loads the page's.
 */
export function showPage(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  name: string,
  beginning = '',
): void {
  const nonce = randomBytes(24).toString('base64url');
  const address = (file: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', 'webview', file)).toString();
  const script = beginning === '' ? `${name}.mjs` : `${name}Later.mjs`;
  const images = readSetting('markdown.loadRemoteImages') ? 'https: data:' : 'data:';
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    `img-src ${images}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  webview.html = `<!DOCTYPE html>
<html lang="${vscode.env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${address(`${name}.css`)}">
<title>Patch Stacks</title>
</head>
<body>${beginning}
<script type="module" nonce="${nonce}" src="${address(script)}"></script>
</body>
</html>`;
}

/** Connects a panel to its page. */
export function connectToPage<Local extends Methods<Local>, Remote extends Methods<Remote>>(
  webview: vscode.Webview,
  handlers: Handlers<Local>,
): RpcPeer<Local, Remote> {
  return new RpcPeer<Local, Remote>(
    {
      // A panel that is closed meanwhile takes no message: there is nobody left to tell.
      post: (message) => void webview.postMessage(message),
      listen: (listener) => webview.onDidReceiveMessage(listener),
    },
    handlers,
    describeReason,
  );
}

/** What every page needs to know before it draws. */
export async function panelSettings(): Promise<PanelSettings> {
  return {
    bundle: await languageBundle(),
    language: vscode.env.language,
    loadRemoteImages: readSetting('markdown.loadRemoteImages'),
  };
}

/** The window's language bundle, as VS Code found it for us; pages have no access to `vscode.l10n`. */
async function languageBundle(): Promise<Record<string, string>> {
  const { bundle, uri } = vscode.l10n;
  if (bundle) {
    return bundle;
  }
  return uri ? (JSON.parse(await readFile(uri.fsPath, 'utf8')) as Record<string, string>) : {};
}
