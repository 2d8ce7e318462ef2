/** Runs inside an extension host (see workbench.ts): opens and closes the patch document, and says what stays of it. */
import { setTimeout as pause } from 'node:timers/promises';
import type * as vscode from 'vscode';
import { collectedHeap } from '../measure.ts';

export interface Openings {
  /** A patch as the command takes it. */
  patch: object;
  openings: number;
  /** Milliseconds to leave each open. */
  open: number;
}

/** @returns bytes of the heap after the first two, which bring in what stays, and after the others. */
export default async function hostHeap(
  api: typeof vscode,
  { patch, openings, open }: Openings,
): Promise<[before: number, after: number]> {
  await api.extensions.getExtension('patch-stacks.patch-stacks')?.activate();
  await pause(open);
  const openAndClose = async (times: number): Promise<number> => {
    for (let time = 0; time < times; time++) {
      await api.commands.executeCommand('patchStacks.openPatch', patch);
      await pause(open);
      await api.commands.executeCommand('workbench.action.closeAllEditors');
      await pause(500);
    }
    return collectedHeap();
  };
  return [await openAndClose(2), await openAndClose(openings)];
}
