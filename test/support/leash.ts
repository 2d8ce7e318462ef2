/**
 * Runs a command as a terminal would, in the process group that this is the head of, and ends that group when the test that
 * started it is gone, however it went: the command itself never learns of that.
 *
 *   node leash.ts COMMAND [arguments…]      (with a channel to the test)
 */
import { spawn } from 'node:child_process';

/** The time that the command has to end by itself. */
const graceMs = 5_000;

const [command = '', ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
// Those for the whole group reach the command as well, and it decides.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => undefined);
}
process.on('disconnect', () => {
  process.kill(-process.pid, 'SIGTERM');
  setTimeout(() => process.kill(-process.pid, 'SIGKILL'), graceMs).unref();
});
child.on('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(127);
});
child.on('exit', (code, signal) => {
  if (signal === null) {
    process.exit(code ?? 1);
  }
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
