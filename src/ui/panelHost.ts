/** Common ground of all webview panels: the page with its tight content security policy, and the host's end of the protocol. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { wordsWithoutHost, type PanelSettings } from '../protocol/panel.ts';
import { CheckedPeer, UnfitMessageError, type PageSchemas } from '../protocol/checked.ts';
import type { Handlers, Methods, RpcPeer } from '../protocol/rpc.ts';
import { readSetting } from '../contributions.ts';
import type { Event } from '../util/event.ts';
import { describeReason, remedyOf } from './failures.ts';
import type { Log } from './log.ts';
import type { PagePanel } from './pagePanel.ts';

/** The part of a webview through which its page is spoken with. */
export interface PageChannel {
  /** Sends a message; nothing where the page is gone. */
  post: (message: unknown) => void;
  readonly onDidReceiveMessage: Event<unknown>;
}

/** Options of a panel that shows one of our pages. */
export function panelOptions(extensionUri: vscode.Uri): vscode.WebviewOptions {
  return {
    enableScripts: true,
    enableCommandUris: false,
    localResourceRoots: [vscode.Uri.joinPath(extensionUri, 'dist', 'webview')],
  };
}

/**
 * Loads the page `name` of dist/webview into a panel. Its styles stand in it: VS Code shows a page once everything that it
 * waits for has been loaded, and a file takes some 20 ms.
 *
 * @param beginning HTML that is there before the page's script has run: without scripts and styles, and safe to show. The
 *   page then doesn't wait for its script: see `scriptOf`.
 * @param shows tells the page what it is for, where its name doesn't.
 */
export function showPage(
  panel: PagePanel,
  extensionUri: vscode.Uri,
  name: string,
  beginning = '',
  shows = name,
): void {
  panel.setHtml((webview) => pageHtml(webview, extensionUri, name, beginning, shows));
}

function pageHtml(
  webview: Pick<vscode.Webview, 'asWebviewUri' | 'cspSource'>,
  extensionUri: vscode.Uri,
  name: string,
  beginning: string,
  shows: string,
): string {
  const nonce = randomBytes(24).toString('base64url');
  const folder = vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
  const address = webview.asWebviewUri(folder).toString();
  const styles = stylesOf(name)
    .map((file) => readFileSync(vscode.Uri.joinPath(folder, `${file}.css`).fsPath, 'utf8'))
    .join('');
  const images = readSetting('markdown.loadRemoteImages') ? 'https: data:' : 'data:';
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    `font-src ${webview.cspSource}`,
    `img-src ${images}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${vscode.env.language}" data-words="${firstWords()}" data-shows="${shows}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style nonce="${nonce}">${styles.replaceAll('url("./', () => `url("${address}/`)}</style>
${scriptsAhead(address, name, nonce)}
<title>Patch Stacks</title>
</head>
<body>${beginning || firstText()}
${scriptOf(`${address}/${name}.mjs`, nonce, beginning !== '')}
</body>
</html>`;
}

/** The style sheets of a page, those that it has in common with others first. */
function stylesOf(name: string): string[] {
  return ['allPages', ...(name === 'patchDocument' ? [] : ['allForms']), name];
}

/**
 * Has the scripts of a page come while the rest of it is read and laid out: else the first is asked for after that, and the file of the
 * document, from which all other pages have much, once the first is there. Nothing waits for what is named so.
 */
function scriptsAhead(address: string, name: string, nonce: string): string {
  return [...new Set([name, 'patchDocument'])]
    .map((file) => `<link rel="modulepreload" nonce="${nonce}" href="${address}/${file}.mjs">`)
    .join('\n');
}

/**
 * The script of a page. VS Code shows a page once everything that it waits for has been loaded, so one that has a beginning loads its script
 * without being waited for. Its icons come with the first frame that is shown, for their font would be waited for, too.
 */
function scriptOf(address: string, nonce: string, isBegun: boolean): string {
  return isBegun
    ? `<script type="module" nonce="${nonce}">
addEventListener('load', () => document.querySelector('.beginning')?.classList.add('shown'));
void import('${address}');
</script>`
    : `<script type="module" nonce="${nonce}" src="${address}"></script>`;
}

/** Stands on a page until its script has drawn something, unless that is at once: the extension host may be busy. */
function firstText(): string {
  return `<p class="notice coming" role="status">${vscode.l10n.t('Loading…')}</p>`;
}

/** The page's words for when nobody answers it, as an attribute: in English, the texts speak for themselves. */
function firstWords(): string {
  const { bundle = {} } = vscode.l10n;
  const words = wordsWithoutHost.flatMap((text) =>
    bundle[text] === undefined ? [] : [[text, bundle[text]]],
  );
  return JSON.stringify(Object.fromEntries(words)).replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}

/**
 * Connects a panel to its page.
 *
 * @param schemas what the page may say: what does not fit is refused before anything acts on it, and noted in the log.
 */
export function connectToPage<Local extends Methods<Local>, Remote extends Methods<Remote>>(
  channel: PageChannel,
  schemas: PageSchemas<Local, Remote>,
  handlers: Handlers<Local>,
  log: Log,
): RpcPeer<Local, Remote> {
  return new CheckedPeer<Local, Remote>(
    {
      post: (message) => channel.post(message),
      listen: (listener) => channel.onDidReceiveMessage(listener),
    },
    schemas,
    handlers,
    (error) => ({ message: describeRefusal(error), remedy: remedyOf(error) }),
    (line) => log.warn(line),
  );
}

function describeRefusal(error: unknown): string {
  return error instanceof UnfitMessageError
    ? vscode.l10n.t('The page sent an invalid message, so nothing was done. Close and reopen the tab.')
    : describeReason(error);
}

/** Collects the settings that every page needs before it draws. */
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
