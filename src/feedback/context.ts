import os from 'node:os';
import * as vscode from 'vscode';
import { manifestOf } from '../contributions.ts';

/** Describes versions and surroundings, to help understand feedback; no secret. It is for the people of the service: in English. */
export function describeContext(extension: vscode.Extension<unknown>, server: string): string {
  const { version } = manifestOf(extension);
  const where = vscode.env.uiKind === vscode.UIKind.Web ? 'in a browser' : 'desktop';
  const remote = vscode.env.remoteName === undefined ? '' : `, remote: ${vscode.env.remoteName}`;
  return [
    `Extension: Patch Stacks ${version}`,
    `Editor: ${vscode.env.appName} ${vscode.version} (${where}${remote}), language ${vscode.env.language}`,
    `System: ${os.type()} ${os.release()} ${os.arch()}, Node.js ${process.versions.node}`,
    `Workspace: ${vscode.workspace.isTrusted ? 'trusted' : 'not trusted'}`,
    `Server: ${server}`,
  ].join('\n');
}
