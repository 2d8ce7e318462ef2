import * as vscode from 'vscode';
import { startOf } from '../util/budget.ts';
import { findCommit } from './commits.ts';

/** The file that a project has its template in. */
const templateFile = '.patch-stacks/section.md';

/** Characters of a template. */
const longestTemplate = 20_000;

/**
 * The text that sections of a project begin with, as its repository has it at a commit, else in the working tree; undefined when it has
 * none.
 */
export async function projectTemplate(commitSha: string | undefined): Promise<string | undefined> {
  const template = (await (await findCommit(commitSha))?.text(templateFile)) ?? (await workspaceTemplate());
  return template === undefined ? undefined : startOf(template, longestTemplate);
}

async function workspaceTemplate(): Promise<string | undefined> {
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    try {
      const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(uri, templateFile));
      return Buffer.from(bytes).toString();
    } catch {
      // Most have none.
    }
  }
  return undefined;
}
