/**
 * Git on a repository of the window. Its own configuration holds, but for what would have reading it run a program or go over
 * the network.
 */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Bytes that git may print: the names of a million files. */
const longestOutput = 256 * 1024 * 1024;

/** Milliseconds that git may take: what it reads may be a pipe into which nobody writes. */
const patienceMs = 60_000;

/** A monitor of files, and the program that judges signatures, are programs that the repository names. */
const harmless = ['-c', 'core.fsmonitor=false', '-c', 'log.showSignature=false', '--no-pager'];

/** A partial clone must not fetch what it lacks: that runs the transport it configures. */
const environment = {
  LC_ALL: 'C',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
};

/** A repository that is open in the window. */
export interface OpenRepository {
  /** Its folder, which has the working tree. */
  root: string;
  name: string;
  /**
   * Runs git in it.
   *
   * @param longest bytes that it may print.
   * @returns what git printed.
   * @throws what `execFile` throws: with `code`, git's exit code, and `stderr`.
   */
  git(args: readonly string[], signal?: AbortSignal, longest?: number): Promise<string>;
  /** Runs git in it, with something to read, and gives what it printed as it is. @throws what `git` throws. */
  gitBytes(args: readonly string[], options?: GitOptions): Promise<Buffer>;
}

interface GitOptions {
  input?: string | Uint8Array;
  /** Variables besides those that every git of ours gets. */
  environment?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

/** A repository of a folder. @param program where git is. */
export function repositoryAt(program: string, root: string): OpenRepository {
  const common = { cwd: root, timeout: patienceMs, windowsHide: true };
  return {
    root,
    name: path.basename(root),
    git: async (args, signal, longest = longestOutput) => {
      const { stdout } = await execute(program, [...harmless, ...args], {
        ...common,
        env: { ...process.env, ...environment },
        maxBuffer: longest,
        ...(signal && { signal }),
      });
      return stdout;
    },
    gitBytes: async (args, { input, environment: more, signal } = {}) => {
      const running = execute(program, [...harmless, ...args], {
        ...common,
        env: { ...process.env, ...environment, ...more },
        maxBuffer: longestOutput,
        encoding: 'buffer',
        ...(signal && { signal }),
      });
      // A git that ended early closes its input: what it has to say comes with its exit.
      running.child.stdin?.on('error', () => undefined);
      running.child.stdin?.end(input ?? '');
      return (await running).stdout;
    },
  };
}
