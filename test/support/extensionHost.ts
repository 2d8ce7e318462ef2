/** The extension host of a window under test, as a process of this machine. */
import { execFileSync } from 'node:child_process';
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

/** Ends every extension host, also those of windows that are closed, which VS Code keeps for hours in case that one comes back. */
export function endExtensionHosts(editor: Editor): void {
  const processes = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => {
      const [, pid, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
      return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
    });
  const servers = processes.filter(({ command }) => command.includes(editor.directory)).map(({ pid }) => pid);
  for (const { pid, parent, command } of processes) {
    if (command.includes('--type=extensionHost') && servers.includes(parent) && isAlive(pid)) {
      process.kill(pid, 'SIGKILL');
    }
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
