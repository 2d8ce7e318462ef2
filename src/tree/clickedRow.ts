/**
 * Runs a row's command when the row is clicked. VS Code forgets the arguments of a row's command as soon as it draws the row again,
 * and a click that meets this moment fails with an error of its own. So the command of each row has none, and is for the row that
 * was selected by the click.
 */
import * as vscode from 'vscode';
import { commandId } from '../commandTable.ts';
import type { Disposable } from '../util/disposable.ts';
import { tabInFront } from '../ui/inFront.ts';
import { showMessage } from '../ui/notifications.ts';
import { inBackground } from '../util/inBackground.ts';
import { refOf } from '../util/patchRef.ts';
import { Clicks } from './clicks.ts';
import type { Node } from './nodes.ts';

/** The command that VS Code would run if it kept the arguments. */
interface Meaning {
  readonly command: string;
  readonly title: string;
  readonly arguments?: readonly unknown[];
}

/** No one else's: rows name it. */
const clickCommand = '_patchStacks.openClickedRow';

/** The command of a row; undefined for one that a click only selects. */
export function commandOfRow(node: Node): vscode.Command | undefined {
  const title = meaningOf(node)?.title;
  return title === undefined ? undefined : { command: clickCommand, title };
}

/** Clicks on rows, for as long as they are listened to. */
export interface RowClicks extends Disposable {
  /** True while something was clicked that isn't open yet. */
  readonly isOpening: boolean;
}

/** Runs what the row means that was clicked. @param find waits until VS Code knows the row. */
export function registerClicks(find: () => Promise<Node | undefined>): RowClicks {
  const clicks = new Clicks({
    find,
    activeTab: tabInFront,
    open,
  });
  const command = vscode.commands.registerCommand(clickCommand, () => clicks.click());
  return {
    get isOpening() {
      return clicks.isOpening;
    },
    dispose: () => {
      command.dispose();
    },
  };
}

async function open(row: Node | undefined): Promise<void> {
  if (!row) {
    inBackground(showMessage(vscode.l10n.t("Couldn't tell which row you clicked. Click it again.")));
    return;
  }
  const meaning = meaningOf(row);
  if (meaning) {
    await vscode.commands.executeCommand(meaning.command, ...(meaning.arguments ?? []));
  }
}

/** The command that a click on a row runs; undefined where it only selects. */
export function meaningOf(node: Node): Meaning | undefined {
  switch (node.kind) {
    case 'patch':
    case 'section':
      return {
        command: commandId('openPatch'),
        title: vscode.l10n.t('Open Patch'),
        arguments: [refOf(node)],
      };
    case 'stack':
      return {
        command: commandId('openStack'),
        title: vscode.l10n.t('Open Patch Stack'),
        arguments: [node],
      };
    case 'loadMore':
      return { command: commandId('loadMore'), title: vscode.l10n.t('Load More Projects…') };
    case 'notice':
      if (node.remedy === 'retry') {
        const title = vscode.l10n.t('Refresh');
        return { command: commandId('refresh'), title, arguments: [node.parent, 'below'] };
      }
      return node.remedy === 'filter'
        ? { command: commandId('filterStacks'), title: vscode.l10n.t('Filter by Status') }
        : undefined;
    default:
      return undefined;
  }
}
