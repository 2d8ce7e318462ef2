/** Child processes that leave nothing behind, and the wish of the person to stop. */
import { spawn } from 'node:child_process';
import { createWriteStream, existsSync, mkdirSync, readFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { lastLines } from './install.mjs';

export interface ProcessGroup {
  readonly pid: number;
  /** Resolves with the command's exit code when nothing of the group is left. */
  readonly exited: Promise<number>;
  /** Ends the command and everything it has started; resolves when all of it is gone. */
  readonly stop: () => Promise<void>;
}

export interface GroupOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Receives all output; without it the output goes where this process's own goes. */
  readonly logFile?: string;
  /** True when the command is a line for the shell. */
  readonly shell?: boolean;
  readonly onLine?: (line: string) => void;
}

export function startGroup(command: string, args: readonly string[], options: GroupOptions): ProcessGroup {
  const output = options.logFile === undefined ? 'inherit' : 'pipe';
  if (options.logFile !== undefined) {
    mkdirSync(path.dirname(options.logFile), { recursive: true });
  }
  const log = options.logFile === undefined ? undefined : createWriteStream(options.logFile);
  const guard = path.join(import.meta.dirname, 'guard.ts');
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', guard, ...(options.shell ? ['--shell'] : []), command, ...args],
    {
      cwd: options.cwd,
      env: options.env,
      stdio: ['ignore', output, output, 'ipc'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    },
  );
  let code = 1;
  child.on('message', (message: { code: number }) => (code = message.code));
  let rest = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      log?.write(text);
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      lines.forEach((line) => options.onLine?.(line));
    });
  }
  // Not the event 'close': it never comes once the channel has been closed from this side.
  const exited = Promise.all([
    new Promise<void>((resolve) => child.on('exit', () => resolve()).on('error', () => resolve())),
    ...[child.stdout, child.stderr].map((stream) =>
      stream === null ? undefined : new Promise<void>((resolve) => stream.on('close', () => resolve())),
    ),
  ]).then(async () => {
    if (log !== undefined) {
      await new Promise<void>((resolve) => log.end(() => resolve()));
    }
    return code;
  });
  return {
    pid: child.pid ?? 0,
    exited,
    stop: async () => {
      if (child.connected) {
        child.disconnect();
      }
      const lastResort = setTimeout(() => child.kill('SIGKILL'), 8000);
      await exited;
      clearTimeout(lastResort);
    },
  };
}

export function logTail(file: string, lines: number): string {
  return existsSync(file) ? lastLines(readFileSync(file, 'utf8'), lines) : '';
}

/** Resolves to true when a server could listen on this port of the loopback interface now. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/**
 * Resolves when this process is asked to stop: by Ctrl+C, by a signal, by the end of its terminal, or by the end of the
 * process that runs it. Further signals are ignored from then on: stopping has its own time limits.
 */
export function stopRequested(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => resolve());
    }
    if (process.connected) {
      process.on('disconnect', () => resolve());
      process.channel?.unref();
    }
    if (process.stdin.isTTY) {
      process.stdin
        .on('end', () => resolve())
        .resume()
        .unref();
    }
    // A closed terminal also breaks the output, which must not end the process before it has stopped the others.
    process.stdout.on('error', () => resolve());
    process.stderr.on('error', () => resolve());
  });
}

/** The environment without what an outer VS Code or npm has put there for its own children. */
export function cleanEnvironment(extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(VSCODE_|ELECTRON_|npm_|NODE_OPTIONS$|NODE_CHANNEL_)/i.test(name),
    ),
  );
  return { ...env, ...extra };
}
