import * as vscode from 'vscode';
import { findCommit } from '../git/commits.ts';

/**
 * Opens a file of the working tree, at a one-based line: in the repository that has the commit, else in whichever folder of
 * the workspace has the file.
 *
 * @throws {Error} with a sentence for the person, when the workspace does not have the file.
 */
export async function openFile(commitSha: string | undefined, path: string, line?: number): Promise<void> {
  const file = await findFile(commitSha, path);
  if (!file) {
    throw new Error(vscode.l10n.t("The open folder doesn't contain the file {0}.", path));
  }
  const options: vscode.TextDocumentShowOptions = {};
  if (line !== undefined) {
    const position = new vscode.Position(Math.max(0, line - 1), 0);
    options.selection = new vscode.Range(position, position);
  }
  await vscode.commands.executeCommand('vscode.open', file, options);
}

async function findFile(commitSha: string | undefined, path: string): Promise<vscode.Uri | undefined> {
  // The path comes from strangers: it must not lead out of its folder.
  const parts = path.split(/[/\\]/);
  if (path === '' || parts.some((part) => part === '..' || part === '') || /^[a-z]:/i.test(path)) {
    return undefined;
  }
  const commit = await findCommit(commitSha);
  const folders = vscode.workspace.workspaceFolders ?? [];
  const places = [
    ...(commit ? [commit.file(path)] : []),
    ...folders.map(({ uri }) => vscode.Uri.joinPath(uri, path)),
  ];
  for (const place of places) {
    const found = await vscode.workspace.fs.stat(place).then(
      ({ type }) => (type & vscode.FileType.File) !== 0,
      () => false,
    );
    if (found) {
      return place;
    }
  }
  return undefined;
}
