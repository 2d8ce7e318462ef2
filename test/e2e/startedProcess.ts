/** A real `npm start`, as typed into a terminal: a process group of its own, its output, and its end. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { root } from '../../tools/provision.ts';

export class StartedProcess {
  output = '';
  /** The exit code, or the signal that ended it, when it and its output have ended. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
  private readonly pid: number;
  private readonly listeners = new Set<() => void>();
  private hasEnded = false;

  private constructor(command: string, args: readonly string[], env: NodeJS.ProcessEnv, clone = root) {
    // A group of its own is not ended with the test.
    const leash = ['--disable-warning=ExperimentalWarning', path.join(root, 'test/support/leash.ts')];
    const child = spawn(process.execPath, [...leash, command, ...args], {
      cwd: clone,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: true,
    });
    this.pid = child.pid ?? 0;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output += text;
        this.notify();
      });
    }
    this.ended = new Promise((resolve) => {
      child.on('close', (code, signal) => {
        this.hasEnded = true;
        this.notify();
        resolve(code ?? signal);
      });
    });
  }

  /** `npm start -- …` */
  static npmStart(...args: string[]): StartedProcess {
    return new StartedProcess('npm', ['start', '--', ...args], {});
  }

  /** `npm run SCRIPT` */
  static npmRun(script: string, env: NodeJS.ProcessEnv): StartedProcess {
    return new StartedProcess('npm', ['run', script], env);
  }

  /** Starts the program behind `npm start`, of this clone or another one, without npm's own start-up time. */
  static start(args: readonly string[], env: NodeJS.ProcessEnv = {}, clone?: string): StartedProcess {
    return new StartedProcess(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', 'tools/start.ts', ...args],
      env,
      clone,
    );
  }

  /** Resolves with the match when the output contains it; fails with the whole output when the process ends before. */
  waitFor(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const match = pattern.exec(this.output);
        if (match !== null) {
          this.listeners.delete(look);
          resolve(match);
        } else if (this.hasEnded) {
          this.listeners.delete(look);
          reject(new Error(`It ended without printing ${String(pattern)}:\n${this.output}`));
        }
      };
      this.listeners.add(look);
      look();
    });
  }

  /** The address of VS Code, when everything is ready. */
  async address(): Promise<string> {
    await this.waitFor(/Press Ctrl\+C/);
    return (await this.waitFor(/http:\/\/127\.0\.0\.1:\S+/))[0];
  }

  /** Every process that this one has started, directly or not. */
  descendants(): number[] {
    const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
    const parents = table
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
    const found = new Set([this.pid]);
    for (let size = 0; size !== found.size;) {
      size = found.size;
      for (const [pid, parent] of parents) {
        if (found.has(parent)) {
          found.add(pid);
        }
      }
    }
    return [...found];
  }

  /** Ctrl+C: the terminal sends the signal to every process of the group. */
  interrupt(): void {
    if (!this.hasEnded) {
      process.kill(-this.pid, 'SIGINT');
    }
  }

  async stop(): Promise<void> {
    this.interrupt();
    await this.ended;
  }

  private notify(): void {
    for (const listener of [...this.listeners]) {
      listener();
    }
  }
}

/** Those of the processes that still run; one that has ended and waits to be noticed does not. */
export function stillRunning(pids: readonly number[]): number[] {
  const { stdout } = spawnSync('ps', ['-o', 'pid=,stat=', '-p', pids.join(',')], { encoding: 'utf8' });
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([pid, state]) => pid !== '' && state?.startsWith('Z') === false)
    .map(([pid]) => Number(pid));
}
