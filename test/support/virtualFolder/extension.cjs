/** A folder that is on no disk, as extensions for remote repositories show them: it has a package.json, and no git. */
const vscode = require('vscode');

const manifest = Buffer.from('{ "name": "virtual", "version": "4.5.6" }\n');

function stat({ path }) {
  const times = { ctime: 0, mtime: 0 };
  switch (path) {
    case '/project':
      return { ...times, type: vscode.FileType.Directory, size: 0 };
    case '/project/package.json':
      return { ...times, type: vscode.FileType.File, size: manifest.length };
    default:
      throw vscode.FileSystemError.FileNotFound(path);
  }
}

function refuse() {
  throw vscode.FileSystemError.NoPermissions();
}

exports.activate = ({ subscriptions }) => {
  const files = {
    onDidChangeFile: new vscode.EventEmitter().event,
    watch: () => new vscode.Disposable(() => undefined),
    stat,
    readDirectory: () => [['package.json', vscode.FileType.File]],
    readFile(uri) {
      stat(uri);
      return manifest;
    },
    createDirectory: refuse,
    writeFile: refuse,
    delete: refuse,
    rename: refuse,
  };
  subscriptions.push(
    vscode.workspace.registerFileSystemProvider('virtual-folder', files, { isReadonly: true }),
  );
};
