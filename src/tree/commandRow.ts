/**
 * The row that a command is for. VS Code hands it over, but does not know the rows below one that it draws again at the moment: a
 * key or a menu then comes without its row, which is not the same as the palette, where there is none.
 */
import * as vscode from 'vscode';
import { CancelledError } from '../ui/commands.ts';

/** The arguments of a command: none from the palette; else a row, or null or undefined where VS Code doesn't know it. */
export type RowArguments<T> = readonly (T | null | undefined)[];

/**
 * The row of a command that is run by keys and from the menu of a row: both are for the row that has the focus.
 *
 * @param findFocused waits until VS Code knows the row that has the focus.
 * @returns undefined from the palette.
 * @throws {CancelledError} when no row has the focus: who works on a row is not asked for another one.
 */
export async function rowOfMenuOrKey<T, Row = T>(
  args: RowArguments<T>,
  findFocused: () => Promise<Row | undefined>,
): Promise<T | Row | undefined> {
  if (!isLost(args)) {
    return args[0] ?? undefined;
  }
  const row = await findFocused();
  if (row === undefined) {
    throw new CancelledError();
  }
  return row;
}

/** The row that a command is for, which has no meaning without one. @throws an error that says so. */
export function chosenRow<T>(row: T | null | undefined): T {
  if (row === undefined || row === null) {
    throw new Error(vscode.l10n.t('Select a row in the Patch Stacks view, or open a patch.'));
  }
  return row;
}

/** The row of a button; undefined from the palette. @throws an error that says so where VS Code has lost it. */
export function rowOfButton<T>(args: RowArguments<T>): T | undefined {
  return isLost(args) ? chosenRow<T>(undefined) : (args[0] ?? undefined);
}

/**
 * True when a command was for a row that VS Code doesn't know. By a button of the row it need not be the one that has the focus.
 */
export function isLost(args: RowArguments<unknown>): boolean {
  return args.length > 0 && (args[0] === undefined || args[0] === null);
}
