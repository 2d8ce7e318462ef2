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

/** Milliseconds that git may take: what it reads may be a pipe into which no one writes. */
const patience = 60_000;

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
   * @throws what `execFile` throws: with `code`, Git's exit code, and `stderr`.
   */
  git(args: readonly string[], signal?: AbortSignal, longest?: number): Promise<string>;
}

/** A repository of a folder. @param program where Git is. */
export function repositoryAt(program: string, root: string): OpenRepository {
  return {
    root,
    name: path.basename(root),
    git: async (args, signal, longest = longestOutput) => {
      const { stdout } = await execute(program, [...harmless, ...args], {
        cwd: root,
        env: { ...process.env, ...environment },
        maxBuffer: longest,
        timeout: patience,
        windowsHide: true,
        ...(signal && { signal }),
      });
      return stdout;
    },
  };
}
