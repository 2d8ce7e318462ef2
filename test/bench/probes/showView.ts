/** Runs inside an extension host (see workbench.ts): shows the view of an extension as soon as the window can. */
import type * as vscode from 'vscode';

/** An extension, and the view of its that is to be shown. */
export interface ShownView {
  extension: string;
  view: string;
}

/** @returns when it was asked for: milliseconds since 1970. */
export default async function showView(api: typeof vscode, { extension, view }: ShownView): Promise<number> {
  const asked = Date.now();
  await api.extensions.getExtension(extension)?.activate();
  await api.commands.executeCommand(`${view}.focus`);
  return asked;
}
