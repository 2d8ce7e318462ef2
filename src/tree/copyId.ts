import * as vscode from 'vscode';
import type { PatchReference, ProjectRow, StackRow } from '../contributions.ts';

/** Puts the id by which the service knows the thing of a row on the clipboard. */
export async function copyId(row: ProjectRow | StackRow | PatchReference): Promise<void> {
  const id = idOf(row);
  await vscode.env.clipboard.writeText(id);
  vscode.window.setStatusBarMessage(vscode.l10n.t('The ID {0} is copied.', id), 5_000);
}

function idOf(row: ProjectRow | StackRow | PatchReference): string {
  if ('project' in row) {
    return row.project.repositoryId;
  }
  if ('stack' in row) {
    return row.stack.uuid;
  }
  return row.sectionCode ?? row.changeId;
}
