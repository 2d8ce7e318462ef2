/** The marks beside the names of rows: signed off, changes requested, changed but not sent, a new version. */
import * as vscode from 'vscode';
import type { Node } from './nodes.ts';

/** The marks of a row; the first that applies is shown. */
const marks = ['unsent', 'newVersion', 'changesRequested', 'signedOff'] as const;
export type Mark = (typeof marks)[number];

const scheme = 'patch-stacks-row';

/**
 * The address of a row that has a mark or shows a file: by its path it gets the icon of the file icon theme, by the rest its
 * mark. The scheme is nobody's, so nothing is read.
 */
export function rowUri(node: Node, mark: Mark | undefined, file = ''): vscode.Uri {
  return vscode.Uri.from({ scheme, path: `/${file}`, query: mark ?? '', fragment: mark ? node.id : '' });
}

/** For the hover and for screen readers; the mark itself is a letter or a color. */
export function markText(mark: Mark): string {
  switch (mark) {
    case 'unsent':
      return vscode.l10n.t('Unsent changes');
    case 'newVersion':
      return vscode.l10n.t("A new version you haven't opened");
    case 'changesRequested':
      return vscode.l10n.t('Changes requested');
    case 'signedOff':
      return vscode.l10n.t('Signed off');
  }
}

/** Draws the marks. The address of a row says its mark, so a row that is drawn again has the right one. */
export const markDecorations: vscode.FileDecorationProvider = {
  provideFileDecoration(uri) {
    const mark = uri.scheme === scheme ? marks.find((candidate) => candidate === uri.query) : undefined;
    return (
      mark && new vscode.FileDecoration(badges[mark], markText(mark), new vscode.ThemeColor(colors[mark]))
    );
  },
};

const badges: Record<Mark, string> = { unsent: '●', newVersion: '↑', changesRequested: '±', signedOff: '✓' };
const colors: Record<Mark, string> = {
  unsent: 'gitDecoration.modifiedResourceForeground',
  newVersion: 'gitDecoration.renamedResourceForeground',
  changesRequested: 'gitDecoration.deletedResourceForeground',
  signedOff: 'gitDecoration.addedResourceForeground',
};
