/**
 * Runs git on a repository that is not trusted: nothing the repository configures or contains is executed, nothing is
 * written into it, and nothing goes over the network.
 */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { ServiceError } from '../errors.ts';
import { systemCode } from '../../util/systemCode.ts';

/** Settings that win over the repository's and the user's. */
const safeSettings = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.pager=cat',
  'core.quotePath=false',
  'color.ui=false',
  'log.showSignature=false',
  'i18n.logOutputEncoding=UTF-8',
  'diff.renameLimit=1000',
  'diff.suppressBlankEmpty=false',
];

/** Variables of the caller that may stay: where its Git is, and which configuration it reads. */
const keptVariables = new Set([
  'GIT_EXEC_PATH',
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_SYSTEM',
  'GIT_CONFIG_NOSYSTEM',
]);

/** Milliseconds that git may take for an answer that is not read as it comes. */
const defaultPatienceMs = 30_000;

function safeEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.toUpperCase().startsWith('GIT_') || keptVariables.has(name.toUpperCase()),
  );
  return {
    ...Object.fromEntries(inherited),
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    // A partial clone must not fetch what it lacks: that would run the transport it configures.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_REPLACE_OBJECTS: '1',
  };
}

/** Folders of objects that git has beside those of a repository, by the folders that it runs in. */
const lent = new Map<string, Set<string>>();

/** Has git read the objects of another folder, too, wherever it runs in a repository. */
export function lendObjects(
  { directory, gitDirectory }: { directory: string; gitDirectory: string },
  objects: string,
): void {
  [directory, gitDirectory].forEach((folder) => lent.set(folder, new Set(lent.get(folder)).add(objects)));
}

/** The folders of objects that git has beside those of a repository, as git takes them from its environment; undefined for none. */
export function lentObjects(directory: string, ...more: readonly string[]): string | undefined {
  const all = [...more, ...(lent.get(directory) ?? [])];
  // In quotes a folder may have any name.
  return all.length === 0 ? undefined : all.map((folder) => JSON.stringify(folder)).join(path.delimiter);
}

/** A running git whose output is read as it comes. */
interface GitProcess {
  /** Write what git asks for here; it is not ended by itself. */
  readonly input: NodeJS.WritableStream;
  readonly output: AsyncIterable<Buffer>;
  /** Resolves when git ended well. @throws ServiceError `git_failed` with what git said. */
  readonly ended: Promise<void>;
  /** Ends git now, whatever it is doing. Harmless when it has ended. */
  readonly stop: () => void;
  /**
   * Ends git because its output is not what it should be.
   *
   * @throws ServiceError `git_failed` with what git complained of, else that it did not give what was expected; the
   *   signal's reason where that was the cause.
   */
  readonly fail: (expected: string) => Promise<never>;
}

/**
 * Starts git in a directory.
 *
 * @param signal Ends git when it is aborted.
 * @param environment Variables that win over those that git has here.
 */
export function startGit(
  directory: string,
  args: readonly string[],
  signal?: AbortSignal,
  environment: NodeJS.ProcessEnv = {},
): GitProcess {
  const child = spawned(directory, args, environment);
  let complaint = '';
  child.stderr.setEncoding('utf8');
  child.stderr.on('data', (text: string) => {
    // The end of a long complaint says most.
    complaint = (complaint + text).slice(-2000);
  });
  // A git that ended early closes its input: what it has to say comes with its exit.
  child.stdin.on('error', () => undefined);
  const stop = () => {
    child.kill('SIGKILL');
    // Output that no one reads any more would keep the process from counting as closed.
    child.stdout.destroy();
  };
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) {
    // That was before, of which nobody is told.
    stop();
  }
  const ended = (async () => {
    try {
      const closed: unknown[] = await once(child, 'close');
      const [code] = closed;
      signal?.throwIfAborted();
      if (code !== 0) {
        throw new ServiceError(
          'git_failed',
          `Couldn't run "git ${args[0] ?? ''}": ${complaint.trim() || 'it was stopped'}`,
        );
      }
    } catch (error) {
      throw isNotStarted(error) ? notStarted(directory, error) : error;
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  })();
  // Whoever reads the output awaits it too; until then a failure is not unhandled.
  ended.catch(() => undefined);
  // Node throws away what a process printed when it ends before someone reads: so read at once, into a buffer.
  const output = child.stdout.pipe(new PassThrough());
  child.stdout.on('close', () => output.end());
  const fail = async (expected: string): Promise<never> => {
    stop();
    await ended.catch(() => undefined);
    signal?.throwIfAborted();
    const reason = complaint.trim();
    throw new ServiceError(
      'git_failed',
      reason === ''
        ? `"git ${args[0] ?? ''}" didn't return ${expected}.`
        : `Couldn't run "git ${args[0] ?? ''}": ${reason}`,
    );
  };
  return { input: child.stdin, output, ended, stop, fail };
}

/** @throws ServiceError where the system says at once that it can't be. */
function spawned(
  directory: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): ChildProcessWithoutNullStreams {
  const objects = lentObjects(directory);
  try {
    return spawn('git', [...safeSettings.flatMap((setting) => ['-c', setting]), '--no-pager', ...args], {
      cwd: directory,
      env: {
        ...safeEnvironment(),
        ...(objects !== undefined && { GIT_ALTERNATE_OBJECT_DIRECTORIES: objects }),
        ...environment,
      },
      windowsHide: true,
      stdio: 'pipe',
    });
  } catch (error) {
    throw notStarted(directory, error);
  }
}

function isNotStarted(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && String(error.syscall).startsWith('spawn');
}

/** Why git could not be started: the system says the same of a folder that isn't there as of a program. */
function notStarted(directory: string, cause: unknown): ServiceError {
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) {
    return new ServiceError('no_repository', `${directory} isn't a folder. Name a Git repository.`, {
      cause,
    });
  }
  const code = systemCode(cause);
  return new ServiceError(
    'git_missing',
    code === 'ENOENT'
      ? "Couldn't find Git. Install it, or add it to the PATH."
      : `Couldn't start Git (${code}). Install it again, or add another one to the PATH.`,
    { cause },
  );
}

/**
 * Runs git to its end and gives what it printed. For output that is small, and soon there.
 *
 * @param patienceMs Milliseconds that git may take.
 * @param input What it reads.
 * @throws ServiceError `git_failed`, or `git_silent` when it took longer; the signal's reason.
 */
export async function runGit(
  directory: string,
  args: readonly string[],
  signal?: AbortSignal,
  patienceMs = defaultPatienceMs,
  input = '',
): Promise<string> {
  signal?.throwIfAborted();
  // Git may wait for a pipe into which no one writes, such as a file that the configuration includes.
  const late = AbortSignal.timeout(patienceMs);
  const git = startGit(directory, args, signal ? AbortSignal.any([signal, late]) : late);
  git.input.end(input);
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of git.output) {
      chunks.push(chunk);
    }
    await git.ended;
  } catch (error) {
    signal?.throwIfAborted();
    if (late.aborted) {
      throw new ServiceError(
        'git_silent',
        `"git ${args[0] ?? ''}" didn't respond within ${patienceMs / 1000} seconds. Check the Git configuration, also the repository's own.`,
        { cause: error },
      );
    }
    throw error;
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Runs git for an answer it may not have: undefined when it fails. */
export async function askGit(
  directory: string,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<string | undefined> {
  try {
    return (await runGit(directory, args, signal)).trim() || undefined;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'git_failed') {
      return undefined;
    }
    throw error;
  }
}
