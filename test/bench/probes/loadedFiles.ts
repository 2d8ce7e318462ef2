/** Runs inside an extension host (see workbench.ts): the extension's files that are loaded once its tree has shown rows. */
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type * as vscode from 'vscode';

/** @param id the extension; signed in to a service with projects. */
export default async function findLoadedFiles(api: typeof vscode, id: string): Promise<string[]> {
  const extension = api.extensions.getExtension(id);
  if (extension === undefined) {
    throw new Error(`There is no extension ${id}.`);
  }
  await extension.activate();
  await api.commands.executeCommand('patchStacks.stacks.focus');
  const { cache } = createRequire(import.meta.url);
  // A clone holds VS Code's own files, too.
  const own = path.join(extension.extensionPath, 'dist', path.sep);
  const loaded = (): string[] => Object.keys(cache).filter((file) => file.startsWith(own));
  // The client comes last: nothing more comes once it has answered.
  for (let before = 0, quiet = 0; quiet < 10;) {
    await wait(200);
    const now = loaded().length;
    quiet = now === before && loaded().some((file) => file.includes('dispatchers')) ? quiet + 1 : 0;
    before = now;
  }
  return loaded();
}
