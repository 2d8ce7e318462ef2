/** Takes things from a row to elsewhere: its ID, its link, its page in a browser. */
import * as vscode from 'vscode';
import type { ProjectRow, StackRow } from '../contributions.ts';
import { webAddress } from '../ui/labels.ts';
import { makeLink } from '../ui/links.ts';
import type { Ref, SectionRef } from '../util/patchRef.ts';

type Row = ProjectRow | StackRow | SectionRef;

/** Puts the id by which the service knows the thing of a row on the clipboard. */
export async function copyId(row: Row): Promise<void> {
  const id = idOf(row);
  await vscode.env.clipboard.writeText(id);
  vscode.window.setStatusBarMessage(vscode.l10n.t('Copied the ID {0}.', id), shownForMs);
}

/** Puts a link on the clipboard that opens the thing of a row in an editor. */
export async function copyLink(row: Row, serverUrl: string): Promise<void> {
  await vscode.env.clipboard.writeText(makeLink(refTo(row, serverUrl), vscode.env.uriScheme));
  vscode.window.setStatusBarMessage(vscode.l10n.t('Copied the link.'), shownForMs);
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
const shownForMs = 5_000;

function idOf(row: Row): string {
  if ('project' in row) {
    return row.project.repositoryId;
  }
  if ('stack' in row) {
    return row.stack.uuid;
  }
  return row.sectionCode ?? row.changeId;
}

function refTo(row: Row, serverUrl: string): Ref {
  if ('project' in row) {
    return { serverUrl, projectId: row.project.repositoryId };
  }
  if ('stack' in row) {
    return { serverUrl, projectId: row.projectId, stackUuid: row.stack.uuid };
  }
  const { projectId, stackUuid, changeId, sectionCode, line } = row;
  return { serverUrl: row.serverUrl, projectId, stackUuid, changeId, sectionCode, line };
}
