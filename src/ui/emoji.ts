/** The emoji that VS Code knows by name, for the messages of commits: its Git extension has them. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import * as vscode from 'vscode';

const emojiSchema = v.record(v.string(), v.string());

/** See the module; none where the extension has them elsewhere. */
export async function emojiByName(): Promise<Record<string, string>> {
  // Nobody is told of the extension where the workspace isn't trusted; nothing of it is run here.
  const folder =
    vscode.extensions.getExtension('vscode.git')?.extensionPath ??
    path.join(vscode.env.appRoot, 'extensions', 'git');
  try {
    const content: unknown = JSON.parse(
      await readFile(path.join(folder, 'resources', 'emojis.json'), 'utf8'),
    );
    return v.parse(emojiSchema, content);
  } catch {
    return {};
  }
}
