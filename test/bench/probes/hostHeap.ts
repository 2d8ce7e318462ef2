/** Runs inside an extension host (see workbench.ts): opens and closes one of our panels, and says what stays of it. */
import { setTimeout as pause } from 'node:timers/promises';
import type * as vscode from 'vscode';
import { collectedHeap } from '../measure.ts';

export interface Openings {
  /** The command that opens ours, and what it takes. */
  command: string;
  argument: object;
  openings: number;
  /** Milliseconds to leave each open. */
  open: number;
}

/** @returns bytes of the heap after the first two, which bring in what stays, and after the others. */
export default async function hostHeap(
  api: typeof vscode,
  { command, argument, openings, open }: Openings,
): Promise<[before: number, after: number]> {
  await api.extensions.getExtension('patch-stacks.patch-stacks')?.activate();
  await pause(open);
  const openAndClose = async (times: number): Promise<number> => {
    for (let time = 0; time < times; time++) {
      await api.commands.executeCommand(command, argument);
      await pause(open);
      await api.commands.executeCommand('workbench.action.closeAllEditors');
      await pause(500);
    }
    return collectedHeap();
  };
  return [await openAndClose(2), await openAndClose(openings)];
}
