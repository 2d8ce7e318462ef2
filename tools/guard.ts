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
let exitCode = 1;

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

/** True when nothing of the group runs but this process and the one that looks. */
function isAlone(): boolean {
  if (process.platform === 'win32') {
    return true;
  }
  const { stdout, pid: looker } = spawnSync('ps', ['-A', '-o', 'pid=,pgid=,stat='], { encoding: 'utf8' });
  return !stdout.split('\n').some((line) => {
    const [pid, group, state] = line.trim().split(/\s+/);
    const other = Number(pid) !== process.pid && Number(pid) !== looker;
    return other && Number(group) === process.pid && state?.startsWith('Z') === false;
  });
}

/** Asks everything in the group to end, and ends by force what has not done so in time, this process with it. */
function end(): void {
  if (ending) {
    return;
  }
  ending = true;
  signalGroup('SIGTERM');
  const deadline = Date.now() + 3000;
  const look = (): void => {
    if (isAlone() || Date.now() > deadline) {
      finish();
    } else {
      setTimeout(look, 50);
    }
  };
  look();
}

function finish(): void {
  if (process.connected) {
    process.send?.({ code: exitCode }, () => signalGroup('SIGKILL'));
  } else {
    signalGroup('SIGKILL');
  }
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
  exitCode = code ?? (signal === null ? 0 : 1);
  end();
});
