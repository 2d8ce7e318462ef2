/** The local servers of an editor under test, as processes of this machine. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { runningFile, type RunningService } from '../../src/util/runningService.ts';
import type { Editor } from './editor.ts';

/** The servers that run at the moment, as each says beside its data. */
export function localServers(editor: Editor): RunningService[] {
  const stores = path.join(editor.directory, 'data', 'patch-stacks');
  return readdirSync(stores).flatMap((store) => {
    try {
      return [JSON.parse(readFileSync(runningFile(path.join(stores, store)), 'utf8')) as RunningService];
    } catch {
      return [];
    }
  });
}

/** Does something while no local server goes on with anything: what a window shows of it stays so meanwhile. */
export async function whileServersHalt(editor: Editor, work: () => Promise<void>): Promise<void> {
  const servers = localServers(editor);
  servers.forEach(({ pid }) => process.kill(pid, 'SIGSTOP'));
  try {
    await work();
  } finally {
    servers.forEach(({ pid }) => process.kill(pid, 'SIGCONT'));
  }
}
