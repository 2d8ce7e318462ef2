/**
 * The temporary folder of a run of tests, whoever starts it: all that a run leaves on disk lies in there, and goes with it. What a
 * run has left that was killed goes with the next one.
 */
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import { format } from 'node:util';
import { startGroup, stopRequested } from '../../tools/processes.ts';
import { Refusal } from '../../tools/progress.ts';

/** Says to all that a run starts that they are part of it. */
const variable = 'PATCH_STACKS_RUN_FOLDER';

/** Where Linux keeps files in memory. */
const inMemory = '/dev/shm';

/** Bytes of memory that are free where a run works in it: of those it has had less than a tenth at a time. */
const enoughMemory = 2 * 2 ** 30;

/**
 * A folder that Linux keeps in memory, where there is room enough: what is written there is as safe from a process that ends, and takes
 * a tenth of the processor's time less, with no disk to wait for. Undefined for whoever has chosen another folder.
 */
function memoryFolder(): string | undefined {
  if (process.platform !== 'linux' || process.env['TMPDIR'] !== undefined) {
    return undefined;
  }
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .find(([, at]) => at === inMemory);
    const { bavail, bsize } = statfsSync(inMemory);
    const isEnough = Math.min(bavail * bsize, process.availableMemory()) >= enoughMemory;
    return mount?.[2] === 'tmpfs' && !mount[3]?.split(',').includes('noexec') && isEnough
      ? inMemory
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Has everything that this process and those that it starts put into a temporary folder lie in one, until this process ends. In a
 * process that a run has started that is so already.
 *
 * @param endsAtSignal false where the process ends in an orderly manner itself when it is asked to.
 * @returns the folder.
 */
export function openRunFolder({ endsAtSignal = true } = {}): string {
  const outer = process.env[variable];
  if (outer !== undefined) {
    return outer;
  }
  // Paths of sockets must stay short, and macOS gives each person a long one.
  const onDisk = process.platform === 'darwin' ? '/tmp' : tmpdir();
  const parent = memoryFolder() ?? onDisk;
  // A run that was killed may have worked in either.
  [onDisk, inMemory].filter((place) => existsSync(place)).forEach(removeLeftOver);
  const folder = mkdtempSync(path.join(parent, `tests-${process.pid}-`));
  // As open as the one of the machine, which some tests have other users look into.
  chmodSync(folder, 0o1777);
  for (const name of [variable, 'TMPDIR', 'TMP', 'TEMP']) {
    process.env[name] = folder;
  }
  // What a service that is tested writes isn't among what the person themselves has written.
  process.env['XDG_DATA_HOME'] = path.join(folder, 'data');
  process.on('exit', () => remove(folder));
  if (endsAtSignal) {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => process.exit(128 + constants.signals[signal]));
    }
  }
  return folder;
}

/**
 * Does the work of a script as a run of its own, unless it is part of one: in another process of the same script, which is ended with
 * all that it has started when it is done or is to stop. Nothing of it is left then, neither a process nor a file.
 *
 * @param work gives the exit code of the script, which is 1 where it throws, or was stopped: why is printed.
 */
export async function asOneRun(work: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await (process.env[variable] === undefined ? inAnotherProcess() : work());
  } catch (error) {
    process.stderr.write(`${error instanceof Refusal ? error.message : format(error)}\n`);
    process.exitCode = 1;
  }
}

/** @returns The exit code of this script in a process that is part of a run. @throws {Refusal} when it was stopped. */
async function inAnotherProcess(): Promise<number> {
  const stop = stopRequested().then(() => undefined);
  openRunFolder({ endsAtSignal: false });
  const group = startGroup(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    env: process.env,
  });
  const code = await Promise.race([group.exited, stop]);
  await group.stop();
  if (code === undefined) {
    throw new Refusal('Stopped.');
  }
  return code;
}

function removeLeftOver(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = /^tests-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) {
      remove(path.join(parent, name));
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  } catch {
    // Somebody still writes there, or it is another person's: the next run looks again.
  }
}
