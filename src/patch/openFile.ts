import * as vscode from 'vscode';
import type { FilePlace } from '../contributions.ts';
import { findCommit, type LocalCommit } from '../git/commits.ts';
import { followLines } from '../model/prose/followLines.ts';
import { localCommit } from './openChanges.ts';

/** Characters of a file in which a line is followed. */
const longestFollowed = 4_000_000;

/** A place in a file that is opened. */
interface OpenPlace {
  uri: vscode.Uri;
  line?: number | undefined;
}

/**
 * Opens a file, at a one-based line: that of the working tree, in the repository that has the commit, else in whichever folder of the
 * workspace has the file. The line is one of the file as the commit leaves it: where the working tree doesn't have it any more, or
 * no such file, the file is opened as it is there. Without a file it is the commit as a whole.
 *
 * @throws {Error} with a sentence for the person, when the workspace does not have it.
 */
export async function openFile({ commitSha, path, line }: FilePlace): Promise<void> {
  if (path === undefined) {
    await (await localCommit(commitSha)).show();
    return;
  }
  const place = await findPlace(commitSha, path, line);
  if (!place) {
    throw new Error(vscode.l10n.t("The open folder doesn't contain the file {0}.", path));
  }
  const options: vscode.TextDocumentShowOptions = {};
  if (place.line !== undefined) {
    const position = new vscode.Position(Math.max(0, place.line - 1), 0);
    options.selection = new vscode.Range(position, position);
  }
  await vscode.commands.executeCommand('vscode.open', place.uri, options);
}

async function findPlace(
  commitSha: string | undefined,
  path: string,
  line: number | undefined,
): Promise<OpenPlace | undefined> {
  // The path comes from strangers: it must not lead out of its folder.
  const parts = path.split(/[/\\]/);
  if (path === '' || parts.some((part) => part === '..' || part === '') || /^[a-z]:/i.test(path)) {
    return undefined;
  }
  const commit = await findCommit(commitSha);
  const uri = await findFile(commit, path);
  const text = uri && line === undefined ? undefined : await commit?.text(path);
  if (!commit || text === undefined) {
    return uri && { uri, line };
  }
  const now = uri && line !== undefined ? await followed(uri, text, line) : undefined;
  return uri && now !== undefined ? { uri, line: now } : { uri: commit.after(path), line };
}

async function findFile(commit: LocalCommit | undefined, path: string): Promise<vscode.Uri | undefined> {
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

/** The place that a line of a text has in a file of the working tree; undefined when it is lost. */
async function followed(file: vscode.Uri, text: string, line: number): Promise<number | undefined> {
  const now = Buffer.from(await vscode.workspace.fs.readFile(file)).toString();
  if (now === text) {
    return line;
  }
  return now.length > longestFollowed || text.length > longestFollowed
    ? undefined
    : followLines(linesOf(text), linesOf(now), { start: line, end: line })?.start;
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/);
}
