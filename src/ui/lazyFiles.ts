import * as vscode from 'vscode';

/**
 * Registers a file system that is created when one of its files is first asked for: VS Code asks for those that were open
 * as soon as the extension is active.
 */
export function registerFiles(
  scheme: string,
  files: () => Promise<vscode.FileSystemProvider>,
): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  let followed: vscode.Disposable | undefined;
  const provider = async (): Promise<vscode.FileSystemProvider> => {
    const created = await files();
    followed ??= created.onDidChangeFile((changes) => changed.fire(changes));
    return created;
  };
  const registration = vscode.workspace.registerFileSystemProvider(
    scheme,
    {
      onDidChangeFile: changed.event,
      // Changes are told of whether somebody watches or not.
      watch: () => new vscode.Disposable(() => undefined),
      stat: async (uri) => (await provider()).stat(uri),
      readDirectory: async (uri) => (await provider()).readDirectory(uri),
      createDirectory: async (uri) => (await provider()).createDirectory(uri),
      readFile: async (uri) => (await provider()).readFile(uri),
      writeFile: async (uri, content, options) => (await provider()).writeFile(uri, content, options),
      delete: async (uri, options) => (await provider()).delete(uri, options),
      rename: async (from, to, options) => (await provider()).rename(from, to, options),
    },
    { isCaseSensitive: true },
  );
  return new vscode.Disposable(() => {
    registration.dispose();
    followed?.dispose();
    changed.dispose();
  });
}
