/** The extension host of a window under test, as a process of this machine. */
import { readdir } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { Editor } from './editor.ts';
import { pendingFolder } from './plantedChanges.ts';

/** The extension host that holds a pending change: the names of the files say it. Waits until one does. */
export async function extensionHostOf(editor: Editor): Promise<number> {
  for (;;) {
    const names = await readdir(await pendingFolder(editor)).catch((): string[] => []);
    const holders = names.map((name) => Number(/\.(\d+)-[0-9a-f]+\.json$/.exec(name)?.[1]));
    const holder = holders.find(isAlive);
    if (holder !== undefined) {
      return holder;
    }
    await wait(20);
  }
}

/** Returns true when there is such a process. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
