/** As many registrations as ours has to make before its activation ends, and nothing else: what no such extension can go below. */
const vscode = require('vscode');

exports.activate = (context) => {
  const { subscriptions } = context;
  for (let index = 0; index < Number(process.env.PATCH_STACKS_BENCH_COMMANDS); index++) {
    subscriptions.push(vscode.commands.registerCommand(`registrations.command${index}`, () => undefined));
  }
  const files = {
    onDidChangeFile: new vscode.EventEmitter().event,
    watch: () => undefined,
    stat: () => undefined,
    readDirectory: () => [],
    createDirectory: () => undefined,
    readFile: () => undefined,
    writeFile: () => undefined,
    delete: () => undefined,
    rename: () => undefined,
  };
  const noText = { provideTextDocumentContent: () => '' };
  subscriptions.push(
    vscode.workspace.registerFileSystemProvider('registrations-one', files, { isCaseSensitive: true }),
    vscode.workspace.registerFileSystemProvider('registrations-two', files, { isCaseSensitive: true }),
    vscode.workspace.registerTextDocumentContentProvider('registrations-text', noText),
  );
};
