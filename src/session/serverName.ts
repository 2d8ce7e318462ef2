/** What servers are called on the screen. */
import path from 'node:path';
import * as vscode from 'vscode';

/** The folders whose repositories local services are for, by the addresses by which those are known. */
const folders = new Map<string, string>();

/** Has a local service called after its repository: its port says nothing to anybody, and may be another one tomorrow. */
export function nameLocalServer(serverUrl: string, folder: string): void {
  folders.set(serverUrl, folder);
}

/** The name of a server: its host, or for a local service the name of the repository. */
export function serverName(serverUrl: string): string {
  const folder = folders.get(serverUrl);
  const { host } = new URL(serverUrl);
  return folder === undefined ? host : vscode.l10n.t('{0} (local)', path.basename(folder));
}

/** What tells a server from all others: its address, or for a local service the folder of the repository. */
export function serverPlace(serverUrl: string): string {
  return folders.get(serverUrl) ?? serverUrl;
}
