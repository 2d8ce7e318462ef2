/**
 * The extension's entry. Activation only registers what VS Code asks for the moment it ends, which loads the window when it
 * is used; the window itself is loaded right afterwards, and registers the rest.
 */
import * as vscode from 'vscode';
import { startupSignInFile } from './accounts/startupSignIn.ts';
import { commandName } from './commandTable.ts';
import { conflictScheme, diffScheme, manifestOf, sectionScheme, stackScheme } from './contributions.ts';
import { createExports } from './publicApi/lazyApi.ts';
import type { Change, PatchStacksExports } from './publicApi/patchStacks.ts';
import { registerFiles } from './ui/lazyFiles.ts';
import { inBackground } from './util/inBackground.ts';
import { lazy, type Lazy } from './util/lazy.ts';
import type { Window } from './window.ts';

let window: Lazy<Window> | undefined;

/** Called by VS Code when the extension ends, which then waits for a moment. */
export async function deactivate(): Promise<void> {
  if (window?.created) {
    await (await window()).close();
  }
}

/** Called by VS Code when the extension is first needed. */
export function activate(context: vscode.ExtensionContext): PatchStacksExports {
  const { subscriptions } = context;
  const signInFile = startupSignInFile();
  const changed = new vscode.EventEmitter<Change>();
  let loaded: Window | undefined;
  const load = lazy(async () => {
    const { createWindow } = await import('./window.ts');
    loaded = createWindow(context, { signInFile, changed });
    return loaded;
  });
  window = load;

  // A test holds that they are those of `CommandArguments`.
  const { contributes } = manifestOf(context.extension);
  for (const { command } of contributes.commands) {
    subscriptions.push(
      vscode.commands.registerCommand(command, async (...args: unknown[]) => {
        const run = (await load()).commands[commandName(command)] as (...args: unknown[]) => Promise<void>;
        await run(...args);
      }),
    );
  }
  subscriptions.push(
    changed,
    registerFiles({
      [sectionScheme]: async () => (await load()).sectionFiles(),
      [stackScheme]: async () => (await load()).stackFiles(),
      [conflictScheme]: async () => (await load()).conflictFiles(),
    }),
    vscode.workspace.registerTextDocumentContentProvider(diffScheme, {
      provideTextDocumentContent: async (uri) => (await load()).diffText(uri),
    }),
  );
  // Whatever else starts with the editor comes first.
  setImmediate(() => inBackground(load()));
  return createExports({
    activeServer: () => loaded?.connection.activeServer,
    onDidChange: changed.event,
    operations: async () => (await load()).publicApi,
  });
}
