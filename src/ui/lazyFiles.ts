import * as vscode from 'vscode';

/** Files of a scheme of our own, each of which is read and written by itself: they lie in no folder. */
export interface Files {
  /** Fires for files that are to be read again; for all of them, whether someone watches or not. */
  onDidChangeFile: vscode.Event<vscode.FileChangeEvent[]>;
  stat: (uri: vscode.Uri) => Promise<vscode.FileStat>;
  readFile: (uri: vscode.Uri) => Promise<Uint8Array>;
  writeFile: (uri: vscode.Uri, content: Uint8Array) => Promise<void>;
}

/** Gives the files of a scheme, which are created when they are first asked for. */
type ProvideFiles = () => Promise<Files>;

/**
 * Registers file systems by their schemes, each of which is created when one of its files is first asked for, or is open: VS Code asks
 * for none of those that it brings back after a restart with what was not saved.
 */
export function registerFiles(schemes: Readonly<Record<string, ProvideFiles>>): vscode.Disposable {
  const registrations: vscode.Disposable[] = [];
  const providers = new Map<string, ProvideFiles>();
  for (const [scheme, provide] of Object.entries(schemes)) {
    const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
    let followed: vscode.Disposable | undefined;
    const provider = async (): Promise<Files> => {
      const created = await provide();
      followed ??= created.onDidChangeFile((changes) => changed.fire(changes));
      return created;
    };
    providers.set(scheme, provider);
    registrations.push(
      registerFileSystem(scheme, changed.event, provider),
      new vscode.Disposable(() => {
        followed?.dispose();
        changed.dispose();
      }),
    );
  }
  const noticeOpen = ({ uri }: vscode.TextDocument): void => {
    // Whoever asks for a file hears why that can't be.
    providers
      .get(uri.scheme)?.()
      .catch(() => undefined);
  };
  // Activation can do without: asking VS Code for its documents takes a tenth of a millisecond.
  const look = setImmediate(() => {
    registrations.push(vscode.workspace.onDidOpenTextDocument(noticeOpen));
    vscode.workspace.textDocuments.forEach(noticeOpen);
  });
  return new vscode.Disposable(() => {
    clearImmediate(look);
    registrations.forEach((registration) => void registration.dispose());
  });
}

function registerFileSystem(
  scheme: string,
  onDidChangeFile: vscode.Event<vscode.FileChangeEvent[]>,
  provider: ProvideFiles,
): vscode.Disposable {
  return vscode.workspace.registerFileSystemProvider(
    scheme,
    {
      onDidChangeFile,
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
}

function refuse(uri: vscode.Uri): never {
  throw vscode.FileSystemError.NoPermissions(uri);
}
