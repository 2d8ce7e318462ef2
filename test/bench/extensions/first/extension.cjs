/** A second extension like the trivial one: see the benchmark of activation. */
const vscode = require('vscode');

exports.activate = (context) => {
  context.subscriptions.push(
    vscode.commands.registerCommand('first.command', () => undefined),
    vscode.window.createTreeView('first.view', {
      treeDataProvider: { getChildren: () => [], getTreeItem: (row) => row },
    }),
  );
};
