/** The smallest extension there can be: one command, and one tree with one row. */
const vscode = require('vscode');

exports.activate = (context) => {
  context.subscriptions.push(
    vscode.commands.registerCommand('trivial.command', () => undefined),
    vscode.window.createTreeView('trivial.view', {
      treeDataProvider: {
        getChildren: (row) => (row === undefined ? ['trivial row'] : []),
        getTreeItem: (row) => new vscode.TreeItem(row),
      },
    }),
  );
};
