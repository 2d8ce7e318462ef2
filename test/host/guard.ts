/**
 * Runs one command in a process group of its own and makes sure that nothing of the group outlives the process that asked
 * for it: when the channel to that process closes, for whatever reason, the whole group is ended.
 *
 *   node guard.ts [--shell] COMMAND [arguments…]      (started by startGroup in processes.ts)
 */
import { spawn, spawnSync } from 'node:child_process';

const shell = process.argv[2] === '--shell';
const [command, ...args] = process.argv.slice(shell ? 3 : 2);
if (command === undefined) {
  throw new Error('guard.ts needs a command.');
}
const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], windowsHide: true, shell });
let ending = false;

function signalGroup(signal: 'SIGTERM' | 'SIGKILL'): void {
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F']);
    if (signal === 'SIGKILL') {
      process.exit();
    }
  } else {
    process.kill(-process.pid, signal);
  }
}

function end(): void {
  if (ending) {
    return;
  }
  ending = true;
  signalGroup('SIGTERM');
  setTimeout(() => signalGroup('SIGKILL'), 3000);
}

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.on(signal, end);
}
process.on('disconnect', end);
child.on('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(127);
});
child.on('exit', (code, signal) => {
  ending = true;
  const finish = (): void => signalGroup('SIGKILL');
  if (process.connected) {
    process.send?.({ code: code ?? (signal ? 1 : 0) }, finish);
  } else {
    finish();
  }
});
