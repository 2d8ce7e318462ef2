/** What can be taken from a row to elsewhere. */
import * as vscode from 'vscode';
import type { PatchReference, ProjectRow, StackRow } from '../contributions.ts';
import { webAddress } from '../ui/labels.ts';
import { makeLink, type LinkTarget } from '../ui/links.ts';

/** A row of something that the service knows. */
export type CopiedRow = ProjectRow | StackRow | PatchReference;

/** Puts the id by which the service knows the thing of a row on the clipboard. */
export async function copyId(row: CopiedRow): Promise<void> {
  const id = idOf(row);
  await vscode.env.clipboard.writeText(id);
  vscode.window.setStatusBarMessage(vscode.l10n.t('Copied the ID {0}.', id), shownFor);
}

/** Puts a link on the clipboard that opens the thing of a row in an editor. */
export async function copyLink(row: CopiedRow, serverUrl: string): Promise<void> {
  await vscode.env.clipboard.writeText(makeLink(targetOf(row, serverUrl), vscode.env.uriScheme));
  vscode.window.setStatusBarMessage(vscode.l10n.t('Copied the link.'), shownFor);
}

/** Opens the page of a project, where the service has given its address. */
export async function openInBrowser({ project }: ProjectRow): Promise<void> {
  const address = webAddress(project);
  if (address === undefined) {
    throw new Error(vscode.l10n.t("The server didn't provide a web page for this item."));
  }
  await vscode.env.openExternal(vscode.Uri.parse(address, true));
}

/** Milliseconds for which the status bar says what was done. */
const shownFor = 5_000;

function idOf(row: CopiedRow): string {
  if ('project' in row) {
    return row.project.repositoryId;
  }
  if ('stack' in row) {
    return row.stack.uuid;
  }
  return row.sectionCode ?? row.changeId;
}

function targetOf(row: CopiedRow, serverUrl: string): LinkTarget {
  if ('project' in row) {
    return { serverUrl, projectId: row.project.repositoryId };
  }
  if ('stack' in row) {
    return { serverUrl, projectId: row.projectId, stackUuid: row.stack.uuid };
  }
  const { projectId, stackUuid, changeId, sectionCode, line } = row;
  return { serverUrl: row.serverUrl, projectId, stackUuid, changeId, sectionCode, line };
}
