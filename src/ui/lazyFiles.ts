import * as vscode from 'vscode';

/** Files of a scheme of our own, each of which is read and written by itself: they lie in no folder. */
export interface Files {
  /** Fires for files that are to be read again; for all of them, whether someone watches or not. */
  onDidChangeFile: vscode.Event<vscode.FileChangeEvent[]>;
  stat: (uri: vscode.Uri) => Promise<vscode.FileStat>;
  readFile: (uri: vscode.Uri) => Promise<Uint8Array>;
  writeFile: (uri: vscode.Uri, content: Uint8Array) => Promise<void>;
}

/**
 * Registers a file system that is created when one of its files is first asked for, or is open: VS Code asks for none of those
 * that it brings back after a restart with what was not saved.
 */
export function registerFiles(scheme: string, files: () => Promise<Files>): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  let followed: vscode.Disposable | undefined;
  const provider = async (): Promise<Files> => {
    const created = await files();
    followed ??= created.onDidChangeFile((changes) => changed.fire(changes));
    return created;
  };
  const registration = vscode.workspace.registerFileSystemProvider(
    scheme,
    {
      onDidChangeFile: changed.event,
      watch: () => new vscode.Disposable(() => undefined),
      stat: async (uri) => (await provider()).stat(uri),
      readFile: async (uri) => (await provider()).readFile(uri),
      writeFile: async (uri, content) => (await provider()).writeFile(uri, content),
      readDirectory: () => [],
      createDirectory: refuse,
      delete: refuse,
      rename: refuse,
    },
    { isCaseSensitive: true },
  );
  const noticeOpen = ({ uri }: vscode.TextDocument): void => {
    if (uri.scheme === scheme) {
      // Whoever asks for a file hears why that can't be.
      provider().catch(() => undefined);
    }
  };
  const opening = vscode.workspace.onDidOpenTextDocument(noticeOpen);
  vscode.workspace.textDocuments.forEach(noticeOpen);
  return new vscode.Disposable(() => {
    opening.dispose();
    registration.dispose();
    followed?.dispose();
    changed.dispose();
  });
}

function refuse(uri: vscode.Uri): never {
  throw vscode.FileSystemError.NoPermissions(uri);
}
