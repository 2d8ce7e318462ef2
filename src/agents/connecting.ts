/** Programs of agents in terminals: lets them in, and tells the person how they are set up. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import { showMessage } from '../ui/notifications.ts';
import type { WindowParts } from '../windowParts.ts';
import { inBackground } from '../util/inBackground.ts';

/** Set once the person has connected an agent: from then on each window lets programs in; `commands.ts` reads it without loading this. */
const connectedKey = 'agents.connected';

/** The folder with the files of the windows that let programs in. */
export function gateFolder({ globalStorageUri }: Pick<vscode.ExtensionContext, 'globalStorageUri'>): string {
  return path.join(globalStorageUri.fsPath, 'agents');
}

/** The program that agents start. */
export function mcpProgram({ extensionUri }: Pick<vscode.ExtensionContext, 'extensionUri'>): string {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'mcp.cjs').fsPath;
}

/** Writes the file by which agents start our program: its place stays when that of the extension is another one. @returns its path. */
export async function writeStarter(context: WindowParts['context']): Promise<string> {
  const folder = gateFolder(context);
  const starter = path.join(folder, 'mcp.mjs');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(starter, `import ${JSON.stringify(pathToFileURL(mcpProgram(context)).href)};\n`);
  return starter;
}

/** Lets programs in from now on, and copies what they are to be told. */
export async function connectAgent(
  { context, memory }: WindowParts,
  open: () => Promise<unknown>,
): Promise<void> {
  await open();
  await memory.update(connectedKey, true);
  const server = { command: 'node', args: [await writeStarter(context), gateFolder(context)] };
  await vscode.env.clipboard.writeText(
    JSON.stringify({ mcpServers: { 'patch-stacks': server } }, undefined, 2),
  );
  inBackground(
    showMessage(
      vscode.l10n.t(
        'The MCP configuration was copied. While a window is open, an agent that has it can read what you can read here, and propose texts.',
      ),
    ),
  );
}

/** Lets no programs in any more. */
export async function disconnectAgents({ memory }: WindowParts, close: () => Promise<void>): Promise<void> {
  await memory.update(connectedKey, undefined);
  await close();
  inBackground(showMessage(vscode.l10n.t('Agents outside of VS Code are disconnected.')));
}
